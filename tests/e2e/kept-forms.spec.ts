/** What somebody has typed survives a session that ends meanwhile, and forms without scripts say what happened. */
import { expect, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct } from "#tests/support/requests.ts";

test.use({ tolerated: /status of 40[0-9]/ });

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
    const login = async (email: string, on = page) => {
      await on.getByLabel("Email").fill(email);
      await on.getByLabel("Password", { exact: true }).fill("campus-demo");
      await on.getByRole("button", { name: "Login" }).click();
      await on.waitForURL((url) => url.pathname !== "/auth");
    };
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
    await login("pro@campus.test");
    // First, because it goes away.
    await expect(page.getByText("We kept what you typed. Check it and send it again.")).toBeVisible();
    await expect(description).toHaveValue("They ask for money first.");
    await expect(page.getByRole("radio", { name: /^Scam/ })).toBeChecked();

    await type("They answer to nobody.");
    await login("wholesaler@campus.test");
    await expect(page.getByRole("heading", { name: "Report this listing" })).toBeVisible();
    await expect.poll(kept).toBeNull();
    await expect(description).toHaveValue("");

    // A page that only reloads its data, here because it is online again, leads to the login, too.
    await page.getByRole("radio", { name: /^Scam/ }).check();
    await description.fill("They came with a friend.");
    await page.context().clearCookies({ name: "session" });
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await expect(page).toHaveURL(/\/auth\?to=/);
    await login("wholesaler@campus.test");
    await expect(page.getByText("We kept what you typed. Check it and send it again.")).toBeVisible();
    await expect(description).toHaveValue("They came with a friend.");

    // The report of another listing is another form.
    await type("They sent me a stone.");
    await page.goto(`/auth?to=/report/listing/${another}`);
    await login("wholesaler@campus.test");
    await expect(page.getByRole("heading", { name: "Report this listing" })).toBeVisible();
    await expect.poll(kept).toBeNull();
    await expect(description).toHaveValue("");

    // Whoever logs out in one tab leaves nothing in another.
    await type("They want my PIN.");
    const other = await page.context().newPage();
    await other.goto("/auth");
    await login("pro@campus.test", other);
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
    let send = () => {};
    const held = new Promise<void>((resolve) => (send = resolve));
    await page.route(/\/assets\/.*\.js/, async (route) => {
      await held;
      await route.continue();
    });
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
