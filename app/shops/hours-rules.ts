/** Business hours of a shop (commerce spec §3, §5: structured, or text): pure rules. */

export const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** When a shop is open on one day, "HH:MM"; null where it is closed. */
export type DayHours = { from: string; to: string } | null;
export type WeekHours = Record<Weekday, DayHours>;

/** As a shop keeps them. */
export type BusinessHours = { kind: "none" } | { kind: "week"; week: WeekHours } | { kind: "text"; text: string };

const CLOSED = "Closed";
const TIME = /^([01]?\d|2[0-3]):([0-5]\d)$/;

/**
 * Reads what is stored: JSON of days and times becomes a week, what is anything else stays text (commerce spec §5). Days may be
 * ranges, as in {"Mon–Fri": "8:00–18:30", "Sun": "Closed"}.
 */
export function readHours(stored: string | null): BusinessHours {
  if (stored === null || stored.trim() === "") return { kind: "none" };
  const week = readWeek(stored);
  return week ? { kind: "week", week } : { kind: "text", text: stored };
}

function readWeek(stored: string): WeekHours | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(stored);
  } catch {
    return null;
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return null;
  const week = noHours();
  for (const [label, value] of Object.entries(parsed)) {
    const days = readDays(label);
    const hours = typeof value === "string" ? readTimes(value) : undefined;
    if (!days || hours === undefined) return null;
    for (const day of days) week[day] = hours;
  }
  return week;
}

/** Closed on every day. */
export function noHours(): WeekHours {
  return { Mon: null, Tue: null, Wed: null, Thu: null, Fri: null, Sat: null, Sun: null };
}

function readDays(label: string): readonly Weekday[] | null {
  const [first, last, more] = label.split(/\s*[–-]\s*/).map((name) => WEEKDAYS.indexOf(name as Weekday));
  if (first === undefined || first < 0 || more !== undefined) return null;
  if (last === undefined) return WEEKDAYS.slice(first, first + 1);
  return last > first ? WEEKDAYS.slice(first, last + 1) : null;
}

/** Undefined where it is not a time from and to, or "Closed". */
function readTimes(text: string): DayHours | undefined {
  if (text === CLOSED) return null;
  const [from = "", to = "", more] = text.split(/\s*[–-]\s*/);
  if (more !== undefined || !TIME.test(from) || !TIME.test(to)) return undefined;
  return { from: padded(from), to: padded(to) };
}

function padded(time: string): string {
  return time.padStart(5, "0");
}

/** As it is stored: neighbours with the same hours stand together, closed days are said. */
export function writeHours(hours: BusinessHours): string | null {
  if (hours.kind === "none") return null;
  if (hours.kind === "text") return hours.text;
  return JSON.stringify(Object.fromEntries(hourLines(hours.week)));
}

/** A week in words: [["Mon–Fri", "08:00–18:30"], ["Sat–Sun", "Closed"]]. */
export function hourLines(week: WeekHours): [days: string, times: string][] {
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

/** Why a day's hours cannot be, or null where they can. Past midnight is the next day's. */
export function refuseTimes({ from, to }: { from: string; to: string }): string | null {
  if (!TIME.test(from) || !TIME.test(to)) return "Please set when you open and close";
  return padded(from) < padded(to) ? null : "Closing has to come after opening";
}
