/** What people keep when a press gets no answer: the screen, what they chose on it, and a word that it wasn't done. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, runScheduledJobs, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { mailsTo } from "#tests/support/mailbox.ts";
import { listProduct, orderProduct, originOf, payOrder, post, salesOf } from "#tests/support/requests.ts";
import { joinAsSeller } from "#tests/support/sales.ts";

test.use({ tolerated: /status of 503/ });

/** Does `press` with a server that takes no form, and then with one that does. */
async function pressTwice(page: Page, press: () => Promise<void>, said: string): Promise<void> {
  await page.route(/\.data(\?|$)/, (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 503, body: "busy" }) : route.fallback(),
  );
  const { pathname } = new URL(page.url());
  const title = await page.getByRole("heading", { level: 1 }).textContent();
  await press();
  // Where they look, however far down they pressed.
  await expect(page.getByText(said).last()).toBeInViewport();
  await expect(page).toHaveURL(new RegExp(`${pathname}$`));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title ?? "");
  await expectAccessible(page);
  await page.unroute(/\.data(\?|$)/);
  await press();
}

test(
  "a list of notifications, a saved search and a device stay until the server has answered",
  { tag: "@phone" },
  async ({ page, openWindow }) => {
    const seller = await openWindow();
    await joinAsSeller(seller);
    const productId = await listProduct(seller, "Extension cable", { madeToOrder: "", stock: "1" });
    await joinCampus(page);

    await test.step("notifications", async () => {
      await post(seller, `/product/${productId}/manage`, { intent: "stock", seen: "1", stock: "0" });
      await post(page, `/product/${productId}/wait`, { wait: "yes" });
      await post(seller, `/product/${productId}/manage`, { intent: "stock", seen: "0", stock: "2" });
      // They are told after the seller's answer, or by the job.
      await runScheduledJobs(page);
      await page.goto("/notifications");
      const read = page.getByRole("button", { name: "Mark all as read" });
      await pressTwice(page, () => read.click(), "We couldn't mark them as read");
      await expect(read).toBeHidden();
      await expect(page.getByRole("main").getByRole("link", { name: /Extension cable/ })).toBeVisible();
    });

    await test.step("saved searches", async () => {
      await post(page, "/saved-searches/save", { search: "/search?q=kettle&max=2000" });
      await page.goto("/saved-searches");
      const daily = page.getByRole("button", { name: "Once a day" });
      await pressTwice(page, () => daily.click(), "We couldn't change this");
      await expect(daily).toHaveAttribute("aria-pressed", "true");
      const remove = page.getByRole("button", { name: /^Delete / });
      await pressTwice(page, () => remove.click(), "We couldn't change this");
      await expect(page.getByRole("heading", { name: "No Saved Searches" })).toBeVisible();
    });

    await test.step("settings, and what was chosen on them", async () => {
      const subscribed = await page.request.post("/api/push/subscriptions", {
        headers: { origin: originOf() },
        data: {
          endpoint: `https://push.sandbox.internal/${crypto.randomUUID()}`,
          keys: { p256dh: `B${"x".repeat(86)}`, auth: "y".repeat(22) },
        },
      });
      expect(subscribed.ok(), await subscribed.text()).toBe(true);
      await page.goto("/settings/notifications");
      const weekly = page.getByRole("group", { name: "Weekly summary" }).getByLabel("Email");
      await expect(weekly).not.toBeChecked();
      await weekly.check();
      await pressTwice(
        page,
        () => page.getByRole("button", { name: "Save", exact: true }).click(),
        "We couldn't save this. Please try again.",
      );
      await expect(page.getByText("Saved", { exact: true })).toBeVisible();
      await page.reload();
      await expect(weekly).toBeChecked();
      const remove = page.getByRole("button", { name: /^Remove / });
      await pressTwice(page, () => remove.click(), "We couldn't save this. Please try again.");
      await expect(remove).toHaveCount(0);
    });
  },
);

test(
  "a sale stays on the screen when its listing can't be put back on sale",
  { tag: "@phone" },
  async ({ page, openWindow }) => {
    await joinAsSeller(page);
    const productId = await listProduct(page, "Desk fan", { madeToOrder: "", stock: "1" });
    const buyer = await openWindow();
    await joinCampus(buyer);
    await payOrder(buyer, await orderProduct(buyer, productId));
    let sale: string | undefined;
    await expect(async () => {
      [sale] = await salesOf(page);
      expect(sale).toBeDefined();
    }).toPass();
    await page.goto(sale ?? "");
    await page.getByText("Do you have another one?").click();
    const again = page.getByRole("button", { name: "Put back on sale" });
    await pressTwice(page, () => again.click(), "Failed to update product status");
    await expect(again).toBeHidden();
  },
);

