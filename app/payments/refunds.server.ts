import { and, asc, eq, isNull, lte, sql } from "drizzle-orm";
import {
  commitBatch,
  expectOneChange,
  PreconditionFailed,
  repeatBatch,
  type Statement,
  UniqueViolation,
} from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";
import { queueEffect } from "#app/db/outbox.ts";
import { credentials, paymentAttempts, profiles, refunds } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import type { CallbackOutcome } from "#app/db/states/callback.ts";
import {
  REFUND,
  type RefundMethod,
  type RefundReason,
  type RefundState,
  type RefundWaitReason,
} from "#app/db/states/refund.ts";
import type { Mail } from "#app/platform/mailer.ts";
import { raiseDiscrepancy, recordDiscrepancy, resolveDiscrepancies, runRaising } from "./discrepancies.server.ts";
import { isAway } from "#app/db/patience.ts";
import {
  type AmountCents,
  type PayoutAnswer,
  type PayoutReport,
  type ReversalAnswer,
  type ReversalReport,
  UNSENT,
} from "./gateway.ts";
import { applyOrKeep, keepOrLog } from "./kept.server.ts";
import { openGateway } from "./open-gateway.server.ts";
import { refundLegs } from "./ledger-rules.ts";
import { bookTransaction } from "./ledger.server.ts";
import { CHANNEL_LEASES, type PaymentChannel, pauseChannel } from "./paused-channels.server.ts";
import { newCallbackToken, type PaymentServices } from "./payment-services.ts";
import { refundWaitText } from "./payment-texts.ts";
import { PAYOUT_HOLD_MS, PAYOUT_RESULT_WAIT_MS, PAYOUT_SEND_WAIT_MS, payoutLookupDelay } from "./payout-rules.ts";
import { nextRefundState, type RefundEvent, refundMethod, refuseRefundAmount } from "./refund-rules.ts";

interface NewRefund {
  /** The payment that goes back, or a part of it. */
  attemptId: string;
  orderId: string | null;
  /** The item whose money goes back; null when the whole payment isn't kept. */
  orderItemId: string | null;
  /** KES. */
  amount: number;
  reason: RefundReason;
}

/** The statement that creates a refund, for the batch of its cause. The job sends it. `id` is for the ledger. */
export function createRefund(refund: NewRefund, now: number): { id: string; statement: Statement } {
  const id = crypto.randomUUID();
  return {
    id,
    statement: sql`INSERT INTO refunds (id, attempt_id, order_id, order_item_id, amount, reason, state, conversation_id, callback_token, next_action_at, created_at, updated_at)
      VALUES (${id}, ${refund.attemptId}, ${refund.orderId}, ${refund.orderItemId}, ${refund.amount}, ${refund.reason}, ${"due" satisfies RefundState},
        ${crypto.randomUUID()}, ${newCallbackToken()}, ${now}, ${now}, ${now})`,
  };
}

type Refund = typeof refunds.$inferSelect;

/** The payment that goes back, or a part of it. */
type Payment = Pick<
  typeof paymentAttempts.$inferSelect,
  "amount" | "receipt" | "phone" | "confirmedAt" | "userId" | "subscriptionId"
>;

const MAX_RACES = 6;
/** M-Pesa may answer a look-up before it has recorded the transfer, so only this many answers without a record count. */
const LOOKUPS_BEFORE_PARKING = 3;
const LOOKUPS_BEFORE_DOUBT = 5;
/** The pause before a payment without a confirming query is checked again, in ms. */
const UNCONFIRMED_PAUSE_MS = 60_000;

/**
 * What pauses refunds while our float or configuration is the cause. Transfers leave the same account as payouts, and
 * pause with them. Reversals need another account and another role.
 */
const CHANNELS = { reversal: "reversals", transfer: "payouts" } as const satisfies Record<RefundMethod, PaymentChannel>;

/**
 * Takes the next step of one refund: sends it when it is due. When its result is uncertain, a transfer is looked up, and
 * a reversal is asked for again. Nothing happens before its time, while its method is paused, or before a query has
 * confirmed the payment. Safe to call twice at once, because a conditional update claims it.
 */
