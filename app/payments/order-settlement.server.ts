/** How a payment changes its order: statements for the batch that settles the attempt. */
import { and, eq, sql } from "drizzle-orm";
import type { Mail } from "#app/platform/mailer.ts";
import { expectOneChange, type Statement } from "#app/db/batch.ts";
import { queueEffect } from "#app/db/outbox.ts";
import { orders, type paymentAttempts } from "#app/db/schema.ts";
import type { RefundReason } from "#app/db/states/refund.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import {
  CLOSED_REASONS,
  type ClosedReason,
  type OrderStatus,
  PAYMENT,
  type PaymentFailure,
  type PaymentReview,
  type PaymentStatus,
} from "#app/db/states/order.ts";
import { payOffers, takeStock, undeliverable } from "#app/orders/availability.server.ts";
import { startDeals } from "#app/orders/deal-records.server.ts";
import { clearOrderedCart } from "#app/orders/place-order.server.ts";
import { closeCompetingOrders, paidReplacement } from "#app/orders/replaced-orders.server.ts";
import { bookCharge, bookTransaction } from "./ledger.server.ts";
import { FAILURE_TEXTS } from "./payment-texts.ts";
import { refundDueLegs } from "./ledger-rules.ts";
import type { PaymentServices } from "./payment-services.ts";
import { createRefund } from "./refunds.server.ts";

type Attempt = typeof paymentAttempts.$inferSelect;
type Order = typeof orders.$inferSelect;

interface OrderPayment {
  attempt: Attempt;
  order: Order;
  buyer: { email: string; name: string } | null;
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
    services.db
      .update(orders)
      .set({
        paymentStatus: "completed",
        orderStatus: "processing",
        mpesaReceipt: receipt,
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
          sql`${stateIs("payment_status", PAYMENT.isUnpaid)} AND NOT EXISTS ${paidReplacement(order)} AND ${undeliverable(order.id)} IS NULL`,
        ),
      ),
    expectOneChange(),
    ...paidOrderEffects(services, order),
    ...bookCharge({ orderId: order.id, attemptId: attempt.id, now }),
    ...(buyer ? [queueBuyerMail(order, buyer, receipt, now)] : []),
    ...(await sellerMails(services, order.id)),
  ];
}

/** What follows when an order is paid or, if it is free, confirmed. Aborts the batch if there are too few pieces. */
export function paidOrderEffects(
  services: Pick<PaymentServices, "now">,
  order: { id: string; userId: string },
): Statement[] {
  const now = services.now();
  return [
    sql`UPDATE order_items SET status = ${"processing" satisfies ItemStatus}, paid_at = ${now}, updated_at = ${now} WHERE order_id = ${order.id} AND ${stateIs("status", ITEM.isUnpaid)}`,
    ...startDeals(order, now),
    clearOrderedCart(order.id),
    payOffers(order.id, now),
    ...takeStock(order.id, now),
    ...closeCompetingOrders(order, now),
  ];
}

function queueBuyerMail(
  order: Order,
  buyer: { email: string; name: string },
  receipt: string | null,
  now: number,
): Statement {
  const mail: Mail = {
    to: buyer.email,
    template: "payment_received",
    data: { name: buyer.name, orderId: order.id, amount: order.amount, receipt },
  };
  return queueEffect("mail", `payment_received:${order.id}`, mail, now);
}

/** One email for each item, to its seller. */
export async function sellerMails(
  services: Pick<PaymentServices, "db" | "now">,
  orderId: string,
): Promise<Statement[]> {
  const now = services.now();
  const rows = await services.db.all<{
    id: string;
    name: string;
    quantity: number;
    subtotal: number;
    email: string;
    seller: string | null;
    soldOut: number;
    hasMeeting: number;
  }>(
    sql`SELECT i.id, i.product_name AS name, i.quantity, i.subtotal, c.email, p.full_name AS seller, l.stock <= i.quantity AS soldOut,
        o.meeting_place IS NOT NULL AND o.meet_at > ${now} AS hasMeeting
      FROM order_items i JOIN orders o ON o.id = i.order_id JOIN products l ON l.id = i.product_id JOIN credentials c ON c.id = i.seller_id LEFT JOIN profiles p ON p.id = i.seller_id WHERE i.order_id = ${orderId}`,
  );
  return rows.map((row) => {
    const mail: Mail = {
      to: row.email,
      template: "new_sale",
      data: {
        name: row.seller || "there",
        orderItemId: row.id,
        productName: row.name,
        quantity: row.quantity,
        subtotal: row.subtotal,
        taken: row.soldOut === 1,
        hasMeeting: row.hasMeeting === 1,
      },
    };
    return queueEffect("mail", `new_sale:${row.id}`, mail, now);
  });
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
  const mail: Mail | null = buyer && {
    to: buyer.email,
    template: "refund_due",
    data: {
      name: buyer.name,
      orderId: paidInstead ?? order.id,
      amount: attempt.amount,
      reason,
    },
  };
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
    ...(mail ? [queueEffect("mail", `refund_due:${attempt.id}`, mail, now)] : []),
    ...(closedReason ? closeUnpaid(order, closedReason, paidInstead, now) : []),
    ...(reason === "listing_removed" ? countRemoved(attempt) : []),
  ];
}

