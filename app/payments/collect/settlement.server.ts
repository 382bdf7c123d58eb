import { afterReservationsChanged } from "#app/catalogue/stock/stock-effects.server.ts";
import { and, eq, isNull, sql } from "drizzle-orm";
import { partyJson, readParty } from "#app/accounts/party.server.ts";
import type { Party } from "#app/notifications/recipient-rules.ts";
import { notifyWaitingList } from "#app/catalogue/stock/stock-waits.server.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import {
  PreconditionFailed,
  type Statement,
  UniqueViolation,
  expectOneChange,
  retryOnConflict,
  write,
} from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { orders } from "#app/orders/tables.server.ts";
import { paymentAttempts } from "#app/payments/tables.server.ts";
import { profiles, shops } from "#app/accounts/tables.server.ts";
import { subscriptions } from "#app/shops/tables.server.ts";
import { orderedListings, isShort, undeliverable } from "#app/payments/collect/availability.server.ts";
import { paidReplacement } from "#app/orders/replaced-orders.server.ts";
import {
  type DiscrepancyKind,
  raiseDiscrepancy,
  recordDiscrepancy,
  resolveDiscrepancies,
  resolveStops,
  runRaising,
} from "#app/payments/books/discrepancies.server.ts";
import { answerText, type FailureReason } from "#app/payments/gateway.ts";
import type { PaymentFailure } from "#app/db/states/order.ts";
import { firstOrderPayment, type OwedRefund, refundOrderPayment, unsettledOrder } from "./order-settlement.server.ts";
import { announceMove } from "./payment-notices.server.ts";
import { refundReasonText } from "#app/payments/payment-texts.ts";
import { nextAttemptState } from "./attempt-rules.ts";
import { firstPlanPayment, type PlanBeingPaid, refundPlanPayment, tellPlanChecked } from "./plan-settlement.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";

/** New information about an attempt. */
export type AttemptReport =
  | { event: "accepted"; checkoutRequestId: string; merchantRequestId: string }
  /** `checkoutRequestId`: where it is known, so that a failure that turns out to be paid can still be asked about. */
  | {
      event: "refused" | "declined";
      code: string;
      message: string;
      reason: FailureReason;
      checkoutRequestId?: string | null;
    }
  | { event: "lost"; code: string; message: string }
  /** The amount and ids were already compared with the attempt. `checkoutRequestId`: null when it is unknown. */
  | { event: "paid"; receipt: string; paidAt: number | null; checkoutRequestId: string | null }
  | { event: "confirmed" }
  /** `receipt`: as reported, if it isn't another payment's. Whoever refunds the money needs it. */
  | { event: "mismatched"; detail: string; receipt?: string | null }
  | { event: "timed_out" }
  | { event: "abandoned" }
  | { event: "dismissed" };

/** The result of an event: it changed the attempt, or there was nothing (more) to do. */
export type Applied = "applied" | "unchanged" | "unknown_attempt";

type Attempt = typeof paymentAttempts.$inferSelect;
type Order = typeof orders.$inferSelect;

const MAX_TRIES = 6;

/**
 * Applies `report` to an attempt, with everything that follows (order, items, ledger, cart, email), in one guarded
 * batch. Safe to call twice, at once, and in any order: the second call finds the changed state and reads again.
 * `together`: statements of the same batch, written only where the report changes the attempt's state.
 * @throws PreconditionFailed when a guard in `together` refuses each time
 */
export function applyAttemptEvent(
  services: PaymentServices,
  attemptId: string,
  report: AttemptReport,
  together: readonly Statement[] = [],
): Promise<Applied> {
  return retryOnConflict(MAX_TRIES, async () => {
    const found = await readAttempt(services, attemptId);
    if (!found) return "unknown_attempt";
    try {
      return await applyOnce(services, found, report, together);
    } catch (error) {
      if (error instanceof UniqueViolation && error.columns.includes("payment_attempts.receipt")) {
        if (report.event === "paid") return applyAttemptEvent(services, attemptId, receiptUsed(report.receipt));
        if (report.event === "mismatched") return applyAttemptEvent(services, attemptId, { ...report, receipt: null });
      }
      throw error;
    }
  }, [PreconditionFailed, UniqueViolation]);
}