export async function advanceRefund(services: PaymentServices, refundId: string): Promise<void> {
  const found = await findRefund(services, refundId);
  if (!found) return;
  const { refund, payment } = found;
  if (refund.nextActionAt === null || refund.nextActionAt > services.now()) return;
  switch (refund.state) {
    case "due":
      return sendRefund(services, refund, payment);
    case "sending":
      // A worker was stopped after claiming it, so the refund may have been sent.
      await moveRefund(services, refund.id, "lost", { ...waits("answer_lost"), nextActionAt: services.now() });
      return;
    case "sent":
    case "unknown":
      return refund.method === "reversal" ? askAgain(services, refund) : lookUpTransfer(services, refund);
    case "done":
    case "parked":
      return;
  }
}

/** The query for due refunds, oldest first, at most `limit`. Send it in a batch. */
export function dueRefunds(db: Database, now: number, limit: number) {
  return db
    .select({ id: refunds.id })
    .from(refunds)
    .where(lte(refunds.nextActionAt, now))
    .orderBy(asc(refunds.nextActionAt))
    .limit(limit);
}

async function findRefund(
  services: PaymentServices,
  refundId: string,
): Promise<{ refund: Refund; payment: Payment } | null> {
  const [found] = await services.db
    .select({
      refund: refunds,
      payment: {
        amount: paymentAttempts.amount,
        receipt: paymentAttempts.receipt,
        phone: paymentAttempts.phone,
        confirmedAt: paymentAttempts.confirmedAt,
        userId: paymentAttempts.userId,
        subscriptionId: paymentAttempts.subscriptionId,
      },
    })
    .from(refunds)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, refunds.attemptId))
    .where(eq(refunds.id, refundId));
  return found ?? null;
}

/** Why a refund waits, without words of M-Pesa. */
function waits(waitReason: RefundWaitReason) {
  return { waitReason, waitDetail: null };
}

const WAITS_FOR_NOTHING = { waitReason: null, waitDetail: null };

async function sendRefund(services: PaymentServices, refund: Refund, payment: Payment): Promise<void> {
  const now = services.now();
  if (payment.confirmedAt === null)
    return postpone(services, refund, now + UNCONFIRMED_PAUSE_MS, "payment_unconfirmed");
  const method = refund.method ?? refundMethod(refund.amount, payment);
  const obstacle = refuseRefundAmount(method, refund.amount);
  if (obstacle !== null) {
    await park(services, refund, waits(obstacle), sameTry(refund));
    return;
  }
  const pausedUntil = await readPause(services, CHANNELS[method]);
  if (pausedUntil > now) return postpone(services, refund, pausedUntil, "refunds_paused");

  const gateway = await openGateway(services);
  if (!gateway) return;
  const claim = {
    method,
    phone: method === "transfer" ? (refund.phone ?? payment.phone) : null,
    providerConversationId: null,
    sendCount: refund.sendCount + 1,
    sentAt: now,
    nextActionAt: now + PAYOUT_SEND_WAIT_MS,
  } satisfies Partial<Refund>;
  const sending = { ...refund, ...claim };
  try {
    if (!(await moveRefund(services, refund.id, "claimed", claim, [], sameTry(refund)))) return;
  } catch (error) {
    // The claim may have been written. Nothing was sent.
    if (isAway(error)) await keepOrLog(services, { kind: "refund", refund: sentAs(sending), answer: UNSENT });
    throw error;
  }
  const { callbackToken, amount } = refund;
  const remarks = `Chuoni refund ${(refund.orderId ?? refund.id).slice(0, 8)}`;
  const answer =
    method === "reversal"
      ? await gateway.reverse({ receipt: payment.receipt ?? "", callbackToken, amount, remarks })
      : await gateway.payOut({
          conversationId: refund.conversationId,
          callbackToken,
          phone: claim.phone ?? "",
          amount,
          remarks,
        });
  await applyOrKeep(services, { kind: "refund", refund: sentAs(sending), answer }, () =>
    concludeSend(services, sending, payment, answer),
  );
}

function sentAs({ id, conversationId, sendCount }: Refund) {
  return { id, conversationId, sendCount };
}

