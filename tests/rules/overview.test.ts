import { ageText } from "#app/team/age-rules.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ADMIN_TABS } from "#app/team/admin-tabs.ts";
import { ALARMS } from "#app/admin/operations/alarm-rules.ts";
import {
  campusRow,
  type DeskName,
  DESKS,
  type FigureParts,
  type Figures,
  figureRows,
  figuresByCampus,
  figureTable,
  readFigureDays,
  sumFigures,
  waitingDesks,
} from "#app/admin/operations/overview-rules.ts";

const NOW = 1_800_000_000_000;
const HOUR_MS = 60 * 60_000;
const NAMES = Object.keys(DESKS) as DeskName[];
const all = <T>(value: (name: DeskName) => T) =>
  Object.fromEntries(NAMES.map((name) => [name, value(name)])) as Record<DeskName, T>;

test("every page that counts what waits is a desk", () => {
  const counted = ADMIN_TABS.flatMap((tab) => ("count" in tab ? [tab.to] : []));
  const desks = new Set([...Object.values(DESKS).map(({ to }) => to), "/admin/operations"]);
  expect([...desks].toSorted()).toEqual(counted.toSorted());
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
    { ...counts, mismatches: 2, verifications: 1, problems: 3 },
    {
      ...all(() => null),
      mismatches: NOW - 5 * HOUR_MS,
      verifications: NOW - 47 * HOUR_MS,
      problems: NOW - 2 * HOUR_MS,
    },
    NOW,
  );
  expect(waiting.map(({ text, isLate }) => [text, isLate])).toEqual([
    ["2 payments don't match", true],
    ["Check 1 document", false],
    ["3 problems wait for us", false],
  ]);
});

test("each alarm stands by its own words, and leads to its place on the page", () => {
  const rows = waitingDesks(
    { ...all(() => 0), verifications: 1 },
    { ...all(() => null), verifications: NOW - 47 * HOUR_MS },
    NOW,
    [
      { name: "books_off", since: NOW - HOUR_MS },
      { name: "storage_full", since: NOW - 60_000 },
    ],
  );
  expect(rows.map(({ text, to, isLate }) => [text, to, isLate])).toEqual([
    ["The books don't balance", "/admin/operations#books_off", true],
    ["Check 1 document", "/admin/verifications", false],
    [ALARMS.storage_full.title, "/admin/operations#storage_full", false],
  ]);
});

test("what waits longer never moves back", () => {
  fc.assert(
    fc.property(fc.constantFrom(...NAMES), fc.nat(100), fc.nat(100), (name, hours, more) => {
      const counts = all(() => 1);
      const place = (waited: number) => {
        const oldest = { ...all(() => NOW - 20 * HOUR_MS), [name]: NOW - waited * HOUR_MS };
        return waitingDesks(counts, oldest, NOW).findIndex(({ text }) => text === DESKS[name].words(1));
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

const NO_PARTS: FigureParts = { signUps: [], listings: [], orders: [], items: [], payments: [], times: [] };

test("campuses stand by volume, and only those where something happened", () => {
  const parts: FigureParts = {
    ...NO_PARTS,
    signUps: [{ campus: null, count: 3 }],
    orders: [
      { campus: 1, placed: 2, paid: 1, volume: 100 },
      { campus: 2, placed: 1, paid: 1, volume: 900 },
    ],
    payments: [
      { campus: 1, isPaid: false, reason: "cancelled", count: 2 },
      { campus: 1, isPaid: true, reason: null, count: 1 },
      { campus: 2, isPaid: true, reason: null, count: 3 },
    ],
    times: [
      { campus: 1, took: 3 },
      { campus: 2, took: 1 },
      { campus: 2, took: 2 },
    ],
  };
  const campuses = figuresByCampus(parts, [
    { id: 1, name: "Main" },
    { id: 2, name: "Town" },
    { id: 3, name: "Quiet" },
  ]);
  expect(campuses.map(({ name }) => name)).toEqual(["Town", "Main", "No campus"]);
  const whole = sumFigures(parts);
  expect(whole).toMatchObject({ signUps: 3, orders: 3, volume: 1000, typicalMs: 2 });
  expect(whole.payments).toEqual([
    { isPaid: true, reason: null, count: 4 },
    { isPaid: false, reason: "cancelled", count: 2 },
  ]);
  expect(Object.fromEntries(campusRow(sumFigures(parts, 1)))).toMatchObject({
    "Orders paid": "1",
    "Payment requests paid": "33 %",
  });
  // A reason that one campus alone has is 0 at the others.
  const table = figureTable(whole, campuses, 7);
  expect(table[0]).toEqual(["Figure", "Last 7 days", "Town", "Main", "No campus"]);
  expect(table.at(-1)).toEqual(["Not paid: cancelled", "2 (33 %)", "0", "2 (67 %)", "0"]);
  expect(new Set(table.map((row) => row.length))).toEqual(new Set([5]));
});

test("the parts of the campuses add up to the whole", () => {
  const campus = fc.option(fc.integer({ min: 1, max: 3 }));
  const rows = fc.array(fc.record({ campus, placed: fc.nat(9), paid: fc.nat(9), volume: fc.nat(999) }));
  const ends = fc.array(
    fc.record({ campus, isPaid: fc.boolean(), reason: fc.constantFrom(null, "cancelled"), count: fc.nat(9) }),
  );
  fc.assert(
    fc.property(rows, ends, (orders, payments) => {
      const parts = { ...NO_PARTS, orders, payments };
      const whole = sumFigures(parts);
      const campuses = figuresByCampus(
        parts,
        [1, 2, 3].map((id) => ({ id, name: `Campus ${id}` })),
      );
      const sum = (figure: (figures: Figures) => number) =>
        campuses.reduce((total, { figures }) => total + figure(figures), 0);
      expect(sum(({ volume }) => volume)).toBe(whole.volume);
      expect(sum(({ paidOrders }) => paidOrders)).toBe(whole.paidOrders);
      const requests = (figures: Figures) => figures.payments.reduce((total, { count }) => total + count, 0);
      expect(sum(requests)).toBe(requests(whole));
    }),
  );
});

test("days and ages", () => {
  expect([readFigureDays("30"), readFigureDays("8"), readFigureDays(null)]).toEqual([30, 7, 7]);
  expect([0, HOUR_MS, 47 * HOUR_MS, 49 * HOUR_MS].map(ageText)).toEqual(["1 minute", "1 hour", "47 hours", "2 days"]);
});
