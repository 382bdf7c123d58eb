/** A press while the connection is lost, in a form that other screens show: the screen stays, and says so. */
import type { Page } from "@playwright/test";
import { expect, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { dayName } from "#app/platform/east-africa-time.ts";
import { listProduct, post } from "#tests/support/requests.ts";
import { joinAsSeller, sell } from "#tests/support/sales.ts";

// The service worker keeps what takes these forms.
test.use({ serviceWorkers: "allow", tolerated: /ERR_INTERNET_DISCONNECTED|Failed to fetch/ });

const DAY_MS = 86_400_000;

/** Runs in the page. */
function knowsWhatTakesForms(): boolean {
  const files = performance.getEntriesByType("resource").map(({ name }) => decodeURIComponent(name));
  return files.some((name) => /\/__manifest\?.*\/send[,&]/.test(name));
}

/** Presses without a connection, sees the screen as it was, and presses again with one. */
async function pressTwice(page: Page, press: () => Promise<void>, said: string): Promise<void> {
  // The router asks what takes a form as soon as the form is on the page.
  await expect.poll(() => page.evaluate(knowsWhatTakesForms)).toBe(true);
  const document = await page.evaluateHandle(() => globalThis.document);
  await page.context().setOffline(true);
  await press();
  await expect(page.getByText(said).last()).toBeInViewport();
  await expect(page.getByRole("heading", { level: 1, name: "No connection" })).toHaveCount(0);
  await page.context().setOffline(false);
  // Its document would be gone after a reload.
  expect(await document.evaluate((kept) => kept === globalThis.document)).toBe(true);
  await press();
}

test(
  "an offer, a meeting, the holiday and a setting can be pressed again once the connection is back",
  { tag: "@phone" },
  async ({ page: seller, openWindow }) => {
    test.setTimeout(120_000);
    const buyer = await openWindow();
    await joinAsSeller(seller);
    await joinCampus(buyer);
    const productId = await listProduct(seller, "Desk fan", { condition: "good", takesOffers: "on" });
    await post(buyer, `/product/${productId}/offer`, { amount: "1300", note: "", formKey: crypto.randomUUID() });
    const { itemId } = await sell(seller, buyer, "Mini fridge");
    await seller.goto("/home");
    await seller.evaluate(() => navigator.serviceWorker.ready);
    await expect.poll(() => seller.evaluate(() => navigator.serviceWorker.controller?.state)).toBe("activated");

    await test.step("an offer", async () => {
      await seller.goto("/profile?tab=messages");
      await seller.getByRole("navigation", { name: "Conversations" }).getByRole("link").first().click();
      const card = seller.getByRole("region", { name: "Offer" });
      const accept = card.getByRole("button", { name: /^Accept/ });
      await pressTwice(seller, () => accept.click(), "That didn't work. Please try again.");
      await expect(card).toContainText("Accepted");
    });

    await test.step("a meeting", async () => {
      const place = { point: "other", otherPlace: "Hall 6, reception", day: dayName(Date.now() + DAY_MS) };
      await post(buyer, `/meetings/${itemId}`, { intent: "suggested", round: "0", ...place, time: "12:00" });
      await seller.goto(`/seller/orders/${itemId}`);
      const card = seller.getByRole("region", { name: /^Meeting for ./ });
      const accept = card.getByRole("button", { name: "Accept" });
      await pressTwice(seller, () => accept.click(), "That didn't work. Please try again.");
      await expect(card).toContainText("Accepted");
    });

    await test.step("the shop and the holiday, in a dialog", async () => {
      await post(seller, "/myshop/settings", { shopName: "Fans and More" });
      await seller.goto("/myshop");
      await seller.getByRole("button", { name: /Customize Shop|Edit Shop/ }).click();
      const dialog = seller.getByRole("dialog", { name: "Shop Settings" });
      await dialog.getByLabel("On holiday until").fill(dayName(Date.now() + 3 * DAY_MS));
      const go = dialog.getByRole("button", { name: "Go on Holiday" });
      await pressTwice(seller, () => go.click(), "Failed to update shop. Please try again.");
      await expect(dialog).toBeHidden();
      await expect(seller.getByText("Nobody can order from you.")).toBeVisible();
    });

    await test.step("a setting", async () => {
      await seller.goto("/profile?tab=settings&section=details");
      await seller.getByLabel("Full name").fill("Achieng Odhiambo");
      const save = seller.getByRole("button", { name: "Save Changes" });
      await pressTwice(seller, () => save.click(), "Please check your internet connection and try again");
      await expect(seller.getByText("Profile saved")).toBeVisible();
      await expect(seller.getByLabel("Full name")).toHaveValue("Achieng Odhiambo");
    });
  },
);
