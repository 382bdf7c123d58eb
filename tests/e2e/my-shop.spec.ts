/** A shop for its owner: opening it, the first sale, and a plan that features it until the plan ends. */
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { SHOP_TEXTS } from "#app/shops/shop-form-rules.ts";
import { holdRequests } from "#tests/support/hold-requests.ts";
import { expect, expectAccessible, test } from "#tests/support/browser.ts";
import { freshPhone } from "#tests/support/fresh-phone.ts";
import { newWord } from "#tests/support/new-word.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct, orderProduct, payOrder, post } from "#tests/support/requests.ts";
import { joinAsSeller } from "#tests/support/sales.ts";

/** Days ahead of today: after the week of the plan, and within a session's life. */
const AFTER_THE_PLAN = { "X-Days-Ahead": "28" };

/** A dialog over the page. */
function dialog(page: Page, name: string) {
  return page.getByRole("dialog", { name });
}

/** A student who has just become a seller. Returns the name of their shop. */
async function openShop(seller: Page): Promise<string> {
  await joinAsSeller(seller);
  const shopName = `Corner ${newWord()}`;
  await post(seller, "/myshop/settings", { shopName });
  return shopName;
}

test.describe("on a device that hasn't shown the terms yet", () => {
  // The form fails to load once.
  test.use({ termsSeen: false, tolerated: /Failed to load resource/ });

  test(
    "a student becomes a seller, reads the terms, names the shop and lists something",
    { tag: "@phone" },
    async ({ page: seller }) => {
      await joinCampus(seller);

      await test.step("becoming a seller asks two things and loses nothing typed", async () => {
        await seller.goto("/become-seller");
        await seller.getByLabel("M-Pesa number").fill("0712 000 950");
        await seller.getByRole("button", { name: "Become a Seller" }).click();
        await expect(seller.getByText("Please agree to sell honestly")).toBeVisible();
        await expect(seller.getByLabel("M-Pesa number")).toHaveValue(/950$/);
        await seller.getByRole("checkbox").check();
        await seller.getByRole("button", { name: "Become a Seller" }).click();
        await expect(seller).toHaveURL(/\/myshop$/);
      });

      await test.step("the terms open once by themselves, and their banner stays away once dismissed", async () => {
        await seller.goto("/myshop");
        const terms = dialog(seller, "Terms of Service");
        await expect(terms).toBeVisible();
        expect(await terms.evaluate(({ scrollTop }) => scrollTop), "it opens at its start").toBe(0);
        expect(await seller.evaluate(() => getComputedStyle(document.documentElement).overflow)).toBe("hidden");
        await expectAccessible(seller);
        await seller.keyboard.press("Escape");
        await expect(terms).toBeHidden();
        const banner = seller.getByRole("complementary", { name: "Seller terms" });
        await banner.getByRole("button", { name: "Dismiss" }).click();
        await expect(banner).toBeHidden();
        await seller.reload();
        await seller.getByRole("button", { name: "Terms of Service" }).click();
        await terms.getByRole("button", { name: "I Understand" }).click();
        await expect(terms).toBeHidden();
        await expect(banner).toBeHidden();
      });

      await test.step("the shop gets its name in a dialog", async () => {
        await seller.getByRole("button", { name: /Customize Shop|Edit Shop/ }).click();
        const settings = dialog(seller, "Shop Settings");
        await settings.getByLabel("Shop name").fill(" ");
        await settings.getByRole("button", { name: "Save Changes" }).click();
        await expect(settings.getByText("Shop name is required")).toBeVisible();
        await settings.getByLabel("Shop name").fill("Corner");
        await settings.getByRole("radio", { name: "By day" }).check({ force: true });
        await settings.getByRole("checkbox", { name: "Open on Monday" }).check();
        await expectAccessible(seller);
        await settings.getByRole("button", { name: "Save Changes" }).click();
        await expect(settings).toBeHidden();
        await expect(seller.getByRole("heading", { level: 1, name: "Corner" })).toBeVisible();
        // Long after the terms opened by themselves the first time.
        await expect(dialog(seller, "Terms of Service")).toBeHidden();
      });

      await test.step("a product is listed in a dialog", async () => {
        await seller.route("**/add-product.data*", (route) => route.abort(), { times: 1 });
        await seller.getByRole("button", { name: "Add Product" }).click();
        const form = dialog(seller, "Add New Product");
        await expect(form.getByRole("heading", { name: "We couldn't load the form" })).toBeVisible();
        await form.getByRole("button", { name: "Try Again" }).click();
        await form.getByLabel("Product name").fill("Set square");
        await form.getByLabel("Price", { exact: true }).fill("350");
        await form.getByLabel("Description").fill("Clear plastic, both sides marked.");
        await form.getByLabel("Category").first().selectOption({ label: "Stationery" });
        await form.getByRole("button", { name: /Add Product|List/ }).click();
        await expect(form).toBeHidden({ timeout: 20_000 });
        await expect(seller.getByRole("link", { name: "Set square", exact: true })).toBeVisible();
      });
    },
  );
});

