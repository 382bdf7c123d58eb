import { and, eq } from "drizzle-orm";
import { repeatBatch } from "#app/db/batch.ts";
import { paymentAttempts } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { nextQueryAt } from "./attempt-rules.ts";
import type { FinalOutcome } from "./kept.server.ts";
import type { PaymentServices } from "./payment-services.ts";
import { applyAttemptEvent } from "./settlement.server.ts";

/** Applies the final answer to a query. Safe to repeat. */
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
  const [attempt] = await services.db.select().from(paymentAttempts).where(eq(paymentAttempts.id, attemptId));
  if (attempt && isScheduleOver(attempt)) await stopQueries(services, attemptId);
}

/** Whether the queries that were made are all of the schedule. */
function isScheduleOver({ createdAt, queryCount }: typeof paymentAttempts.$inferSelect): boolean {
  return nextQueryAt(createdAt, queryCount, createdAt) === null;
}

/** A final failure, after the whole schedule. */
async function stopQueries({ db }: PaymentServices, attemptId: string): Promise<void> {
  await repeatBatch(db, [
    db
      .update(paymentAttempts)
      .set({ nextQueryAt: null })
      .where(and(eq(paymentAttempts.id, attemptId), stateIs("state", ATTEMPT.isFailed))),
  ]);
}
