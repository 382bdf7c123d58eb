import { and, asc, type Column, eq, getTableColumns, lte, type SQL, sql } from "drizzle-orm";
import type { Mail } from "#app/platform/mailer.ts";
import { readPhone } from "#app/accounts/phone.ts";
import {
  commitBatch,
  expectOneChange,
  expectThat,
  PreconditionFailed,
  type Statement,
  UniqueViolation,
} from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";
import { queueEffect } from "#app/db/outbox.ts";
import type { CallbackOutcome } from "#app/db/states/callback.ts";
import { credentials, payoutItems, payouts, profiles } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { PAYOUT, type PayoutReason } from "#app/db/states/payout.ts";
import { raiseDiscrepancy, recordDiscrepancy, resolveDiscrepancies, runRaising } from "./discrepancies.server.ts";
import { isAway } from "#app/db/patience.ts";
import { type PayoutAnswer, type PayoutReport, UNSENT } from "./gateway.ts";
import { openGateway } from "./open-gateway.server.ts";
import { bookPayout, hasReportedItem, hasUnconfirmedItem } from "./item-money.server.ts";
import { applyOrKeep, keepOrLog } from "./kept.server.ts";
import { CHANNEL_LEASES, pauseChannel } from "./paused-channels.server.ts";
import { payoutReasonText } from "./payment-texts.ts";
import {
  canSellerRetry,
  nextPayoutState,
  PAYOUT_HOLD_MS,
  PAYOUT_RESULT_WAIT_MS,
  PAYOUT_SEND_WAIT_MS,
  type PayoutEvent,
  payoutLookupDelay,
  refusePayoutAmount,
} from "./payout-rules.ts";
import type { PaymentServices } from "./payment-services.ts";

type Payout = typeof payouts.$inferSelect;

const MAX_RACES = 6;
/** M-Pesa may answer a look-up before it has recorded the payout, so only this many answers without a record count. */
const LOOKUPS_BEFORE_PARKING = 3;
const LOOKUPS_BEFORE_DOUBT = 5;

/**
 * Takes the next step of one payout: sends it when it is due, or looks it up when it is uncertain. Nothing happens
 * before its time, while payouts are paused, or before a query has confirmed the buyer's payment. Safe to call twice at
 * once, because a conditional update claims it.
 */
export async function advancePayout(services: PaymentServices, payoutId: string): Promise<void> {
  const payout = await findPayout(services, payoutId);
  if (!payout || payout.nextActionAt === null || payout.nextActionAt > services.now()) return;
  switch (payout.state) {
    case "due":
      return sendPayout(services, payout);
    case "sending":
      // A worker was stopped after claiming it, so the payout may have been sent.
      await movePayout(services, payout.id, "lost", {
        reasonCode: "answer_lost",
        reason: null,
        nextActionAt: services.now(),
      });
      return;
    case "sent":
    case "unknown":
      return lookUpPayout(services, payout);
    case "paid":
    case "parked":
      return;
  }
}

function sameTry({ conversationId, sendCount, amount }: Payout): SameTry {
  return { conversationId, sendCount, amount };
}

/** SQL: how many items a payout pays for. */
export function itemsOf(payoutId: Column): SQL<number> {
  return sql<number>`(SELECT COUNT(*) FROM payout_items s WHERE s.payout_id = ${payoutId})`;
}

async function findPayout(services: PaymentServices, payoutId: string): Promise<Payout | null> {
  const [payout] = await services.db.select().from(payouts).where(eq(payouts.id, payoutId));
  return payout ?? null;
}

