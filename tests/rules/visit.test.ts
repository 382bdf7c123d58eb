/** Who goes to a page, and which page loads itself again: what browsers send with each. */
import { expect, test } from "vitest";
import { isVisit } from "#app/platform/visit-rules.ts";

const SITE = "https://chuoni.example";

function asked(headers: Record<string, string>, path = "/orders/o1") {
  return isVisit({ url: SITE + path, headers: new Headers(headers) });
}

test.each([
  ["a typed address", { "Sec-Fetch-Mode": "navigate" }],
  ["a link in an email", { "Sec-Fetch-Mode": "navigate", Referer: "https://mail.example/" }],
  ["a link in the app, before its scripts have come", { "Sec-Fetch-Mode": "navigate", Referer: `${SITE}/home` }],
  ["a link in the app", { "Sec-Fetch-Mode": "cors", Referer: `${SITE}/profile?tab=orders` }],
  ["a link on another order", { "Sec-Fetch-Mode": "cors", Referer: `${SITE}/orders/o2` }],
  ["a link in a browser that doesn't say what it asks for", { Referer: `${SITE}/home` }],
])("somebody goes to the page: %s", (_what, headers) => expect(asked(headers)).toBe(true));

test.each([
  ["an open page that loads its data again", { "Sec-Fetch-Mode": "cors", Referer: `${SITE}/orders/o1` }],
  ["the same with a query", { "Sec-Fetch-Mode": "cors", Referer: `${SITE}/orders/o1?item=2` }],
  ["the same where the browser names the data", { "Sec-Fetch-Mode": "cors", Referer: `${SITE}/orders/o1.data` }],
  ["a browser that tells only the site", { "Sec-Fetch-Mode": "cors", Referer: `${SITE}/` }],
  ["a browser that tells no page", { "Sec-Fetch-Mode": "cors" }],
  ["a page loaded ahead", { "Sec-Fetch-Mode": "navigate", "Sec-Purpose": "prefetch;prerender" }],
  ["a program", {}],
])("nobody goes to the page: %s", (_what, headers) => expect(asked(headers)).toBe(false));

test("the data of a page is the page, with or without a slash at the end", () => {
  expect(asked({ Referer: `${SITE}/orders/o1` }, "/orders/o1.data")).toBe(false);
  expect(asked({ Referer: `${SITE}/orders/o1/` }, "/orders/o1/_.data")).toBe(false);
  expect(asked({ Referer: `${SITE}/home` }, "/orders/o1.data")).toBe(true);
});
