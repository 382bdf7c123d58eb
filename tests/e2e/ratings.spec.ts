/** Ratings on every card, shops in their order, and a seller's holiday from both sides. */
import { expect, expectAccessible, test } from "#tests/support/browser.ts";
import { freshPhone } from "#tests/support/fresh-phone.ts";
import { newWord } from "#tests/support/new-word.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct, orderProduct, post } from "#tests/support/requests.ts";
import { joinAsSeller } from "#tests/support/sales.ts";

// Orders and days that are refused.
test.use({ tolerated: /status of 4(00|09)/ });

/** The day in so many days, as a date field has it. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

test(
  "while a seller is on holiday nobody can buy, and one press ends it",
  { tag: "@phone" },
  async ({ page: buyer, openWindow }) => {
    test.setTimeout(90_000);
    const seller = await openWindow();
    await joinAsSeller(seller);
    await post(seller, "/myshop/settings", { shopName: `Corner ${newWord()}` });
    const productId = await listProduct(seller, "Desk lamp");
    await joinCampus(buyer);
    const earlierOrder = await orderProduct(buyer, productId);
    await buyer.goto(`/product/${productId}`);

    await test.step("the settings name a day that is over, and take a later one", async () => {
      await seller.goto("/myshop/settings");
      const description = seller.getByLabel(/^Description/);
      await description.fill("Typed, and not saved yet");
      await seller.getByLabel("On holiday until").fill(dayIn(-3));
      await seller.getByRole("button", { name: "Go on Holiday" }).click();
      await expect(seller.getByText("That day is over. Choose today or a later day.")).toBeVisible();
      await expect(seller.getByLabel("On holiday until")).toBeFocused();
      await expectAccessible(seller);
      await seller.getByLabel("On holiday until").fill(dayIn(10));
      await seller.getByRole("button", { name: "Go on Holiday" }).click();
      const notice = seller.getByText(/You are on holiday until \d+ \w+\./);
      await expect(notice).toBeVisible();
      await expect(description).toHaveValue("Typed, and not saved yet");
      const first = await notice.innerText();
      await seller.getByLabel("On holiday until").fill(dayIn(11));
      await seller.getByRole("button", { name: "Change the Date" }).click();
      await expect(notice).not.toHaveText(first);
      await expectAccessible(seller);
    });

    await test.step("a page that was open before is refused, and then has no buttons to buy", async () => {
      await buyer.getByRole("button", { name: "Buy Now" }).click();
      await expect(
        buyer.getByText(/is on holiday until \d+ \w+\. You can save this to your wishlist\./).first(),
      ).toBeVisible();
      await buyer.reload();
      await expect(buyer.getByText(/You can save this to your wishlist/)).toBeVisible();
      await expect(buyer.getByRole("button", { name: "Buy Now" })).toBeHidden();
      await expect(buyer.getByRole("button", { name: "Add to Cart", exact: true })).toBeHidden();
      await expectAccessible(buyer);
    });

    await test.step("an order that was placed before can't be paid, and says why", async () => {
      await buyer.goto(`/checkout/${earlierOrder}`);
      await buyer
        .getByLabel(/phone|number/i)
        .first()
        .fill(freshPhone());
      await buyer.getByRole("button", { name: /^Pay/ }).click();
      await expect(buyer.getByText(/so you can't buy Desk lamp now/).first()).toBeVisible();
    });

    await test.step("back from holiday, the seller sells again", async () => {
      await seller.getByRole("button", { name: "I'm back" }).click();
      // The button has another label while the answer is awaited.
      await expect(seller.getByText(/You are on holiday until/)).toBeHidden();
      await buyer.goto(`/product/${productId}`);
      await expect(buyer.getByRole("button", { name: "Buy Now" })).toBeVisible();
    });
  },
);
