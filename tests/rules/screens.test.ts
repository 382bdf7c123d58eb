import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SCREENS } from "#tests/support/screens.ts";

/** The addresses that a browser test names, without their queries. `*` is what it fills in. */
function addressesIn(spec: string): string[] {
  const source = readFileSync(join("tests/e2e", spec), "utf8");
  const quoted = source.matchAll(/(?<=["'])\/[^"'\s]+(?=["'])|(?<=`)(?:\$\{[^}]*\}|[^`\s$])+(?=`)/g);
  return [...quoted]
    .map(([text]) =>
      text
        .replaceAll(/\$\{[^}]*\}/g, "*")
        .replace(/\?.*/, "")
        .replace(/\/$/, "/*"),
    )
    .filter((address) => /^\*?\/[^*]/.test(address));
}

/** Whether an address leads to a route. One that begins with what is filled in is known by its end. */
function leadsTo(address: string, path: string): boolean {
  if (address.startsWith("*")) return path.endsWith(address.slice(1));
  const route = path.replaceAll(/\/:\w+\?/g, "(/[^/]+)?").replaceAll(/:\w+/g, "[^/]+");
  return new RegExp(`^${route}$`).test(address);
}

/** Not in the lists of the accessibility tests. The browser tests of their own look at most of them. */
const OUTSIDE_THE_LISTS = [
  "/auth/two-step",
  "/p/:shortId/:slug?",
  "/s/:shortId/:slug?",
  "/terms",
  "/privacy",
  "/studentmarketplace/shops",
  "/category",
  "/product/:productId/offer",
  "/offers/:offerId",
  "/meetings/:itemId",
  "/problems/:itemId",
  "/reviews/:itemId",
  "/myshop/money",
  "/myshop/statement",
  "/receipts",
  "/myshop/import",
  "/settings",
  "/settings/email",
  "/report/:subject/:id",
  "/admin/moderation/:caseId",
  "/admin/categories",
  "/admin/types",
  "/admin/prohibited",
  "/admin/campuses",
  "/admin/admins",
  "/appeals/:token",
  "/unsubscribe/:link",
  "/auth/confirm",
  "/auth/undo-email",
  "/auth/other-account",
  "/logout",
];

test("the accessibility tests list every screen, but for those that are named here", () => {
  const listed = [
    ...addressesIn("accessibility.spec.ts"),
    ...addressesIn("admin.spec.ts").filter((address) => address.startsWith("/admin")),
  ];
  const others = SCREENS.filter(({ path }) => !listed.some((address) => leadsTo(address, path)));
  expect(others.map(({ path }) => path)).toEqual(OUTSIDE_THE_LISTS);
});

test("every screen gives a title", () => {
  const untitled = SCREENS.filter(
    ({ file }) => !/^export (const|function) meta\b/m.test(readFileSync(join("app", file), "utf8")),
  );
  expect(untitled).toEqual([]);
});
