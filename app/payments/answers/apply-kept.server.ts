/** Applies what was kept in the private bucket while the database was away (kept.server.ts). */
import { write } from "#app/db/batch.ts";
import { oneByOne } from "#app/db/one-by-one.ts";
import { RETENTION } from "#app/platform/retention-rules.ts";
import { applyKeptCallback } from "./callbacks.server.ts";
import { recordDiscrepancy, resolveDiscrepancies } from "#app/payments/books/discrepancies.server.ts";
import { type Kept, KEPT_PREFIX, keptAt, subjectOf } from "./kept.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { applyQueryOutcome } from "#app/payments/collect/queries.server.ts";
import { applyPushAnswer } from "#app/payments/collect/request-payment.server.ts";
import { applyTransferAnswer } from "#app/payments/transfers/send-transfer.server.ts";

/** How many are listed at a time. A run ends when it has applied as many. The next run is a minute later. */
const AT_ONCE = 100;

/**
 * Applies what was kept, the oldest first, and deletes it. Returns how much there was. Safe to stop anywhere and to run
 * twice at once, because applying it twice changes nothing.
 * @throws while the database is away
 */
export async function applyKept(services: PaymentServices): Promise<number> {
  let [found, applied] = [0, 0];
  let keys: string[];
  let startAfter: string | undefined;
  do {
    const { objects } = await services.documents.list({ prefix: KEPT_PREFIX, limit: AT_ONCE, startAfter });
    keys = objects.map(({ key }) => key);
    const done = await oneByOne(
      keys,
      (key) => applyKeptObject(services, key),
      (key, error) => giveUpLater(services, key, error),
    );
    applied += done.length;
    found += keys.length;
    startAfter = keys.at(-1);
    // What can't be applied stays, and must not hide what came after it.
  } while (keys.length === AT_ONCE && applied < AT_ONCE);
  return found;
}

/**
 * Applies one object, and deletes it. Nothing happens if it is gone. @throws when it can't be applied; it stays then
 */
export async function applyKeptObject(services: PaymentServices, key: string): Promise<void> {
  const object = await services.documents.get(key);
  if (!object) return;
  const kept = JSON.parse(await object.text()) as Kept;
  await apply(services, kept);
  await write(services.db, [resolveDiscrepancies(["job_failed"], key, "applied after all", services.now())]);
  await services.documents.delete(key);
  services.log({ event: "kept_applied", kind: kept.kind, subject: subjectOf(kept) });
}

async function apply(services: PaymentServices, kept: Kept): Promise<void> {
  switch (kept.kind) {
    case "callback":
      return applyKeptCallback(services, kept.callback);
    case "push":
      return applyPushAnswer(services, kept.attemptId, kept.answer);
    case "query":
      return applyQueryOutcome(services, kept.attemptId, kept.outcome);
    case "transfer":
      return applyTransferAnswer(services, kept.sent, kept.answer);
  }
}

/** A person is told. The object waits for a release that can apply it, and is deleted much later. */
async function giveUpLater(services: PaymentServices, key: string, error: unknown): Promise<void> {
  services.log({ event: "kept_failed", level: "error", key, error: String(error).slice(0, 200) });
  await recordDiscrepancy(services, "job_failed", key, String(error));
  if (keptAt(key) < services.now() - RETENTION.kept_answers.keptMs) await services.documents.delete(key);
}
