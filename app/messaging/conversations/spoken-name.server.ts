import { type SQL, sql } from "drizzle-orm";
import { nameToTell, shownName } from "#app/catalogue/product/shown-product.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";

/**
 * SQL on `products`, which may be joined from the left: the name of a listing in a conversation, where the item of an
 * order (SQL of its id, or NULL) keeps the name with which it was bought. `isOwn`: SQL, the reader is its seller.
 */
export function spokenName(itemId: SQL, isOwn: SQL): SQL<string> {
  return sql<string>`COALESCE(${boughtName(itemId)}, iif(${isOwn}, ${products.name}, ${shownName(products)}))`;
}

/**
 * SQL: the same for what we send. NULL where it is about nothing, or about something that its reader doesn't see any
 * more.
 */
export function spokenNameToTell(itemId: SQL, isOwn: SQL): SQL<string | null> {
  return sql<string | null>`COALESCE(${boughtName(itemId)}, iif(${isOwn}, ${products.name}, ${nameToTell(products)}))`;
}

function boughtName(itemId: SQL): SQL {
  return sql`(SELECT ${orderItems.productName} FROM ${orderItems} WHERE ${orderItems.id} = ${itemId})`;
}
