import fc from "fast-check";
import { expect, test } from "vitest";
import type { ListedProduct, ProductPage } from "#app/catalogue/browse/browse.server.ts";
import {
  CATEGORY_SORTS,
  type CategorySort,
  categorySort,
  fromCategorySort,
  fromSlider,
  PRICE_MAX,
  readCategoryFilters,
  sliderEnds,
} from "#app/catalogue/browse/category-panel.ts";
import { type ListFilters, NO_LIST_FILTERS, writeListFilters } from "#app/catalogue/browse/list-filters.ts";
import { changeRemembered } from "#app/catalogue/selling/change-remembered.ts";
import { recallPages, rememberPages } from "#app/catalogue/browse/remembered-pages.ts";
import { CONDITIONS, countLabel, LINE_LENGTH, toLine } from "#app/catalogue/labels.ts";
import { CAMPUSES } from "#tests/support/campuses.ts";

const price = fc.integer({ min: 0, max: PRICE_MAX });
/** What somebody can choose in the panel. */
const panel = fc.record({
  sort: fc.constantFrom(...(Object.keys(CATEGORY_SORTS) as CategorySort[])),
  conditions: fc.subarray(CONDITIONS),
  campuses: fc.subarray([...CAMPUSES]),
  wholesale: fc.boolean(),
  verified: fc.boolean(),
  ends: fc.tuple(price, price).map(([one, other]): [number, number] => [Math.min(one, other), Math.max(one, other)]),
});

test("The address of a category carries there and back what its panel shows", () => {
  fc.assert(
    fc.property(panel, ({ sort, ends, ...others }) => {
      const chosen = { ...NO_LIST_FILTERS, ...others, ...fromCategorySort(sort), ...fromSlider(ends) };
      expect(readCategoryFilters(writeListFilters(chosen))).toEqual(chosen);
      expect(sliderEnds(chosen)).toEqual(ends);
      expect(categorySort(chosen)).toBe(sort);
    }),
  );
});

test("A browser without scripts, which sends each field of the panel, leads to the same list", () => {
  fc.assert(
    fc.property(panel, ({ sort, ends: [min, max], ...others }) => {
      const sent = writeListFilters({ ...NO_LIST_FILTERS, ...others, sort, min, max });
      const chosen = { ...NO_LIST_FILTERS, ...others, ...fromCategorySort(sort), ...fromSlider([min, max]) };
      expect(readCategoryFilters(sent)).toEqual(chosen);
    }),
  );
});

test.each<[string, Partial<ListFilters>]>([
  ["sort=toString&condition=broken&campus=all&min=-5&max=1e9", {}],
  ["min=5000&max=200", { min: 200, max: 5_000 }],
  ["max=999999999", {}],
  ["min=150000&max=120000", { min: PRICE_MAX }],
  ["type=laptop&delivery=1&sort=price-asc", {}],
  ["sort=newest&condition=good&condition=new&condition=good", { sort: "newest", conditions: ["new", "good"] }],
])("A category's address that says %s is read sensibly", (query, expected) => {
  expect(readCategoryFilters(new URLSearchParams(query))).toEqual({ ...NO_LIST_FILTERS, ...expected });
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

function pageOf(stocks: Record<string, number>, after: string | null, next: string | null): ProductPage {
  return { products: Object.entries(stocks).map(([id, stock]) => ({ id, stock }) as ListedProduct), after, next };
}

const stocksOf = (pages: ProductPage[]) => pages.map(({ products }) => products.map(({ stock }) => stock));

test("Back shows the first page as it was just loaded, and the further ones with what their owner changed", () => {
  rememberPages("one page", [pageOf({ kettle: 3 }, null, null)]);
  expect(stocksOf(recallPages("one page", pageOf({ kettle: 5 }, null, null)))).toEqual([[5]]);

  rememberPages("two pages", [pageOf({ kettle: 3, iron: 1 }, null, "b"), pageOf({ lamp: 7, mug: 2 }, "b", null)]);
  changeRemembered("mug", { stock: 4 });
  const first = pageOf({ kettle: 5, iron: 1 }, null, "b");
  expect(stocksOf(recallPages("two pages", first))).toEqual([
    [5, 1],
    [7, 4],
  ]);
  expect(recallPages("another entry", first)).toEqual([first]);
});
