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

/** Screens that must be right at once: private ones, forms, money and administration. */
const PRIMARY = [
  "/",
  "/auth",
  "/auth/signup",
  "/auth/check-email",
  "/auth/forgot",
  "/auth/google",
  "/auth/google/callback",
  "/auth/two-step",
  "/auth/confirm",
  "/auth/*",
  "/auth/reset",
  "/auth/callback",
  "/auth/undo-email",
  "/auth/other-account",
  "/complete-profile",
  "/logout",
  "/appeals/:token",
  "/unsubscribe/:link",
  "/categories",
  "/*",
  "/seller/:sellerId/poster",
  "/support",
  "/terms",
  "/privacy",
  "/verified",
  "/protection",
  "/help",
  "/help/contact",
  "/help/:topic",
  "/sandbox/components",
  "/product/:productId/poster",
  "/product/:productId/edit",
  "/product/:productId/manage",
  "/product/:productId/wait",
  "/product/:productId/offer",
  "/offers/:offerId",
  "/meetings/:itemId",
  "/meetings/:itemId/meeting.ics",
  "/offline/copy",
  "/add-product",
  "/listing-type",
  "/search/missed",
  "/cart",
  "/wishlist",
  "/saved-searches",
  "/saved-searches/save",
  "/saved-searches/:savedId",
  "/notifications",
  "/notifications/:id",
  "/following",
  "/following/shops",
  "/checkout/:orderId",
  "/order-confirmation/:orderId",
  "/orders/:orderId",
  "/seller/orders/:itemId",
  "/problems/:itemId",
  "/reviews/:itemId",
  "/myshop",
  "/myshop/money",
  "/this-week",
  "/myshop/figures",
  "/myshop/still-available",
  "/myshop/money.csv",
  "/myshop/statement",
  "/myshop/statement.csv",
  "/receipts",
  "/settings/my-data",
  "/myshop/import",
  "/myshop/import/:file",
  "/myshop/settings",
  "/subscription",
  "/become-seller",
  "/profile",
  "/settings",
  "/settings/two-step",
  "/settings/email",
  "/settings/notifications",
  "/report/:subject/:id",
  "/conversations/safety",
  "/admin",
  "/admin/figures.csv",
  "/admin/codes",
  "/admin/verifications",
  "/admin/moderation",
  "/admin/moderation/:caseId",
  "/admin/problems",
  "/admin/problems/:id",
  "/admin/money",
  "/admin/money/lists",
  "/admin/money/explain",
  "/admin/proposals",
  "/admin/people",
  "/admin/categories",
  "/admin/types",
  "/admin/prohibited",
  "/admin/universities",
  "/admin/campuses",
  "/admin/operations",
  "/admin/admins",
];

test("every screen has chosen whether a replica may answer it", () => {
  const all = patterns(routes as Route[]);
  const files = ["/sitemap.xml", "/sitemaps/:file"];
  expect(
    [...BROWSING.filter((pattern) => !files.includes(pattern)), ...PRIMARY].toSorted(),
    "A new address belongs to BROWSING in app/platform/browsing.ts, or to PRIMARY in tests/rules/browsing.test.ts",
  ).toEqual(all.toSorted());
  const wrong = [
    ...BROWSING.filter((pattern) => !asks(addressOf(pattern))),
    ...PRIMARY.filter((pattern) => asks(addressOf(pattern))),
  ];
  expect({ wrong }).toEqual({ wrong: [] });
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
