import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ALARM_NAMES, type AlarmName } from "#app/db/states/alarm.ts";
import {
  ALARMS,
  alarmStep,
  credentialDays,
  deadPrompts,
  durationText,
  type OpenAlarm,
  storageShare,
  successShare,
} from "#app/admin/operations/alarm-rules.ts";

const MINUTE = 60_000;

/** Figures inside and outside each band, next to its edge. */
const EDGES: Record<AlarmName, { fine: number; out: number }> = {
  job_silent: { fine: 4, out: 5 },
  prompts_dead: { fine: 4, out: 5 },
  payments_failing: { fine: 80, out: 79 },
  money_stopped: { fine: 0, out: 1 },
  transfers_late: { fine: 60, out: 61 },
  transfers_parked: { fine: 1440, out: 1441 },
  books_off: { fine: 0, out: 1 },
  emails_failing: { fine: 0, out: 1 },
  storage_full: { fine: 79, out: 80 },
  credential_old: { fine: 79, out: 80 },
};

test.each(ALARM_NAMES)("%s: the edge of its band, and what to do", (name) => {
  const { fine, out } = EDGES[name];
  expect([ALARMS[name].isOut(fine), ALARMS[name].isOut(out)]).toEqual([false, true]);
  expect(ALARMS[name].steps.length).toBeGreaterThan(1);
  expect(ALARMS[name].figure(out)).toMatch(/\d.*\.$/);
});

test.each([
  [0, "0 minutes"],
  [1, "1 minute"],
  [59, "59 minutes"],
  [60, "1 hour"],
  [61, "1 hour and 1 minute"],
  [1_207, "20 hours and 7 minutes"],
  [1_440, "1 day"],
  [1_500, "1 day and 1 hour"],
  [4_499, "3 days and 2 hours"],
])("%i minutes are told as %s", (minutes, words) => {
  expect(durationText(minutes)).toBe(words);
  expect(ALARMS.transfers_late.figure(minutes)).toBe(`The oldest has waited for ${words}.`);
});

test("whatever the figures, an alarm is told when it begins and when it is over, and never twice in a row", () => {
  const look = fc.record({
    figure: fc.constantFrom("fine", "out", null),
    minutes: fc.integer({ min: 1, max: 15 }),
  });
  fc.assert(
    fc.property(fc.constantFrom(...ALARM_NAMES), fc.array(look, { maxLength: 60 }), (name, looks) => {
      let now = 0;
      let open: OpenAlarm | null = null;
      const told: string[] = [];
      for (const { figure, minutes } of looks) {
        now += minutes * MINUTE;
        const step = alarmStep(name, open, figure && EDGES[name][figure], now);
        if (step === "raise" || step === "end") told.push(step);
        if (step === "raise") open = { since: now, calmSince: null };
        if (step === "end") open = null;
        if (open && step === "calm") open = { ...open, calmSince: now };
        if (open && step === "again") open = { ...open, calmSince: null };
        if (figure === null) expect(step).toBeNull();
        if (figure === "out") expect(open).not.toBeNull();
      }
      expect(told).toEqual(told.map((_, n) => (n % 2 === 0 ? "raise" : "end")));
    }),
  );
});

test("an alarm is over after ten calm minutes, and not before", () => {
  const open = { since: 0, calmSince: 60 * MINUTE };
  expect(alarmStep("books_off", open, 0, 69 * MINUTE)).toBeNull();
  expect(alarmStep("books_off", open, 0, 70 * MINUTE)).toBe("end");
});

test("a buyer who says no is no failure of ours, and few payments say nothing", () => {
  expect(successShare({ paid: 8, byBuyer: 90, otherwise: 2 })).toBe(80);
  expect(successShare({ paid: 7, byBuyer: 0, otherwise: 3 })).toBe(70);
  expect(successShare({ paid: 0, byBuyer: 50, otherwise: 9 })).toBeNull();
  expect(successShare({ paid: 0, byBuyer: 0, otherwise: 1 })).toBeNull();
});

test("prompts are dead where all were refused or not answered", () => {
  expect(deadPrompts({ paid: 0, byBuyer: 0, otherwise: 5 })).toBe(5);
  expect(deadPrompts({ paid: 0, byBuyer: 1, otherwise: 50 })).toBe(0);
  expect(deadPrompts({ paid: 1, byBuyer: 0, otherwise: 50 })).toBe(0);
  expect(deadPrompts({ paid: 0, byBuyer: 0, otherwise: 4 })).toBeNull();
});

test("a window without a failed payment ends both alarms about payments, so that they don't last through a quiet night", () => {
  for (const paid of [0, 1]) {
    expect(deadPrompts({ paid, byBuyer: 0, otherwise: 0 })).toBe(0);
    expect(successShare({ paid, byBuyer: 0, otherwise: 0 })).toBe(100);
  }
  expect(deadPrompts({ paid: 0, byBuyer: 0, otherwise: 1 })).toBeNull();
});

test("80 % of 10 GB is 8 GB", () => {
  expect([storageShare(7_999_999_999), storageShare(8_000_000_000)]).toEqual([79, 80]);
});

test("the credential's age counts from when it was first seen, and is that of no other", () => {
  const DAY = 24 * 60 * MINUTE;
  const noted = { hash: "a", since: 5 * DAY };
  expect([5, 5.9, 6, 85].map((days) => credentialDays(noted, "a", days * DAY))).toEqual([0, 0, 1, 80]);
  // A clock that went back.
  expect(credentialDays(noted, "a", DAY)).toBe(0);
  expect([credentialDays(noted, "b", DAY), credentialDays(undefined, "a", DAY)]).toEqual([null, null]);
  expect(credentialDays(noted, null, DAY)).toBeNull();
});
