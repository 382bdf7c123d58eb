import { eq, type SQL, sql } from "drizzle-orm";
import type { Mail } from "#app/platform/mailer.ts";
import { expectOneChange, expectThat, runBatch } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { queueEffect } from "#app/db/outbox.ts";
import { raiseDiscrepancy, resolveDiscrepancies } from "#app/payments/discrepancies.server.ts";
import { bookPayout } from "#app/payments/item-money.server.ts";
import {
  askAboutReceipt,
  dismissReceiptChecks,
  mayBeAnotherPayment,
  openReceiptCheck,
} from "#app/payments/receipt-checks.server.ts";
import { resumeParked } from "#app/payments/payouts.server.ts";
import { paymentAttempts, refunds } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT, type AttemptState } from "#app/db/states/attempt.ts";
import { PAYOUT, type PayoutReason, type PayoutState } from "#app/db/states/payout.ts";
import type { RefundWaitReason } from "#app/db/states/refund.ts";
import { payoutReasonText, refundWaitText } from "#app/payments/payment-texts.ts";
import { isReservedPayout, nextPayoutState } from "#app/payments/payout-rules.ts";
import { isReservedRefund, nextRefundState, refundMethod } from "#app/payments/refund-rules.ts";
import { doneStatements, resumeParkedRefund } from "#app/payments/refunds.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { applyAttemptEvent } from "#app/payments/settlement.server.ts";
import { performAdminAction, type Admin } from "./admin-pages.server.ts";

interface PayoutNow {
  id: string;
  state: PayoutState;
  sendCount: number;
  orderItemId: string;
  conversationId: string;
  resultCode: string | null;
  reasonCode: PayoutReason | null;
}

/** Why a transfer is parked while an admin sends it by hand. */
const SENDING_BY_HAND = "sending_by_hand" satisfies PayoutReason & RefundWaitReason;

async function findPayout(store: Store, id: string): Promise<PayoutNow | null> {
  const [payout] = await store.db.all<PayoutNow>(
    sql`SELECT id, state, send_count AS sendCount, order_item_id AS orderItemId, conversation_id AS conversationId, result_code AS resultCode, reason_code AS reasonCode FROM payouts WHERE id = ${id}`,
  );
  return payout ?? null;
}

/**
 * Tries a parked payout again, as its seller can (`resumeParked`), and resolves its discrepancies. `reserved`: the admin
 * takes back that it is sent by hand. A page from before the reservation doesn't say so, and is refused. Returns the
 * payout's item; null if the payout is no longer parked, or was reserved or taken back since.
 */
export async function retryParkedPayout(
  store: Store,
  admin: Admin,
  payoutId: string,
  { reserved = false } = {},
): Promise<{ orderItemId: string } | null> {
  const payout = await findPayout(store, payoutId);
  if (payout?.state !== "parked" || isReservedPayout(payout) !== reserved) return null;
  const now = store.now();
  const done = await performAdminAction(store, admin, { action: "payout_retried", subject: `payout:${payoutId}` }, [
    ...resumeParked(payout, now),
    sql`UPDATE discrepancies SET resolved_at = ${now}, resolved_by = ${admin.id}, resolution = 'tried again'
      WHERE kind = 'payout_parked' AND subject = ${payoutId} AND resolved_at IS NULL`,
  ]);
  return done ? { orderItemId: payout.orderItemId } : null;
}

/**
 * Parks a payout that is due. One that was sent, or whose result is unknown, can't be parked. The seller sees `reason`.
 * Returns false if the payout is no longer due.
 */
export async function parkDuePayout(store: Store, admin: Admin, payoutId: string, reason: string): Promise<boolean> {
  const payout = await findPayout(store, payoutId);
  const next = payout?.state === "due" ? nextPayoutState(payout.state, "blocked") : null;
  if (!payout || !next) return false;
  const now = store.now();
  return performAdminAction(store, admin, { action: "payout_parked", subject: `payout:${payoutId}`, detail: reason }, [
    sql`UPDATE payouts SET state = ${next}, reason_code = ${"parked_by_admin" satisfies PayoutReason}, reason = ${reason}, next_action_at = NULL, updated_at = ${now}
      WHERE id = ${payoutId} AND ${stateIs("state", PAYOUT.isDue)} AND send_count = ${payout.sendCount}`,
    expectOneChange(),
  ]);
}

