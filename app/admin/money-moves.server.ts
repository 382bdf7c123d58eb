import { eq, type SQL, sql } from "drizzle-orm";
import { commitBatch, expectOneChange, expectThat } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { raiseDiscrepancy } from "#app/payments/discrepancies.server.ts";
import { hasReportedItem } from "#app/payments/item-money.server.ts";
import {
  askAboutReceipt,
  dismissReceiptChecks,
  mayBeAnotherPayment,
  openReceiptCheck,
} from "#app/payments/receipt-checks.server.ts";
import { resumeParked } from "#app/payments/payouts.server.ts";
import {
  dismissTransferChecks,
  hasNoPhone,
  idOf,
  openTransferCheck,
  type Transfer,
} from "#app/payments/transfer-checks.server.ts";
import { refunds } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT, type AttemptState } from "#app/db/states/attempt.ts";
import { PAYOUT, type PayoutReason, type PayoutState } from "#app/db/states/payout.ts";
import { REFUND, type RefundWaitReason } from "#app/db/states/refund.ts";
import { payoutReasonText, refundWaitText } from "#app/payments/payment-texts.ts";
import { isReservedPayout, nextPayoutState } from "#app/payments/payout-rules.ts";
import { isReservedRefund, nextRefundState } from "#app/payments/refund-rules.ts";
import { resumeParkedRefund } from "#app/payments/refunds.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { applyAttemptEvent } from "#app/payments/settlement.server.ts";
import { paymentMoves, payoutMoves, refundMoves } from "./act-moves.server.ts";
import { performAdminAction, type Admin } from "./admin-pages.server.ts";
import { performOrPropose, type ProposableAct } from "./propose-act.server.ts";

interface PayoutNow {
  id: string;
  state: PayoutState;
  sendCount: number;
  orderItemId: string;
  conversationId: string;
  resultCode: string | null;
  reasonCode: PayoutReason | null;
  isReported: number;
}

/** Why a transfer is parked while an admin sends it by hand. */
const SENDING_BY_HAND = "sending_by_hand" satisfies PayoutReason & RefundWaitReason;

async function findPayout(store: Store, id: string): Promise<PayoutNow | null> {
  const [payout] = await store.db.all<PayoutNow>(
    sql`SELECT id, state, send_count AS sendCount, order_item_id AS orderItemId, conversation_id AS conversationId, result_code AS resultCode, reason_code AS reasonCode, ${hasReportedItem("payouts.id")} AS isReported FROM payouts WHERE id = ${id}`,
  );
  return payout ?? null;
}

function payoutAct(
  act: "payout_retried" | "payout_recorded",
  id: string,
  input: ProposableAct["input"],
): ProposableAct {
  return { act, subject: `payout:${id}`, moves: payoutMoves(id), input };
}

function refundAct(
  act: "refund_retried" | "refund_recorded",
  id: string,
  input: ProposableAct["input"],
): ProposableAct {
  return { act, subject: `refund:${id}`, moves: refundMoves(id), input };
}

function paymentAct(
  act: "payment_accepted" | "payment_dismissed",
  id: string,
  input: ProposableAct["input"],
): ProposableAct {
  return { act, subject: `attempt:${id}`, moves: paymentMoves(id), input };
}

/**
 * Tries a parked payout again, as its seller can (`resumeParked`), and resolves its discrepancies. `reserved`: the admin
 * takes back that it is sent by hand. A page from before the reservation doesn't say so, and is refused. Returns the
 * payout's item; null if the payout is no longer parked, or was reserved or taken back since; "proposed" if a second admin
 * must confirm it.
 */