/** Applies an answer that was kept while the database was away, unless the refund was sent again since. */
export async function applyRefundAnswer(
  services: PaymentServices,
  sent: { id: string; conversationId: string; sendCount: number },
  answer: PayoutAnswer | ReversalAnswer,
): Promise<void> {
  const found = await findRefund(services, sent.id);
  if (found?.refund.conversationId === sent.conversationId && found.refund.sendCount === sent.sendCount)
    await concludeSend(services, found.refund, found.payment, answer);
}

/** When a channel's pause ends, ms since 1970; 0 when there was none. */
async function readPause({ db }: PaymentServices, channel: PaymentChannel): Promise<number> {
  const [lease] = await db.all<{ until: number }>(
    sql`SELECT until FROM leases WHERE name = ${CHANNEL_LEASES[channel]}`,
  );
  return lease?.until ?? 0;
}

async function concludeSend(
  services: PaymentServices,
  refund: Refund,
  payment: Payment,
  answer: PayoutAnswer | ReversalAnswer,
): Promise<void> {
  const now = services.now();
  switch (answer.kind) {
    case "accepted":
      await moveRefund(
        services,
        refund.id,
        "accepted",
        {
          providerConversationId: answer.providerConversationId,
          ...WAITS_FOR_NOTHING,
          nextActionAt: now + Math.max(PAYOUT_RESULT_WAIT_MS, payoutLookupDelay(refund.lookupCount)),
        },
        [],
        sameTry(refund),
      );
      return;
    case "already_reversed":
      await applyReversalBefore(services, refund, payment);
      return;
    case "duplicate":
      await moveRefund(services, refund.id, "lost", { ...waits("already_known"), nextActionAt: now });
      return;
    case "unknown":
      await moveRefund(services, refund.id, "lost", {
        ...waits("answer_lost"),
        resultDesc: answerText(answer),
        nextActionAt: now + payoutLookupDelay(refund.lookupCount),
      });
      return;
    case "refused":
      return concludeRefusal(services, refund, answer);
  }
}

async function concludeRefusal(
  services: PaymentServices,
  refund: Refund,
  answer: Extract<PayoutAnswer | ReversalAnswer, { kind: "refused" }>,
): Promise<void> {
  const details = { resultDesc: answerText(answer), waitReason: answer.reason, waitDetail: wordsOf(answer) };
  if (answer.pausesChannel) await pauseChannel(services, CHANNELS[refund.method ?? "transfer"], answer);
  if (answer.pausesChannel || answer.retryAfterMs !== null) {
    const pause = answer.pausesChannel ? PAYOUT_HOLD_MS : (answer.retryAfterMs ?? 60_000);
    const postponed = { ...details, nextActionAt: services.now() + pause };
    await moveRefund(services, refund.id, "postponed", postponed, [], sameTry(refund));
    return;
  }
  await park(services, refund, details, sameTry(refund));
}

/** M-Pesa's own message, for failures that have no code of ours. */
function wordsOf({ message }: { message: string }): string {
  return message.slice(0, 200);
}

/** M-Pesa's answer to the request. `resultCode` is kept for M-Pesa's result of the refund, which alone is final. */
function answerText({ code, message }: { code: string; message: string }): string {
  return `${code}: ${message}`.slice(0, 300);
}

async function postpone(
  services: PaymentServices,
  refund: Refund,
  until: number,
  waitReason: RefundWaitReason,
): Promise<void> {
  await commitBatch(services.db, [
    services.db
      .update(refunds)
      .set({ nextActionAt: until, ...waits(waitReason), updatedAt: services.now() })
      .where(and(eq(refunds.id, refund.id), eq(refunds.state, refund.state), eq(refunds.sendCount, refund.sendCount))),
  ]);
}

/** Parks a refund with its reason, and tells our team and the buyer: once, however often it is tried again. */
async function park(
  services: PaymentServices,
  refund: Refund,
  details: Partial<Refund> & Pick<Refund, "waitReason" | "waitDetail">,
  { event = "blocked", ...only }: SameTry & { event?: "blocked" | "not_found" },
): Promise<boolean> {
  const now = services.now();
  const { id, attemptId, orderId, amount } = refund;
  const buyer = await findBuyer(services.db, attemptId);
  const mail: Mail | null = buyer && {
    to: buyer.email,
    template: "refund_parked",
    data: { name: buyer.name, orderId, amount },
  };
  const told = [
    ...raiseDiscrepancy("refund_parked", id, refundWaitText(details) ?? "", now),
    ...(mail ? [queueEffect("mail", `refund_parked:${id}`, mail, now)] : []),
  ];
  const moved = await moveRefund(services, id, event, { ...details, nextActionAt: null }, told, only);
  if (moved && buyer)
    await services.notifier.notify(buyer.id, orderId === null ? { type: "plan" } : { type: "payment", orderId });
  return moved;
}

