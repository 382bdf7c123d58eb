import { and, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { orderItems, orders } from "./tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import type { ClosedReason } from "#app/db/states/order.ts";

/** Why an order is closed, and what else changes with it. */
type Closing = { closedReason: ClosedReason | SQL } & Partial<
  Pick<typeof orders.$inferInsert, "replacedBy" | "paymentStatus" | "paymentReview" | "paymentFailure">
>;

/**
 * Closes unpaid orders with their items. A later payment still reopens them. The second statement says how many there
 * were.
 * @param ids selects the ids of the orders: a query, or SQL without parentheses. It is asked twice, and must find the
 * same orders when their items are closed.
 */
export function closeOrders(ids: SQLWrapper, closing: Closing, now: number): [items: Statement, orders: Statement] {
  // The plus keeps the search to the orders' items.
  const isUnpaid = sql`+${stateIs(orderItems.status, ITEM.awaitsPayment)}`;
  const closeItems = build
    .update(orderItems)
    .set({ status: "expired", updatedAt: now })
    .where(and(isUnpaid, sql`${orderItems.orderId} IN (${ids.getSQL()})`));
  const closeThem = build
    .update(orders)
    .set({ ...closing, orderStatus: "expired", updatedAt: now })
    .where(sql`${orders.id} IN (${ids.getSQL()})`);
  return [closeItems, closeThem];
}
