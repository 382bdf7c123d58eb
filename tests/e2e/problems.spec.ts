/** A reported problem, from the buyer's report to our team's decision. */
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { expect, expectAccessible, gotoLive, test } from "#tests/support/browser.ts";
import { mailsTo } from "#tests/support/mailbox.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct, orderProduct, originOf, payOrder, post } from "#tests/support/requests.ts";
import { newWord } from "#tests/support/new-word.ts";

const SELLER = "seller@campus.test";

/** Sells to the buyer and delivers without the code. Returns the item's id. */
async function sellWithoutCode(seller: Page, buyer: Page, name: string, price = "1500"): Promise<string> {
  const orderId = await orderProduct(buyer, await listProduct(seller, name, { price }), price);
  await payOrder(buyer, orderId);
  const sale = await seller.request.get(`${originOf()}/orders/${orderId}`, { maxRedirects: 0 });
  const itemId = sale.headers().location?.split("/").at(-1) ?? "";
  const message = { about: `item:${itemId}`, text: "I can meet you at the library gate" };
  await expect(async () => {
    await post(seller, "/api/messages", { ...message, key: crypto.randomUUID() });
    await post(buyer, `/orders/${orderId}`, { intent: "agree", itemId });
  }).toPass();
  for (const intent of ["ship", "deliver"]) await post(seller, `/seller/orders/${itemId}`, { intent, itemId });
  return itemId;
}

async function photo(name: string, background: string) {
  const buffer = await sharp({ create: { width: 1200, height: 900, channels: 3, background } })
    .jpeg()
    .toBuffer();
  return { name, mimeType: "image/jpeg", buffer };
}

