/** How a deal ends when something went wrong: what each side presses, and what both then read about the money. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, gotoLive, test } from "#tests/support/browser.ts";
import { post } from "#tests/support/requests.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { agree, joinAsSeller, type Sale, sell } from "#tests/support/sales.ts";

/** Presses a button, and confirms in the dialog that asks first. */
async function press(page: Page, name: string, confirm: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: confirm, exact: true }).click();
}

async function read(page: Page, path: string, ...texts: (string | RegExp)[]): Promise<void> {
  await page.goto(path);
  for (const text of texts) await expect(page.getByText(text).first(), path).toBeVisible();
}

/** A delivered item with a problem that the buyer has reported. */
async function sellBroken(seller: Page, buyer: Page, name: string): Promise<Sale> {
  const sale = await sell(seller, buyer, name);
  await agree(seller, buyer, sale);
  for (const intent of ["ship", "deliver"])
    await post(seller, `/seller/orders/${sale.itemId}`, { intent, itemId: sale.itemId });
  await post(buyer, `/problems/${sale.itemId}`, {
    intent: "report",
    kind: "damaged",
    description: "It has a crack.",
  });
  return sale;
}

test("the ends that both sides make say who gets the money", { tag: "@phone" }, async ({ page: buyer, openWindow }) => {
  const seller = await openWindow();
  await joinAsSeller(seller);
  await joinCampus(buyer);

  await test.step("the seller refunds all", async () => {
    const { itemId } = await sellBroken(seller, buyer, "Desk fan");
    await seller.goto(`/problems/${itemId}`);
    await press(seller, "Refund All KES 1,500", "Yes, Refund");
    await expect(seller.getByText("The buyer gets the money back")).toBeVisible();
    await read(buyer, `/problems/${itemId}`, "You get your money back", "It has a crack.");
    await expectAccessible(buyer);
  });

  await test.step("the buyer accepts a part", async () => {
    const { itemId, orderId } = await sellBroken(seller, buyer, "Rice cooker");
    await post(seller, `/problems/${itemId}`, { intent: "offer", amount: "500", note: "For a new lid." });
    await read(buyer, `/problems/${itemId}`, "The seller offers you KES 500 back", "For a new lid.");
    await press(buyer, "Accept KES 500 Back", "Yes, Accept");
    await expect(buyer.getByText("KES 500 goes back to you", { exact: false })).toBeVisible();
    await read(seller, `/problems/${itemId}`, "KES 1,000 goes to your M-Pesa number.");
    await read(seller, `/seller/orders/${itemId}`, /^You earn\s*KES 1,000$/);
    await buyer.goto(`/orders/${orderId}`);
  });

  await test.step("the seller doesn't agree", async () => {
    const { itemId } = await sellBroken(seller, buyer, "Kettle");
    await seller.goto(`/problems/${itemId}`);
    // They read what was reported before they answer.
    const top = async (words: string) => (await seller.getByText(words).boundingBox())?.y ?? 0;
    expect(await top("It has a crack.")).toBeLessThan(await top("How much will you give back?"));
    await seller.getByRole("button", { name: "Ask Our Team to Decide" }).click();
    await expect(seller.getByText("Please say why you don't agree")).toBeVisible();
    const why = seller.getByLabel("You don't agree? Say why.");
    await expect(why).toBeFocused();
    await expect(seller.getByRole("alertdialog")).toHaveCount(0);
    await expectAccessible(seller);
    await why.fill("It had no crack when I handed it over.");
    await press(seller, "Ask Our Team to Decide", "Yes, Ask");
    await expect(seller.getByText("Our team is deciding")).toBeVisible();
    await read(buyer, `/problems/${itemId}`, "Our team is deciding", "It had no crack when I handed it over.");
  });

  await test.step("the buyer asks our team while the seller writes, and then withdraws", async () => {
    const { itemId } = await sellBroken(seller, buyer, "Extension cable");
    await gotoLive(seller, `/problems/${itemId}`);
    await seller.getByLabel("You don't agree? Say why.").fill("It worked well.");
    await post(buyer, `/problems/${itemId}`, { intent: "review", note: "" });
    await expect(seller.getByText("Our team is deciding")).toBeVisible();
    // What they wrote isn't lost.
    await expect(seller.getByRole("alert")).toContainText("“It worked well.”");
    await expectAccessible(seller);
    await buyer.goto(`/problems/${itemId}`);
    await press(buyer, "It's sorted", "Yes, It's Sorted");
    await expect(buyer.getByText("Settled: the seller gets the money")).toBeVisible();
    await read(seller, `/problems/${itemId}`, "KES 1,500 goes to your M-Pesa number.");
  });

  await test.step("the seller cancels with a reason, and the listing can't be bought any more", async () => {
    const sale = await sell(seller, buyer, "Drying rack");
    await seller.goto(`/seller/orders/${sale.itemId}`);
    await seller.getByText("Cancel this sale?").click();
    await seller.getByRole("radio").first().check();
    await seller.getByLabel("Note to the buyer").fill("It broke when I packed it.");
    await press(seller, "Cancel This Sale", "Yes, Cancel the Sale");
    await expect(seller.getByText(/^You cancelled it: /)).toBeVisible();
    await expect(seller.getByText(/^You earn\s*KES 0$/)).toBeVisible();
    await read(buyer, `/orders/${sale.orderId}`, /cancelled it: /, /It broke when I packed it\./);
    await expectAccessible(buyer);
    const product = await buyer.locator('main a[href^="/product/"]').first().getAttribute("href");
    await buyer.goto(product ?? "");
    await expect(buyer.getByRole("button", { name: "Buy Now" })).toHaveCount(0);
  });
});
