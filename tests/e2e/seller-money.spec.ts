/** A seller follows the money of a sale: held, then waiting for the buyer. */
import { expect, expectAccessible, atPhoneSize, test } from "#tests/support/browser.ts";
import { deliverOrder, listProduct, orderProduct, payOrder } from "#tests/support/requests.ts";
import { joinAsSeller } from "#tests/support/sales.ts";

test(
  "a seller finds each sale's money in My Money, filters it and downloads it",
  { tag: "@desktop" },
  async ({ page: seller, openAs }) => {
    await joinAsSeller(seller);

    await test.step("before the first sale it says what will be here", async () => {
      await seller.goto("/myshop");
      await seller.getByRole("link", { name: "My Money" }).click();
      await expect(seller.getByRole("heading", { level: 1, name: "My Money" })).toBeVisible();
      await expect(seller.getByText("No sales yet")).toBeVisible();
      await expectAccessible(seller);
    });

    const buyer = await openAs("pro@campus.test");
    const orderId = await orderProduct(buyer, await listProduct(seller, "Drawing board"));
    await payOrder(buyer, orderId);
    await deliverOrder(seller, buyer, orderId, "without the code");

    await test.step("a delivered sale waits for the buyer, and says until when", async () => {
      await seller.goto("/myshop/money");
      const line = seller.getByRole("listitem").filter({ hasText: "Drawing board" });
      await expect(line).toContainText("KES 1,500");
      await expect(line).toContainText(/Waiting for the buyer until \d/);
      await expectAccessible(seller);
      await atPhoneSize(seller, () => expectAccessible(seller));
      await seller.getByRole("link", { name: "Paid", exact: true }).click();
      await expect(seller.getByText("Nothing here right now")).toBeVisible();
      await seller.getByRole("link", { name: "Waiting", exact: true }).click();
      await expect(line).toBeVisible();
    });

    await test.step("the file has the same line", async () => {
      const [file] = await Promise.all([
        seller.waitForEvent("download"),
        seller.getByRole("link", { name: "Download CSV" }).click(),
      ]);
      expect(file.suggestedFilename()).toBe("my-money.csv");
    });

    await test.step("the statement of the month has it, to print and as a file", async () => {
      await seller.getByRole("link", { name: "Statement of a month" }).click();
      await expect(seller.getByRole("heading", { level: 1, name: "Statement" })).toBeVisible();
      await expect(seller.getByText("Sold: Drawing board")).toBeVisible();
      await expect(seller.getByText("Closing balance", { exact: true }).locator("..")).toContainText("KES 1,500");
      await expectAccessible(seller);
      await atPhoneSize(seller, () => expectAccessible(seller));
      const [file] = await Promise.all([
        seller.waitForEvent("download"),
        seller.getByRole("link", { name: "Download CSV" }).click(),
      ]);
      expect(file.suggestedFilename()).toMatch(/^statement-\d{4}-\d{2}\.csv$/);
      await seller.goBack();
    });

    await test.step("the buyer's receipts have it, too", async () => {
      await buyer.goto("/receipts");
      await expect(buyer.getByRole("link", { name: "Drawing board" }).first()).toBeVisible();
      await expectAccessible(buyer);
    });

    await test.step("the line leads to the sale", async () => {
      await seller.getByRole("link", { name: "Drawing board" }).click();
      await expect(seller).toHaveURL(/\/seller\/orders\//);
    });
  },
);
