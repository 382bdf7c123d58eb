import { and, asc, desc, eq, lte, sql } from "drizzle-orm";
import { expectOneChange, PreconditionFailed, repeatBatch, type Statement } from "#app/db/batch.ts";
import { isAway } from "#app/db/patience.ts";
import { takeLease } from "#app/db/leases.ts";
import { paymentAttempts } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import { type ClosedReason, ORDER, type OrderStatus, PAYMENT } from "#app/db/states/order.ts";
import { UNPAID_ORDER_LIFE_MS } from "#app/orders/order-rules.ts";
import { applyLeftoverCallback, leftoverCallbacks } from "./callbacks.server.ts";
import { raiseDiscrepancy, recordDiscrepancy, runRaising } from "./discrepancies.server.ts";
import { openGateway } from "./open-gateway.server.ts";
import { applyKept } from "./apply-kept.server.ts";
import { applyOrKeep, type FinalOutcome } from "./kept.server.ts";
import { applyQueryOutcome } from "./query-outcome.server.ts";
import { booksBalance, readBooks } from "./ledger.server.ts";
import { advancePayout, duePayouts } from "./payouts.server.ts";
import { advanceRefund, dueRefunds } from "./refunds.server.ts";
import {
  ATTEMPT_WINDOW_MS,
  UNCONFIRMED_ALERT_MS,
  confirmationPause,
  nextDoubtfulQueryAt,
  nextQueryAt,
} from "./attempt-rules.ts";
import type { PaymentServices } from "./payment-services.ts";
import { applyAttemptEvent } from "./settlement.server.ts";

/** The most that one run does. The next run is a minute later. */
const LIMITS = { callbacks: 50, queries: 20, expiries: 50, payouts: 20, refunds: 20 };
/** How long one run keeps asking M-Pesa, in ms: for payouts, and again for refunds and for queries. */
const ASKING_LIMIT_MS = 40_000;

export interface ReconciliationReport {
  /** What was kept while the database was away. */
  kept: number;
  callbacks: number;
  queried: number;
  timedOut: number;
  payouts: number;
  refunds: number;
  ordersClosed: number;
}

/**
 * One bounded pass over everything that is open. Each step is guarded, so two runs at once and a stop at any point are
 * safe. A failed step raises a discrepancy, and the rest continues. With nothing to do it costs two round trips.
 * @throws while the database is away; everything stays due for the next run
 */
export async function reconcilePayments(services: PaymentServices): Promise<ReconciliationReport> {
  // First, because it says what became of what is due: for what was never sent, and for what M-Pesa has answered.
  let kept = 0;
  await inTurn(services, ["kept"], async () => {
    kept = await applyKept(services);
  });
  const due = await readDue(services);
  for (const callback of due.callbacks) await applyLeftoverCallback(services, callback);
  // Payouts and refunds come before the queries, which may take long. What a query releases is sent in the next run.
  const sent = await inTurn(services, due.payouts, (id) => advancePayout(services, id), askingEnd(services));
  const refunded = await inTurn(services, due.refunds, (id) => advanceRefund(services, id), askingEnd(services));
  await inTurn(services, due.expired, (id) => applyAttemptEvent(services, id, { event: "timed_out" }));
  let ordersClosed = 0;
  await inTurn(services, ["unpaid_orders"], async () => {
    ordersClosed = await closeUnpaidOrders(services);
  });
  const queried = due.queries.length > 0 ? await queryDueAttempts(services, due.queries) : 0;
  return {
    kept,
    callbacks: due.callbacks.length,
    queried,
    timedOut: due.expired.length,
    payouts: sent,
    refunds: refunded,
    ordersClosed,
  };
}

/**
 * The work to do now, each kind oldest first. Queries about paid attempts come first, because payouts and refunds wait
 * for them.
 * One round trip.
 */
async function readDue({ db, now }: PaymentServices) {
  const at = now();
  const [callbacks, expired, queries, payouts, refunds] = await db.batch([
    leftoverCallbacks(db, at, LIMITS.callbacks),
    db
      .select({ id: paymentAttempts.id })
      .from(paymentAttempts)
      .where(and(stateIs("state", ATTEMPT.isLive), lte(paymentAttempts.createdAt, at - ATTEMPT_WINDOW_MS)))
      .orderBy(asc(paymentAttempts.createdAt))
      .limit(LIMITS.expiries),
    db
      .select({ id: paymentAttempts.id })
      .from(paymentAttempts)
      .where(lte(paymentAttempts.nextQueryAt, at))
      .orderBy(desc(stateIs("state", ATTEMPT.isPaid)), asc(paymentAttempts.nextQueryAt))
      .limit(LIMITS.queries),
    duePayouts(db, at, LIMITS.payouts),
    dueRefunds(db, at, LIMITS.refunds),
  ]);
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
  return {
    callbacks,
    expired: ids(expired),
    queries: ids(queries),
    payouts: ids(payouts),
    refunds: ids(refunds),
  };
}

