/** Business hours of a shop, by day or as text: pure rules. */

export const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** When a shop is open on one day, "HH:MM"; null when it is closed. */
export type DayHours = { from: string; to: string } | null;
export type WeekHours = Record<Weekday, DayHours>;

/** The hours as a shop stores them. */
export type BusinessHours = { kind: "none" } | { kind: "week"; week: WeekHours } | { kind: "text"; text: string };

const CLOSED = "Closed";
/** Between two days or times. */
const TO = "–";
const TIME = /^([01]?\d|2[0-3]):([0-5]\d)$/;

/** Reads stored hours, for the shop's page and its editor. JSON of other texts than `writeHours` writes becomes lines. */
export function readHours(stored: string | null): BusinessHours {
  const text = stored?.trim();
  if (!text) return { kind: "none" };
  const lines = readLines(text);
  if (!lines) return { kind: "text", text };
  const week = readWeek(lines);
  return week ? { kind: "week", week } : { kind: "text", text: inWords(lines).trim() };
}

type Line = [days: string, times: string];

/** Null for anything but JSON of texts. */
function readLines(text: string): Line[] | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return null;
  const lines = Object.entries(parsed);
  return lines.length > 0 && lines.every((line): line is Line => typeof line[1] === "string") ? lines : null;
}

/** A day that isn't named is closed. */
function readWeek(lines: readonly Line[]): WeekHours | null {
  const week = noHours();
  for (const [days, times] of lines) {
    const [first = -1, last = first, ...more] = days.split(TO).map((day) => WEEKDAYS.findIndex((one) => one === day));
    const [from = "", to = "", ...later] = times.split(TO);
    const isOpen = TIME.test(from) && TIME.test(to);
    if (first < 0 || last < first || more.length + later.length > 0 || (!isOpen && times !== CLOSED)) return null;
    for (const day of WEEKDAYS.slice(first, last + 1))
      week[day] = isOpen ? { from: padded(from), to: padded(to) } : null;
  }
  return week;
}

/** A week that is closed on every day. */
export function noHours(): WeekHours {
  return { Mon: null, Tue: null, Wed: null, Thu: null, Fri: null, Sat: null, Sun: null };
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
  return hours.kind === "text" ? hours.text : inWords(hourLines(hours.week));
}

function inWords(lines: readonly Line[]): string {
  return lines.map(([days, times]) => `${days}: ${times}`).join("\n");
}

/** A week in words: [["Mon–Fri", "08:00–18:30"], ["Sat–Sun", "Closed"]]. */
function hourLines(week: WeekHours): Line[] {
  const lines: { first: Weekday; last: Weekday; times: string }[] = [];
  for (const day of WEEKDAYS) {
    const hours = week[day];
    const times = hours ? `${hours.from}${TO}${hours.to}` : CLOSED;
    const line = lines.at(-1);
    if (line?.times === times) line.last = day;
    else lines.push({ first: day, last: day, times });
  }
  return lines.map(({ first, last, times }) => [first === last ? first : `${first}${TO}${last}`, times]);
}

/** The error of a day's hours; null when they are fine. "18:00–02:00" ends on the next day. */
export function refuseTimes({ from, to }: { from: string; to: string }): string | null {
  if (!TIME.test(from) || !TIME.test(to)) return "Please set opening and closing times";
  return padded(from) === padded(to) ? "Opening and closing times are the same" : null;
}
