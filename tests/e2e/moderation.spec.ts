/**
 * A listing is reported where it is seen, an admin decides with one key, and its seller's appeal undoes the decision.
 */
import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessibleAtBothSizes, test } from "#tests/support/browser.ts";
import { linkMailedTo } from "#tests/support/mailbox.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct, originOf } from "#tests/support/requests.ts";

// Forms without a choice or a text, and a listing that is down.
test.use({ tolerated: /status of (400|404)/ });

/** Presses a key of a form that has only just arrived, and may not listen yet. */
async function pressUntil(page: Page, key: string, shown: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press(key);
    await expect(shown).toBeVisible({ timeout: 3_000 });
  }).toPass();
}

test(
  "report, decision by key, appeal without a login, and the decision undone",
  { tag: "@phone" },
  async ({ page: reporter, openAs, openWindow }) => {
    const seller = await openWindow();
    const { email: sellerEmail } = await joinCampus(seller);
    const { email: reporterEmail } = await joinCampus(reporter);
    const name = `Lab coat ${Date.now()}`;
    const productId = await listProduct(seller, name);
    const isShown = async () => (await reporter.request.get(`${originOf()}/product/${productId}`)).status() === 200;

    await test.step("the product page leads to the report, which asks for a reason", async () => {
      await reporter.goto(`/product/${productId}`);
      await reporter.getByRole("link", { name: "Report this listing" }).click();
      await expect(reporter.getByRole("heading", { level: 1, name: "Report this listing" })).toBeVisible();
      await reporter.getByRole("button", { name: "Send Report" }).click();
      await expect(reporter.getByText("Please choose what's wrong")).toBeVisible();
      await reporter.getByRole("radio", { name: /^Someone is in danger/ }).check();
      await reporter.getByLabel("What should our team know?").fill("The coat is full of acid.");
      await expectAccessibleAtBothSizes(reporter);
      await reporter.getByRole("button", { name: "Send Report" }).click();
      await expect(reporter.getByText("Thank you. Our team will review it.")).toBeVisible();
      await expect(reporter).toHaveURL(`/product/${productId}`);
      await reporter.getByRole("link", { name: "Report this listing" }).click();
      await expect(reporter.getByText("You've reported this.", { exact: false })).toBeVisible();
    });

    const admin = await openAs("admin@campus.test");
    await test.step("an admin takes it down with one key, and not while typing", async () => {
      await admin.goto("/admin/moderation");
      await expectAccessibleAtBothSizes(admin);
      await admin.getByRole("link", { name }).click();
      await expect(admin.getByRole("heading", { level: 1, name: `Listing: ${name}` })).toBeVisible();
      await expect(admin.getByText("The coat is full of acid.")).toBeVisible();
      await expect(admin.getByLabel("Reason")).toHaveValue("It can put people in danger.");
      await expectAccessibleAtBothSizes(admin);
      await admin.getByLabel("Reason").fill("It smells of acid, level ");
      await admin.getByLabel("Reason").press("End");
      await admin.keyboard.type("2.");
      await expect(admin.getByLabel("Reason")).toHaveValue("It smells of acid, level 2.");
      await admin.keyboard.press("Tab");
      // Just after the page has opened, keys do nothing.
      await admin.waitForTimeout(600);
      await admin.keyboard.press("2");
      // By mistake: it neither sends the decision again nor decides the next case.
      await admin.keyboard.press("2");
      await expect(admin.getByText("Decided. Everybody concerned gets an email.")).toBeVisible();
      await expect(admin.getByRole("heading", { level: 1, name: `Listing: ${name}` })).toHaveCount(0);
      expect(await isShown()).toBe(false);
      await linkMailedTo(reporter, reporterEmail, { path: "/home" });
    });

    const link = await linkMailedTo(seller, sellerEmail, { path: "/appeals/" });
    const visitor = await openWindow();
    await test.step("the seller reads why, and appeals without logging in", async () => {
      await visitor.goto(link);
      await expect(visitor.getByRole("heading", { level: 1, name: "About your listing" })).toBeVisible();
      await expect(visitor.getByText("Reason: It smells of acid, level 2.")).toBeVisible();
      await visitor.getByRole("button", { name: "Send Appeal" }).click();
      await expect(visitor.getByText("Please tell us why you disagree")).toBeVisible();
      await visitor.getByLabel("Why do you think we're wrong?").fill("It has been washed twice.");
      await expectAccessibleAtBothSizes(visitor);
      await visitor.getByRole("button", { name: "Send Appeal" }).click();
      await expect(visitor.getByText("Thank you.", { exact: false })).toBeVisible();
      await expect(visitor.getByRole("button", { name: "Send Appeal" })).toHaveCount(0);
    });

    await test.step("the appeal is in the queue, and granting it shows the listing again", async () => {
      await admin.goto("/admin/moderation");
      await admin.getByRole("link", { name }).click();
      await expect(admin.getByText("It has been washed twice.")).toBeVisible();
      await expectAccessibleAtBothSizes(admin);
      await admin.getByRole("textbox", { name: "Answer" }).fill("Thank you for washing it.");
      await admin.keyboard.press("Tab");
      await pressUntil(admin, "2", admin.getByText("Answered. We've emailed them."));
      expect(await isShown()).toBe(true);
      await visitor.reload();
      await expect(visitor.getByText("You were right. We've undone our decision.")).toBeVisible();
      await expect(visitor.getByText("Thank you for washing it.")).toBeVisible();
      await expectAccessibleAtBothSizes(visitor);
      await admin.goto("/admin/moderation?show=done");
      await expect(admin.getByText("Undone after an appeal").first()).toBeVisible();
    });
  },
);

