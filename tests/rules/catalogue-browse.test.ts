import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Filters,
  NO_FILTERS,
  PRICE_MAX,
  readFilters,
  type Sort,
  SORT_LABELS,
  writeFilters,
} from "#app/catalogue/browse/filters.ts";
import { CAMPUSES, CONDITIONS, countLabel, LINE_LENGTH, toLine } from "#app/catalogue/labels.ts";

const filters: fc.Arbitrary<Filters> = fc
  .record({
    sort: fc.constantFrom(...(Object.keys(SORT_LABELS) as Sort[])),
    conditions: fc.subarray(CONDITIONS),
    campuses: fc.subarray([...CAMPUSES]),
    wholesale: fc.boolean(),
    verified: fc.boolean(),
    prices: fc.tuple(fc.integer({ min: 0, max: PRICE_MAX }), fc.integer({ min: 0, max: PRICE_MAX })),
  })
  .map(({ prices, ...others }) => ({ ...others, min: Math.min(...prices), max: Math.max(...prices) }));

test("The address of a category carries its filters there and back", () => {
  fc.assert(
    fc.property(filters, (chosen) => {
      expect(readFilters(new URLSearchParams(writeFilters(chosen)))).toEqual(chosen);
    }),
  );
  expect(writeFilters(NO_FILTERS)).toBe("");
});

test.each([
  ["sort=toString&condition=broken&campus=Moon&min=-5&max=1e9", NO_FILTERS],
  ["min=5000&max=200", { ...NO_FILTERS, min: 200, max: 5_000 }],
  ["max=999999999", NO_FILTERS],
  [
    "sort=newest&condition=good&condition=new&condition=good",
    { ...NO_FILTERS, sort: "newest", conditions: ["new", "good"] },
  ],
])("An address that says %s is read sensibly", (query, expected) => {
  expect(readFilters(new URLSearchParams(query))).toEqual(expected);
});

test("A count says so where it stopped counting", () => {
  expect([0, 1_000, 1_001].map((n) => countLabel(n))).toEqual(["0", "1,000", "1,000+"]);
});

test("a card has the beginning of a description in one line, and says that it goes on", () => {
  expect(toLine("Works.\nWith charger.")).toBe("Works. With charger.");
  expect(toLine("\n \n")).toBe("");
  expect(toLine(`\n${"x".repeat(LINE_LENGTH)}\n`)).toBe("x".repeat(LINE_LENGTH));
  expect(toLine("x".repeat(LINE_LENGTH))).toBe("x".repeat(LINE_LENGTH));
  expect(toLine("📚".repeat(LINE_LENGTH + 1))).toBe(`${"📚".repeat(LINE_LENGTH)}…`);
});