/** The event for a reported payment whose receipt belongs to another payment. */
export function receiptUsed(receipt: string): AttemptReport {
  return { event: "mismatched", detail: `receipt ${receipt} was seen on another payment`, receipt: null };
}

interface Found {
  attempt: Attempt;
  /** What the attempt pays for: one of the two. */
  order: Order | null;
  plan: PlanBeingPaid | null;
  buyer: Party;
  /** The order that was paid instead of this one; null when there is none. */
  paidInstead: string | null;
  /** 1: there are too few pieces for the order, because others have bought or reserved them. */
  hasTooFew: number;
  /** Why the order or the plan can't be fulfilled any more; null when it can. */
  gone: "account_closed" | "listing_removed" | null;
}

async function readAttempt(services: PaymentServices, attemptId: string): Promise<Found | null> {
  const [row] = await services.db
    .select({
      attempt: paymentAttempts,
      order: orders,
      subscription: subscriptions,
      proUntil: profiles.proUntil,
      featuredUntil: shops.featuredUntil,
      buyer: partyJson(sql`${paymentAttempts.userId}`).mapWith(readParty),
      paidInstead: sql<string | null>`${paidReplacement({ id: sql`${orders.id}`, userId: sql`${orders.userId}` })}`,
      hasTooFew: sql<number>`${isShort(sql`${orders.id}`)}`,
      gone: undeliverable(sql`${orders.id}`),
    })
    .from(paymentAttempts)
    .leftJoin(orders, eq(orders.id, paymentAttempts.orderId))
    .leftJoin(subscriptions, eq(subscriptions.id, paymentAttempts.subscriptionId))
    .leftJoin(shops, eq(shops.id, paymentAttempts.userId))
    .leftJoin(profiles, eq(profiles.id, paymentAttempts.userId))
    .where(eq(paymentAttempts.id, attemptId));
  if (!row) return null;
  const { attempt, order, subscription, proUntil, featuredUntil, buyer, paidInstead } = row;
  return {
    attempt,
    order,
    plan: subscription && { ...subscription, ownerName: buyer.name, proUntil, featuredUntil },
    buyer,
    paidInstead,
    hasTooFew: row.hasTooFew,
    gone: row.gone ?? (buyer.isClosed ? "account_closed" : null),
  };
}

async function applyOnce(
  services: PaymentServices,
  found: Found,
  reported: AttemptReport,
  together: readonly Statement[],
): Promise<Applied> {
  const { attempt } = found;
  const report = contradiction(attempt, reported) ?? reported;
  // M-Pesa has reported a payment, and a query is about to confirm it. Until then no other phone may get a prompt.
  if (report.event === "abandoned" && attempt.resultCode === "0") return "unchanged";
  const next = nextAttemptState(attempt.state, report.event);
  if (next === null) return fillIn(services, attempt, report);

  const refund = next === "succeeded" ? owedRefund(found) : null;
  const statements = [
    ...moveAttempt(services, attempt, next, report),
    ...together,
    ...attention(services, attempt, next, report),
    ...(refund !== null && refund.reason === found.gone
      ? raiseDiscrepancy("payment_for_closed_deal", attempt.id, refundReasonText(refund.reason, null), services.now())
      : []),
    ...(await consequences(services, found, { next, refund, report })),
  ];
  await runRaising(services, statements);

  services.log({ event: "attempt_moved", attemptId: attempt.id, from: attempt.state, to: next, by: report.event });
  if (refund)
    services.log({ event: "refund_owed", attemptId: attempt.id, orderId: attempt.orderId, reason: refund.reason });
  const failure = isAbandoned(attempt) ? null : failureOf(next, report);
  await announceMove(services, found, { next, refund, failure });
  if (!ATTEMPT.isUnderWay(next)) await tryToNotifyWaitingList(services);
  return "applied";
}

