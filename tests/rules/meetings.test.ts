import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MEETING_EVENTS, MEETING_STATES, type MeetingEvent, type MeetingState } from "#app/db/states/meeting.ts";
import { calendarFile } from "#app/meetings/calendar-rules.ts";
import {
  clockTime,
  hoursText,
  isEmptySuggestion,
  meetingDays,
  meetingValues,
  nextMeetingState,
  OTHER_PLACE,
  PLACE_MAX,
  readClockTime,
  meetingPlaces,
  readSuggestion,
  remindAt,
} from "#app/meetings/meeting-rules.ts";
import { meetingStatus } from "#app/meetings/meeting-texts.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Wednesday, 18 November 2026, 10:00 in Nairobi. */
const NOW = Date.UTC(2026, 10, 18, 7);

const LIBRARY = {
  id: "library",
  name: "Library steps",
  campus: "Main Campus",
  opensAt: 8 * 60,
  closesAt: 20 * 60,
  weekdaysOnly: false,
  isGuarded: false,
};
const OFFICE = { ...LIBRARY, id: "office", name: "Office", weekdaysOnly: true };
const POINTS = [LIBRARY, OFFICE];
const PLACES = meetingPlaces(POINTS, undefined);

/** What follows for the person who made the latest suggestion, and for the other one. */
const FOLLOWS: Record<MeetingState, Record<"proposer" | "other", Partial<Record<MeetingEvent, MeetingState>>>> = {
  proposed: {
    proposer: { suggested: "proposed", cancelled: "cancelled" },
    other: { suggested: "proposed", accepted: "accepted", declined: "declined" },
  },
  accepted: {
    proposer: { suggested: "proposed", cancelled: "cancelled" },
    other: { suggested: "proposed", cancelled: "cancelled" },
  },
  declined: { proposer: { suggested: "proposed" }, other: { suggested: "proposed" } },
  cancelled: { proposer: { suggested: "proposed" }, other: { suggested: "proposed" } },
};

describe.each(MEETING_STATES)("a meeting that is %s", (state) => {
  test.each(MEETING_EVENTS)("after %s", (event) => {
    expect(nextMeetingState(state, event, true)).toBe(FOLLOWS[state].proposer[event] ?? null);
    expect(nextMeetingState(state, event, false)).toBe(FOLLOWS[state].other[event] ?? null);
  });
});

test("a meeting begins with a suggestion", () => {
  expect(MEETING_EVENTS.filter((event) => nextMeetingState(null, event, false) !== null)).toEqual(["suggested"]);
});

test("nobody accepts or declines their own suggestion, whatever was done before", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...MEETING_EVENTS), fc.boolean())), (steps) => {
      let state: MeetingState | null = null;
      let proposer: boolean | null = null;
      for (const [event, isBuyer] of steps) {
        const next: MeetingState | null = nextMeetingState(state, event, proposer === isBuyer);
        if (next === null) continue;
        if (event === "accepted" || event === "declined") expect(isBuyer).not.toBe(proposer);
        if (event === "suggested") proposer = isBuyer;
        state = next;
      }
    }),
  );
});

const typed = { point: "library", otherPlace: "", day: "2026-11-19", time: "14:00" };

describe("a suggestion", () => {
  test("names a point and a time in Nairobi", () => {
    expect(readSuggestion(typed, PLACES, NOW)).toEqual({
      ok: true,
      suggestion: { pointId: "library", place: "Library steps", startsAt: Date.UTC(2026, 10, 19, 11) },
    });
  });

  test("names another place in own words, on one line", () => {
    const own = { ...typed, point: OTHER_PLACE, otherPlace: " Hall 6,\n  reception\u202e " };
    expect(readSuggestion(own, PLACES, NOW)).toMatchObject({
      ok: true,
      suggestion: { pointId: null, place: "Hall 6, reception" },
    });
  });

  test("names another place only where the campus doesn't ask for its points, or has none to choose", () => {
    const own = { ...typed, point: OTHER_PLACE, otherPlace: "My room" };
    const asking = { name: "Main Campus" };
    expect(readSuggestion(own, meetingPlaces(POINTS, asking), NOW)).toEqual({
      ok: false,
      errors: { point: "Choose one of these places" },
    });
    expect(readSuggestion(typed, meetingPlaces(POINTS, asking), NOW).ok).toBe(true);
    expect(readSuggestion(own, meetingPlaces([], asking), NOW)).toMatchObject({ suggestion: { place: "My room" } });
  });

  test.each([
    ["no place", { point: "" }, ["point"]],
    ["a point that isn't offered", { point: "elsewhere" }, ["point"]],
    ["another place without words", { point: OTHER_PLACE, otherPlace: "  " }, ["otherPlace"]],
    ["a long place", { point: OTHER_PLACE, otherPlace: "a".repeat(PLACE_MAX + 1) }, ["otherPlace"]],
    ["no day", { day: "" }, ["day"]],
    ["a day that doesn't exist", { day: "2026-13-40" }, ["day"]],
    ["no time", { time: "" }, ["time"]],
    ["a time that doesn't exist", { time: "25:00" }, ["time"]],
    ["yesterday", { day: "2026-11-17" }, ["day"]],
    ["ten minutes from now", { day: "2026-11-18", time: "10:10" }, ["time"]],
    ["15 days ahead", { day: "2026-12-03" }, ["day"]],
    ["before the place opens", { time: "07:59" }, ["time"]],
    ["when the place closes", { time: "20:00" }, ["time"]],
    ["a weekend at a place that is closed then", { point: "office", day: "2026-11-21" }, ["day"]],
    ["nothing", { point: "", day: "", time: "" }, ["day", "point", "time"]],
  ])("is refused for %s", (_, change, fields) => {
    const read = readSuggestion({ ...typed, ...change }, PLACES, NOW);
    expect(read.ok ? [] : Object.keys(read.errors).toSorted()).toEqual(fields);
  });

  test("that is accepted is 15 minutes to 14 days ahead, within the hours of its point, and shown as it was typed", () => {
    const minutes = fc.integer({ min: 0, max: 24 * 60 - 1 });
    fc.assert(
      fc.property(
        fc.integer({ min: -3, max: 20 }),
        minutes,
        minutes,
        fc.constantFrom(...POINTS),
        (day, at, ahead, point) => {
          const now = NOW + ahead * MINUTE;
          const date = meetingDays(now + day * DAY)[0] ?? "";
          const values = { point: point.id, otherPlace: "", day: date, time: clockTime(at) };
          const read = readSuggestion(values, PLACES, now);
          if (!read.ok) return;
          const { startsAt } = read.suggestion;
          expect(startsAt - now).toBeGreaterThanOrEqual(15 * MINUTE);
          expect(meetingDays(now)).toContain(date);
          expect(at >= point.opensAt && at < point.closesAt).toBe(true);
          const weekday = new Date(startsAt + 3 * 60 * MINUTE).getUTCDay();
          if (point.weekdaysOnly) expect([1, 2, 3, 4, 5]).toContain(weekday);
          expect(meetingValues(read.suggestion, POINTS)).toEqual(values);
        },
      ),
    );
  });

  test("never throws, whatever is typed", () => {
    const text = fc.string({ maxLength: 20 });
    fc.assert(
      fc.property(fc.record({ point: text, otherPlace: text, day: text, time: text }), (values) => {
        expect(readSuggestion(values, PLACES, NOW).ok).toBe(false);
      }),
    );
  });

  test("is none if only the day is chosen", () => {
    expect(isEmptySuggestion({ point: "", otherPlace: " ", day: "2026-11-19", time: "" })).toBe(true);
    expect(isEmptySuggestion({ ...typed, point: "" })).toBe(false);
  });
});

