import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type CampusMonth,
  FEWEST,
  monthSections,
  monthTable,
  shownCount,
  shownHours,
  shownSum,
} from "#app/admin/operations/campus-month-rules.ts";

const HOUR = 60 * 60_000;

const QUIET: CampusMonth = {
  deals: { paid: 0, protected: 0, protectedAmount: 0, refunded: 0, refundedAmount: 0 },
  problems: {},
  issues: 0,
  reports: {},
  stolenSerials: 0,
  times: { problemAnswered: [], problemSettled: [], issueClosed: [], reportDecided: [] },
};

test.each([
  [0, "0"],
  [1, "fewer than 5"],
  [4, "fewer than 5"],
  [5, "5"],
  [1_240, "1,240"],
])("%s is shown as %s", (count, shown) => {
  expect(shownCount(count)).toBe(shown);
});

test("a sum is shown of nothing or of five or more", () => {
  expect([0, 4, 5].map((count) => shownSum(count * 1_000, count))).toEqual(["KES 0", "–", "KES 5,000"]);
});

test("hours are those that half of them didn't exceed, of five or more", () => {
  expect(shownHours([1, 1, 1, 1].map((hours) => hours * HOUR))).toBe("–");
  expect(shownHours([90, 1, 3, 2, 50].map((hours) => hours * HOUR))).toBe("3 hours");
  expect(shownHours([1, 1, 1, 1, 1].map((hours) => hours * HOUR))).toBe("1 hour");
  expect(shownHours([1, 1, 1, 1, 1])).toBe("less than 1 hour");
});

test("no figure between one and four is anywhere, whatever happened", () => {
  const count = fc.integer({ min: 1, max: FEWEST - 1 });
  fc.assert(
    fc.property(
      count,
      count,
      count,
      count,
      fc.integer({ min: 10, max: 9_999 }),
      (paid, problem, issue, serials, kes) => {
        const times = [paid * HOUR];
        const few: CampusMonth = {
          deals: { paid, protected: paid, protectedAmount: kes, refunded: paid, refundedAmount: kes },
          problems: { damaged: problem },
          issues: issue,
          reports: { scam: problem },
          stolenSerials: serials,
          times: { problemAnswered: times, problemSettled: times, issueClosed: times, reportDecided: times },
        };
        const values = monthSections(few).flatMap(({ rows }) => rows.map(([, value]) => value));
        expect(new Set(values)).toEqual(new Set(["fewer than 5", "–", "0"]));
      },
    ),
  );
});

test("the file has each figure of the page, with its campus and month", () => {
  const rows = monthTable("Main Campus", "November 2026", { ...QUIET, reports: { scam: 7 } });
  expect(rows).toHaveLength(1 + monthSections(QUIET).flatMap(({ rows: shown }) => shown).length);
  expect(rows).toContainEqual([
    "Main Campus",
    "November 2026",
    "Reports of listings, people and messages",
    "Scam",
    "7",
  ]);
});
