/** The semester of a campus: what is told when, and what an admin may enter. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { dayBounds, dayName } from "#app/platform/east-africa-time.ts";
import { HOLIDAY_MAX_DAYS, readHoliday } from "#app/accounts/profile/holiday.ts";
import {
  goesHome,
  holidayUntilOpening,
  readSemester,
  semesterNews,
  semesterOffer,
  semesterText,
  type Semester,
} from "#app/accounts/profile/semester.ts";

const DAY = 24 * 60 * 60_000;
const SEMESTER = { closesOn: "2026-12-04", opensOn: "2027-01-11" };
const at = (day: string, hour = 12) => dayBounds(day).from + hour * 60 * 60_000;
const timeAt = (now: number, semester: Semester = SEMESTER) => semesterNews("Main Campus", semester, now)?.time ?? null;

test.each([
  ["2026-11-12", null],
  ["2026-11-13", "leaving"],
  ["2026-12-04", "leaving"],
  ["2026-12-05", "over"],
  ["2027-01-03", "over"],
  ["2027-01-04", "arriving"],
  ["2027-01-24", "arriving"],
  ["2027-01-25", null],
])("on %s it is %s", (day, time) => {
  expect(timeAt(at(day))).toBe(time);
});

test("where a break is short, people leave until the last day, and look for things from then on", () => {
  const short = { closesOn: "2026-12-04", opensOn: "2026-12-07" };
  expect(["2026-12-03", "2026-12-04", "2026-12-05"].map((day) => timeAt(at(day), short))).toEqual([
    "leaving",
    "leaving",
    "arriving",
  ]);
});

test("its words name the day that counts", () => {
  const words = ["2026-12-01", "2026-12-20", "2027-01-08"].map((day) => {
    const news = semesterNews("Main Campus", SEMESTER, at(day));
    return news && semesterText(news);
  });
  expect(words).toEqual([
    "The semester at Main Campus ends on Fri 4 Dec 2026.",
    "The semester at Main Campus is over. The next one begins on Mon 11 Jan 2027.",
    "The semester at Main Campus begins on Mon 11 Jan 2027.",
  ]);
});

test("Home offers the campus's things at its end and its beginning, and nothing in between", () => {
  const offerAt = (day: string) => semesterOffer(semesterNews("Main Campus", SEMESTER, at(day)));
  expect(offerAt("2026-12-01")).toMatchObject({
    list: { to: "/studentmarketplace?campus=Main+Campus&sort=price-asc" },
    sells: true,
  });
  expect(offerAt("2026-12-20")).toBeNull();
  expect(offerAt("2027-01-10")).toMatchObject({ sells: false });
  expect(semesterOffer(null)).toBeNull();
});

const day = fc.integer({ min: 0, max: 400 }).map((days) => dayName(at("2026-09-01") + days * DAY));

test("the holiday that is offered to who leaves is always one that may be taken, and ends before the semester opens", () => {
  fc.assert(
    fc.property(day, day, day, (closesOn, opensOn, today) => {
      fc.pre(opensOn > closesOn);
      const now = at(today);
      const news = semesterNews("Main Campus", { closesOn, opensOn }, now);
      fc.pre(news !== null && goesHome(news));
      const holiday = readHoliday(holidayUntilOpening(news!, now), now);
      if (!holiday.ok) throw new Error(holiday.error);
      expect(holiday.until).toBeLessThanOrEqual(news!.opens);
      expect(holiday.until - now).toBeLessThanOrEqual((HOLIDAY_MAX_DAYS + 1) * DAY);
    }),
  );
});

test("an admin enters two days in their order, within a year, or none", () => {
  const now = at("2026-11-01");
  const read = (closesOn: string, opensOn: string) => readSemester({ closesOn, opensOn }, now);
  expect(read(" 2026-12-04 ", "2027-01-11")).toEqual({ ok: true, semester: SEMESTER });
  expect(read("", " ")).toEqual({ ok: true, semester: null });
  expect(read("2026-12-04", "")).toEqual({ ok: false, field: "opensOn", error: "day" });
  expect(read("2026-11-31", "2027-01-11")).toEqual({ ok: false, field: "closesOn", error: "day" });
  expect(read("soon", "2027-01-11")).toEqual({ ok: false, field: "closesOn", error: "day" });
  expect(read("2027-01-11", "2027-01-11")).toEqual({ ok: false, field: "opensOn", error: "order" });
  expect(read("2028-01-11", "2028-02-11")).toEqual({ ok: false, field: "closesOn", error: "far" });
});
