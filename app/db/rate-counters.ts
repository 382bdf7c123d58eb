import { type SQL, sql } from "drizzle-orm";
import { rowOf, runBatch } from "./batch.ts";
import type { Store } from "./client.ts";

/** How often something may happen, counted in the database and so the same everywhere at once. */
export interface Allowance {
  key: string;
  /** Times within one window. */
  max: number;
  /** Counted from the first time, ms. */
  windowMs: number;
}

/** Counts one more; answers `count`, this one included. With `only`, counts nothing where the condition does not hold. */
export function countOne(allowance: Allowance, now: number, only: SQL = sql`1`): SQL {
  return sql`INSERT INTO rate_counters (key, window_start, count) SELECT ${allowance.key}, ${now}, 1 WHERE ${only}
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN window_start <= ${now - allowance.windowMs} THEN 1 ELSE count + 1 END,
      window_start = CASE WHEN window_start <= ${now - allowance.windowMs} THEN ${now} ELSE window_start END
    RETURNING count`;
}

/** Holds, in a batch that has counted by `countOne` before, while the allowance is not overdrawn. */
export function isWithin({ key, max }: Pick<Allowance, "key" | "max">): SQL {
  return sql`(SELECT count FROM rate_counters WHERE key = ${key}) <= ${max}`;
}

/** Whether nothing is left of the allowance by now; counts nothing. */
export async function isUsedUp(
  { db, now }: Pick<Store, "db" | "now">,
  { key, max, windowMs }: Allowance,
): Promise<boolean> {
  const [used] = await db.all<{ count: number }>(
    sql`SELECT count FROM rate_counters WHERE key = ${key} AND window_start > ${now() - windowMs}`,
  );
  return (used?.count ?? 0) >= max;
}

/** Counts one more under each key; false where any of them is used up. One round trip. */
export async function takeAllowance(store: Store, allowances: Allowance[]): Promise<boolean> {
  const now = store.now();
  const results = await runBatch(
    store.db,
    allowances.map((allowance) => countOne(allowance, now)),
  );
  return results.every((result, n) => countIn(result) <= (allowances[n]?.max ?? 0));
}

/** What `countOne` answered; 0 where it counted nothing. */
export function countIn(result: D1Result | undefined): number {
  return rowOf<{ count: number }>(result)?.count ?? 0;
}