/** Tells those who wait for what the payment had reserved. If that fails, the job of every minute tells them. */
async function tryToNotifyWaitingList(services: PaymentServices): Promise<void> {
  try {
    await notifyWaitingList(services);
  } catch (error) {
    services.log({ event: "tell_waiting_failed", level: "error", error: String(error) });
  }
}

/** After a success without proof, a failure or silence contradicts it. A person must check, so the payment is held. */
function contradiction(attempt: Attempt, report: AttemptReport): AttemptReport | null {
  if (attempt.resultCode !== "0" || attempt.state === "succeeded") return null;
  if (report.event === "declined")
    return {
      event: "mismatched",
      detail: `M-Pesa reported success, and then the failure ${report.code}`,
      receipt: attempt.receipt,
    };
  if (report.event === "timed_out")
    return {
      event: "mismatched",
      detail: "M-Pesa reported success, and no query has confirmed it",
      receipt: attempt.receipt,
    };
  return null;
}

/** How the attempt's change affects its order or plan. */
async function consequences(
  services: PaymentServices,
  { attempt, order, plan, buyer }: Found,
  { next, refund, report }: { next: Attempt["state"]; refund: OwedRefund | null; report: AttemptReport },
): Promise<Statement[]> {
  const now = services.now();
  const { receipt, paidAt } = report.event === "paid" ? report : { receipt: attempt.receipt, paidAt: null };
  if (plan) {
    // While the plan is unpaid, its page reads the attempt itself.
    const isChecked = next === "held" || report.event === "dismissed";
    if (next !== "succeeded") return isChecked ? tellPlanChecked(plan, { attempt, buyer, now }, next) : [];
    return refund
      ? refundPlanPayment(plan, { attempt, buyer, now, reason: refund.reason })
      : firstPlanPayment(plan, { attempt, buyer, receipt, now });
  }
  if (!order) throw new Error(`attempt ${attempt.id} has no order`);
  const payment = { attempt, order, buyer };
  if (next === "succeeded")
    return refund
      ? refundOrderPayment(services, payment, refund)
      : firstOrderPayment(services, payment, { receipt, paidAt });
  if (isAbandoned(attempt) && next === "failed") return [];
  const checkoutRequestId = report.event === "accepted" ? report.checkoutRequestId : attempt.checkoutRequestId;
  return unsettledOrder(services, payment, { next, failure: failureOf(next, report), checkoutRequestId });
}

/** The buyer has chosen another phone. That this one declines now says nothing about the order. */
function isAbandoned({ state, failureReason }: Attempt): boolean {
  return ATTEMPT.isExpired(state) && failureReason === "abandoned";
}

/** What our team is told about a failure that no buyer can fix; null where a buyer can, or where it passes. */
const OUR_FAULTS: Record<FailureReason, DiscrepancyKind | null> = {
  our_configuration: "push_configuration",
  provider_blocked: "push_configuration",
  our_limit: "push_limit",
  // Payments don't touch our float.
  our_float: null,
  cancelled: null,
  wrong_pin: null,
  insufficient_funds: null,
  no_answer: null,
  expired: null,
  pin_locked: null,
  payer_limit: null,
  amount_limit: null,
  duplicate_request: null,
  payer_busy: null,
  invalid_phone: null,
  not_registered: null,
  receiver_limit: null,
  account_inactive: null,
  provider_busy: null,
  other: null,
};