test(
  "pictures that were chosen in the shop's settings are still there after a slip closed them",
  { tag: "@desktop" },
  async ({ page: seller }) => {
    await openShop(seller);
    await seller.goto("/myshop");
    const settings = dialog(seller, "Shop Settings");
    const pictures = (name: "Logo" | "Banner") => {
      const field = settings.getByRole("group", { name });
      return {
        field,
        choose: async (background: string) => {
          const buffer = await sharp({ create: { width: 900, height: 400, channels: 3, background } })
            .png()
            .toBuffer();
          await field.getByLabel("Add a photo").setInputFiles({ name: "one.png", mimeType: "image/png", buffer });
          await expect(field.getByRole("button", { name: "Photo 1: options" })).toBeVisible();
        },
        keys: () =>
          field
            .locator("input[type=hidden]")
            .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value)),
      };
    };
    const [logo, banner] = [pictures("Logo"), pictures("Banner")];
    const open = () => seller.getByRole("button", { name: /Customize Shop|Edit Shop/ }).click();
    const save = async () => {
      await settings.getByRole("button", { name: "Save Changes" }).click();
      await expect(settings).toBeHidden();
    };
    await open();
    await logo.choose("teal");
    await banner.choose("teal");
    const [oldLogo, oldBanner] = [await logo.keys(), await banner.keys()];
    await save();

    await open();
    await banner.field.getByRole("button", { name: "Photo 1: options" }).click();
    await banner.field.getByRole("button", { name: "Remove photo" }).click();
    await banner.choose("tomato");
    const newBanner = await banner.keys();
    expect(newBanner).not.toEqual(oldBanner);
    await seller.keyboard.press("Escape");
    await expect(settings).toBeHidden();
    await open();
    await expect(settings.getByText("Your changes are still here, but not saved yet.")).toBeVisible();
    expect([await logo.keys(), await banner.keys()]).toEqual([oldLogo, newBanner]);
    await save();
    await open();
    await expect(banner.field.getByRole("button", { name: "Photo 1: options" })).toBeVisible();
    expect([await logo.keys(), await banner.keys()]).toEqual([oldLogo, newBanner]);

    // Closed before the answer comes.
    await settings.getByLabel("Description").fill("Kettles and more.");
    const { asked, send } = await holdRequests(seller, "**/myshop/settings/send.data*");
    await settings.getByRole("button", { name: "Save Changes" }).click();
    await expect.poll(() => asked).toHaveLength(1);
    await seller.keyboard.press("Escape");
    await expect(settings).toBeHidden();
    send();
    await expect(seller.getByText(SHOP_TEXTS.saved)).toBeVisible();
    await open();
    await expect(settings.getByLabel("Description")).toHaveValue("Kettles and more.");
    await expect(settings.getByText("Your changes are still here, but not saved yet.")).toHaveCount(0);

    // Opened again before the answer comes, with more typed.
    await settings.getByLabel("Description").fill("Kettles.\nNew and used.");
    const late = await holdRequests(seller, "**/myshop/settings/send.data*");
    await settings.getByRole("button", { name: "Save Changes" }).click();
    await expect.poll(() => late.asked).toHaveLength(1);
    await seller.keyboard.press("Escape");
    await open();
    await settings.getByLabel("Policies").fill("No returns.");
    const saved = seller.waitForResponse((response) => response.request().method() === "POST");
    late.send();
    await saved;
    await expect(seller.getByText(SHOP_TEXTS.saved).last()).toBeVisible();
    await seller.keyboard.press("Escape");
    await open();
    await expect(settings.getByLabel("Policies")).toHaveValue("No returns.");
    await save();
    await open();
    await expect(settings.getByText("Your changes are still here, but not saved yet.")).toHaveCount(0);
  },
);