/**
 * A reversal whose result didn't come is asked for again: M-Pesa either does it now, or answers that it was done before.
 * `lookupCount` counts how often, and tells that an earlier request may have done it.
 */
async function askAgain(services: PaymentServices, refund: Refund): Promise<void> {
  const now = services.now();
  if (refund.state === "sent") {
    const overdue = { ...waits("result_overdue"), nextActionAt: now };
    if (!(await moveRefund(services, refund.id, "lost", overdue, [], sameTry(refund)))) return;
  }
  const asked = refund.lookupCount + 1;
  const again = { lookupCount: asked, nextActionAt: now };
  const doubt = doubtAfter(refund, asked, now);
  if (!(await moveRefund(services, refund.id, "asked_again", again, doubt, sameTry(refund)))) return;
  const found = await findRefund(services, refund.id);
  if (found?.refund.state === "due") await sendRefund(services, found.refund, found.payment);
}

function doubtAfter(refund: Refund, asked: number, now: number): Statement[] {
  return asked % LOOKUPS_BEFORE_DOUBT === 0
    ? raiseDiscrepancy("refund_in_doubt", refund.id, `M-Pesa was asked ${asked} times and gave no result`, now)
    : [];
}

async function lookUpTransfer(services: PaymentServices, refund: Refund): Promise<void> {
  const gateway = await openGateway(services);
  if (!gateway) return;
  const now = services.now();
  const asked = refund.lookupCount + 1;
  const next = now + payoutLookupDelay(asked);
  // The update checks the count, so only one of two workers asks.
  try {
    await runRaising(services, [
      services.db
        .update(refunds)
        .set({ lookupCount: asked, nextActionAt: next, updatedAt: now })
        .where(
          and(
            eq(refunds.id, refund.id),
            eq(refunds.state, refund.state),
            eq(refunds.lookupCount, refund.lookupCount),
            eq(refunds.sendCount, refund.sendCount),
          ),
        ),
      expectOneChange(),
      ...doubtAfter(refund, asked, now),
    ]);
  } catch (error) {
    if (error instanceof PreconditionFailed) return;
    throw error;
  }
  if (refund.state === "sent")
    await moveRefund(services, refund.id, "lost", { ...waits("result_overdue"), nextActionAt: next });
  const { conversationId, callbackToken } = refund;
  const answer = await gateway.lookUpPayout({ conversationId, callbackToken });
  services.log({ event: "refund_looked_up", refundId: refund.id, answer: answer.kind, lookup: asked });
}

/** The refund with this callback token; null when there is none. */
export async function findRefundByToken(
  services: PaymentServices,
  token: string,
): Promise<Pick<Refund, "id" | "method" | "conversationId"> | null> {
  const [refund] = await services.db
    .select({ id: refunds.id, method: refunds.method, conversationId: refunds.conversationId })
    .from(refunds)
    .where(eq(refunds.callbackToken, token));
  return refund ?? null;
}

/** Applies the result of a transfer, or the answer to its look-up. */
export async function applyTransferReport(
  services: PaymentServices,
  refundId: string,
  report: PayoutReport,
): Promise<CallbackOutcome> {
  const found = await findRefund(services, refundId);
  if (!found) return "unknown_refund";
  const { refund, payment } = found;
  const { outcome } = report;
  // An earlier conversation id of the refund. If it was sent under that id, it is sent twice.
  if (report.conversationId !== null && report.conversationId !== refund.conversationId) {
    const paid = outcome.kind === "done" ? `, and says that it was sent as ${outcome.receipt}` : "";
    return foreignResult(services, refund, `the result names another conversation${paid}`);
  }
  switch (outcome.kind) {
    case "done":
      return finish(services, refund, payment, outcome.receipt, report.amountCents);
    case "failed":
      // A failure frees the conversation id, so it must name the id that failed. A look-up's answer may belong to an
      // earlier one.
      if (report.conversationId === null) return "undecided";
      return concludeFailure(services, refund, outcome, { conversationId: report.conversationId });
    case "not_found": {
      // It may have been sent, and nobody knows how long M-Pesa refuses a second transfer under one id. So a person
      // looks for it in M-Pesa's portal before it is sent again.
      if (refund.lookupCount < LOOKUPS_BEFORE_PARKING) return "undecided";
      const only = { event: "not_found", conversationId: refund.conversationId } as const;
      return (await park(services, refund, waits("no_record"), only)) ? "parked" : "unchanged";
    }
    case "pending":
    case "unknown":
      return "undecided";
  }
}

