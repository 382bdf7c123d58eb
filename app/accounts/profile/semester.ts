/** The semester of a campus: when people leave it and come back, and what is offered to them then. */
import { dayBounds, dayName, readDay } from "#app/platform/east-africa-time.ts";
import { formatWeekday } from "#app/ui/dates.ts";
import { HOLIDAY_MAX_DAYS, lastDayOf } from "./holiday.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** The last day of a semester and the first day of the next one: YYYY-MM-DD in East Africa. */
export interface Semester {
  closesOn: string;
  opensOn: string;
}

/** leaving: things are sold before it closes. over: until it opens again. arriving: things are looked for. */
export type SemesterTime = "leaving" | "over" | "arriving";

/** What a campus's semester means now. Times in ms since 1970. */
export interface SemesterNews {
  time: SemesterTime;
  campus: string;
  /** When its last day begins. */
  closes: number;
  /** When the first day of the next one begins. */
  opens: number;
}

/** How long before its last day things are sold. */
const LEAVING_MS = 21 * DAY_MS;
/** When people look for what they need: before the first day, and after it. */
const ARRIVING_BEFORE_MS = 7 * DAY_MS;
const ARRIVING_AFTER_MS = 14 * DAY_MS;
/** Days that an admin enters are at most this far away. */
const YEAR_MS = 366 * DAY_MS;

export function semesterNews(campus: string, { closesOn, opensOn }: Semester, now: number): SemesterNews | null {
  const [closes, opens] = [dayBounds(closesOn), dayBounds(opensOn)];
  const news = (time: SemesterTime) => ({ time, campus, closes: closes.from, opens: opens.from });
  // First: where a break is short, whoever comes back needs something.
  if (now >= opens.from - ARRIVING_BEFORE_MS && now < opens.from + ARRIVING_AFTER_MS && now >= closes.until)
    return news("arriving");
  if (now >= closes.from - LEAVING_MS && now < closes.until) return news("leaving");
  if (now >= closes.until && now < opens.from) return news("over");
  return null;
}

/** Whether sellers of the campus go home now, or have gone. */
export function goesHome({ time }: SemesterNews): boolean {
  return time !== "arriving";
}

/** What an admin's form says about a semester; null for none. `error` belongs to the field. */
export type ReadSemester =
  | { ok: true; semester: Semester | null }
  | { ok: false; field: keyof Semester; error: "day" | "order" | "far" };

/** What a form has seen of a campus's semester. */
export function seenSemester({ closesOn, opensOn }: Semester): string {
  return `${closesOn}|${opensOn}`;
}

/** Reads the two days of a form. Both empty: the campus has no semester to tell of. */
export function readSemester(typed: Semester, now: number): ReadSemester {
  const [closesOn, opensOn] = [typed.closesOn.trim(), typed.opensOn.trim()];
  if (closesOn === "" && opensOn === "") return { ok: true, semester: null };
  for (const [field, day] of [
    ["closesOn", closesOn],
    ["opensOn", opensOn],
  ] as const) {
    const from = readDay(day);
    if (from === null) return { ok: false, field, error: "day" };
    if (Math.abs(from - now) > YEAR_MS) return { ok: false, field, error: "far" };
  }
  return opensOn > closesOn
    ? { ok: true, semester: { closesOn, opensOn } }
    : { ok: false, field: "opensOn", error: "order" };
}

/**
 * The last day of a holiday from now on until the semester opens, as the holiday's form has it: YYYY-MM-DD. A holiday
 * has a longest length.
 */
export function holidayUntilOpening({ opens }: SemesterNews, now: number): string {
  return lastDayOf(Math.min(opens, dayBounds(dayName(now + HOLIDAY_MAX_DAYS * DAY_MS)).until));
}

/** "The semester at Main Campus ends on Fri 4 Dec 2026." */
export function semesterText({ time, campus, closes, opens }: SemesterNews): string {
  if (time === "leaving") return `The semester at ${campus} ends on ${formatWeekday(closes)}.`;
  return time === "over"
    ? `The semester at ${campus} is over. The next one begins on ${formatWeekday(opens)}.`
    : `The semester at ${campus} begins on ${formatWeekday(opens)}.`;
}

/** What Home offers at the semester's end and beginning. */
export interface SemesterOffer {
  text: string;
  /** The things of the campus, the cheapest first. */
  list: { to: string; label: string };
  /** They can sell what they leave. */
  sells: boolean;
}

/** Null where nothing is offered. */
export function semesterOffer(news: SemesterNews | null): SemesterOffer | null {
  if (news === null || news.time === "over") return null;
  const isEnd = news.time === "leaving";
  const filters = new URLSearchParams({ campus: news.campus, sort: "price-asc" });
  return {
    text: semesterText(news),
    list: {
      to: `/studentmarketplace?${filters.toString()}`,
      label: isEnd ? "See What's Leaving" : "See What You Can Start With",
    },
    sells: isEnd,
  };
}
