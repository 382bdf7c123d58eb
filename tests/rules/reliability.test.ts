import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type ConversationStart,
  answerText,
  medianAnswer,
  recordTexts,
  RELIABLE_FROM,
} from "#app/accounts/trust/reliability-rules.ts";

const HOUR = 60 * 60_000;
const NOW = 1_000 * HOUR;
const answered = (hours: number): ConversationStart => [NOW - 500 * HOUR, hours * HOUR];
const waiting = (hours: number): ConversationStart => [NOW - hours * HOUR, null];

test("the answer time is the median from five conversations on; who still waits counts with the time so far", () => {
  expect(medianAnswer([answered(1), answered(2), answered(3), answered(4)], NOW)).toBeNull();
  expect(medianAnswer([answered(1), answered(2), answered(3), answered(4), answered(90)], NOW)).toBe(3 * HOUR);
  expect(medianAnswer([answered(1), answered(1), waiting(70), waiting(80), waiting(90)], NOW)).toBe(70 * HOUR);
  expect(medianAnswer([answered(1), answered(2), answered(3), answered(4), answered(5), answered(6)], NOW)).toBe(
    3 * HOUR,
  );
});

test("the answer time is said in steps", () => {
  expect([0.2, 1, 1.1, 4, 5, 24, 25, 72, 73].map((hours) => answerText(hours * HOUR))).toEqual([
    "Usually answers within an hour",
    "Usually answers within an hour",
    "Usually answers within a few hours",
    "Usually answers within a few hours",
    "Usually answers within a day",
    "Usually answers within a day",
    "Usually answers within 3 days",
    "Usually answers within 3 days",
    "Often takes longer than 3 days to answer",
  ]);
});

test("at least half of the people waited no longer than the median, and a longer wait never makes it shorter", () => {
  const anyAsked = fc.array(
    fc.tuple(fc.integer({ min: 0, max: NOW }), fc.option(fc.integer({ min: 0, max: NOW }), { nil: null })),
    { minLength: RELIABLE_FROM, maxLength: 20 },
  );
  fc.assert(
    fc.property(anyAsked, fc.integer({ min: 0, max: NOW }), (asked, later) => {
      const median = medianAnswer(asked, NOW) ?? -1;
      const waits = asked.map(([at, replyMs]) => replyMs ?? NOW - at);
      expect(waits).toContain(median);
      expect(waits.filter((wait) => wait <= median).length).toBeGreaterThanOrEqual(waits.length / 2);
      expect(waits.filter((wait) => wait >= median).length).toBeGreaterThanOrEqual(waits.length / 2);
      expect(medianAnswer(asked, NOW + later)).toBeGreaterThanOrEqual(median);
    }),
  );
});

test("the record shows from five buyers on, and says how many buyers each ending had", () => {
  expect(recordTexts({ handedOver: 4, refunded: 0, cancelled: 0 })).toEqual([]);
  expect(recordTexts({ handedOver: 5, refunded: 0, cancelled: 0 })).toEqual(["Handed over to 5 buyers"]);
  // A buyer with an item of each kind counts in both lines, so no line says "of 24".
  expect(recordTexts({ handedOver: 1_023, refunded: 2, cancelled: 1 })).toEqual([
    "Handed over to 1,023 buyers",
    "Refunded 2 buyers after a problem",
    "Cancelled or didn't ship in time for 1 buyer",
  ]);
  const some = fc.integer({ min: 0, max: 5_000 });
  fc.assert(
    fc.property(some, some, some, (handedOver, refunded, cancelled) => {
      const texts = recordTexts({ handedOver, refunded, cancelled });
      expect(texts.length > 0).toBe(handedOver + refunded + cancelled >= RELIABLE_FROM);
      expect(texts.some((text) => text.startsWith("Cancelled"))).toBe(texts.length > 0 && cancelled > 0);
    }),
  );
});