/**
 * Reserves a payout for an admin who sends it by hand: from now on neither its seller nor a job sends or looks it up. It
 * is for payouts that M-Pesa can't make, or never answers. Returns false if the payout is reserved already, or if it is
 * due or on its way.
 */
export async function reservePayout(store: Store, admin: Admin, payoutId: string): Promise<boolean> {
  const payout = await findPayout(store, payoutId);
  const next = payout && nextPayoutState(payout.state, "reserved");
  if (!payout || !next || isReservedPayout(payout)) return false;
  const now = store.now();
  const told = payoutReasonText({ reasonCode: SENDING_BY_HAND, reason: null }) ?? "";
  return performAdminAction(store, admin, { action: "payout_reserved", subject: `payout:${payoutId}` }, [
    sql`UPDATE payouts SET state = ${next}, reason_code = ${SENDING_BY_HAND}, reason = NULL, next_action_at = NULL, updated_at = ${now}
      WHERE id = ${payoutId} AND state = ${payout.state} AND reason_code IS ${payout.reasonCode} AND send_count = ${payout.sendCount}`,
    expectOneChange(),
    // It stays listed until the receipt is entered, so that a forgotten one is found.
    ...raiseDiscrepancy("payout_parked", payoutId, told, now),
  ]);
}

/**
 * Records that an admin has sent a reserved payout by hand, with the receipt: books it, and tells the seller. If M-Pesa
 * reports the payout as paid, before or after, a discrepancy says that it was paid twice.
 */
export async function recordPayout(
  store: Store,
  admin: Admin,
  payoutId: string,
  receipt: string,
): Promise<ReceiptResult | SentTwice> {
  const [payout] = await store.db.all<PayoutByHand>(
    sql`SELECT y.state, y.reason_code AS reasonCode, y.transaction_id AS receipt, y.amount, y.order_item_id AS orderItemId, (SELECT COUNT(*) FROM payout_items WHERE payout_id = y.id) AS items, c.email, p.full_name AS name, ${isReceiptUsed(receipt)} AS used
      FROM payouts y JOIN credentials c ON c.id = y.seller_id LEFT JOIN profiles p ON p.id = c.id WHERE y.id = ${payoutId}`,
  );
  const wasPaid = payout?.state === "paid" && payout.receipt !== receipt;
  if (!payout || !(wasPaid || isReservedPayout(payout))) return { ok: false, code: "stale" };
  if (payout.used === 1) return { ok: false, code: "used" };
  const now = store.now();
  const { amount, orderItemId, items } = payout;
  if (wasPaid) {
    const twice = `paid as ${payout.receipt} and again by hand as ${receipt}`;
    const told = await performAdminAction(
      store,
      admin,
      { action: "payout_paid_twice", subject: `payout:${payoutId}`, detail: receipt },
      raiseDiscrepancy("payout_paid_twice", payoutId, twice, now),
    );
    return { ok: false, code: told ? "sent_twice" : "stale" };
  }
  const mail: Mail = {
    to: payout.email,
    template: "payout_sent",
    data: { name: payout.name || "there", orderItemId, items, amount, transactionId: receipt },
  };
  const done = await performAdminAction(
    store,
    admin,
    { action: "payout_recorded", subject: `payout:${payoutId}`, detail: receipt },
    [
      expectThat(sql`NOT ${isReceiptUsed(receipt)}`),
      sql`UPDATE payouts SET state = ${nextPayoutState(payout.state, "paid")}, transaction_id = ${receipt}, reason_code = NULL, reason = NULL, next_action_at = NULL, settled_at = ${now}, updated_at = ${now}
      WHERE id = ${payoutId} AND state = ${payout.state} AND reason_code = ${SENDING_BY_HAND} AND amount = ${amount}`,
      expectOneChange(),
      ...bookPayout(payoutId, now),
      queueEffect("mail", `payout_sent:${payoutId}`, mail, now),
      resolveDiscrepancies(["payout_parked", "payout_in_doubt"], payoutId, "paid manually", now),
    ],
  );
  return done ? { ok: true } : { ok: false, code: "stale" };
}

