/** The filters of the feed and of a search, and the switch to the own campus. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, signIn, test } from "#tests/support/browser.ts";

/** At Main Campus. */
const BUYER = "buyer@campus.test";

function cards(page: Page) {
  return page.getByRole("main").getByRole("article");
}

function chip(page: Page, name: string) {
  return page.getByRole("link", { name, exact: true });
}

async function openFilters(page: Page) {
  await page.getByRole("button", { name: /^Filters/ }).click();
  const sheet = page.getByRole("dialog", { name: "Filters" });
  await expect(sheet).toBeVisible();
  return sheet;
}

test.beforeEach(({ page }) => signIn(page, BUYER));

test("from home to a used calculator under 2,000 on the own campus in five taps", async ({ page }) => {
  await page.goto("/home");
  await page.getByRole("link", { name: "Start Shopping" }).click();
  await expect(page).toHaveURL("/studentmarketplace");
  await page.getByLabel("Search products").click();
  await page.keyboard.type("used calculator under 2000");
  await page.keyboard.press("Enter");
  await expect(chip(page, "Remove Used")).toBeVisible();
  await expect(chip(page, "Remove Up to KES 2,000")).toBeVisible();
  await chip(page, "My campus").click();
  await expect(page).toHaveURL(/\/search\?q=calculator&max=2000&.*campus=Main\+Campus/);
  await expect(cards(page).first()).toContainText(/calculator/i);
  // The address may be there before its list.
  await expect(cards(page).filter({ hasNotText: "Main Campus" })).toHaveCount(0);
  await expect(cards(page).first()).toContainText("Main Campus");
  await expectAccessible(page);
  await cards(page).first().getByRole("link").first().click();
  await expect(page).toHaveURL(/\/product\//);
});

test("a chip takes off what the words said, and keeps the words", { tag: "@phone" }, async ({ page }) => {
  await page.goto("/search?q=calculator%20under%202000");
  await chip(page, "Remove Up to KES 2,000").click();
  await expect(page).toHaveURL("/search?q=calculator");
  await expect(chip(page, "Remove Up to KES 2,000")).toHaveCount(0);
  await expect(page.getByLabel("Search products")).toHaveValue("calculator");
  await page.goBack();
  await expect(chip(page, "Remove Up to KES 2,000")).toBeVisible();
});

test("the sheet counts before it is applied, and Back undoes it", { tag: "@phone" }, async ({ page }) => {
  await page.goto("/search?q=calculator");
  const sheet = await openFilters(page);
  await sheet.getByLabel("To", { exact: true }).fill("1,500");
  await sheet.getByRole("checkbox", { name: "Used - Good" }).check();
  const button = sheet.getByRole("button", { name: /^Show \d+ results?$/ });
  await expect(button).toBeVisible();
  const count = Number(/\d+/.exec((await button.textContent()) ?? "")?.[0]);
  await expectAccessible(page);
  await button.click();
  await expect(page).toHaveURL("/search?q=calculator&max=1500&condition=good");
  await expect(cards(page)).toHaveCount(count);
  await expect(page.getByRole("button", { name: "Filters (2)" })).toBeVisible();

  const again = await openFilters(page);
  await expect(again.getByLabel("To", { exact: true })).toHaveValue("1500");
  await expect(again.getByRole("checkbox", { name: "Used - Good" })).toBeChecked();
  await page.goBack();
  await expect(again).toHaveCount(0);
  await expect(page).toHaveURL("/search?q=calculator&max=1500&condition=good");
  await page.goBack();
  await expect(page).toHaveURL("/search?q=calculator");
  await expect(page.getByRole("button", { name: "Filters", exact: true })).toBeVisible();
});

test("laptops are filtered by what they have", { tag: "@phone" }, async ({ page }) => {
  await page.goto("/search?q=laptop");
  const sheet = await openFilters(page);
  const eight = sheet.getByRole("checkbox", { name: "8 GB", exact: true });
  await expect(eight).toBeHidden();
  await sheet.getByText("Memory", { exact: true }).click();
  await eight.check();
  await sheet.getByText("Brand", { exact: true }).click();
  await sheet.getByRole("checkbox", { name: "HP", exact: true }).check();
  await expectAccessible(page, ["light", "dark"]);
  await sheet.getByRole("button", { name: /^Show \d+ results?$/ }).click();
  await expect(page).toHaveURL("/search?q=laptop&brand=hp&memory=8");
  await expect(cards(page).filter({ hasNotText: /HP.*8 ?GB/i })).toHaveCount(0);
  expect(await cards(page).count()).toBeGreaterThan(0);
  const again = await openFilters(page);
  await expect(again.getByRole("checkbox", { name: "8 GB", exact: true })).toBeChecked();
  await page.goBack();
  await chip(page, "Remove HP").click();
  await expect(page).toHaveURL("/search?q=laptop&memory=8");
});

test("a price that nobody can read is refused at its field, and loses nothing", { tag: "@phone" }, async ({ page }) => {
  await page.goto("/studentmarketplace");
  const sheet = await openFilters(page);
  await sheet.getByRole("checkbox", { name: "New", exact: true }).check();
  await sheet.getByLabel("From", { exact: true }).fill("25.000");
  await sheet.getByRole("button", { name: /^Show/ }).click();
  await expect(sheet.getByText("'25.000' could mean 25 or 25,000. Write 25 or 25000.")).toBeVisible();
  await expect(sheet.getByLabel("From", { exact: true })).toBeFocused();
  await expect(sheet.getByRole("checkbox", { name: "New", exact: true })).toBeChecked();
  await expectAccessible(page);
});

test("beside the list they apply by themselves, in the feed and in a search", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("/studentmarketplace");
  const rail = page.getByRole("form", { name: "Filters" });
  await expect(page.getByRole("button", { name: /^Filters/ })).toBeHidden();
  await expect(rail.getByRole("checkbox", { name: "Main Campus" })).toBeChecked();
  // The feed begins with the own campus, and shows all to who takes it off.
  await rail.getByRole("checkbox", { name: "Main Campus" }).uncheck();
  await expect(page).toHaveURL("/studentmarketplace?campus=all");
  await expect(rail.getByRole("checkbox", { name: "Main Campus" })).not.toBeChecked();
  await rail.getByRole("checkbox", { name: "Used - Fair" }).check();
  await expect(page).toHaveURL("/studentmarketplace?condition=fair");
  await expect(cards(page).filter({ hasNotText: "Used - Fair" })).toHaveCount(0);
  await page.goBack();
  await expect(rail.getByRole("checkbox", { name: "Used - Fair" })).not.toBeChecked();
  await expectAccessible(page);

  await page.goto("/search?q=calculator");
  await rail.getByLabel("To", { exact: true }).fill("1500");
  await expect(page).toHaveURL("/search?q=calculator&max=1500");
  await rail.getByRole("link", { name: "Clear all" }).click();
  await expect(page).toHaveURL("/search?q=calculator");
  await expect(rail.getByLabel("To", { exact: true })).toHaveValue("");
});

