/** What our team looks at before it is published, and what readers are warned about before they pay. */
import { expect, expectAccessible, expectAccessibleAtBothSizes, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct, orderProduct, payOrder } from "#tests/support/requests.ts";

// What a browser logs when a form is refused.
test.use({ tolerated: /Failed to load resource/ });

test(
  "a listing with a prohibited word is held, its seller reads why, and our team publishes it",
  { tag: "@phone" },
  async ({ page: seller, openAs }) => {
    await joinCampus(seller);
    const name = `Water toy ${crypto.randomUUID().slice(0, 8)}`;
    await seller.goto("/add-product");
    await seller.getByLabel("Product name").fill(name);
    await seller.getByLabel("Price", { exact: true }).fill("700");
    await seller.getByLabel("Category").selectOption("stationery");
    await seller.getByLabel("Description").fill("It looks like a pistol, but it is a toy");
    await seller.getByRole("button", { name: "Add Product" }).click();
    await seller.waitForURL(/\/product\/[0-9a-f-]{36}$/);
    const path = new URL(seller.url()).pathname;
    const panel = seller.getByRole("region", { name: "Your listing" });
    await expect(seller.getByRole("article").first()).toContainText(
      "before it is published, because it mentions “pistol”. This usually takes less",
    );
    await expect(panel.getByText("Being checked")).toBeVisible();
    await expect(seller.getByRole("button", { name: /^Share / })).toHaveCount(0);
    await expectAccessibleAtBothSizes(seller);

    await seller.goto("/myshop");
    const card = seller.getByRole("article").filter({ hasText: name });
    await expect(card).toContainText("Being checked");
    await expect(card).toContainText("Not published yet, because it mentions “pistol”.");
    await expectAccessibleAtBothSizes(seller);

    const buyer = await openAs("buyer@campus.test");
    await buyer.goto(path);
    await expect(buyer.getByRole("heading", { name: "Product Not Found" })).toBeVisible();

    const admin = await openAs("admin@campus.test");
    await admin.goto("/admin/moderation");
    await admin.getByRole("link", { name }).click();
    await expect(admin.getByText("because it mentions “pistol”").first()).toBeVisible();
    await admin.waitForURL(/\/admin\/moderation\/./);
    const casePath = new URL(admin.url()).pathname;
    await admin.getByRole("button", { name: "Publish" }).click();
    // The next case, or the queue.
    await admin.waitForURL(({ pathname }) => pathname !== casePath);

    await buyer.goto(path);
    await expect(buyer.getByRole("heading", { name })).toBeVisible();
    await seller.goto(path);
    await expect(seller.getByText("This is your listing.")).toBeVisible();
    await expect(seller.getByText("Being checked")).toBeHidden();
  },
);

test(
  "the reader of a message is warned of phone numbers until somebody has paid, and of paying directly always",
  { tag: "@phone" },
  async ({ page: seller, openWindow }) => {
    const buyer = await openWindow();
    await Promise.all([joinCampus(seller), joinCampus(buyer)]);
    const productId = await listProduct(seller, `Kettle ${crypto.randomUUID().slice(0, 8)}`);
    await buyer.goto(`/product/${productId}`);
    await buyer.getByRole("button", { name: "Message", exact: true }).click();
    await buyer.getByLabel("Your message").fill("Is it still there? Call 0712 345 678");
    await buyer.getByRole("button", { name: "Send", exact: true }).click();

    await seller.goto("/profile?tab=messages");
    await seller.getByRole("navigation", { name: "Conversations" }).getByRole("link").first().click();
    const log = seller.getByRole("log");
    await expect(log).toContainText("Careful: keep talking here until you've paid on Chuoni.");
    await expectAccessible(seller);

    const withSeller = new URL(await openConversation(buyer)).search;
    await expect(buyer.getByRole("log")).not.toContainText("Careful:");
    // A message that arrives while the conversation is open.
    await seller.getByRole("textbox", { name: /^Message / }).fill("Yes. Lipa na till 123456");
    await seller.getByRole("button", { name: "Send", exact: true }).click();
    await expect(buyer.getByRole("log")).toContainText("Careful: keep your payment on Chuoni.");

    await payOrder(buyer, await orderProduct(buyer, productId));
    await expect(async () => {
      await seller.reload();
      await expect(log).toContainText("0712 345 678");
      await expect(log).not.toContainText("Careful:", { timeout: 500 });
    }).toPass();
    await buyer.goto(`/profile${withSeller}`);
    await expect(buyer.getByRole("log")).toContainText("Careful: keep your payment on Chuoni.");
  },
);

async function openConversation(page: import("@playwright/test").Page): Promise<string> {
  await page.goto("/profile?tab=messages");
  await page.getByRole("navigation", { name: "Conversations" }).getByRole("link").first().click();
  await page.waitForURL(/with=/);
  return page.url();
}

test(
  "a new account that has posted five listings reads when it can post more, and loses nothing",
  { tag: "@phone" },
  async ({ page }) => {
    await joinCampus(page);
    for (let n = 1; n <= 5; n += 1) await listProduct(page, `Book ${n}`);
    await page.goto("/add-product");
    await page.getByLabel("Product name").fill("Book 6");
    await page.getByLabel("Price", { exact: true }).fill("700");
    await page.getByLabel("Category").selectOption("stationery");
    await page.getByLabel("Description").fill("Almost new");
    await page.getByRole("button", { name: "Add Product" }).click();
    const alert = page.getByRole("alert");
    await expect(alert).toContainText("You can post 5 listings on your first day. You can post more from ");
    await expect(alert.getByRole("link", { name: "How to get verified" })).toHaveAttribute("href", "/verified");
    await expect(page.getByLabel("Product name")).toHaveValue("Book 6");
    await expect(page.getByLabel("Description")).toHaveValue("Almost new");
    await expectAccessible(page);
  },
);
