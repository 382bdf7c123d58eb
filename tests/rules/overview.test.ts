import fc from "fast-check";
import { expect, test } from "vitest";
import { ADMIN_TABS } from "#app/admin/admin-tabs.ts";
import {
  ageText,
  type DeskName,
  DESKS,
  type Figures,
  figureRows,
  readFigureDays,
  waitingDesks,
} from "#app/admin/overview-rules.ts";

const NOW = 1_800_000_000_000;
const HOUR_MS = 60 * 60_000;
const NAMES = Object.keys(DESKS) as DeskName[];
const all = <T>(value: (name: DeskName) => T) =>
  Object.fromEntries(NAMES.map((name) => [name, value(name)])) as Record<DeskName, T>;

test("every page that counts what waits is a desk", () => {
  const counted = ADMIN_TABS.flatMap((tab) => ("count" in tab ? [tab.to] : []));
  expect(
    Object.values(DESKS)
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual(counted.toSorted());
});

test("a desk without work isn't shown, and the one that has used up the most of its time comes first", () => {
  const counts = all(() => 0);
  expect(
    waitingDesks(
      counts,
      all(() => null),
      NOW,
    ),
  ).toEqual([]);
  const waiting = waitingDesks(
    { ...counts, money: 2, verifications: 1, problems: 3 },
    { ...all(() => null), money: NOW - 5 * HOUR_MS, verifications: NOW - 47 * HOUR_MS, problems: NOW - 2 * HOUR_MS },
    NOW,
  );
  expect(waiting.map(({ text, isLate }) => [text, isLate])).toEqual([
    ["2 payments don't match", true],
    ["Check 1 document", false],
    ["3 problems wait for us", false],
  ]);
});

test("what waits longer never moves back", () => {
  fc.assert(
    fc.property(fc.constantFrom(...NAMES), fc.nat(100), fc.nat(100), (name, hours, more) => {
      const counts = all(() => 1);
      const place = (waited: number) => {
        const oldest = { ...all(() => NOW - 20 * HOUR_MS), [name]: NOW - waited * HOUR_MS };
        return waitingDesks(counts, oldest, NOW).findIndex(({ to }) => to === DESKS[name].to);
      };
      expect(place(hours + more)).toBeLessThanOrEqual(place(hours));
    }),
  );
});

test("figures say shares only of what there is", () => {
  const none: Figures = {
    signUps: 0,
    listings: 0,
    orders: 0,
    paidOrders: 0,
    volume: 0,
    items: { paid: 0, completed: 0, returned: 0, withProblem: 0 },
    payments: [],
    typicalMs: null,
  };
  expect(figureRows(none).filter(([, value]) => value.includes("%") || value.includes("NaN"))).toEqual([]);
  const rows = Object.fromEntries(
    figureRows({
      ...none,
      orders: 4,
      paidOrders: 3,
      typicalMs: 26 * HOUR_MS,
      payments: [
        { isPaid: true, reason: null, count: 3 },
        { isPaid: false, reason: "insufficient_funds", count: 1 },
      ],
    }),
  );
  expect(rows).toMatchObject({
    "Orders paid": "3 (75 %)",
    "Payment requests paid": "3 (75 %)",
    "Not paid: insufficient funds": "1 (25 %)",
    "Typical time from payment to handover": "26 hours",
  });
});

test("days and ages", () => {
  expect([readFigureDays("30"), readFigureDays("8"), readFigureDays(null)]).toEqual([30, 7, 7]);
  expect([0, HOUR_MS, 47 * HOUR_MS, 49 * HOUR_MS].map(ageText)).toEqual(["1 minute", "1 hour", "47 hours", "2 days"]);
});
