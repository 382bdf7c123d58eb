import { isAway } from "./patience.ts";

/**
 * Does a job's work for each row, one after the other. What fails stays due and is among the first rows of each run, so
 * it must not stop those behind it: `failed` learns of it, and the next row has its turn. Returns the results of those
 * that didn't fail.
 * @throws while the database is away; the rest stays due for the next run
 */
export async function oneByOne<Row, Result>(
  rows: Iterable<Row>,
  work: (row: Row) => Promise<Result>,
  failed: (row: Row, error: unknown) => unknown,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const row of rows) {
    try {
      results.push(await work(row));
    } catch (error) {
      if (isAway(error)) throw error;
      await failed(row, error);
    }
  }
  return results;
}
