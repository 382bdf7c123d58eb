import type { Store } from "#app/db/client.ts";
import { type ClaimedEffect, claimEffects, markEffectDone, markEffectFailed, postponeEffect } from "#app/db/outbox.ts";
import { decideDeliveries } from "#app/notifications/delivery.server.ts";
import type { Delivery } from "#app/notifications/delivery-rules.ts";
import type { Mail, Mailer } from "#app/notifications/mailer.ts";
import type { QueuedMail } from "#app/notifications/notify.server.ts";

interface OutboxServices extends Store {
  /** Waits so many ms between two tries. */
  pause(ms: number): Promise<void>;
  log(event: { event: string } & Record<string, unknown>): void;
}

/** How many are sent at once. A worker may keep six connections open. */
const BATCH = 6;
const MAX_BATCHES = 5;
/** How long one worker may hold an entry before another may take it, ms. Longer than all its tries take. */
const LEASE_MS = 60_000;
/** Up to 3 tries, 1 second apart (docs/product-rules.md, "Toasts and times"). */
const TRIES = 3;
const TRY_PAUSE_MS = 1_000;
/** After these pauses, ms, the scheduled job tries again. After the last one the entry is given up and logged as an error. */
const RETRY_MS = [60_000, 5 * 60_000, 30 * 60_000, 2 * 60 * 60_000];

/** Sends the entries that wait in the outbox and answers how many it claimed. */
export async function drainOutbox(services: OutboxServices, mailer: Mailer): Promise<number> {
  let taken = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const claimed = await claimEffects(services, BATCH, LEASE_MS);
    await sendClaimed(services, mailer, claimed);
    taken += claimed.length;
    if (claimed.length < BATCH) break;
  }
  return taken;
}

/** Sends the entry of this key, if it waits, and answers whether it was sent. */
export async function sendFromOutbox(services: OutboxServices, mailer: Mailer, dedupeKey: string): Promise<boolean> {
  const [sent] = await sendClaimed(services, mailer, await claimEffects(services, 1, LEASE_MS, dedupeKey));
  return sent === true;
}

/** Sends each entry that is still needed now. Returns which were sent. If this stops, the lease ends and another run goes on. */
async function sendClaimed(services: OutboxServices, mailer: Mailer, claimed: ClaimedEffect[]): Promise<boolean[]> {
  const leaving = claimed.map((entry) => {
    const { reader = null, ...mail } = JSON.parse(entry.payload) as QueuedMail;
    return { entry, mail: mail as Mail, way: "email", kind: mail.template, key: entry.dedupeKey, reader } as const;
  });
  const decided = await decideDeliveries(services, leaving);
  return Promise.all(decided.map(([{ entry, mail }, delivery]) => sendEntry(services, mailer, entry, mail, delivery)));
}

async function sendEntry(
  services: OutboxServices,
  mailer: Mailer,
  entry: ClaimedEffect,
  mail: Mail,
  delivery: Delivery,
): Promise<boolean> {
  if (delivery.do === "wait") {
    await postponeEffect(services, entry.id, delivery.until);
    return false;
  }
  if (delivery.do === "drop") {
    await markEffectDone(services, entry.id);
    return false;
  }
  try {
    await inTries(services, () => mailer.send(mail, entry.dedupeKey));
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

async function inTries(services: OutboxServices, send: () => Promise<void>, left = TRIES): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (left <= 1) throw error;
    await services.pause(TRY_PAUSE_MS);
    await inTries(services, send, left - 1);
  }
}
