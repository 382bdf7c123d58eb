import { expect, test } from "vitest";
import { protectedSince, protectedText } from "#app/accounts/profile/protected-deal-rules.ts";

const DAY = 24 * 60 * 60_000;
/** 1 September 2026, 0:00 in Nairobi. */
const OPENED = Date.UTC(2026, 7, 31, 21);

test.each([
  ["the days aren't set", null, OPENED, "year"],
  ["the semester begins later", "2026-09-01", OPENED - 1, "year"],
  ["it begins now", "2026-09-01", OPENED, "semester"],
  ["it runs", "2026-09-01", OPENED + 90 * DAY, "semester"],
  ["nobody has set another for half a year", "2026-09-01", OPENED + 180 * DAY, "year"],
])("where %s, what is counted is right", (_, opensOn, now, period) => {
  const from = period === "semester" ? OPENED : now - 365 * DAY;
  expect(protectedSince(opensOn, now)).toEqual({ period, from });
});

test.each([
  [0, "year", null],
  [49, "semester", null],
  [50, "semester", "50 protected deals on Main Campus this semester"],
  [1_240, "semester", "1,240 protected deals on Main Campus this semester"],
  [1_240, "year", "1,240 protected deals on Main Campus in the last 12 months"],
] as const)("%s deals of a %s", (protectedDeals, protectedPeriod, text) => {
  expect(protectedText({ name: "Main Campus", protectedDeals, protectedPeriod })).toBe(text);
});
