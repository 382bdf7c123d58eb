/** East Africa Time (UTC+3, no summer time), the clock of every time Safaricom writes or reads. Workers run in UTC. */

const EAT_OFFSET_MS = 3 * 60 * 60 * 1000;
const COMPACT = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/;
const DOTTED = /^(\d{2})\.(\d{2})\.(\d{4}) (\d{2}):(\d{2}):(\d{2})$/;

/** `now` in milliseconds since 1970 as YYYYMMDDHHmmss in East Africa Time (Daraja facts §3.1). */
export function eatTimestamp(now: number): string {
  return new Date(now + EAT_OFFSET_MS).toISOString().replace(/\D/g, "").slice(0, 14);
}

/** Reads a `TransactionDate` (YYYYMMDDHHmmss, number or text; Daraja facts §3.4) as milliseconds since 1970, null if it is not one. */
export function readCompactTime(value: unknown): number | null {
  const match = COMPACT.exec(String(value));
  if (match === null) return null;
  const [, year, month, day, hour, minute, second] = match;
  return fromEat(year, month, day, hour, minute, second);
}

/** Reads "DD.MM.YYYY HH:mm:ss" (Daraja facts §5.4) as milliseconds since 1970, null if it is not one. */
export function readDottedTime(value: unknown): number | null {
  const match = DOTTED.exec(String(value));
  if (match === null) return null;
  const [, day, month, year, hour, minute, second] = match;
  return fromEat(year, month, day, hour, minute, second);
}

type Part = string | undefined;

function fromEat(year: Part, month: Part, day: Part, hour: Part, minute: Part, second: Part): number | null {
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - EAT_OFFSET_MS;
  // A date that does not exist (31 April) either parses as another day or not at all; neither writes itself back.
  if (Number.isNaN(time) || eatTimestamp(time) !== `${year}${month}${day}${hour}${minute}${second}`) return null;
  return time;
}
