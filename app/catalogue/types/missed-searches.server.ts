import { createHmac } from "node:crypto";
import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { missedSearches } from "#app/catalogue/tables.server.ts";
import { RETENTION } from "#app/platform/retention-rules.ts";
import { MISSED_SHOWN_FROM, wordsToNote } from "./missed-search-rules.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** More different ones are not noted, so the table stays small whatever people search for. */
const ROWS_MAX = 2_000;
/** How many one person's searches count in a day, so that nobody fills the table alone. */
const NOTED_A_DAY = 30;

/**
 * Notes that a member's search found nothing, once a day for the same words: what one person repeats is not what many
 * look for, and may be about somebody. The counter that knows it has only a hash, for a day.
 */
export async function noteMissedSearch(
  store: Store & { passwordPepper: string },
  userId: string,
  text: string,
): Promise<void> {
  const { db, now } = store;
  const words = wordsToNote(text);
  if (words === null) return;
  const once = createHmac("sha256", store.passwordPepper).update(`missed:${userId}:${words}`).digest("base64url");
  const isNoted = await takeAllowance(store, [
    { key: `missed:${userId}`, max: NOTED_A_DAY, windowMs: DAY_MS },
    { key: `missed:once:${once}`, max: 1, windowMs: DAY_MS },
  ]);
  if (!isNoted) return;
  const isKnown = sql`EXISTS (SELECT 1 FROM ${missedSearches} WHERE ${missedSearches.words} = ${words})`;
  const hasRoom = sql`(SELECT COUNT(*) FROM ${missedSearches}) < ${ROWS_MAX}`;
  await write(db, [
    build
      .insert(missedSearches)
      .select(sql`SELECT ${words}, 1, ${now()} WHERE ${isKnown} OR ${hasRoom}`)
      .onConflictDoUpdate({
        target: missedSearches.words,
        set: { count: sql`${missedSearches.count} + 1`, lastAt: now() },
      }),
  ]);
}

/** The query for what several searches missed, the most frequent first. */
export function missedRows() {
  const { words, count, lastAt } = missedSearches;
  return build
    .select({ words, count, lastAt })
    .from(missedSearches)
    .where(gte(count, MISSED_SHOWN_FROM))
    .orderBy(desc(count), desc(lastAt))
    .limit(100);
}

/** Deletes what nobody searched for lately. Returns how many. */
export function sweepMissedSearches(store: Store): Promise<number> {
  return deleteMissed(store, lt(missedSearches.lastAt, store.now() - RETENTION.missed_searches.keptMs));
}

/** Deletes what was searched only once, which goes sooner. Returns how many. */
export function sweepMissedOnce(store: Store): Promise<number> {
  const { count, lastAt } = missedSearches;
  return deleteMissed(store, and(eq(count, 1), lt(lastAt, store.now() - RETENTION.missed_once.keptMs)));
}

async function deleteMissed({ db }: Store, which: SQL | undefined): Promise<number> {
  const { deleted } = await write(db, { deleted: build.delete(missedSearches).where(which) });
  return deleted.meta.changes;
}
