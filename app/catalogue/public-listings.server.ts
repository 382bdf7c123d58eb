import { type SQL, sql } from "drizzle-orm";
import { rowsOf } from "#app/db/batch.ts";
import type { ProductImage } from "#app/db/schema.ts";
import type { Condition, ProductStatus } from "./catalogue-rules.ts";
import type { ShownImage } from "./image-sources.ts";
import { stockLabel } from "./listing-stock-rules.ts";
import { FOR_SALE, toShown } from "./products.server.ts";

/** A product for sale, as a card on a public page shows it: nothing about its seller. Prices in KES. */
export interface PublicListing {
  id: string;
  name: string;
  price: number;
  originalPrice: number | null;
  image: ShownImage | null;
  condition: Condition;
  /** The campus. */
  location: string;
  /** "Only 2 left"; null where there is nothing to say. */
  stockLabel: string | null;
}

interface PublicListingRow extends Omit<PublicListing, "image" | "stockLabel"> {
  image: string | null;
  status: ProductStatus;
  stock: number | null;
  reserved: number;
}

/**
 * The newest products for sale, for a batch. Read the result with `readPublicListings`.
 *
 * @param where SQL on products `p`, beginning with AND
 */
export function publicListingRows(where: SQL, limit: number): SQL {
  return sql`SELECT p.id, p.name, p.price, p.original_price AS originalPrice, json_extract(p.images, '$[0]') AS image,
      p.condition, p.location, p.status, p.stock, p.reserved
    FROM products p WHERE ${FOR_SALE} ${where} ORDER BY p.created_at DESC, p.id DESC LIMIT ${limit}`;
}

export function readPublicListings(answer: D1Result | undefined): PublicListing[] {
  return rowsOf<PublicListingRow>(answer).map(({ status, stock, reserved, image, ...row }) => ({
    ...row,
    image: image ? toShown(JSON.parse(image) as ProductImage) : null,
    stockLabel: stockLabel({ status, stock, reserved, condition: row.condition }),
  }));
}
