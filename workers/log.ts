import type { Meter } from "#app/db/meter.ts";
import { withoutValues } from "#app/db/without-values.ts";
import { VERSION } from "#app/platform/version.ts";

/**
 * Logs one event as a JSON line, with the release. Callers never pass phone numbers, email addresses, tokens or
 * secrets.
 */
export function log(event: { event: string; level?: "info" | "error" } & Record<string, unknown>): void {
  const line = { level: "info", at: new Date().toISOString(), version: VERSION, ...event };
  const text = JSON.stringify(line, (_, value: unknown) => (typeof value === "string" ? withoutValues(value) : value));
  if (line.level === "error") console.error(text);
  else console.log(text);
}

/** Of requests that read and succeed, one in so many is logged, because each line costs twice what its request does. */
const ONE_IN = 20;
/** A request that takes longer is always logged, ms. */
const SLOW_MS = 1_000;

/** What decides whether a request has a line in the log. */
interface AnsweredRequest extends Pick<Meter, "rowsWritten" | "kvWrites"> {
  method: string;
  path: string;
  status: number;
  ms: number;
}

/**
 * How many requests the line of this one stands for; 0 where it has none. Writes, failures and slow requests always
 * have their own line. A GET request may write, too: a login with Google makes a session. The build's files have no
 * other lines.
 * @param chance from 0 to 1
 */
export function requestsOfLine(request: AnsweredRequest, chance = Math.random()): number {
  const reads = ["GET", "HEAD"].includes(request.method) && request.rowsWritten === 0 && request.kvWrites === 0;
  if (!reads || request.status >= 400 || request.ms > SLOW_MS) return 1;
  if (request.path.startsWith("/assets/")) return 0;
  return chance < 1 / ONE_IN ? ONE_IN : 0;
}
