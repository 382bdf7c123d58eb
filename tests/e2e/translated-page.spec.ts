/** Every screen works while the browser translates it: Chrome then puts elements of its own in the place of all texts. */
import type { Page } from "@playwright/test";
import { expect, test } from "#tests/support/browser.ts";
import { freshPhone } from "#tests/support/fresh-phone.ts";
import { holdRequests } from "#tests/support/hold-requests.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct } from "#tests/support/requests.ts";
import { joinAsSeller } from "#tests/support/sales.ts";
import { translatePages } from "#tests/support/translator.ts";

test.beforeEach(async ({ page }) => {
  await page.addInitScript(
    () => location.origin !== "null" && localStorage.setItem("chuoni_tutorial_completed", "true"),
  );
});

/** The page is translated, and shows no error instead of a screen. */
async function expectTranslated(page: Page, heading: string | RegExp): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: heading })).toHaveText(/~$/);
}

test("settings are saved, and each button says what it does next", { tag: "@phone" }, async ({ page }) => {
  await joinCampus(page);
  await translatePages(page);
  await page.goto("/profile?tab=settings");
  const name = page.getByLabel("Full name");
  // What is typed before the form's script has come stays, too.
  for (const fullName of ["Njeri Kamau", "Njeri Wanjiru"]) {
    await name.fill(fullName);
    const { send: answer } = await holdRequests(page, "**/settings.data*");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByRole("button", { name: "Saving..." })).toHaveText("Saving...~");
    answer();
    await expect(page.getByRole("button", { name: "Save Changes" })).toHaveText("Save Changes~");
    await expect(page.getByText("Profile saved~").last()).toBeVisible();
    await expect(name).toHaveValue(fullName);
    await page.unroute("**/settings.data*");
  }
  await page.reload();
  await expect(name).toHaveValue("Njeri Wanjiru");
  // The campus that somebody chooses is stored, and must stay in our words.
  const options = page.locator("datalist option");
  const campuses = await options.evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value));
  expect(campuses).not.toEqual([]);
  expect(campuses.filter((campus) => campus.includes("~"))).toEqual([]);
  // So is the word that somebody types to delete their account.
  await expect(page.getByText("DELETE", { exact: true })).toHaveCount(1);
});

test("parts whose scripts the browser has already are taken over with what is typed in them @phone", async ({
  page,
}) => {
  await joinAsSeller(page);
  await translatePages(page);
  for (let visit = 1; visit <= 3; visit += 1) {
    await page.goto("/myshop?tab=orders");
    const search = page.getByRole("searchbox").last();
    await search.fill("Typed");
    await expectTranslated(page, /./);
    const isHydrated = () =>
      search.evaluate((input) => Object.keys(input).some((key) => key.startsWith("__reactProps")));
    await expect.poll(isHydrated).toBe(true);
    await expect(search).toHaveValue("Typed");
  }
});

test("the menu of the seller's own card is translated, also before its script has come @phone", async ({ page }) => {
  await joinAsSeller(page);
  const name = `Kettle ${crypto.randomUUID().slice(0, 8)}`;
  await listProduct(page, name);
  await translatePages(page);
  const { asked, send } = await holdRequests(page, /\/assets\/owner-controls-/);
  await page.goto(`/search?q=${encodeURIComponent(name)}`);
  await expectTranslated(page, /./);
  await expect.poll(() => asked).toHaveLength(1);
  send();
  await page.getByRole("button", { name: `Manage ${name}` }).click();
  await page.getByRole("button", { name: "Mark as Sold~" }).click();
  await expect(page.getByText("Marked as sold: nobody can buy it now~")).toBeVisible();
});

test("a seller adds a category and lists a product @desktop", async ({ page }) => {
  await joinAsSeller(page);
  await translatePages(page);
  await page.goto("/add-product");
  await expectTranslated(page, /./);
  const name = `Kettle ${crypto.randomUUID().slice(0, 8)}`;
  const category = `Tea ${crypto.randomUUID().slice(0, 6)}`;
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
    const name = `Ruled paper ${crypto.randomUUID().slice(0, 8)}`;
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
    const quantity = buyer.getByRole("spinbutton", { name: `Quantity of ${name}` });
    await quantity.fill("2");
    await expect(buyer.getByText("KES 3,000").first()).toBeVisible();
    await buyer.getByRole("button", { name: "Proceed to Checkout" }).click();
    await expectTranslated(buyer, "Complete Your Payment");
    await buyer.getByLabel(/phone/i).fill(freshPhone());
    await buyer.getByRole("button", { name: /^Pay KES/ }).click();
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

test("a message is written on a product's page and answered in the inbox @phone", async ({
  page: buyer,
  openWindow,
}) => {
  const seller = await openWindow();
  await joinAsSeller(seller);
  await joinCampus(buyer);
  const productId = await listProduct(seller, "Ruled paper");
  for (const page of [buyer, seller]) await translatePages(page);
  await buyer.goto(`/product/${productId}`);
  await buyer.getByRole("button", { name: "Message~", exact: true }).click();
  const dialog = buyer.getByRole("dialog", { name: /^Message / });
  await dialog.getByLabel("Your message").fill("Is it still there?");
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect(buyer.getByText("Message sent successfully!~")).toBeVisible();
  await expect(dialog).toBeHidden();

  await seller.goto("/profile?tab=messages");
  await seller
    .getByRole("link", { name: /Njeri Wambui/ })
    .first()
    .click();
  const thread = seller.getByRole("log", { name: /^Messages with/ });
  await expect(thread.getByText("Is it still there?~")).toBeVisible();
  await seller.getByRole("textbox", { name: /^Message / }).fill("Yes, it is.");
  await seller.getByRole("button", { name: "Send" }).click();
  await expect(thread.getByText("Yes, it is.~")).toBeVisible();
  await seller.goBack();
  await expect(thread).toHaveCount(0);
});

test.describe("before the page's scripts run", () => {
  // React says that it has rendered such a page again.
  test.use({ tolerated: /Minified React error #418/ });

  /** Holds the page's scripts back until the server's page is there. */
  const delayScripts = (page: Page) =>
    page.route("**/assets/*.js", async (route) => {
      await page.waitForLoadState("domcontentloaded");
      await route.continue();
    });

  test("a page may be translated @phone", async ({ page }) => {
    await joinCampus(page);
    await translatePages(page, { early: true });
    await delayScripts(page);
    await page.goto("/profile?tab=settings");
    await page.getByLabel("Full name").fill("Njeri Kamau");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByText("Profile saved~")).toBeVisible();
    await expect(page.getByLabel("Full name")).toHaveValue("Njeri Kamau");
    await page.locator('a[href="/studentmarketplace"]:visible').first().click();
    await expect(page).toHaveURL("/studentmarketplace");
    await expectTranslated(page, /./);
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
    await page.goto("/profile?tab=settings");
    await expect(page.getByRole("heading", { name: "Changed" })).toHaveCount(0);
    await page.getByLabel("Full name").fill("Njeri Kamau");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByText("Profile saved")).toBeVisible();
    await page.locator('a[href="/studentmarketplace"]:visible').first().click();
    await expect(page).toHaveURL("/studentmarketplace");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });
});
