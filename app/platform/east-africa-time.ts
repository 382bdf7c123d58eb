/**
 * East Africa Time is UTC+3 all year. The server runs in UTC, and a browser may be anywhere, so every date is computed
 * here.
 */
import { DAY_MS, HOUR_MS } from "#app/platform/duration-rules.ts";

const AHEAD_MS = 3 * HOUR_MS;

/** A date whose UTC fields show what a clock in East Africa shows at `ms` (since 1970). */
export function inEastAfrica(ms: number): Date {
  return new Date(ms + AHEAD_MS);
}

/** The moment (ms since 1970) when clocks in East Africa show `fields`, a time in UTC. */
function fromEastAfrica(fields: number): number {
  return fields - AHEAD_MS;
}

/** The East African day of `ms` (since 1970), in days since 1970. */
export function dayOf(ms: number): number {
  return Math.floor((ms + AHEAD_MS) / DAY_MS);
}

/** When a day begins, ms since 1970. `day` in days since 1970. */
export function dayStart(day: number): number {
  return day * DAY_MS - AHEAD_MS;
}

/** The East African day of `ms` (since 1970), as YYYY-MM-DD. */
export function dayName(ms: number): string {
  return inEastAfrica(ms).toISOString().slice(0, 10);
}

/** When a day begins and ends, ms since 1970. `day` as YYYY-MM-DD. */
export function dayBounds(day: string): { from: number; until: number } {
  const from = fromEastAfrica(Date.parse(`${day}T00:00:00Z`));
  return { from, until: from + DAY_MS };
}

/** When a day begins that somebody typed as YYYY-MM-DD; null for what is none, such as 31 April. */
export function readDay(typed: string): number | null {
  const { from } = dayBounds(typed);
  return Number.isNaN(from) || dayName(from) !== typed ? null : from;
}

/**
 * What a clock in East Africa shows at `ms` (since 1970), as YYYYMMDDHHmmss: the format in which M-Pesa writes times.
 */
export function compactTime(ms: number): string {
  return inEastAfrica(ms).toISOString().replace(/\D/g, "").slice(0, 14);
}

/**
 * The moment (ms since 1970) that YYYYMMDDHHmmss names; null for any other text, and for a date that does not exist.
 */
export function readCompactTime(text: string): number | null {
  const match = /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?<hour>\d{2})(?<minute>\d{2})(?<second>\d{2})$/.exec(text);
  if (!match?.groups) return null;
  const { year, month, day, hour, minute, second } = match.groups;
  const ms = fromEastAfrica(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`));
  // 31 April is parsed as another day or not at all. Neither formats back to the same text.
  return Number.isNaN(ms) || compactTime(ms) !== text ? null : ms;
}

/** What a clock in East Africa shows at `ms` (since 1970), as "YYYY-MM-DD HH:mm:ss". */
export function spacedTime(ms: number): string {
  return inEastAfrica(ms).toISOString().slice(0, 19).replace("T", " ");
}

/** The East African month of `ms` (since 1970), as YYYY-MM. */
export function monthName(ms: number): string {
  return dayName(ms).slice(0, 7);
}

/** When a month begins and ends, ms since 1970. `month` as YYYY-MM. */
export function monthBounds(month: string): { from: number; until: number } {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return { from: fromEastAfrica(Date.UTC(year, number - 1)), until: fromEastAfrica(Date.UTC(year, number)) };
}

/** `count` months up to `month`, the newest first. All as YYYY-MM. */
export function monthsUpTo(month: string, count: number): string[] {
  const months = [month];
  while (months.length < count) months.push(monthName(monthBounds(months.at(-1) ?? month).from - 1));
  return months;
}

/** When a year begins and ends, ms since 1970. */
export function yearBounds(year: number): { from: number; until: number } {
  return { from: fromEastAfrica(Date.UTC(year, 0)), until: fromEastAfrica(Date.UTC(year + 1, 0)) };
}
