import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { BROWSING, isBrowsing } from "#app/platform/browsing.ts";
import { isPublicPage } from "#app/platform/public-links.ts";
import routes from "#app/routes.ts";

interface Route {
  path?: string;
  index?: boolean;
  children?: Route[];
}

function patterns(list: readonly Route[]): string[] {
  return list.flatMap(({ path, index, children = [] }) => [
    ...(path !== undefined ? [`/${path}`] : index ? ["/"] : []),
    ...patterns(children),
  ]);
}

const addressOf = (pattern: string) => pattern.replaceAll(/:\w+\??/g, "1").replaceAll("*", "1");
const asks = (path: string, method = "GET") => isBrowsing({ method, url: `https://chuoni.test${path}` });

test("a replica may answer the screens of BROWSING, and no other", () => {
  const files = ["/sitemap.xml", "/sitemaps/:file"];
  const answered = patterns(routes as Route[]).filter((pattern) => asks(addressOf(pattern)));
  expect([...answered, ...files].toSorted()).toEqual(BROWSING.toSorted());
  expect(files.every((pattern) => asks(addressOf(pattern)))).toBe(true);
  // What is private, money or about to be changed must be right at once.
  const exact =
    /^\/(admin|auth|cart|checkout|complete-profile|meetings|myshop|notifications|offers|order-confirmation|orders|problems|profile|receipts|report|reviews|saved-searches|seller\/orders|settings|subscription|wishlist)(\/|$)/;
  expect(BROWSING.filter((pattern) => exact.test(pattern))).toEqual([]);
  expect(BROWSING.filter((pattern) => isPublicPage(addressOf(pattern)))).toHaveLength(6);
});

test("a screen's data is read where its page is, and a form never from a replica", () => {
  expect(asks("/product/1.data?_routes=root")).toBe(true);
  expect(asks("/studentmarketplace/?after=1")).toBe(true);
  expect(asks("/p/0123456789")).toBe(true);
  expect(asks("/home", "HEAD")).toBe(true);
  // What was pressed on the public page takes effect once.
  expect([asks("/product/1?pressed=2"), asks("/product/1.data?pressed=2")]).toEqual([false, false]);
  for (const method of ["POST", "PUT", "DELETE"]) expect(asks("/product/1", method)).toBe(false);
  for (const path of ["/cart.data", "/api/messages", "/product/1/edit.data", "/seller/orders/1", "/_root.data"])
    expect(asks(path), `${path}`).toBe(false);
});

test("only services.ts uses the database's binding, and only one file opens sessions", () => {
  const using = (pattern: RegExp) =>
    globSync(["app/**/*.{ts,tsx}", "workers/**/*.{ts,tsx}"]).filter((path) => pattern.test(readFileSync(path, "utf8")));
  expect(using(/\benv\.DB\b|\{[^}]*\bDB\b[^}]*\} = .*\benv\b/)).toEqual(["workers/services.ts"]);
  expect(using(/\.withSession\(/)).toEqual(["app/db/replicated-database.ts"]);
});
