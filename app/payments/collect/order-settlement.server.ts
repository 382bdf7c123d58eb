/** How a payment changes its order: statements for the batch that settles the attempt. */
import { and, eq, gt, isNull, ne, not, or, type SQL, sql } from "drizzle-orm";
import { partyJson, readParty } from "#app/accounts/party.server.ts";
import { type PaidFor, thingOf } from "#app/notifications/kinds.ts";
import { notify, notifyEach } from "#app/notifications/notify.server.ts";
import type { Party } from "#app/notifications/recipient-rules.ts";
import { type Statement, expectOneChange } from "#app/db/batch.ts";
import { asBoolean, build, hasRow, pick } from "#app/db/build.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { paymentAttempts } from "#app/payments/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import type { RefundReason } from "#app/db/states/refund.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { ITEM } from "#app/db/states/item.ts";
import {
  CLOSED_REASONS,
  type ClosedReason,
  ORDER,
  PAYMENT,
  type PaymentFailure,
  type PaymentReview,
  type PaymentStatus,
} from "#app/db/states/order.ts";
import { payOffers, takeStock, undeliverable } from "#app/payments/collect/availability.server.ts";
import { countRemovedListings, markSelfPaid } from "#app/orders/sale-effects.server.ts";
import { startDeals } from "#app/orders/start-deals.server.ts";
import { clearOrderedCart } from "#app/orders/ordered-cart.server.ts";
import { closeOrders } from "#app/orders/close-orders.server.ts";
import { closeCompetingOrders, paidReplacement } from "#app/orders/replaced-orders.server.ts";
import { bookCharge, bookTransaction } from "#app/payments/books/ledger.server.ts";
import { refundDueLegs } from "#app/payments/books/ledger-rules.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { createRefund } from "#app/payments/transfers/refunds.server.ts";

type Attempt = typeof paymentAttempts.$inferSelect;
type Order = typeof orders.$inferSelect;

interface OrderPayment {
  attempt: Attempt;
  order: Order;
  buyer: Party;
}

/**
 * The payment that an order was waiting for: the order, its items, the ledger, the cart and the emails, all or nothing.
 */
export async function firstOrderPayment(
  services: PaymentServices,
  { attempt, order, buyer }: OrderPayment,
  { receipt, paidAt }: { receipt: string | null; paidAt: number | null },
): Promise<Statement[]> {
  const now = services.now();
  return [
    build
      .update(orders)
      .set({
        paymentStatus: "completed",
        orderStatus: "processing",
        receipt,
        paymentDate: paidAt ?? now,
        paymentReview: null,
        paymentFailure: null,
        closedReason: null,
        phoneNumber: attempt.phone,
        ...(attempt.checkoutRequestId ? { checkoutRequestId: attempt.checkoutRequestId } : {}),
        updatedAt: now,
      })
      .where(
        and(
          eq(orders.id, order.id),
          stateIs(orders.paymentStatus, PAYMENT.isUnpaid),
          sql`NOT EXISTS ${paidReplacement(order)}`,
          isNull(undeliverable(order.id)),
        ),
      ),
    expectOneChange(),
    ...paidOrderEffects(services, order),
    ...bookCharge({ orderId: order.id, attemptId: attempt.id, now }),
    ...(await tellPaid(services, buyer, order, receipt)),
  ];
}

/**
 * What follows when an order is paid or, if it is free, confirmed. Aborts the batch if there are too few pieces. The
 * items come first, because only paid ones start deals. The offer is paid before the stock is taken, because until then
 * it reserves a piece.
 */
export function paidOrderEffects(
  services: Pick<PaymentServices, "now">,
  order: { id: string; userId: string },
): Statement[] {
  const now = services.now();
  return [
    build
      .update(orderItems)
      .set({ status: "processing", paidAt: now, updatedAt: now })
      .where(and(eq(orderItems.orderId, order.id), stateIs(orderItems.status, ITEM.isUnpaid))),
    markSelfPaid(build.select({ id: orderItems.id }).from(orderItems).where(eq(orderItems.orderId, order.id))),
    ...startDeals(order, now),
    clearOrderedCart(order.id),
    payOffers(order.id, now),
    ...takeStock(order.id, now),
    ...closeCompetingOrders(order, now),
  ];
}

