import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eatTimestamp, readCompactTime } from "#workers/daraja/eat-time.ts";

describe("East Africa Time", () => {
  test.each([
    ["2026-11-21T20:59:59Z", "20261121235959"],
    ["2026-11-21T21:00:00Z", "20261122000000"],
    ["2026-11-21T23:59:59Z", "20261122025959"],
    ["2026-11-22T00:00:00Z", "20261122030000"],
    ["2026-12-31T21:30:00Z", "20270101003000"],
    ["2028-02-28T22:00:00Z", "20280229010000"],
  ])("%s is written as %s", (utc, eat) => {
    expect(eatTimestamp(Date.parse(utc))).toBe(eat);
    expect(readCompactTime(eat)).toBe(Date.parse(utc));
  });

  test("a transaction date reads as a number and as text", () => {
    const expected = Date.parse("2023-11-18T18:45:05Z");
    expect(readCompactTime(20231118214505)).toBe(expected);
    expect(readCompactTime("20231118214505")).toBe(expected);
  });

  test.each<unknown>([
    undefined,
    null,
    "",
    0,
    2023111821450,
    "20230431120000",
    "20231118246000",
    "2023-11-18",
    {},
    { toString: 1, valueOf: 1 },
  ])("%j is no time", (value) => {
    expect(readCompactTime(value)).toBeNull();
  });

  test("every second of this century reads back as it was written", () => {
    const from = Date.UTC(2000, 0, 1) / 1000;
    const until = Date.UTC(2100, 0, 1) / 1000;
    fc.assert(
      fc.property(fc.integer({ min: from, max: until }), (second) => {
        expect(readCompactTime(eatTimestamp(second * 1000))).toBe(second * 1000);
      }),
    );
  });
});
