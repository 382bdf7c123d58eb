import { eq, sql } from "drizzle-orm";
import type { Mail, Mailer } from "#app/accounts/mailer.ts";
import type { Database } from "#app/db/client.ts";
import { outbox } from "#app/db/schema.ts";

interface OutboxServices {
  db: Database;
  now(): number;
  log(event: { event: string } & Record<string, unknown>): void;
}

const BATCH = 20;
/** How long one worker may hold an entry before another takes it, ms. */
const LEASE_MS = 60_000;
/** Pauses after a failed try, ms; after the last the entry is dead and a person sees it in the log. */
const RETRY_MS = [1_000, 1_000, 60_000, 5 * 60_000, 30 * 60_000, 2 * 60 * 60_000];

interface Claimed {
  id: string;
  payload: string;
  attempts: number;
  dedupe_key: string;
}

/** Sends what waits in the outbox. Entries are leased, so that two workers never send the same one at once. */
export async function drainOutbox(services: OutboxServices, mailer: Mailer): Promise<number> {
  const now = services.now();
  const claimed = await services.db.all<Claimed>(sql`UPDATE outbox SET attempts = attempts + 1, available_at = ${now + LEASE_MS}
    WHERE id IN (SELECT id FROM outbox WHERE done_at IS NULL AND dead_at IS NULL AND available_at <= ${now} ORDER BY available_at LIMIT ${BATCH})
    RETURNING id, payload, attempts, dedupe_key`);
  for (const entry of claimed) await sendEntry(services, mailer, entry);
  return claimed.length;
}

async function sendEntry(services: OutboxServices, mailer: Mailer, entry: Claimed): Promise<void> {
  try {
    await mailer.send(JSON.parse(entry.payload) as Mail, entry.dedupe_key);
    await services.db.update(outbox).set({ doneAt: services.now(), lastError: null }).where(eq(outbox.id, entry.id));
  } catch (error) {
    const pause = RETRY_MS[entry.attempts - 1];
    const dead = pause === undefined;
    services.log({ event: dead ? "outbox_dead" : "outbox_retry", level: dead ? "error" : "info", id: entry.id, attempts: entry.attempts, error: String(error).slice(0, 200) });
    await services.db
      .update(outbox)
      .set(dead ? { deadAt: services.now(), lastError: String(error).slice(0, 300) } : { availableAt: services.now() + pause, lastError: String(error).slice(0, 300) })
      .where(eq(outbox.id, entry.id));
  }
}