async function sendPayout(services: PaymentServices, payout: Payout): Promise<void> {
  const conditions = await readPayoutConditions(services, payout);
  const obstacle = payoutObstacle(payout, conditions.phone);
  if (obstacle !== null) {
    await park(services, payout, { reasonCode: obstacle, reason: null }, sameTry(payout));
    return;
  }
  const phone = readPhone(conditions.phone ?? "");
  if (!phone.ok) return;
  if (conditions.heldUntil > services.now()) return postpone(services, payout, conditions.heldUntil, "payouts_paused");
  if (conditions.numberHeldUntil > services.now())
    return postpone(services, payout, conditions.numberHeldUntil, "number_changed");
  if (conditions.isReported) return postpone(services, payout, services.now() + 60_000, "reported");
  if (!conditions.paymentConfirmed) return postpone(services, payout, services.now() + 60_000, "payment_unconfirmed");

  const gateway = await openGateway(services);
  if (!gateway) return;
  const noReport = expectThat(sql`NOT ${hasReportedItem(sql`${payout.id}`)}`);
  const claim = {
    phone: phone.phone,
    sendCount: payout.sendCount + 1,
    sentAt: services.now(),
    nextActionAt: services.now() + PAYOUT_SEND_WAIT_MS,
  };
  const sending = { ...payout, sendCount: claim.sendCount };
  try {
    if (!(await movePayout(services, payout.id, "claimed", claim, [noReport], sameTry(payout)))) return;
  } catch (error) {
    // The claim may have been written. Nothing was sent.
    if (isAway(error)) await keepOrLog(services, { kind: "payout", payout: sentAs(sending), answer: UNSENT });
    throw error;
  }
  const answer = await gateway.payOut({
    conversationId: payout.conversationId,
    callbackToken: payout.callbackToken,
    phone: phone.phone,
    amount: payout.amount,
    remarks: conditions.items === 1 ? `Chuoni ${payout.orderItemId.slice(0, 8)}` : `Chuoni ${conditions.items} items`,
  });
  await applyOrKeep(services, { kind: "payout", payout: sentAs(sending), answer }, () =>
    concludeSend(services, sending, answer),
  );
}

function sentAs({ id, conversationId, sendCount }: Payout) {
  return { id, conversationId, sendCount };
}

/** Applies an answer that was kept while the database was away, unless the payout was sent again since. */
export async function applyPayoutAnswer(
  services: PaymentServices,
  sent: { id: string; conversationId: string; sendCount: number },
  answer: PayoutAnswer,
): Promise<void> {
  const payout = await findPayout(services, sent.id);
  if (payout?.conversationId === sent.conversationId && payout.sendCount === sent.sendCount)
    await concludeSend(services, payout, answer);
}

/**
 * The conditions for sending money: payouts aren't paused, the seller has a number that didn't change recently, and
 * queries have confirmed the payments of all items.
 */
async function readPayoutConditions(services: PaymentServices, payout: Payout) {
  const [row] = await services.db
    .select({
      phone: profiles.phone,
      heldUntil: sql<number | null>`(SELECT until FROM leases WHERE name = ${CHANNEL_LEASES.payouts})`,
      numberHeldUntil: profiles.payoutsHeldUntil,
      unconfirmed: sql<number>`${hasUnconfirmedItem("payouts.id")}`,
      reported: sql<number>`${hasReportedItem("payouts.id")}`,
      items: itemsOf(payouts.id),
    })
    .from(payouts)
    .leftJoin(profiles, eq(profiles.id, payouts.sellerId))
    .where(eq(payouts.id, payout.id));
  return {
    phone: row?.phone ?? null,
    heldUntil: row?.heldUntil ?? 0,
    numberHeldUntil: row?.numberHeldUntil ?? 0,
    isReported: row?.reported === 1,
    paymentConfirmed: row?.unconfirmed === 0,
    items: row?.items ?? 0,
  };
}

function payoutObstacle(payout: Payout, phone: string | null): PayoutReason | null {
  const amountRefusal = refusePayoutAmount(payout.amount);
  if (amountRefusal) return amountRefusal;
  if (!phone) return "no_phone";
  return readPhone(phone).ok ? null : "unreadable_phone";
}

async function concludeSend(services: PaymentServices, payout: Payout, answer: PayoutAnswer): Promise<void> {
  const now = services.now();
  switch (answer.kind) {
    case "accepted":
      await movePayout(services, payout.id, "accepted", {
        providerConversationId: answer.providerConversationId,
        ...NO_REASON,
        nextActionAt: now + PAYOUT_RESULT_WAIT_MS,
      });
      return;
    case "duplicate":
      await movePayout(services, payout.id, "lost", {
        reasonCode: "already_known",
        reason: null,
        nextActionAt: now,
      });
      return;
    case "unknown":
      await movePayout(services, payout.id, "lost", {
        reasonCode: "answer_lost",
        reason: null,
        resultDesc: answerText(answer),
        nextActionAt: now + payoutLookupDelay(0),
      });
      return;
    case "refused":
      return concludeRefusal(services, payout, answer);
  }
}

async function concludeRefusal(
  services: PaymentServices,
  payout: Payout,
  answer: Extract<PayoutAnswer, { kind: "refused" }>,
): Promise<void> {
  const now = services.now();
  const details = {
    resultDesc: answerText(answer),
    reasonCode: answer.reason,
    reason: wordsOf(answer),
  };
  if (answer.pausesChannel) await pauseChannel(services, "payouts", answer);
  if (answer.pausesChannel || answer.retryAfterMs !== null) {
    const pause = answer.pausesChannel ? PAYOUT_HOLD_MS : (answer.retryAfterMs ?? 60_000);
    const postponed = { ...details, nextActionAt: now + pause };
    await movePayout(services, payout.id, "postponed", postponed, [], sameTry(payout));
    return;
  }
  await park(services, payout, details, sameTry(payout));
}

