/**
 * The main screens in a browser that has nothing newer than our oldest browsers have (scripts/browsers.ts), menus
 * without popovers, and what a browser that is too old for our scripts gets. The journeys of purchase.spec.ts,
 * sign-up.spec.ts and others say isOldest.
 */
import type { Page } from "@playwright/test";
import { expect, gotoLive, signIn, test } from "#tests/support/browser.ts";
import { freshPhone } from "#tests/support/fresh-phone.ts";
import { newWord } from "#tests/support/new-word.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { makeTooOld } from "#tests/support/oldest-browser.ts";
import { listProduct, originOf } from "#tests/support/requests.ts";
import { joinAsSeller } from "#tests/support/sales.ts";

test.use({ isOldest: true });

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
 * In those browsers what is fixed stands in the next container, too.
 */
async function renamePopovers(page: Page): Promise<void> {
  await page.route(
    (url) => url.origin === originOf() && !url.pathname.startsWith("/files/"),
    async (route) => {
      const request = route.request();
      if (!["document", "script", "stylesheet"].includes(request.resourceType())) return route.continue();
      const response = await route.fetch({ url: request.url().replaceAll("popoxer", "popover") });
      const body = (await response.text())
        .replaceAll("popover", "popoxer")
        .replaceAll(/container(?:-type)?:[^;}]*inline-size/g, "$&;contain:layout");
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
  const [button, menu] = [await more.boundingBox(), await actions.boundingBox()];
  expect(menu?.y).toBeCloseTo((button?.y ?? 0) + (button?.height ?? 0), 0);
  await actions.getByRole("link", { name: "Delete Listing" }).click();
  await expect(actions).toHaveCount(0);
  await expect(page.getByRole("alertdialog", { name: "Delete Listing" })).toBeVisible();
  // What still comes has no test any more.
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test.describe("in a browser that is too old for our scripts", () => {
  // A form that is filled in wrongly is a page of its own.
  test.use({ isOldest: false, tolerated: /status of 400/ });

  test(
    "a student buys, pays, writes, and hands over with forms and links alone",
    { tag: "@phone" },
    async ({ page: buyer, openWindow }) => {
      const seller = await openWindow();
      for (const page of [buyer, seller]) await makeTooOld(page.context());
      await joinAsSeller(seller);
      await joinCampus(buyer);
      const name = `Exam pads ${newWord()}`;
      const productId = await listProduct(seller, name);

      await test.step("the page comes without scripts, and asks for them once", async () => {
        await buyer.goto(`/product/${productId}`);
        await expect(buyer.getByRole("heading", { level: 1, name })).toBeVisible();
        await expect(buyer.locator("script[type=module]")).toHaveCount(0);
        expect(await buyer.evaluate(() => "__reactRouterContext" in window)).toBe(false);
      });
      await test.step("what works by script alone isn't offered", async () => {
        await seller.goto("/add-product");
        await expect(seller.getByLabel("Add photos")).toHaveCSS("opacity", "1");
      });
      await test.step("buying", async () => {
        await buyer.getByRole("button", { name: "Buy Now" }).click();
        await expect(buyer.getByRole("heading", { name: "Complete Your Payment" })).toBeVisible();
        await buyer.getByRole("checkbox", { name: /agree on a pickup/ }).uncheck();
        await buyer.getByLabel(/phone/i).fill(freshPhone());
        await buyer.getByRole("button", { name: /^Pay KES/ }).click();
        await expect(buyer.getByText("Please confirm pickup arrangements")).toBeVisible();
        await buyer.getByRole("checkbox", { name: /agree on a pickup/ }).check();
        await buyer.getByRole("button", { name: /^Pay KES/ }).click();
        // The page also does so by itself, twice a minute.
        await expect(async () => {
          await buyer.getByRole("link", { name: "Refresh Status" }).click({ timeout: 1_000 });
          await expect(buyer.getByRole("heading", { name: "Order Confirmed!" })).toBeVisible({ timeout: 1_000 });
        }).toPass();
        await buyer.getByRole("link", { name: "See Your Handover Code" }).click();
      });
      const code = await buyer.locator(".handover__code").innerText();
      await test.step("messages", async () => {
        await seller.goto("/myshop?tab=orders");
        await seller
          .getByRole("link", { name: new RegExp(name) })
          .first()
          .click();
        await seller.getByRole("button", { name: "Contact Buyer" }).click();
        await seller.getByRole("textbox", { name: /message/i }).fill("At the library gate at four?");
        await seller.getByRole("button", { name: "Contact Buyer" }).click();
        await expect(seller.getByText("At the library gate at four?")).toBeVisible();
        await buyer.goto("/profile?tab=messages");
        await buyer.getByText("At the library gate at four?").first().click();
        await buyer.getByRole("textbox", { name: /message/i }).fill("I'll be there");
        await buyer.getByRole("button", { name: "Send" }).click();
        await expect(buyer.getByText("I'll be there").last()).toBeVisible();
      });
      await test.step("handing over", async () => {
        await seller.goto("/myshop?tab=orders");
        await seller
          .getByRole("link", { name: new RegExp(name) })
          .first()
          .click();
        // Until the two have agreed, the field stands behind one tap.
        await seller.getByText("Enter the buyer's code").click();
        await seller.getByLabel("The buyer's code").fill(code);
        await seller.getByRole("button", { name: "Confirm Handover" }).click();
        await expect(seller.getByText(/^Right code\./)).toBeVisible();
      });
      await test.step("after its update a browser gets the scripts again", async () => {
        const updated = await openWindow();
        await updated.context().addCookies(await buyer.context().cookies());
        await updated.goto("/home");
        await expect(updated.locator("html")).toHaveAttribute("data-scripted", "");
        await expect.poll(async () => updated.evaluate(() => "__reactRouterContext" in window)).toBe(true);
      });
    },
  );
});
