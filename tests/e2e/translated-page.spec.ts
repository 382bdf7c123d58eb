/**
 * Every screen works while the browser translates it: Chrome then puts elements of its own in the place of all texts.
 */
import type { Page } from "@playwright/test";
import { expect, test } from "#tests/support/browser.ts";
import { freshPhone } from "#tests/support/fresh-phone.ts";
import { newWord } from "#tests/support/new-word.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct } from "#tests/support/requests.ts";
import { joinAsSeller } from "#tests/support/sales.ts";
import { translatePages } from "#tests/support/translator.ts";

/** The page is translated, and shows no error instead of a screen. */
async function expectTranslated(page: Page, heading: string | RegExp): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: heading })).toHaveText(/~$/);
}

test("a seller adds a category and lists a product @desktop", async ({ page }) => {
  await joinAsSeller(page);
  await translatePages(page);
  await page.goto("/add-product");
  await expectTranslated(page, /./);
  const name = `Kettle ${newWord()}`;
  const category = `Tea ${newWord()}`;
  await page.getByRole("button", { name: "New category" }).click();
  await page.getByRole("button", { name: "Add~", exact: true }).click();
  await expect(page.getByText("Category name is required~")).toBeVisible();
  await page.getByLabel("Name of the new category").fill(category);
  await page.getByRole("button", { name: "Add~", exact: true }).click();
  await expect(page.getByText("New category added~")).toBeVisible();
  await expect(page.getByLabel("Category")).toHaveValue(/^tea-/);
  await expect(page.getByRole("button", { name: "New category" })).toBeVisible();

  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByText("Product name is required~")).toBeVisible();
  await page.getByLabel("Product name").fill(name);
  await page.getByLabel("Price~", { exact: true }).fill("1200");
  await page.getByLabel("Description").fill("Boils in three minutes.");
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page).toHaveURL(/\/product\//);
  await expectTranslated(page, name);
});

test(
  "a student finds a product, saves it, buys it and pays, and goes back and forth",
  { tag: "@phone" },
  async ({ page: buyer, openWindow }) => {
    const seller = await openWindow();
    await joinAsSeller(seller);
    await joinCampus(buyer);
    const name = `Ruled paper ${newWord()}`;
    await listProduct(seller, name);
    await translatePages(buyer);

    await buyer.goto("/home");
    await buyer.locator('a[href="/studentmarketplace"]:visible').first().click();
    await expect(buyer).toHaveURL("/studentmarketplace");
    await expectTranslated(buyer, /./);
    await buyer.getByRole("main").getByRole("link", { name }).first().click();
    await expectTranslated(buyer, name);
    await buyer.goBack();
    await expect(buyer).toHaveURL("/studentmarketplace");
    await buyer.getByRole("main").getByRole("link", { name }).first().click();

    const heart = buyer.getByRole("button", { name: `Save ${name} to wishlist` });
    await heart.click();
    await expect(buyer.getByText(`${name} added to wishlist~`)).toBeVisible();
    await heart.click();
    await expect(heart).toHaveAttribute("aria-pressed", "false");
    await heart.click();
    await expect(heart).toHaveAttribute("aria-pressed", "true");
    await buyer.getByRole("button", { name: "Add to Cart" }).click();
    await expect(buyer.getByText(`${name} added to cart~`)).toBeVisible();

    await buyer.locator('a[href="/wishlist"]:visible').first().click();
    await expectTranslated(buyer, "Wishlist");
    await expect(buyer.getByRole("main").getByRole("link", { name }).first()).toBeVisible();
    await buyer.locator('a[href="/cart"]:visible').first().click();
    await expectTranslated(buyer, "Cart");
    const quantity = buyer.getByRole("group", { name: `Quantity of ${name}` }).getByRole("spinbutton");
    await quantity.fill("2");
    await expect(buyer.getByText("KES 3,000").first()).toBeVisible();
    await buyer.getByRole("button", { name: "Proceed to Checkout" }).click();
    await expectTranslated(buyer, "Complete Your Payment");
    await buyer.getByLabel(/phone/i).fill(freshPhone());
    await buyer.getByRole("button", { name: /^Pay~ KES/ }).click();
    await expect(buyer).toHaveURL(/\/order-confirmation\//);
    await expectTranslated(buyer, "Order Confirmed!");

    // Nothing of this button changes but its text.
    await buyer.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copy = buyer.getByRole("button", { name: "Copy receipt number" });
    await expect(copy).toHaveText("Copy~");
    await copy.click();
    await expect(buyer.getByRole("button", { name: "Copied!" })).toHaveText("Copied!~");
    await expect(copy).toHaveText("Copy~");
  },
);

test.describe("before the page's scripts run", () => {
  // React says that it has rendered such a page again.
  test.use({ tolerated: /Minified React error #418/ });

  /** Holds the page's scripts back until the server's page is there. */
  const delayScripts = (page: Page) =>
    page.route("**/assets/*.js", async (route) => {
      await page.waitForLoadState("domcontentloaded");
      await route.continue();
    });

  test("an extension may change words, attributes and the page's elements @phone", async ({ page }) => {
    await joinCampus(page);
    await page.addInitScript(() =>
      document.addEventListener("DOMContentLoaded", () => {
        const { body, documentElement } = document;
        for (const heading of document.querySelectorAll("h1, h2")) heading.textContent = "Changed";
        for (const element of [documentElement, body]) {
          element.dataset.extension = "on";
          element.appendChild(document.createElement("an-extension"));
        }
        body.insertBefore(document.createElement("div"), body.firstChild);
      }),
    );
    await delayScripts(page);
    await page.goto("/profile?tab=settings&section=details");
    await expect(page.getByRole("heading", { name: "Changed" })).toHaveCount(0);
    await page.getByLabel("Full name").fill("Njeri Kamau");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByText("Profile saved")).toBeVisible();
    await page.locator('a[href="/studentmarketplace"]:visible').first().click();
    await expect(page).toHaveURL("/studentmarketplace");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });
});