/** Tells the buyer that the order is paid, and the seller of each item. */
export async function tellPaid(
  services: Pick<PaymentServices, "db" | "now">,
  buyer: Party,
  order: Pick<Order, "id" | "amount">,
  receipt: string | null,
): Promise<Statement[]> {
  const now = services.now();
  const rows = await services.db
    .select({
      ...pick(orderItems, "id", "productName", "handover", "quantity", "subtotal", "sellerFee"),
      seller: partyJson(sql`${orderItems.sellerId}`).mapWith(readParty),
      taken: sql`${products.stock} <= ${orderItems.quantity}`.mapWith(Boolean),
      hasMeeting: asBoolean(sql`(${orders.meetingPlace} IS NOT NULL AND COALESCE(${orders.meetAt}, 0) > ${now})`),
    })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .innerJoin(products, eq(products.id, orderItems.productId))
    .where(eq(orderItems.orderId, order.id))
    .orderBy(orderItems.createdAt, orderItems.id);
  const items = rows.map(({ productName, handover }) => ({ name: productName, handover }));
  const fee = order.amount - rows.reduce((sum, { subtotal }) => sum + subtotal, 0);
  const data = { orderId: order.id, amount: order.amount, fee, receipt, items };
  return [
    ...notify(buyer, { kind: "payment_received", data }, `payment_received:${order.id}`, now),
    ...rows.flatMap(({ id, seller, ...sold }) =>
      notify(seller, { kind: "new_sale", data: { orderItemId: id, ...sold } }, `new_sale:${id}`, now),
    ),
  ];
}

/** A payment that we don't keep. It must be refunded. */
export interface OwedRefund {
  reason: RefundReason;
  /** The order that was paid instead of this one; null when there is none. */
  paidInstead: string | null;
}

/** Why an order whose payment is refunded is closed; null when the order itself is paid. */
export function closedReasonOf(reason: RefundReason): ClosedReason | null {
  return CLOSED_REASONS.find((closed) => closed === reason) ?? null;
}

/** Creates the refund, books it and tells the buyer, in the batch that settles the attempt. */
export function refundOrderPayment(
  services: PaymentServices,
  { attempt, order, buyer }: OrderPayment,
  { reason, paidInstead }: OwedRefund,
): Statement[] {
  const now = services.now();
  const data = { orderId: paidInstead ?? order.id, amount: attempt.amount, reason };
  const closedReason = closedReasonOf(reason);
  const refund = createRefund(
    { attemptId: attempt.id, orderId: attempt.orderId, orderItemId: null, amount: attempt.amount, reason },
    now,
  );
  return [
    refund.statement,
    ...bookTransaction({
      transactionId: `refund_due:${attempt.id}`,
      legs: refundDueLegs(attempt.amount),
      orderId: attempt.orderId,
      attemptId: attempt.id,
      refundId: refund.id,
      now,
    }),
    ...notify(buyer, { kind: "refund_due", data }, `refund_due:${attempt.id}`, now),
    ...(closedReason ? closeUnpaid(order, closedReason, paidInstead, now) : []),
    ...(reason === "listing_removed" ? countRemovedListings(order.id, attempt.phone) : []),
  ];
}

/** Closes an order whose payment is refunded, unless it was paid in the meantime. */
function closeUnpaid(order: Order, reason: ClosedReason, paidInstead: string | null, now: number): Statement[] {
  const unpaid = build
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.id, order.id), stateIs(orders.paymentStatus, PAYMENT.isUnpaid)));
  const closing = { closedReason: reason, ...(paidInstead !== null && { replacedBy: paidInstead }) };
  return closeOrders(unpaid, { ...closing, paymentStatus: "failed", paymentReview: null, paymentFailure: null }, now);
}

