/**
 * A meeting: where and when the buyer and the seller of a paid item meet. This file says what can happen to it, who can
 * do it, and which places and times are allowed. See docs/states.md, "Meetings".
 */
import { MEETING, type MeetingEvent, type MeetingState } from "#app/db/states/meeting.ts";
import { dayBounds, dayName, dayOf, dayStart, inEastAfrica } from "#app/platform/east-africa-time.ts";
import { MINUTE_MS, HOUR_MS } from "#app/platform/duration-rules.ts";

/**
 * From each state, the events that can happen there and the state that follows. The first suggestion makes the meeting.
 */
export const MEETING_TRANSITIONS: Record<MeetingState, Partial<Record<MeetingEvent, MeetingState>>> = {
  proposed: { suggested: "proposed", accepted: "accepted", declined: "declined", cancelled: "cancelled" },
  accepted: { suggested: "proposed", cancelled: "cancelled" },
  declined: { suggested: "proposed" },
  cancelled: { suggested: "proposed" },
};

/**
 * The state after `event`, which the person causes who made the latest suggestion or the other one; null when they
 * can't.
 */
export function nextMeetingState(
  state: MeetingState | null,
  event: MeetingEvent,
  isProposer: boolean,
): MeetingState | null {
  if (state === null) return event === "suggested" ? "proposed" : null;
  if (state === "proposed") {
    // Only the other side answers a suggestion. Whoever made it can take it back.
    const isAnswer = event === "accepted" || event === "declined";
    if (isAnswer && isProposer) return null;
    if (event === "cancelled" && !isProposer) return null;
  }
  return MEETING_TRANSITIONS[state][event] ?? null;
}

/** The buyer and the seller have arranged to meet, or may do so. */
export function mayMeet(meeting: { state: MeetingState; isOpen: boolean } | null): boolean {
  return meeting !== null && meeting.isOpen && MEETING.isActive(meeting.state);
}

/** How far ahead a meeting must be at least, in ms. */
export const MEETING_MIN_AHEAD_MS = 15 * MINUTE_MS;
/** How many days ahead a meeting can be. */
const MEETING_DAYS_AHEAD = 14;
/** Characters of a place in somebody's own words. */
export const PLACE_MAX = 100;
/** How many suggestions a meeting can have. The other side gets an email about each. */
export const SUGGESTIONS_MAX = 20;
/** How long before an accepted meeting both are reminded, in ms. */
const REMIND_BEFORE_MS = HOUR_MS;

/** Where people can meet on a campus. Hours in minutes after midnight in East Africa Time. */
export interface MeetingPoint {
  id: string;
  name: string;
  campus: string;
  opensAt: number;
  closesAt: number;
  /** Closed on Saturdays and Sundays. */
  weekdaysOnly: boolean;
  /** A guard or a camera is there. */
  isGuarded: boolean;
}

/** Where people can meet for something. */
export interface MeetingPlaces {
  points: readonly MeetingPoint[];
  /** The campus that asks that it is handed over at one of its points; null where another place is fine. */
  askedBy: string | null;
}

/** Where there is no point to choose, a campus asks for none. */
export function meetingPlaces(points: readonly MeetingPoint[], asking: { name: string } | undefined): MeetingPlaces {
  return { points, askedBy: points.length > 0 && asking ? asking.name : null };
}

/** What somebody suggests: a point or a place in own words, and a time (ms since 1970). */
export interface Suggestion {
  pointId: string | null;
  place: string;
  startsAt: number;
}

/** A meeting form as typed. `point` is a point's id, `OTHER_PLACE`, or empty. */
export interface MeetingValues {
  point: string;
  otherPlace: string;
  /** YYYY-MM-DD */
  day: string;
  /** HH:mm */
  time: string;
}

export type MeetingErrors = Partial<Record<keyof MeetingValues, string>>;

/** Instead of a point's id: the place is in own words. */
export const OTHER_PLACE = "other";

const MEETING_ERRORS = {
  no_place: "Choose where to meet",
  points_only: "Choose one of these places",
  no_words: "Say where to meet",
  place_too_long: `Please use at most ${PLACE_MAX} characters`,
  no_day: "Choose a day",
  no_time: "Enter a time, such as 14:00",
  too_soon: `Choose a time at least ${MEETING_MIN_AHEAD_MS / MINUTE_MS} minutes from now`,
  too_late: `Choose a day in the next ${MEETING_DAYS_AHEAD} days`,
} as const;

