/** A running deal as both sides see it: the handover code, the delivery without it, and cancelling. */
import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { handoverCodeOf, listProduct, orderProduct, payOrder, post, salesOf } from "#tests/support/requests.ts";
import { agree, joinAsSeller, sell } from "#tests/support/sales.ts";

// A wrong code, and a change that came too late.
test.use({ tolerated: /status of (400|409)/ });

async function expectNoOverflow(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  if (size) await page.setViewportSize(size);
}

test(
  "the seller enters the buyer's code and is paid, and a wrong one is counted",
  { tag: "@phone" },
  async ({ page: buyer, openWindow }) => {
    const seller = await openWindow();
    await joinAsSeller(seller);
    await joinCampus(buyer);
    const sale = await sell(seller, buyer, "Casio calculator");
    await buyer.goto(`/orders/${sale.orderId}`);
    await seller.goto(`/seller/orders/${sale.itemId}`);
    const code = (await buyer.locator(".handover__code").innerText()).replace(" ", "");
    expect(code).toMatch(/^\d{6}$/);
    await buyer.getByText("Let the seller scan it").click();
    await expect(buyer.getByRole("img", { name: /QR code/ })).toBeVisible();
    await expectAccessible(buyer);
    await expectNoOverflow(buyer);
    await seller.getByText("Enter the buyer's code").click();
    await expectAccessible(seller);
    await expectNoOverflow(seller);

    await seller.getByLabel("The buyer's code").fill(code === "000000" ? "111111" : "000000");
    await seller.getByRole("button", { name: "Confirm Handover" }).click();
    await expect(seller.getByText("You can try 4 more times.", { exact: false })).toBeVisible();
    await seller.getByLabel("The buyer's code").fill(`${code.slice(0, 3)} ${code.slice(3)}`);
    await seller.getByRole("button", { name: "Confirm Handover" }).click();
    // The answer stands where the eye is.
    await expect(seller.getByRole("region", { name: "What has just happened" })).toBeFocused();
    await expect(seller.getByRole("heading", { name: "Right code. You're paid." })).toBeInViewport();
    await expect(seller.getByText("The money is in your M-Pesa.")).toBeVisible({ timeout: 20_000 });
    await expect(buyer.getByText(/entered your handover code\./)).toBeVisible();
    await expect(buyer.locator(".handover__code")).toBeHidden();
  },
);

/** Marks a sale as shipped. Its answer waits until the returned function is called. */
async function shipAndWait(seller: Page): Promise<() => void> {
  const { promise: awaited, resolve: answer } = Promise.withResolvers<void>();
  await seller.route(/\.data/, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const response = await route.fetch();
    await awaited;
    return route.fulfill({ response });
  });
  await seller.getByText("Do you send it instead?").click();
  await seller.getByRole("button", { name: "Mark as Shipped" }).click();
  return answer;
}

test(
  "who begins a message before the last answer has come writes on",
  { tag: "@phone" },
  async ({ page: buyer, openWindow }) => {
    const seller = await openWindow();
    await joinAsSeller(seller);
    await joinCampus(buyer);
    const sale = await sell(seller, buyer, "Sandals");
    await agree(seller, buyer, sale);
    await seller.goto(`/seller/orders/${sale.itemId}`);
    const answer = await shipAndWait(seller);
    const box = seller.getByRole("textbox", { name: /message/i });
    await box.pressSequentially("I wait at ");
    answer();
    await expect(seller.getByText("Order marked as shipped")).toBeVisible();
    // By then the next step would have taken the focus.
    await seller.evaluate(() => new Promise((done) => setTimeout(done, 500)));
    await seller.keyboard.type("the gate");
    await expect(box).toHaveValue("I wait at the gate");
  },
);

