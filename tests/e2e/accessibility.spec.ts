/**
 * axe finds nothing on any screen, at either size and in either theme. None is wider than the narrowest phone, or than any
 * screen with letters of twice the size. Each has the few sizes of type and kinds of button that all screens share.
 * (admin.spec.ts checks the admin pages.)
 */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, atPhoneSize, signIn, test, type Theme } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { readLooks } from "#tests/support/looks.ts";
import { orderProduct, originOf, post } from "#tests/support/requests.ts";

// Each screen is loaded once, at the larger size, and then shrinks.
test.describe.configure({ mode: "parallel", timeout: 240_000 });
test.use({ tolerated: /status of (400|404)/ });

test.beforeEach(async ({ page }) => {
  await page.addInitScript(
    () => location.origin !== "null" && localStorage.setItem("chuoni_tutorial_completed", "true"),
  );
});

/** The first link on a page whose path begins so. */
async function findLink(page: Page, from: string, start: string): Promise<string> {
  const html = await (await page.request.get(originOf() + from)).text();
  const main = html.slice(html.indexOf("<main"));
  const link = new RegExp(`href="(${start}[0-9a-f-]{36})"`).exec(main)?.[1];
  expect(link, `${from} has a link to ${start}`).toBeDefined();
  return link ?? "";
}

/** Orders one piece of a product and returns the path of its checkout. */
async function order(page: Page, product: string): Promise<string> {
  const html = await (await page.request.get(originOf() + product)).text();
  const price = /name="price" value="(\d+)"/.exec(html)?.[1] ?? "";
  return `/checkout/${await orderProduct(page, product.split("/").at(-1) ?? "", price)}`;
}

const NARROWEST = { width: 320, height: 568 };
const ON_ITS_SIDE = { width: 844, height: 390 };

/** Runs in the page: whether it scrolls sideways, or a button of its bar is cut off. */
function isTooWide(): boolean {
  const buttons = [...document.querySelectorAll(".sticky-bar button")];
  return (
    document.documentElement.scrollWidth > innerWidth ||
    buttons.some((button) => button.getBoundingClientRect().right > innerWidth)
  );
}

/** Runs in the page: gives letters a share of their usual size, as somebody's browser may. */
function scaleLetters(share: string): void {
  document.documentElement.style.fontSize = share;
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
 * Checks each screen at both sizes. Colours hardly depend on the size, so it checks the dark theme on the phone, and on
 * the first screen of each list at desktop size. All findings are reported together at the end.
 */
async function look(page: Page, paths: string[]): Promise<void> {
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
    await expect(page.getByRole("progressbar", { name: "Loading", exact: true })).toHaveCount(0);
    const inspect = (size: string, themes: Theme[]) =>
      expectAccessible(page, themes).catch((error: unknown) =>
        found.push(`${path}, ${size}: ${String(error).slice(0, 1_500)}`),
      );
    await inspect("desktop", path === paths[0] ? ["light", "dark"] : ["light"]);
    // That page shows every kind of button.
    if (path !== "/sandbox/components") for (const odd of await findOddLooks(page)) found.push(`${path} has ${odd}`);
    const expectToFit = async (size: string) =>
      (await page.evaluate(isTooWide)) && found.push(`${path} is wider than the screen, ${size}`);
    const expectLargeLettersToFit = async (size: string) => {
      await page.evaluate(scaleLetters, "200%");
      await expectToFit(`${size} with large letters`);
      await page.evaluate(scaleLetters, "100%");
    };
    await expectLargeLettersToFit("desktop");
    await atPhoneSize(page, async () => {
      await expectLargeLettersToFit("phone");
      await inspect("phone", ["light", "dark"]);
      await page.setViewportSize(ON_ITS_SIDE);
      await expectToFit("phone on its side");
      await page.setViewportSize(NARROWEST);
      await expectToFit("narrowest phone");
    });
  }
  expect(found).toEqual([]);
}

