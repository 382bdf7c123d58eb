/**
 * What happens while the database is away: Cloudflare moves or resets it now and then, for seconds up to two minutes.
 * D1 repeats reads at once, and writes never. docs/decisions/database-away.md says what is repeated and what is kept
 * elsewhere.
 */
import { wrapDatabase } from "./wrapped-database.ts";

/** How long somebody waits for a database that is away. */
export interface Patience {
  /** Ms since 1970. */
  now(): number;
  /** Resolves after `ms`, or when `stop` is aborted. */
  wait(ms: number, stop?: AbortSignal): Promise<void>;
  /** No try begins later than this after the first one, ms. */
  repeatForMs: number;
  /** After so long a try counts as lost, ms. It may still take effect. Infinity: never. */
  tryMs: number;
}

/** The database did not answer, as often as it was asked. A write may have happened, or may still happen. */
export class DatabaseAway extends Error {
  override name = "DatabaseAway";
}

/**
 * D1's words for faults that pass by themselves, from its list of errors, and SQLite's for a database that is locked.
 * Nothing is wrong with the query.
 */
const AWAY =
  /network connection lost|object to be reset|and was reset|because its code was updated|exceeded timeout|is overloaded|transient issue|client disconnected|internal error|SQLITE_(?:BUSY|LOCKED)|database (?:table )?is locked/i;

/**
 * Whether the error says that the database is away, rather than that it refuses. Drizzle hides D1's words in `cause`.
 */
export function isAway(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof DatabaseAway) return true;
    if (/constraint|precondition_failed/i.test(at.message)) return false;
    if (at.message.includes("D1_") && AWAY.test(at.message)) return true;
  }
  return false;
}

/** For a person who waits for a page: long enough for a short fault, and for no spinner without a word. */
export const PAGE_PATIENCE: Patience = { now: Date.now, wait: sleep, repeatForMs: 8_000, tryMs: 10_000 };
/** For a job, which nobody waits for. D1 itself ends a query after 30 s. */
export const JOB_PATIENCE: Patience = { now: Date.now, wait: sleep, repeatForMs: 60_000, tryMs: 35_000 };

/** The pause before the try after `tries`, ms, without its share of chance. */
function pauseAfter(tries: number): number {
  return Math.min(5_000, 100 * 2 ** (tries - 1));
}

/**
 * Does `work` again and again while the database is away. It must be safe to repeat: an answer that was lost may belong
 * to work that was done. `tries` counts from 1.
 * @throws DatabaseAway when patience ends
 */
export async function patiently<T>(patience: Patience, work: (tries: number) => Promise<T>): Promise<T> {
  const startedAt = patience.now();
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTime(patience, work(tries));
    } catch (error) {
      if (!isAway(error)) throw error;
      // Those who failed together don't come back together.
      const [chance = 0] = crypto.getRandomValues(new Uint8Array(1));
      const pause = pauseAfter(tries) * (0.5 + chance / 512);
      if (patience.now() + pause - startedAt > patience.repeatForMs)
        throw new DatabaseAway("the database is away", { cause: error });
      await patience.wait(pause);
    }
  }
}

async function inTime<T>({ tryMs, wait }: Patience, work: Promise<T>): Promise<T> {
  if (tryMs === Infinity) return work;
  const over = new AbortController();
  const late = wait(tryMs, over.signal).then(() => {
    if (over.signal.aborted) return work;
    throw new DatabaseAway(`no answer within ${tryMs} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => {});
    over.abort();
  }
}

/** A database that repeats reads. Writes pass once: only `batch.ts` knows which of them may be repeated. */
export function repeatReads(d1: D1Database, patience: Patience): D1Database {
  return wrapDatabase((queries, work) => (queries.every(isRead) ? patiently(patience, () => work(d1)) : work(d1)));
}

/** A query that changes nothing. `WITH` may also begin a change, so the rest of such a query is looked at, too. */
export function isRead(query: string): boolean {
  return /^\s*(?:SELECT\b|WITH\b(?![\s\S]*\b(?:INSERT|UPDATE|DELETE|REPLACE\s+INTO)\b))/i.test(query);
}

function sleep(ms: number, stop?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    stop?.addEventListener("abort", () => {
      clearTimeout(timer);
      done();
    });
  });
}
