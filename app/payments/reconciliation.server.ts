import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import { takeLease } from "#app/db/leases.ts";
import { paymentAttempts } from "#app/db/schema.ts";
import { UNPAID_ORDER_LIFE_MS } from "#app/orders/rules.ts";
import { applyLeftoverCallbacks } from "./callbacks.server.ts";
import { recordDiscrepancy } from "./discrepancies.server.ts";
import { booksBalance, readBooks } from "./ledger.server.ts";
import { advancePayout, listDuePayouts } from "./payouts.server.ts";
import { ATTEMPT_WINDOW_MS, LIVE_ATTEMPT_STATES, nextQueryAt } from "./rules.ts";
import type { PaymentServices } from "./services.ts";
import { applyAttemptEvent } from "./settlement.server.ts";

/** How much one run does at most; the next minute brings the next run. */
const LIMITS = { callbacks: 50, queries: 20, expiries: 50, payouts: 20 };

export interface ReconciliationReport {
  callbacks: number;
  queried: number;
  timedOut: number;
  payouts: number;
  ordersClosed: number;
}

/** One bounded pass over everything that is open. Safe to run twice at once: each step is guarded by itself. */
export async function reconcilePayments(services: PaymentServices): Promise<ReconciliationReport> {
  return {
    callbacks: await applyLeftoverCallbacks(services, LIMITS.callbacks),
    queried: await queryDueAttempts(services),
    timedOut: await timeOutAttempts(services),
    payouts: await advanceDuePayouts(services),
    ordersClosed: await closeUnpaidOrders(services),
  };
}

async function queryDueAttempts(services: PaymentServices): Promise<number> {
  const due = await services.db
    .select()
    .from(paymentAttempts)
    .where(lte(paymentAttempts.nextQueryAt, services.now()))
    .orderBy(asc(paymentAttempts.nextQueryAt))
    .limit(LIMITS.queries);
  let asked = 0;
  for (const attempt of due) {
    if (!(await queryAttempt(services, attempt.id))) break;
    asked += 1;
  }
  return asked;
}

/**
 * Asks Safaricom about one attempt, if the global limiter lets us (Daraja facts, fact 6); false where it does not. Only a final
 * answer decides anything; every other leaves the attempt open for the next query.
 */
export async function queryAttempt(services: PaymentServices, attemptId: string): Promise<boolean> {
  const [attempt] = await services.db.select().from(paymentAttempts).where(eq(paymentAttempts.id, attemptId));
  if (!attempt) return true;
  if (attempt.checkoutRequestId === null) {
    // Nothing to ask with: only a callback can tell. Looked at again when the window ends.
    await rescheduleQuery(services, attempt);
    return true;
  }
  if (!(await takeQueryTurn(services))) return false;
  if (!(await rescheduleQuery(services, attempt))) return true;
  const outcome = await services.gateway.queryPush(attempt.checkoutRequestId);
  services.log({ event: "attempt_queried", attemptId, outcome: outcome.kind, query: attempt.queryCount + 1 });
  if (outcome.kind === "done") await applyAttemptEvent(services, attemptId, { event: "confirmed" });
  if (outcome.kind === "failed") {
    await applyAttemptEvent(services, attemptId, { event: "declined", code: outcome.code, message: outcome.message, reason: outcome.reason });
  }
  return true;
}

/** One query at a time for the whole house, `querySpacingMs` apart. */
async function takeQueryTurn(services: PaymentServices): Promise<boolean> {
  const { querySpacingMs } = services.payments;
  return querySpacingMs === 0 || takeLease(services, "provider_query", querySpacingMs);
}

/** Sets the time of the next query before this one is made; false where another worker was faster. */
async function rescheduleQuery(services: PaymentServices, attempt: typeof paymentAttempts.$inferSelect): Promise<boolean> {
  const now = services.now();
  const [moved] = await services.db
    .update(paymentAttempts)
    .set({ queryCount: attempt.queryCount + 1, nextQueryAt: nextQueryAt(attempt.createdAt, attempt.queryCount + 1, now + 5_000), updatedAt: now })
    .where(and(eq(paymentAttempts.id, attempt.id), eq(paymentAttempts.queryCount, attempt.queryCount)))
    .returning({ id: paymentAttempts.id });
  return moved !== undefined;
}

/** Attempts whose window is over: the buyer may try again, and a late success still counts. */
async function timeOutAttempts(services: PaymentServices): Promise<number> {
  const over = await services.db
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .where(and(inArray(paymentAttempts.state, [...LIVE_ATTEMPT_STATES]), lte(paymentAttempts.createdAt, services.now() - ATTEMPT_WINDOW_MS)))
    .orderBy(asc(paymentAttempts.createdAt))
    .limit(LIMITS.expiries);
  for (const { id } of over) await applyAttemptEvent(services, id, { event: "timed_out" });
  return over.length;
}

async function advanceDuePayouts(services: PaymentServices): Promise<number> {
  const due = await listDuePayouts(services, LIMITS.payouts);
  for (const id of due) await advancePayout(services, id);
  return due.length;
}

/** Orders nobody paid within a day are closed; the money of a later success still reaches them. */
async function closeUnpaidOrders(services: PaymentServices): Promise<number> {
  const now = services.now();
  const before = now - UNPAID_ORDER_LIFE_MS;
  const [closed] = await services.db.$client.batch([
    services.db.$client
      .prepare(
        `UPDATE orders SET order_status = 'expired', updated_at = ?1 WHERE id IN (
          SELECT o.id FROM orders o WHERE o.payment_status IN ('pending', 'failed') AND o.order_status = 'pending_payment' AND o.created_at <= ?2
            AND NOT EXISTS (SELECT 1 FROM payment_attempts a WHERE a.order_id = o.id AND a.state IN ('created', 'pushed', 'unknown', 'held'))
          ORDER BY o.created_at LIMIT 100)`,
      )
      .bind(now, before),
    services.db.$client
      .prepare(
        `UPDATE order_items SET status = 'expired', updated_at = ?1 WHERE status = 'pending_payment' AND order_id IN (
          SELECT id FROM orders WHERE order_status = 'expired' AND updated_at = ?1)`,
      )
      .bind(now),
  ]);
  return closed?.meta.changes ?? 0;
}

/** Holds the ledger against orders, attempts, payouts and refunds, and puts any difference before a person. */
export async function checkBooks(services: PaymentServices): Promise<boolean> {
  const books = await readBooks(services.db);
  if (booksBalance(books)) return true;
  await recordDiscrepancy(services, "books", "ledger", JSON.stringify(books));
  return false;
}

/** The attempt that paid an order and still waits for its confirming query, or null. */
export async function findUnconfirmedAttempt(services: PaymentServices, orderId: string): Promise<string | null> {
  const [attempt] = await services.db
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.orderId, orderId), eq(paymentAttempts.state, "succeeded"), sql`confirmed_at IS NULL`))
    .limit(1);
  return attempt?.id ?? null;
}

