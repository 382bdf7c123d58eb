import { and, asc, eq, inArray, isNotNull, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type RowOf, read } from "#app/db/batch.ts";
import type { Facts } from "#app/catalogue/facts/fact-field-rules.ts";
import { build, named, pick } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { categories } from "#app/catalogue/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { FILE_MAX } from "./listing-columns.ts";
import { type CurrentListing } from "./listing-file.ts";
import { STEPS_OF } from "#app/catalogue/selling/wholesale.server.ts";

export interface OwnListing extends CurrentListing {
  /** Ms since 1970. */
  updatedAt: number;
  facts: Facts;
}

const FIELDS = named({
  ...pick(productRow, "id", "sku", "name", "description", "price", "originalPrice", "category", "type"),
  categoryName: sql<string | null>`${categories.name}`,
  ...pick(productRow, "condition", "stock", "reserved", "minQuantity", "takesOffers", "lowestOffer", "updatedAt"),
  ...pick(productRow, "typeChosen", "facts", "factsChosen"),
  steps: STEPS_OF,
});

function ownListings(condition: SQL | undefined) {
  return build
    .select(FIELDS)
    .from(productRow)
    .leftJoin(categories, eq(categories.id, productRow.category))
    .where(and(isNull(productRow.deletedAt), condition));
}

type Row = RowOf<ReturnType<typeof ownListings>>;

/**
 * The query for the seller's listings that rows name by their SKU or, where they have none, by their id. `skus` selects
 * the SKUs of the rows.
 */
export function listingsNamed(sellerId: string, skus: SQLWrapper) {
  const bySku = and(eq(productRow.sellerId, sellerId), isNotNull(productRow.sku), inArray(productRow.sku, skus));
  // The plus makes SQLite use the primary key. It would read all listings of the seller otherwise.
  const byId = and(sql`+${productRow.sellerId} = ${sellerId}`, isNull(productRow.sku), inArray(productRow.id, skus));
  return ownListings(bySku).unionAll(ownListings(byId));
}

/** The query for all SKUs of a seller. */
export function skusOf(sellerId: string) {
  return build
    .select({ sku: productRow.sku })
    .from(productRow)
    .where(and(eq(productRow.sellerId, sellerId), isNotNull(productRow.sku), isNull(productRow.deletedAt)));
}

/** The listings that `listingsNamed` found, by the SKU or id with which rows name them. */
export function byName(rows: readonly Row[]): Map<string, OwnListing> {
  return new Map(rows.map((row) => [row.sku ?? row.id, toListing(row)]));
}

function toListing(row: Row): OwnListing {
  return { ...row, steps: row.steps ?? [] };
}

/**
 * One file of the seller's own listings, oldest first. `part` counts from 1: a file has as many rows as can be
 * imported.
 */
export async function exportListings(db: Database, sellerId: string, part: number): Promise<CurrentListing[]> {
  const rows = await read(
    db,
    ownListings(eq(productRow.sellerId, sellerId))
      .orderBy(asc(productRow.createdAt), asc(productRow.id))
      .limit(FILE_MAX.rows)
      .offset((part - 1) * FILE_MAX.rows),
  );
  return rows.map(toListing);
}