test(
  "a first sale shows in the figures and among the orders, and is agreed, shipped and delivered",
  {
    tag: "@desktop",
  },
  async ({ page: seller, openAs }) => {
    await openShop(seller);
    const name = "Drawing compass";
    const productId = await listProduct(seller, name);
    await seller.goto("/myshop");
    const sales = seller.locator(".shop-figure", { hasText: "Total Sales" }).locator("strong");
    await expect(sales).toHaveText("0");
    const buyer = await openAs("pro@campus.test");
    const orderId = await orderProduct(buyer, productId);
    await payOrder(buyer, orderId);

    await test.step("the sale shows while the shop is open", async () => {
      await expect(sales).toHaveText("1");
      await seller.getByText("Last 30 days").click();
      await seller.getByText("Show as a table").click();
      await expect(seller.getByRole("columnheader", { name: "Revenue" })).toBeVisible();
      await expectAccessible(seller);
      const todos = seller.getByRole("region", { name: "To do" });
      await expect(todos.getByRole("link")).toHaveText(["Message 1 buyer"]);
      await seller.getByRole("link", { name: /^Pending Orders/ }).click();
      const row = seller.locator('a[href^="/seller/orders/"]').filter({ hasText: name });
      await expect(row).toContainText("Need Contact");
      const number = /· ([0-9a-f]{8})/.exec(await row.innerText())?.[1] ?? "";
      await seller.getByRole("link", { name: /^In transit/ }).click();
      await expect(row).toBeHidden();
      await seller.getByLabel("Find an order by its number").fill("x");
      await seller.getByRole("button", { name: "Find" }).click();
      await expect(seller.getByText("Type at least 4 characters of the order number")).toBeVisible();
      await seller.getByLabel("Find an order by its number").fill(number);
      await seller.getByRole("button", { name: "Find" }).click();
      await expect(row).toBeVisible();
      await expectAccessible(seller);
      await row.click();
    });

    await test.step("it is agreed, shipped and delivered", async () => {
      // A browser without scripts yet has the buyer's box on the page.
      await buyer.goto(`/orders/${orderId}?message`);
      await buyer.getByLabel("Add photos").setInputFiles("public/apple-touch-icon.png");
      const photo = buyer.getByRole("list", { name: "Photos in this message" }).getByRole("img");
      await expect(photo).toBeVisible();
      await seller.getByRole("button", { name: "Contact Buyer" }).click();
      const letter = seller.getByRole("dialog", { name: /^Message / });
      await letter.getByRole("textbox", { name: /message/i }).fill("Hello! At the gate at four?");
      await letter.getByRole("button", { name: "Send" }).click();
      await expect(letter).toBeHidden();
      await expect(seller.getByText("Waiting for buyer...")).toBeVisible();
      await expect(buyer.getByText("At the gate at four?")).toBeVisible();
      await expect(photo).toBeVisible();
      await buyer.getByRole("button", { name: "Agree" }).click();
      await seller.getByText("Do you send it instead?").click();
      await seller.getByRole("button", { name: "Mark as Shipped" }).click();
      await expect(seller.getByText("Order marked as shipped")).toBeVisible();
      await seller.getByRole("button", { name: "Mark as Delivered" }).first().click();
      await seller.getByRole("alertdialog").getByRole("button", { name: "Yes, Delivered" }).click();
      await expect(seller.getByText("Order marked as delivered")).toBeVisible();
      await expect(buyer.getByText("Delivered").last()).toBeVisible();
    });

    await test.step("the profile shows the seller", async () => {
      await seller.goto("/profile");
      await expect(seller.getByRole("link", { name: "Listings", exact: true })).toHaveAttribute("aria-current", "page");
      await expect(seller.getByRole("link", { name, exact: true })).toBeVisible();
    });
  },
);

