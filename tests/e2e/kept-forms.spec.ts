/** What somebody has typed survives a session that ends meanwhile, and forms without scripts say what happened. */
import { expect, test } from "#tests/support/browser.ts";

test.use({ tolerated: /status of 40[0-9]/ });

test(
  "whoever's session ends while they fill in a form gets back what they typed; nobody else does",
  { tag: "@phone" },
  async ({ openAs }) => {
    const page = await openAs("pro@campus.test");
    const description = page.getByLabel("What should our team know?");
    const login = async (email: string) => {
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password", { exact: true }).fill("campus-demo");
      await page.getByRole("button", { name: "Login" }).click();
    };
    await page.goto("/studentmarketplace");
    await page.locator('a[href^="/product/"]').first().click();
    await page.getByRole("link", { name: "Report this listing" }).click();
    const type = async (text: string) => {
      await page.getByRole("radio", { name: /^Scam/ }).check();
      await description.fill(text);
      await page.context().clearCookies({ name: "session" });
      await page.getByRole("button", { name: "Send Report" }).click();
      await expect(page).toHaveURL(/\/auth\?to=/);
    };

    await type("They ask for money first.");
    await login("pro@campus.test");
    await expect(description).toHaveValue("They ask for money first.");
    await expect(page.getByRole("radio", { name: /^Scam/ })).toBeChecked();
    await expect(page.getByText("We kept what you typed. Check it and send it again.")).toBeVisible();

    await type("They answer to nobody.");
    await login("wholesaler@campus.test");
    await expect(page.getByRole("heading", { name: "Report this listing" })).toBeVisible();
    // The form would be filled in by then.
    await page.waitForTimeout(1_000);
    await expect(description).toHaveValue("");
  },
);

test(
  "without scripts, a form says what happened, and the browser goes to the first error",
  { tag: "@phone" },
  async ({ browser, openAs, contextOptions, baseURL }) => {
    const member = await openAs("pro@campus.test");
    const cookies = await member.context().cookies();
    const context = await browser.newContext({ ...contextOptions, javaScriptEnabled: false, baseURL });
    await context.addCookies(cookies);
    const page = await context.newPage();

    await page.goto("/studentmarketplace");
    await page
      .getByRole("button", { name: /^Save .* to wishlist$/ })
      .first()
      .click();
    await expect(page.getByText(/(added to|removed from) wishlist$/)).toBeVisible();

    await page.goto("/add-product");
    await page.getByRole("button", { name: "Add Product" }).click();
    await expect(page.getByText("Product name is required")).toBeInViewport();
    await expect(page.getByLabel("Product name")).toBeFocused();
    await context.close();
  },
);
