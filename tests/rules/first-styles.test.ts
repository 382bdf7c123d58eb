import type { EntryContext } from "react-router";
import { expect, test } from "vitest";
import { findFirstStyles, readStyles } from "#app/document/first-styles.server.ts";

type Manifest = EntryContext["manifest"];

/** A build whose root route has these style sheets. */
function buildWith(css: string[]): Manifest {
  return { routes: { root: { css } } } as unknown as Manifest; // only what is looked at
}

const files = new Map([
  ["/assets/style-1.css", "a{}"],
  ["/assets/style-2.css", "b{}"],
]);
const assets = { readAsset: async (path: string) => files.get(path) ?? null };
const first = buildWith(["/assets/style-1.css"]);

function visit(build: Manifest, cookie?: string) {
  return findFirstStyles(
    new Request("https://chuoni.test/product/1", cookie === undefined ? {} : { headers: { cookie } }),
    build,
    assets,
  );
}

const carried = (cookie: string) => cookie.split(";")[0] ?? "";

test("a first visit finds the style sheet in its page", async () => {
  const found = await visit(first);
  expect(found?.text).toBe("a{}");
  expect(found?.cookie).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
});

test("a browser that has been here links to the file until the next release", async () => {
  const cookie = carried((await visit(first))?.cookie ?? "");
  expect(await visit(first, cookie)).toBeNull();
  expect((await visit(buildWith(["/assets/style-2.css"]), cookie))?.text).toBe("b{}");
});

test("a cookie that somebody made up counts as none", async () => {
  for (const cookie of ["styles=", "styles=%%%", "styles=style-1", "styles=W10%3D"])
    expect(await visit(first, cookie)).not.toBeNull();
});

test("what cannot be read is linked to", async () => {
  expect(await visit(buildWith(["/assets/gone.css"]))).toBeNull();
  expect(await visit(buildWith([]))).toBeNull();
});

test("a public page carries its styles each time, because it knows no cookie", async () => {
  expect(await readStyles(first, assets)).toBe("a{}");
});