test("visitors", { tag: "@desktop" }, async ({ page }) => {
  await look(page, [
    "/auth",
    "/auth/signup",
    "/auth/signup?type=wholesaler",
    "/auth/check-email",
    "/auth/forgot",
    "/auth/reset",
    "/auth/reset?token=x",
    "/auth/callback?token=x",
    "/support",
    "/verified",
    "/protection",
    "/help?q=refund",
    "/help/code",
    "/help/contact",
    "/sandbox/components",
    "/c/electronics",
    "/c/no-such-category",
    "/campus",
    "/campus/search?q=kettle",
    "/campus/search?q=xylophone",
    "/campus/main-campus",
  ]);
});

test("students who have just joined", { tag: "@desktop" }, async ({ page }) => {
  await signIn(page, "newcomer@campus.test");
  await look(page, ["/complete-profile"]);
  await page.context().clearCookies();

  await joinCampus(page);
  await look(page, [
    "/cart",
    "/wishlist",
    "/saved-searches",
    "/notifications",
    "/following",
    "/profile?tab=orders",
    "/profile?tab=messages",
    "/become-seller",
  ]);
});

test("a buyer who looks around", { tag: "@desktop" }, async ({ page }) => {
  await signIn(page, "buyer@campus.test");
  const product = await findLink(page, "/studentmarketplace", "/product/");
  const wholesale = await findLink(page, "/studentmarketplace?wholesale=1", "/product/");
  const seller = await findLink(page, product, "/seller/");
  await look(page, [
    "/home",
    "/studentmarketplace",
    "/search?q=lamp",
    "/search?q=nothing-of-the-kind",
    "/category/electronics",
    product,
    wholesale,
    seller,
    `${product}/poster`,
    `${seller}/poster`,
    `${seller.replace("/seller/", "/people/")}/reviews`,
    "/subscription",
    "/product/00000000-0000-4000-8000-000000000000",
  ]);
});

test("a buyer's own pages", { tag: "@desktop" }, async ({ page }) => {
  await signIn(page, "buyer@campus.test");
  // Several tests at once can buy new products.
  const product = await findLink(page, "/category/electronics?condition=new&sort=newest", "/product/");
  for (const list of ["cart", "wishlist"])
    await post(page, "/?index", {
      intent: `add-to-${list}`,
      productId: product.split("/").at(-1) ?? "",
      quantity: "1",
      from: "/cart",
    });
  await page.context().clearCookies({ name: "flash" });
  const placed = await findLink(page, "/profile?tab=orders", "/orders/");
  await look(page, [
    "/cart",
    "/wishlist",
    "/following",
    "/following/shops",
    await order(page, product),
    placed,
    placed.replace("/orders/", "/order-confirmation/"),
    "/profile",
    "/profile?tab=orders",
    "/profile?tab=messages",
    "/profile?tab=wishlist",
    "/profile?tab=settings",
    "/settings/notifications",
    "/settings/two-step",
  ]);

  await page.goto("/wishlist");
  await page.getByRole("button", { name: "Clear Wishlist" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectAccessible(page);
});

test("a seller", { tag: "@desktop" }, async ({ page }) => {
  await signIn(page, "seller@campus.test");
  const own = await findLink(page, "/myshop?tab=products", "/product/");
  await look(page, [
    "/myshop",
    "/myshop?tab=products",
    "/myshop?tab=orders",
    "/this-week",
    "/myshop/figures",
    "/myshop/still-available",
    "/myshop/settings",
    "/add-product",
    `${own}/edit`,
    await findLink(page, "/myshop?tab=orders", "/seller/orders/"),
    "/profile?tab=listings",
    "/profile?tab=history",
  ]);
});

/** Runs in the page: the size in px of each of its texts. */
function textSizes(): number[] {
  return [...document.querySelectorAll("body *:not(script, style, svg *)")]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()))
    .map((element) => Number.parseFloat(getComputedStyle(element).fontSize));
}

test(
  "letters that somebody has made twice as large are so everywhere",
  {
    tag: "@desktop",
  },
  async ({ page }) => {
    await signIn(page, "buyer@campus.test");
    for (const path of ["/studentmarketplace", await findLink(page, "/studentmarketplace", "/product/"), "/cart"]) {
      await page.goto(path);
      const usual = await page.evaluate(textSizes);
      await page.evaluate(scaleLetters, "200%");
      expect(usual.length).toBeGreaterThan(20);
      expect(await page.evaluate(textSizes)).toEqual(usual.map((size) => 2 * size));
    }
  },
);
