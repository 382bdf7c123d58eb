import { type SQL, sql } from "drizzle-orm";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";

/**
 * The seller of these listings says how many pieces there are, so that number includes what has come back. Returned pieces
 * can't be put back on sale a second time. Write it before the statement that sets the stock.
 * @param products SQL that selects the ids of the listings whose stock the seller sets
 */
export function countReturned(products: SQL, now: number): SQL {
  return sql`UPDATE order_items SET restocked_at = ${now} WHERE product_id IN (${products}) AND restocked_at IS NULL AND ${stateIs("status", ITEM.isReturned)}`;
}
