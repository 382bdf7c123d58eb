/**
 * Every screen of the route table, as those see it who use it: axe finds nothing, at either size and in either theme;
 * it isn't wider than the narrowest phone, or than any screen with letters of twice the size; a thumb hits what it aims
 * at; it has the few sizes of type and kinds of button that all screens share.
 */
import type { Page } from "@playwright/test";
import type { ScreenPattern } from "#app/screen-rules.ts";
import { atPhoneSize, expect, expectAccessible, signIn, test, type Theme } from "#tests/support/browser.ts";
import { readLooks } from "#tests/support/looks.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { originOf } from "#tests/support/requests.ts";
import { findSmallTargets } from "#tests/support/tap-targets.ts";

// Each screen is loaded once, at the larger size, and then shrinks.
test.describe.configure({ mode: "parallel", timeout: 240_000 });
test.use({ tolerated: /status of (400|404)/ });

const PEOPLE = {
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
type Person = keyof typeof PEOPLE;

/** What the next address begins with, where a link leads to it, or how it is made of the last one. */
type Step = string | ((address: string) => string);
/** A screen's address, or the page to begin with and the steps from there. */
type Way = string | readonly [from: string, ...steps: Step[]];

const PRODUCT = ["/studentmarketplace", "/product/"] as const;
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
  "/unsubscribe/:link": { visitor: ["/unsubscribe/x"] },
  "/logout": { buyer: ["/logout"] },
  "/home": { buyer: ["/home"] },
  "/studentmarketplace": { buyer: ["/studentmarketplace"] },
  "/studentmarketplace/shops": { buyer: ["/studentmarketplace/shops"] },
  "/search": { buyer: ["/search?q=lamp", "/search?q=nothing-of-the-kind"] },
  "/saved-searches": { newcomer: ["/saved-searches"] },
  "/category": { buyer: ["/category"] },
  "/category/:categoryName": { buyer: ["/category/electronics"] },
  "/product/:productId": { buyer: [PRODUCT, WHOLESALE, `/product/${NO_ID}`], seller: [OWN_PRODUCT] },
  "/product/:productId/poster": { buyer: [[...PRODUCT, (product) => `${product}/poster`]] },
  "/product/:productId/edit": { seller: [[...OWN_PRODUCT, (product) => `${product}/edit`]] },
  "/product/:productId/offer": { buyer: [["/search?q=EliteBook", "/product/", (product) => `${product}/offer`]] },
  "/seller/:sellerId": { buyer: [[...PRODUCT, "/seller/"]] },
  "/seller/:sellerId/poster": { buyer: [[...PRODUCT, "/seller/", (seller) => `${seller}/poster`]] },
  "/people/:userId/reviews": { seller: [["/profile", "/people/"]] },
  "/report/:subject/:id": { buyer: [[...PRODUCT, "/report/listing/"]] },
  "/add-product": { seller: ["/add-product"] },
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
  "/reviews/:itemId": { buyer: [[...ORDER, "/reviews/"]] },
  "/receipts": { buyer: ["/receipts"] },
  "/myshop": { seller: ["/myshop", "/myshop?tab=products", "/myshop?tab=orders"] },
  "/myshop/money": { seller: ["/myshop/money"] },
  "/myshop/statement": { seller: ["/myshop/statement"] },
  "/myshop/import": { wholesaler: ["/myshop/import"] },
  "/myshop/figures": { seller: ["/myshop/figures"] },
  "/myshop/still-available": { seller: ["/myshop/still-available"] },
  "/myshop/settings": { seller: ["/myshop/settings"] },
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
  "/admin/operations": { admin: ["/admin/operations"] },
  "/admin/admins": { admin: ["/admin/admins"] },
  "/auth/two-step": "stands between a password and a second step: tests/e2e/two-step.spec.ts",
  "/auth/confirm": "opens with a form that waits for a password",
  "/auth/other-account": "opens only with a link for another account",
  "/offers/:offerId": "shows the card of a conversation to browsers without scripts",
};