interface PayoutByHand {
  state: PayoutState;
  reasonCode: PayoutReason | null;
  /** M-Pesa's, if it was paid. */
  receipt: string | null;
  amount: number;
  orderItemId: string;
  items: number;
  email: string;
  name: string | null;
  used: number;
}

// ----------------------------------------------------------------- payments

interface AttemptNow {
  state: AttemptState;
  confirmed: number;
  receipt: string | null;
  used: number;
  doubtful: number;
}

/**
 * SQL: whether a receipt already belongs to a payment, payout or refund. M-Pesa gives each receipt once.
 * `exceptAttemptId` is the payment attempt that may have it.
 */
function isReceiptUsed(receipt: string, exceptAttemptId = ""): SQL {
  return sql`(EXISTS (SELECT 1 FROM payment_attempts WHERE receipt = ${receipt} AND id <> ${exceptAttemptId})
    OR EXISTS (SELECT 1 FROM payouts WHERE transaction_id = ${receipt}) OR EXISTS (SELECT 1 FROM refunds WHERE receipt = ${receipt}))`;
}

/**
 * Asks M-Pesa to confirm the receipt under which its portal shows a payment. The payment is held, or its result is
 * unknown, or it succeeded but no query confirms it; then the receipt must be its own. Or it succeeded and its receipt is
 * missing. The payment settles once M-Pesa has confirmed receipt and amount (`receipt-checks.server.ts`). Safe to repeat.
 * @returns another: the receipt may be that of another payment of the same amount, whose receipt is missing
 */
export async function acceptPayment(
  services: PaymentServices,
  admin: Admin,
  attemptId: string,
  receipt: string,
): Promise<ReceiptResult | { ok: false; code: "other" | "another" | "unreachable" }> {
  const attempt = await findAttempt(services, attemptId, receipt);
  if (!attempt || (attempt.state === "succeeded" && attempt.confirmed === 1 && attempt.receipt !== null))
    return { ok: false, code: "stale" };
  if (attempt.used === 1) return { ok: false, code: "used" };
  if (attempt.state === "succeeded" && attempt.receipt !== null && attempt.receipt !== receipt)
    return { ok: false, code: "other" };
  if (attempt.doubtful === 1) return { ok: false, code: "another" };
  const check = openReceiptCheck({ attemptId, receipt, askedBy: admin.id }, services.now());
  const opened = await performAdminAction(
    services,
    admin,
    { action: "payment_accepted", subject: `attempt:${attemptId}`, detail: receipt },
    [
      expectThat(sql`NOT ${isReceiptUsed(receipt, attemptId)}`),
      expectThat(sql`NOT ${mayBeAnotherPayment(attemptId)}`),
      check.statement,
    ],
  );
  if (!opened) return { ok: false, code: "stale" };
  return (await askAboutReceipt(services, { receipt, token: check.token }))
    ? { ok: true }
    : { ok: false, code: "unreachable" };
}

/**
 * Whether a payment, payout, refund or discrepancy (`id`) is about an order in which this admin is the buyer or a
 * seller. Then another admin must decide.
 */
export async function isOwnMoney({ db }: Pick<Store, "db">, adminId: string, id: string): Promise<boolean> {
  const subject = sql`(SELECT subject FROM discrepancies WHERE id = ${id})`;
  const [row] = await db.all<{ own: number }>(
    sql`SELECT EXISTS (SELECT 1 FROM payment_attempts a
        WHERE (a.id IN (${id}, ${subject}) OR a.id IN (SELECT attempt_id FROM refunds WHERE id IN (${id}, ${subject})))
          AND (a.user_id = ${adminId} OR EXISTS (SELECT 1 FROM order_items i WHERE i.order_id = a.order_id AND i.seller_id = ${adminId})))
      OR EXISTS (SELECT 1 FROM order_items i JOIN orders o ON o.id = i.order_id
        WHERE (i.id IN (SELECT order_item_id FROM payout_items WHERE payout_id IN (${id}, ${subject})) OR i.id = ${subject}) AND ${adminId} IN (i.seller_id, o.user_id)) AS own`,
  );
  return row?.own === 1;
}

