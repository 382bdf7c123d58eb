/** What our team looks at before it is published, and what readers are warned about before they pay. */
import sharp from "sharp";
import { expect, expectAccessibleAtBothSizes, test } from "#tests/support/browser.ts";
import { openFields } from "#tests/support/more-fields.ts";
import { newImei } from "#tests/support/new-imei.ts";
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

test(
  "a phone with a serial number that a student reports as stolen is held, and whoever asks is told",
  { tag: "@phone" },
  async ({ page: asker, openAs, openWindow }) => {
    const imei = newImei();
    const seller = await openWindow();
    await joinCampus(seller);
    const name = `Samsung phone ${newWord()}`;
    await seller.goto("/add-product");
    await seller.getByLabel("Product name").fill(name);
    await seller.getByLabel("Price", { exact: true }).fill("7000");
    await seller.getByLabel("Category").selectOption("electronics");
    await seller.getByLabel("Description").fill("Works well");
    await openFields(seller, "What it is");
    await seller.getByLabel("IMEI or serial number").fill(imei.slice(0, 14));
    await seller.getByRole("button", { name: "Add Product" }).click();
    await expect(seller.getByText("An IMEI has 15 digits, and one of these is wrong.")).toBeVisible();
    await seller.getByLabel("IMEI or serial number").fill(imei);
    await seller.getByRole("button", { name: "Add Product" }).click();
    await seller.waitForURL(/\/product\/[0-9a-f-]{36}/);
    const path = new URL(seller.url()).pathname;

    await joinCampus(asker);
    await asker.goto("/serials");
    await expect(asker.getByText("Verified students can report its serial number.")).toBeVisible();
    await asker.getByLabel("IMEI or serial number").fill(`IMEI: ${imei.slice(0, 6)}-${imei.slice(6)}`);
    await asker.getByRole("button", { name: "Ask", exact: true }).click();
    await expect(asker.getByText("Nobody has reported it here.")).toBeVisible();
    await expectAccessibleAtBothSizes(asker);

    const student = await openAs("buyer@campus.test");
    await student.goto("/serials");
    await student.getByLabel("Its IMEI or serial number").fill(imei);
    await student.getByLabel("When and where was it taken?").fill("In the library, on Monday. OB 12/2026");
    const proof = await sharp({ create: { width: 600, height: 400, channels: 3, background: "teal" } })
      .jpeg()
      .toBuffer();
    await student.getByLabel("Add photos").setInputFiles({ name: "box.jpg", mimeType: "image/jpeg", buffer: proof });
    await student.getByRole("button", { name: "Report It as Stolen" }).click();
    await expect(student.getByText(/^Thank you\. What is for sale with this serial number/)).toBeVisible();
    await expect(student.getByRole("list", { name: "Your reports" })).toContainText(`Ends in ${imei.slice(-4)}`);
    await expectAccessibleAtBothSizes(student);

    await seller.goto(path);
    await expect(seller.getByRole("article").first()).toContainText(
      "because somebody reported its serial number as stolen",
    );
    await asker.getByRole("button", { name: "Ask", exact: true }).click();
    await expect(asker.getByText("Somebody reported it as stolen.")).toBeVisible();

    const admin = await openAs("admin@campus.test");
    await admin.goto("/admin/moderation");
    await admin.getByRole("link", { name }).click();
    const reported = admin.getByRole("list", { name: "Reported as stolen" });
    await expect(reported).toContainText("In the library, on Monday. OB 12/2026");
    await expect(reported.getByRole("img")).toBeVisible();
    await admin.getByRole("button", { name: "Publish" }).click();
    await expect(reported).toBeHidden();
    await seller.goto(path);
    await expect(seller.getByText("Being checked")).toBeHidden();
  },
);
