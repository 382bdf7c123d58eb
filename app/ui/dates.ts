/**
 * Dates as people in Kenya read them, in East Africa Time. Written by hand, because browsers disagree on Intl's
 * "en-KE".
 */
import { dayOf, inEastAfrica, monthBounds } from "#app/platform/east-africa-time.ts";

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

interface Parts {
  day: number;
  month: string;
  year: number;
  time: string;
}

function partsOf(ms: number): Parts {
  const there = inEastAfrica(ms);
  return {
    day: there.getUTCDate(),
    month: MONTHS[there.getUTCMonth()] ?? "",
    year: there.getUTCFullYear(),
    time: there.toISOString().slice(11, 16),
  };
}

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** "21 Nov 2026". `ms` since 1970. */
export function formatDate(ms: number): string {
  const { day, month, year } = partsOf(ms);
  return `${day} ${month.slice(0, 3)} ${year}`;
}

/** "Sat 21 Nov 2026". */
export function formatWeekday(ms: number): string {
  return `${WEEKDAYS[inEastAfrica(ms).getUTCDay()]} ${formatDate(ms)}`;
}

/** Within a sentence: "today at 14:05", "tomorrow at 14:05", or "on Sat 21 Nov at 14:05". Both in ms since 1970. */
export function formatMoment(ms: number, now: number): string {
  const { day, month, time } = partsOf(ms);
  const ahead = dayOf(ms) - dayOf(now);
  const near = { [-1]: "yesterday", 0: "today", 1: "tomorrow" }[ahead];
  return `${near ?? `on ${WEEKDAYS[inEastAfrica(ms).getUTCDay()]} ${day} ${month.slice(0, 3)}`} at ${time}`;
}

/** "21 Nov 2026, 14:05". */
export function formatDateTime(ms: number): string {
  return `${formatDate(ms)}, ${partsOf(ms).time}`;
}

/** "14:05". */
export function formatTime(ms: number): string {
  return partsOf(ms).time;
}

/** "Today", "Yesterday" or "21 Nov 2026", relative to `now` (both ms since 1970). */
export function formatDay(ms: number, now: number): string {
  const daysAgo = dayOf(now) - dayOf(ms);
  if (daysAgo === 0) return "Today";
  return daysAgo === 1 ? "Yesterday" : formatDate(ms);
}

/** "5 December", for a day within a year. */
export function formatDayOfYear(ms: number): string {
  const { day, month } = partsOf(ms);
  return `${day} ${month}`;
}

/** "November 2026". */
export function formatMonth(ms: number): string {
  const { month, year } = partsOf(ms);
  return `${month} ${year}`;
}

/** "November 2026", of "2026-11". */
export function monthTitle(month: string): string {
  return formatMonth(monthBounds(month).from);
}

/** "14:05:09", for logs on the screen. */
export function formatClock(ms: number): string {
  return inEastAfrica(ms).toISOString().slice(11, 19);
}
