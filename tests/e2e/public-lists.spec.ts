/** The public pages of shops, categories and campuses, as a visitor without an account sees them. */
import { publicCampusPath, publicCategoryPath } from "#app/public-links.ts";
import { expect, expectAccessible, test } from "#tests/support/browser.ts";

// Addresses that don't exist are part of the test.
test.use({ tolerated: /status of 404/ });

test(
  "a visitor goes from a category to a product, its shop and a campus, and is never asked to log in",
  { tag: "@phone" },
  async ({ page }) => {
    await page.goto(publicCategoryPath("electronics"));
    await expect(page.getByRole("heading", { level: 1, name: "Electronics" })).toBeVisible();
    await expectAccessible(page, ["light", "dark"]);
    const cards = page.getByRole("list", { name: "Electronics" }).getByRole("link");
    expect(await cards.count()).toBeGreaterThan(3);
    expect(await cards.count()).toBeLessThanOrEqual(24);
    await cards.first().click();
    await expect(page).toHaveURL(/\/p\/[0-9a-z]{10}\//);

    const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? "");
    expect(data["@graph"]).toMatchObject([
      { "@type": "Product", offers: { priceCurrency: "KES", url: page.url(), seller: { "@type": "Organization" } } },
      { "@type": "BreadcrumbList" },
    ]);

    await page.getByRole("link", { name: "View Shop" }).click();
    await expect(page).toHaveURL(/\/s\/[0-9a-z]{10}\//);
    await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText(/ Campus/);
    await expectAccessible(page, ["light", "dark"]);
    await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", page.url());
    expect(await page.content()).not.toMatch(/@campus\.test|(?<![\da-f])(?:\+?254|0)7\d{8}(?![\da-f])/);

    await page.goto(publicCampusPath("Main Campus"));
    await expect(page.getByRole("heading", { level: 1, name: "For sale at Main Campus" })).toBeVisible();
    await expectAccessible(page, ["light", "dark"]);
    await page.getByRole("navigation", { name: "More campuses" }).getByRole("link", { name: "City Campus" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "For sale at City Campus" })).toBeVisible();
    // Every picture that the page shows could be loaded.
    await expect(page.locator("main img").first()).toHaveJSProperty("complete", true);
  },
);

test("a visitor sees what is new, searches without an account, and joins", { tag: "@phone" }, async ({ page }) => {
  await page.goto("/auth");
  await page.getByRole("link", { name: "See what's new" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Buy and sell on your campus" })).toBeVisible();
  const newAtMain = page.getByRole("list", { name: "New at Main Campus" }).getByRole("link");
  await expect(newAtMain).toHaveCount(4);
  await expect(page.getByRole("heading", { name: "How paying is protected" })).toBeVisible();

  await page.getByRole("searchbox", { name: "Search products" }).fill("calculator");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL("/campus/search?q=calculator");
  const results = page.getByRole("list", { name: "Results for “calculator”" }).getByRole("link");
  await expect(results.first()).toContainText(/calculator|casio/i);
  await results.first().click();
  await expect(page).toHaveURL(/\/p\/[0-9a-z]{10}\//);

  // The logo leads back.
  await page
    .getByRole("banner")
    .getByRole("link", { name: /Chuoni/ })
    .click();
  await page.getByRole("link", { name: "Join your campus" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Create an Account" })).toBeVisible();
  await page.goto("/auth");
  await page
    .getByRole("banner")
    .getByRole("link", { name: /Chuoni/ })
    .click();
  await expect(page).toHaveURL("/campus");
});
