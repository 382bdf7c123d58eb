import { expect, test } from "vitest";
import { returnPath } from "#app/request/screen-path.ts";
import { SCREENS } from "#app/screen-rules.ts";
import routes from "#app/routes.ts";
import { pendingLook } from "#app/screens/pending/pending-rules.ts";

interface Route {
  path?: string;
  file: string;
  children?: Route[];
}

function addressesIn(list: readonly Route[], parent = ""): { path: string; file: string }[] {
  return list.flatMap(({ path, file, children = [] }) => {
    const own = path === undefined ? parent : `${parent}/${path}`;
    return [...(path !== undefined && !path.includes("*") ? [{ path: own, file }] : []), ...addressesIn(children, own)];
  });
}

test("each address of the route table has an entry, and each entry an address: a screen, or a part without one", () => {
  const addresses = addressesIn(routes as Route[]).filter(({ path }) => !path.startsWith("/sandbox/"));
  const kinds = addresses.map(({ path, file }) => [path, file.endsWith(".tsx") ? "a screen" : "a part"]);
  const known = Object.entries(SCREENS).map(([path, { part }]) => [path, part === undefined ? "a screen" : "a part"]);
  expect(Object.fromEntries(known)).toEqual(Object.fromEntries(kinds));
});

test("each screen is found by its address, and not by another's pattern", () => {
  for (const [path, { title, shape }] of Object.entries(SCREENS))
    expect([path, pendingLook(path.replaceAll(/:\w+\??/g, "1"), "")]).toEqual([
      path,
      shape === undefined ? null : { title, shape },
    ]);
});

test("people see four screens first", () => {
  const first = Object.keys(SCREENS).filter((path) => SCREENS[path]?.isSeenFirst);
  expect(first).toEqual(["/auth", "/home", "/studentmarketplace", "/search"]);
});

const ORIGIN = "https://chuoni.test";

test.each([
  { from: `${ORIGIN}/myshop/money?show=paid`, to: "/myshop/money?show=paid" },
  { from: "https://elsewhere.test/myshop", to: "/home" },
  { from: "no address", to: "/home" },
  { from: null, to: "/home" },
])("after the login, a file or a part leads back to the page of ours that asked for it ($from)", ({ from, to }) => {
  const headers = from === null ? undefined : { Referer: from };
  const staying = Object.keys(SCREENS).filter((pattern) => SCREENS[pattern]?.part === "stays");
  expect(staying.length).toBeGreaterThan(5);
  for (const pattern of staying)
    expect(returnPath(new Request(`${ORIGIN}${pattern}`, { headers }), pattern.slice(1))).toBe(to);
});

test("after the login, a screen leads to itself, with what its address says", () => {
  const request = new Request(`${ORIGIN}/search.data?q=lamp&_routes=root`, { headers: { Referer: `${ORIGIN}/home` } });
  expect(returnPath(request, "search")).toBe("/search?q=lamp");
});