/** Applies the result of a reversal. */
export async function applyReversalReport(
  services: PaymentServices,
  refundId: string,
  report: ReversalReport,
): Promise<CallbackOutcome> {
  const found = await findRefund(services, refundId);
  if (!found) return "unknown_refund";
  const { refund, payment } = found;
  const { outcome, originalReceipt, providerConversationId } = report;
  if (refund.method !== "reversal") return foreignResult(services, refund, "a reversal was not asked for");
  if (originalReceipt !== null && originalReceipt !== payment.receipt)
    return foreignResult(services, refund, `the result names the payment ${originalReceipt}`);
  switch (outcome.kind) {
    case "done":
      return finish(services, refund, payment, outcome.receipt, report.amountCents);
    case "already_reversed":
      return applyReversalBefore(services, refund, payment);
    case "failed": {
      // A failure of an earlier request says nothing about the last one.
      const isLast =
        refund.providerConversationId === null
          ? refund.sendCount === 1
          : refund.providerConversationId === providerConversationId;
      return isLast ? concludeFailure(services, refund, outcome, sameTry(refund)) : "undecided";
    }
    case "unknown":
      return "undecided";
  }
}

async function foreignResult(services: PaymentServices, { id }: Refund, detail: string): Promise<CallbackOutcome> {
  await recordDiscrepancy(services, "callback_foreign_id", id, detail);
  return "foreign_id";
}

async function concludeFailure(
  services: PaymentServices,
  refund: Refund,
  outcome: Extract<(PayoutReport | ReversalReport)["outcome"], { kind: "failed" }>,
  only: SameTry,
): Promise<CallbackOutcome> {
  if (outcome.pausesChannel) await pauseChannel(services, CHANNELS[refund.method ?? "transfer"], outcome);
  const details = {
    resultCode: outcome.code,
    resultDesc: outcome.message.slice(0, 300),
    waitReason: outcome.reason,
    waitDetail: wordsOf(outcome),
  };
  return (await park(services, refund, details, only)) ? "parked" : "unchanged";
}

/** The time-out URL was called, or the result won't come. Returns the outcome for the callback. */
export async function refundResultLost(services: PaymentServices, refundId: string): Promise<CallbackOutcome> {
  const moved = await moveRefund(services, refundId, "lost", {
    ...waits("queue_timed_out"),
    nextActionAt: services.now() + payoutLookupDelay(0),
  });
  return moved ? "in_doubt" : "unchanged";
}

/**
 * M-Pesa says that the payment was reversed before. After an earlier request of ours, that request did it, and its
 * result may still bring the receipt. Otherwise somebody reversed it by hand, and a person must look.
 */
async function applyReversalBefore(
  services: PaymentServices,
  refund: Refund,
  payment: Payment,
): Promise<CallbackOutcome> {
  const byHand = refund.lookupCount === 0;
  const told = byHand ? alreadyReversed(refund, services.now()) : [];
  return (await completeRefund(services, refund, payment, null, told)) ? "refunded" : "unchanged";
}

function alreadyReversed(refund: Refund, now: number): Statement[] {
  const detail = "M-Pesa had reversed the payment before we asked. Look up who did it, and whether the buyer got it.";
  return raiseDiscrepancy("refund_already_reversed", refund.id, detail, now);
}

