import type { DataStrategyResult } from "react-router";
import { expect, test } from "vitest";
import { pushedOff, rowsOnce, withPage } from "#app/ui/browser/use-more-pages.ts";
import { keepScreen } from "#app/ui/browser/shown-screen.ts";

async function resultOf(address: string, result: DataStrategyResult, method = "GET") {
  const results = { "routes/member/my-money": result };
  await keepScreen({ request: new Request(`https://chuoni.test${address}`, { method }) }, async () => results);
  return results["routes/member/my-money"];
}

const lost: DataStrategyResult = { type: "error", result: new TypeError("Failed to fetch") };
const missing: DataStrategyResult = { type: "error", result: new Response(null, { status: 404 }) };
const page: DataStrategyResult = { type: "data", result: { lines: [] } };

test("a further page that is lost is a value of its list, which then offers to try again", async () => {
  const failed = { type: "data", result: { failed: true } };
  expect(await resultOf("/myshop/money?show=paid&after=x", lost)).toEqual(failed);
  expect(await resultOf("/notifications?before=12", lost)).toEqual(failed);
});

test("other loads, forms and answers of ours stay as they are", async () => {
  expect(await resultOf("/search/count?q=lamp", lost)).toBe(lost);
  expect(await resultOf("/notifications?before=12", lost, "POST")).toBe(lost);
  expect(await resultOf("/myshop/money?after=x", missing)).toBe(missing);
  expect(await resultOf("/myshop/money?after=x", page)).toBe(page);
});

const rows = (ids: string, version = "old") => [...ids].map((id) => ({ id, version }));
const idsOf = (some: { id: string }[]) => some.map(({ id }) => id).join("");

test.each([
  ["one new row", "abcd", "xabc", "d"],
  ["two new rows", "abcd", "xyab", "cd"],
  ["a row that has left the list, after which the next page's first came up", "abcd", "acde", ""],
  ["a new row and one that has left", "abcd", "xbcd", ""],
  ["no change", "abcd", "abcd", ""],
  ["an empty list", "abcd", "", ""],
])(
  "a list with more pages keeps the rows that were pushed off its reloaded first page: %s",
  (_name, before, now, pushed) => {
    expect(idsOf(pushedOff(rows(before), rows(now)))).toBe(pushed);
    const shown = rowsOnce([...rows(now, "new"), ...pushedOff(rows(before), rows(now)), ...rows("ef")]);
    expect(new Set(idsOf(shown)).size).toBe(shown.length);
    expect(idsOf(shown)).toContain(now);
    for (const row of shown) expect(row.version).toBe(now.includes(row.id) ? "new" : "old");
  },
);

test("pages that Back finds again are replaced one by one, and what is no longer on them goes", () => {
  const nameOf = (ids: string) => ids[0];
  const load = (pages: { more: readonly string[]; fresh: number }, added: string, isLast = false) =>
    withPage(pages, added, { nameOf, isLast });
  let pages = load({ more: ["dd", "gg", "jj"], fresh: 0 }, "cc");
  expect(pages).toEqual({ more: ["cc", "gg", "jj"], fresh: 1 });
  // The router loads the last answer again.
  pages = load(pages, "cx");
  expect(pages).toEqual({ more: ["cx", "gg", "jj"], fresh: 1 });
  expect(load(pages, "ff", true)).toEqual({ more: ["cx", "ff"], fresh: 2 });
  pages = load(load(pages, "ff"), "ii");
  expect(load(pages, "mm")).toEqual({ more: ["cx", "ff", "ii", "mm"], fresh: 4 });
});
