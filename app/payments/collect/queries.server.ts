/** Queries: what we ask M-Pesa about a prompt, when, and what follows from the answer (docs/m-pesa.md, "Prompts"). */
import { and, eq, gte, isNull, lte, sql } from "drizzle-orm";
import { type Statement, expectOneChange, write } from "#app/db/batch.ts";
import { takeLease } from "#app/db/leases.ts";
import { paymentAttempts } from "#app/payments/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import {
  confirmationPause,
  nextDoubtfulQueryAt,
  nextQueryAt,
  QUERY_SCHEDULE_MS,
  UNCONFIRMED_ALERT_MS,
} from "./attempt-rules.ts";
import { raiseDiscrepancy, tryRaising } from "#app/payments/books/discrepancies.server.ts";
import { applyOrKeep, type FinalOutcome } from "#app/payments/answers/kept.server.ts";
import { openGateway } from "#app/payments/open-gateway.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { applyAttemptEvent } from "./settlement.server.ts";
import { build } from "#app/db/build.ts";

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

/**
 * Applies the final answer to a query. After a failure, the last query of the schedule ends all doubt. Safe to repeat.
 */
export async function applyQueryOutcome(
  services: PaymentServices,
  attemptId: string,
  outcome: FinalOutcome,
): Promise<void> {
  if (outcome.kind === "done") {
    await applyAttemptEvent(services, attemptId, { event: "confirmed" });
    return;
  }
  const { code, message, reason } = outcome;
  await applyAttemptEvent(services, attemptId, { event: "declined", code, message, reason });
  await write(services.db, [
    build
      .update(paymentAttempts)
      .set({ nextQueryAt: null })
      .where(
        and(
          eq(paymentAttempts.id, attemptId),
          stateIs(paymentAttempts.state, ATTEMPT.isFailed),
          gte(paymentAttempts.queryCount, QUERY_SCHEDULE_MS.length),
        ),
      ),
  ]);
}

/** Allows one query at a time, at least `querySpacingMs` apart, for all workers. */
async function takeQueryTurn(services: PaymentServices): Promise<boolean> {
  const { querySpacingMs } = services.payments;
  return querySpacingMs === 0 || (await takeLease(services, "provider_query", querySpacingMs)) !== null;
}

type Attempt = typeof paymentAttempts.$inferSelect;

/**
 * Sets the time of the next query before making this one. Raises a discrepancy if this is the last one or if it has
 * taken long. Returns false if another worker was faster.
 */
async function rescheduleQuery(services: PaymentServices, attempt: Attempt): Promise<boolean> {
  const now = services.now();
  const next = nextQueryOf(attempt, now);
  return tryRaising(services, [
    build
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
        sql`+${stateIs(paymentAttempts.state, ATTEMPT.isPaid)}`,
        isNull(paymentAttempts.confirmedAt),
        lte(paymentAttempts.nextQueryAt, services.now()),
      ),
    )
    .limit(1);
  return attempt?.id ?? null;
}