async function findAttempt({ db }: Store, attemptId: string, receipt: string): Promise<AttemptNow | undefined> {
  const [attempt] = await db.all<AttemptNow>(
    sql`SELECT state, confirmed_at IS NOT NULL AS confirmed, receipt,
      ${isReceiptUsed(receipt, attemptId)} AS used, ${mayBeAnotherPayment(attemptId)} AS doubtful FROM payment_attempts WHERE id = ${attemptId}`,
  );
  return attempt;
}

/**
 * Dismisses a held payment that wasn't made or was sent back. Its buyer is told that they can pay again. Returns false
 * if it is no longer held.
 */
export async function dismissPayment(
  services: PaymentServices,
  admin: Admin,
  attemptId: string,
  reason: string,
): Promise<boolean> {
  const doubts = await openDoubts(services, attemptId);
  const held = expectThat(
    sql`EXISTS (SELECT 1 FROM payment_attempts WHERE id = ${attemptId} AND ${stateIs("state", ATTEMPT.isHeld)})`,
  );
  if (
    !(await performAdminAction(
      services,
      admin,
      { action: "payment_dismissed", subject: `attempt:${attemptId}`, detail: reason },
      [held, dismissReceiptChecks(attemptId)],
    ))
  )
    return false;
  await applyAttemptEvent(services, attemptId, { event: "dismissed" });
  await settleDoubts(services, admin, attemptId, doubts, reason);
  return true;
}

const OPEN_DOUBTS = sql.raw(
  "kind IN ('payment_mismatch', 'payment_in_doubt', 'payment_unconfirmed') AND resolved_at IS NULL",
);

/** The open discrepancies of a payment, with the words that the admin has read. */
async function openDoubts({ db }: Store, attemptId: string): Promise<string[]> {
  const rows = await db.all<{ detail: string }>(
    sql`SELECT detail FROM discrepancies WHERE subject = ${attemptId} AND ${OPEN_DOUBTS}`,
  );
  return rows.map(({ detail }) => detail);
}

/** Resolves the discrepancies that the admin has read. Those raised since stay open. */
async function settleDoubts(
  { db, now }: Store,
  admin: Admin,
  attemptId: string,
  doubts: string[],
  resolution: string,
): Promise<void> {
  await runBatch(db, [
    sql`UPDATE discrepancies SET resolved_at = ${now()}, resolved_by = ${admin.id}, resolution = ${resolution}
      WHERE subject = ${attemptId} AND ${OPEN_DOUBTS} AND detail IN (SELECT value FROM json_each(${JSON.stringify(doubts)}))`,
  ]);
}

/** used: the receipt belongs to another payment, payout or refund. stale: something has changed. */
export type ReceiptResult = { ok: true } | { ok: false; code: "used" | "stale" };

/** M-Pesa had sent the payout or refund, too. A discrepancy says so. */
interface SentTwice {
  ok: false;
  code: "sent_twice";
}

/**
 * Reserves a refund for an admin who sends it by hand: from now on no job sends it, asks for it again or looks it up. It
 * is for refunds that M-Pesa can't make, or never answers. Returns false if the refund is reserved already, or if it is
 * due or on its way.
 */
export async function reserveRefund(store: Store, admin: Admin, refundId: string): Promise<boolean> {
  const [refund] = await store.db.select().from(refunds).where(eq(refunds.id, refundId));
  const next = refund && nextRefundState(refund.state, "reserved");
  if (!refund || !next || isReservedRefund(refund)) return false;
  const now = store.now();
  const told = refundWaitText({ waitReason: SENDING_BY_HAND, waitDetail: null }) ?? "";
  return performAdminAction(store, admin, { action: "refund_reserved", subject: `refund:${refundId}` }, [
    sql`UPDATE refunds SET state = ${next}, wait_reason = ${SENDING_BY_HAND}, wait_detail = NULL, next_action_at = NULL, updated_at = ${now}
      WHERE id = ${refundId} AND state = ${refund.state} AND wait_reason IS ${refund.waitReason} AND send_count = ${refund.sendCount}`,
    expectOneChange(),
    ...raiseDiscrepancy("refund_parked", refundId, told, now),
  ]);
}

