import { and, eq, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { STOCK_MAX } from "#app/catalogue/selling/listing-stock-rules.ts";
import { updateListingsFrom } from "#app/catalogue/write-listings.server.ts";
import { expectOneChange, tryWrite } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { orderItems } from "./tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";

/** SQL on `order_items` and `products`: the item came back, and its seller hasn't put it back on sale. */
export const IS_RESTOCKABLE: SQL = sql`${and(
  stateIs(orderItems.status, ITEM.isReturned),
  isNull(orderItems.restockedAt),
  isNull(products.deletedAt),
  or(isNotNull(products.stock), ne(products.status, "active")),
)}`;

/**
 * Puts the pieces of a cancelled or refunded item back in stock, and the listing back on sale, because its seller says
 * that they can be sold again. A listing without a limit is only put back on sale. Works once for each item, and only
 * for its seller: false otherwise.
 */
export async function restockItem(
  { db, now }: Store,
  { itemId, sellerId }: { itemId: string; sellerId: string },
): Promise<boolean> {
  return tryWrite(db, [
    build
      .update(orderItems)
      .set({ restockedAt: now() })
      .where(
        and(
          eq(orderItems.id, itemId),
          eq(orderItems.sellerId, sellerId),
          hasRow(products, and(eq(products.id, orderItems.productId), IS_RESTOCKABLE)),
        ),
      ),
    expectOneChange(),
    updateListingsFrom(
      {
        stock: sql`MIN(${STOCK_MAX}, ${products.stock} + ${orderItems.quantity})`,
        status: "active",
        updatedAt: now(),
      },
      orderItems,
      and(eq(orderItems.id, itemId), eq(products.id, orderItems.productId)),
    ),
    ...afterListingsChanged(
      build.select({ id: orderItems.productId }).from(orderItems).where(eq(orderItems.id, itemId)),
      now(),
    ),
  ]);
}
