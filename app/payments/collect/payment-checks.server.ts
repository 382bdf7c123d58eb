/** M-Pesa's answers about receipts of payments, by which an admin accepts them (`receipt-checks.server.ts`). */
import { and, eq, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { hasRow, pick } from "#app/db/build.ts";
import { paymentAttempts } from "#app/payments/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import type { CallbackOutcome } from "#app/db/states/callback.ts";
import { raiseDiscrepancy, resolveDiscrepancies } from "#app/payments/books/discrepancies.server.ts";
import type { ReceiptReport } from "#app/payments/gateway.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { concludeCheck, isLate, type ReceiptCheck } from "#app/payments/receipt-checks.server.ts";
import {
  ANSWERED_LATE,
  comparePhone,
  mismatch,
  type ReceiptFault,
  reportFault,
  UNREADABLE,
  wrongReceipt,
} from "#app/payments/receipt-rules.ts";
import { applyAttemptEvent } from "./settlement.server.ts";

/**
 * SQL: whether a receipt for this unpaid attempt may be another payment's. That one is for the same order or from the
 * same phone, has the same amount, and succeeded without a receipt, because its callback was lost. Its receipt must be
 * known first.
 */
export function mayBeAnotherPayment(attemptId: string | SQL): SQL {
  const attemptRow = alias(paymentAttempts, "attempt_row");
  const other = alias(paymentAttempts, "other");
  const withoutReceipt = and(
    ne(other.id, attemptRow.id),
    eq(other.amount, attemptRow.amount),
    isNull(other.receipt),
    stateIs(other.state, ATTEMPT.isPaid),
  );
  // Each branch has an index of its own.
  const isThere = or(
    hasRow(other, and(eq(other.orderId, attemptRow.orderId), withoutReceipt)),
    hasRow(other, and(eq(other.phone, attemptRow.phone), withoutReceipt)),
  );
  return hasRow(attemptRow, and(eq(attemptRow.id, attemptId), stateIs(attemptRow.state, ATTEMPT.isUnpaid), isThere));
}

/**
 * Applies M-Pesa's answer about a receipt: the payment settles and counts as confirmed, or admins read what doesn't
 * match. They also decide where the payment was dismissed before the answer.
 */
export async function applyPaymentCheck(
  services: PaymentServices,
  check: ReceiptCheck & { attemptId: string },
  body: string,
): Promise<CallbackOutcome> {
  const { attemptId, receipt } = check;
  const [payment] = await services.db
    .select({
      ...pick(paymentAttempts, "amount", "phone", "checkoutRequestId"),
      ownReceipt: paymentAttempts.receipt,
      isDoubtful: mayBeAnotherPayment(sql`${paymentAttempts.id}`).mapWith(Boolean),
    })
    .from(paymentAttempts)
    .where(eq(paymentAttempts.id, attemptId));
  if (!payment) throw new Error(`payment ${attemptId} is gone`);
  const { amount, phone, checkoutRequestId, ownReceipt, isDoubtful } = payment;
  const report = services.gateway.readReceiptLookup(body);
  const fault = isLate(check, services.now()) ? ANSWERED_LATE : await receiptFault(report, { receipt, amount, phone });
  const refusal = refusalOf(check, fault, isDoubtful);
  if (refusal !== null || check.state === "dismissed") {
    const { words = null, raises = null } = refusal ?? {};
    // Only the payment's own receipt speaks against it. After a mistyped one M-Pesa's list may still bring the right
    // one.
    const isOwn = raises === "wrong_receipt" && receipt === ownReceipt;
    const kind = raises === "mismatch" || isOwn ? "payment_mismatch" : "payment_in_doubt";
    await concludeCheck(
      services,
      check,
      { state: check.state === "dismissed" ? "dismissed" : "rejected", detail: words },
      words && raises ? raiseDiscrepancy(kind, attemptId, words, services.now()) : [],
    );
    return report ? "receipt_rejected" : "unreadable";
  }
  await applyAttemptEvent(services, attemptId, { event: "paid", receipt, paidAt: null, checkoutRequestId });
  const [attempt] = await services.db.select().from(paymentAttempts).where(eq(paymentAttempts.id, attemptId));
  // Another receipt may have settled the payment in the meantime. Admins must decide.
  const isSettled = attempt?.state === "succeeded" && attempt.receipt === receipt;
  if (isSettled) await applyAttemptEvent(services, attemptId, { event: "confirmed" });
  const now = services.now();
  await concludeCheck(
    services,
    check,
    { state: "confirmed", detail: null },
    isSettled
      ? [
          resolveDiscrepancies(
            ["payment_mismatch", "payment_in_doubt", "payment_unconfirmed"],
            attemptId,
            `M-Pesa confirmed receipt ${receipt}`,
            now,
            check.askedBy,
          ),
        ]
      : [],
  );
  return "receipt_confirmed";
}

/**
 * Why this receipt doesn't count, given the fault of M-Pesa's answer; null when it does, or when nobody waits for it.
 */
function refusalOf(
  { state, receipt }: Pick<ReceiptCheck, "state" | "receipt">,
  fault: ReceiptFault | null,
  isDoubtful: boolean,
): ReceiptFault | null {
  if (state === "dismissed")
    return fault === null ? mismatch(`M-Pesa confirms receipt ${receipt}, but the payment was dismissed before`) : null;
  if (fault !== null) return { ...fault, words: `M-Pesa does not confirm receipt ${receipt}: ${fault.words}` };
  return isDoubtful
    ? mismatch(`Receipt ${receipt} may be that of another payment of the same amount, whose receipt is missing`)
    : null;
}

/**
 * Why a report doesn't prove a payment of `amount` (KES) from `phone` under `receipt`; null when it does. Where M-Pesa
 * hides the number of the payer, receipt, amount and our account decide.
 */
async function receiptFault(
  report: ReceiptReport | null,
  { receipt, amount, phone }: { receipt: string; amount: number; phone: string },
): Promise<ReceiptFault | null> {
  if (report === null) return UNREADABLE;
  const fault = reportFault(report, { receipt, amount, direction: "to_us" });
  if (fault !== null) return fault;
  return (await comparePhone(report.payer, phone)) === "other" ? wrongReceipt("another number paid it") : null;
}
