import type { Mail, Mailer } from "#app/platform/mailer.ts";
import type { Store } from "#app/db/client.ts";
import { type ClaimedEffect, claimEffects, markEffectDone, markEffectFailed } from "#app/db/outbox.ts";

interface OutboxServices extends Store {
  log(event: { event: string } & Record<string, unknown>): void;
}

/** Sent side by side; a worker keeps six connections open at once. */
const BATCH = 6;
const MAX_BATCHES = 5;
/** How long one worker may hold an entry before another takes it, ms; longer than all its tries may take. */
const LEASE_MS = 60_000;
/** Accounts spec §7: up to 3 tries, 1 second apart. */
const TRIES = 3;
const TRY_PAUSE_MS = 1_000;
/** Then the cron trigger takes over, after these pauses, ms; after the last the entry is dead and a person sees it in the log. */
const RETRY_MS = [60_000, 5 * 60_000, 30 * 60_000, 2 * 60 * 60_000];

/** Sends what waits in the outbox; answers how many entries it took in hand. */
export async function drainOutbox(services: OutboxServices, mailer: Mailer): Promise<number> {
  let taken = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const claimed = await claimEffects(services, BATCH, LEASE_MS);
    await Promise.all(claimed.map((entry) => sendEntry(services, mailer, entry)));
    taken += claimed.length;
    if (claimed.length < BATCH) break;
  }
  return taken;
}

/** Sends the one entry of this key, if it waits; whether it went out. */
export async function sendFromOutbox(services: OutboxServices, mailer: Mailer, dedupeKey: string): Promise<boolean> {
  const [entry] = await claimEffects(services, 1, LEASE_MS, dedupeKey);
  return entry !== undefined && sendEntry(services, mailer, entry);
}

async function sendEntry(services: OutboxServices, mailer: Mailer, entry: ClaimedEffect): Promise<boolean> {
  try {
    await inTries(() => mailer.send(JSON.parse(entry.payload) as Mail, entry.dedupeKey));
    await markEffectDone(services, entry.id);
    return true;
  } catch (error) {
    const pause = RETRY_MS[entry.attempts - 1] ?? null;
    services.log({
      event: pause === null ? "outbox_dead" : "outbox_retry",
      level: pause === null ? "error" : "info",
      id: entry.id,
      attempts: entry.attempts,
      error: String(error).slice(0, 200),
    });
    await markEffectFailed(services, entry.id, String(error), pause);
    return false;
  }
}

async function inTries(send: () => Promise<void>, left = TRIES): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (left <= 1) throw error;
    await scheduler.wait(TRY_PAUSE_MS);
    await inTries(send, left - 1);
  }
}
