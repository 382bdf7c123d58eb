import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, ne, not, or, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import { RETENTION } from "#app/platform/retention-rules.ts";
import { type Statement, holds, write } from "./batch.ts";
import { RANDOM_ID, build, hasRow, insertEach, pick } from "./build.ts";
import type { Store } from "./client.ts";
import { leases, outbox } from "./tables.server.ts";
import { withoutValues } from "./without-values.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

export type Topic = (typeof outbox.$inferSelect)["topic"];

/**
 * What leaves, in this order: nobody waits for a login behind somebody else's news. `outbox.priority` is a place in
 * this list.
 */
export const TRAFFIC = ["security", "money", "messages", "news"] as const;
export type Traffic = (typeof TRAFFIC)[number];

/** Of what an effect is, and when it may leave. */
interface Queueing {
  topic: Topic;
  traffic: Traffic;
  /** Ms since 1970. */
  now: number;
  /** How long it waits at least, ms. */
  waitMs?: number;
}

/**
 * Queues an effect in the batch of its cause, so that both happen or neither. The same `dedupeKey` queues once, however
 * often the cause is repeated.
 */
export function queueEffect(
  dedupeKey: string,
  payload: object,
  { topic, traffic, now, waitMs = 0 }: Queueing,
): Statement {
  const priority = TRAFFIC.indexOf(traffic);
  const effect = { id: crypto.randomUUID(), topic, priority, dedupeKey, payload: JSON.stringify(payload) };
  return build
    .insert(outbox)
    .values({ ...effect, availableAt: now + waitMs, createdAt: now })
    .onConflictDoNothing({ target: outbox.dedupeKey });
}

/** It is still to be sent. */
const IS_WAITING = and(isNull(outbox.doneAt), isNull(outbox.deadAt));

/** Like `queueEffect`, for each row of `rows`, a SELECT of `dedupeKey` and `payload` (JSON). */
export function queueEffects(rows: SQL, { topic, traffic, now, waitMs = 0 }: Queueing): Statement {
  return insertEach(
    outbox,
    {
      id: RANDOM_ID,
      topic,
      priority: TRAFFIC.indexOf(traffic),
      dedupeKey: sql`dedupeKey`,
      payload: sql`payload`,
      availableAt: now + waitMs,
      createdAt: now,
    },
    sql`FROM (${rows}) WHERE true`,
  ).onConflictDoNothing({ target: outbox.dedupeKey });
}

/** An effect that one worker has claimed. `attempts` includes this one. */
export type ClaimedEffect = Pick<
  typeof outbox.$inferSelect,
  "id" | "topic" | "priority" | "payload" | "dedupeKey" | "attempts" | "createdAt"
>;

/** While this lease runs, the provider takes no email, so none is tried. */
const EMAILS_HOLD = "emails_hold";

/** Tries no email for so many ms. */
export async function holdEmails(store: Store, ms: number): Promise<void> {
  const until = store.now() + ms;
  await write(store.db, [
    build
      .insert(leases)
      .values({ name: EMAILS_HOLD, until })
      .onConflictDoUpdate({ target: leases.name, set: { until } }),
  ]);
}

/** Whether the provider takes no email now. */
export function areEmailsHeld({ db, now }: Store): Promise<boolean> {
  return holds(db, isLeaseHeld(now()));
}

function isLeaseHeld(now: number): SQL {
  return hasRow(leases, and(eq(leases.name, EMAILS_HOLD), gt(leases.until, now)));
}

/** The statement that lets emails be tried at once. */
export function endEmailsHold(): Statement {
  return build.delete(leases).where(eq(leases.name, EMAILS_HOLD));
}

/**
 * Claims up to `limit` waiting effects for `leaseMs`, so that two workers never have the same one at once: first what
 * comes first in `TRAFFIC`, and of each traffic at most as many as `room` says.
 */
export function claimEffects(
  store: Store,
  limit: number,
  leaseMs: number,
  room: Record<Traffic, number>,
): Promise<ClaimedEffect[]> {
  const now = store.now();
  const { id, priority, availableAt } = outbox;
  // One short search for each traffic, because none may read past what the one before it leaves waiting.
  const searches = TRAFFIC.map((traffic, at) => {
    const due = build
      .select({ id, priority, availableAt })
      .from(outbox)
      .where(and(IS_WAITING, eq(priority, at), lte(availableAt, now), maySend(now)))
      .orderBy(asc(availableAt))
      .limit(Math.min(limit, room[traffic]))
      .as(traffic);
    return build.select().from(due);
  });
  const [first, second, ...others] = searches as [(typeof searches)[0], (typeof searches)[0], ...typeof searches];
  const due = unionAll(first, second, ...others).as("due");
  const next = build.select({ id: due.id }).from(due).orderBy(asc(due.priority), asc(due.availableAt)).limit(limit);
  return claim(store, inArray(id, next), leaseMs);
}