test(
  "a desk shows the list beside the case, J and K go through it, and who has taken it is seen by others",
  { tag: "@desktop" },
  async ({ page: reporter, openAs, openWindow }) => {
    const seller = await openWindow();
    await joinCampus(seller);
    await joinCampus(reporter);
    for (const name of ["First desk lamp", "Second desk lamp"]) {
      const productId = await listProduct(seller, `${name} ${Date.now()}`);
      await reporter.goto(`/report/listing/${productId}`);
      await reporter.getByRole("radio", { name: /^Someone is in danger/ }).check();
      await reporter.getByLabel("What should our team know?").fill("It burns.");
      await reporter.getByRole("button", { name: "Send Report" }).click();
      await expect(reporter.getByText("Thank you. Our team will review it.")).toBeVisible();
    }
    const admin = await openAs("admin@campus.test");
    await admin.goto("/admin/moderation");
    const list = admin.getByRole("region", { name: "Moderation" });
    const opened = list.locator("[aria-current=true]");
    const links = list.locator("li").getByRole("link");
    await expect(admin.getByText("Choose a case.", { exact: false })).toBeVisible();
    await pressUntil(admin, "j", opened);
    await expect(links.first()).toHaveAttribute("aria-current", "true");
    await expect(list).toBeVisible();
    await expectAccessibleAtBothSizes(admin);
    await admin.keyboard.press("j");
    await expect(links.nth(1)).toHaveAttribute("aria-current", "true");
    await expect(admin.getByRole("heading", { level: 1 })).toContainText((await links.nth(1).textContent()) ?? "");
    await admin.keyboard.press("k");
    await expect(links.first()).toHaveAttribute("aria-current", "true");

    // What is typed belongs to the case that is open.
    await admin.getByText("Add a note").click();
    await admin.getByLabel("Note").fill("Looked at the lamp");
    await admin.getByLabel("Note").press("Tab");
    await pressUntil(admin, "j", links.nth(1).and(opened));
    await admin.getByText("Add a note").click();
    await expect(admin.getByLabel("Note")).toHaveValue("");
    await pressUntil(admin, "k", links.first().and(opened));

    await admin.getByRole("button", { name: "I'll Take This" }).click();
    await expect(admin.getByText("You work on this since", { exact: false })).toBeVisible();
    await expect(list.getByText("You work on it")).toBeVisible();
    await expect(admin.getByRole("button", { name: /^Nothing Wrong/ })).toBeVisible();
    await admin.getByRole("button", { name: "Give It Back" }).click();
    await expect(admin.getByText("Nobody works on this yet.")).toBeVisible();
  },
);