/** Raises the discrepancies of the change, and resolves those that it has answered. */
function attention(
  services: PaymentServices,
  attempt: Attempt,
  next: Attempt["state"],
  report: AttemptReport,
): Statement[] {
  const now = services.now();
  const statements: Statement[] = [];
  if (next === "held")
    statements.push(
      ...raiseDiscrepancy("payment_mismatch", attempt.id, "detail" in report ? report.detail : "", now),
      resolveDiscrepancies(["payment_in_doubt"], attempt.id, "held for a decision", now),
    );
  if (next === "succeeded")
    statements.push(
      resolveDiscrepancies(["payment_in_doubt"], attempt.id, "paid after all", now),
      resolveStops("payment", attempt.createdAt, now),
    );
  if (next === "failed") statements.push(resolveDiscrepancies(["payment_in_doubt"], attempt.id, "not paid", now));
  // Raised once for all payments, because every other one fails for the same reason.
  const ours = "reason" in report ? OUR_FAULTS[report.reason] : null;
  if (ours && "reason" in report) statements.push(...raiseDiscrepancy(ours, report.code, report.message, now));
  return statements;
}

/**
 * The refund that a payment leads to; null when the payment is kept, because it is the first one for something that is
 * still available.
 */
function owedRefund({ order, plan, paidInstead, hasTooFew, gone }: Found): OwedRefund | null {
  if (order?.paymentStatus === "completed") return { reason: "order_already_paid", paidInstead };
  if (paidInstead !== null) return { reason: "paid_in_another_order", paidInstead };
  if (gone !== null) return { reason: gone, paidInstead: null };
  if (plan) return plan.status === "pending_payment" ? null : { reason: "plan_already_paid", paidInstead: null };
  return hasTooFew === 1 ? { reason: "sold_to_someone_else", paidInstead: null } : null;
}

/**
 * Updates the attempt's own row, and releases what it has reserved once it is no longer under way. Aborts the batch if
 * its state or its order's payment changed since it was read.
 */
function moveAttempt(
  services: PaymentServices,
  attempt: Attempt,
  next: Attempt["state"],
  report: AttemptReport,
): Statement[] {
  const now = services.now();
  const settled = next !== "pushed" && next !== "unknown";
  const isReleased = attempt.reservesStock && !ATTEMPT.isUnderWay(next);
  return [
    build
      .update(paymentAttempts)
      .set({
        state: next,
        ...(isReleased && { reservesStock: false }),
        ...detailsOf(report, attempt, now),
        // A settled attempt isn't queried any more, except a failure that may still turn out paid, and a success to
        // confirm.
        ...(next === "refused" || next === "held" ? { nextQueryAt: null } : {}),
        ...(report.event === "paid" ? { nextQueryAt: attempt.confirmedAt ? null : now } : {}),
        ...(report.event === "confirmed" ? { nextQueryAt: null } : {}),
        ...(next === "failed" && !("reason" in report && report.reason === "no_answer") ? { nextQueryAt: null } : {}),
        ...(settled ? { settledAt: now } : {}),
        updatedAt: now,
      })
      .where(and(eq(paymentAttempts.id, attempt.id), eq(paymentAttempts.state, attempt.state))),
    expectOneChange(),
    ...(isReleased && attempt.orderId !== null ? afterReservationsChanged(orderedListings(attempt.orderId), now) : []),
  ];
}

function detailsOf(report: AttemptReport, attempt: Attempt, now: number): Partial<Attempt> {
  // Writing the same id again would write its index again.
  const newRequest =
    "checkoutRequestId" in report && report.checkoutRequestId && report.checkoutRequestId !== attempt.checkoutRequestId
      ? { checkoutRequestId: report.checkoutRequestId }
      : {};
  switch (report.event) {
    case "accepted":
      return { ...newRequest, merchantRequestId: report.merchantRequestId };
    case "paid":
      return {
        receipt: report.receipt,
        ...newRequest,
        resultCode: "0",
        failureReason: null,
      };
    case "confirmed":
      return { confirmedAt: now, resultCode: "0", failureReason: null };
    case "declined":
      return {
        ...newRequest,
        resultCode: report.code,
        resultDesc: report.message.slice(0, 300),
        failureReason: report.reason,
      };
    case "refused":
      return { resultDesc: answerText(report), failureReason: report.reason };
    case "lost":
      return { resultDesc: answerText(report) };
    case "mismatched":
      return { resultDesc: report.detail.slice(0, 300), ...(report.receipt && { receipt: report.receipt }) };
    case "timed_out":
      return { failureReason: "expired" };
    case "abandoned":
      return { failureReason: "abandoned" };
    case "dismissed":
      return { resultCode: null, failureReason: "dismissed" };
  }
}

