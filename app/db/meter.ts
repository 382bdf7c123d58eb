import { wrapDatabase } from "./wrapped-database.ts";

/** Counts what one request or job uses and Cloudflare charges for, for its line in the log. */
export interface Meter {
  /** Calls to D1 that follow one another: those that run at the same time count once, and a batch is one call. */
  trips: number;
  /** Rows scanned, as D1 reports them. Where it doesn't (`first` and `raw`), the rows returned. */
  rowsRead: number;
  /** Rows written, as D1 reports them: each index of a table counts once more. */
  rowsWritten: number;
  kvReads: number;
  /** Puts, deletes and lists. They cost the same. */
  kvWrites: number;
  /** Class B operations: get and head. */
  r2Reads: number;
  /** Class A operations: put and list. Deletes are free. */
  r2Writes: number;
  /** Requests to Durable Objects. */
  hubRequests: number;
  emails: number;
}

export function newMeter(): Meter {
  return {
    trips: 0,
    rowsRead: 0,
    rowsWritten: 0,
    kvReads: 0,
    kvWrites: 0,
    r2Reads: 0,
    r2Writes: 0,
    hubRequests: 0,
    emails: 0,
  };
}

/** As a Server-Timing header. */
export function describeMeter(meter: Meter): string {
  return [
    `d1;desc="trips=${meter.trips} rows=${meter.rowsRead} written=${meter.rowsWritten}"`,
    `kv;desc="reads=${meter.kvReads} writes=${meter.kvWrites}"`,
    `r2;desc="reads=${meter.r2Reads} writes=${meter.r2Writes}"`,
    `hubs;desc="requests=${meter.hubRequests}"`,
    `email;desc="sent=${meter.emails}"`,
  ].join(", ");
}

/** Wraps a database so that `meter` counts its calls and rows. */
export function meterDatabase(d1: D1Database, meter: Meter): D1Database {
  let underWay = 0;
  return wrapDatabase(async (_, work) => {
    if (underWay === 0) meter.trips += 1;
    underWay += 1;
    try {
      const answer = await work(d1);
      countRows(meter, answer);
      return answer;
    } finally {
      underWay -= 1;
    }
  });
}

/** A batch answers with several results, `raw` with rows. `first` answers with a row, or null. */
function countRows(meter: Meter, answer: unknown): void {
  for (const part of (Array.isArray(answer) ? answer : [answer]) as ({ meta?: D1Meta } | null)[]) {
    meter.rowsRead += part === null ? 0 : (part.meta?.rows_read ?? 1);
    meter.rowsWritten += part?.meta?.rows_written ?? 0;
  }
}
