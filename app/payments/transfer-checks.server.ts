/** A payout or refund that an admin sent by hand counts only after M-Pesa has confirmed its receipt (docs/operating.md). */
import { eq, type SQL, sql } from "drizzle-orm";
import { expectOneChange, PreconditionFailed, type Statement } from "#app/db/batch.ts";
import { queueEffect } from "#app/db/outbox.ts";
import { paymentAttempts, refunds, transferChecks } from "#app/db/schema.ts";
import type { CallbackOutcome } from "#app/db/states/callback.ts";
import type { PayoutReason, PayoutState } from "#app/db/states/payout.ts";
import type { RefundWaitReason } from "#app/db/states/refund.ts";
import type { Mail } from "#app/platform/mailer.ts";
import { raiseDiscrepancy, resolveDiscrepancies, runRaising } from "./discrepancies.server.ts";
import type { ReceiptReport } from "./gateway.ts";
import { bookPayout } from "./item-money.server.ts";
import { newCallbackToken, type PaymentServices } from "./payment-services.ts";
import { isReservedPayout, nextPayoutState } from "./payout-rules.ts";
import { comparePhone } from "./receipt-rules.ts";
import { isReservedRefund, nextRefundState, refundMethod } from "./refund-rules.ts";
import { doneStatements } from "./refunds.server.ts";

type Check = typeof transferChecks.$inferSelect;

/** What an admin sent by hand. */
export type Transfer = { payoutId: string } | { refundId: string };

/** The id of a payout or refund. */
export function idOf(transfer: Transfer): string {
  return "payoutId" in transfer ? transfer.payoutId : transfer.refundId;
}

/** SQL: the number that must have got the money, as a column. */
function phoneOf(transfer: Transfer): SQL {
  return "payoutId" in transfer
    ? sql`SELECT COALESCE(y.phone, p.phone) AS phone FROM payouts y LEFT JOIN profiles p ON p.id = y.seller_id WHERE y.id = ${transfer.payoutId}`
    : sql`SELECT COALESCE(f.phone, a.phone) AS phone FROM refunds f JOIN payment_attempts a ON a.id = f.attempt_id WHERE f.id = ${transfer.refundId}`;
}

/** SQL: we know no number that should get the money, because the account is deleted. So M-Pesa's answer can't prove who got it. */
export function hasNoPhone(transfer: Transfer): SQL {
  return sql`(SELECT COALESCE(phone, '') = '' FROM (${phoneOf(transfer)}))`;
}

/** Opens a check in place of one of another receipt that M-Pesa hasn't answered. Write the statements in the batch of the admin's action, then call `askAboutReceipt`. */
export function openTransferCheck(
  { transfer, receipt, askedBy }: { transfer: Transfer; receipt: string; askedBy: string },
  now: number,
): { token: string; statements: Statement[] } {
  const token = newCallbackToken();
  const [payoutId, refundId] = "payoutId" in transfer ? [transfer.payoutId, null] : [null, transfer.refundId];
  return {
    token,
    statements: [
      dismissTransferChecks(transfer, receipt),
      sql`INSERT INTO transfer_checks (id, payout_id, refund_id, receipt, phone, token, asked_by, state, created_at)
        SELECT ${crypto.randomUUID()}, ${payoutId}, ${refundId}, ${receipt}, phone, ${token}, ${askedBy}, 'asked', ${now} FROM (${phoneOf(transfer)})`,
    ],
  };
}

/** Ends the open checks of a transfer, except those of a receipt, so that a late answer doesn't book it. */
export function dismissTransferChecks(transfer: Transfer, exceptReceipt = ""): Statement {
  const own = "payoutId" in transfer ? sql`payout_id = ${transfer.payoutId}` : sql`refund_id = ${transfer.refundId}`;
  return sql`UPDATE transfer_checks SET state = 'dismissed' WHERE ${own} AND state = 'asked' AND receipt <> ${exceptReceipt}`;
}