/**
 * Runs the steps one after the other, starting none at or after `until` (ms since 1970). Returns how many it started. A
 * failure raises a discrepancy and doesn't stop the rest.
 */
async function inTurn(
  services: PaymentServices,
  ids: string[],
  work: (id: string) => Promise<unknown>,
  until = Infinity,
): Promise<number> {
  let started = 0;
  for (const id of ids) {
    if (services.now() >= until) break;
    started += 1;
    try {
      await work(id);
    } catch (error) {
      if (isAway(error)) throw error;
      await recordDiscrepancy(services, "job_failed", id, String(error));
    }
  }
  return started;
}

/** When a run that starts asking M-Pesa now leaves the rest to the next run, ms since 1970. */
function askingEnd(services: PaymentServices): number {
  return services.now() + ASKING_LIMIT_MS;
}

/** Asks about attempts until the time is up, or until waiting for the next turn would exceed it. */
async function queryDueAttempts(services: PaymentServices, ids: string[]): Promise<number> {
  const until = askingEnd(services);
  let asked = 0;
  const ask = async (id: string) => {
    while (!(await queryAttempt(services, id))) {
      if (services.now() + services.payments.querySpacingMs > until) return;
      await services.pause(services.payments.querySpacingMs);
    }
    asked += 1;
  };
  await inTurn(services, ids, ask, until);
  return asked;
}

/**
 * Asks Safaricom about one attempt, if the limit on queries allows; returns false if it doesn't. Only a final answer
 * decides anything. After any other, the attempt stays open for the next query.
 */
export async function queryAttempt(services: PaymentServices, attemptId: string): Promise<boolean> {
  const [attempt] = await services.db.select().from(paymentAttempts).where(eq(paymentAttempts.id, attemptId));
  if (!attempt) return true;
  if (attempt.checkoutRequestId === null) {
    // There is no id to query with. Only a callback can tell. It is checked again when the window ends.
    await rescheduleQuery(services, attempt);
    return true;
  }
  const gateway = await openGateway(services);
  if (!gateway) return true;
  if (!(await takeQueryTurn(services))) return false;
  if (!(await rescheduleQuery(services, attempt))) return true;
  const outcome = await gateway.queryPush(attempt.checkoutRequestId);
  services.log({ event: "attempt_queried", attemptId, outcome: outcome.kind, query: attempt.queryCount + 1 });
  // The callback and the query name one code that we don't know, so the prompt is over. A success would still count.
  const isOver = outcome.kind === "unknown" && outcome.code === attempt.resultCode;
  const final: FinalOutcome | null =
    outcome.kind === "done" || outcome.kind === "failed"
      ? outcome
      : isOver
        ? { kind: "failed", code: outcome.code, message: outcome.message, reason: "other" }
        : null;
  if (final)
    await applyOrKeep(services, { kind: "query", attemptId, outcome: final }, () =>
      applyQueryOutcome(services, attemptId, final),
    );
  return true;
}

/** Allows one query at a time, at least `querySpacingMs` apart, for all workers. */
async function takeQueryTurn(services: PaymentServices): Promise<boolean> {
  const { querySpacingMs } = services.payments;
  return querySpacingMs === 0 || takeLease(services, "provider_query", querySpacingMs);
}

type Attempt = typeof paymentAttempts.$inferSelect;

/**
 * Sets the time of the next query before making this one. Raises a discrepancy if this is the last one or if it has
 * taken long. Returns false if another worker was faster.
 */
async function rescheduleQuery(services: PaymentServices, attempt: Attempt): Promise<boolean> {
  const now = services.now();
  const next = nextQueryOf(attempt, now);
  try {
    await runRaising(services, [
      services.db
        .update(paymentAttempts)
        .set({ queryCount: attempt.queryCount + 1, nextQueryAt: next, updatedAt: now })
        .where(
          and(
            eq(paymentAttempts.id, attempt.id),
            eq(paymentAttempts.queryCount, attempt.queryCount),
            eq(paymentAttempts.state, attempt.state),
          ),
        ),
      expectOneChange(),
      ...doubts(attempt, next, now),
    ]);
    return true;
  } catch (error) {
    if (error instanceof PreconditionFailed) return false;
    throw error;
  }
}