test(
  "who types the code while the sale is marked as shipped types on",
  { tag: "@phone" },
  async ({ page: buyer, openWindow }) => {
    const seller = await openWindow();
    await joinAsSeller(seller);
    await joinCampus(buyer);
    const sale = await sell(seller, buyer, "Slippers");
    await agree(seller, buyer, sale);
    await seller.goto(`/seller/orders/${sale.itemId}`);
    const answer = await shipAndWait(seller);
    await seller.getByLabel("The buyer's code").pressSequentially("12");
    answer();
    await expect(seller.getByText("Order marked as shipped")).toBeVisible();
    await expect(seller.getByRole("button", { name: "Mark as Shipped" })).toHaveCount(0);
    await seller.keyboard.type("34");
    await expect(seller.getByLabel("The buyer's code")).toHaveValue("1234");
  },
);

test(
  "without the code the buyer says that everything is OK, and the seller is paid",
  { tag: "@desktop" },
  async ({ page: buyer, openWindow }) => {
    const seller = await openWindow();
    await joinAsSeller(seller);
    await joinCampus(buyer);
    const sale = await sell(seller, buyer, "Desk lamp");
    await agree(seller, buyer, sale);
    for (const intent of ["ship", "deliver"]) await post(seller, `/seller/orders/${sale.itemId}`, { intent });
    await seller.goto(`/seller/orders/${sale.itemId}`);
    await expect(seller.getByText(/^Waiting for .* until /)).toBeVisible();
    await expectAccessible(seller);
    await buyer.goto(`/orders/${sale.orderId}`);
    await expect(buyer.getByRole("button", { name: "Report Issue" })).toBeVisible();
    await expectAccessible(buyer);
    await buyer.getByRole("button", { name: "Everything is OK" }).click();
    await buyer.getByRole("alertdialog").getByRole("button", { name: "Yes, Everything is OK" }).click();
    await expect(buyer.getByText("You said that everything is OK.")).toBeVisible();
    await expect(seller.getByText(/said that everything is OK\./)).toBeVisible();
    await expect(seller.getByText("The money is in your M-Pesa.")).toBeVisible({ timeout: 20_000 });
  },
);

test(
  "a buyer cancels until they agree, and asks the seller after that",
  { tag: "@phone" },
  async ({ page: buyer, openWindow }) => {
    const seller = await openWindow();
    await joinAsSeller(seller);
    await joinCampus(buyer);

    await test.step("before agreeing", async () => {
      const sale = await sell(seller, buyer, "Kettle");
      await buyer.goto(`/orders/${sale.orderId}`);
      await buyer.getByRole("button", { name: "Cancel this item" }).click();
      await buyer.getByRole("alertdialog").getByRole("button", { name: "Yes, Cancel It" }).click();
      await expect(buyer.getByText("You cancelled it.")).toBeVisible();
      await expect(buyer.locator(".status-badge", { hasText: "Cancelled" }).first()).toBeVisible();
    });

    await test.step("after agreeing", async () => {
      const sale = await sell(seller, buyer, "Blender");
      await agree(seller, buyer, sale);
      await buyer.goto(`/orders/${sale.orderId}`);
      await seller.goto(`/seller/orders/${sale.itemId}`);
      await buyer.getByText("Cancel this item?").click();
      await buyer.getByLabel("Note to the seller").fill("I found one at home");
      await expectAccessible(buyer);
      await buyer.getByRole("button", { name: "Ask to Cancel" }).click();
      await expect(buyer.getByText("You asked to cancel")).toBeVisible();
      await expect(seller.getByText("I found one at home", { exact: false })).toBeVisible();
      await expectAccessible(seller);
      await seller.getByRole("button", { name: "Accept the Cancellation" }).click();
      await seller.getByRole("alertdialog").getByRole("button", { name: "Yes, Cancel the Sale" }).click();
      await expect(seller.getByText("You agreed to cancel it.")).toBeVisible();
      await expect(buyer.getByText(/agreed to cancel it\./)).toBeVisible();
      await seller.goto("/myshop?tab=orders&show=cancelled");
      await expect(seller.getByRole("link", { name: /Blender/ })).toContainText("Cancelled");
    });
  },
);

