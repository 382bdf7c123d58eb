/**
 * The main screens in a browser that has nothing newer than our oldest browsers have (scripts/browsers.ts). Scripts can
 * take away everything but style rules and the popovers of HTML, which a test of their own renames.
 */
import type { Page } from "@playwright/test";
import { expect, gotoLive, signIn, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { type Feature, listNewerFeatures } from "#tests/support/newer-features.ts";
import { listProduct, originOf } from "#tests/support/requests.ts";

const POPOVER = /^(popover|(show|hide|toggle)Popover)$/;
const NEWER = listNewerFeatures().filter(({ name }) => !POPOVER.test(name));

/** Runs in the page before its scripts. */
function removeFeatures(features: readonly Feature[]): void {
  type Owner = Record<string, unknown> | undefined;
  const everything = globalThis as unknown as Record<string, Owner>;
  for (const { owner, name, isStatic } of features) {
    const of = owner === "" ? everything : everything[owner];
    if (isStatic !== false || owner === "") delete of?.[name];
    if (isStatic !== true) delete (of?.prototype as Owner)?.[name];
  }
}

async function makeOld(page: Page): Promise<void> {
  await page.context().addInitScript(removeFeatures, NEWER);
}

const SCREENS = {
  "buyer@campus.test": [
    "/home",
    "/studentmarketplace",
    "/search?q=lamp",
    "/category/electronics",
    "/cart",
    "/wishlist",
    "/notifications",
    "/profile?tab=orders",
    "/profile?tab=messages",
    "/settings",
  ],
  "seller@campus.test": ["/myshop", "/myshop?tab=products", "/myshop?tab=orders", "/myshop/money", "/add-product"],
  "admin@campus.test": ["/admin", "/admin/moderation", "/admin/money", "/admin/operations"],
} as const;

for (const [email, paths] of Object.entries(SCREENS))
  // Old browsers are on old phones, and on our team's desks.
  test(
    `the main screens of ${email} work in our oldest browsers`,
    {
      tag: email === "admin@campus.test" ? "@desktop" : "@phone",
    },
    async ({ page }) => {
      await makeOld(page);
      await signIn(page, email);
      for (const path of paths) {
        await page.goto(path);
        await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
        await expect(page.getByRole("heading", { name: "Something went wrong" })).toHaveCount(0);
      }
      expect(await page.evaluate(() => [typeof URL.parse, typeof Intl.Segmenter, "navigation" in window])).toEqual([
        "undefined",
        "undefined",
        false,
      ]);
      // Without a load of the page.
      await page
        .getByRole("navigation")
        .getByRole("link", { name: /^Home$/ })
        .filter({ visible: true })
        .first()
        .click();
      await page.waitForURL("/home");
      await expect(page.getByRole("heading", { name: "Your Student Marketplace" })).toBeVisible();
    },
  );

test(
  "a message with a link is announced and read in our oldest browsers",
  { tag: "@phone" },
  async ({ page: buyer, openWindow }) => {
    const seller = await openWindow();
    await makeOld(seller);
    await joinCampus(seller);
    await joinCampus(buyer);
    const productId = await listProduct(seller, "Ruled paper");
    await gotoLive(seller, "/home");
    const sent = await buyer.request.post("/api/messages", {
      form: { about: `product:${productId}`, text: "See https://example.com/paper", key: crypto.randomUUID() },
      headers: { origin: originOf() },
    });
    const { data } = (await sent.json()) as { data: { senderId: string } };
    await expect(seller.getByText("New message from Njeri Wambui: See https://example.com/paper")).toBeVisible();
    await seller.goto(`/profile?tab=messages&with=${data.senderId}`);
    await expect(seller.getByRole("log").getByRole("button", { name: "https://example.com/paper" })).toBeVisible();
  },
);

/**
 * Makes the attribute mean nothing to this browser, as it does to one without popovers: everywhere it has another name.
 */
async function renamePopovers(page: Page): Promise<void> {
  await page.route(
    (url) => url.origin === originOf() && !url.pathname.startsWith("/files/"),
    async (route) => {
      const request = route.request();
      if (!["document", "script", "stylesheet"].includes(request.resourceType())) return route.continue();
      const response = await route.fetch({ url: request.url().replaceAll("popoxer", "popover") });
      const body = (await response.text()).replaceAll("popover", "popoxer");
      await route.fulfill({ response, body });
    },
  );
}

/** Its script comes a little later than the menus. */
async function untilBrought(page: Page): Promise<void> {
  await page.waitForFunction(() => "popoxer" in HTMLElement.prototype);
}

test("menus open and close in a browser without popovers", async ({ page }, { project }) => {
  await renamePopovers(page);
  // The browser takes such a page for one of the internet, which may not reach this machine.
  await page.routeWebSocket("**/live", () => {});
  await signIn(page, "seller@campus.test");
  const isPhone = project.name === "phone";
  if (!isPhone) {
    await page.goto("/home");
    const account = page.getByRole("button", { name: "Account menu" });
    const menu = page.locator(".menu");
    await expect(menu).toBeHidden();
    await untilBrought(page);
    await account.click();
    await expect(menu.getByRole("link", { name: "Following" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(menu).toBeHidden();
    await account.click();
    await page.getByRole("heading", { level: 1 }).click();
    await expect(menu).toBeHidden();
    await account.click();
    await menu.getByRole("link", { name: "Following" }).click();
    await page.waitForURL("/following");
    await expect(menu).toBeHidden();
  }
  await page.goto("/myshop?tab=products");
  await untilBrought(page);
  const more = page.getByRole("button", { name: /^Manage / }).first();
  const actions = page.locator(".action-menu").filter({ visible: true });
  await expect(actions).toHaveCount(0);
  await more.click();
  await expect(actions).toHaveCount(1);
  await actions.getByRole("link", { name: "Delete Listing" }).click();
  await expect(actions).toHaveCount(0);
  await expect(page.getByRole("alertdialog", { name: "Delete Listing" })).toBeVisible();
});