function nextQueryOf(attempt: Attempt, now: number): number | null {
  if (attempt.state === "succeeded")
    return attempt.confirmedAt === null ? now + confirmationPause(now - (attempt.settledAt ?? now)) : null;
  const next = nextQueryAt(attempt.createdAt, attempt.queryCount + 1, now + 5_000);
  return next === null && attempt.state === "failed" ? nextDoubtfulQueryAt(attempt.createdAt, now) : next;
}

/** Raises a discrepancy for an attempt whose last query brought no answer, and for a success that stays unconfirmed. */
function doubts(attempt: Attempt, next: number | null, now: number): Statement[] {
  if (attempt.state === "succeeded") {
    const waited = now - (attempt.settledAt ?? now);
    if (attempt.confirmedAt !== null || waited < UNCONFIRMED_ALERT_MS) return [];
    return raiseDiscrepancy(
      "payment_unconfirmed",
      attempt.id,
      "no query has confirmed this payment; its payouts wait",
      now,
    );
  }
  if (next !== null || attempt.state === "held" || attempt.state === "refused") return [];
  const detail =
    attempt.checkoutRequestId === null
      ? "the answer to the request was lost, and no callback came"
      : "no query and no callback brought a final answer";
  return raiseDiscrepancy("payment_in_doubt", attempt.id, detail, now);
}

/** SQL: the ids of orders that weren't paid within a day and have no open prompt. */
function unpaidOrders(now: number) {
  return sql`SELECT o.id FROM orders o INDEXED BY orders_unpaid
    WHERE ${stateIs("o.payment_status", PAYMENT.isPayable)} AND ${stateIs("o.order_status", ORDER.awaitsPayment)} AND o.created_at <= ${now - UNPAID_ORDER_LIFE_MS}
      AND NOT EXISTS (SELECT 1 FROM payment_attempts a WHERE a.order_id = o.id AND ${stateIs("a.state", ATTEMPT.isUnderWay)})
    ORDER BY o.created_at LIMIT ${CLOSED_AT_ONCE}`;
}

const CLOSED_AT_ONCE = 100;

/**
 * Closes orders that nobody paid within a day, and returns how many. A later payment still reopens them. Their items
 * come first, while they can be found. `readDue` doesn't look for them: SQLite refuses this query if its index is
 * missing, and that must not stop payouts.
 */
async function closeUnpaidOrders(services: PaymentServices): Promise<number> {
  const now = services.now();
  const [, closed] = await repeatBatch(services.db, [
    sql`UPDATE order_items SET status = ${"expired" satisfies ItemStatus}, updated_at = ${now}
      WHERE ${stateIs("+status", ITEM.awaitsPayment)} AND order_id IN (${unpaidOrders(now)})`,
    sql`UPDATE orders SET order_status = ${"expired" satisfies OrderStatus}, closed_reason = ${"expired_unpaid" satisfies ClosedReason}, updated_at = ${now}
      WHERE id IN (${unpaidOrders(now)})`,
  ]);
  return closed?.meta.changes ?? 0;
}

/** Compares the ledger with orders, attempts, payouts and refunds. Any difference raises a discrepancy. */
export async function checkBooks(services: PaymentServices): Promise<boolean> {
  const books = await readBooks(services.db);
  if (booksBalance(books)) return true;
  await recordDiscrepancy(services, "books", "ledger", JSON.stringify(books));
  return false;
}

/**
 * The attempt that paid an order and whose confirming query is due; null if it was just asked about, or is confirmed.
 */
export async function findUnconfirmedAttempt(services: PaymentServices, orderId: string): Promise<string | null> {
  const [attempt] = await services.db
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .where(
      and(
        eq(paymentAttempts.orderId, orderId),
        // By the order. Most attempts are paid, so that the index on states would read almost all of them.
        stateIs("+state", ATTEMPT.isPaid),
        sql`confirmed_at IS NULL`,
        lte(paymentAttempts.nextQueryAt, services.now()),
      ),
    )
    .limit(1);
  return attempt?.id ?? null;
}
