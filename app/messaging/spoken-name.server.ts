import { type SQL, sql } from "drizzle-orm";
import { shownName } from "#app/catalogue/product/shown-product.server.ts";
import { orderItems, products } from "#app/db/schema.ts";

/**
 * SQL on `products`, which may be joined from the left: the name of a listing in a conversation, where the item of an order
 * (SQL of its id, or NULL) keeps the name with which it was bought. `isOwn`: SQL, the reader is its seller.
 */
export function spokenName(itemId: SQL, isOwn: SQL): SQL<string> {
  const bought = sql`(SELECT ${orderItems.productName} FROM ${orderItems} WHERE ${orderItems.id} = ${itemId})`;
  return sql<string>`COALESCE(${bought}, iif(${isOwn}, ${products.name}, ${shownName("products")}))`;
}
