/** What our team looks at before it is published, and what readers are warned about before they pay. */
import { expect, expectAccessibleAtBothSizes, test } from "#tests/support/browser.ts";
import { newWord } from "#tests/support/new-word.ts";
import { joinCampus } from "#tests/support/newcomer.ts";

// What a browser logs when a form is refused.
test.use({ tolerated: /Failed to load resource/ });

test(
  "a listing with a prohibited word is held, its seller reads why, and our team publishes it",
  { tag: "@phone" },
  async ({ page: seller, openAs }) => {
    await joinCampus(seller);
    const name = `Water toy ${newWord()}`;
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
