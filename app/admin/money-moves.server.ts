import { sql } from "drizzle-orm";
import { commitBatch, expectOneChange, expectThat } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import {
  askAboutReceipt,
  dismissReceiptChecks,
  mayBeAnotherPayment,
  openReceiptCheck,
} from "#app/payments/receipt-checks.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT, type AttemptState } from "#app/db/states/attempt.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { applyAttemptEvent } from "#app/payments/settlement.server.ts";
import { paymentMoves } from "./act-moves.server.ts";
import { performAdminAction, type Admin } from "./admin-pages.server.ts";
import { performOrPropose, type ProposableAct } from "./propose-act.server.ts";
import { isReceiptUsed, type ReceiptResult } from "./used-receipts.server.ts";

function paymentAct(
  act: "payment_accepted" | "payment_dismissed",
  id: string,
  input: ProposableAct["input"],
): ProposableAct {
  return { act, subject: `attempt:${id}`, moves: paymentMoves(id), input };
}

interface AttemptNow {
  state: AttemptState;
  confirmed: number;
  receipt: string | null;
  used: number;
  doubtful: number;
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
