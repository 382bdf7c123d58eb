/** Every screen of the route table, and who looks at it, or why nobody does: one table for the walks in all engines. */
import type { Page } from "@playwright/test";
import { shortIdOf } from "#app/platform/short-ids.ts";
import { sharedSearchPath } from "#app/public-links.ts";
import { SHARED_SEARCH } from "#scripts/seed/user-rows.ts";
import type { ScreenPattern } from "#app/screen-rules.ts";
import { expect, signIn } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { originOf } from "#tests/support/requests.ts";

export const PEOPLE = {
  visitor: null,
  /** Has just signed up: lists are empty. */
  newcomer: null,
  /** Logged in with Google, and has no profile yet. */
  incomplete: "newcomer@campus.test",
  buyer: "buyer@campus.test",
  seller: "seller@campus.test",
  wholesaler: "wholesaler@campus.test",
  admin: "admin@campus.test",
} as const;
export type Person = keyof typeof PEOPLE;

/** What the next address begins with, where a link leads to it, or how it is made of the last one. */
type Step = string | ((address: string) => string);
/** A screen's address, or the page to begin with and the steps from there. */
export type Way = string | readonly [from: string, ...steps: Step[]];

export const PRODUCT = ["/studentmarketplace", "/product/"] as const;
const WHOLESALE = ["/studentmarketplace?wholesale=1", "/product/"] as const;
/** Its page, not one below it. */
const OWN_PRODUCT = ["/myshop?tab=products", `/product/[^/"]+(?=["?#])`] as const;
const ORDER = ["/profile?tab=orders", "/orders/"] as const;
const NO_ID = "00000000-0000-4000-8000-000000000000";

type Visits = { [person in Person]?: readonly Way[] };

