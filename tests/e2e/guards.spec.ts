/** Forms of people whose session has ended, and of browsers without scripts. */
import { expect, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct } from "#tests/support/requests.ts";

test.use({ tolerated: /status of 40[0-9]/ });

test(
  "whoever's session ends while they fill in a form arrives on the form after the login",
  { tag: "@phone" },
  async ({ openAs, openWindow }) => {
    const seller = await openWindow();
    await joinCampus(seller);
    const path = `/report/listing/${await listProduct(seller, "Exam pad")}`;
    const page = await openAs("pro@campus.test");
    // A live connection that begins after the session has ended would leave the page at once.
    await page.context().routeWebSocket(/\/live$/, () => {});
    await page.goto(path);
    await page.getByRole("radio", { name: /^Scam/ }).check();
    await page.context().clearCookies({ name: "session" });
    await page.getByRole("button", { name: "Send Report" }).click();
    await expect(page).toHaveURL(/\/auth\?to=/);
    await page.getByLabel("Email").fill("pro@campus.test");
    await page.getByLabel("Password", { exact: true }).fill("campus-demo");
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole("heading", { name: "Report this listing" })).toBeVisible();
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
