import { expect, test } from "vitest";
import type { ListedProduct, ProductPage } from "#app/catalogue/browse/browse.server.ts";
import { changeRemembered } from "#app/catalogue/selling/change-remembered.ts";
import { recallPages, rememberPages } from "#app/catalogue/browse/remembered-pages.ts";
import { countLabel, LINE_LENGTH, toLine } from "#app/catalogue/labels.ts";

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
