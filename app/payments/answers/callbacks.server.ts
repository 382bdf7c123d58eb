import { and, asc, eq, gt, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { UniqueViolation, write } from "#app/db/batch.ts";
import { build, hasRow, insertEach } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { isAway } from "#app/db/patience.ts";
import { type Allowance, countOne, isWithin } from "#app/db/rate-counters.ts";
import { CALLBACK, type CallbackOutcome } from "#app/db/states/callback.ts";
import { paymentAttempts, paymentCallbacks, payouts, receiptChecks, refunds } from "#app/payments/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { isForeignSource } from "./callback-sources.ts";
import { raiseDiscrepancy, recordDiscrepancy, runRaising } from "#app/payments/books/discrepancies.server.ts";
import type { AmountCents, PushReport } from "#app/payments/gateway.ts";
import { dayName } from "#app/platform/east-africa-time.ts";
import { RETENTION } from "#app/platform/retention-rules.ts";
import { keep, type NewCallback } from "./kept.server.ts";
import { applyPaymentCheck } from "#app/payments/collect/payment-checks.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { endCheck } from "#app/payments/receipt-checks.server.ts";
import { applyAttemptEvent, receiptUsed } from "#app/payments/collect/settlement.server.ts";
import {
  applyReversalReport,
  applyTransferReport,
  transferResultLost,
} from "#app/payments/transfers/transfer-results.server.ts";
import { applyTransferCheck } from "#app/payments/transfers/transfer-checks.server.ts";
import { findTransferByToken, type Transfer } from "#app/payments/transfers/transfers.server.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/**
 * `push`: the payer's answer. `payout` and `lookup`: the result of any transfer, to a seller or to a buyer. The token
 * tells which. A time-out: the request waited too long in Safaricom's queue.
 */
export type CallbackKind =
  | "push"
  | "payout"
  | "payout_timeout"
  | "lookup"
  | "lookup_timeout"
  | "receipt"
  | "reversal"
  | "reversal_timeout";

/** The maximum length of a stored body, in characters. A real callback has about 600. */
const CALLBACK_MAX_LENGTH = 20_000;
/** How long a callback that failed is tried again, in ms after it came. */
const RETRY_LIFE_MS = DAY_MS;
/** How long storing a callback may take before it is kept elsewhere, ms. */
const STORE_WITHIN_MS = 5_000;
/** How many callbacks without a valid token are stored each day, and how many characters of each. */
const UNKNOWN_CALLBACKS_A_DAY = 50;
const UNKNOWN_CALLBACK_MAX_LENGTH = 2_000;
export const UNKNOWN_TOKEN = "unknown_token" satisfies CallbackOutcome;

/** A callback as it arrived. */
export interface IncomingCallback {
  kind: CallbackKind;
  token: string;
  body: string;
  sourceAddress: string | null;
  requestId: string;
}

/** A callback as it is stored. */
export type StoredCallback = Pick<typeof paymentCallbacks.$inferSelect, "id" | "kind" | "token" | "body" | "requestId">;

/** SQL: the token belongs to a payment, a payout, a refund or a receipt check. */
function isKnownToken(token: string): SQL {
  return sql`(${or(
    hasRow(paymentAttempts, eq(paymentAttempts.callbackToken, token)),
    hasRow(payouts, eq(payouts.callbackToken, token)),
    hasRow(refunds, eq(refunds.callbackToken, token)),
    hasRow(receiptChecks, eq(receiptChecks.token, token)),
  )})`;
}

/**
 * Stores a callback without a valid token. It changes nothing. Only the first ones of a day are stored, cut short, so
 * that nobody can fill the database. All of them are counted for the daily summary.
 */
export async function storeUnknownCallback(services: PaymentServices, input: IncomingCallback): Promise<void> {
  const now = services.now();
  const kept: Allowance = {
    key: unknownCallbacksKey(dayName(now)),
    max: UNKNOWN_CALLBACKS_A_DAY,
    windowMs: 2 * DAY_MS,
  };
  services.log({ event: "callback_of_stranger", level: "warn", kind: input.kind, requestId: input.requestId });
  await write(services.db, [
    countOne(kept, now),
    insertEach(
      paymentCallbacks,
      {
        id: crypto.randomUUID(),
        kind: input.kind,
        token: input.token.slice(0, 100),
        body: input.body.slice(0, UNKNOWN_CALLBACK_MAX_LENGTH),
        sourceAddress: input.sourceAddress,
        requestId: input.requestId,
        receivedAt: now,
        appliedAt: now,
        outcome: UNKNOWN_TOKEN,
      },
      sql`FROM (SELECT 1) WHERE ${isWithin(kept)}`,
    ),
  ]);
}

/** The counter of a day's callbacks without a valid token. `day` as YYYY-MM-DD. */
export function unknownCallbacksKey(day: string): string {
  return `stranger_callbacks:${day}`;
}

/**
 * Gives a callback the id of its row. Long bodies are cut, which also makes them unreadable. `applyCallback` gets the
 * cut body, so that the outcome agrees with the row.
 */
function newCallback({ now }: PaymentServices, input: IncomingCallback): NewCallback {
  const { kind, sourceAddress, requestId } = input;
  const [token, body] = [input.token.slice(0, 100), input.body.slice(0, CALLBACK_MAX_LENGTH)];
  return { id: crypto.randomUUID(), kind, token, body, sourceAddress, requestId, receivedAt: now() };
}

/** What became of a callback: stored, or of nothing of ours, or kept under this key because the database is away. */
export type Taken = { kind: "stored"; stored: StoredCallback } | { kind: "unknown" } | { kind: "kept"; key: string };

/**
 * Takes a callback before anything is decided, because Safaricom sends it once. One round trip. If the database doesn't
 * take it at once, whatever the reason is, the private bucket does. `mayKeep` is asked first.
 * @throws when the bucket fails, too, or `mayKeep` says no
 */
export async function takeCallback(
  services: PaymentServices,
  input: IncomingCallback,
  mayKeep: () => Promise<boolean>,
): Promise<Taken> {
  const callback = newCallback(services, input);
  try {
    const patience = { ...services.db.patience, repeatForMs: 0, tryMs: STORE_WITHIN_MS };
    const stored = await storeNewCallback(services, callback, patience);
    return stored ? { kind: "stored", stored } : { kind: "unknown" };
  } catch (error) {
    services.log({
      event: "callback_not_stored",
      level: "error",
      kind: input.kind,
      error: String(error).slice(0, 200),
    });
    if (!(await mayKeep())) throw error;
    return { kind: "kept", key: await keep(services, { kind: "callback", callback }) };
  }
}

/**
 * Stores a callback as it came, unless it is stored already. Returns what it stored; null, without a trace, if nothing
 * of ours has its token. One round trip. A callback from a foreign address is stored and applied like any other, and
 * flagged in the log and on the money page.
 */
async function storeNewCallback(
  services: PaymentServices,
  callback: NewCallback,
  patience = services.db.patience,
): Promise<StoredCallback | null> {
  const { id, kind, token, body, sourceAddress, requestId } = callback;
  const stored = insertEach(paymentCallbacks, callback, sql`FROM (SELECT 1) WHERE ${isKnownToken(token)}`);
  const found = build.select({ id: paymentCallbacks.id }).from(paymentCallbacks).where(eq(paymentCallbacks.id, id));
  const { rows } = await write(services.db, { stored: stored.onConflictDoNothing(), rows: found }, patience);
  if (rows.length === 0) return null;
  if (isForeignSource(sourceAddress))
    services.log({ event: "callback_from_elsewhere", level: "warn", callbackId: id, kind, requestId });
  return { id, kind, token, body, requestId };
}

/** Stores a callback that was kept while the database was away, and applies it. Safe to repeat. */
export async function applyKeptCallback(services: PaymentServices, callback: NewCallback): Promise<void> {
  const stored = await storeNewCallback(services, callback);
  if (!stored) return storeUnknownCallback(services, callback);
  const [row] = await services.db
    .select({ appliedAt: paymentCallbacks.appliedAt })
    .from(paymentCallbacks)
    .where(eq(paymentCallbacks.id, callback.id));
  if (row?.appliedAt === null) await applyLeftoverCallback(services, stored);
}

/** Applies a stored callback and stores the outcome with it. Safe to repeat. */
export async function applyCallback(
  services: PaymentServices,
  { id, kind, token, body, requestId }: StoredCallback,
): Promise<CallbackOutcome> {
  const outcome = await APPLIERS[kind](services, token, body);
  await write(services.db, [
    build.update(paymentCallbacks).set({ appliedAt: services.now(), outcome }).where(eq(paymentCallbacks.id, id)),
  ]);
  services.log({ event: "callback_applied", callbackId: id, kind, outcome, requestId });
  return outcome;
}

const APPLIERS: Record<
  CallbackKind,
  (services: PaymentServices, token: string, body: string) => Promise<CallbackOutcome>
> = {
  push: applyPushCallback,
  payout: (services, token, body) =>
    applyToTransfer(services, token, services.gateway.readPayoutResult(body), applyTransferReport),
  lookup: (services, token, body) =>
    applyToTransfer(services, token, services.gateway.readPayoutLookup(body), applyTransferReport),
  receipt: applyReceiptCheck,
  reversal: (services, token, body) =>
    applyToTransfer(services, token, services.gateway.readReversalResult(body), applyReversalReport),
  // A time-out only says that Safaricom's queue was slow. The money may still be sent (docs/m-pesa.md, "Results of a
  // payout").
  payout_timeout: applyTimeout,
  reversal_timeout: applyTimeout,
  lookup_timeout: async (services, token) => {
    // A transfer is looked up again by the job, a receipt only by its admin.
    await endCheck(services, token, "M-Pesa was too busy to answer, so enter it again");
    return "lookup_timed_out";
  },
};

async function applyReceiptCheck(services: PaymentServices, token: string, body: string): Promise<CallbackOutcome> {
  const [check] = await services.db.select().from(receiptChecks).where(eq(receiptChecks.token, token));
  if (!check) return UNKNOWN_TOKEN;
  if (check.answeredAt !== null) return "unchanged";
  const { attemptId } = check;
  return attemptId === null
    ? applyTransferCheck(services, check, body)
    : applyPaymentCheck(services, { ...check, attemptId }, body);
}

async function applyPushCallback(services: PaymentServices, token: string, body: string): Promise<CallbackOutcome> {
  const [attempt] = await services.db.select().from(paymentAttempts).where(eq(paymentAttempts.callbackToken, token));
  if (!attempt) return UNKNOWN_TOKEN;
  const report = services.gateway.readPushCallback(body);
  if (!report) return "unreadable";
  const { checkoutRequestId } = report;
  if (attempt.checkoutRequestId !== null && checkoutRequestId !== attempt.checkoutRequestId) {
    await recordDiscrepancy(services, "callback_foreign_id", attempt.id, "the callback names another checkout request");
    return "foreign_id";
  }
  switch (report.outcome.kind) {
    case "done":
      return applySuccess(services, attempt, report);
    case "failed":
      return applyAttemptEvent(services, attempt.id, {
        event: "declined",
        code: report.code,
        message: report.message,
        reason: report.outcome.reason,
        checkoutRequestId,
      });
    case "pending":
    case "unknown":
      await askSoon(services, attempt.id, report);
      return "undecided";
  }
}

/** A callback of the attempt reports that it was paid. */
async function applySuccess(
  services: PaymentServices,
  attempt: typeof paymentAttempts.$inferSelect,
  report: PushReport,
): Promise<CallbackOutcome> {
  const { receipt, checkoutRequestId } = report;
  const mismatch = amountMismatch(attempt.amount, report.amountCents);
  if (mismatch)
    return applyAttemptEvent(services, attempt.id, {
      event: "mismatched",
      detail: `the callback ${mismatch}`,
      receipt,
    });
  // Without an amount or a receipt the callback proves nothing. A payment that a query has confirmed needs only the
  // receipt.
  if (receipt === null || (report.amountCents === null && attempt.state !== "succeeded"))
    return recordUnprovenSuccess(services, attempt, { receipt, checkoutRequestId });
  return applyAttemptEvent(services, attempt.id, { event: "paid", receipt, paidAt: report.paidAt, checkoutRequestId });
}

/**
 * M-Pesa sends a callback when a prompt is over, also with a code that we don't know. So the job asks at once instead
 * of when it next would, and compares the answer with this code (`queryAttempt`).
 */
async function askSoon(
  services: PaymentServices,
  attemptId: string,
  { code, checkoutRequestId }: Pick<PushReport, "code" | "checkoutRequestId">,
): Promise<void> {
  const now = services.now();
  await write(services.db, [
    build
      .update(paymentAttempts)
      .set({
        nextQueryAt: now,
        checkoutRequestId: sql`COALESCE(${paymentAttempts.checkoutRequestId}, ${checkoutRequestId})`,
        resultCode: sql`COALESCE(${paymentAttempts.resultCode}, ${code})`,
        updatedAt: now,
      })
      .where(and(eq(paymentAttempts.id, attemptId), stateIs(paymentAttempts.state, ATTEMPT.isLive))),
  ]);
}

/** How a reported amount differs from the amount asked for (KES); null when it doesn't, or when none was reported. */
function amountMismatch(asked: number, reported: AmountCents): string | null {
  if (reported === null || reported === asked * 100) return null;
  return reported === "unreadable"
    ? `has an amount that cannot be read, the payment is KES ${asked}`
    : `says KES ${reported / 100}, the payment is KES ${asked}`;
}

/**
 * Stores a success without an amount or a receipt, raises a discrepancy, and asks M-Pesa at once. `resultCode` "0" on
 * an attempt that isn't settled marks it: a failure after it is a contradiction (`settlement.server.ts`).
 */
async function recordUnprovenSuccess(
  services: PaymentServices,
  attempt: typeof paymentAttempts.$inferSelect,
  { receipt, checkoutRequestId }: Pick<PushReport, "receipt" | "checkoutRequestId">,
): Promise<CallbackOutcome> {
  if (attempt.state === "succeeded") return "unchanged";
  const now = services.now();
  try {
    await runRaising(services, [
      // If the answer to the prompt request was lost, the callback's id is the only one to query with.
      build
        .update(paymentAttempts)
        .set({
          nextQueryAt: now,
          checkoutRequestId: sql`COALESCE(${paymentAttempts.checkoutRequestId}, ${checkoutRequestId})`,
          receipt: sql`COALESCE(${paymentAttempts.receipt}, ${receipt})`,
          resultCode: "0",
          updatedAt: now,
        })
        .where(and(eq(paymentAttempts.id, attempt.id), stateIs(paymentAttempts.state, ATTEMPT.isUnpaid))),
      ...raiseDiscrepancy("payment_in_doubt", attempt.id, "a callback reported success without amount or receipt", now),
    ]);
  } catch (error) {
    if (error instanceof UniqueViolation && error.columns.includes("payment_attempts.receipt") && receipt !== null)
      return applyAttemptEvent(services, attempt.id, receiptUsed(receipt));
    throw error;
  }
  return "awaiting_query";
}

/** Applies a report to the transfer that the token belongs to. */
async function applyToTransfer<Report>(
  services: PaymentServices,
  token: string,
  report: Report | null,
  apply: (services: PaymentServices, transfer: Transfer, report: Report) => Promise<CallbackOutcome>,
): Promise<CallbackOutcome> {
  const transfer = await findTransferByToken(services, token);
  if (!transfer) return UNKNOWN_TOKEN;
  return report ? apply(services, transfer, report) : "unreadable";
}

async function applyTimeout(services: PaymentServices, token: string): Promise<CallbackOutcome> {
  const transfer = await findTransferByToken(services, token);
  return transfer ? transferResultLost(services, transfer) : UNKNOWN_TOKEN;
}

/**
 * The query for callbacks that were stored but not applied, because the worker was stopped in between. Those that
 * failed before come last, and are left after a day to the person who was told. One that nobody has tried is never too
 * old, because nobody knows of it. Send it in a batch.
 */
export function leftoverCallbacks(db: Database, now: number, limit: number) {
  const { id, kind, token, body, requestId, receivedAt, appliedAt, outcome } = paymentCallbacks;
  return db
    .select({ id, kind, token, body, requestId })
    .from(paymentCallbacks)
    .where(
      and(
        isNull(appliedAt),
        lt(receivedAt, now - 5_000),
        // Each branch has an index of its own.
        or(isNull(outcome), and(stateIs(outcome, CALLBACK.hasFailed), gt(receivedAt, now - RETRY_LIFE_MS))),
      ),
    )
    .orderBy(isNotNull(outcome), asc(receivedAt))
    .limit(limit);
}

/**
 * Applies a callback that was left over. If it fails, it raises a discrepancy. A database that is away is no failure:
 * the next run tries again.
 * @throws DatabaseAway or D1's own error while the database is away
 */
export async function applyLeftoverCallback(services: PaymentServices, callback: StoredCallback): Promise<void> {
  try {
    await applyCallback(services, callback);
  } catch (error) {
    if (isAway(error)) throw error;
    await write(services.db, [
      build.update(paymentCallbacks).set({ outcome: "failed" }).where(eq(paymentCallbacks.id, callback.id)),
    ]);
    await recordDiscrepancy(services, "callback_failed", callback.id, String(error));
  }
}

/** Deletes old callbacks without a valid token. Returns how many. */
export async function deleteUnknownCallbacks({ db, now }: Store): Promise<number> {
  const { outcome, receivedAt } = paymentCallbacks;
  // The outcome as text, so that its index serves.
  const isUnknown = sql`${outcome} = ${sql.raw(`'${UNKNOWN_TOKEN}'`)}`;
  const { deleted } = await write(db, {
    deleted: build
      .delete(paymentCallbacks)
      .where(and(isUnknown, lt(receivedAt, now() - RETENTION.unknown_callbacks.keptMs))),
  });
  return deleted.meta.changes;
}
