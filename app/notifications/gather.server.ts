/**
 * News of listings waits here until it is told as one message: one row for each person and kind. `KINDS` says for how
 * long.
 */
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build, insertEach } from "#app/db/build.ts";
import { gatheredNews } from "./tables.server.ts";
import { type Gathering, type Kind, LISTED_MAX, type NamedListing } from "./kinds.ts";

/**
 * For the batch of a cause: what `from` says (rows `told` of `userId` and `data`, the JSON of one listing) joins what
 * waits for the same person. Of a listing that waits already, what was said first stays: it has the price that the
 * reader knows, and today's is asked for when it is told. A repeat counts nothing twice.
 */
export function gatherEach(kind: Kind, { pauseMs, everyMs }: Gathering, from: SQL, now: number): Statement {
  const { count, listings, firstAt, toldAt } = gatheredNews;
  const given = sql.raw("excluded.listings");
  const id = sql`(SELECT key FROM json_each(${given}))`;
  const isKnown = sql`EXISTS (SELECT 1 FROM json_each(${listings}) WHERE key = ${id})`;
  const hasRoom = sql`(SELECT COUNT(*) FROM json_each(${listings})) < ${LISTED_MAX}`;
  const first = sql`iif(${count} = 0, ${now}, ${firstAt})`;
  return insertEach(
    gatheredNews,
    {
      userId: sql`told.userId`,
      kind,
      count: 1,
      listings: sql`json_object(told.data ->> 'productId', json_set(told.data, '$.at', CAST(${now} AS INTEGER)))`,
      firstAt: now,
      dueAt: now + pauseMs,
    },
    from,
  ).onConflictDoUpdate({
    target: [gatheredNews.userId, gatheredNews.kind],
    set: {
      count: sql`${count} + iif(${isKnown}, 0, 1)`,
      listings: sql`iif(${isKnown} OR ${hasRoom}, json_patch(${given}, ${listings}), ${listings})`,
      firstAt: first,
      dueAt: sql`MAX(COALESCE(${toldAt} + ${everyMs}, 0), MIN(${now + pauseMs}, ${first} + ${everyMs}))`,
    },
  });
}

/**
 * A listing that waits. `at`: since when, ms since 1970. `joinedAt`: since when its reader is on its waiting list;
 * missing for who isn't.
 */
export type WaitingListing = NamedListing & { at: number; since?: number; joinedAt?: number };

/** What waits for somebody, as it was read. */
export type GatheredRow = Pick<
  typeof gatheredNews.$inferSelect,
  "userId" | "kind" | "count" | "listings" | "firstAt" | "told"
>;

/** Sets what waits on after it was told or looked at. Changes nothing if something has come since it was read. */
export function settleGathered(
  { userId, kind, count, firstAt, listings }: Omit<GatheredRow, "told">,
  left: Partial<Pick<typeof gatheredNews.$inferSelect, "count" | "listings" | "dueAt" | "toldAt" | "told">>,
): Statement {
  return build
    .update(gatheredNews)
    .set(left)
    .where(
      and(
        eq(gatheredNews.userId, userId),
        eq(gatheredNews.kind, kind),
        eq(gatheredNews.count, count),
        eq(gatheredNews.firstAt, firstAt),
        sql`json(${gatheredNews.listings}) = json(${JSON.stringify(listings)})`,
      ),
    );
}

/** Forgets what waits for somebody, and what they were told of this kind. */
export function dropGathered({ userId, kind }: Pick<GatheredRow, "userId" | "kind">): Statement {
  return build.delete(gatheredNews).where(and(eq(gatheredNews.userId, userId), eq(gatheredNews.kind, kind)));
}
