import { and, eq, gt, gte, lte, not, type SQL, sql } from "drizzle-orm";
import { holds, type Statement, write } from "./batch.ts";
import { build, hasRow, insertEach } from "./build.ts";
import type { Store } from "./client.ts";
import { rateCounters } from "./tables.server.ts";

/** How often something may happen. The count is in the database, so it holds everywhere at once. */
export interface Allowance {
  key: string;
  /** How often within one window. */
  max: number;
  /** The length of the window, ms. It starts with the first count. */
  windowMs: number;
}

/** Counts one more and answers the new `count`. With `only`, counts nothing unless the condition holds. */
export function countOne({ key, windowMs }: Allowance, now: number, only: SQL = sql`1`) {
  const { count, windowStart } = rateCounters;
  const isOver = lte(windowStart, now - windowMs);
  return insertEach(rateCounters, { key, windowStart: now, count: 1 }, sql`WHERE ${only}`)
    .onConflictDoUpdate({
      target: rateCounters.key,
      set: {
        count: sql`CASE WHEN ${isOver} THEN 1 ELSE ${count} + 1 END`,
        windowStart: sql`CASE WHEN ${isOver} THEN ${now} ELSE ${windowStart} END`,
      },
    })
    .returning({ count });
}

/** Takes one back that `countOne` counted, because it didn't happen after all. */
export function uncountOne({ key }: Pick<Allowance, "key">): Statement {
  const { count } = rateCounters;
  return build
    .update(rateCounters)
    .set({ count: sql`MAX(${count} - 1, 0)` })
    .where(eq(rateCounters.key, key));
}

/** A condition for a batch that has called `countOne`: the count is still within the allowance. */
export function isWithin({ key, max }: Pick<Allowance, "key" | "max">): SQL {
  return sql`${build.select({ count: rateCounters.count }).from(rateCounters).where(eq(rateCounters.key, key))}
    <= ${max}`;
}

/** A condition for a batch: the allowance isn't used up. */
export function hasLeft({ key, max, windowMs }: Allowance, now: number): SQL {
  const isRecent = gt(rateCounters.windowStart, now - windowMs);
  return not(hasRow(rateCounters, and(eq(rateCounters.key, key), isRecent, gte(rateCounters.count, max))));
}

/** Whether the allowance is used up. Counts nothing. */
export async function isUsedUp({ db, now }: Store, allowance: Allowance): Promise<boolean> {
  return !(await holds(db, hasLeft(allowance, now())));
}

/** Counts one more under each key. False where any allowance is used up. One round trip. */
export async function takeAllowance(store: Store, allowances: Allowance[]): Promise<boolean> {
  const now = store.now();
  const { counted } = await write(store.db, { counted: allowances.map((allowance) => countOne(allowance, now)) });
  return counted.every((count, n) => countIn(count) <= (allowances[n]?.max ?? 0));
}

/** The count that `countOne` answered; 0 where it counted nothing. */
export function countIn(result: readonly { count: number }[] | undefined): number {
  return result?.[0]?.count ?? 0;
}