/** M-Pesa's own message, for failures that have no code of ours. */
function wordsOf({ message }: { message: string }): string {
  return message.slice(0, 200);
}

const NO_REASON = { reasonCode: null, reason: null };

/** M-Pesa's answer to the request. `resultCode` is kept for M-Pesa's result of the payout, which alone is final. */
function answerText({ code, message }: { code: string; message: string }): string {
  return `${code}: ${message}`.slice(0, 300);
}

async function postpone(
  services: PaymentServices,
  payout: Payout,
  until: number,
  reasonCode: PayoutReason,
): Promise<void> {
  await commitBatch(services.db, [
    services.db
      .update(payouts)
      .set({ nextActionAt: until, reasonCode, reason: null, updatedAt: services.now() })
      .where(and(eq(payouts.id, payout.id), eq(payouts.state, payout.state))),
  ]);
}

/**
 * Parks a payout with its reason, and tells our team and the seller. The seller gets one email for each conversation
 * id. The last argument names the decision's subject, so that a late report never parks a payout that was sent again
 * since.
 */
async function park(
  services: PaymentServices,
  payout: Payout,
  details: Partial<Payout> & Pick<Payout, "reasonCode" | "reason">,
  { event = "blocked", ...only }: SameTry & { event?: "blocked" | "not_found" },
): Promise<boolean> {
  const now = services.now();
  const seller = await findSeller(services, payout);
  const reason = payoutReasonText(details) ?? "";
  const mail: Mail | null = seller && {
    to: seller.email,
    template: "payout_parked",
    data: {
      name: seller.name || "there",
      orderItemId: payout.orderItemId,
      items: seller.items,
      amount: payout.amount,
      reason,
    },
  };
  const together = [
    ...raiseDiscrepancy("payout_parked", payout.id, reason, now),
    ...(mail ? [queueEffect("mail", `payout_parked:${payout.id}:${payout.conversationId}`, mail, now)] : []),
  ];
  const parked = { ...details, nextActionAt: null };
  const moved = await movePayout(services, payout.id, event, parked, together, only);
  if (moved)
    await services.notifier.notify(payout.sellerId, {
      type: "payout",
      orderItemId: payout.orderItemId,
      notice: "A payout needs attention",
      shownOn: `/seller/orders/${payout.orderItemId}`,
    });
  return moved;
}

async function lookUpPayout(services: PaymentServices, payout: Payout): Promise<void> {
  const gateway = await openGateway(services);
  if (!gateway) return;
  const now = services.now();
  const next = now + payoutLookupDelay(payout.lookupCount + 1);
  // The update checks the due time, so only one of two workers claims the payout.
  try {
    await runRaising(services, [
      services.db
        .update(payouts)
        .set({ lookupCount: payout.lookupCount + 1, nextActionAt: next, updatedAt: now })
        .where(
          and(eq(payouts.id, payout.id), eq(payouts.state, payout.state), eq(payouts.lookupCount, payout.lookupCount)),
        ),
      expectOneChange(),
      ...(payout.lookupCount + 1 === LOOKUPS_BEFORE_DOUBT
        ? raiseDiscrepancy("payout_in_doubt", payout.id, "Five look-ups brought no answer", now)
        : []),
    ]);
  } catch (error) {
    if (error instanceof PreconditionFailed) return;
    throw error;
  }
  if (payout.state === "sent")
    await movePayout(services, payout.id, "lost", {
      reasonCode: "result_overdue",
      reason: null,
      nextActionAt: next,
    });
  const answer = await gateway.lookUpPayout({
    conversationId: payout.conversationId,
    callbackToken: payout.callbackToken,
  });
  services.log({ event: "payout_looked_up", payoutId: payout.id, answer: answer.kind, lookup: payout.lookupCount + 1 });
}

