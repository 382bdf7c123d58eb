/** Business hours of a shop, by day or as text: pure rules. */
import { capitalized } from "#app/platform/word-rules.ts";

export const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** When a shop is open on one day, "HH:MM"; null when it is closed. */
export type DayHours = { from: string; to: string } | null;
export type WeekHours = Record<Weekday, DayHours>;

/** The hours as a shop stores them. */
export type BusinessHours = { kind: "none" } | { kind: "week"; week: WeekHours } | { kind: "text"; text: string };

const CLOSED = "Closed";
const DAY_NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
/** The dashes between two days or times. */
const BETWEEN = /\s*[–-]\s*/;
const TIME = /^([01]?\d|2[0-3]):([0-5]\d)$/;

/**
 * Reads stored hours, for the shop's page and its editor. JSON of days and times becomes a week; anything else stays
 * text. Days may be ranges and times may be objects, as in {"Mon–Fri": "8:00–18:30", "saturday": {"open": "9:00",
 * "close": "13:00"}, "Sun": "Closed"}. A day that isn't named is closed. Other JSON becomes lines of words.
 */
export function readHours(stored: string | null): BusinessHours {
  const text = stored?.trim();
  if (!text) return { kind: "none" };
  const entries = readEntries(text);
  if (!entries) return { kind: "text", text };
  if (entries.length === 0) return { kind: "none" };
  const week = readWeek(entries);
  return week
    ? { kind: "week", week }
    : {
        kind: "text",
        text: entries
          .map(({ label, times }) => `${label}: ${times}`)
          .join("\n")
          .trim(),
      };
}

interface Entry {
  /** A day or a range of days. */
  label: string;
  times: string;
}

/** Null for anything but JSON of names and times. */
function readEntries(text: string): Entry[] | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return null;
  const entries = Object.entries(parsed).map(([label, times]) => ({
    label: capitalized(label),
    times: timesInWords(times),
  }));
  return entries.every((entry): entry is Entry => entry.times !== null) ? entries : null;
}

function timesInWords(times: unknown): string | null {
  if (times === null) return CLOSED;
  if (typeof times === "string") return times.trim() || CLOSED;
  if (typeof times !== "object") return null;
  const { open, close, closed } = times as Record<"open" | "close" | "closed", unknown>;
  if (closed === true) return CLOSED;
  return typeof open === "string" && typeof close === "string" ? `${open}–${close}` : null;
}

function readWeek(entries: readonly Entry[]): WeekHours | null {
  const week = noHours();
  for (const { label, times } of entries) {
    const days = readDays(label);
    const hours = readTimes(times);
    if (!days || hours === undefined) return null;
    for (const day of days) week[day] = hours;
  }
  return week;
}

/** A week that is closed on every day. */
export function noHours(): WeekHours {
  return { Mon: null, Tue: null, Wed: null, Thu: null, Fri: null, Sat: null, Sun: null };
}

function readDays(label: string): readonly Weekday[] | null {
  const [first, last, more] = label.split(BETWEEN).map(readDay);
  if (first === undefined || first < 0 || more !== undefined) return null;
  if (last === undefined) return WEEKDAYS.slice(first, first + 1);
  return last > first ? WEEKDAYS.slice(first, last + 1) : null;
}

/** The index of "Mon", "monday" and so on in the week; -1 for anything else. */
function readDay(name: string): number {
  const asked = name.trim().toLowerCase();
  return DAY_NAMES.findIndex((day) => asked.length >= 3 && day.startsWith(asked));
}

/** Undefined for anything but a time range or "Closed". */
function readTimes(text: string): DayHours | undefined {
  if (text.toLowerCase() === CLOSED.toLowerCase()) return null;
  const [from = "", to = "", more] = text.split(BETWEEN);
  if (more !== undefined || !TIME.test(from) || !TIME.test(to)) return undefined;
  return { from: padded(from), to: padded(to) };
}

function padded(time: string): string {
  return time.padStart(5, "0");
}

/** The hours for storing. Neighbouring days with the same hours are joined, and closed days are included. */
export function writeHours(hours: BusinessHours): string | null {
  if (hours.kind === "none") return null;
  if (hours.kind === "text") return hours.text;
  return JSON.stringify(Object.fromEntries(hourLines(hours.week)));
}

/** The hours for a shop's page, one line for days with the same hours; null when there are none. */
export function hoursInWords(hours: BusinessHours): string | null {
  if (hours.kind === "none") return null;
  return hours.kind === "text"
    ? hours.text
    : hourLines(hours.week)
        .map(([days, times]) => `${days}: ${times}`)
        .join("\n");
}

/** A week in words: [["Mon–Fri", "08:00–18:30"], ["Sat–Sun", "Closed"]]. */
function hourLines(week: WeekHours): [days: string, times: string][] {
  const lines: { first: Weekday; last: Weekday; times: string }[] = [];
  for (const day of WEEKDAYS) {
    const hours = week[day];
    const times = hours ? `${hours.from}–${hours.to}` : CLOSED;
    const line = lines.at(-1);
    if (line?.times === times) line.last = day;
    else lines.push({ first: day, last: day, times });
  }
  return lines.map(({ first, last, times }) => [first === last ? first : `${first}–${last}`, times]);
}

/** The error of a day's hours; null when they are fine. "18:00–02:00" ends on the next day. */
export function refuseTimes({ from, to }: { from: string; to: string }): string | null {
  if (!TIME.test(from) || !TIME.test(to)) return "Please set opening and closing times";
  return padded(from) === padded(to) ? "Opening and closing times are the same" : null;
}