test(
  "the camera reads the QR code of this item alone, and stops with it",
  { tag: "@phone" },
  async ({ page: buyer, openWindow }) => {
    const seller = await openWindow();
    // Chromium for Linux has no BarcodeDetector. This one reads what the test shows it.
    await seller.addInitScript(() => {
      const shown = window as unknown as { qr?: string; stopped?: number };
      class BarcodeDetector {
        async detect() {
          return shown.qr ? [{ rawValue: shown.qr }] : [];
        }
      }
      Object.assign(window, { BarcodeDetector });
      navigator.mediaDevices.getUserMedia = async () => {
        const canvas = document.createElement("canvas");
        canvas.getContext("2d")?.fillRect(0, 0, 10, 10);
        const stream = canvas.captureStream(5);
        const [track] = stream.getTracks();
        const stop = track?.stop.bind(track);
        if (track) track.stop = () => ((shown.stopped = (shown.stopped ?? 0) + 1), stop?.());
        return stream;
      };
    });
    const show = (qr: string) => seller.evaluate((text) => Object.assign(window, { qr: text }), qr);
    await joinAsSeller(seller);
    await joinCampus(buyer);
    const sale = await sell(seller, buyer, "Notebook");
    const code = await handoverCodeOf(buyer, sale.orderId);
    await seller.goto(`/seller/orders/${sale.itemId}`);
    await seller.getByText("Enter the buyer's code").click();
    await seller.getByRole("button", { name: "Scan the Code" }).click();
    const camera = seller.getByRole("dialog", { name: "Scan the code" });
    await expect(camera.getByLabel("What the camera sees")).toBeVisible();
    await show(`CHUONI:${crypto.randomUUID()}:123456`);
    await expect(camera.getByText(/^This code is for another item\./)).toBeVisible();
    await expectAccessible(seller);
    await show(`CHUONI:${sale.itemId.toUpperCase()}:${code}`);
    await expect(camera).toBeHidden();
    await expect(seller.getByText(/^Right code\./)).toBeVisible();
    expect(await seller.evaluate(() => (window as unknown as { stopped?: number }).stopped)).toBe(1);
  },
);

