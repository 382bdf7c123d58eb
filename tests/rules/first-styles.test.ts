import type { EntryContext } from "react-router";
import { expect, test } from "vitest";
import { findFirstStyles, readStyles } from "#app/document/first-styles.server.ts";

/** A page as React Router describes it: its matches, and the build's file names. */
function pageOf(css: Record<string, string[]>): EntryContext {
  const routes = Object.fromEntries(Object.entries(css).map(([id, files]) => [id, { css: files }]));
  // Only what is looked at.
  return {
    manifest: { routes },
    staticHandlerContext: { matches: Object.keys(css).map((id) => ({ route: { id } })) },
  } as unknown as EntryContext;
}

const files = new Map([
  ["/assets/shell-1.css#", "a{}"],
  ["/assets/shell-2.css", "b{}"],
  ["/assets/product-1.css", "c{}"],
]);
const assets = { readAsset: async (path: string) => files.get(path) ?? null };
const product = pageOf({ root: ["/assets/shell-1.css#"], product: ["/assets/product-1.css", "/assets/shell-1.css#"] });

function visit(page: EntryContext, cookie?: string) {
  return findFirstStyles(
    new Request("https://chuoni.test/product/1", cookie === undefined ? {} : { headers: { cookie } }),
    page,
    assets,
  );
}

const carried = (cookie: string) => cookie.split(";")[0] ?? "";

test("a first visit finds each style sheet of its page in the page, once", async () => {
  const found = await visit(product);
  expect([...(found?.texts ?? [])]).toEqual([
    ["/assets/shell-1.css#", "a{}"],
    ["/assets/product-1.css", "c{}"],
  ]);
  expect(found?.cookie).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
});

test("a browser that has been here links to the files, on every page, until the next release", async () => {
  const cookie = carried((await visit(product))?.cookie ?? "");
  expect(await visit(product, cookie)).toBeNull();
  expect(await visit(pageOf({ root: ["/assets/shell-1.css#"], cart: [] }), cookie)).toBeNull();
  expect((await visit(pageOf({ root: ["/assets/shell-2.css"] }), cookie))?.texts).toEqual(
    new Map([["/assets/shell-2.css", "b{}"]]),
  );
});

test("a cookie that somebody made up counts as none", async () => {
  for (const cookie of ["styles=", "styles=%%%", "styles=shell-1", "styles=W10%3D"])
    expect(await visit(product, cookie)).not.toBeNull();
});

test("what cannot be read is linked to", async () => {
  expect((await visit(pageOf({ root: ["/assets/shell-1.css#"], cart: ["/assets/gone.css"] })))?.texts).toEqual(
    new Map([["/assets/shell-1.css#", "a{}"]]),
  );
  expect(await visit(pageOf({ root: ["/assets/gone.css"] }))).toBeNull();
  expect(await visit(pageOf({ root: [] }))).toBeNull();
});

test("a public page carries its styles each time, because it knows no cookie", async () => {
  expect([...(await readStyles(product, assets)).keys()]).toEqual(["/assets/shell-1.css#", "/assets/product-1.css"]);
});
