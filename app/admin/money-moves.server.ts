import { sql } from "drizzle-orm";
import type { Mail } from "#app/accounts/mailer.ts";
import { expectOneChange, expectThat } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { queueEffect } from "#app/db/outbox.ts";
import { bookTransaction } from "#app/payments/ledger.server.ts";
import { resumeParked } from "#app/payments/payouts.server.ts";
import { nextPayoutState, type PayoutState } from "#app/payments/rules.ts";
import { act, type Admin } from "./desk.server.ts";
import { refundLegs } from "./rules.ts";

interface PayoutNow {
  id: string;
  state: PayoutState;
  sendCount: number;
  orderItemId: string;
  conversationId: string;
  resultCode: string | null;
}

async function findPayout(store: Store, id: string): Promise<PayoutNow | null> {
  const [payout] = await store.db.all<PayoutNow>(
    sql`SELECT id, state, send_count AS sendCount, order_item_id AS orderItemId, conversation_id AS conversationId, result_code AS resultCode FROM payouts WHERE id = ${id}`,
  );
  return payout ?? null;
}

/**
 * Takes a parked payout up again, as its seller may (`resumeParked`), and closes what was open about it. Answers the payout's
 * item; null where it is not parked any more.
 */
export async function retryParkedPayout(store: Store, admin: Admin, payoutId: string): Promise<{ orderItemId: string } | null> {
  const payout = await findPayout(store, payoutId);
  if (payout?.state !== "parked") return null;
  const now = store.now();
  const done = await act(store, admin, { action: "payout_retried", subject: `payout:${payoutId}` }, [
    ...resumeParked(payout, now),
    sql`UPDATE discrepancies SET resolved_at = ${now}, resolved_by = ${admin.id}, resolution = 'tried again'
      WHERE kind = 'payout_parked' AND subject = ${payoutId} AND resolved_at IS NULL`,
  ]);
  return done ? { orderItemId: payout.orderItemId } : null;
}

/**
 * Holds back a payout that is due. Never one that is under way or in doubt, whose end M-Pesa has yet to tell. The seller reads `reason`. False where it has left meanwhile.
 */
export async function parkDuePayout(store: Store, admin: Admin, payoutId: string, reason: string): Promise<boolean> {
  const payout = await findPayout(store, payoutId);
  const next = payout?.state === "due" ? nextPayoutState(payout.state, "blocked") : null;
  if (!payout || !next) return false;
  const now = store.now();
  return act(store, admin, { action: "payout_parked", subject: `payout:${payoutId}`, detail: reason }, [
    sql`UPDATE payouts SET state = ${next}, reason = ${reason}, next_action_at = NULL, updated_at = ${now}
      WHERE id = ${payoutId} AND state = 'due' AND send_count = ${payout.sendCount}`,
    expectOneChange(),
  ]);
}

/** used: the receipt stands beside another refund; stale: it is not due any more. */
export type RefundResult = { ok: true } | { ok: false; code: "used" | "stale" };

/** Notes that a refund was sent by hand, with its M-Pesa receipt: books it, and tells the buyer. */
export async function recordRefund(store: Store, admin: Admin, refundId: string, receipt: string): Promise<RefundResult> {
  const [refund] = await store.db.all<{ amount: number; orderId: string | null; attemptId: string; email: string; name: string | null; used: number }>(
    sql`SELECT f.amount, f.order_id AS orderId, f.attempt_id AS attemptId, c.email, p.full_name AS name, EXISTS (SELECT 1 FROM refunds WHERE receipt = ${receipt}) AS used
      FROM refunds f JOIN payment_attempts a ON a.id = f.attempt_id JOIN credentials c ON c.id = a.user_id LEFT JOIN profiles p ON p.id = c.id WHERE f.id = ${refundId}`,
  );
  if (!refund) return { ok: false, code: "stale" };
  if (refund.used === 1) return { ok: false, code: "used" };
  const now = store.now();
  const mail: Mail = { to: refund.email, template: "refund_sent", data: { name: refund.name ?? "", orderId: refund.orderId, amount: refund.amount, receipt } };
  const done = await act(store, admin, { action: "refund_recorded", subject: `refund:${refundId}`, detail: receipt }, [
    expectThat(sql`NOT EXISTS (SELECT 1 FROM refunds WHERE receipt = ${receipt})`),
    sql`UPDATE refunds SET state = 'done', receipt = ${receipt}, done_by = ${admin.id}, done_at = ${now} WHERE id = ${refundId} AND state = 'due'`,
    expectOneChange(),
    ...bookTransaction({ transactionId: `refund:${refundId}`, legs: refundLegs(refund.amount), orderId: refund.orderId, attemptId: refund.attemptId, now }),
    queueEffect("mail", `refund_sent:${refundId}`, mail, now),
  ]);
  return done ? { ok: true } : { ok: false, code: "stale" };
}

/** Closes a discrepancy with words that say how; false where it is closed already. It opens again if it is found again. */
export function resolveDiscrepancy(store: Store, admin: Admin, discrepancyId: string, resolution: string): Promise<boolean> {
  return act(store, admin, { action: "discrepancy_resolved", subject: `discrepancy:${discrepancyId}`, detail: resolution }, [
    sql`UPDATE discrepancies SET resolved_at = ${store.now()}, resolved_by = ${admin.id}, resolution = ${resolution} WHERE id = ${discrepancyId} AND resolved_at IS NULL`,
    expectOneChange(),
  ]);
}
