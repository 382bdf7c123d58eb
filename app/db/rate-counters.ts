import { type SQL, sql } from "drizzle-orm";
import { rowOf, runBatch } from "./batch.ts";
import type { Store } from "./client.ts";

/** How often something may happen. The count is in the database, so it holds everywhere at once. */
export interface Allowance {
  key: string;
  /** How often within one window. */
  max: number;
  /** The length of the window, ms. It starts with the first count. */
  windowMs: number;
}

/** Counts one more and answers the new `count`. With `only`, counts nothing unless the condition holds. */
export function countOne(allowance: Allowance, now: number, only: SQL = sql`1`): SQL {
  return sql`INSERT INTO rate_counters (key, window_start, count) SELECT ${allowance.key}, ${now}, 1 WHERE ${only}
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN window_start <= ${now - allowance.windowMs} THEN 1 ELSE count + 1 END,
      window_start = CASE WHEN window_start <= ${now - allowance.windowMs} THEN ${now} ELSE window_start END
    RETURNING count`;
}

/** A condition for a batch that has called `countOne`: the count is still within the allowance. */
export function isWithin({ key, max }: Pick<Allowance, "key" | "max">): SQL {
  return sql`(SELECT count FROM rate_counters WHERE key = ${key}) <= ${max}`;
}

/** A condition for a batch: the allowance isn't used up. */
export function hasLeft({ key, max, windowMs }: Allowance, now: number): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM rate_counters WHERE key = ${key} AND window_start > ${now - windowMs} AND count >= ${max})`;
}

/** Whether the allowance is used up. Counts nothing. */
export async function isUsedUp({ db, now }: Pick<Store, "db" | "now">, allowance: Allowance): Promise<boolean> {
  const [row] = await db.all<{ left: number }>(sql`SELECT ${hasLeft(allowance, now())} AS left`);
  return row?.left !== 1;
}

/** Counts one more under each key. False where any allowance is used up. One round trip. */
export async function takeAllowance(store: Store, allowances: Allowance[]): Promise<boolean> {
  const now = store.now();
  const results = await runBatch(
    store.db,
    allowances.map((allowance) => countOne(allowance, now)),
  );
  return results.every((result, n) => countIn(result) <= (allowances[n]?.max ?? 0));
}

/** The count that `countOne` answered; 0 where it counted nothing. */
export function countIn(result: unknown): number {
  return rowOf<{ count: number }>(result)?.count ?? 0;
}
