import { type SQL, sql } from "drizzle-orm";
import { STOCK_MAX } from "#app/catalogue/listing-stock-rules.ts";
import { commitBatch, expectOneChange, PreconditionFailed } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";

/** SQL on `order_items` and `products`: the item came back, and its seller hasn't put it back on sale. */
export const IS_RESTOCKABLE: SQL = sql`(${stateIs("order_items.status", ITEM.isReturned)} AND order_items.restocked_at IS NULL
  AND products.deleted_at IS NULL AND (products.stock IS NOT NULL OR products.status <> 'active'))`;

/**
 * Puts the pieces of a cancelled or refunded item back in stock, and the listing back on sale, because its seller says
 * that they can be sold again. A listing without a limit is only put back on sale. Works once for each item, and only
 * for its seller: false otherwise.
 */
export async function restockItem(
  { db, now }: Store,
  { itemId, sellerId }: { itemId: string; sellerId: string },
): Promise<boolean> {
  const quantity = sql`(SELECT quantity FROM order_items WHERE id = ${itemId})`;
  try {
    await commitBatch(db, [
      sql`UPDATE order_items SET restocked_at = ${now()} WHERE id = ${itemId} AND seller_id = ${sellerId}
        AND EXISTS (SELECT 1 FROM products WHERE products.id = order_items.product_id AND ${IS_RESTOCKABLE})`,
      expectOneChange(),
      sql`UPDATE products SET stock = MIN(${STOCK_MAX}, stock + ${quantity}), status = 'active', sold_at = NULL, updated_at = ${now()}
        WHERE id = (SELECT product_id FROM order_items WHERE id = ${itemId})`,
    ]);
    return true;
  } catch (error) {
    if (error instanceof PreconditionFailed) return false;
    throw error;
  }
}
