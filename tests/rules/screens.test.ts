import { expect, test } from "vitest";
import { returnPath, WITHOUT_SCREEN } from "#app/platform/screen-path.ts";
import { PARTS } from "#tests/support/screens.ts";

/** They have no screen either, but whoever opens them is led to one, or isn't asked to log in. */
const LEADING_ON = [
  "/admin/figures.csv",
  "/auth/google",
  "/auth/google/callback",
  "/categories",
  "/conversations/safety",
  "/notifications/:id",
  "/product/:productId/manage",
  "/product/:productId/wait",
  "/saved-searches/:savedId",
  "/saved-searches/save",
];

test("every address without a screen is known, so that nobody is led to an empty page after the login", () => {
  expect([...WITHOUT_SCREEN, ...LEADING_ON].toSorted()).toEqual(PARTS.map(({ path }) => path).toSorted());
});

const ORIGIN = "https://chuoni.test";

test.each([
  { from: `${ORIGIN}/myshop/money?show=paid`, to: "/myshop/money?show=paid" },
  { from: "https://elsewhere.test/myshop", to: "/home" },
  { from: "no address", to: "/home" },
  { from: null, to: "/home" },
])("after the login, a file or a part leads back to the page of ours that asked for it ($from)", ({ from, to }) => {
  const headers = from === null ? undefined : { Referer: from };
  for (const pattern of WITHOUT_SCREEN)
    expect(returnPath(new Request(`${ORIGIN}${pattern}`, { headers }), pattern.slice(1))).toBe(to);
});

test("after the login, a screen leads to itself, with what its address says", () => {
  const request = new Request(`${ORIGIN}/search.data?q=lamp&_routes=root`, { headers: { Referer: `${ORIGIN}/home` } });
  expect(returnPath(request, "search")).toBe("/search?q=lamp");
});
