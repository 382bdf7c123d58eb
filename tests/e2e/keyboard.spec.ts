/** Sign-up, listing and purchase without a mouse. Every key goes to the focused element, which is always visible. */
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "#tests/support/browser.ts";
import { freshPhone } from "#tests/support/fresh-phone.ts";
import { linkMailedTo } from "#tests/support/mailbox.ts";
import { newWord } from "#tests/support/new-word.ts";

test.use({ termsSeen: false, tourDone: false });

/** The most presses of Tab that it may take to get from one element to the next. */
const FAR = 80;

const hasFocus = (element: Element) => element === document.activeElement;

/** Whether it is before the focused element, so that Shift+Tab is shorter. */
const isBehind = (element: Element) =>
  (document.activeElement?.compareDocumentPosition(element) ?? 0) === Node.DOCUMENT_POSITION_PRECEDING;

/** Moves the focus there with Tab or Shift+Tab. The focus must always be on something visible. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  const key = (await target.evaluate(isBehind)) ? "Shift+Tab" : "Tab";
  for (let presses = 0; presses < FAR && !(await target.evaluate(hasFocus)); presses += 1) {
    await page.keyboard.press(key);
    const lost = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!focused || focused === document.body) return null;
      const { width, height, bottom, top } = focused.getBoundingClientRect();
      const hidden = width * height === 0 || bottom <= 0 || top >= innerHeight;
      // A file field is drawn by its label.
      return hidden && !(focused instanceof HTMLInputElement && ["file", "radio", "checkbox"].includes(focused.type))
        ? focused.outerHTML.slice(0, 200)
        : null;
    });
    expect(lost, "what has the focus cannot be seen").toBeNull();
  }
  await expect(target).toBeFocused();
}

async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(text);
}

async function press(page: Page, target: Locator, key: "Enter" | "Space" = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

test(
  "a keyboard user signs up, lists a product, and buys and pays for another one",
  { tag: "@desktop" },
  async ({ page }) => {
    const email = `keyboard-${crypto.randomUUID()}@campus.test`;
    const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name });

    await test.step("signing up", async () => {
      await page.goto("/auth");
      await press(page, page.getByRole("link", { name: "Sign Up" }));
      await expect(page).toHaveURL(/\/auth\/signup/);
      // Errors appear, and the focus moves to the first of them.
      await press(page, page.getByRole("button", { name: "Create Account" }));
      await expect(page.getByLabel("Full name")).toBeFocused();
      await page.keyboard.type("Atieno Wafula");
      await type(page, page.getByLabel("Email"), email);
      await type(page, page.getByLabel("Password", { exact: true }), "kilimani-7");
      await type(page, page.getByLabel("Phone"), "0722 000 020");
      await type(page, page.getByLabel("Campus location"), "Main Campus");
      await press(page, page.getByRole("button", { name: "Create Account" }));
      await expect(heading("Check Your Email")).toBeVisible();
      await page.goto(await linkMailedTo(page, email, { path: "/auth/callback" }));
      await expect(page).toHaveURL(/\/home$/);
    });

    await test.step("the guided tour can be skipped", async () => {
      const welcome = page.getByRole("dialog", { name: "Welcome!" });
      await expect(welcome).toBeVisible();
      await press(page, welcome.getByRole("button", { name: "Skip Tutorial" }));
      await expect(welcome).toBeHidden();
    });

    await test.step("listing something", async () => {
      await page.goto("/add-product");
      await press(page, page.getByRole("button", { name: "Add Product" }));
      await expect(page.getByLabel("Product name")).toBeFocused();
      const name = `Desk lamp ${newWord()}`;
      await page.keyboard.type(name);
      await type(page, page.getByLabel("Price", { exact: true }), "850");
      await tabTo(page, page.getByRole("combobox", { name: "Category" }));
      await page.keyboard.type("Station");
      await tabTo(page, page.getByRole("radio", { name: /^New/ }));
      await page.keyboard.press("ArrowRight");
      await expect(page.getByRole("radio").nth(1)).toBeChecked();
      await type(page, page.getByLabel("Description"), "Bends every way, and shines.");
      await press(page, page.getByRole("button", { name: "Add Product" }));
      await expect(heading(name)).toBeVisible();
    });

    await test.step("finding a product and adding it to the cart", async () => {
      await press(page, page.getByRole("banner").getByRole("link", { name: "Student Marketplace", exact: true }));
      await expect(page).toHaveURL(/\/studentmarketplace/);
      await type(page, page.getByLabel("Search products"), "socks");
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL(/\/search\?q=socks/);
      // A new product, because a used one exists once and another test may be buying it.
      const found = page
        .locator("main article")
        .filter({ hasText: /New \S+ Campus/ })
        .locator('a[href^="/product/"]')
        .first();
      await press(page, found);
      await expect(page).toHaveURL(/\/product\//);
      await press(page, page.getByRole("button", { name: "Add to Cart" }));
      await expect(page.getByText(/added to cart/).first()).toBeVisible();
      await press(page, page.getByRole("banner").getByRole("link", { name: /^Cart/ }));
      await expect(page).toHaveURL("/cart");
      await press(page, page.getByRole("button", { name: "Proceed to Checkout" }));
      await expect(heading("Complete Your Payment")).toBeVisible();
    });

    await test.step("paying", async () => {
      const pay = page.getByRole("button", { name: /^Pay KES/ });
      const pickup = page.getByRole("checkbox", { name: /agree on a pickup/ });
      await press(page, pickup, "Space");
      await press(page, pay);
      await expect(page.getByText("Please confirm pickup arrangements")).toBeVisible();
      await press(page, pickup, "Space");
      await expect(pickup).toBeChecked();
      await type(page, page.getByLabel(/phone/i), freshPhone());
      await press(page, pay);
      await expect(heading("Order Confirmed!")).toBeVisible();
      await expect(page.getByText(/^[A-Z0-9]{10}$/).first()).toBeVisible();
    });
  },
);