/** Applies a result, or the answer to a look-up. */
export async function applyPayoutReport(
  services: PaymentServices,
  payoutId: string,
  report: PayoutReport,
): Promise<CallbackOutcome> {
  const payout = await findPayout(services, payoutId);
  if (!payout) return "unknown_payout";
  const { outcome } = report;
  switch (outcome.kind) {
    case "done": {
      const { amountCents } = report;
      if (amountCents !== null && amountCents !== payout.amount * 100) {
        const reported = amountCents === "unreadable" ? "an amount that cannot be read" : `KES ${amountCents / 100}`;
        await recordDiscrepancy(
          services,
          "payout_amount",
          payout.id,
          `M-Pesa says ${reported}, the payout is KES ${payout.amount}`,
        );
      }
      return settlePayout(services, payout, outcome.receipt);
    }
    case "failed": {
      // A failure frees the conversation id, so it must name the id that failed. A look-up's answer may belong to an
      // earlier one.
      if (report.conversationId === null) return "undecided";
      const details = {
        resultCode: outcome.code,
        resultDesc: outcome.message.slice(0, 300),
        reasonCode: outcome.reason,
        reason: wordsOf(outcome),
      };
      if (outcome.pausesChannel) await pauseChannel(services, "payouts", outcome);
      const parked = await park(services, payout, details, { conversationId: report.conversationId });
      return parked ? "parked" : "unchanged";
    }
    case "not_found": {
      // It may have been paid, and nobody knows how long M-Pesa refuses a second payout under one id. So a person looks
      // for it in M-Pesa's portal before it is sent again.
      if (payout.lookupCount < LOOKUPS_BEFORE_PARKING) return "undecided";
      const noRecord = { reasonCode: "no_record", reason: null } as const;
      const parked = await park(services, payout, noRecord, {
        event: "not_found",
        conversationId: payout.conversationId,
      });
      return parked ? "parked" : "unchanged";
    }
    case "pending":
    case "unknown":
      return "undecided";
  }
}

/**
 * The time-out URL was called, or the result won't come, so the payout is looked up. Returns the outcome for the
 * callback.
 */
export async function payoutResultLost(services: PaymentServices, token: string): Promise<CallbackOutcome> {
  const [payout] = await services.db.select().from(payouts).where(eq(payouts.callbackToken, token));
  if (!payout) return "unknown_token";
  const moved = await movePayout(services, payout.id, "lost", {
    reasonCode: "queue_timed_out",
    reason: null,
    nextActionAt: services.now() + payoutLookupDelay(0),
  });
  return moved ? "in_doubt" : "unchanged";
}

async function settlePayout(services: PaymentServices, payout: Payout, receipt: string): Promise<CallbackOutcome> {
  if (payout.state === "paid") {
    if (payout.receipt !== receipt)
      await recordDiscrepancy(
        services,
        "payout_paid_twice",
        payout.id,
        `paid as ${payout.receipt} and again as ${receipt}`,
      );
    return "unchanged";
  }
  const now = services.now();
  const seller = await findSeller(services, payout);
  const mail: Mail | null = seller && {
    to: seller.email,
    template: "payout_sent",
    data: {
      name: seller.name || "there",
      orderItemId: payout.orderItemId,
      items: seller.items,
      amount: payout.amount,
      transactionId: receipt,
    },
  };
  const moved = await movePayout(
    services,
    payout.id,
    "paid",
    { receipt, resultCode: "0", ...NO_REASON, nextActionAt: null, settledAt: now },
    [
      ...bookPayout(payout.id, now),
      ...(mail ? [queueEffect("mail", `payout_sent:${payout.id}`, mail, now)] : []),
      resolveDiscrepancies(["payout_parked", "payout_in_doubt"], payout.id, "paid after all", now),
    ],
  );
  if (!moved) return "unchanged";
  await services.notifier.notify(payout.sellerId, {
    type: "payout",
    orderItemId: payout.orderItemId,
    notice: `KES ${payout.amount.toLocaleString("en-KE")} is on your M-Pesa`,
  });
  return "paid";
}

/** The seller of a payout, and how many items it pays for. */
async function findSeller(services: PaymentServices, payout: Payout) {
  const [seller] = await services.db
    .select({ email: credentials.email, name: profiles.fullName, items: itemsOf(payouts.id) })
    .from(payouts)
    .innerJoin(credentials, eq(credentials.id, payouts.sellerId))
    .leftJoin(profiles, eq(profiles.id, credentials.id))
    .where(eq(payouts.id, payout.id));
  return seller ?? null;
}

/**
 * The state that a payout must still have for the change, because what was read before a slow answer may be outdated.
 */
interface SameTry {
  conversationId?: string | undefined;
  /** How often it had been sent. */
  sendCount?: number | undefined;
  /** KES. Items may join a payout until it is sent. */
  amount?: number | undefined;
}

/**
 * Moves a payout to its next state, together with the statements of that change, in one guarded batch. Returns false if
 * nothing changed.
 */
