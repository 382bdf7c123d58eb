/** Where people are, also those who don't see it: what is announced, what has the focus, and where Back leads. */
import type { Page } from "@playwright/test";
import { expect, signIn, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct } from "#tests/support/requests.ts";
import { joinAsSeller } from "#tests/support/sales.ts";

/** Waits until a screen reader was told it. */
async function expectAnnounced(page: Page, text: string | RegExp): Promise<void> {
  await expect(page.getByRole("status").filter({ hasText: text })).toHaveCount(1);
}

test("Back after a login leads to the page before it", { tag: "@phone" }, async ({ page }) => {
  const { email } = await joinCampus(page);
  await page.context().clearCookies();
  await page.goto("/terms");
  await page.goto("/notifications");
  await expect(page).toHaveURL(/\/auth\?/);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("campus-demo");
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(/\/notifications$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/terms$/);
});

test("Back after a logout leads past the screens that need a login", { tag: "@phone" }, async ({ page }) => {
  await joinCampus(page);
  await page.goto("/terms");
  await page.getByRole("link", { name: "Home" }).first().click();
  await expect(page).toHaveURL(/\/home$/);
  await page.getByRole("link", { name: "Cart" }).first().click();
  await expect(page).toHaveURL(/\/cart$/);
  await page.getByRole("link", { name: "Account" }).first().click();
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/auth\?to=%2Fcart$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/auth\?to=%2Fhome$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/terms$/);
});

test("Back from a login that a link has led to leads to the link", { tag: "@phone" }, async ({ page }) => {
  await page.goto("/terms");
  await page.goto("/support");
  await page.getByRole("link", { name: "My Orders" }).click();
  await expect(page).toHaveURL(/\/auth\?to=/);
  await page.goBack();
  await expect(page).toHaveURL(/\/support$/);
});

test(
  "a section of the settings on a phone is announced, and begins where the focus is",
  { tag: "@phone" },
  async ({ page }) => {
    await joinCampus(page);
    await page.goto("/profile?tab=settings");
    await page.getByRole("link", { name: "Password" }).click();
    await expect(page).toHaveTitle(/Password in your settings/);
    await expectAnnounced(page, "Password in your settings");
    await expect(page.locator("#content")).toBeFocused();
  },
);

test("a list that is filtered or searched anew says what it shows", { tag: "@desktop" }, async ({ page }) => {
  await joinCampus(page);
  await page.goto("/studentmarketplace");
  await page.getByRole("checkbox", { name: "New", exact: true }).check();
  await expect(page).toHaveURL(/condition=/);
  const said = page.getByRole("status").filter({ hasText: /products? shown|No products/ });
  await expect(said).toHaveCount(1);
  const before = await said.textContent();
  await page.getByRole("searchbox").fill("kettle");
  await page.keyboard.press("Enter");
  // The same words are another text, so that they are said again.
  await expect.poll(() => said.textContent()).not.toBe(before);
});

test("what has the focus and is removed leaves it to what follows", { tag: "@phone" }, async ({ page, openWindow }) => {
  const seller = await openWindow();
  await joinAsSeller(seller);
  const names = ["Desk fan", "Iron box", "Hot plate"];
  const products = [];
  for (const name of names) products.push(await listProduct(seller, name));
  await joinCampus(page);
  for (const id of products) {
    await page.goto(`/product/${id}`);
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await expect(page.getByRole("button", { name: /Cart/ }).first()).toBeVisible();
  }
  await page.goto("/cart");
  const items = page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ has: page.getByRole("spinbutton") });
  await expect(items).toHaveCount(3);
  const second = await items.nth(1).getByRole("link").first().textContent();
  await items
    .first()
    .getByRole("button", { name: /^Remove/ })
    .focus();
  await page.keyboard.press("Enter");
  await expect(items).toHaveCount(2);
  await expect(items.first()).toContainText(second ?? "");
  await expect(items.first()).toBeFocused();
});

test(
  "at 400 % a conversation can be read, and the ways to other screens are there",
  { tag: "@phone" },
  async ({ page }) => {
    await signIn(page, "seller@campus.test");
    await page.setViewportSize({ width: 320, height: 256 });
    await page.goto("/profile?tab=messages");
    await page.getByRole("navigation", { name: "Conversations" }).getByRole("link").first().click();
    const log = await page.getByRole("log").boundingBox();
    expect(log?.height).toBeGreaterThan(140);
    const account = page.getByRole("link", { name: "Account" });
    await account.scrollIntoViewIfNeeded();
    await expect(account).toBeInViewport();
    // A keyboard leaves the room to what somebody writes.
    await page.getByRole("textbox", { name: /^Message / }).focus();
    await expect(account).toBeHidden();
  },
);