const VISITS = Object.values(LOOKED_AT).filter((visits) => typeof visits !== "string");

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

const PHONE = { width: 390, height: 844 };
const NARROWEST = { width: 320, height: 568 };
const TABLET = { width: 768, height: 1024 };
const ON_ITS_SIDE = { width: 844, height: 390 };

/** Runs in the page: whether it scrolls sideways, or a button of its bar is cut off. */
function isTooWide(): boolean {
  const buttons = [...document.querySelectorAll(".sticky-bar button")];
  return (
    document.documentElement.scrollWidth > innerWidth ||
    buttons.some((button) => button.getBoundingClientRect().right > innerWidth)
  );
}

/** Runs in the page: the photos that are too low or too narrow to be seen. */
function findSlivers(): string[] {
  return [...document.querySelectorAll(".photo")].flatMap((photo) => {
    const { width, height } = photo.getBoundingClientRect();
    const isSliver = photo.checkVisibility() && Math.min(width, height) < 24;
    return isSliver
      ? [`a photo of ${Math.round(width)} × ${Math.round(height)} px: ${photo.parentElement?.outerHTML.slice(0, 200)}`]
      : [];
  });
}

/** Runs in the page: the sums of money that stand on two lines. */
function findBrokenSums(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    if (!text.parentElement?.checkVisibility({ visibilityProperty: true })) continue;
    for (const { 0: sum, index } of text.data.matchAll(/−?KES [\d,.]*\d/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + sum.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) found.push(`${sum} on ${lines.size} lines`);
    }
  }
  return found;
}

/** Runs in the page: gives letters a share of their usual size, as somebody's browser may. */
function scaleLetters(share: string): void {
  document.documentElement.style.fontSize = share;
}

/** Runs in the page: the size in px of each of its texts. */
function textSizes(): number[] {
  return [...document.querySelectorAll("body *:not(script, style, svg *)")]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()))
    .map((element) => Number.parseFloat(getComputedStyle(element).fontSize));
}

/**
 * Runs in the page: gives letters twice their size as Chrome on Android does, which leaves every length in rem as it
 * was.
 */
function scaleLettersAsAndroid(): void {
  document.querySelector<HTMLElement>(".document")?.style.setProperty("text-size-adjust", "200%");
}

/** Where letters that Android makes twice as large scroll the page sideways. Leaves the page at a tablet's size. */
async function findWideLetters(page: Page): Promise<string[]> {
  const browser = await page.context().newCDPSession(page);
  const show = (size: typeof PHONE) =>
    browser.send("Emulation.setDeviceMetricsOverride", { ...size, deviceScaleFactor: 1, mobile: true });
  await show(PHONE);
  const usual = await page.evaluate(textSizes);
  await page.evaluate(scaleLettersAsAndroid);
  // Otherwise the device's size would change nothing.
  expect(Math.max(...(await page.evaluate(textSizes)))).toBeGreaterThan(Math.max(...usual));
  const found: string[] = [];
  for (const size of [PHONE, TABLET]) {
    await show(size);
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (wider > 0) found.push(`with Android's large letters is wider than ${size.width} px by ${wider} px`);
  }
  await browser.detach();
  return found;
}

/** Four sizes, and one for words that make a picture, in two weights. */
const TYPE = new Set([14, 16, 20, 28, 48].flatMap((size) => [`${size}/400`, `${size}/600`]));
/** Solid, soft and ghost, and one of them small. */
const BUTTONS_MAX = 4;

/** What a screen has beyond the type, the kinds of button and the one main button that it may have. */
async function findOddLooks(page: Page): Promise<string[]> {
  const { type, buttons, main } = await page.evaluate(readLooks);
  return [
    ...type.filter((pair) => !TYPE.has(pair)).map((pair) => `type of ${pair}`),
    ...(main.length > 1 ? [`several main buttons: ${main.join(", ")}`] : []),
    ...(buttons.length > BUTTONS_MAX ? [`many kinds of button: ${buttons.join("; ")}`] : []),
  ];
}

