/** East Africa Time (UTC+3, no summer time), the clock of every time Safaricom writes or reads. Workers run in UTC. */
import { readText } from "./json-reading.ts";

const EAT_OFFSET_MS = 3 * 60 * 60 * 1000;
const COMPACT = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/;

/** `now` in milliseconds since 1970 as YYYYMMDDHHmmss in East Africa Time (Daraja facts §3.1). */
export function eatTimestamp(now: number): string {
  return new Date(now + EAT_OFFSET_MS).toISOString().replace(/\D/g, "").slice(0, 14);
}

/** Reads a `TransactionDate` (YYYYMMDDHHmmss, number or text; Daraja facts §3.4) as milliseconds since 1970, null if it is not one. */
export function readCompactTime(value: unknown): number | null {
  const text = readText(value, 14) ?? "";
  const match = COMPACT.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second] = match;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - EAT_OFFSET_MS;
  // A date that does not exist (31 April) either parses as another day or not at all; neither writes itself back.
  return Number.isNaN(time) || eatTimestamp(time) !== text ? null : time;
}
