/** A thumb hits what it aims at, on every screen of the route table. */
import type { Page } from "@playwright/test";
import { expect, signIn, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { originOf } from "#tests/support/requests.ts";
import { SCREENS } from "#tests/support/screens.ts";
import { findSmallTargets } from "#tests/support/tap-targets.ts";

test.describe.configure({ mode: "parallel" });
test.use({ tolerated: /status of (400|404)/ });

const PEOPLE = {
  visitor: null,
  newcomer: null,
  buyer: "buyer@campus.test",
  seller: "seller@campus.test",
  wholesaler: "wholesaler@campus.test",
  admin: "admin@campus.test",
} as const;
type Person = keyof typeof PEOPLE;

/**
 * A screen's address, or where links lead to it: the page to begin with, and what each next address begins with, or
 * after a "+" adds.
 */
type Way = string | readonly [from: string, ...links: string[]];

/** Who looks at each screen, and where. */
const VISITS: Record<string, readonly [Person, Way]> = {
  "/auth": ["visitor", "/auth"],
  "/auth/signup": ["visitor", "/auth/signup?type=wholesaler"],
  "/auth/check-email": ["visitor", "/auth/check-email"],
  "/auth/forgot": ["visitor", "/auth/forgot"],
  "/p/:shortId/:slug?": ["visitor", ["/campus/main-campus", "/p/"]],
  "/s/:shortId/:slug?": ["visitor", ["/campus/main-campus", "/p/", "/s/"]],
  "/c/:category": ["visitor", "/c/electronics"],
  "/campus": ["visitor", "/campus"],
  "/campus/search": ["visitor", "/campus/search?q=kettle"],
  "/campus/:campus": ["visitor", "/campus/main-campus"],
  "/seller/:sellerId": ["buyer", ["/studentmarketplace", "/product/", "/seller/"]],
  "/seller/:sellerId/poster": ["buyer", ["/studentmarketplace", "/product/", "/seller/", "+/poster"]],
  "/people/:userId/reviews": ["seller", ["/profile", "/people/"]],
  "/support": ["visitor", "/support"],
  "/terms": ["visitor", "/terms"],
  "/privacy": ["visitor", "/privacy"],
  "/verified": ["visitor", "/verified"],
  "/protection": ["visitor", "/protection"],
  "/help": ["visitor", "/help?q=refund"],
  "/help/contact": ["visitor", "/help/contact"],
  "/help/:topic": ["visitor", "/help/code"],
  "/appeals/:token": ["visitor", "/appeals/x"],
  "/unsubscribe/:link": ["visitor", "/unsubscribe/x"],
  "/auth/reset": ["visitor", "/auth/reset?token=x"],
  "/auth/callback": ["visitor", "/auth/callback?token=x"],
  "/auth/undo-email": ["visitor", "/auth/undo-email?token=x"],
  "/logout": ["buyer", "/logout"],
  "/home": ["buyer", "/home"],
  "/studentmarketplace": ["buyer", "/studentmarketplace"],
  "/studentmarketplace/shops": ["buyer", "/studentmarketplace/shops"],
  "/search": ["buyer", "/search?q=lamp"],
  "/saved-searches": ["newcomer", "/saved-searches"],
  "/category": ["buyer", "/category"],
  "/category/:categoryName": ["buyer", "/category/electronics"],
  "/product/:productId": ["buyer", ["/studentmarketplace", "/product/"]],
  "/product/:productId/poster": ["buyer", ["/studentmarketplace", "/product/", "+/poster"]],
  "/product/:productId/edit": ["seller", ["/myshop?tab=products", "/product/", "+/edit"]],
  "/product/:productId/offer": ["buyer", ["/search?q=EliteBook", "/product/", "+/offer"]],
  "/meetings/:itemId": ["buyer", ["/profile?tab=orders", "/orders/", "/meetings/"]],
  "/add-product": ["seller", "/add-product"],
  "/cart": ["buyer", "/cart"],
  "/wishlist": ["buyer", "/wishlist"],
  "/notifications": ["buyer", "/notifications"],
  "/this-week": ["buyer", "/this-week"],
  "/following": ["buyer", "/following"],
  "/following/shops": ["buyer", "/following/shops"],
  "/checkout/:orderId": ["buyer", ["/profile?tab=orders", "/orders/", "/checkout/"]],
  "/orders/:orderId": ["buyer", ["/profile?tab=orders", "/orders/"]],
  "/seller/orders/:itemId": ["seller", ["/myshop?tab=orders", "/seller/orders/"]],
  "/problems/:itemId": ["buyer", ["/profile?tab=orders", "/orders/", "/problems/"]],
  "/reviews/:itemId": ["buyer", ["/profile?tab=orders", "/orders/", "/reviews/"]],
  "/myshop": ["seller", "/myshop?tab=orders"],
  "/myshop/money": ["seller", "/myshop/money"],
  "/myshop/statement": ["seller", "/myshop/statement"],
  "/receipts": ["buyer", "/receipts"],
  "/myshop/import": ["wholesaler", "/myshop/import"],
  "/myshop/figures": ["seller", "/myshop/figures"],
  "/myshop/still-available": ["seller", "/myshop/still-available"],
  "/myshop/settings": ["seller", "/myshop/settings"],
  "/subscription": ["buyer", "/subscription"],
  "/become-seller": ["newcomer", "/become-seller"],
  "/profile": ["seller", "/profile"],
  "/settings/two-step": ["buyer", "/settings/two-step"],
  "/settings": ["buyer", "/settings"],
  "/settings/email": ["buyer", "/settings/email?token=x"],
  "/settings/notifications": ["buyer", "/settings/notifications"],
  "/report/:subject/:id": ["buyer", ["/studentmarketplace", "/product/", "/report/listing/"]],
  "/admin": ["admin", "/admin"],
  "/admin/codes": ["admin", "/admin/codes"],
  "/admin/verifications": ["admin", "/admin/verifications"],
  "/admin/moderation": ["admin", "/admin/moderation"],
  "/admin/problems": ["admin", "/admin/problems"],
  "/admin/money": ["admin", "/admin/money"],
  "/admin/money/lists": ["admin", "/admin/money/lists"],
  "/admin/money/explain": ["admin", "/admin/money/explain"],
  "/admin/proposals": ["admin", "/admin/proposals"],
  "/admin/people": ["admin", "/admin/people"],
  "/admin/categories": ["admin", "/admin/categories"],
  "/admin/types": ["admin", "/admin/types"],
  "/admin/prohibited": ["admin", "/admin/prohibited"],
  "/admin/universities": ["admin", "/admin/universities"],
  "/admin/campuses": ["admin", "/admin/campuses"],
  "/admin/operations": ["admin", "/admin/operations"],
  "/admin/admins": ["admin", "/admin/admins"],
  "/admin/moderation/:caseId": ["admin", ["/admin/moderation", "/admin/moderation/"]],
};

const NOT_VISITED: Record<string, string> = {
  "/auth/two-step": "stands between a password and a second step: tests/e2e/two-step.spec.ts",
  "/auth/confirm": "opens with a form that waits for a password",
  "/auth/other-account": "opens only with a link for another account",
  "/complete-profile": "opens only after Google's login: the fields are those of signing up",
  "/offers/:offerId": "shows the card of a conversation to browsers without scripts",
  "/order-confirmation/:orderId": "opens after a payment: its parts are those of the order's page",
  "/admin/problems/:id": "the demo campus has no problem for the team",
};

test("each screen of the route table is looked at, or has a reason", { tag: "@phone" }, () => {
  expect([...Object.keys(VISITS), ...Object.keys(NOT_VISITED)].toSorted()).toEqual(
    SCREENS.map(({ path }) => path).toSorted(),
  );
});

/** How many links of a page are tried, in a list whose things differ. */
const TRIED = 12;

/** The first address to which links lead; null if none does. */
async function follow(page: Page, from: string, [start, ...rest]: readonly string[]): Promise<string | null> {
  if (start === undefined) return from;
  if (start.startsWith("+")) return follow(page, from + start.slice(1), rest);
  const html = await (await page.request.get(originOf() + from)).text();
  const main = html.slice(html.indexOf("<main"));
  const links = new Set(
    [...main.matchAll(new RegExp(`(?:href|action)="(${start}[^"?#]*)`, "g"))].map(([, link = ""]) => link),
  );
  for (const link of [...links].slice(0, TRIED)) {
    const found = await follow(page, link, rest);
    if (found !== null) return found;
  }
  return null;
}

for (const [person, email] of Object.entries(PEOPLE))
  test(`the targets of a ${person}'s screens are 44 px large or apart`, { tag: "@phone" }, async ({ page }) => {
    await page.addInitScript(
      () => location.origin !== "null" && localStorage.setItem("chuoni_tutorial_completed", "true"),
    );
    if (email !== null) await signIn(page, email);
    else if (person === "newcomer") await joinCampus(page);
    const found: string[] = [];
    for (const [screen, [viewer, way]] of Object.entries(VISITS)) {
      if (viewer !== person) continue;
      const path = typeof way === "string" ? way : await follow(page, way[0], way.slice(1));
      if (path === null) {
        found.push(`nothing leads to ${screen}`);
        continue;
      }
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
      found.push(...(await page.evaluate(findSmallTargets)).map((target) => `${path}: ${target}`));
    }
    expect(found).toEqual([]);
  });
