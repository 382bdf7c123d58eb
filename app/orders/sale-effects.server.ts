/**
 * What follows when sales are paid, end, or open again: with how many buyers a seller's sales ended in which way. It
 * looks at the items as they are: done twice, it leaves what it leaves when done once. The simulation counts after
 * every step where it doesn't hold (tests/support/simulation/effects.ts).
 *
 * Each buyer counts once for each way. Accounts that pay from one number are one buyer, who pays from the seller's own
 * number is none, and free items count for nobody: otherwise two friends could make a record for each other. Kept,
 * because adding up 10,000 sales with their buyers takes 57 ms.
 */
import { and, eq, gt, inArray, isNotNull, isNull, not, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Statement } from "#app/db/batch.ts";
import { build, hasRow, insertEach } from "#app/db/build.ts";
import { dealEvents, orderItems, orders } from "./tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { profiles, sellerBuyers } from "#app/accounts/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";

const item = alias(orderItems, "item");
const paid = alias(orders, "paid");
const own = alias(sellerBuyers, "own");
const same = alias(sellerBuyers, "same");

/**
 * For the batch in which items are paid, and in which they end, because a seller may change their number in between.
 * @param items SQL: the ids of items, such as `idList` or a query
 */
export function markSelfPaid(items: SQLWrapper): Statement {
  const payer = build.select({ phone: paid.phoneNumber }).from(paid).where(eq(paid.id, orderItems.orderId));
  const isOwnNumber = hasRow(profiles, and(eq(profiles.id, orderItems.sellerId), eq(profiles.phone, payer)));
  return build
    .update(orderItems)
    .set({ paidBySeller: true })
    .where(
      and(inArray(orderItems.id, items), eq(orderItems.paidBySeller, false), gt(orderItems.subtotal, 0), isOwnNumber),
    );
}

/**
 * The statements for the batch that ends deals or opens them again, after those that write the items and their history.
 * @param items SQL: the ids of items, such as `idList` or a query
 */
export function afterSalesEnded(items: SQLWrapper): Statement[] {
  const isAmong = (condition: SQL | undefined) => sql`(${sellerBuyers.sellerId}, ${sellerBuyers.buyerId}) IN
    (SELECT ${item.sellerId}, ${buyerOfSale} FROM ${SALES} WHERE ${and(inArray(item.id, items), counts, condition)})`;
  const isCompleted = stateIs(item.status, ITEM.isCompleted);
  return [
    markSelfPaid(items),
    insertEach(
      sellerBuyers,
      { sellerId: item.sellerId, buyerId: paid.userId, phone: paid.phoneNumber },
      sql`FROM ${SALES} WHERE ${and(
        inArray(item.id, items),
        counts,
        or(isCompleted, stateIs(item.status, ITEM.isRefunded), endedAgainstSeller()),
      )}`,
    ).onConflictDoNothing(),
    build
      .update(sellerBuyers)
      .set({
        // Only where a completed deal was opened again may there be no other.
        handedOver: sql`CASE WHEN ${isAmong(isCompleted)} THEN 1 WHEN ${sellerBuyers.handedOver} THEN
          EXISTS (SELECT 1 FROM ${SALES} WHERE ${and(eq(item.sellerId, sellerBuyers.sellerId), isCompleted, counts)}
            AND ${buyerOfSale} = ${sellerBuyers.buyerId}) ELSE 0 END`,
        refunded: or(sellerBuyers.refunded, isAmong(endedAgainstSeller(not(isCancelling)))),
        cancelled: or(sellerBuyers.cancelled, isAmong(endedAgainstSeller(isCancelling))),
      })
      .where(isAmong(undefined)),
  ];
}

/**
 * A seller who deletes a listing while somebody pays for it has cancelled that sale, and their record says so. What our
 * team took down doesn't count. `phone`: the number that paid.
 */
export function countRemovedListings(orderId: string, phone: string): Statement[] {
  const order = build.select({ id: orders.userId }).from(orders).where(eq(orders.id, orderId));
  const isOwnNumber = hasRow(profiles, and(eq(profiles.id, orderItems.sellerId), eq(profiles.phone, phone)));
  const isRemoved = and(
    eq(orderItems.orderId, orderId),
    gt(orderItems.subtotal, 0),
    isNotNull(products.deletedAt),
    isNull(products.suspendedAt),
    not(isOwnNumber),
  );
  const sellers = build
    .select({ id: orderItems.sellerId })
    .from(orderItems)
    .innerJoin(products, eq(products.id, orderItems.productId))
    .where(isRemoved);
  return [
    insertEach(
      sellerBuyers,
      { sellerId: orderItems.sellerId, buyerId: sql`(${order})`, phone },
      sql`FROM ${orderItems} JOIN ${products} ON ${products.id} = ${orderItems.productId} WHERE ${isRemoved}`,
    ).onConflictDoNothing(),
    build
      .update(sellerBuyers)
      .set({ cancelled: true })
      .where(
        and(
          eq(sellerBuyers.cancelled, false),
          or(eq(sellerBuyers.buyerId, order), eq(sellerBuyers.phone, phone)),
          inArray(sellerBuyers.sellerId, sellers),
        ),
      ),
  ];
}

const SALES = sql`${orderItems} item JOIN ${orders} paid ON ${eq(paid.id, item.orderId)}`;

/** SQL on `SALES`. */
const counts = and(gt(item.subtotal, 0), eq(item.paidBySeller, false));

/** SQL on `SALES`: as whom the buyer counts, themselves or an earlier account that paid from the same number. */
const buyerOfSale = sql`coalesce(
  (SELECT ${own.buyerId} FROM ${sellerBuyers} own
    WHERE ${and(eq(own.sellerId, item.sellerId), eq(own.buyerId, paid.userId))}),
  (SELECT ${same.buyerId} FROM ${sellerBuyers} same
    WHERE ${and(eq(same.sellerId, item.sellerId), eq(same.phone, paid.phoneNumber))}))`;

const isCancelling = inArray(dealEvents.event, ["cancelled_by_seller", "not_shipped"]);

/** SQL on `SALES`: an ending that the seller could have prevented (`deals/deal-blame-rules.ts`). */
function endedAgainstSeller(how?: SQL): SQL {
  return hasRow(dealEvents, and(eq(dealEvents.orderItemId, item.id), eq(dealEvents.against, "seller"), how));
}