/**
 * A seller who deletes a listing while somebody pays for it has cancelled that sale, and their record says so. What our team
 * took down, what was free and what a seller paid for themselves doesn't count. A buyer counts once, as in every record.
 */
function countRemoved({ orderId, phone }: Attempt): Statement[] {
  const removed = sql`order_items i JOIN orders o ON o.id = i.order_id JOIN products p ON p.id = i.product_id
    WHERE i.order_id = ${orderId} AND i.subtotal > 0 AND p.deleted_at IS NOT NULL AND p.suspended_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM profiles s WHERE s.id = i.seller_id AND s.phone = ${phone})`;
  return [
    sql`INSERT INTO seller_buyers (seller_id, buyer_id, phone) SELECT i.seller_id, o.user_id, ${phone} FROM ${removed} ON CONFLICT DO NOTHING`,
    sql`UPDATE seller_buyers SET cancelled = 1 WHERE cancelled = 0 AND (buyer_id = ${sql`(SELECT user_id FROM orders WHERE id = ${orderId})`} OR phone = ${phone})
      AND seller_id IN (SELECT i.seller_id FROM ${removed})`,
  ];
}

/** Closes an order whose payment is refunded, unless it was paid in the meantime. */
function closeUnpaid(order: Order, reason: ClosedReason, paidInstead: string | null, now: number): Statement[] {
  return [
    sql`UPDATE orders SET payment_status = ${"failed" satisfies PaymentStatus}, payment_review = NULL, payment_failure = NULL, order_status = ${"expired" satisfies OrderStatus}, closed_reason = ${reason}, replaced_by = COALESCE(${paidInstead}, replaced_by), updated_at = ${now}
      WHERE id = ${order.id} AND ${stateIs("payment_status", PAYMENT.isUnpaid)}`,
    sql`UPDATE order_items SET status = ${"expired" satisfies ItemStatus}, updated_at = ${now} WHERE order_id = ${order.id} AND ${stateIs("status", ITEM.awaitsPayment)}`,
  ];
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
  return [
    // An earlier held payment stops the buyer from paying again, whatever happened to this one.
    sql`UPDATE orders SET (payment_status, payment_review, payment_failure) = (
        SELECT CASE WHEN held THEN ${"processing" satisfies PaymentStatus} ELSE ${status} END, CASE WHEN held THEN ${"mismatch" satisfies PaymentReview} END,
          CASE WHEN held THEN NULL ELSE ${failure} END
        FROM (SELECT EXISTS (SELECT 1 FROM payment_attempts h WHERE h.order_id = ${attempt.orderId} AND ${stateIs("h.state", ATTEMPT.isHeld)}) AS held)
      ), checkout_request_id = ${checkoutRequestId}, updated_at = ${now}
      WHERE id = ${attempt.orderId} AND ${stateIs("payment_status", PAYMENT.isUnpaid)} AND NOT EXISTS (
        SELECT 1 FROM payment_attempts other WHERE other.order_id = ${attempt.orderId} AND other.id <> ${attempt.id}
          AND (${stateIs("other.state", ATTEMPT.isLive)} OR (other.created_at > ${attempt.createdAt} AND ${stateIs("other.state", ATTEMPT.reachedPhone)})))`,
    ...(buyer && order.paymentStatus !== "completed"
      ? unsettledMail(attempt, order, buyer, { next, failure, now })
      : []),
  ];
}

function unpaidStatus(next: Attempt["state"], failure: PaymentFailure | null): PaymentStatus {
  if (ATTEMPT.isUnderWay(next)) return "processing";
  return failure === "abandoned" ? "pending" : "failed";
}

/** Emails the buyer, who may have closed the page, why a payment failed or that our team checks it. One email for each attempt. */
function unsettledMail(
  attempt: Attempt,
  order: Order,
  buyer: { email: string; name: string },
  { next, failure, now }: { next: Attempt["state"]; failure: PaymentFailure | null; now: number },
): Statement[] {
  const facts = { name: buyer.name, orderId: order.id, amount: attempt.amount };
  if (next === "held")
    return [
      queueEffect(
        "mail",
        `payment_held:${attempt.id}`,
        { to: buyer.email, template: "payment_held", data: facts } satisfies Mail,
        now,
      ),
    ];
  if (!failure || failure === "abandoned" || next === "refused") return [];
  const mail: Mail = {
    to: buyer.email,
    template: "payment_failed",
    data: { ...facts, reason: FAILURE_TEXTS[failure] },
  };
  return [queueEffect("mail", `payment_failed:${attempt.id}`, mail, now)];
}