interface Unsettled {
  next: Attempt["state"];
  failure: PaymentFailure | null;
  checkoutRequestId: string | null;
}

/** Updates what the order shows while it isn't paid. Never overwrites another live attempt or a payment. */
export function unsettledOrder(
  services: PaymentServices,
  { attempt, order, buyer }: OrderPayment,
  { next, failure, checkoutRequestId }: Unsettled,
): Statement[] {
  const now = services.now();
  const status = unpaidStatus(next, failure);
  const { id, orderId, state, createdAt } = paymentAttempts;
  const isHeld = hasRow(paymentAttempts, and(eq(orderId, order.id), stateIs(state, ATTEMPT.isHeld)));
  const isLater = and(gt(createdAt, attempt.createdAt), stateIs(state, ATTEMPT.reachedPhone));
  const isAnotherAsked = hasRow(
    paymentAttempts,
    and(eq(orderId, order.id), ne(id, attempt.id), or(stateIs(state, ATTEMPT.isLive), isLater)),
  );
  return [
    build
      .update(orders)
      .set({
        // An earlier held payment stops the buyer from paying again, whatever happened to this one.
        paymentStatus: sql`CASE WHEN ${isHeld} THEN ${"processing" satisfies PaymentStatus} ELSE ${status} END`,
        paymentReview: sql`CASE WHEN ${isHeld} THEN ${"mismatch" satisfies PaymentReview} END`,
        paymentFailure: sql`CASE WHEN ${isHeld} THEN NULL ELSE ${failure} END`,
        checkoutRequestId,
        updatedAt: now,
      })
      .where(and(eq(orders.id, order.id), stateIs(orders.paymentStatus, PAYMENT.isUnpaid), not(isAnotherAsked))),
    ...(order.paymentStatus !== "completed" ? tellUnsettled(attempt, order, buyer, { next, failure, now }) : []),
  ];
}

function unpaidStatus(next: Attempt["state"], failure: PaymentFailure | null): PaymentStatus {
  if (ATTEMPT.isUnderWay(next)) return "processing";
  return failure === "abandoned" ? "pending" : "failed";
}

/**
 * Tells the payer of an order or a plan that our team checks the payment (`next` is held), or that they can pay again,
 * if they can (`canPay`). A payment may be held more than once, so the key names the time, too.
 */
export function tellChecked(
  payer: Party,
  { next, attemptId, canPay, now }: { next: Attempt["state"]; attemptId: string; canPay: SQL; now: number },
  data: PaidFor & { amount: number },
): Statement[] {
  const kind = next === "held" ? "payment_held" : "payment_dismissed";
  const key = `${kind}:${attemptId}:${now}`;
  const told = { kind, data } as const;
  if (kind === "payment_held") return notify(payer, told, key, now);
  const row = sql`SELECT ${payer.id} AS userId, ${key} AS key, ${JSON.stringify(data)} AS data,
    ${thingOf(told)} AS thing WHERE ${canPay}`;
  return notifyEach(kind, row, now);
}

/**
 * Tells the buyer, who may have closed the page, why a payment failed, that our team checks it, or how that ended. A
 * failure is told once for each attempt.
 */
function tellUnsettled(
  attempt: Attempt,
  order: Order,
  buyer: Party,
  { next, failure, now }: { next: Attempt["state"]; failure: PaymentFailure | null; now: number },
): Statement[] {
  const facts = { orderId: order.id, amount: attempt.amount };
  if (next === "held" || failure === "dismissed") {
    const isPayable = and(
      stateIs(orders.paymentStatus, PAYMENT.isPayable),
      stateIs(orders.orderStatus, ORDER.awaitsPayment),
    );
    const canPay = hasRow(orders, and(eq(orders.id, order.id), isPayable));
    return tellChecked(buyer, { next, attemptId: attempt.id, canPay, now }, facts);
  }
  if (!failure || failure === "abandoned" || next === "refused") return [];
  return notify(buyer, { kind: "payment_failed", data: { ...facts, failure } }, `payment_failed:${attempt.id}`, now);
}