test(
  "a plan is paid with the phone, and the shop is featured until it ends",
  {
    tag: "@phone",
  },
  async ({ page: seller, openAs }) => {
    const shopName = await openShop(seller);
    const name = `Set square ${newWord()}`;
    await listProduct(seller, name);

    await test.step("a plan is paid with the phone", async () => {
      await seller.goto("/subscription");
      await expect(seller.getByText("Kshs. 2,500")).toBeVisible();
      await expectAccessible(seller);
      await seller.getByRole("link", { name: "Subscribe to the Weekly Featured Listing" }).click();
      await seller.getByLabel("M-Pesa phone number").fill("0202");
      await seller.getByRole("button", { name: "Pay KES 400 with M-Pesa" }).click();
      await expect(seller.getByText(/Invalid phone number format/)).toBeVisible();
      await seller.getByLabel("M-Pesa phone number").fill(freshPhone());
      // It passes while the press may still be in progress.
      const asked = expect(
        seller.getByText("Payment request sent. Please check your phone for the M-Pesa prompt."),
      ).toBeVisible();
      await seller.getByRole("button", { name: "Pay KES 400 with M-Pesa" }).click();
      await asked;
      await expect(seller.getByText(/Your shop is featured until/)).toBeVisible({ timeout: 30_000 });
      await seller.getByRole("link", { name: "Open My Shop" }).click();
      await expect(seller.getByText("Featured", { exact: true })).toBeVisible();
    });

    await test.step("everybody sees that the shop is featured, until the plan ends by itself", async () => {
      const buyer = await openAs("pro@campus.test");
      const shop = buyer.getByRole("region", { name: "Featured Shops" }).getByRole("article", { name: shopName });
      const listing = buyer.getByRole("main").getByRole("article").filter({ hasText: name });
      await buyer.goto("/home");
      await expect(shop.getByText("Featured", { exact: true })).toBeVisible();
      await buyer.goto(`/search?q=${encodeURIComponent(name)}`);
      await expect(listing.getByText("Featured", { exact: true })).toBeVisible();
      await expectAccessible(buyer);

      await buyer.setExtraHTTPHeaders(AFTER_THE_PLAN);
      await buyer.reload();
      await expect(listing).toBeVisible();
      await expect(listing.getByText("Featured", { exact: true })).toBeHidden();
      await buyer.goto("/home");
      await expect(buyer.getByRole("region", { name: "Featured Shops" })).toBeVisible();
      await expect(shop.getByText("Featured", { exact: true })).toBeHidden();
      await seller.setExtraHTTPHeaders(AFTER_THE_PLAN);
      await seller.reload();
      await expect(seller.getByRole("heading", { level: 1, name: shopName })).toBeVisible();
      await expect(seller.getByText("Featured", { exact: true })).toBeHidden();
      await seller.goto("/subscription");
      await expect(seller.getByRole("heading", { name: "Weekly Featured Listing", exact: true })).toBeVisible();
      await expect(seller.getByText("Running now")).toBeHidden();
      await seller.setExtraHTTPHeaders({});
    });
  },
);