/** The state stays, but the report may add what was missing: a receipt after a query, or an id after a callback. */
async function fillIn(services: PaymentServices, attempt: Attempt, report: AttemptReport): Promise<Applied> {
  const now = services.now();
  if (attempt.state === "succeeded" && report.event === "confirmed" && attempt.confirmedAt === null) {
    await write(services.db, [
      build
        .update(paymentAttempts)
        .set({ confirmedAt: now, nextQueryAt: null, updatedAt: now })
        .where(and(eq(paymentAttempts.id, attempt.id), isNull(paymentAttempts.confirmedAt))),
      resolveDiscrepancies(["payment_unconfirmed"], attempt.id, "confirmed", now),
    ]);
    return "applied";
  }
  if (attempt.state === "succeeded" && report.event === "paid" && attempt.receipt === null) {
    await write(services.db, [
      build
        .update(paymentAttempts)
        .set({ receipt: report.receipt, updatedAt: now })
        .where(and(eq(paymentAttempts.id, attempt.id), isNull(paymentAttempts.receipt))),
      expectOneChange(),
      build
        .update(orders)
        .set({
          receipt: report.receipt,
          ...(report.paidAt !== null && { paymentDate: report.paidAt }),
          updatedAt: now,
        })
        .where(and(eq(orders.id, attempt.orderId ?? ""), isNull(orders.receipt))),
      // What was in doubt is a receipt that an admin had entered.
      resolveDiscrepancies(["payment_in_doubt"], attempt.id, "its receipt came", now),
    ]);
    return "applied";
  }
  if (report.event === "accepted" && attempt.checkoutRequestId === null) {
    await write(services.db, [
      build
        .update(paymentAttempts)
        .set({
          checkoutRequestId: report.checkoutRequestId,
          merchantRequestId: report.merchantRequestId,
          updatedAt: now,
        })
        .where(and(eq(paymentAttempts.id, attempt.id), isNull(paymentAttempts.checkoutRequestId))),
    ]);
    return "applied";
  }
  // A query, which knows neither amount nor receipt, had settled it. Now they don't match.
  if (attempt.state === "succeeded" && report.event === "mismatched")
    await recordDiscrepancy(services, "payment_mismatch", attempt.id, report.detail);
  if (
    attempt.state === "succeeded" &&
    report.event === "paid" &&
    attempt.receipt !== null &&
    attempt.receipt !== report.receipt
  ) {
    await recordDiscrepancy(
      services,
      "payment_mismatch",
      attempt.id,
      `paid as ${attempt.receipt}, and again as ${report.receipt}`,
    );
  }
  if (attempt.state === "succeeded" && report.event === "declined") {
    await recordDiscrepancy(
      services,
      "declined_after_success",
      attempt.id,
      `code ${report.code} after the payment had settled`,
    );
  }
  return "unchanged";
}

/** Why the payment failed, for its payer; null in a state that isn't a failure. */
function failureOf(next: Attempt["state"], report: AttemptReport): PaymentFailure | null {
  if (report.event === "abandoned") return "abandoned";
  if (next === "expired") return "no_result";
  if (next === "failed" && report.event === "dismissed") return "dismissed";
  return "reason" in report ? report.reason : null;
}
