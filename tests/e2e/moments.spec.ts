/** Listed, sold, paid, the right code: each is told once, in a picture with the sum and the one next thing. */
import type { Page } from "@playwright/test";
import { expect, expectAccessibleAtBothSizes, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { handoverCodeOf, orderProduct, payOrder, post, salesOf } from "#tests/support/requests.ts";
import { agree, joinAsSeller } from "#tests/support/sales.ts";

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

const moment = (page: Page) => page.getByRole("region", { name: "What has just happened" });

/** At both sizes its picture, the sum and the next thing are in sight, and no bar lies over them. */
async function expectMoment(page: Page, title: RegExp, next: string, sum = "KES 1,500"): Promise<void> {
  await expect(moment(page).getByRole("heading", { name: title })).toBeVisible();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.evaluate(() => scrollTo(0, 0));
    const action = moment(page).getByRole("link", { name: next });
    for (const part of [page.locator(".moment__picture"), moment(page).getByText(sum, { exact: true }), action])
      await expect(part).toBeInViewport({ ratio: 1 });
    await action.click({ trial: true });
  }
  await expectAccessibleAtBothSizes(page);
}

async function expectGone(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(moment(page)).toHaveCount(0);
}

test("each of the four moments is shown once", { tag: "@phone" }, async ({ page: buyer, openWindow }) => {
  test.setTimeout(180_000);
  const seller = await openWindow();
  await joinAsSeller(seller);
  await joinCampus(buyer);
  const productId = crypto.randomUUID();

  await test.step("a listing is live", async () => {
    const listing = {
      productId,
      name: "Rice cooker",
      price: "1500",
      description: "Works well",
      category: "stationery",
      condition: "new",
      madeToOrder: "on",
    };
    await seller.goto(await post(seller, "/add-product", listing));
    await expectMoment(seller, /^It's live/, "Share on WhatsApp");
    await expect(seller).toHaveURL(`/product/${productId}`);
    await expectGone(seller, `/product/${productId}`);
  });

  const orderId = await orderProduct(buyer, productId);
  await test.step("it is paid", async () => {
    await payOrder(buyer, orderId);
    await buyer.goto(`/checkout/${orderId}`);
    await expect(buyer).toHaveURL(`/order-confirmation/${orderId}`, { timeout: 20_000 });
    await expectMoment(buyer, /^Order Confirmed!$/, "See Your Handover Code");
    await expectGone(buyer, `/order-confirmation/${orderId}`);
  });

  const [sale = ""] = await salesOf(seller);
  const itemId = sale.split("/").at(-1) ?? "";
  await test.step("it is sold", async () => {
    await seller.goto("/myshop?tab=orders");
    await seller.locator(`a[href="${sale}"]`).first().click();
    await expectMoment(seller, /^Sold to Njeri Wambui$/, "Suggest a place and time");
    await expectGone(seller, sale);
  });

  await test.step("the code is right, for both", async () => {
    await agree(seller, buyer, { orderId, itemId });
    await buyer.goto(`/orders/${orderId}`);
    await seller.goto(sale);
    await seller.getByLabel("The buyer's code").fill(await handoverCodeOf(buyer, orderId));
    await seller.getByRole("button", { name: "Confirm Handover" }).click();
    await expect(moment(seller)).toBeFocused();
    await expectMoment(seller, /^Right code\. You're paid\.$/, "Review Njeri");
    await expectMoment(buyer, /^It's yours!$/, "Review Njeri");
    await expectGone(seller, sale);
    await expectGone(buyer, `/orders/${orderId}`);
  });
});

test("a notification of a sale leads to its moment once", { tag: "@desktop" }, async ({ page: seller, openWindow }) => {
  const buyer = await openWindow();
  await joinAsSeller(seller);
  await joinCampus(buyer);
  const productId = crypto.randomUUID();
  const listing = { productId, name: "Desk fan", price: "1500", description: "Works", category: "stationery" };
  await post(seller, "/add-product", { ...listing, condition: "new", madeToOrder: "on" });
  await payOrder(buyer, await orderProduct(buyer, productId));
  await expect.poll(() => salesOf(seller)).toHaveLength(1);
  await seller.goto("/notifications");
  await seller.getByRole("link", { name: /You made a sale/ }).click();
  await expect(moment(seller)).toBeVisible();
  await seller.goto("/notifications");
  await seller.getByRole("link", { name: /You made a sale/ }).click();
  await expect(seller.getByRole("heading", { level: 1, name: "Desk fan" })).toBeVisible();
  await expect(moment(seller)).toHaveCount(0);
});