/**
 * Applies M-Pesa's answer about the receipt of a transfer: it is booked and its owner told, or admins read what doesn't match.
 * They also read it where it was taken back, or sent by M-Pesa, before the answer. Null when no check has this token.
 */
export async function applyTransferCheck(
  services: PaymentServices,
  token: string,
  body: string,
): Promise<CallbackOutcome | null> {
  const [check] = await services.db.select().from(transferChecks).where(eq(transferChecks.token, token));
  if (!check) return null;
  const report = services.gateway.readReceiptLookup(body);
  if (!report) return "unreadable";
  if (check.answeredAt !== null) return "unchanged";
  const booking = check.payoutId ? await bookingOfPayout(services, check) : await bookingOfRefund(services, check);
  const fault = await transferFault(report, { receipt: check.receipt, amount: booking.amount, phone: check.phone });
  if (fault !== null) {
    const doubt = `M-Pesa does not confirm receipt ${check.receipt}: ${fault}`;
    const isOpen = check.state === "asked";
    const raised = isOpen ? raiseDiscrepancy(booking.doubtKind, booking.id, doubt, services.now()) : [];
    await conclude(services, check, { state: isOpen ? "rejected" : "dismissed", detail: doubt }, raised);
    return "receipt_rejected";
  }
  if (booking.isBooked) {
    await conclude(services, check, { state: "confirmed", detail: null }, []);
    return "unchanged";
  }
  if (booking.statements === null || check.state === "dismissed") {
    const twice = `M-Pesa confirms that it was sent by hand as ${check.receipt}, but it is not waiting for that receipt any more`;
    await conclude(
      services,
      check,
      { state: "dismissed", detail: twice },
      raiseDiscrepancy(booking.twiceKind, booking.id, twice, services.now()),
    );
    return "receipt_rejected";
  }
  await conclude(services, check, { state: "confirmed", detail: null }, booking.statements);
  return "receipt_confirmed";
}

/** What a confirmed receipt changes. */
interface Booking {
  id: string;
  /** KES. */
  amount: number;
  /** An earlier answer about this receipt has booked it. */
  isBooked: boolean;
  /** Null when the transfer isn't waiting for a receipt any more. */
  statements: Statement[] | null;
  doubtKind: "payout_in_doubt" | "refund_in_doubt";
  twiceKind: "payout_paid_twice" | "refund_paid_twice";
}

const BY_HAND = "sending_by_hand" satisfies PayoutReason & RefundWaitReason;

async function bookingOfPayout(services: PaymentServices, { payoutId, receipt }: Check): Promise<Booking> {
  const id = payoutId ?? "";
  const [payout] = await services.db.all<{
    state: PayoutState;
    receipt: string | null;
    reasonCode: PayoutReason | null;
    amount: number;
    orderItemId: string;
    items: number;
    email: string;
    name: string | null;
  }>(
    sql`SELECT y.state, y.transaction_id AS receipt, y.reason_code AS reasonCode, y.amount, y.order_item_id AS orderItemId, (SELECT COUNT(*) FROM payout_items WHERE payout_id = y.id) AS items, c.email, p.full_name AS name
      FROM payouts y JOIN credentials c ON c.id = y.seller_id LEFT JOIN profiles p ON p.id = c.id WHERE y.id = ${id}`,
  );
  if (!payout) throw new Error(`payout ${id} is gone`);
  const now = services.now();
  const { amount, orderItemId, items } = payout;
  const mail: Mail = {
    to: payout.email,
    template: "payout_sent",
    data: { name: payout.name || "there", orderItemId, items, amount, transactionId: receipt },
  };
  return {
    id,
    amount,
    isBooked: payout.receipt === receipt,
    doubtKind: "payout_in_doubt",
    twiceKind: "payout_paid_twice",
    statements: isReservedPayout(payout)
      ? [
          sql`UPDATE payouts SET state = ${nextPayoutState(payout.state, "paid")}, transaction_id = ${receipt}, reason_code = NULL, reason = NULL, next_action_at = NULL, settled_at = ${now}, updated_at = ${now}
            WHERE id = ${id} AND state = ${payout.state} AND reason_code = ${BY_HAND} AND amount = ${amount}`,
          expectOneChange(),
          ...bookPayout(id, now),
          queueEffect("mail", `payout_sent:${id}`, mail, now),
          resolveDiscrepancies(["payout_parked", "payout_in_doubt"], id, "paid manually", now),
        ]
      : null,
  };
}