/** Minutes after midnight as a clock shows them: "08:00". */
export function clockTime(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Minutes after midnight that "HH:mm" names; null for any other text. */
export function readClockTime(text: string): number | null {
  const [, hours, minutes] = /^([01]?\d|2[0-3])[:.]([0-5]\d)$/.exec(text.trim()) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}

/** When a point is open. */
type OpenHours = Pick<MeetingPoint, "opensAt" | "closesAt" | "weekdaysOnly">;

/** When a point is open: "08:00–20:00", "08:00–17:00, Monday to Friday". */
export function hoursText({ opensAt, closesAt, weekdaysOnly }: OpenHours): string {
  const hours = `${clockTime(opensAt)}–${clockTime(closesAt)}`;
  return weekdaysOnly ? `${hours}, Monday to Friday` : hours;
}

/** The days that a form offers, from today on, as YYYY-MM-DD. `now` in ms since 1970. */
export function meetingDays(now: number): string[] {
  return Array.from({ length: MEETING_DAYS_AHEAD + 1 }, (_, ahead) => dayName(dayStart(dayOf(now) + ahead)));
}

/** A meeting's day and time as a form shows them. */
export function meetingValues(meeting: Suggestion, points: readonly MeetingPoint[]): MeetingValues {
  const point = points.find(({ id }) => id === meeting.pointId);
  return {
    point: point?.id ?? OTHER_PLACE,
    otherPlace: point ? "" : meeting.place,
    day: dayName(meeting.startsAt),
    time: inEastAfrica(meeting.startsAt).toISOString().slice(11, 16),
  };
}

/** Whether nothing was filled in. The day has a default, so it doesn't count. */
export function isEmptySuggestion({ point, otherPlace, time }: MeetingValues): boolean {
  return point === "" && otherPlace.trim() === "" && time.trim() === "";
}

type ReadSuggestion = { ok: true; suggestion: Suggestion } | { ok: false; errors: MeetingErrors };

/** Reads a meeting form: what it suggests, or the errors of its fields. `now` in ms since 1970. */
export function readSuggestion(values: MeetingValues, places: MeetingPlaces, now: number): ReadSuggestion {
  const place = values.otherPlace
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const point = places.points.find(({ id }) => id === values.point) ?? null;
  const isElsewhere = values.point === OTHER_PLACE;
  const isOther = isElsewhere && places.askedBy === null;
  const errors: MeetingErrors = {};
  if (!point && !isOther) errors.point = isElsewhere ? MEETING_ERRORS.points_only : MEETING_ERRORS.no_place;
  if (isOther && place === "") errors.otherPlace = MEETING_ERRORS.no_words;
  if (isOther && place.length > PLACE_MAX) errors.otherPlace = MEETING_ERRORS.place_too_long;

  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(values.day) && !Number.isNaN(Date.parse(`${values.day}T00:00:00Z`));
  const minutes = readClockTime(values.time);
  if (!isDay) errors.day = MEETING_ERRORS.no_day;
  if (minutes === null) errors.time = MEETING_ERRORS.no_time;
  if (!isDay || minutes === null) return { ok: false, errors };

  const startsAt = dayBounds(values.day).from + minutes * MINUTE_MS;
  const wrong = refuseTime(startsAt, point, now);
  if (wrong) errors[wrong.field] = wrong.error;
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  return { ok: true, suggestion: { pointId: point?.id ?? null, place: point?.name ?? place, startsAt } };
}

/** Why nobody can meet at `startsAt`, and the field that is wrong; null when they can. Both times in ms since 1970. */
function refuseTime(
  startsAt: number,
  point: OpenHours | null,
  now: number,
): { field: "day" | "time"; error: string } | null {
  if (startsAt < now + MEETING_MIN_AHEAD_MS) {
    const field = dayOf(startsAt) < dayOf(now) ? "day" : "time";
    return { field, error: MEETING_ERRORS.too_soon };
  }
  if (dayOf(startsAt) > dayOf(now) + MEETING_DAYS_AHEAD) return { field: "day", error: MEETING_ERRORS.too_late };
  if (!point) return null;
  const there = inEastAfrica(startsAt);
  const isWeekend = there.getUTCDay() === 0 || there.getUTCDay() === 6;
  if (point.weekdaysOnly && isWeekend)
    return { field: "day", error: "This place is closed on Saturdays and Sundays. Choose another day or place." };
  const minutes = there.getUTCHours() * 60 + there.getUTCMinutes();
  if (minutes < point.opensAt || minutes >= point.closesAt)
    return {
      field: "time",
      error: `This place is open ${clockTime(point.opensAt)}–${clockTime(point.closesAt)}. Choose a time in between.`,
    };
  return null;
}

/** When both are reminded of an accepted meeting, ms since 1970; null when it is too close for that. */
export function remindAt(startsAt: number, now: number): number | null {
  return startsAt - now > REMIND_BEFORE_MS ? startsAt - REMIND_BEFORE_MS : null;
}
