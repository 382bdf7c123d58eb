import { type SQL, sql } from "drizzle-orm";
import { rowsOf } from "#app/db/batch.ts";
import type { ProductImage } from "#app/db/schema.ts";
import type { Condition, ProductStatus } from "./catalogue-rules.ts";
import type { ShownImage } from "./image-sources.ts";
import { shownCampus } from "./labels.ts";
import { stockLabel } from "./listing-stock-rules.ts";
import { FOR_SALE, toShown } from "./products.server.ts";
import { publicName } from "#app/platform/public-text.ts";

/** A product for sale, as a card on a public page shows it: nothing about its seller. Prices in KES. */
export interface PublicListing {
  id: string;
  name: string;
  price: number;
  originalPrice: number | null;
  image: ShownImage | null;
  condition: Condition;
  /** The campus; null where nobody knows it. */
  location: string | null;
  /** "Only 2 left"; null where there is nothing to say. */
  stockLabel: string | null;
}

interface PublicListingRow extends Omit<PublicListing, "image" | "location" | "stockLabel"> {
  location: string;
  image: string | null;
  status: ProductStatus;
  stock: number | null;
  reserved: number;
}

/**
 * The newest products for sale, for a batch. Read the result with `readPublicListings`.
 *
 * @param where SQL on products `p`, beginning with AND
 * @param from the products to choose from
 */
export function publicListingRows(where: SQL, limit: number, from = sql`products`): SQL {
  return sql`SELECT p.id, p.name, p.price, p.original_price AS originalPrice, json_extract(p.images, '$[0]') AS image,
      p.condition, p.location, p.status, p.stock, p.reserved
    FROM ${from} p WHERE ${FOR_SALE} ${where} ORDER BY p.created_at DESC, p.id DESC LIMIT ${limit}`;
}

/**
 * Deleted listings stay in the table, and a seller can have any number of them. An index without them would cost one more
 * write for each listing. So only this many of a seller's newest listings are read, and older ones are left out.
 */
const SELLER_LISTINGS_READ = 1_000;

/** A seller's newest products for sale, for a batch. It reads as many rows as it returns, and one for each deleted listing between them. */
export function sellerListingRows(sellerId: SQL, limit: number): SQL {
  const newest = sql`(SELECT * FROM products WHERE seller_id = ${sellerId} AND status = 'active' ORDER BY created_at DESC, id DESC LIMIT ${SELLER_LISTINGS_READ})`;
  return publicListingRows(sql``, limit, newest);
}

/** A product's name for everybody: without phone numbers and emails. */
export function publicProductName(name: string): string {
  return publicName(name) || "Item";
}

export function readPublicListings(answer: unknown): PublicListing[] {
  return rowsOf<PublicListingRow>(answer).map(({ status, stock, reserved, image, ...row }) => ({
    ...row,
    name: publicProductName(row.name),
    location: shownCampus(row.location),
    image: image ? toShown(JSON.parse(image) as ProductImage) : null,
    stockLabel: stockLabel({ status, stock, reserved, condition: row.condition }),
  }));
}
