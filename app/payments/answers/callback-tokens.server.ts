import { inArray, or, type SQL } from "drizzle-orm";
import { build } from "#app/db/build.ts";
import { paymentAttempts, payouts, receiptChecks, refunds } from "#app/payments/tables.server.ts";

/**
 * The tokens in the paths of all callbacks about some money: of the payments and payouts that meet a condition, of
 * their refunds, and of receipts that admins entered. With the parts that others need, too.
 */
export function moneyTokens(of: { attempts: SQL; payouts: SQL }) {
  const attemptIds = build.select({ id: paymentAttempts.id }).from(paymentAttempts).where(of.attempts);
  const payoutIds = build.select({ id: payouts.id }).from(payouts).where(of.payouts);
  const refundIds = build.select({ id: refunds.id }).from(refunds).where(inArray(refunds.attemptId, attemptIds));
  const isCheck = or(
    inArray(receiptChecks.attemptId, attemptIds),
    inArray(receiptChecks.payoutId, payoutIds),
    inArray(receiptChecks.refundId, refundIds),
  );
  const tokens = build
    .select({ token: paymentAttempts.callbackToken })
    .from(paymentAttempts)
    .where(of.attempts)
    .unionAll(build.select({ token: payouts.callbackToken }).from(payouts).where(of.payouts))
    .unionAll(
      build.select({ token: refunds.callbackToken }).from(refunds).where(inArray(refunds.attemptId, attemptIds)),
    )
    .unionAll(build.select({ token: receiptChecks.token }).from(receiptChecks).where(isCheck));
  return { tokens, attemptIds, refundIds, isCheck };
}