test.describe("a problem", () => {
  // The buyer first sends an empty form, and a stranger asks for the page.
  test.use({ tolerated: /status of 40[04]/ });

  test(
    "is reported with photos, gets an offer, and is decided by our team with reasons that both read",
    { tag: "@desktop" },
    async ({ page: buyer, openAs }) => {
      const { email } = await joinCampus(buyer);
      const seller = await openAs(SELLER);
      const name = `Desk lamp ${newWord()}`;
      const itemId = await sellWithoutCode(seller, buyer, name);

      await buyer.goto(`/problems/${itemId}`);
      await buyer.getByRole("button", { name: "Report the Problem" }).click();
      await expect(buyer.getByText("Please choose what is wrong")).toBeVisible();
      await expect(buyer.getByText("Please describe the problem")).toBeVisible();
      // Any live event loads the screen's data again.
      const reloaded = buyer.waitForResponse(/\/problems\/[^/]+\.data/);
      await buyer.evaluate(() => dispatchEvent(new Event("online")));
      await reloaded;
      await buyer.waitForLoadState("networkidle");
      await expect(buyer.getByText("Please choose what is wrong")).toBeVisible();
      await expect(buyer.getByText("Please describe the problem")).toBeVisible();
      await expectAccessible(buyer);
      await buyer.getByLabel("It's damaged or doesn't work").check();
      await buyer.getByLabel("What happened?").fill("The shade is cracked.\nIt doesn't turn on.");
      // A phone that opened its camera may have to load the page again.
      await buyer.reload();
      await expect(buyer.getByLabel("What happened?")).toHaveValue("The shade is cracked.\nIt doesn't turn on.");
      await expect(buyer.getByLabel("It's damaged or doesn't work")).toBeChecked();
      await buyer
        .getByLabel("Add photos")
        .setInputFiles([await photo("shade.jpg", "teal"), await photo("bulb.jpg", "coral")]);
      await buyer.getByRole("button", { name: "Report the Problem" }).click();
      await expect(buyer.getByText("Waiting for the seller")).toBeVisible();
      const drafts = () =>
        buyer.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes("form-fields")));
      await expect.poll(drafts).toEqual([]);
      const photos = buyer.getByRole("list", { name: "Photos of the problem" }).getByRole("link");
      await expect(photos).toHaveCount(2);
      await expectAccessible(buyer);
      const picture = photos.first().locator("img");
      await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);

      await seller.goto(`/problems/${itemId}`);
      await expect(seller.getByText("The buyer needs your answer")).toBeVisible();
      const part = seller.getByLabel("How much will you give back?");
      await part.fill("1500");
      await seller.getByRole("button", { name: "Offer This Part" }).click();
      await expect(seller.getByText("A part must be less than the whole price", { exact: false })).toBeVisible();
      await expect(seller.getByRole("button", { name: "Send Offer" })).toHaveCount(0);
      await part.fill("300");
      await expect(seller.getByText("The buyer gets KES 300 back, and you get KES 1,200.")).toBeVisible();
      await seller.getByLabel("Message to the buyer").fill("This pays for a new shade.");
      await expectAccessible(seller);
      await seller.getByRole("button", { name: "Offer This Part" }).click();
      await expect(seller.getByRole("alertdialog", { name: "Give back KES 300?" })).toBeVisible();
      await seller.getByRole("button", { name: "Send Offer" }).click();
      await expect(seller.getByText("Waiting for the buyer")).toBeVisible();

      // The buyer's open page follows by itself.
      await expect(buyer.getByText("The seller offers you KES 300 back")).toBeVisible();
      await expect(buyer.getByText("This pays for a new shade.")).toBeVisible();
      await buyer.getByLabel("What should our team know?").fill("A new lamp costs KES 1,400.");
      await buyer.getByRole("button", { name: "Ask Our Team to Decide" }).click();
      await buyer.getByRole("button", { name: "Yes, Ask" }).click();
      await expect(buyer.getByText("Our team is deciding")).toBeVisible();

      const stranger = await openAs("pro@campus.test");
      await stranger.goto(`/problems/${itemId}`);
      await expect(stranger.getByRole("heading", { name: "Order Not Found" })).toBeVisible();
      const address = (await photos.first().getAttribute("href")) ?? "";
      const statusFor = async (page: Page) => (await page.request.get(originOf() + address)).status();
      expect([await statusFor(seller), await statusFor(stranger)]).toEqual([200, 404]);

      const admin = await openAs("admin@campus.test");
      await admin.goto("/admin/problems");
      await expectAccessible(admin);
      await admin.getByRole("link", { name: "Money to decide" }).click();
      await admin.getByRole("link", { name, exact: true }).click();
      await expect(admin).toHaveURL(/\/admin\/problems\/[0-9a-f-]{36}/);
      await expect(admin.getByText("The buyer asked us to decide").first()).toBeVisible();
      await expect(admin.getByText("A new lamp costs KES 1,400.")).toBeVisible();
      await expect(admin.getByText("I can meet you at the library gate").first()).toBeVisible();
      await expectAccessible(admin);
      await admin.getByLabel("Refund a part").check();
      await admin.getByLabel("Part to refund").fill("1,200");
      await admin.getByLabel("Reasons").fill("The photos show that the lamp is broken.");
      await admin.getByRole("button", { name: "See What Happens to the Money" }).click();
      await expect(
        admin.getByText(/^KES 1,200 goes back to Njeri Wambui by M-Pesa, to the number that paid/),
      ).toBeVisible();
      await expect(admin.getByText(/^KES 300 goes to .* by M-Pesa, to their number/)).toBeVisible();
      await expectAccessible(admin);
      await admin.getByRole("button", { name: "Confirm the Decision" }).click();
      await expect(admin.getByText("Our team decided: the buyer gets KES 1,200 back")).toBeVisible();
      await expect(admin.getByRole("button", { name: "See What Happens to the Money" })).toHaveCount(0);

      await expect(buyer.getByText("KES 1,200 goes back to you", { exact: false })).toBeVisible();
      await expect(seller.getByText("KES 300 goes to your M-Pesa number.", { exact: false })).toBeVisible();
      for (const side of [buyer, seller])
        await expect(side.getByText("The photos show that the lamp is broken.")).toBeVisible();
      await expectAccessible(buyer);
      await expect
        .poll(async () => (await mailsTo(buyer, email)).map(({ subject }) => subject))
        .toContain(`Our decision: ${name}`);
    },
  );

  test(
    "what an admin types stays when a decision comes meanwhile",
    { tag: "@desktop" },
    async ({ page: buyer, openAs }) => {
      await joinCampus(buyer);
      const seller = await openAs(SELLER);
      const itemId = await sellWithoutCode(seller, buyer, "Gaming laptop", "60000");
      await post(buyer, `/problems/${itemId}`, { intent: "report", kind: "damaged", description: "It has a crack." });
      await post(seller, `/problems/${itemId}`, { intent: "contest", note: "It had none." });
      const admin = await openAs("admin@campus.test");
      await gotoLive(admin, `/admin/problems/${itemId}`);
      await admin.getByLabel("Reasons").fill("The photos show");
      const decision = { subject: "decision", decision: "release", amount: "", reasons: "No photo shows a crack." };
      await post(admin, `/admin/problems/${itemId}`, { intent: "decide", ...decision });
      // Any live event loads the screen's data again.
      await admin.evaluate(() => dispatchEvent(new Event("online")));
      await expect(admin.getByRole("heading", { name: "Check your decision" })).toBeVisible();
      await admin.getByText("Change the decision").click();
      await expect(admin.getByLabel("Reasons")).toBeVisible();
      await expect(admin.getByLabel("Reasons")).toHaveValue("The photos show");
    },
  );
});
