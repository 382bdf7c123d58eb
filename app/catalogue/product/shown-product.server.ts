/**
 * What people who come across a listing again see of it: one that is held, taken down or deleted shows nobody its words
 * or photos.
 */
import { type SQL, sql } from "drizzle-orm";
import { products } from "#app/db/schema.ts";
import { p } from "#app/catalogue/product-alias.server.ts";

export const HIDDEN_NAME = "Removed product";

const TABLES = { p, products };

function isShown(product: "p" | "products"): SQL {
  return sql`(${TABLES[product].deletedAt} IS NULL AND ${TABLES[product].suspendedAt} IS NULL)`;
}

/** SQL: the name of the product of this alias, which may be joined from the left. */
export function shownName(product: "p" | "products"): SQL<string> {
  return sql<string>`iif(${isShown(product)}, ${TABLES[product].name}, ${HIDDEN_NAME})`;
}

/** SQL: the same for what we send, where the name of nothing helps nobody: NULL. */
export function nameToTell(product: "p" | "products"): SQL<string | null> {
  return sql<string | null>`iif(${isShown(product)}, ${TABLES[product].name}, NULL)`;
}

/** SQL on a product `p`. */
export const SHOWN_NAME = shownName("p");

/** SQL on a product `p`: its first photo as JSON, or null. */
export const SHOWN_COVER = sql<string | null>`iif(${isShown("p")}, json_extract(${p.images}, '$[0]'), NULL)`;

/**
 * SQL on `products`: all photos as JSON, or null where neither everybody nor its seller is the reader. `isOwn` as in
 * `spokenName`.
 */
export function shownImages(isOwn: SQL): SQL<string | null> {
  return sql<string | null>`iif(${isOwn} OR ${isShown("products")}, ${products.images}, NULL)`;
}
