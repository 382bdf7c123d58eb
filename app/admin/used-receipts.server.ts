import { type SQL, sql } from "drizzle-orm";

/** used: the receipt belongs to another payment, payout or refund. stale: something has changed. */
export type ReceiptResult = { ok: true } | { ok: false; code: "used" | "stale" };

/**
 * SQL: whether a receipt already belongs to a payment, payout or refund, or is being checked for one. M-Pesa gives each
 * receipt once. `exceptId` is the attempt, payout or refund that may have it.
 */
export function isReceiptUsed(receipt: string, exceptId = ""): SQL {
  return sql`(EXISTS (SELECT 1 FROM payment_attempts WHERE receipt = ${receipt} AND id <> ${exceptId})
    OR EXISTS (SELECT 1 FROM payouts WHERE receipt = ${receipt}) OR EXISTS (SELECT 1 FROM refunds WHERE receipt = ${receipt})
    OR EXISTS (SELECT 1 FROM transfer_checks WHERE receipt = ${receipt} AND state IN ('asked', 'confirmed') AND ${exceptId} NOT IN (COALESCE(payout_id, ''), COALESCE(refund_id, '')))
    OR EXISTS (SELECT 1 FROM receipt_checks WHERE receipt = ${receipt} AND state IN ('asked', 'confirmed') AND attempt_id <> ${exceptId}))`;
}
