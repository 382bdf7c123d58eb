import { type SQL, sql } from "drizzle-orm";
import { rowsOf } from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";
import { type CurrentListing, FILE_MAX } from "./listing-file.ts";
import { readSteps } from "./price-step-rules.ts";
import { STEPS_OF } from "./wholesale.server.ts";

export interface OwnListing extends CurrentListing {
  /** Ms since 1970. */
  updatedAt: number;
}

type Row = Omit<OwnListing, "steps" | "takesOffers"> & { steps: string | null; takesOffers: number };

const COLUMNS_OF = sql`p.id, p.sku, p.name, p.description, p.price, p.original_price AS originalPrice, p.category,
  (SELECT k.name FROM categories k WHERE k.id = p.category) AS categoryName, p.condition, p.stock, p.reserved,
  p.min_quantity AS minQuantity, p.takes_offers AS takesOffers, p.lowest_offer AS lowestOffer, p.updated_at AS updatedAt,
  ${STEPS_OF} AS steps`;

/**
 * The query for the seller's listings that rows name by their SKU or, where they have none, by their id. `skus` selects
 * the SKUs of the rows.
 */
export function listingsNamed(sellerId: string, skus: SQL): SQL {
  // The plus makes SQLite use the primary key. It would read all listings of the seller otherwise.
  return sql`SELECT ${COLUMNS_OF} FROM products p WHERE p.seller_id = ${sellerId} AND p.deleted_at IS NULL AND p.sku IS NOT NULL AND p.sku IN (${skus})
    UNION ALL SELECT ${COLUMNS_OF} FROM products p WHERE +p.seller_id = ${sellerId} AND p.deleted_at IS NULL AND p.sku IS NULL AND p.id IN (${skus})`;
}

/** The listings that `listingsNamed` found, by the SKU or id with which rows name them. */
export function byName(answer: unknown): Map<string, OwnListing> {
  return new Map(rowsOf<Row>(answer).map((row) => [row.sku ?? row.id, toListing(row)]));
}

function toListing(row: Row): OwnListing {
  return { ...row, takesOffers: row.takesOffers === 1, steps: readSteps(row.steps) };
}

/** One file of the seller's own listings, oldest first. `part` counts from 1: a file has as many rows as can be imported. */
export async function exportListings(db: Database, sellerId: string, part: number): Promise<CurrentListing[]> {
  const rows =
    await db.all<Row>(sql`SELECT ${COLUMNS_OF} FROM products p WHERE p.seller_id = ${sellerId} AND p.deleted_at IS NULL
    ORDER BY p.created_at, p.id LIMIT ${FILE_MAX.rows} OFFSET ${(part - 1) * FILE_MAX.rows}`);
  return rows.map(toListing);
}
