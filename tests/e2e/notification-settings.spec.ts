/** What reaches a student by push and email: chosen in the settings, and from an email itself. */
import { expect, expectAccessibleAtBothSizes, test } from "#tests/support/browser.ts";
import { linkMailedTo } from "#tests/support/mailbox.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct, post } from "#tests/support/requests.ts";
import { joinAsSeller } from "#tests/support/sales.ts";

const SETTINGS = "/settings/notifications";

test.use({ tolerated: /status of 400/ });

test(
  "an email's own link stops emails like it without a login, and the settings turn them on again",
  { tag: "@phone" },
  async ({ page, openWindow }) => {
    const [seller, stranger] = [await openWindow(), await openWindow()];
    await joinAsSeller(seller);
    const productId = await listProduct(seller, "Extension cable", { madeToOrder: "", stock: "1" });
    const { email } = await joinCampus(page);
    await post(seller, `/product/${productId}/manage`, { intent: "stock", seen: "1", stock: "0" });
    await post(page, `/product/${productId}/wait`, { wait: "yes" });
    await post(seller, `/product/${productId}/manage`, { intent: "stock", seen: "0", stock: "2" });

    // A browser that nobody is logged in on, as on another phone.
    await stranger.goto(await linkMailedTo(page, email, { path: "/unsubscribe/" }));
    await expect(stranger.getByRole("heading", { level: 1, name: /^Stop emails about things/ })).toBeVisible();
    await expectAccessibleAtBothSizes(stranger);
    await stranger.getByRole("button", { name: "Stop These Emails" }).click();
    await expect(stranger.getByRole("heading", { level: 1, name: /^You get no emails about things/ })).toBeVisible();
    await expect(stranger.getByRole("button", { name: "Turn On Again" })).toBeVisible();

    await page.goto(SETTINGS);
    const wanted = page.getByRole("group", { name: "Things you want" });
    await expect(wanted.getByLabel("Email")).not.toBeChecked();
    await expect(wanted.getByLabel("Push")).toBeChecked();
    await wanted.getByLabel("Email").check();
    await page.getByLabel("No push between these times").check();
    await page.getByLabel("From").fill("21:30");
    await page.getByLabel("Until").fill("21:30");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByLabel("Until")).toBeFocused();
    await page.getByLabel("Until").fill("06:00");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("Saved", { exact: true })).toBeVisible();
    await page.reload();
    await expect(wanted.getByLabel("Email")).toBeChecked();
    await expect(page.getByLabel("From")).toHaveValue("21:30");
  },
);
