import { and, eq, gt, ne, or, type SQL, sql } from "drizzle-orm";
import { hasRow } from "#app/db/build.ts";
import { paymentAttempts, payouts, receiptChecks, refunds, transferChecks } from "#app/db/schema.ts";
import { RECEIPT_WAIT_MS } from "#app/payments/receipt-rules.ts";

/** used: the receipt belongs to another payment, payout or refund. stale: something has changed. */
export type ReceiptResult = { ok: true } | { ok: false; code: "used" | "stale" };

/**
 * SQL: whether a receipt already belongs to a payment, payout or refund, or is being checked for one. M-Pesa gives each
 * receipt once. M-Pesa has an hour to answer a check. `exceptId` is the attempt, payout or refund that may have it.
 */
export function isReceiptUsed(receipt: string, exceptId: string, now: number): SQL {
  const [a, t, c] = [paymentAttempts, transferChecks, receiptChecks];
  const isOther = sql`${exceptId} NOT IN (COALESCE(${t.payoutId}, ''), COALESCE(${t.refundId}, ''))`;
  const counts = ({ state, createdAt }: typeof t | typeof c) =>
    or(eq(state, "confirmed"), and(eq(state, "asked"), gt(createdAt, now - RECEIPT_WAIT_MS)));
  const used = or(
    hasRow(a, and(eq(a.receipt, receipt), ne(a.id, exceptId))),
    hasRow(payouts, eq(payouts.receipt, receipt)),
    hasRow(refunds, eq(refunds.receipt, receipt)),
    hasRow(t, and(eq(t.receipt, receipt), counts(t), isOther)),
    hasRow(c, and(eq(c.receipt, receipt), counts(c), ne(c.attemptId, exceptId))),
  );
  return sql`${used}`;
}