test(
  "from Home it takes two taps to hand over, and four to report a problem",
  { tag: "@phone" },
  async ({ page: buyer, openWindow }) => {
    const seller = await openWindow();
    await joinAsSeller(seller);
    await joinCampus(buyer);

    const sold = await sell(seller, buyer, "Clothes iron");
    await agree(seller, buyer, sold);
    await seller.goto("/home");
    await seller.getByRole("link", { name: /^Ready to hand over/ }).click();
    await seller.getByLabel("The buyer's code").fill(await handoverCodeOf(buyer, sold.orderId));
    const confirm = seller.getByRole("button", { name: "Confirm Handover" });
    await expect(confirm).toBeInViewport();
    await confirm.click();
    await expect(seller.getByText(/^Right code\./)).toBeVisible();

    const broken = await sell(seller, buyer, "Extension lead");
    await agree(seller, buyer, broken);
    await post(seller, `/seller/orders/${broken.itemId}`, { intent: "ship" });
    await buyer.goto(`/orders/${broken.orderId}`);
    await expect(buyer.getByRole("button", { name: "Everything is OK" })).toHaveCount(1);
    await expect(buyer.getByRole("button", { name: "Everything is OK" })).toBeInViewport({ ratio: 1 });
    await post(seller, `/seller/orders/${broken.itemId}`, { intent: "deliver" });
    await buyer.goto("/home");
    await expectAccessible(buyer);
    await buyer.getByRole("link", { name: /^Check it/ }).click();
    const report = buyer.getByRole("button", { name: "Report Issue" });
    await expect(report).toBeInViewport();
    await report.click();
    const dialog = buyer.getByRole("dialog", { name: "Report Issue" });
    const answers = dialog.getByText("reads it and has to answer.", { exact: false });
    await expect(answers).toHaveCount(0);
    await dialog.getByRole("radio", { name: /^It's about the seller/ }).check();
    await expect(dialog.getByText("Our team reads it and replies by email.")).toBeVisible();
    await expect(answers).toHaveCount(0);
    const damaged = (page: Locator | Page) => page.getByRole("radio", { name: "It's damaged or doesn't work" });
    await damaged(dialog).check();
    await expect(answers).toBeVisible();
    await dialog.getByLabel("What happened?").fill("One socket is dead");
    await dialog.getByRole("link", { name: "Report it with photos" }).click();
    await expect(buyer).toHaveURL(/\/problems\//);
    await expect(damaged(buyer)).toBeChecked();
    await expect(buyer.getByLabel("What happened?")).toHaveValue("One socket is dead");
    await buyer.goBack();
    await expect(buyer).toHaveURL(/\/orders\//);
    await report.click();
    await damaged(dialog).check();
    await dialog.getByLabel("What happened?").fill("One socket is dead");
    await expectAccessible(buyer);
    await dialog.getByRole("button", { name: "Send Report" }).click();
    await expect(buyer.getByText("We've told the seller.", { exact: false })).toBeVisible();
    await expect(buyer.getByRole("heading", { name: "You reported a problem" })).toBeInViewport();
  },
);

test("a haircut is done, not shipped: both sides and the product's page say so until it is paid", async ({
  page: buyer,
  openWindow,
}) => {
  const seller = await openWindow();
  await joinAsSeller(seller);
  await joinCampus(buyer);
  const productId = await listProduct(seller, "Haircut and fade", { category: "services" });
  await buyer.goto(`/product/${productId}`);
  await expect(buyer.getByRole("link", { name: "We hold your money until it's done" })).toBeVisible();
  await expect(buyer.locator(".product__facts")).not.toContainText("New");

  const orderId = await orderProduct(buyer, productId);
  await payOrder(buyer, orderId);
  await expect.poll(() => salesOf(seller)).toHaveLength(1);
  const [sale = ""] = await salesOf(seller);
  await agree(seller, buyer, { orderId, itemId: sale.split("/").at(-1) ?? "" });
  await buyer.goto(`/orders/${orderId}`);
  await expect(buyer.getByText("only when it's done and you're happy with it")).toBeVisible();
  await expect(buyer.locator("main")).not.toContainText(/shipp|collect|condition/i);

  await seller.goto(sale);
  await expect(seller.locator("main")).not.toContainText(/shipp|collect|condition/i);
  await seller.getByText("Can't you enter the code?").click();
  await expect(seller.getByRole("button", { name: "Mark as Started" })).toBeVisible();
  await seller.getByLabel("The buyer's code").fill(await handoverCodeOf(buyer, orderId));
  await seller.getByRole("button", { name: "Confirm It's Done" }).click();
  await expect(seller.getByRole("heading", { name: "Right code. You're paid." })).toBeVisible();
  await expect(buyer.getByRole("heading", { name: "It's done!" })).toBeVisible();

  // Where the money went, in the words of each.
  await expect(seller.getByText("The money is in your M-Pesa.")).toBeVisible({ timeout: 20_000 });
  await seller.goto(sale);
  await seller.getByRole("link", { name: "Where is my money?" }).click();
  await expect(seller.getByText("KES 1,500 is in your M-Pesa")).toBeVisible();
  const happened = (page: Page) => page.getByRole("list", { name: "What happened" });
  await expect(happened(seller)).toContainText(/You were paid KES 1,500, receipt \w{10}\./);
  await expectAccessible(seller);
  await buyer.getByRole("link", { name: "Where is my money?" }).click();
  await expect(buyer.getByText("The seller has KES 1,500")).toBeVisible();
  await expect(happened(buyer)).toContainText(/Paid, receipt \w{10}\./);
  await expect(happened(buyer)).not.toContainText(/was paid KES 1,500, receipt/);
  await expectNoOverflow(buyer);
});