async function bookingOfRefund(services: PaymentServices, { refundId, receipt, askedBy }: Check): Promise<Booking> {
  const id = refundId ?? "";
  const [found] = await services.db
    .select({ refund: refunds, payment: { amount: paymentAttempts.amount, receipt: paymentAttempts.receipt } })
    .from(refunds)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, refunds.attemptId))
    .where(eq(refunds.id, id));
  if (!found) throw new Error(`refund ${id} is gone`);
  const { refund, payment } = found;
  const now = services.now();
  const method = refund.method ?? refundMethod(refund.amount, payment);
  return {
    id,
    amount: refund.amount,
    isBooked: refund.receipt === receipt,
    doubtKind: "refund_in_doubt",
    twiceKind: "refund_paid_twice",
    statements: isReservedRefund(refund)
      ? [
          sql`UPDATE refunds SET state = ${nextRefundState(refund.state, "done")}, method = ${method}, receipt = ${receipt}, wait_reason = NULL, wait_detail = NULL, next_action_at = NULL,
              done_by = ${askedBy}, done_at = ${now}, updated_at = ${now}
            WHERE id = ${id} AND state = ${refund.state} AND wait_reason = ${BY_HAND}`,
          expectOneChange(),
          ...(await doneStatements(services, refund, { receipt, method, now })),
        ]
      : null,
  };
}

/** Why a report doesn't prove that we sent `amount` (KES) to `phone` under `receipt`; null when it does. */
async function transferFault(
  report: ReceiptReport,
  { receipt, amount, phone }: { receipt: string; amount: number; phone: string | null },
): Promise<string | null> {
  if (report.outcome === "not_found") return "there is no such transaction";
  if (report.outcome === "unknown") return `it could not be looked up (${report.code})`;
  if (report.receipt !== receipt) return "the answer is about another receipt";
  if (!report.isFromUs) return "the money did not come from our account";
  if (report.amountCents !== amount * 100)
    return typeof report.amountCents === "number"
      ? `it is for KES ${report.amountCents / 100}, not KES ${amount}`
      : "the answer has no amount";
  // The account is deleted, and two admins have looked (`hasNoPhone`).
  if (phone === null || phone === "") return null;
  const compared = await comparePhone(report.receiver, phone);
  if (compared === "other") return "it went to another number";
  return compared === "same" ? null : "M-Pesa does not show the number that got it";
}

/** Books a transfer once, or writes down why not. A booking that came too late is looked at again with the same answer. */
async function conclude(
  services: PaymentServices,
  check: Pick<Check, "id" | "state">,
  { state, detail }: Pick<Check, "state" | "detail">,
  together: Statement[],
): Promise<void> {
  try {
    await runRaising(services, [
      sql`UPDATE transfer_checks SET state = ${state}, detail = ${detail}, answered_at = ${services.now()}
        WHERE id = ${check.id} AND state = ${check.state} AND answered_at IS NULL`,
      expectOneChange(),
      ...together,
    ]);
  } catch (error) {
    if (!(error instanceof PreconditionFailed)) throw error;
    const [now] = await services.db.select().from(transferChecks).where(eq(transferChecks.id, check.id));
    // The same answer came twice. Otherwise the transfer has changed, and the callback is applied again.
    if (now?.answeredAt === null) throw error;
  }
}
