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
} from "#app/catalogue/filters.ts";
import { CAMPUSES, countLabel } from "#app/catalogue/labels.ts";
import { CONDITIONS } from "#app/catalogue/rules.ts";
import {
  excerptAround,
  readSearchCursor,
  SEARCH_TEXT_MAX,
  searchLength,
  splitAtMatches,
  tidySearchText,
  writeSearchCursor,
} from "#app/catalogue/search-text.ts";

const filters: fc.Arbitrary<Filters> = fc
  .record({
    sort: fc.constantFrom(...(Object.keys(SORT_LABELS) as Sort[])),
    conditions: fc.subarray(CONDITIONS),
    campuses: fc.subarray([...CAMPUSES]),
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

test("Any text becomes one that can be looked up: short, on one line, and no different when tidied again", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 1_000 }), (raw) => {
      const text = tidySearchText(raw);
      expect(searchLength(text)).toBeLessThanOrEqual(SEARCH_TEXT_MAX);
      expect(text).not.toMatch(/[\u0000-\u001f]|^\s|\s$|\s\s/);
      expect(tidySearchText(text)).toBe(text);
    }),
  );
  expect(searchLength(tidySearchText("x".repeat(10_000)))).toBe(SEARCH_TEXT_MAX);
});

test("Marking loses nothing of a text, and marks what was looked for whatever its case", () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), (text, wanted) => {
      expect(splitAtMatches(text, wanted).join("")).toBe(text);
    }),
  );
  expect(splitAtMatches("MacBook and notebook", "BOOK")).toEqual(["Mac", "Book", " and note", "book", ""]);
  expect(splitAtMatches("C++ (2nd ed.) [new]", "(2nd ed.) [")).toEqual(["C++ ", "(2nd ed.) [", "new]"]);
});

test("An excerpt begins near the match and holds it", () => {
  const description = "Bought last year for the first semester.\nComes with a charger and a bag.";
  expect(excerptAround(description, "CHARGER")).toBe("…with a charger and a bag.");
  expect(excerptAround(description, "bought")).toBe(
    "Bought last year for the first semester. Comes with a charger and a bag.",
  );
  expect(excerptAround(description, "absent")).toBeNull();
});

test("Cursors of a search are read back, and others are not read at all", () => {
  expect(readSearchCursor(writeSearchCursor({ phase: "description", row: 42 }))).toEqual({
    phase: "description",
    row: 42,
  });
  for (const text of [null, "", "42", "x42", "n-1", "n1.5", "n1 OR 1=1"]) expect(readSearchCursor(text)).toBeNull();
});

test("A count says so where it stopped counting", () => {
  expect([0, 1_000, 1_001].map(countLabel)).toEqual(["0", "1,000", "1,000+"]);
});