/** Who looks at each screen, and where; or why nobody does. */
const LOOKED_AT: Record<ScreenPattern, Visits | string> = {
  "/auth": { visitor: ["/auth"] },
  "/auth/signup": { visitor: ["/auth/signup", "/auth/signup?type=wholesaler"] },
  "/auth/check-email": { visitor: ["/auth/check-email"] },
  "/auth/forgot": { visitor: ["/auth/forgot"] },
  "/auth/reset": { visitor: ["/auth/reset", "/auth/reset?token=x"] },
  "/auth/callback": { visitor: ["/auth/callback?token=x"] },
  "/auth/undo": { visitor: ["/auth/undo?token=x"] },
  "/complete-profile": { incomplete: ["/complete-profile"] },
  "/p/:shortId/:slug?": { visitor: [["/campus/main-campus", "/p/"]] },
  "/s/:shortId/:slug?": { visitor: [["/campus/main-campus", "/p/", "/s/"]] },
  "/c/:category": { visitor: ["/c/electronics", "/c/no-such-category"] },
  "/campus": { visitor: ["/campus"] },
  "/campus/search": { visitor: ["/campus/search?q=kettle", "/campus/search?q=xylophone"] },
  "/campus/:campus": { visitor: ["/campus/main-campus"] },
  "/support": { visitor: ["/support"] },
  "/terms": { visitor: ["/terms"] },
  "/privacy": { visitor: ["/privacy"] },
  "/verified": { visitor: ["/verified"] },
  "/protection": { visitor: ["/protection"] },
  "/help": { visitor: ["/help?q=refund"] },
  "/help/contact": { visitor: ["/help/contact"] },
  "/help/:topic": { visitor: ["/help/code"] },
  "/appeals/:token": { visitor: ["/appeals/x"] },
  "/handover/:handoverLink": { visitor: ["/handover/x"] },
  "/unsubscribe/:link": { visitor: ["/unsubscribe/x"] },
  "/logout": { buyer: ["/logout"] },
  "/home": { buyer: ["/home"] },
  "/studentmarketplace": { buyer: ["/studentmarketplace", "/studentmarketplace?filters=1"] },
  "/studentmarketplace/shops": { buyer: ["/studentmarketplace/shops"] },
  "/search": { buyer: ["/search?q=lamp", "/search?q=lamp&min=1x", "/search?q=nothing-of-the-kind"] },
  "/serials": { newcomer: ["/serials"], buyer: ["/serials"] },
  "/saved-searches": { newcomer: ["/saved-searches"], buyer: ["/saved-searches"] },
  "/category": { buyer: ["/category"] },
  "/category/:categoryName": { buyer: ["/category/electronics", "/category/electronics?type=phone&filters=1"] },
  "/product/:productId": { buyer: [PRODUCT, WHOLESALE, `/product/${NO_ID}`], seller: [OWN_PRODUCT] },
  "/product/:productId/poster": { buyer: [[...PRODUCT, (product) => `${product}/poster`]] },
  "/product/:productId/edit": { seller: [[...OWN_PRODUCT, (product) => `${product}/edit`]] },
  "/product/:productId/offer": { buyer: [["/search?q=EliteBook", "/product/", (product) => `${product}/offer`]] },
  "/looking-for/:shortId": { visitor: [sharedSearchPath(SHARED_SEARCH), "/looking-for/x"] },
  "/seller/:sellerId": { buyer: [[...PRODUCT, "/seller/"]] },
  "/seller/:sellerId/poster": { buyer: [[...PRODUCT, "/seller/", (seller) => `${seller}/poster`]] },
  "/people/:userId/reviews": { seller: [["/profile", "/people/"]] },
  "/report/:subject/:id": { buyer: [[...PRODUCT, "/report/listing/"]] },
  "/add-product": {
    seller: ["/add-product", `/add-product?for=${shortIdOf(SHARED_SEARCH)}`],
    wholesaler: ["/add-product"],
  },
  "/become-seller": { newcomer: ["/become-seller"] },
  "/cart": { newcomer: ["/cart"], buyer: ["/cart"] },
  "/wishlist": { newcomer: ["/wishlist"], buyer: ["/wishlist"] },
  "/notifications": { newcomer: ["/notifications"], buyer: ["/notifications"] },
  "/this-week": { buyer: ["/this-week"] },
  "/following": { newcomer: ["/following"], buyer: ["/following"] },
  "/following/shops": { buyer: ["/following/shops"] },
  "/checkout/:orderId": { buyer: [[...ORDER, "/checkout/"]] },
  "/order-confirmation/:orderId": {
    buyer: [[...ORDER, (order) => order.replace("/orders/", "/order-confirmation/")]],
  },
  "/orders/:orderId": { buyer: [ORDER] },
  "/seller/orders/:itemId": { seller: [["/myshop?tab=orders", "/seller/orders/"]] },
  "/meetings/:itemId": { buyer: [[...ORDER, "/meetings/"]] },
  "/problems/:itemId": { buyer: [[...ORDER, "/problems/"]] },
  "/money/:itemId": {
    buyer: [[...ORDER, "/money/"]],
    seller: [["/myshop?tab=orders", "/seller/orders/", "/money/"]],
  },
  "/reviews/:itemId": { buyer: [[...ORDER, "/reviews/"]] },
  "/receipts": { buyer: ["/receipts"] },
  "/myshop": { seller: ["/myshop", "/myshop?tab=products", "/myshop?tab=orders"] },
  "/myshop/money": { seller: ["/myshop/money"] },
  "/myshop/statement": { seller: ["/myshop/statement"] },
  "/myshop/import": { wholesaler: ["/myshop/import"] },
  "/myshop/figures": { seller: ["/myshop/figures"] },
  "/myshop/still-available": { seller: ["/myshop/still-available"] },
  "/myshop/settings": { seller: ["/myshop/settings"] },
  "/invite": { newcomer: ["/invite"], buyer: ["/invite"] },
  "/subscription": { buyer: ["/subscription"] },
  "/profile": {
    newcomer: ["/profile?tab=orders", "/profile?tab=messages"],
    buyer: ["/profile", ...["orders", "messages", "wishlist", "settings"].map((tab) => `/profile?tab=${tab}`)],
    seller: ["/profile?tab=listings", "/profile?tab=history"],
  },
  "/settings": { buyer: ["/settings"] },
  "/settings/email": { buyer: ["/settings/email?token=x"] },
  "/settings/notifications": { buyer: ["/settings/notifications"] },
  "/settings/two-step": { buyer: ["/settings/two-step"] },
  "/admin": { admin: ["/admin"] },
  "/admin/campus-month": { admin: ["/admin/campus-month"] },
  "/admin/codes": { admin: ["/admin/codes"] },
  "/admin/verifications": { admin: ["/admin/verifications"] },
  "/admin/moderation": { admin: ["/admin/moderation"] },
  "/admin/moderation/:caseId": { admin: [["/admin/moderation", "/admin/moderation/"]] },
  "/admin/problems": { admin: ["/admin/problems", "/admin/problems?show=reports"] },
  "/admin/problems/:id": { admin: [["/admin/problems?show=reports", "/admin/problems/"]] },
  "/admin/money": {
    admin: ["payouts&only=all", "refunds&only=all", "ledger"].map((show) => `/admin/money?show=${show}`),
  },
  "/admin/money/lists": { admin: ["/admin/money/lists"] },
  "/admin/money/explain": { admin: ["/admin/money/explain?q=otieno"] },
  "/admin/proposals": { admin: ["/admin/proposals"] },
  "/admin/people": { admin: ["/admin/people?q=campus"] },
  "/admin/categories": { admin: ["/admin/categories"] },
  "/admin/types": { admin: ["/admin/types"] },
  "/admin/prohibited": { admin: ["/admin/prohibited"] },
  "/admin/universities": { admin: ["/admin/universities?q=nairobi"] },
  "/admin/campuses": { admin: ["/admin/campuses"] },
  "/admin/income": { admin: ["/admin/income"] },
  "/admin/operations": { admin: ["/admin/operations"] },
  "/admin/admins": { admin: ["/admin/admins"] },
  "/auth/two-step": "stands between a password and a second step: tests/e2e/two-step.spec.ts",
  "/auth/confirm": "opens with a form that waits for a password",
  "/auth/other-account": "opens only with a link for another account",
  "/offers/:offerId": "shows the card of a conversation to browsers without scripts",
};