async function movePayout(
  services: PaymentServices,
  payoutId: string,
  event: PayoutEvent,
  changes: Partial<Payout>,
  together: Statement[] = [],
  only: SameTry = {},
): Promise<boolean> {
  for (let race = 0; race < MAX_RACES; race += 1) {
    const payout = await findPayout(services, payoutId);
    const next = payout && nextPayoutState(payout.state, event);
    if (!payout || !next) return false;
    if (only.conversationId !== undefined && payout.conversationId !== only.conversationId) return false;
    if (only.sendCount !== undefined && payout.sendCount !== only.sendCount) return false;
    if (only.amount !== undefined && payout.amount !== only.amount) return false;
    try {
      await runRaising(services, [
        services.db
          .update(payouts)
          .set({ ...changes, state: next, updatedAt: services.now() })
          .where(
            and(
              eq(payouts.id, payout.id),
              eq(payouts.state, payout.state),
              eq(payouts.sendCount, payout.sendCount),
              eq(payouts.amount, payout.amount),
            ),
          ),
        expectOneChange(),
        ...together,
      ]);
      services.log({ event: "payout_moved", payoutId, from: payout.state, to: next, by: event });
      return true;
    } catch (error) {
      if (error instanceof UniqueViolation && error.columns.includes("payouts.transaction_id")) {
        await recordDiscrepancy(
          services,
          "payout_receipt_reused",
          payoutId,
          "the transaction id was seen on another payout",
        );
        return false;
      }
      if (event === "claimed" && error instanceof PreconditionFailed) return false;
      if (!(error instanceof PreconditionFailed)) throw error;
    }
  }
  throw new Error(`payout ${payoutId} kept changing while ${event} was applied`);
}

/** The query for due payouts, oldest first, at most `limit`. Send it in a batch. */
export function duePayouts(db: Database, now: number, limit: number) {
  return db
    .select({ id: payouts.id })
    .from(payouts)
    .where(lte(payouts.nextActionAt, now))
    .orderBy(asc(payouts.nextActionAt))
    .limit(limit);
}

export type RetryResult = { ok: true; payoutId: string } | { ok: false; code: "not_found" | "not_parked" };

/** Retries the parked payout of a seller's item if the seller can fix the cause; see `resumeParked`. */
export async function retryPayout(
  services: PaymentServices,
  input: { orderItemId: string; sellerId: string },
): Promise<RetryResult> {
  const [payout] = await services.db
    .select(getTableColumns(payouts))
    .from(payouts)
    .innerJoin(payoutItems, eq(payoutItems.payoutId, payouts.id))
    .where(and(eq(payoutItems.orderItemId, input.orderItemId), eq(payouts.sellerId, input.sellerId)));
  if (!payout) return { ok: false, code: "not_found" };
  if (payout.state !== "parked" || !canSellerRetry(payout.reasonCode)) return { ok: false, code: "not_parked" };
  try {
    await commitBatch(services.db, resumeParked(payout, services.now()));
  } catch (error) {
    if (error instanceof PreconditionFailed) return { ok: false, code: "not_parked" };
    throw error;
  }
  services.log({ event: "payout_moved", payoutId: payout.id, from: "parked", to: "due", by: "retried" });
  return { ok: true, payoutId: payout.id };
}

/**
 * The statements that retry a parked payout. They abort their batch if it has changed since it was read, or if an admin
 * has begun to send it by hand since then. If M-Pesa reported that this payout failed (`resultCode`), it gets a new
 * conversation id, because the old one is refused forever. Otherwise it keeps its id, because it may have been paid and
 * must not be paid again.
 */
export function resumeParked(
  payout: Pick<Payout, "id" | "conversationId" | "resultCode" | "reasonCode">,
  now: number,
): Statement[] {
  const failed = payout.resultCode !== null;
  return [
    sql`UPDATE payouts SET state = ${nextPayoutState("parked", "retried")}, reason_code = NULL, reason = NULL, next_action_at = ${now}, lookup_count = 0, updated_at = ${now},
        conversation_id = ${failed ? crypto.randomUUID() : payout.conversationId}, provider_conversation_id = ${failed ? null : sql`provider_conversation_id`},
        result_code = NULL, result_desc = ${failed ? null : sql`result_desc`}
      WHERE id = ${payout.id} AND ${stateIs("state", PAYOUT.isParked)} AND conversation_id = ${payout.conversationId} AND reason_code IS ${payout.reasonCode}`,
    expectOneChange(),
  ];
}
