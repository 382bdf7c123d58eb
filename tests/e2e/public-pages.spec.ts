/** What somebody without an account does with a shared link, up to the checkout. */
import type { Page } from "@playwright/test";
import { publicProductPath } from "#app/public-links.ts";
import { expect, expectAccessible, expectAccessibleAtBothSizes, test } from "#tests/support/browser.ts";
import { linkMailedTo } from "#tests/support/mailbox.ts";
import { newWord } from "#tests/support/new-word.ts";
import { listProduct, post } from "#tests/support/requests.ts";

// Pages of what is gone answer with a status that the browser logs, and so do refused orders.
test.use({ tolerated: /status of (404|409|410)/ });
test.describe.configure({ timeout: 120_000 });

const PASSWORD = "kilimani-7";

interface Shared {
  id: string;
  name: string;
  path: string;
}

/** A new listing of the demo seller, for KES 1,500. */
async function share(seller: Page, change: Record<string, string> = {}): Promise<Shared> {
  const name = `Desk lamp ${newWord()}`;
  const id = await listProduct(seller, name, change);
  return { id, name, path: publicProductPath({ id, name }) };
}

/** From the login that a button has led to: signs up by email and opens the emailed link. */
async function signUp(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/auth\?to=/);
  await page.getByRole("link", { name: "Sign Up" }).click();
  const email = `shared-link-${crypto.randomUUID()}@campus.test`;
  await page.getByLabel("Full name").fill("Akinyi Odhiambo");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Campus location").fill("Main Campus");
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByRole("heading", { name: "Check Your Email" })).toBeVisible();
  await page.goto(await linkMailedTo(page, email));
}

test(
  "a visitor opens a shared link, presses Buy, signs up by email and arrives at the checkout",
  { tag: "@phone" },
  async ({ page, openAs }) => {
    const { id, name, path } = await share(await openAs("seller@campus.test"));
    await page.goto(path.replace(/[^/]*$/, "an-old-name"));
    await expect(page).toHaveURL(path);
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expect(page.getByText("KES 1,500").first()).toBeVisible();
    await expect(page.getByRole("link", { name: "Share on WhatsApp" })).toHaveAttribute(
      "href",
      new RegExp(`^https://wa\\.me/\\?text=.*${encodeURIComponent(path)}$`),
    );
    await expectAccessibleAtBothSizes(page);

    await page.getByRole("button", { name: "Buy on Chuoni" }).click();
    await expect(page.getByText("Log in or sign up to buy this item.")).toBeVisible();
    await expect(page.getByText("Please log in to continue")).toBeHidden();
    await signUp(page);
    await expect(page).toHaveURL(/\/checkout\/[0-9a-f-]{36}$/);
    await expect(page.getByRole("heading", { level: 1, name: "Complete Your Payment" })).toBeVisible();
    await expect(page.getByText(name).first()).toBeVisible();

    await test.step("going back and opening the link again order nothing more", async () => {
      await page.goBack();
      await expect(page).toHaveURL(`/product/${id}`);
      await expect(page.getByRole("button", { name: "Buy Now" })).toBeEnabled();
      await page.reload();
      await expect(page.getByRole("button", { name: "Buy Now" })).toBeEnabled();
      await page.goto(path);
      await expect(page).toHaveURL(`/product/${id}`);
      await page.goto("/profile?tab=orders");
      await expect(page.locator('a[href^="/orders/"], a[href^="/checkout/"]').first()).toBeVisible();
      const html = await page.content();
      expect(new Set(html.match(/\/(?:orders|checkout)\/[0-9a-f-]{36}/g)?.map((link) => link.slice(-36))).size).toBe(1);
    });
  },
);

// Each page is opened once, because it is cached for a moment.
test("what was sold says so, and what was removed shows other items", { tag: "@phone" }, async ({ page, openAs }) => {
  const seller = await openAs("seller@campus.test");
  const [sold, removed] = [await share(seller), await share(seller)];
  await post(seller, `/product/${sold.id}/manage`, { intent: "status", status: "sold" });
  await page.goto(sold.path);
  await expect(page.getByText("This item has been sold.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Buy on Chuoni" })).toBeHidden();
  await expectAccessible(page);

  await post(seller, `/product/${removed.id}/manage`, { intent: "delete" });
  await page.goto(removed.path);
  await expect(page.getByRole("heading", { level: 1, name: "This item is no longer here" })).toBeVisible();
  await expect(page.getByText(removed.name)).toBeHidden();
  await expect(page.getByRole("heading", { name: "Similar items" })).toBeVisible();
  await expectAccessible(page);

  await page.goto("/p/zzzzzzzzzz");
  await expect(page.getByRole("heading", { level: 1, name: "We can't find this item" })).toBeVisible();
  await page.getByRole("list", { name: "New on Chuoni" }).getByRole("link").first().click();
  await expect(page).toHaveURL(/\/p\/[0-9a-z]{10}\//);
});