/** The ways to every screen at which somebody looks. */
export function waysOf(person: Person): Way[] {
  return Object.values(LOOKED_AT).flatMap((visits) => (typeof visits === "string" ? [] : (visits[person] ?? [])));
}

/** How many links of a page are tried, in a list whose things differ. */
const TRIED = 12;

/** The first address to which these steps lead; null if they lead nowhere. */
async function follow(page: Page, from: string, [step, ...rest]: readonly Step[]): Promise<string | null> {
  if (step === undefined) return from;
  if (typeof step === "function") return follow(page, step(from), rest);
  const html = await (await page.request.get(originOf() + from)).text();
  const main = html.slice(html.indexOf("<main"));
  const links = new Set(
    [...main.matchAll(new RegExp(`(?:href|action)="(${step}[^"?#]*)`, "g"))].map(([, link = ""]) => link),
  );
  for (const link of [...links].slice(0, TRIED)) {
    const found = await follow(page, link, rest);
    if (found !== null) return found;
  }
  return null;
}

export async function signInAs(page: Page, person: Person): Promise<void> {
  const email = PEOPLE[person];
  if (person === "newcomer") await joinCampus(page);
  if (email !== null) await signIn(page, email);
}

export async function addressOf(page: Page, way: Way): Promise<string> {
  const path = typeof way === "string" ? way : await follow(page, way[0], way.slice(1));
  expect(path, `the address at the end of ${String(way)}`).not.toBeNull();
  return path ?? "";
}