/**
 * Records that an admin has sent a reserved refund by hand, with its M-Pesa receipt: books it, and tells the buyer. If
 * M-Pesa reports the refund as sent, before or after, a discrepancy says so.
 */
export async function recordRefund(
  store: Store,
  admin: Admin,
  refundId: string,
  receipt: string,
): Promise<ReceiptResult | SentTwice> {
  const [found] = await store.db
    .select({
      refund: refunds,
      payment: { amount: paymentAttempts.amount, receipt: paymentAttempts.receipt },
      used: isReceiptUsed(receipt).mapWith(Boolean),
    })
    .from(refunds)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, refunds.attemptId))
    .where(eq(refunds.id, refundId));
  const wasSent = found?.refund.state === "done" && found.refund.receipt !== receipt;
  if (!found || !(wasSent || isReservedRefund(found.refund))) return { ok: false, code: "stale" };
  if (found.used) return { ok: false, code: "used" };
  const { refund, payment } = found;
  const now = store.now();
  if (wasSent) {
    const twice = `sent as ${refund.receipt ?? "an unknown receipt"} and again by hand as ${receipt}`;
    const told = await performAdminAction(
      store,
      admin,
      { action: "refund_paid_twice", subject: `refund:${refundId}`, detail: receipt },
      raiseDiscrepancy("refund_paid_twice", refundId, twice, now),
    );
    return { ok: false, code: told ? "sent_twice" : "stale" };
  }
  const method = refund.method ?? refundMethod(refund.amount, payment);
  const done = await performAdminAction(
    store,
    admin,
    { action: "refund_recorded", subject: `refund:${refundId}`, detail: receipt },
    [
      expectThat(sql`NOT ${isReceiptUsed(receipt)}`),
      sql`UPDATE refunds SET state = ${nextRefundState(refund.state, "done")}, method = ${method}, receipt = ${receipt}, wait_reason = NULL, wait_detail = NULL, next_action_at = NULL,
        done_by = ${admin.id}, done_at = ${now}, updated_at = ${now}
      WHERE id = ${refundId} AND state = ${refund.state} AND wait_reason = ${SENDING_BY_HAND}`,
      expectOneChange(),
      ...(await doneStatements(store, refund, { receipt, method, now })),
    ],
  );
  return done ? { ok: true } : { ok: false, code: "stale" };
}

/**
 * Tries a parked refund again (`resumeParkedRefund`), and resolves its discrepancies. `reserved`: as for payouts. Returns
 * false if the refund is no longer parked, or was reserved or taken back since.
 */
export async function retryParkedRefund(
  store: Store,
  admin: Admin,
  refundId: string,
  { reserved = false } = {},
): Promise<boolean> {
  const [refund] = await store.db.select().from(refunds).where(eq(refunds.id, refundId));
  if (refund?.state !== "parked" || isReservedRefund(refund) !== reserved) return false;
  const now = store.now();
  return performAdminAction(store, admin, { action: "refund_retried", subject: `refund:${refundId}` }, [
    ...resumeParkedRefund(refund, now),
    sql`UPDATE discrepancies SET resolved_at = ${now}, resolved_by = ${admin.id}, resolution = 'tried again'
      WHERE kind = 'refund_parked' AND subject = ${refundId} AND resolved_at IS NULL`,
  ]);
}

/**
 * Resolves a discrepancy; `resolution` says how. Returns false if it is resolved already. If it is found again, it
 * opens again.
 */
export function resolveDiscrepancy(
  store: Store,
  admin: Admin,
  discrepancyId: string,
  resolution: string,
): Promise<boolean> {
  return performAdminAction(
    store,
    admin,
    { action: "discrepancy_resolved", subject: `discrepancy:${discrepancyId}`, detail: resolution },
    [
      sql`UPDATE discrepancies SET resolved_at = ${store.now()}, resolved_by = ${admin.id}, resolution = ${resolution} WHERE id = ${discrepancyId} AND resolved_at IS NULL`,
      expectOneChange(),
    ],
  );
}
