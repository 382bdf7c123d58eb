/**
 * The main journey: a student buys and pays by M-Pesa; the seller ships, enters the handover code and is paid. Nothing
 * is mocked.
 */
import type { Page } from "@playwright/test";
import { expect, runScheduledJobs, signIn, signInByHand, test } from "#tests/support/browser.ts";
import { freshPhone } from "#tests/support/fresh-phone.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct, orderProduct } from "#tests/support/requests.ts";
import { joinAsSeller } from "#tests/support/sales.ts";
import { newWord } from "#tests/support/new-word.ts";

function orderLinks(seller: Page): Promise<string[]> {
  return seller
    .locator('a[href^="/seller/orders/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
}

// On desktop, keyboard.spec.ts buys and pays, and my-shop.spec.ts delivers.
test(
  "a student buys and pays, the seller delivers and is paid, and both see each change as it happens",
  {
    tag: "@phone",
  },
  async ({ page: buyer, openAs }) => {
    test.setTimeout(120_000);
    const seller = await openAs("seller@campus.test");
    // Its own, because other tests buy and change what the demo seller has.
    const listing = `/product/${await listProduct(seller, `Bookshelf ${newWord()}`)}`;

    await signInByHand(buyer, "pro@campus.test");
    await expect(buyer.getByText("Successfully logged in!")).toBeVisible();
    await expect(buyer).toHaveURL(/\/home$/);
    await buyer.goto("/studentmarketplace");
    await expect(buyer.getByRole("heading", { level: 1, name: /Welcome/ })).toBeVisible();

    await buyer.goto(listing);
    const name = await buyer.getByRole("heading", { level: 1 }).innerText();
    await buyer.getByRole("button", { name: "Add to Cart" }).click();
    await expect(buyer.getByText(`${name} added to cart`)).toBeVisible();

    await buyer.goto("/cart");
    await expect(buyer.getByText(name).first()).toBeVisible();
    await buyer.getByRole("button", { name: "Proceed to Checkout" }).click();
    await expect(buyer).toHaveURL(/\/checkout\/[0-9a-f-]{36}$/);
    await expect(buyer.getByRole("heading", { level: 1, name: "Complete Your Payment" })).toBeVisible();
    const orderId = buyer.url().split("/").at(-1) ?? "";

    await test.step("missing values show errors at their fields and lose nothing", async () => {
      await buyer.getByRole("checkbox", { name: /agree on a pickup/ }).uncheck();
      await buyer.getByLabel(/phone/i).fill("0202");
      await buyer.getByRole("button", { name: /^Pay KES/ }).click();
      await expect(buyer.getByText("Please confirm pickup arrangements")).toBeVisible();
      await expect(buyer.getByLabel(/phone/i)).toHaveValue(/0\s?202/);
      await buyer.getByLabel(/phone/i).fill("");
      await buyer.getByLabel(/phone/i).pressSequentially("0712345678");
      await expect(buyer.getByLabel(/phone/i)).toHaveValue("0712 345 678");
    });

    await seller.goto("/myshop?tab=orders");
    const earlier = await orderLinks(seller);
    await buyer.getByRole("checkbox", { name: /agree on a pickup/ }).check();
    const phone = freshPhone();
    await buyer.getByLabel(/phone/i).fill(phone);
    await buyer.getByLabel("Remember this number").check();
    await buyer.getByRole("button", { name: /^Pay KES/ }).click();
    await expect(buyer.getByText("Payment request sent. Please check your phone for the M-Pesa prompt.")).toBeVisible();
    await expect(buyer).toHaveURL(`/order-confirmation/${orderId}`, { timeout: 20_000 });
    await expect(buyer.getByRole("heading", { level: 1, name: "Order Confirmed!" })).toBeVisible();
    const receipt = buyer.getByText(/^[A-Z0-9]{10}$/).first();
    await expect(receipt).toBeVisible();

    await test.step("the receipt's number is copied, and printing prints only the receipt", async () => {
      await buyer.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await buyer.getByRole("button", { name: "Copy receipt number" }).click();
      await expect(buyer.getByRole("button", { name: "Copied!" })).toBeVisible();
      await expect(buyer.getByText("Receipt number copied to clipboard")).toBeVisible();
      expect(await buyer.evaluate(() => navigator.clipboard.readText())).toBe(await receipt.innerText());
      await expect(buyer.getByRole("button", { name: "Copy receipt number" })).toBeVisible();

      await buyer.evaluate(() => (window.print = () => (document.documentElement.dataset.printed = "yes")));
      await buyer.getByRole("button", { name: "Print Receipt" }).click();
      await expect(buyer.locator("html")).toHaveAttribute("data-printed", "yes");
      await buyer.emulateMedia({ media: "print" });
      await expect(buyer.locator(".paper__letterhead")).toContainText("Receipt");
      await expect(receipt).toBeVisible();
      for (const left of [
        buyer.getByRole("navigation"),
        buyer.getByRole("banner"),
        buyer.getByRole("main").getByRole("button"),
        buyer.getByRole("main").getByRole("link", { name: /Continue Shopping|See Your Handover Code/ }),
        buyer.getByRole("heading", { level: 1 }),
      ]) {
        for (const one of await left.all()) await expect(one).toBeHidden();
      }
      await buyer.emulateMedia({ media: null });
    });

    await buyer.goto(`/orders/${orderId}`);

    let sale: string | undefined;
    await expect(async () => {
      sale = (await orderLinks(seller)).find((link) => !earlier.includes(link));
      expect(sale, "the sale shows up in the seller's open page").toBeDefined();
    }).toPass();
    await seller.locator(`a[href="${sale}"]`).first().click();
    await expect(seller).toHaveURL(/\/seller\/orders\/[0-9a-f-]{36}$/);
    await seller.getByRole("button", { name: "Contact Buyer" }).click();
    const letter = seller.getByRole("dialog", { name: /^Message / });
    const text = letter.getByRole("textbox", { name: /message/i });
    await text.fill("Hello! I can bring it to the library gate at four.");
    await test.step("the buyer writes first, and the seller writes on", async () => {
      await buyer.getByRole("button", { name: "Contact Seller" }).click();
      const question = buyer.getByRole("dialog", { name: /^Message / });
      await question.getByRole("textbox", { name: /message/i }).fill("Is it possible today?");
      await question.getByRole("button", { name: "Send" }).click();
      await expect(question).toBeHidden();
      await expect(seller.getByText("Is it possible today?")).toBeVisible();
      await expect(text).toBeFocused();
    });
    await letter.getByRole("button", { name: "Send" }).click();
    await expect(letter).toBeHidden();
    await expect(seller.getByText("Waiting for buyer...")).toBeVisible();
    await test.step("the seller answers a question, and writes on in the same box", async () => {
      await buyer.getByRole("textbox", { name: /message/i }).fill("Which gate?");
      await buyer.getByRole("button", { name: "Send" }).click();
      await expect(seller.getByText("Which gate?")).toBeVisible();
      // Now the next step is to answer.
      await seller.reload();
      const box = seller.getByRole("textbox", { name: /message/i });
      await box.fill("The main one.");
      await seller.getByRole("button", { name: "Contact Buyer" }).click();
      await expect(buyer.getByText("The main one.")).toBeVisible();
      await expect(seller.getByText("Waiting for buyer...")).toBeVisible();
      await expect(box).toBeFocused();
    });

    await expect(buyer.getByText("I can bring it to the library gate at four.")).toBeVisible();
    await buyer.getByRole("button", { name: "Agree" }).click();

    await seller.getByText("Do you send it instead?").click();
    await seller.getByRole("button", { name: "Mark as Shipped" }).click();
    await expect(seller.getByText("Order marked as shipped")).toBeVisible();
    await expect(buyer.getByText("Shipped").last()).toBeVisible();

    await seller.getByLabel("The buyer's code").fill(await buyer.locator(".handover__code").innerText());
    await seller.getByRole("button", { name: "Confirm Handover" }).click();
    await expect(seller.getByText(/^Right code\./)).toBeVisible();
    await expect(buyer.getByText("entered your handover code.", { exact: false })).toBeVisible();
    await runScheduledJobs(seller);
    await expect(seller.getByText("The money is in your M-Pesa.")).toBeVisible({ timeout: 20_000 });

    await test.step("the buyer reports an issue", async () => {
      await buyer.getByRole("button", { name: "Report Issue" }).click();
      const report = buyer.getByRole("dialog", { name: "Report Issue" });
      await expect(report.getByRole("button", { name: "Send Report" })).toBeDisabled();
      await report.getByLabel("What happened?").fill("One key does not work");
      await report.getByRole("button", { name: "Send Report" }).click();
      await expect(report).toBeHidden();
      await expect(buyer.getByText("Issue reported successfully!")).toBeInViewport();
    });

    const mailbox = async () => (await buyer.request.get("/sandbox/mailbox.json?to=seller@campus.test")).text();
    await expect.poll(mailbox, { timeout: 20_000 }).toContain("sent to your M-Pesa");
  },
);

test("an order that is open is loaded anew every minute", { tag: "@desktop" }, async ({ page }) => {
  await signIn(page, "buyer@campus.test");
  await page.goto("/profile?tab=orders");
  const order = (await page.locator('a[href^="/orders/"]').first().getAttribute("href")) ?? "";
  await page.clock.install();
  await page.goto(order);
  await expect(page.getByRole("button", { name: "Report Issue" })).toBeVisible();
  const again = page.waitForRequest(/\/orders\/[0-9a-f-]{36}\.data/);
  await page.clock.fastForward(60_000);
  await again;
});

test(
  "Back finds the orders that were loaded with Show more, as they are now, and the place",
  { tag: "@phone" },
  async ({ page, openWindow }) => {
    const seller = await openWindow();
    await joinAsSeller(seller);
    const [pad, pens] = [await listProduct(seller, "Exam pad"), await listProduct(seller, "Pens")];
    await joinCampus(page);
    const first = await orderProduct(page, pad);
    for (let n = 0; n < 20; n += 1) await orderProduct(page, pens);
    await page.goto("/profile?tab=orders");
    await page.getByRole("link", { name: "Show more" }).click();
    const row = page.getByRole("main").locator(`a.order-row[href="/orders/${first}"]`);
    await expect(row).toContainText("Not paid yet");
    await row.click();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page).toHaveURL(`/orders/${first}`);
    // It closes the unpaid one before it.
    await orderProduct(page, pad);
    await page.goBack();
    await expect(row).toBeInViewport();
    await expect(row).toContainText("Replaced by a newer order");
  },
);