test("the sheet works with the keyboard alone", { tag: "@desktop" }, async ({ page }) => {
  // Wider screens have the filters beside the list.
  await page.setViewportSize({ width: 1000, height: 800 });
  await page.goto("/studentmarketplace");
  const opener = page.getByRole("button", { name: /^Filters/ });
  await opener.focus();
  await page.keyboard.press("Enter");
  const sheet = page.getByRole("dialog", { name: "Filters" });
  await expect(sheet.getByLabel("Sort by")).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("3k");
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await expect(opener).toBeFocused();
  await page.keyboard.press("Space");
  await sheet.getByLabel("To", { exact: true }).focus();
  await page.keyboard.type("3k");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/studentmarketplace?max=3000&campus=Main+Campus");
});

test("the feed begins with the own campus, and the way to all is remembered", { tag: "@phone" }, async ({ page }) => {
  await page.goto("/studentmarketplace");
  await expect(chip(page, "My campus")).toHaveAttribute("aria-current", "true");
  for (const text of await cards(page).allTextContents()) expect(text).toContain("Main Campus");
  await chip(page, "My campus").click();
  await expect(chip(page, "My campus")).not.toHaveAttribute("aria-current");
  await page.goto("/studentmarketplace");
  await expect(chip(page, "My campus")).not.toHaveAttribute("aria-current");
  await chip(page, "My campus").click();
  await expect(chip(page, "My campus")).toHaveAttribute("aria-current", "true");
  await page.goto("/studentmarketplace");
  await expect(chip(page, "My campus")).toHaveAttribute("aria-current", "true");
});

test("a search that nothing fits says what its results are instead", { tag: "@phone" }, async ({ page }) => {
  await page.goto("/search?q=xylophone");
  await expect(page.getByText("Nothing fits your words. These are the newest listings.")).toBeVisible();
});