/** Claims the effect of this key, if it waits. */
export function claimEffect(store: Store, leaseMs: number, dedupeKey: string): Promise<ClaimedEffect[]> {
  const now = store.now();
  const isDue = and(IS_WAITING, lte(outbox.availableAt, now), maySend(now));
  return claim(store, and(eq(outbox.dedupeKey, dedupeKey), isDue), leaseMs);
}

function maySend(now: number): SQL | undefined {
  return or(ne(outbox.topic, "mail"), not(isLeaseHeld(now)));
}

async function claim({ db, now }: Store, which: SQL | undefined, leaseMs: number): Promise<ClaimedEffect[]> {
  const { claimed } = await write(db, {
    claimed: build
      .update(outbox)
      .set({ attempts: sql`${outbox.attempts} + 1`, availableAt: now() + leaseMs })
      .where(which)
      .returning(pick(outbox, "id", "topic", "priority", "payload", "attempts", "dedupeKey", "createdAt")),
  });
  return claimed.toSorted((one, other) => one.priority - other.priority);
}

/** Gives a claimed effect back until `at` (ms). It doesn't count as a try. */
export async function postponeEffect(store: Store, id: string, at: number): Promise<void> {
  await write(store.db, [
    build
      .update(outbox)
      .set({ availableAt: at, attempts: sql`MAX(0, ${outbox.attempts} - 1)` })
      .where(eq(outbox.id, id)),
  ]);
}

export async function markEffectDone(store: Store, id: string): Promise<void> {
  await write(store.db, [build.update(outbox).set({ doneAt: store.now(), lastError: null }).where(eq(outbox.id, id))]);
}

/** Schedules the effect to be tried again after `retryAfterMs`, or never again if that is null. */
export async function markEffectFailed(
  store: Store,
  id: string,
  error: string,
  retryAfterMs: number | null,
  fault: (typeof outbox.$inferSelect)["fault"] = null,
): Promise<void> {
  const now = store.now();
  const deadAt = retryAfterMs === null ? now : null;
  await write(store.db, [
    build
      .update(outbox)
      .set({ lastError: withoutValues(error).slice(0, 300), fault, deadAt, availableAt: now + (retryAfterMs ?? 0) })
      .where(eq(outbox.id, id)),
  ]);
}

/**
 * SQL: emails that failed at least once and still wait. The priority, which is always true, leaves the search to the
 * index.
 */
export const IS_FAILING = and(
  eq(outbox.topic, "mail"),
  IS_WAITING,
  gte(outbox.priority, 0),
  gt(outbox.attempts, 0),
  isNotNull(outbox.lastError),
);

/** SQL: emails that nobody has tried, though they could have left before `since`, or `newsSince` for news (ms). */
export function isUntried({ since, newsSince }: { since: number; newsSince: number }): SQL | undefined {
  const news = TRAFFIC.indexOf("news");
  const couldLeave = or(
    and(lt(outbox.priority, news), lt(outbox.availableAt, since)),
    and(eq(outbox.priority, news), lt(outbox.availableAt, newsSince)),
  );
  return and(eq(outbox.topic, "mail"), IS_WAITING, eq(outbox.attempts, 0), couldLeave);
}

/** SQL: `IS_FAILING`, and those that were given up after `since` (ms). */
export function hasFailed(since: number): SQL {
  const ids = (where: SQL | undefined) => build.select({ id: outbox.id }).from(outbox).where(where);
  return inArray(outbox.id, ids(IS_FAILING).unionAll(ids(and(eq(outbox.topic, "mail"), gt(outbox.deadAt, since)))));
}

/** The statement that lets failed effects be tried at once, also those that were given up. */
export function retryEffects(which: SQL | undefined, now: number): Statement {
  return build
    .update(outbox)
    .set({ availableAt: now, deadAt: null })
    .where(and(hasFailed(now - FAILED_SHOWN_MS), which));
}

/** For how long an effect that was given up can be tried again by hand, ms. */
export const FAILED_SHOWN_MS = 7 * DAY_MS;

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
  const old = now() - RETENTION.emails.keptMs;
  const { createdAt, doneAt, deadAt } = outbox;
  const entry = sql<number>`rowid`.as("entry");
  const oldest = build
    .select({ entry, createdAt })
    .from(outbox)
    .orderBy(sql`rowid`)
    .limit(DELETED_AT_ONCE)
    .as("oldest");
  const young = build.select({ entry: oldest.entry }).from(oldest).where(gte(oldest.createdAt, old)).limit(1);
  const end = build.select({ end: sql`MAX(${oldest.entry}) + 1` }).from(oldest);
  const { deleted } = await write(db, {
    deleted: build
      .delete(outbox)
      .where(
        and(sql`rowid < COALESCE(${young}, ${end})`, lt(createdAt, old), sql`COALESCE(${doneAt}, ${deadAt}) < ${old}`),
      ),
  });
  return deleted.meta.changes;
}
