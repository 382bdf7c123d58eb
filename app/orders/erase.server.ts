import { and, eq, exists, inArray, or, type SQL } from "drizzle-orm";
import { DELETED_MESSAGE } from "#app/accounts/login/account-rules.ts";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { dealEvents, issueReports, orderItems, orders } from "./tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { ORDER, PAYMENT } from "#app/db/states/order.ts";
import { closeOrders } from "./close-orders.server.ts";

/** SQL: something about this user's orders isn't settled yet, so that the account can't be deleted. */
export function orderBlockers(userId: string) {
  const heldWith = (side: SQL) =>
    build
      .select()
      .from(orders)
      .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
      .where(and(side, stateIs(orders.paymentStatus, PAYMENT.isPaid), stateIs(orderItems.status, ITEM.isHeld)));
  const soldInReported = build
    .select()
    .from(orderItems)
    .where(and(eq(orderItems.orderId, issueReports.orderId), eq(orderItems.sellerId, userId)));
  const isConcerned = or(eq(issueReports.userId, userId), eq(issueReports.sellerId, userId), exists(soldInReported));
  const openReports = build
    .select()
    .from(issueReports)
    .where(and(eq(issueReports.status, "open"), isConcerned));
  return {
    purchase_open: exists(heldWith(eq(orders.userId, userId))),
    sale_open: exists(heldWith(eq(orderItems.sellerId, userId))),
    // Both sides and our team need the words of an open issue report, and those of its conversation.
    report_open: exists(openReports),
  };
}

/** The account is being deleted: its unpaid orders are closed, as a buyer and as a seller. */
export function closeOrdersOf(userId: string, now: number): Statement[] {
  const sold = build.select({ id: orderItems.orderId }).from(orderItems).where(eq(orderItems.sellerId, userId));
  const unpaid = build
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        stateIs(orders.paymentStatus, PAYMENT.isUnpaid),
        stateIs(orders.orderStatus, ORDER.isNotClosed),
        or(eq(orders.userId, userId), inArray(orders.id, sold)),
      ),
    );
  return closeOrders(unpaid, { closedReason: "account_deleted" }, now);
}

/**
 * The account is being deleted: its orders lose the number, the address and the place, and what it wrote about them.
 */
export function eraseOrders(userId: string): Statement[] {
  return [
    build
      .update(dealEvents)
      .set({ note: null })
      .where(and(eq(dealEvents.actorId, userId), inArray(dealEvents.orderItemId, tradedBy(userId)))),
    build
      .update(orders)
      .set({
        phoneNumber: null,
        deliveryAddress: null,
        deliveryInstructions: null,
        meetingPointId: null,
        meetingPlace: null,
        meetAt: null,
      })
      .where(eq(orders.userId, userId)),
    build.update(issueReports).set({ description: DELETED_MESSAGE }).where(eq(issueReports.userId, userId)),
  ];
}

/** The ids of the items that this user has ordered. */
export function boughtBy(userId: string) {
  return build
    .select({ id: orderItems.id })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .where(eq(orders.userId, userId));
}

/** The ids of the items that this user has ordered, or that were ordered of them. */
export function tradedBy(userId: string) {
  return boughtBy(userId).union(
    build.select({ id: orderItems.id }).from(orderItems).where(eq(orderItems.sellerId, userId)),
  );
}
