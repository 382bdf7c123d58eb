import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  faultOfStatus,
  isOutOfDate,
  KEPT_MS,
  type MailFault,
  pauseAfter,
  readRetryAfter,
} from "#workers/mail/retry-rules.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FAULTS: MailFault[] = ["email", "away", "refused"];

/** When an email of the fault is tried, in ms after it was queued, until it is given up. */
function triesOf(fault: MailFault): number[] {
  const tries = [0];
  for (let at = 0; ;) {
    const pause = pauseAfter(
      { fault, retryAfterMs: null, attempts: tries.length, createdAt: 0, keptMs: KEPT_MS.mail },
      at,
    );
    if (pause === null) return tries;
    at += pause;
    tries.push(at);
  }
}

test.each(FAULTS)("an email that isn't sent (%s) is tried for 7 days and then given up", (fault) => {
  const tries = triesOf(fault);
  const last = tries.at(-1) ?? 0;
  expect(last).toBeLessThanOrEqual(KEPT_MS.mail);
  expect(last).toBeGreaterThan(KEPT_MS.mail - 25 * HOUR);
  // Less often than twice an hour in the long run.
  expect(tries.length).toBeLessThan(7 * 24 + 5);
});

test("while the provider is away or refuses, no email waits longer than an hour after its return", () => {
  for (const fault of ["away", "refused"] as const) {
    const tries = triesOf(fault);
    const gaps = tries.slice(1).map((at, n) => at - (tries[n] ?? 0));
    expect(Math.max(...gaps)).toBe(HOUR);
  }
});

test("what the provider says about waiting counts, and never less than a minute", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...FAULTS),
      fc.integer({ min: 0, max: 3 * 24 * HOUR }),
      fc.integer({ min: 1, max: 200 }),
      (fault, retryAfterMs, attempts) => {
        const pause = pauseAfter({ fault, retryAfterMs, attempts, createdAt: 0, keptMs: KEPT_MS.mail }, 0);
        expect(pause).toBe(Math.max(retryAfterMs, MINUTE));
      },
    ),
  );
});

test.each([
  [429, null, "refused"],
  [429, 1_000, "away"],
  [429, 3_600_000, "refused"],
  [401, null, "refused"],
  [403, null, "refused"],
  [422, null, "email"],
  [400, null, "email"],
  [408, null, "away"],
  [500, null, "away"],
  [503, 60_000, "away"],
] as const)("status %i with Retry-After %s is: %s", (status, retryAfterMs, fault) => {
  expect(faultOfStatus(status, retryAfterMs)).toBe(fault);
});

test("Retry-After is read as seconds or as a date", () => {
  const now = Date.UTC(2026, 10, 26, 12);
  expect(readRetryAfter("30", now)).toBe(30_000);
  expect(readRetryAfter(new Date(now + HOUR).toUTCString(), now)).toBe(HOUR);
  for (const header of [null, "", " ", "soon", "-5"]) expect(readRetryAfter(header, now)).toBeNull();
});

test("an email whose link has stopped working isn't sent any more", () => {
  expect(isOutOfDate("password_reset", 0, HOUR - 1)).toBe(false);
  expect(isOutOfDate("password_reset", 0, HOUR)).toBe(true);
  expect(isOutOfDate("confirmation", 0, 24 * HOUR)).toBe(true);
  expect(isOutOfDate("payment_received", 0, KEPT_MS.mail)).toBe(false);
});