/** M-Pesa sent the money. `amountCents`: as it reports. */
async function finish(
  services: PaymentServices,
  refund: Refund,
  payment: Payment,
  receipt: string,
  amountCents: AmountCents,
): Promise<CallbackOutcome> {
  if (amountCents !== null && amountCents !== refund.amount * 100) {
    const reported = amountCents === "unreadable" ? "an amount that cannot be read" : `KES ${amountCents / 100}`;
    const detail = `M-Pesa says ${reported}, the refund is KES ${refund.amount}`;
    await recordDiscrepancy(services, "refund_amount", refund.id, detail);
  }
  if (refund.state === "done") return fillInReceipt(services, refund, receipt);
  if (await completeRefund(services, refund, payment, receipt)) return "refunded";
  // Another result was faster. Its receipt may differ.
  const found = await findRefund(services, refund.id);
  return found?.refund.state === "done" ? fillInReceipt(services, found.refund, receipt) : "unchanged";
}

/** A success of a refund that is done already: it brings the receipt that was missing, or it is a second one. */
async function fillInReceipt(services: PaymentServices, refund: Refund, receipt: string): Promise<CallbackOutcome> {
  if (refund.receipt === receipt) return "unchanged";
  if (refund.receipt !== null) {
    const detail = `sent as ${refund.receipt}${refund.doneBy ? " by hand" : ""} and again as ${receipt}`;
    await recordDiscrepancy(services, "refund_paid_twice", refund.id, detail);
    return "unchanged";
  }
  try {
    const [filled] = await repeatBatch(services.db, [
      services.db
        .update(refunds)
        .set({ receipt, updatedAt: services.now() })
        .where(and(eq(refunds.id, refund.id), isNull(refunds.receipt))),
      resolveDiscrepancies(["refund_already_reversed"], refund.id, "our own request did it", services.now()),
    ]);
    return filled?.meta.changes === 1 ? "applied" : "unchanged";
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    await receiptReused(services, refund.id);
    return "unchanged";
  }
}

function receiptReused(services: PaymentServices, refundId: string): Promise<void> {
  return recordDiscrepancy(services, "refund_receipt_reused", refundId, "the receipt was seen on another refund");
}

/** The refund is done: its state, the ledger, the email and the discrepancies it answers, in one batch. */
async function completeRefund(
  services: PaymentServices,
  refund: Refund,
  payment: Payment,
  receipt: string | null,
  together: Statement[] = [],
): Promise<boolean> {
  const now = services.now();
  const moved = await moveRefund(
    services,
    refund.id,
    "done",
    { receipt, resultCode: "0", ...WAITS_FOR_NOTHING, nextActionAt: null, doneAt: now },
    [...(await doneStatements(services, refund, { receipt, method: refund.method ?? "transfer", now })), ...together],
  );
  if (moved) await tellBuyer(services, refund, payment);
  return moved;
}

/** What follows when a refund is done, whoever sent it: the books, the email to the buyer, and resolved discrepancies. */
export async function doneStatements(
  { db }: Pick<PaymentServices, "db">,
  refund: Pick<Refund, "id" | "attemptId" | "orderId" | "orderItemId" | "amount">,
  { receipt, method, now }: { receipt: string | null; method: RefundMethod; now: number },
): Promise<Statement[]> {
  const { id, attemptId, orderId, orderItemId, amount } = refund;
  const buyer = await findBuyer(db, attemptId);
  const mail: Mail | null = buyer && {
    to: buyer.email,
    template: "refund_sent",
    data: { name: buyer.name, orderId, amount, receipt },
  };
  return [
    ...bookTransaction({
      transactionId: `refund:${id}`,
      legs: refundLegs(method, amount),
      orderId,
      ...(orderItemId && { orderItemId }),
      attemptId,
      refundId: id,
      now,
    }),
    ...(mail ? [queueEffect("mail", `refund_sent:${id}`, mail, now)] : []),
    resolveDiscrepancies(["refund_parked", "refund_in_doubt"], id, "refunded", now),
    resolveDiscrepancies(["payment_for_closed_deal"], attemptId, "refunded", now),
  ];
}

