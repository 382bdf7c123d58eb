/** Reviews after a deal, as buyer and seller see them. */
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { expect, expectAccessibleAtBothSizes, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { handoverCodeOf, post } from "#tests/support/requests.ts";
import { joinAsSeller, type Sale, sell } from "#tests/support/sales.ts";

// A form without stars is refused.
test.use({ tolerated: /status of 400/ });

/** Sells something and hands it over with the code. */
async function finishSale(seller: Page, buyer: Page, name: string): Promise<Sale> {
  await joinAsSeller(seller);
  await joinCampus(buyer);
  const sale = await sell(seller, buyer, name);
  const code = await handoverCodeOf(buyer, sale.orderId);
  await post(seller, `/seller/orders/${sale.itemId}`, { intent: "code", itemId: sale.itemId, code });
  return sale;
}

test(
  "neither side sees the other's review before both have written; then one can be answered and changed",
  { tag: "@phone" },
  async ({ page: buyer, openWindow }) => {
    const seller = await openWindow();
    const sale = await finishSale(seller, buyer, "Desk lamp");
    const reviews = `/reviews/${sale.itemId}`;

    await test.step("the buyer writes with the keyboard", async () => {
      await buyer.goto(`/orders/${sale.orderId}`);
      await expect(buyer.getByRole("heading", { name: "It's yours!" })).toBeVisible();
      await buyer.getByRole("link", { name: /^Review / }).click();
      await expect(buyer.getByRole("heading", { level: 1, name: /^Review / })).toBeVisible();
      await expectAccessibleAtBothSizes(buyer);
      await buyer.getByRole("button", { name: "Send Review" }).click();
      await expect(buyer.getByText("Choose how many stars")).toBeVisible();
      await expect(buyer.getByRole("radiogroup")).toBeFocused();
      await expectAccessibleAtBothSizes(buyer);
      await buyer.keyboard.press("Tab");
      await buyer.keyboard.press("Space");
      for (let star = 1; star < 4; star += 1) await buyer.keyboard.press("ArrowRight");
      await expect(buyer.getByRole("radio", { name: "4 stars: good" })).toBeChecked();
      const star = await buyer.getByRole("radio", { name: "5 stars: very good" }).boundingBox();
      expect(Math.min(star?.width ?? 0, star?.height ?? 0)).toBeGreaterThanOrEqual(44);
      await buyer.getByLabel("Friendly", { exact: true }).check();
      await buyer.getByRole("textbox", { name: "Your review" }).fill("Bright, and as good as new.");
      await buyer.reload();
      await expect(buyer.getByRole("textbox", { name: "Your review" })).toHaveValue("Bright, and as good as new.");
      await expect(buyer.getByRole("radio", { name: "4 stars: good" })).toBeChecked();
      await expect(buyer.getByLabel("Friendly", { exact: true })).toBeChecked();
      const buffer = await sharp({ create: { width: 1200, height: 900, channels: 3, background: "teal" } })
        .jpeg()
        .toBuffer();
      await buyer.getByLabel("Add photos").setInputFiles([{ name: "lamp.jpg", mimeType: "image/jpeg", buffer }]);
      await buyer.getByRole("button", { name: "Send Review" }).click();
      await expect(buyer.getByText(/^Only you can see it now\./)).toBeVisible();
      await expectAccessibleAtBothSizes(buyer);
    });

    await test.step("the buyer changes it twice on one page", async () => {
      for (const words of ["Bright.", "Bright, and as good as new."]) {
        await buyer.getByText("Change your review").click();
        await buyer.getByRole("textbox", { name: "Your review" }).fill(words);
        await buyer.getByRole("button", { name: "Save Changes" }).click();
        await expect(buyer.getByRole("article").getByText(words, { exact: true })).toBeVisible();
        await expect(buyer.getByRole("textbox", { name: "Your review" })).toBeHidden();
      }
    });

    await test.step("the seller doesn't see it, and writes with a tap", async () => {
      await seller.goto(`/seller/orders/${sale.itemId}`);
      await expect(seller.getByText(/ reviewed you$/)).toBeVisible();
      await seller.getByRole("link", { name: /^Review / }).click();
      await expect(seller.getByText(/has already reviewed you\./)).toBeVisible();
      await expect(seller.getByText("Bright, and as good as new.")).toHaveCount(0);
      await expect(seller.getByLabel("Add photos")).toHaveCount(0);
      await seller.getByText("5 stars: very good").locator("..").click();
      await expect(seller.getByText("5 stars: very good")).toBeVisible();
      await seller.getByRole("textbox", { name: "Your review" }).fill("On time at the gate.");
      await seller.getByRole("button", { name: "Send Review" }).click();
      await expect(seller.getByText("Bright, and as good as new.")).toBeVisible();
      await expectAccessibleAtBothSizes(seller);
    });

    await test.step("the buyer reads both, and changes the words", async () => {
      // The open page follows by itself.
      await expect(buyer.getByText("On time at the gate.")).toBeVisible();
      await buyer.getByText("Change your review").click();
      await expect(buyer.getByRole("radio")).toHaveCount(0);
      await buyer
        .getByRole("textbox", { name: "Your review" })
        .fill("Bright, and as good as new. It came with a spare bulb.");
      await expectAccessibleAtBothSizes(buyer);
      await buyer.getByRole("button", { name: "Save Changes" }).click();
      await expect(buyer.getByText(/Edited$/)).toBeVisible();
    });

    await test.step("the seller replies, and visitors read it all with first names only", async () => {
      await seller.goto(reviews);
      await seller.getByLabel("Your reply").fill("Thank you!");
      await seller.getByRole("button", { name: "Publish Reply" }).click();
      await expect(seller.getByText(/^Reply from /)).toBeVisible();
      await expect(seller.getByLabel("Your reply")).toHaveCount(0);

      const viewer = await seller.locator("[data-viewer]").first().getAttribute("data-viewer");
      const visitor = await openWindow();
      await visitor.goto(`/people/${viewer}/reviews?as=seller`);
      const card = visitor.getByRole("article", { name: "Review by Njeri" });
      await expect(card.getByRole("img", { name: "4 stars" })).toBeVisible();
      await expect(card.getByText("It came with a spare bulb.", { exact: false })).toBeVisible();
      await expect(card.getByText("Thank you!")).toBeVisible();
      await expect(card.getByRole("link", { name: "Enlarge photo 1 of 1" })).toBeVisible();
      await expect(visitor.getByText("Wambui")).toHaveCount(0);
      await expectAccessibleAtBothSizes(visitor);
      await visitor.goto(`/seller/${viewer}`);
      await expect(visitor.getByText("It came with a spare bulb.", { exact: false })).toBeVisible();
      await expectAccessibleAtBothSizes(visitor);
    });
  },
);
