import type { Mail, Mailer } from "#app/accounts/mailer.ts";
import type { Store } from "#app/db/client.ts";
import { type ClaimedEffect, claimEffects, markEffectDone, markEffectFailed } from "#app/db/outbox.ts";

interface OutboxServices extends Store {
  log(event: { event: string } & Record<string, unknown>): void;
}

const BATCH = 20;
/** How long one worker may hold an entry before another takes it, ms. */
const LEASE_MS = 60_000;
/** Pauses after a failed try, ms; after the last the entry is dead and a person sees it in the log. */
const RETRY_MS = [1_000, 1_000, 60_000, 5 * 60_000, 30 * 60_000, 2 * 60 * 60_000];

/** Sends what waits in the outbox; answers how many entries it took in hand. */
export async function drainOutbox(services: OutboxServices, mailer: Mailer): Promise<number> {
  const claimed = await claimEffects(services, BATCH, LEASE_MS);
  for (const entry of claimed) await sendEntry(services, mailer, entry);
  return claimed.length;
}

async function sendEntry(services: OutboxServices, mailer: Mailer, entry: ClaimedEffect): Promise<void> {
  try {
    await mailer.send(JSON.parse(entry.payload) as Mail, entry.dedupeKey);
    await markEffectDone(services, entry.id);
  } catch (error) {
    const pause = RETRY_MS[entry.attempts - 1] ?? null;
    services.log({ event: pause === null ? "outbox_dead" : "outbox_retry", level: pause === null ? "error" : "info", id: entry.id, attempts: entry.attempts, error: String(error).slice(0, 200) });
    await markEffectFailed(services, entry.id, String(error), pause);
  }
}