/** Who made this payment; null for a deleted account, because nobody reads its emails. */
async function findBuyer(db: Database, attemptId: string): Promise<{ id: string; email: string; name: string } | null> {
  const [buyer] = await db
    .select({ id: credentials.id, email: credentials.email, name: profiles.fullName, deletedAt: profiles.deletedAt })
    .from(paymentAttempts)
    .innerJoin(credentials, eq(credentials.id, paymentAttempts.userId))
    .leftJoin(profiles, eq(profiles.id, credentials.id))
    .where(eq(paymentAttempts.id, attemptId));
  return buyer && buyer.deletedAt === null ? { ...buyer, name: buyer.name || "there" } : null;
}

/** The toast on the buyer's open pages. */
async function tellBuyer(services: PaymentServices, { orderId, amount }: Refund, payment: Payment): Promise<void> {
  if (orderId === null) return services.notifier.notify(payment.userId, { type: "plan" });
  await services.notifier.notify(payment.userId, {
    type: "payment",
    orderId,
    notice: `KES ${amount.toLocaleString("en-KE")} is back on your M-Pesa`,
  });
}

/**
 * The state that a refund must still have for the change, because what was read before a slow answer may be outdated.
 */
interface SameTry {
  conversationId?: string | undefined;
  /** How often it had been sent. */
  sendCount?: number | undefined;
}

function sameTry({ conversationId, sendCount }: Refund): SameTry {
  return { conversationId, sendCount };
}

/**
 * Moves a refund to its next state, together with the statements of that change, in one guarded batch. Returns false if
 * nothing changed.
 */
async function moveRefund(
  services: PaymentServices,
  refundId: string,
  event: RefundEvent,
  changes: Partial<Refund>,
  together: Statement[] = [],
  only: SameTry = {},
): Promise<boolean> {
  for (let race = 0; race < MAX_RACES; race += 1) {
    const [refund] = await services.db.select().from(refunds).where(eq(refunds.id, refundId));
    const next = refund && nextRefundState(refund.state, event);
    if (!refund || !next) return false;
    if (only.conversationId !== undefined && refund.conversationId !== only.conversationId) return false;
    if (only.sendCount !== undefined && refund.sendCount !== only.sendCount) return false;
    try {
      await runRaising(services, [
        services.db
          .update(refunds)
          .set({ ...changes, state: next, updatedAt: services.now() })
          .where(
            and(eq(refunds.id, refund.id), eq(refunds.state, refund.state), eq(refunds.sendCount, refund.sendCount)),
          ),
        expectOneChange(),
        ...together,
      ]);
      services.log({ event: "refund_moved", refundId, from: refund.state, to: next, by: event });
      return true;
    } catch (error) {
      if (error instanceof UniqueViolation && error.columns.includes("refunds.receipt")) {
        await receiptReused(services, refundId);
        return false;
      }
      // Another worker was faster.
      const isPrecondition = error instanceof PreconditionFailed;
      if (isPrecondition && (event === "claimed" || event === "asked_again")) return false;
      if (!isPrecondition) throw error;
    }
  }
  throw new Error(`refund ${refundId} kept changing while ${event} was applied`);
}

/**
 * The statements that retry a parked refund. They abort their batch if it has changed since it was read, or if an admin
 * has begun to send it by hand since then. If M-Pesa reported that it failed (`resultCode`), a transfer gets a new
 * conversation id, because the old one is refused forever, and no earlier reversal can have worked. Otherwise it may
 * have been sent, so nothing is forgotten.
 */
export function resumeParkedRefund(
  refund: Pick<Refund, "id" | "conversationId" | "resultCode" | "waitReason">,
  now: number,
): Statement[] {
  const failed = refund.resultCode !== null;
  return [
    sql`UPDATE refunds SET state = ${nextRefundState("parked", "retried")}, wait_reason = NULL, wait_detail = NULL, next_action_at = ${now}, updated_at = ${now},
        lookup_count = ${failed ? 0 : sql`CASE WHEN method = ${"transfer" satisfies RefundMethod} THEN 0 ELSE lookup_count END`}, conversation_id = ${failed ? crypto.randomUUID() : refund.conversationId},
        provider_conversation_id = ${failed ? null : sql`provider_conversation_id`}, result_code = NULL, result_desc = ${failed ? null : sql`result_desc`}
      WHERE id = ${refund.id} AND ${stateIs("state", REFUND.isParked)} AND conversation_id = ${refund.conversationId} AND wait_reason IS ${refund.waitReason}`,
    expectOneChange(),
  ];
}
