/** What somebody is told: the bell counts it while a page is open, and leads to its place. */
import type { Page } from "@playwright/test";
import { expect, expectAccessibleAtBothSizes, test } from "#tests/support/browser.ts";
import { holdRequests } from "#tests/support/hold-requests.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct, orderProduct, originOf, payOrder } from "#tests/support/requests.ts";

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    navigator.setAppBadge = async (count) => void (globalThis.iconBadge = count);
  });
});

declare global {
  // What the app put on its icon last.
  var iconBadge: number | undefined;
}

/** The number on the app's icon. Chromium without a window has none, so the page notes what it would get. */
function iconBadge(page: Page): Promise<number | undefined> {
  return page.evaluate(() => globalThis.iconBadge);
}

test(
  "the bell counts a sale while the seller looks at another page, and leads to the order",
  { tag: "@phone" },
  async ({ page: seller, openWindow }) => {
    test.setTimeout(120_000);
    const buyer = await openWindow();
    await joinCampus(buyer);
    await joinCampus(seller);
    const bell = seller.getByRole("banner").getByRole("link", { name: /^Notifications/ });
    await seller.goto("/wishlist");
    await expect(bell).toHaveAccessibleName("Notifications");

    const productId = await listProduct(seller, "Kettle");
    await payOrder(buyer, await orderProduct(buyer, productId));
    await expect(bell).toHaveAccessibleName("Notifications, 1 new", { timeout: 30_000 });
    await expect.poll(() => iconBadge(seller)).toBe(1);

    await test.step("the list says what happened, and the order is one press away", async () => {
      await bell.click();
      await expect(seller.getByRole("heading", { level: 1, name: "Notifications" })).toBeVisible();
      await expect(seller.getByRole("heading", { level: 2, name: "Today" })).toBeVisible();
      await expectAccessibleAtBothSizes(seller);
      await seller.getByRole("link", { name: /You made a sale/ }).click();
      await expect(seller).toHaveURL(/\/seller\/orders\//);
      await expect(bell).toHaveAccessibleName("Notifications");
      await expect.poll(() => iconBadge(seller)).toBe(0);
    });

    await test.step("it is read, and stays in the list", async () => {
      await bell.click();
      const entry = seller.getByRole("link", { name: /You made a sale/ });
      await expect(entry).toBeVisible();
      await expect(entry).not.toContainText("New");
    });

    await test.step("opening the thing itself counts as reading", async () => {
      await seller.goto("/wishlist");
      const sale = await seller.evaluate(async () => {
        const page = await fetch("/myshop?tab=orders");
        return /\/seller\/orders\/[0-9a-f-]{36}/.exec(await page.text())?.[0] ?? "";
      });
      await payOrder(buyer, await orderProduct(buyer, productId));
      await expect(bell).toHaveAccessibleName("Notifications, 1 new", { timeout: 30_000 });
      // It is read before the live connection is there to say so.
      const live = await holdRequests(seller, /\/assets\/keep-up-to-date-/);
      await seller.goto("/myshop?tab=orders");
      await seller.locator(`a[href^="/seller/orders/"]:not([href="${sale}"])`).first().click();
      await expect(seller).toHaveURL(/\/seller\/orders\//);
      const unseen = async () => (await seller.request.get(`${originOf()}/api/messages/unread`)).json();
      await expect.poll(unseen).toMatchObject({ notifications: 0 });
      live.send();
      await expect(bell).toHaveAccessibleName("Notifications");
    });

    await test.step("Mark all as read empties the bell", async () => {
      await payOrder(buyer, await orderProduct(buyer, productId));
      await expect(bell).toHaveAccessibleName("Notifications, 1 new", { timeout: 30_000 });
      await seller.goto("/notifications");
      await seller.getByRole("button", { name: "Mark all as read" }).click();
      await expect(bell).toHaveAccessibleName("Notifications");
      await expect(seller.getByRole("button", { name: "Mark all as read" })).toBeHidden();
    });
  },
);