test.describe("when an answer is lost", () => {
  test.use({ tolerated: /ERR_FAILED/ });

  test("a question to our team is sent once, and another one later", { tag: "@phone" }, async ({ page }) => {
    const { email } = await joinCampus(page);
    const words = `Where is my order? ${crypto.randomUUID()}`;
    const sent = async (text = words) => {
      const mails = await mailsTo(page, "support@chuoni.test");
      return mails.filter((mail) => mail.text.includes(text)).length;
    };
    await page.goto("/help/contact");
    await expect(page.getByText(`answers to ${email}`)).toBeVisible();
    await page.getByLabel("What do you need help with?").fill(words);
    await page.route(
      "**/help/contact.data*",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    const send = page.getByRole("button", { name: "Send", exact: true });
    await send.click();
    await expect(page.getByRole("alert")).toBeVisible();
    const refreshed = page.waitForResponse(/\/help\/contact\.data/);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await refreshed;
    await page.waitForLoadState("networkidle");
    await send.click();
    await expect(page).toHaveURL("/help");
    await expect.poll(() => sent()).toBe(1);
    await page.goto("/help/contact");
    await page.getByLabel("What do you need help with?").fill(`${words} And when?`);
    await send.click();
    await expect(page).toHaveURL("/help");
    // By then, a second mail with the first question would have come, too.
    await expect.poll(() => sent(`${words} And when?`)).toBe(1);
    expect(await sent()).toBe(2);
  });
});

const PARTS = /\/(listing-type|search\/count|search\/suggestions)/;

for (const [what, tolerated, lose] of [
  ["the connection is gone", /ERR_FAILED|Failed to fetch/, (page: Page) => page.route(PARTS, (route) => route.abort())],
  [
    "the session has ended",
    /ERR_FAILED|Failed to fetch|status of 401|WebSocket .* no valid credentials/,
    (page: Page) => page.context().clearCookies({ name: "session" }),
  ],
] as const)
  test.describe(`when ${what}`, () => {
    test.use({ tolerated });

    /** Waits until a part got no answer that it can use, and for what that may lead to. */
    async function loseOne(page: Page, press: () => Promise<void>): Promise<void> {
      const failed = page.waitForEvent("requestfailed", (request) => PARTS.test(new URL(request.url()).pathname));
      await Promise.all([failed, press()]);
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
    }

    test("a listing is written on", { tag: "@phone" }, async ({ page }) => {
      await joinAsSeller(page);
      await page.goto("/add-product");
      await lose(page);
      await loseOne(page, () => page.getByLabel("Product name").fill("Kettle"));
      await expect(page).toHaveURL("/add-product");
      await expect(page.getByLabel("Product name")).toHaveValue("Kettle");
    });

    test("filters and words are chosen on", { tag: "@phone" }, async ({ page }) => {
      await joinCampus(page);
      await page.goto("/studentmarketplace");
      await page.getByRole("button", { name: /^Filters/ }).click();
      await lose(page);
      await loseOne(page, () => page.getByRole("checkbox", { name: "Wholesale" }).check());
      await expect(page.getByRole("button", { name: "Show results" })).toBeVisible();
      await page.getByRole("button", { name: "Close" }).click();
      await loseOne(page, () => page.getByLabel("Search products").pressSequentially("kettle"));
      await expect(page).toHaveURL("/studentmarketplace");
      await expect(page.getByRole("main").getByRole("article").first()).toBeVisible();
    });
  });

test.describe("after the session has ended", () => {
  test.use({ tolerated: /status of 401|WebSocket .* no valid credentials/ });

  test("a file leads, by the login, to the page that it is on", { tag: "@phone" }, async ({ page }) => {
    const { email } = await joinAsSeller(page);
    await page.goto("/myshop/statement");
    await page.context().clearCookies({ name: "session" });
    await page.getByRole("link", { name: /CSV/ }).click();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill("campus-demo");
    await page.getByRole("button", { name: "Login", exact: true }).click();
    await expect(page).toHaveURL("/myshop/statement");
    await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();
  });
});