export async function retryParkedPayout(
  store: Store,
  admin: Admin,
  payoutId: string,
  { reserved = false } = {},
): Promise<{ orderItemId: string } | "proposed" | null> {
  const payout = await findPayout(store, payoutId);
  if (payout?.state !== "parked" || isReservedPayout(payout) !== reserved) return null;
  const now = store.now();
  const done = await performOrPropose(store, admin, payoutAct("payout_retried", payoutId, { reserved }), null, [
    ...resumeParked(payout, now),
    dismissTransferChecks({ payoutId }),
    sql`UPDATE discrepancies SET resolved_at = ${now}, resolved_by = ${admin.id}, resolution = 'tried again'
      WHERE kind = 'payout_parked' AND subject = ${payoutId} AND resolved_at IS NULL`,
  ]);
  if (done === "proposed") return done;
  return done === "done" ? { orderItemId: payout.orderItemId } : null;
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
 * due or on its way, and "reported" if a report stops it.
 */
export async function reservePayout(store: Store, admin: Admin, payoutId: string): Promise<boolean | "reported"> {
  const payout = await findPayout(store, payoutId);
  const next = payout && nextPayoutState(payout.state, "reserved");
  if (!payout || !next || isReservedPayout(payout)) return false;
  if (payout.isReported === 1) return "reported";
  const now = store.now();
  const told = payoutReasonText({ reasonCode: SENDING_BY_HAND, reason: null }) ?? "";
  return performAdminAction(store, admin, { action: "payout_reserved", subject: `payout:${payoutId}` }, [
    expectThat(sql`NOT ${hasReportedItem(sql`${payoutId}`)}`),
    sql`UPDATE payouts SET state = ${next}, reason_code = ${SENDING_BY_HAND}, reason = NULL, next_action_at = NULL, updated_at = ${now}
      WHERE id = ${payoutId} AND state = ${payout.state} AND reason_code IS ${payout.reasonCode} AND send_count = ${payout.sendCount}`,
    expectOneChange(),
    // It stays listed until the receipt is entered, so that a forgotten one is found.
    ...raiseDiscrepancy("payout_parked", payoutId, told, now),
  ]);
}

/**
 * An admin has sent a reserved payout by hand: asks M-Pesa about its receipt. The payout counts as paid, and its seller is
 * told, once M-Pesa has confirmed it (`transfer-checks.server.ts`). If M-Pesa reports the payout as paid, before or after, a
 * discrepancy says that it was paid twice. A report that came since the reservation doesn't refuse the receipt, because the
 * books must say what has left.
 */
export async function recordPayout(
  services: PaymentServices,
  admin: Admin,
  payoutId: string,
  receipt: string,
): Promise<TransferResult> {
  const [payout] = await services.db.all<PayoutByHand>(
    sql`SELECT state, reason_code AS reasonCode, transaction_id AS receipt, ${isReceiptUsed(receipt, payoutId)} AS used FROM payouts WHERE id = ${payoutId}`,
  );
  const wasPaid = payout?.state === "paid" && payout.receipt !== receipt;
  if (!payout || !(wasPaid || isReservedPayout(payout))) return { ok: false, code: "stale" };
  if (payout.used === 1) return { ok: false, code: "used" };
  if (wasPaid) {
    const told = await performAdminAction(
      services,
      admin,
      { action: "payout_paid_twice", subject: `payout:${payoutId}`, detail: receipt },
      raiseDiscrepancy(
        "payout_paid_twice",
        payoutId,
        `paid as ${payout.receipt} and again by hand as ${receipt}`,
        services.now(),
      ),
    );
    return { ok: false, code: told ? "sent_twice" : "stale" };
  }
  return askAboutTransfer(services, admin, payoutAct("payout_recorded", payoutId, { receipt }), {
    receipt,
    transfer: { payoutId },
    isReserved: sql`EXISTS (SELECT 1 FROM payouts WHERE id = ${payoutId} AND ${stateIs("state", PAYOUT.isParked)} AND reason_code = ${SENDING_BY_HAND})`,
  });
}

interface PayoutByHand {
  state: PayoutState;
  reasonCode: PayoutReason | null;
  /** M-Pesa's, if it was paid. */
  receipt: string | null;
  used: number;
}

/** Opens the check of a transfer that an admin sent by hand, and asks M-Pesa. Safe to repeat, also with another receipt. */
async function askAboutTransfer(
  services: PaymentServices,
  admin: Admin,
  act: ProposableAct,
  { receipt, transfer, isReserved }: { receipt: string; transfer: Transfer; isReserved: SQL },
): Promise<TransferResult> {
  const check = openTransferCheck({ transfer, receipt, askedBy: admin.id }, services.now());
  const done = await performOrPropose(services, admin, { ...act, needsTwo: hasNoPhone(transfer) }, receipt, [
    expectThat(sql`NOT ${isReceiptUsed(receipt, idOf(transfer))}`),
    expectThat(isReserved),
    ...check.statements,
  ]);
  if (done !== "done") return { ok: false, code: done };
  return (await askAboutReceipt(services, { receipt, token: check.token, account: "payouts" }))
    ? { ok: true }
    : { ok: false, code: "unreachable" };
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
 * SQL: whether a receipt already belongs to a payment, payout or refund, or is being checked for one. M-Pesa gives each
 * receipt once. `exceptId` is the attempt, payout or refund that may have it.
 */
function isReceiptUsed(receipt: string, exceptId = ""): SQL {
  return sql`(EXISTS (SELECT 1 FROM payment_attempts WHERE receipt = ${receipt} AND id <> ${exceptId})
    OR EXISTS (SELECT 1 FROM payouts WHERE transaction_id = ${receipt}) OR EXISTS (SELECT 1 FROM refunds WHERE receipt = ${receipt})
    OR EXISTS (SELECT 1 FROM transfer_checks WHERE receipt = ${receipt} AND state IN ('asked', 'confirmed') AND ${exceptId} NOT IN (COALESCE(payout_id, ''), COALESCE(refund_id, '')))
    OR EXISTS (SELECT 1 FROM receipt_checks WHERE receipt = ${receipt} AND state IN ('asked', 'confirmed') AND attempt_id <> ${exceptId}))`;
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
): Promise<ReceiptResult | { ok: false; code: "other" | "another" | "unreachable" | "proposed" }> {
  const attempt = await findAttempt(services, attemptId, receipt);
  if (!attempt || (attempt.state === "succeeded" && attempt.confirmed === 1 && attempt.receipt !== null))
    return { ok: false, code: "stale" };
  if (attempt.used === 1) return { ok: false, code: "used" };
  if (attempt.state === "succeeded" && attempt.receipt !== null && attempt.receipt !== receipt)
    return { ok: false, code: "other" };
  if (attempt.doubtful === 1) return { ok: false, code: "another" };
  const check = openReceiptCheck({ attemptId, receipt, askedBy: admin.id }, services.now());
  const opened = await performOrPropose(
    services,
    admin,
    paymentAct("payment_accepted", attemptId, { receipt }),
    receipt,
    [
      expectThat(sql`NOT ${isReceiptUsed(receipt, attemptId)}`),
      expectThat(sql`NOT ${mayBeAnotherPayment(attemptId)}`),
      check.statement,
    ],
  );
  if (opened !== "done") return { ok: false, code: opened };
  return (await askAboutReceipt(services, { receipt, token: check.token, account: "collection" }))
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
 * if it is no longer held, and "proposed" if a second admin must confirm it.
 */
export async function dismissPayment(
  services: PaymentServices,
  admin: Admin,
  attemptId: string,
  reason: string,
): Promise<boolean | "proposed"> {
  const doubts = await openDoubts(services, attemptId);
  const held = expectThat(
    sql`EXISTS (SELECT 1 FROM payment_attempts WHERE id = ${attemptId} AND ${stateIs("state", ATTEMPT.isHeld)})`,
  );
  const done = await performOrPropose(services, admin, paymentAct("payment_dismissed", attemptId, { reason }), reason, [
    held,
    dismissReceiptChecks(attemptId),
  ]);
  if (done !== "done") return done === "proposed" ? done : false;
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
  await commitBatch(db, [
    sql`UPDATE discrepancies SET resolved_at = ${now()}, resolved_by = ${admin.id}, resolution = ${resolution}
      WHERE subject = ${attemptId} AND ${OPEN_DOUBTS} AND detail IN (SELECT value FROM json_each(${JSON.stringify(doubts)}))`,
  ]);
}

/** used: the receipt belongs to another payment, payout or refund. stale: something has changed. */
export type ReceiptResult = { ok: true } | { ok: false; code: "used" | "stale" };

/**
 * sent_twice: M-Pesa had sent the payout or refund, too; a discrepancy says so. proposed: a second admin must confirm it.
 * unreachable: M-Pesa couldn't be asked; the admin may try again.
 */
type TransferResult = ReceiptResult | { ok: false; code: "sent_twice" | "proposed" | "unreachable" };

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

/** An admin has sent a reserved refund by hand: as for `recordPayout`. */
export async function recordRefund(
  services: PaymentServices,
  admin: Admin,
  refundId: string,
  receipt: string,
): Promise<TransferResult> {
  const [found] = await services.db
    .select({ refund: refunds, used: isReceiptUsed(receipt, refundId).mapWith(Boolean) })
    .from(refunds)
    .where(eq(refunds.id, refundId));
  const wasSent = found?.refund.state === "done" && found.refund.receipt !== receipt;
  if (!found || !(wasSent || isReservedRefund(found.refund))) return { ok: false, code: "stale" };
  if (found.used) return { ok: false, code: "used" };
  if (wasSent) {
    const twice = `sent as ${found.refund.receipt ?? "an unknown receipt"} and again by hand as ${receipt}`;
    const told = await performAdminAction(
      services,
      admin,
      { action: "refund_paid_twice", subject: `refund:${refundId}`, detail: receipt },
      raiseDiscrepancy("refund_paid_twice", refundId, twice, services.now()),
    );
    return { ok: false, code: told ? "sent_twice" : "stale" };
  }
  return askAboutTransfer(services, admin, refundAct("refund_recorded", refundId, { receipt }), {
    receipt,
    transfer: { refundId },
    isReserved: sql`EXISTS (SELECT 1 FROM refunds WHERE id = ${refundId} AND ${stateIs("state", REFUND.isParked)} AND wait_reason = ${SENDING_BY_HAND})`,
  });
}

/**
 * Tries a parked refund again (`resumeParkedRefund`), and resolves its discrepancies. `reserved`: as for payouts. Returns
 * false if the refund is no longer parked, or was reserved or taken back since, and "proposed" if a second admin must
 * confirm it.
 */
export async function retryParkedRefund(
  store: Store,
  admin: Admin,
  refundId: string,
  { reserved = false } = {},
): Promise<boolean | "proposed"> {
  const [refund] = await store.db.select().from(refunds).where(eq(refunds.id, refundId));
  if (refund?.state !== "parked" || isReservedRefund(refund) !== reserved) return false;
  const now = store.now();
  const done = await performOrPropose(store, admin, refundAct("refund_retried", refundId, { reserved }), null, [
    ...resumeParkedRefund(refund, now),
    dismissTransferChecks({ refundId }),
    sql`UPDATE discrepancies SET resolved_at = ${now}, resolved_by = ${admin.id}, resolution = 'tried again'
      WHERE kind = 'refund_parked' AND subject = ${refundId} AND resolved_at IS NULL`,
  ]);
  return done === "proposed" ? done : done === "done";
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
