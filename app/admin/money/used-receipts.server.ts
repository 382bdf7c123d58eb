import { and, eq, gt, ne, or, type SQL, sql } from "drizzle-orm";
import { hasRow } from "#app/db/build.ts";
import { paymentAttempts, payouts, receiptChecks, refunds } from "#app/payments/tables.server.ts";
import { RECEIPT_WAIT_MS } from "#app/payments/receipt-rules.ts";

/** used: the receipt belongs to another payment, payout or refund. stale: something has changed. */
export type ReceiptResult = { ok: true } | { ok: false; code: "used" | "stale" };

/**
 * SQL: whether a receipt already belongs to a payment, payout or refund, or is being checked for one. M-Pesa gives each
 * receipt once. M-Pesa has an hour to answer a check. `exceptId` is the attempt, payout or refund that may have it.
 */
export function isReceiptUsed(receipt: string, exceptId: string, now: number): SQL {
  const { attemptId, payoutId, refundId, state, createdAt } = receiptChecks;
  const isOther = sql`${exceptId} <> COALESCE(${attemptId}, ${payoutId}, ${refundId})`;
  const counts = or(eq(state, "confirmed"), and(eq(state, "asked"), gt(createdAt, now - RECEIPT_WAIT_MS)));
  const used = or(
    hasRow(paymentAttempts, and(eq(paymentAttempts.receipt, receipt), ne(paymentAttempts.id, exceptId))),
    hasRow(payouts, eq(payouts.receipt, receipt)),
    hasRow(refunds, eq(refunds.receipt, receipt)),
    hasRow(receiptChecks, and(eq(receiptChecks.receipt, receipt), counts, isOther)),
  );
  return sql`${used}`;
}