test("times of day are read as people write them", () => {
  expect(["8:05", "08.05", " 23:59 ", "00:00"].map(readClockTime)).toEqual([485, 485, 1439, 0]);
  expect(["24:00", "8", "8:60", "-1:00", "8:05 pm"].map(readClockTime)).toEqual([null, null, null, null, null]);
  expect(hoursText(LIBRARY)).toBe("08:00–20:00");
  expect(hoursText(OFFICE)).toBe("08:00–20:00, Monday to Friday");
});

test("both are reminded an hour before, unless the meeting is within the hour", () => {
  expect(remindAt(NOW + 61 * MINUTE, NOW)).toBe(NOW + MINUTE);
  expect(remindAt(NOW + 60 * MINUTE, NOW)).toBeNull();
  expect(remindAt(NOW - DAY, NOW)).toBeNull();
});

describe("a calendar file", () => {
  const event = {
    uid: "meeting-1@chuoni.test",
    sequence: 2,
    stamp: NOW,
    startsAt: NOW + DAY,
    title: "Get Casio fx-991ES",
    place: "Library steps",
    url: "https://chuoni.test/orders/1",
  };

  test("names the event, its time in UTC, and an alarm an hour before", () => {
    expect(calendarFile(event).split("\r\n")).toEqual([
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Chuoni//Meetings//EN",
      "CALSCALE:GREGORIAN",
      "METHOD:PUBLISH",
      "BEGIN:VEVENT",
      "UID:meeting-1@chuoni.test",
      "SEQUENCE:2",
      "DTSTAMP:20261118T070000Z",
      "DTSTART:20261119T070000Z",
      "DTEND:20261119T073000Z",
      "SUMMARY:Get Casio fx-991ES",
      "LOCATION:Library steps",
      "URL:https://chuoni.test/orders/1",
      "STATUS:CONFIRMED",
      "BEGIN:VALARM",
      "ACTION:DISPLAY",
      "TRIGGER:-PT1H",
      "DESCRIPTION:Get Casio fx-991ES",
      "END:VALARM",
      "END:VEVENT",
      "END:VCALENDAR",
      "",
    ]);
  });

  test("keeps any text in one property, in lines of at most 75 bytes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        const file = calendarFile({ ...event, place: text });
        const lines = file.split("\r\n");
        expect(lines.every((line) => new TextEncoder().encode(line).length <= 75)).toBe(true);
        const unfolded = file.replaceAll("\r\n ", "").split("\r\n");
        expect(unfolded).toHaveLength(23);
        const value = unfolded.find((line) => line.startsWith("LOCATION:"))?.slice("LOCATION:".length) ?? "";
        const read = value.replaceAll(/\\([\\;,n])/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
        expect(read).toBe(text.replaceAll(/\r\n?/g, "\n"));
      }),
    );
  });
});

test("the card of an accepted meeting promises a reminder only while there will be one", () => {
  const sentence = (startsAt: number) =>
    meetingStatus({ state: "accepted", startsAt, isOpen: true }, { isProposer: true, now: NOW }).sentence;
  expect(sentence(NOW + DAY)).toBe("We'll remind you both an hour before.");
  expect(sentence(NOW + 30 * MINUTE)).toBeNull();
  expect(sentence(NOW - MINUTE)).toBeNull();
});

test("a meeting that was accepted is over with its sale", () => {
  const label = (isOpen: boolean) =>
    meetingStatus({ state: "accepted", startsAt: NOW + DAY, isOpen }, { isProposer: true, now: NOW }).label;
  expect([label(true), label(false)]).toEqual(["Accepted", "Over"]);
});