/**
 * What is wrong with the page on the screen. Colours hardly depend on the size, so the dark theme is checked on the
 * phone alone.
 */
async function findFaults(page: Page, person: Person): Promise<string[]> {
  const found: string[] = [];
  const inspect = (size: string, themes: Theme[]) =>
    expectAccessible(page, themes).catch((error: unknown) => found.push(`${size}: ${String(error).slice(0, 1_500)}`));
  const expectToFit = async (size: string) =>
    (await page.evaluate(isTooWide)) && found.push(`is wider than the screen, ${size}`);
  const expectLargeLettersToFit = async (size: string) => {
    await page.evaluate(scaleLetters, "200%");
    await expectToFit(`${size} with large letters`);
    await page.evaluate(scaleLetters, "100%");
  };
  found.push(...(await findOddLooks(page)), ...(await page.evaluate(findSlivers)));
  await inspect("desktop", ["light"]);
  await expectLargeLettersToFit("desktop");
  await atPhoneSize(page, async () => {
    await expectLargeLettersToFit("phone");
    found.push(...(await page.evaluate(findSmallTargets)), ...(await page.evaluate(findSlivers)));
    await inspect("phone", ["light", "dark"]);
    await page.setViewportSize(ON_ITS_SIDE);
    await expectToFit("phone on its side");
    await page.setViewportSize(NARROWEST);
    await expectToFit("narrowest phone");
    found.push(...(await page.evaluate(findBrokenSums)));
    await page.setViewportSize(TABLET);
    await expectLargeLettersToFit("tablet");
    // Our team's wide tables are for a desk.
    if (person !== "admin") found.push(...(await findWideLetters(page)));
  });
  return found;
}

/** A walk takes as many addresses, so that several go on at once. */
const WALK = 12;

for (const person of Object.keys(PEOPLE) as Person[]) {
  const ways = VISITS.flatMap((visits) => visits[person] ?? []);
  for (let from = 0; from < ways.length; from += WALK)
    test(`the screens of: ${person}, from ${from + 1}`, { tag: "@desktop" }, async ({ page }) => {
      await signInAs(page, person);
      const found: string[] = [];
      for (const way of ways.slice(from, from + WALK)) {
        const path = await addressOf(page, way);
        await page.goto(path);
        await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
        await expect(page.getByRole("progressbar", { name: "Loading", exact: true })).toHaveCount(0);
        found.push(...(await findFaults(page, person)).map((fault) => `${path} ${fault}`));
      }
      expect(found).toEqual([]);
    });
}

async function signInAs(page: Page, person: Person): Promise<void> {
  const email = PEOPLE[person];
  if (person === "newcomer") await joinCampus(page);
  if (email !== null) await signIn(page, email);
}

async function addressOf(page: Page, way: Way): Promise<string> {
  const path = typeof way === "string" ? way : await follow(page, way[0], way.slice(1));
  expect(path, `the address at the end of ${String(way)}`).not.toBeNull();
  return path ?? "";
}

test("letters that somebody has made twice as large are so everywhere", { tag: "@desktop" }, async ({ page }) => {
  await signInAs(page, "buyer");
  for (const way of ["/studentmarketplace", PRODUCT, "/cart"]) {
    await page.goto(await addressOf(page, way));
    const usual = await page.evaluate(textSizes);
    await page.evaluate(scaleLetters, "200%");
    expect(usual.length).toBeGreaterThan(20);
    expect(await page.evaluate(textSizes)).toEqual(usual.map((size) => 2 * size));
  }
});

test("the components of a screen are accessible in every state", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("/sandbox/components");
  await expectAccessible(page);
  await atPhoneSize(page, async () => {
    await expectAccessible(page);
    expect(await page.evaluate(isTooWide)).toBe(false);
  });
});
