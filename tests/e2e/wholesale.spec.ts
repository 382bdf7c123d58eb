/** Wholesale: a wholesaler sets a smallest order and price steps, and a student orders at the price of a step. */
import { expect, expectAccessibleAtBothSizes, signIn, test } from "#tests/support/browser.ts";
import { openFields } from "#tests/support/more-fields.ts";
import { newWord } from "#tests/support/new-word.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct } from "#tests/support/requests.ts";

test(
  "a wholesaler sets terms, and a student orders 12 at the step's price",
  { tag: "@phone" },
  async ({ page: buyer, openAs }) => {
    test.setTimeout(120_000);
    const seller = await openAs("wholesaler@campus.test");
    const name = `Exam pads ${newWord()}`;
    const productId = await listProduct(seller, name, { price: "100", stock: "400" });

    await test.step("the wholesaler adds a smallest order and a step in the form", async () => {
      await seller.goto(`/product/${productId}/edit`);
      await openFields(seller, "Stock and selling");
      await seller.getByLabel("Smallest order").fill("6");
      await seller.getByRole("button", { name: "Add a price step" }).click();
      await expect(seller.getByLabel("Step 1: from how many pieces")).toBeFocused();
      await seller.getByLabel("Step 1: from how many pieces").fill("12");
      await seller.getByLabel("Step 1: price each").fill("100");
      await seller.getByRole("button", { name: "Add a price step" }).click();
      await seller.getByRole("button", { name: "Remove step 2" }).click();
      await seller.getByRole("button", { name: "Save Changes" }).click();
      await expect(seller.getByText("Enter less than the price, KES 100")).toBeVisible();
      await seller.getByLabel("Step 1: price each").fill("85");
      await expectAccessibleAtBothSizes(seller);
      await seller.getByRole("button", { name: "Save Changes" }).click();
      await expect(seller).toHaveURL(`/product/${productId}`);
      await expect(seller.getByText("Smallest order: 6 pieces")).toBeVisible();
    });

    await test.step("the student finds it among wholesale listings, and the total follows the quantity", async () => {
      await joinCampus(buyer);
      await buyer.goto("/studentmarketplace");
      await buyer.getByRole("button", { name: /^Filters/ }).click();
      await buyer.getByRole("checkbox", { name: "Wholesale" }).check();
      await buyer.getByRole("button", { name: /^Show/ }).click();
      await expect(buyer).toHaveURL(/\/studentmarketplace\?.*wholesale=1/);
      await expectAccessibleAtBothSizes(buyer);
      await buyer.getByRole("link", { name, exact: true }).click();
      await expect(buyer.getByRole("row", { name: "from 12: KES 85 each" })).toBeVisible();
      const quantity = buyer.getByRole("spinbutton", { name: "Quantity" });
      await expect(quantity).toHaveValue("6");
      await expect(buyer.getByText("Total KES 600")).toBeVisible();
      // What was typed stays, and no other number is ordered.
      await quantity.fill("3");
      await buyer.getByRole("button", { name: "Buy Now" }).click();
      await expect(buyer.getByText("The smallest order is 6 pieces")).toBeVisible();
      await expect(quantity).toHaveValue("3");
      await buyer.getByRole("button", { name: "Change to 6" }).click();
      await expect(quantity).toHaveValue("6");
      await quantity.fill("9");
      await expect(buyer.getByText("Add 3 more to pay KES 85 each")).toBeVisible();
      await quantity.fill("12");
      await expect(buyer.getByText("Total KES 1,020, KES 85 each")).toBeVisible();
      await expectAccessibleAtBothSizes(buyer);
      await buyer.getByRole("button", { name: "Add to Cart" }).click();
      await expect(buyer.getByText(`${name} added to cart`)).toBeVisible();
    });

    await test.step("the cart and the order say the step's price", async () => {
      await buyer.goto("/cart");
      await expect(buyer.getByText("KES 85 each")).toBeVisible();
      const quantity = buyer.getByRole("group", { name: `Quantity of ${name}` }).getByRole("spinbutton");
      await quantity.fill("6");
      await expect(buyer.getByText("Smallest order: 6 pieces")).toBeVisible();
      await quantity.fill("12");
      await expect(buyer.getByText("KES 85 each")).toBeVisible();
      await expectAccessibleAtBothSizes(buyer);
      await buyer.getByRole("button", { name: "Proceed to Checkout" }).click();
      await expect(buyer).toHaveURL(/\/checkout\/[0-9a-f-]{36}$/);
      await buyer.getByText("Order summary").first().click();
      await expect(buyer.getByText("12 × KES 85")).toBeVisible();
      await expect(buyer.getByRole("button", { name: "Pay KES 1,020.00 with M-Pesa" })).toBeVisible();
    });
  },
);

test("without scripts all rows of steps are there", { tag: "@desktop" }, async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const seller = await context.newPage();
  await signIn(seller, "wholesaler@campus.test");
  await seller.goto("/add-product");
  await openFields(seller, "Stock and selling");
  await expect(seller.getByLabel("Step 5: price each")).toBeVisible();
  await expect(seller.getByRole("button", { name: "Add a price step" })).toBeHidden();
  await context.close();
});
