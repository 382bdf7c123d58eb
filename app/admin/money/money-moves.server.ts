import {
  and,
  eq,
  exists,
  inArray,
  isNotNull,
  isNull,
  not,
  notInArray,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { expectOneChange, expectThat, holds, PreconditionFailed, type Statement } from "#app/db/batch.ts";
import { asBoolean, build, hasRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import type { DiscrepancyKind } from "#app/payments/books/discrepancies.server.ts";
import { mayBeAnotherPayment } from "#app/payments/collect/payment-checks.server.ts";
import { askAboutReceipt, dismissChecks, openCheck } from "#app/payments/receipt-checks.server.ts";
import { discrepancies, paymentAttempts, payoutItems, refunds } from "#app/payments/tables.server.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { paymentMoves } from "#app/moderation/second-admin/act-moves.server.ts";
import { ENDED_BY_SUCCESS } from "./money-rules.ts";
import { weighAct } from "#app/moderation/second-admin/weigh-act.server.ts";
import { type Admin, guardAndAuditMoney, performAdminAction } from "#app/team/perform-act.server.ts";
import { performOrPropose, proposeAct, type ProposableAct } from "#app/moderation/second-admin/propose-act.server.ts";
import { isReceiptUsed, type ReceiptResult } from "./used-receipts.server.ts";

function paymentAct(
  act: "payment_accepted" | "payment_dismissed",
  id: string,
  input: ProposableAct["input"],
): ProposableAct {
  return { act, subject: `attempt:${id}`, moves: paymentMoves(id), input };
}

/**
 * Asks M-Pesa to confirm the receipt under which its portal shows a payment. The payment is held, or its result is
 * unknown, or it succeeded but no query confirms it; then the receipt must be its own. Or it succeeded and its receipt
 * is missing. The payment settles once M-Pesa has confirmed receipt and amount (`payment-checks.server.ts`). Safe to
 * repeat.
 * @returns another: the receipt may be that of another payment of the same amount, whose receipt is missing
 */
export async function acceptPayment(
  services: PaymentServices,
  admin: Admin,
  attemptId: string,
  receipt: string,
): Promise<ReceiptResult | { ok: false; code: "other" | "another" | "unreachable" | "proposed" }> {
  const attempt = await findAttempt(services, attemptId, receipt);
  if (!attempt || (attempt.state === "succeeded" && attempt.confirmed && attempt.receipt !== null))
    return { ok: false, code: "stale" };
  if (attempt.used) return { ok: false, code: "used" };
  if (attempt.state === "succeeded" && attempt.receipt !== null && attempt.receipt !== receipt)
    return { ok: false, code: "other" };
  if (attempt.doubtful) return { ok: false, code: "another" };
  const check = openCheck({ kind: "payment", id: attemptId }, { receipt, askedBy: admin.id }, services.now());
  const opened = await performOrPropose(
    services,
    admin,
    paymentAct("payment_accepted", attemptId, { receipt }),
    receipt,
    [
      expectThat(not(isReceiptUsed(receipt, attemptId, services.now()))),
      expectThat(not(mayBeAnotherPayment(attemptId))),
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
export function isOwnMoney({ db }: Pick<Store, "db">, adminId: string, id: string): Promise<boolean> {
  return holds(db, ownMoney(adminId, id));
}

/** SQL: the same. `id` as a value or a column. */
export function ownMoney(adminId: string, id: string | SQLWrapper): SQL {
  const subject = build
    .select({ subject: discrepancies.subject })
    .from(discrepancies)
    .where(sql`${discrepancies.id} = ${id}`);
  const ids = sql`(${id}, ${subject})`;
  const refunded = build.select({ id: refunds.attemptId }).from(refunds).where(inArray(refunds.id, ids));
  const sells = hasRow(
    orderItems,
    and(eq(orderItems.orderId, paymentAttempts.orderId), eq(orderItems.sellerId, adminId)),
  );
  const payment = and(
    or(inArray(paymentAttempts.id, ids), inArray(paymentAttempts.id, refunded)),
    or(eq(paymentAttempts.userId, adminId), sells),
  );
  const paidOut = build
    .select({ id: payoutItems.orderItemId })
    .from(payoutItems)
    .where(inArray(payoutItems.payoutId, ids));
  const item = build
    .select({ id: orderItems.id })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .where(
      and(
        or(inArray(orderItems.id, paidOut), eq(orderItems.id, subject)),
        or(eq(orderItems.sellerId, adminId), eq(orders.userId, adminId)),
      ),
    );
  return sql`(${hasRow(paymentAttempts, payment)} OR ${exists(item)})`;
}

async function findAttempt({ db, now }: Store, attemptId: string, receipt: string) {
  const [attempt] = await db
    .select({
      state: paymentAttempts.state,
      confirmed: asBoolean(isNotNull(paymentAttempts.confirmedAt)),
      receipt: paymentAttempts.receipt,
      used: asBoolean(isReceiptUsed(receipt, attemptId, now())),
      doubtful: asBoolean(mayBeAnotherPayment(attemptId)),
    })
    .from(paymentAttempts)
    .where(eq(paymentAttempts.id, attemptId));
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
  const act = paymentAct("payment_dismissed", attemptId, { reason });
  const weighed = await weighAct(services, admin.id, act);
  if (weighed.step === "propose") return (await proposeAct(services, admin, act, reason)) && "proposed";
  const action = { action: act.act, subject: act.subject, detail: reason };
  try {
    const applied = await applyAttemptEvent(services, attemptId, { event: "dismissed" }, [
      ...guardAndAuditMoney(services, admin, action, weighed),
      dismissChecks({ kind: "payment", id: attemptId }),
      resolveRead(services, admin, attemptId, doubts, reason),
    ]);
    return applied === "applied";
  } catch (error) {
    if (error instanceof PreconditionFailed) return false;
    throw error;
  }
}

const DOUBTS = ["payment_mismatch", "payment_in_doubt", "payment_unconfirmed"] satisfies DiscrepancyKind[];

function doubtsAbout(attemptId: string): SQL | undefined {
  return and(eq(discrepancies.subject, attemptId), inArray(discrepancies.kind, DOUBTS));
}

/** The open discrepancies of a payment, with the words that the admin has read. */
async function openDoubts({ db }: Store, attemptId: string): Promise<string[]> {
  const rows = await db
    .select({ detail: discrepancies.detail })
    .from(discrepancies)
    .where(and(doubtsAbout(attemptId), isNull(discrepancies.resolvedAt)));
  return rows.map(({ detail }) => detail);
}

/** Resolves the doubts about a payment that the admin has read. Those raised since stay open. */
function resolveRead({ now }: Store, admin: Admin, attemptId: string, read: string[], resolution: string): Statement {
  return resolveOpen(and(doubtsAbout(attemptId), inArray(discrepancies.detail, read)), admin, resolution, now());
}

/** Resolves those of these discrepancies that are open. */
function resolveOpen(which: SQL | undefined, admin: Admin, resolution: string, now: number): Statement {
  return build
    .update(discrepancies)
    .set({ resolvedAt: now, resolvedBy: admin.id, resolution })
    .where(and(which, isNull(discrepancies.resolvedAt)));
}

/**
 * Resolves a discrepancy; `resolution` says how. Returns false if it is resolved already, or if no admin resolves it
 * (`ENDED_BY_SUCCESS`). If it is found again, it opens again.
 */
export function resolveDiscrepancy(
  store: Store,
  admin: Admin,
  discrepancyId: string,
  resolution: string,
): Promise<boolean> {
  const isResolvable = and(eq(discrepancies.id, discrepancyId), notInArray(discrepancies.kind, [...ENDED_BY_SUCCESS]));
  return performAdminAction(
    store,
    admin,
    { action: "discrepancy_resolved", subject: `discrepancy:${discrepancyId}`, detail: resolution },
    [resolveOpen(isResolvable, admin, resolution, store.now()), expectOneChange()],
  );
}
