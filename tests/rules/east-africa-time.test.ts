import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compactTime,
  dayBounds,
  dayName,
  dayOf,
  dayStart,
  inEastAfrica,
  readCompactTime,
} from "#app/platform/east-africa-time.ts";

const MIDNIGHT = Date.UTC(2026, 10, 21, 21);
const moment = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2100, 0, 1) });

/** What the time zone database says. */
function inNairobi(ms: number): string {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: "Africa/Nairobi",
    dateStyle: "short",
    timeStyle: "medium",
  });
  return format.format(ms).replace(/\D/g, "");
}

test("the clock agrees with the time zone database at any moment", () => {
  fc.assert(
    fc.property(moment, (ms) => {
      expect(compactTime(ms)).toBe(inNairobi(ms));
      expect(inEastAfrica(ms).getUTCHours()).toBe(Number(inNairobi(ms).slice(8, 10)));
    }),
  );
});

test("a day begins at midnight in Nairobi, 21:00 UTC", () => {
  expect(dayOf(MIDNIGHT)).toBe(dayOf(MIDNIGHT - 1) + 1);
  expect(dayStart(dayOf(MIDNIGHT))).toBe(MIDNIGHT);
  expect([dayName(MIDNIGHT - 1), dayName(MIDNIGHT)]).toEqual(["2026-11-21", "2026-11-22"]);
  expect(dayBounds("2026-11-22")).toEqual({ from: MIDNIGHT, until: Date.UTC(2026, 10, 22, 21) });
});

describe("the compact form", () => {
  test.each([
    ["2026-11-21T20:59:59Z", "20261121235959"],
    ["2026-11-21T21:00:00Z", "20261122000000"],
    ["2026-12-31T21:30:00Z", "20270101003000"],
    ["2028-02-28T22:00:00Z", "20280229010000"],
  ])("%s is written as %s", (utc, written) => {
    expect(compactTime(Date.parse(utc))).toBe(written);
    expect(readCompactTime(written)).toBe(Date.parse(utc));
  });

  test.each([
    "",
    "0",
    "20231118214",
    "20230431120000",
    "20260230120000",
    "20231118246000",
    "2026112112000x",
    "2023-11-18",
  ])("%j is no time", (text) => {
    expect(readCompactTime(text)).toBeNull();
  });

  test("every second of this century reads back as it was written", () => {
    fc.assert(
      fc.property(moment, (ms) => {
        const second = Math.floor(ms / 1000) * 1000;
        expect(readCompactTime(compactTime(second))).toBe(second);
      }),
    );
  });
});
