import { type SQL, sql } from "drizzle-orm";
import { repeatBatch, type Statement } from "./batch.ts";
import type { Store } from "./client.ts";

/**
 * Queues an effect in the batch of its cause, so that both happen or neither. The same `dedupeKey` queues once, however
 * often the cause is repeated. It waits `waitMs`. `now` in ms.
 */
export function queueEffect(topic: "mail", dedupeKey: string, payload: object, now: number, waitMs = 0): Statement {
  return sql`INSERT INTO outbox (id, topic, dedupe_key, payload, attempts, available_at, created_at)
    VALUES (${crypto.randomUUID()}, ${topic}, ${dedupeKey}, ${JSON.stringify(payload)}, 0, ${now + waitMs}, ${now})
    ON CONFLICT (dedupe_key) DO NOTHING`;
}

/** SQL: nobody has claimed the effect yet. From then on it is sent, whatever happens. */
const IS_UNCLAIMED = sql`attempts = 0 AND done_at IS NULL AND dead_at IS NULL`;

/** SQL: whether the effect of this key is still unclaimed. One seek. */
export function isEffectUnclaimed(dedupeKey: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM outbox WHERE dedupe_key = ${dedupeKey} AND ${IS_UNCLAIMED})`;
}

/**
 * Deletes the effect of this key, unless somebody has claimed it. Only for a cause that can't come again, because the
 * key is deleted with it.
 */
export function dropEffect(dedupeKey: string): Statement {
  return sql`DELETE FROM outbox WHERE dedupe_key = ${dedupeKey} AND ${IS_UNCLAIMED}`;
}

/** Like `queueEffect`, for each row of `rows`, a SELECT of `dedupeKey` and `payload` (JSON). */
export function queueEffects(topic: "mail", rows: SQL, now: number): Statement {
  return sql`INSERT INTO outbox (id, topic, dedupe_key, payload, attempts, available_at, created_at)
    SELECT lower(hex(randomblob(16))), ${topic}, dedupeKey, payload, 0, ${now}, ${now} FROM (${rows}) WHERE true
    ON CONFLICT (dedupe_key) DO NOTHING`;
}

/** An effect that one worker has claimed. */
export interface ClaimedEffect {
  id: string;
  /** JSON. */
  payload: string;
  dedupeKey: string;
  /** Including this one. */
  attempts: number;
}

/**
 * Claims up to `limit` waiting effects for `leaseMs`, so that two workers never have the same one at once. With `dedupeKey`, claims
 * only that one.
 */
export async function claimEffects(
  store: Store,
  limit: number,
  leaseMs: number,
  dedupeKey?: string,
): Promise<ClaimedEffect[]> {
  const now = store.now();
  const only = dedupeKey === undefined ? sql`` : sql`AND dedupe_key = ${dedupeKey}`;
  return store.db.all<ClaimedEffect>(sql`UPDATE outbox SET attempts = attempts + 1, available_at = ${now + leaseMs}
    WHERE id IN (SELECT id FROM outbox WHERE done_at IS NULL AND dead_at IS NULL AND available_at <= ${now} ${only} ORDER BY available_at LIMIT ${limit})
    RETURNING id, payload, attempts, dedupe_key AS dedupeKey`);
}

export async function markEffectDone(store: Store, id: string): Promise<void> {
  await repeatBatch(store.db, [sql`UPDATE outbox SET done_at = ${store.now()}, last_error = NULL WHERE id = ${id}`]);
}

/** Schedules the effect to be tried again after `retryAfterMs`, or never again if that is null. */
export async function markEffectFailed(
  store: Store,
  id: string,
  error: string,
  retryAfterMs: number | null,
): Promise<void> {
  const now = store.now();
  const dead = retryAfterMs === null ? now : null;
  await repeatBatch(store.db, [
    sql`UPDATE outbox SET last_error = ${error.slice(0, 300)}, dead_at = ${dead}, available_at = ${now + (retryAfterMs ?? 0)} WHERE id = ${id}`,
  ]);
}

/** How long an effect that is done or given up is kept, ms. No cause queues the same effect again after so long. */
const KEPT_MS = 180 * 24 * 60 * 60_000;
const DELETED_AT_ONCE = 5_000;
const MAX_DELETIONS = 10;

/** Deletes effects that ended long ago, up to the first young one and at most 50,000. Returns how many. */
export async function deleteOldEffects(store: Store): Promise<number> {
  let deleted = 0;
  for (let n = 0; n < MAX_DELETIONS; n += 1) {
    const count = await deleteSomeEffects(store);
    if (count === 0) break;
    deleted += count;
  }
  return deleted;
}

async function deleteSomeEffects({ db, now }: Store): Promise<number> {
  const old = now() - KEPT_MS;
  const oldest = sql`SELECT rowid AS entry, created_at FROM outbox ORDER BY rowid LIMIT ${DELETED_AT_ONCE}`;
  const deleted = await db.run(
    sql`DELETE FROM outbox WHERE rowid < COALESCE((SELECT entry FROM (${oldest}) WHERE created_at >= ${old} LIMIT 1), (SELECT MAX(entry) + 1 FROM (${oldest})))
      AND created_at < ${old} AND COALESCE(done_at, dead_at) < ${old}`,
  );
  return deleted.meta.changes;
}
