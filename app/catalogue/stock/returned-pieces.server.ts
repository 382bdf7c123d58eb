import { and, inArray, isNull, type SQLWrapper } from "drizzle-orm";
import { build } from "#app/db/build.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- pieces that came back count with the seller's stock
import { orderItems } from "#app/orders/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";

/**
 * The seller of these listings says how many pieces there are, so that number includes what has come back. Returned
 * pieces can't be put back on sale a second time. Write it before the statement that sets the stock.
 * @param products selects the ids of the listings whose stock the seller sets
 */
export function countReturned(products: SQLWrapper, now: number) {
  return build
    .update(orderItems)
    .set({ restockedAt: now })
    .where(
      and(
        inArray(orderItems.productId, products),
        isNull(orderItems.restockedAt),
        stateIs(orderItems.status, ITEM.isReturned),
      ),
    );
}
