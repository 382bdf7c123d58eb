/** A buyer and a seller agree on a price in two browsers, and the buyer pays it. */
import type { Page } from "@playwright/test";
import { expect, expectAccessibleAtBothSizes, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { freshPhone } from "#tests/support/fresh-phone.ts";
import { listProduct } from "#tests/support/requests.ts";

// Amounts that are refused.
test.use({ tolerated: /status of 400/ });

const card = (page: Page) => page.getByRole("region", { name: "Offer" });

test(
  "offer, counter-offer, acceptance and payment, seen by both as they happen",
  { tag: "@phone" },
  async ({ page: buyer, openWindow }) => {
    test.setTimeout(120_000);
    const seller = await openWindow();
    await joinCampus(seller);
    await joinCampus(buyer);
    const productId = await listProduct(seller, "Desk lamp", {
      condition: "good",
      takesOffers: "on",
      lowestOffer: "1300",
    });

    await test.step("the form names bad amounts at their field, and declines what is too low politely", async () => {
      await buyer.goto(`/product/${productId}`);
      await expect(buyer.getByRole("link", { name: "Make an Offer" })).toBeInViewport({ ratio: 1 });
      await buyer.getByRole("link", { name: "Make an Offer" }).click();
      await expect(buyer.getByRole("heading", { level: 1, name: "Make an Offer" })).toBeVisible();
      await expectAccessibleAtBothSizes(buyer);
      const amount = buyer.getByLabel("Your price");
      await amount.fill("1500");
      await buyer.getByRole("button", { name: "Send Offer" }).click();
      await expect(buyer.getByText("Offer less than the price, or buy it now")).toBeVisible();
      const deepest = buyer.getByRole("button", { name: "15% off: KES 1,275" });
      await expect(deepest).toBeVisible();
      await amount.fill("1275");
      await buyer.getByLabel("Message to the seller").fill("Is the bulb included?");
      await buyer.getByRole("button", { name: "Send Offer" }).click();
      await expect(buyer.getByText("You can try a higher amount")).toBeVisible();
      await expect(buyer.getByLabel("Message to the seller")).toHaveValue("Is the bulb included?");
      await expect(deepest).toHaveCount(0);
      await buyer.getByRole("button", { name: "10% off: KES 1,350" }).press(" ");
      await expect(amount).toHaveValue("1350");
      await expect(buyer.getByRole("status").filter({ hasText: "KES 1,350" })).toHaveCount(1);
    });

    await test.step("the offer stands in the conversation of both", async () => {
      await buyer.getByRole("button", { name: "Send Offer" }).click();
      await expect(buyer).toHaveURL(/tab=messages&with=/);
      await expect(card(buyer)).toContainText("Offer sent");
      await expect(card(buyer)).toContainText("Time left: 1 d 23 h");
      await seller.goto("/profile?tab=messages");
      await expect(seller.getByText("I'd like to offer KES 1,350.").first()).toBeVisible();
      await seller.getByRole("navigation", { name: "Conversations" }).getByRole("link").first().click();
      await expect(card(seller)).toContainText("New offer");
      await expectAccessibleAtBothSizes(seller);
    });

    await test.step("the seller names another price, and the buyer accepts it", async () => {
      await card(seller).getByText("Name another price", { exact: true }).click();
      await card(seller).getByLabel("Your price").fill("1200");
      await card(seller).getByRole("button", { name: "Send Counter-offer" }).click();
      await expect(card(seller).getByText("Ask for more than the buyer offers, or accept the offer")).toBeVisible();
      await expect(seller.getByText("Ask for more than the buyer offers, or accept the offer")).toHaveCount(1);
      await expect(card(seller).getByLabel("Your price")).toBeFocused();
      await card(seller).getByLabel("Your price").fill("1400");
      await card(seller).getByRole("button", { name: "Send Counter-offer" }).click();
      await expect(card(seller)).toContainText("Counter-offer sent");
      await expect(card(buyer)).toContainText("This is the seller's price");
      await expectAccessibleAtBothSizes(buyer);
      await card(buyer).getByRole("button", { name: "Accept KES 1,400" }).click();
      await expect(card(buyer).getByRole("button", { name: "Pay KES 1,400" })).toBeVisible();
      await expect(card(seller)).toContainText("Accepted");
      await expect(card(seller).getByRole("button", { name: /^Pay/ })).toHaveCount(0);
    });

    await test.step("the buyer pays the agreed price", async () => {
      await buyer.goto(`/product/${productId}`);
      await expect(buyer.getByText("Your price: KES 1,400")).toBeVisible();
      await expect(buyer.getByRole("button", { name: "Pay KES 1,400" })).toBeInViewport({ ratio: 1 });
      // Nobody pays the full price by mistake.
      await expect(buyer.getByRole("button", { name: "Buy Now" })).toHaveCount(0);
      await expectAccessibleAtBothSizes(buyer);
      await buyer.getByRole("button", { name: "Pay KES 1,400" }).click();
      await expect(buyer).toHaveURL(/\/checkout\/[0-9a-f-]{36}$/);
      await buyer.getByLabel(/phone/i).fill(freshPhone());
      await buyer.getByRole("button", { name: "Pay KES 1,400" }).click();
      await expect(buyer).toHaveURL(/\/order-confirmation\//, { timeout: 30_000 });
      await expect(buyer.getByText("KES 1,400").first()).toBeVisible();
    });
  },
);
