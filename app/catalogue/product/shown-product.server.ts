/**
 * What people who come across a listing again see of it: one that is held, taken down or deleted shows nobody its words
 * or photos.
 */
import { type SQL, sql } from "drizzle-orm";
import { products } from "#app/catalogue/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";

export const HIDDEN_NAME = "Removed product";

type Product = typeof productRow | typeof products;

function isShown(product: Product): SQL {
  return sql`(${product.deletedAt} IS NULL AND ${product.suspendedAt} IS NULL)`;
}

/** SQL: the name of the product of this row, which may be joined from the left. */
export function shownName(product: Product): SQL<string> {
  return sql<string>`iif(${isShown(product)}, ${product.name}, ${HIDDEN_NAME})`;
}

/** SQL: the same for what we send, where the name of nothing helps nobody: NULL. */
export function nameToTell(product: Product): SQL<string | null> {
  return sql<string | null>`iif(${isShown(product)}, ${product.name}, NULL)`;
}

/** SQL on `productRow`. */
export const SHOWN_NAME = shownName(productRow);

/** SQL on `productRow`: its first photo as JSON, or null. */
export const SHOWN_COVER = sql<
  string | null
>`iif(${isShown(productRow)}, json_extract(${productRow.images}, '$[0]'), NULL)`;

/**
 * SQL on `products`: all photos as JSON, or null where neither everybody nor its seller is the reader. `isOwn` as in
 * `spokenName`.
 */
export function shownImages(isOwn: SQL): SQL<string | null> {
  return sql<string | null>`iif(${isOwn} OR ${isShown(products)}, ${products.images}, NULL)`;
}
