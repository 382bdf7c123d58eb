/** Dates as Kenya reads them. Kenya keeps UTC+3 all year; written out by hand, because engines disagree on Intl's "en-KE". */
const EAST_AFRICA_MS = 3 * 60 * 60_000;
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
  const there = new Date(ms + EAST_AFRICA_MS);
  return {
    day: there.getUTCDate(),
    month: MONTHS[there.getUTCMonth()] ?? "",
    year: there.getUTCFullYear(),
    time: there.toISOString().slice(11, 16),
  };
}

/** "21 Nov 2026". `ms` since 1970. */
export function formatDate(ms: number): string {
  const { day, month, year } = partsOf(ms);
  return `${day} ${month.slice(0, 3)} ${year}`;
}

/** "21 Nov 2026, 14:05". */
export function formatDateTime(ms: number): string {
  return `${formatDate(ms)}, ${partsOf(ms).time}`;
}

/** "14:05". */
export function formatTime(ms: number): string {
  return partsOf(ms).time;
}

const DAY_MS = 24 * 60 * 60_000;

/** "Today", "Yesterday" or "21 Nov 2026", seen from `now` (both ms since 1970). */
export function formatDay(ms: number, now: number): string {
  const daysAgo = Math.floor((now + EAST_AFRICA_MS) / DAY_MS) - Math.floor((ms + EAST_AFRICA_MS) / DAY_MS);
  if (daysAgo === 0) return "Today";
  return daysAgo === 1 ? "Yesterday" : formatDate(ms);
}

/** "November 2026". */
export function formatMonth(ms: number): string {
  const { month, year } = partsOf(ms);
  return `${month} ${year}`;
}

/** "14:05:09", for logs on the screen. */
export function formatClock(ms: number): string {
  return new Date(ms + EAST_AFRICA_MS).toISOString().slice(11, 19);
}
