/** What somebody has typed survives a session that ends meanwhile, and forms without scripts say what happened. */
import type { Page } from "@playwright/test";
import { expect, test } from "#tests/support/browser.ts";
import { holdRequests } from "#tests/support/hold-requests.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct } from "#tests/support/requests.ts";

test.use({ tolerated: /status of 40[0-9]/ });

async function login(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("campus-demo");
  await page.getByRole("button", { name: "Login" }).click();
  await page.waitForURL((url) => url.pathname !== "/auth");
}

test(
  "whoever's session ends while they fill in a form gets back what they typed; nobody else does",
  { tag: "@phone" },
  async ({ openAs, openWindow }) => {
    const seller = await openWindow();
    await joinCampus(seller);
    const listing = await listProduct(seller, "Exam pad");
    const another = await listProduct(seller, "Graph pad");
    const page = await openAs("pro@campus.test");
    const description = page.getByLabel("What should our team know?");
    const kept = () => page.evaluate(() => sessionStorage.getItem("kept-form"));
    // On a slow machine, the live connection may begin after the session has ended. The page would then be left at once.
    await page.context().routeWebSocket(/\/live$/, () => {});
    await page.goto(`/product/${listing}`);
    await page.getByRole("link", { name: "Report this listing" }).click();
    const type = async (text: string) => {
      await page.getByRole("radio", { name: /^Scam/ }).check();
      await description.fill(text);
      await page.context().clearCookies({ name: "session" });
      await page.getByRole("button", { name: "Send Report" }).click();
      await expect(page).toHaveURL(/\/auth\?to=/);
      expect(await kept()).toContain(text);
    };

    await type("They ask for money first.");
    await login(page, "pro@campus.test");
    // First, because it goes away.
    await expect(page.getByText("We kept what you typed. Check it and send it again.")).toBeVisible();
    await expect(description).toHaveValue("They ask for money first.");
    await expect(page.getByRole("radio", { name: /^Scam/ })).toBeChecked();

    await type("They answer to nobody.");
    await login(page, "wholesaler@campus.test");
    await expect(page.getByRole("heading", { name: "Report this listing" })).toBeVisible();
    await expect.poll(kept).toBeNull();
    await expect(description).toHaveValue("");

    // A page that only reloads its data, here because it is online again, leads to the login, too.
    await page.getByRole("radio", { name: /^Scam/ }).check();
    await description.fill("They came with a friend.");
    await page.context().clearCookies({ name: "session" });
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await expect(page).toHaveURL(/\/auth\?to=/);
    await login(page, "wholesaler@campus.test");
    await expect(page.getByText("We kept what you typed. Check it and send it again.")).toBeVisible();
    await expect(description).toHaveValue("They came with a friend.");

    // The report of another listing is another form.
    await type("They sent me a stone.");
    await page.goto(`/auth?to=/report/listing/${another}`);
    await login(page, "wholesaler@campus.test");
    await expect(page.getByRole("heading", { name: "Report this listing" })).toBeVisible();
    await expect.poll(kept).toBeNull();
    await expect(description).toHaveValue("");

    // Whoever logs out in one tab leaves nothing in another.
    await type("They want my PIN.");
    const other = await page.context().newPage();
    await other.goto("/auth");
    await login(other, "pro@campus.test");
    await other.goto("/logout");
    await other.getByRole("button", { name: "Log out" }).click();
    await expect(other).toHaveURL(/\/auth$/);
    await expect.poll(kept).toBeNull();
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

test(
  "an offer that is typed before the page's scripts have come stays, and a quick choice replaces its price",
  { tag: "@phone" },
  async ({ page, openAs }) => {
    const productId = await listProduct(await openAs("seller@campus.test"), "Kettle", { takesOffers: "on" });
    await joinCampus(page);
    const { send } = await holdRequests(page, /\/assets\/.*\.js/);
    const opened = page.goto(`/product/${productId}/offer`);
    const amount = page.getByLabel("Your price");
    await amount.fill("900");
    await page.getByLabel("Message to the seller").fill("I can come today.");
    send();
    await opened;
    await page.waitForLoadState("networkidle");
    await expect(amount).toHaveValue("900");
    await page.getByRole("button", { name: /^10% off/ }).click();
    await expect(amount).toHaveValue("1350");
    await expect(page.getByLabel("Message to the seller")).toHaveValue("I can come today.");
    await page.getByRole("button", { name: "Send Offer" }).click();
    await expect(page.getByText("KES 1,350").first()).toBeVisible();
  },
);

test(
  "a message that is sent after the session ended waits in its conversation, for the same person alone, until a logout",
  { tag: "@phone" },
  async ({ openAs, openWindow }) => {
    const seller = await openWindow();
    await joinCampus(seller);
    const listing = await listProduct(seller, "Exam pad");
    const page = await openAs("pro@campus.test");
    const kept = () => page.evaluate(() => sessionStorage.getItem("kept-messages"));
    const dialog = page.getByRole("dialog");
    const unsent = dialog.getByRole("listitem");
    const open = async () => {
      await expect(page.getByRole("heading", { name: "Exam pad" })).toBeVisible();
      await page.getByRole("button", { name: "Message", exact: true }).click();
      await expect(dialog.getByLabel("Your message")).toBeVisible();
    };
    // On a slow machine, the live connection may begin after the session has ended. The page would then be left at once.
    await page.context().routeWebSocket(/\/live$/, () => {});
    const send = async (text: string) => {
      await dialog.getByLabel("Your message").fill(text);
      await page.context().clearCookies({ name: "session" });
      await dialog.getByRole("button", { name: "Send" }).click();
      await expect(unsent.filter({ hasText: text })).toContainText("You must be logged in to send messages");
      await expect.poll(kept).toContain(text);
    };
    await page.goto(`/product/${listing}`);
    await open();
    await send("Is it ruled?");
    await page.reload();
    await expect(page).toHaveURL(/\/auth\?to=/);
    await login(page, "pro@campus.test");
    await open();
    await expect(unsent.filter({ hasText: "Is it ruled?" })).toContainText("Failed to send message");
    await unsent.getByRole("button", { name: "Try Again" }).click();
    await expect(unsent).toHaveCount(0);
    await expect.poll(kept).toBeNull();

    // Somebody else who logs in finds nothing.
    await send("Could you come to the gate?");
    await page.goto(`/auth?to=/product/${listing}`);
    await login(page, "wholesaler@campus.test");
    await open();
    await expect.poll(kept).toBeNull();
    await expect(unsent).toHaveCount(0);

    // Nor does the same person after a logout in another tab.
    await send("I can pay today.");
    await page.goto(`/auth?to=/product/${listing}`);
    const other = await page.context().newPage();
    await other.goto("/auth");
    await login(other, "wholesaler@campus.test");
    expect(await kept()).toContain("I can pay today.");
    await other.goto("/logout");
    await other.getByRole("button", { name: "Log out" }).click();
    await expect(other).toHaveURL(/\/auth$/);
    await expect.poll(kept).toBeNull();
  },
);

test(
  "what is typed and chosen in a report or an offer survives Back and a reload, until it is sent",
  { tag: "@phone" },
  async ({ page, openWindow }) => {
    const seller = await openWindow();
    await joinCampus(seller);
    const productId = await listProduct(seller, "Kettle", { takesOffers: "on" });
    await joinCampus(page);
    const scam = page.getByRole("radio", { name: /^Scam/ });
    const price = page.getByLabel("Your price");
    for (const { path, label, begin, isThere, send } of [
      {
        path: `/report/listing/${productId}`,
        label: "What should our team know?",
        begin: () => scam.check(),
        isThere: () => expect(scam).toBeChecked(),
        send: "Send Report",
      },
      {
        path: `/product/${productId}/offer`,
        label: "Message to the seller",
        begin: () => page.getByRole("button", { name: /^10% off/ }).click(),
        isThere: () => expect(price).toHaveValue("1350"),
        send: "Send Offer",
      },
    ]) {
      await page.goto(`/product/${productId}`);
      await page.locator(`a[href="${path}"]`).first().click();
      const text = page.getByLabel(label);
      await text.fill("I can come today.");
      await begin();
      await page.goBack();
      await expect(page).toHaveURL(/\/product\/[^/]+$/);
      await page.goForward();
      await expect(text).toHaveValue("I can come today.");
      await isThere();
      await page.reload();
      await expect(text).toHaveValue("I can come today.");
      await isThere();
      await page.getByRole("button", { name: send }).click();
      await expect(page).not.toHaveURL(new RegExp(`${path}$`));
      const drafts = () =>
        page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes("form-fields")));
      await expect.poll(drafts).toEqual([]);
    }
  },
);
