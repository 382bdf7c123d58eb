import fc from "fast-check";
import { expect, test } from "vitest";
import { HOLIDAY_MAX_DAYS, holidayText, lastDayOf, orderAwayText, readHoliday } from "#app/accounts/profile/holiday.ts";
import { dayName } from "#app/platform/east-africa-time.ts";

const DAY = 24 * 60 * 60_000;
/** 22 November, ten minutes before midnight in Nairobi. */
const NOW = Date.UTC(2026, 10, 22, 20, 50);

test("a holiday ends at midnight in Nairobi after its last day, and is named by that day", () => {
  const read = readHoliday("2026-12-05", NOW);
  expect(read).toEqual({ ok: true, until: Date.UTC(2026, 11, 5, 21) });
  if (!read.ok) return;
  expect(lastDayOf(read.until)).toBe("2026-12-05");
  expect(holidayText(read.until)).toBe("holiday until 5 December");
  expect(orderAwayText({ name: "Casio fx-991ES", seller: "Brian Otieno", until: read.until })).toBe(
    "Brian Otieno is on holiday until 5 December, so you can't buy Casio fx-991ES now.",
  );
});

test("days that are over, too far ahead or not in the calendar have an error", () => {
  expect(readHoliday("2026-11-22", NOW).ok).toBe(true);
  expect(readHoliday("2026-11-21", NOW)).toMatchObject({ ok: false, error: expect.stringContaining("is over") });
  expect(readHoliday("2027-02-20", NOW).ok).toBe(true);
  expect(readHoliday("2027-02-21", NOW)).toMatchObject({
    ok: false,
    error: "Choose a day up to 20 February. A holiday lasts at most 90 days.",
  });
  for (const text of ["", "soon", "2027-02-30", "2026-13-01", "5/12/2026", "2026-12-5"])
    expect(readHoliday(text, NOW)).toEqual({ ok: false, error: "Choose the last day of your holiday" });
});

test("whatever the day and the time, a holiday is in the future and at most 91 days long, and its day reads back", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: -200, max: 200 }), (now, days) => {
      const day = dayName(now + days * DAY);
      const read = readHoliday(day, now);
      expect(read.ok).toBe(days >= 0 && days <= HOLIDAY_MAX_DAYS);
      if (!read.ok) return;
      expect(read.until).toBeGreaterThan(now);
      expect(read.until).toBeLessThanOrEqual(now + (HOLIDAY_MAX_DAYS + 1) * DAY);
      expect(lastDayOf(read.until)).toBe(day);
    }),
  );
});
