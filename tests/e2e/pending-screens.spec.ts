/** What shows between a tap and the next screen's data: its title and its shape, however slow the network is. */
import type { Page } from "@playwright/test";
import { expect, signIn, test } from "#tests/support/browser.ts";
import { holdRequests } from "#tests/support/hold-requests.ts";

// What a browser logs when a test cuts the connection.
test.use({ tolerated: /Failed to load resource/ });

/** The data of all screens. */
const DATA = /\.data(?:\?|$)/;

/** The script of the pending screen has arrived. It is loaded once the page works. */
async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => /pending-screen-.*\.js/.test(name)),
  );
}

const pending = (page: Page) => page.locator(".pending-screen");

interface Way {
  from: string;
  /** The link to tap. */
  link: string;
  title?: string;
}

async function follow(page: Page, { from, link, title }: Way): Promise<void> {
  await test.step(`${link} on ${from}`, async () => {
    await page.goto(from);
    await ready(page);
    const held = await holdRequests(page, DATA);
    const target = page.locator(link).filter({ visible: true }).first();
    await target.click();
    await expect(pending(page)).toBeVisible();
    if (title !== undefined) await expect(pending(page)).toContainText(title);
    await expect(pending(page).locator(".skeleton").first()).toBeVisible();
    const path = await pending(page).getAttribute("data-path");
    held.send();
    await expect(pending(page)).toBeHidden();
    expect(new URL(page.url()).pathname).toBe(path);
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
  });
}

test("every kind of link shows the next screen while its data is held", { tag: "@phone" }, async ({ page }) => {
  test.slow();
  await signIn(page, "seller@campus.test");
  const ways: Way[] = [
    { from: "/home", link: "a[href='/studentmarketplace']", title: "Student Marketplace" },
    { from: "/studentmarketplace", link: "a[href='/home']", title: "Your Student Marketplace" },
    { from: "/home", link: "a[href='/cart']", title: "Cart" },
    { from: "/home", link: "a[href='/profile?tab=messages']", title: "Messages" },
    { from: "/studentmarketplace", link: "main a[href^='/product/']" },
    { from: "/studentmarketplace", link: "main a[href^='/category/']" },
    { from: "/studentmarketplace", link: "main a[href^='/seller/']" },
    { from: "/profile", link: "a[href*='tab=orders']", title: "My Orders" },
    { from: "/profile?tab=orders", link: "main a[href^='/orders/']", title: "Order" },
    { from: "/myshop", link: "a[href='/myshop?tab=orders']", title: "My Shop" },
    { from: "/myshop?tab=orders", link: "main a[href^='/seller/orders/']", title: "Order" },
    { from: "/profile", link: "a[href*='tab=settings']", title: "Settings" },
  ];
  for (const way of ways) await follow(page, way);
});

test("the next product shows the name and the photo that its card had", { tag: "@phone" }, async ({ page }) => {
  await signIn(page, "buyer@campus.test");
  await page.goto("/studentmarketplace");
  await ready(page);
  const card = page.getByRole("article").first();
  const name = (await card.getByRole("heading").textContent()) ?? "";
  await holdRequests(page, DATA);
  await card.getByRole("link", { name }).first().click();
  await expect(pending(page)).toContainText(name);
  await expect(pending(page).locator("img")).toBeVisible();
});

test("going back and a failed screen remove it", { tag: "@phone" }, async ({ page }) => {
  await signIn(page, "buyer@campus.test");
  await page.goto("/wishlist");
  await ready(page);
  await page.locator("a[href='/home']").filter({ visible: true }).first().click();
  await expect(page.getByRole("heading", { name: "Your Student Marketplace" })).toBeVisible();
  const held = await holdRequests(page, DATA);
  await page.goBack();
  await expect(pending(page)).toContainText("Wishlist");
  held.send();
  await expect(pending(page)).toBeHidden();
  await expect(page).toHaveURL(/\/wishlist$/);

  await page.route(
    (url) => url.pathname === "/cart.data",
    (route) => route.abort(),
  );
  await page.locator("a[href='/cart']").filter({ visible: true }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(pending(page)).toBeHidden();
});

test("the bar marks the tapped screen while its data is held", { tag: "@phone" }, async ({ page }) => {
  await signIn(page, "buyer@campus.test");
  await page.goto("/home");
  const held = await holdRequests(page, DATA);
  const link = (name: string) => page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name });
  await expect(link("Home")).toHaveCSS("font-weight", "600");
  await link("Shop").first().click();
  await expect.poll(() => held.asked.length).toBeGreaterThan(0);
  await expect(link("Shop").first()).toHaveCSS("font-weight", "600");
  await expect(link("Home")).toHaveCSS("font-weight", "400");
  held.send();
  await expect(page).toHaveURL("/studentmarketplace");
  await expect(link("Shop").first()).toHaveCSS("font-weight", "600");
});
