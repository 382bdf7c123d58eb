/** Saved searches: from a search that finds nothing to the thing that somebody lists. */
import type { Page } from "@playwright/test";
import {
  expect,
  expectAccessible,
  expectAccessibleAtBothSizes,
  runScheduledJobs,
  test,
} from "#tests/support/browser.ts";
import { newWord } from "#tests/support/new-word.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct, post } from "#tests/support/requests.ts";

/** What a search finds is told once nothing more has come for five minutes. */
const NEWS_GATHERED_MINUTES = 6;

async function tellNews(page: Page): Promise<void> {
  await runScheduledJobs(page);
  await runScheduledJobs(page, NEWS_GATHERED_MINUTES);
}

test.describe.configure({ timeout: 180_000 });
// A request that fails is part of what people see.
test.use({ tolerated: /ERR_FAILED|status of 410/ });

test.beforeEach(async ({ page }) => {
  await joinCampus(page);
});

test(
  "who finds nothing is told when somebody lists it, and is led to it",
  { tag: "@phone" },
  async ({ page, openWindow }) => {
    const word = `zither${newWord()}`;
    const seller = await openWindow();
    await joinCampus(seller);

    await test.step("one tap saves the search, with its price", async () => {
      await page.goto(`/search?q=${word}+under+2000`);
      await page.getByRole("button", { name: "Tell me when one is listed" }).click();
      await expect(page.getByText("Saved. We'll tell you when something new fits.")).toBeVisible();
      await page.getByRole("main").getByRole("link", { name: "Saved", exact: true }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Saved Searches" })).toBeVisible();
      await expect(page.getByText("Up to KES 2,000")).toBeVisible();
      await expect(page.getByRole("button", { name: "At once" })).toHaveAttribute("aria-pressed", "true");
      await expectAccessibleAtBothSizes(page);
    });

    await test.step("everybody who has its link can ask who has one, and whoever has one lists it", async () => {
      await page.getByRole("button", { name: `Ask Who Has One “${word}”` }).click();
      await expect(page.getByText("Anybody with the link can see this search now, without your name")).toBeVisible();
      const sentence = `Somebody on Main Campus is looking for “${word}”, KES 2,000 or less.`;
      await expect(page.getByText(`Shared: ${sentence}`)).toBeVisible();
      await expectAccessibleAtBothSizes(page);
      await page.getByRole("button", { name: `Share “${word}”` }).click();
      const menu = page.getByRole("dialog", { name: "Share this search" });
      await expect(menu.getByRole("link", { name: "WhatsApp" })).toHaveAttribute(
        "href",
        new RegExp(`text=Somebody%20on%20Main%20Campus.*Have%20one`),
      );
      const link = await menu.getByRole("textbox", { name: "Link" }).inputValue();
      await page.keyboard.press("Escape");

      const visitor = await openWindow();
      await visitor.goto(link);
      await expect(visitor.getByText("Somebody on Main Campus is looking for")).toBeVisible();
      await expect(visitor.getByText("KES 2,000 or less")).toBeVisible();
      await expectAccessibleAtBothSizes(visitor);
      await visitor.getByRole("link", { name: "Sell It" }).click();
      await visitor.getByLabel("Email").fill("seller@campus.test");
      await visitor.getByLabel("Password", { exact: true }).fill("campus-demo");
      await visitor.getByRole("button", { name: "Login", exact: true }).click();
      await expect(visitor.getByRole("heading", { level: 1, name: "Add New Product" })).toBeVisible();
      await expect(visitor.getByText(sentence)).toBeVisible();
      await expect(visitor.getByLabel("Product name")).toHaveValue(word.replace("z", "Z"));
      await expect(visitor.getByLabel("Price", { exact: true })).toHaveValue("2000");

      await page.getByRole("button", { name: `Stop Sharing “${word}”` }).click();
      await expect(page.getByText("Nobody can open the link any more")).toBeVisible();
      await visitor.goto(link);
      await expect(
        visitor.getByRole("heading", { level: 1, name: "Nobody can see this search any more" }),
      ).toBeVisible();
    });

    // News that comes at night waits for its end.
    await post(page, "/settings/notifications", {
      from: "22:00",
      until: "07:00",
      openedQuiet: "22:00 07:00",
      intent: "save",
    });
    const bell = page.getByRole("banner").getByRole("link", { name: /^Notifications/ });
    await listProduct(seller, `Dear ${word}`, { price: "2500" });
    await tellNews(page);
    await expect(bell).toHaveAccessibleName("Notifications");
    const productId = await listProduct(seller, `Cheap ${word}`);
    await tellNews(page);

    await test.step("the bell counts it while the page is open, and leads to the product", async () => {
      await expect(bell).toHaveAccessibleName("Notifications, 1 new");
      await bell.click();
      await page.getByRole("link", { name: /Somebody listed what you look for/ }).click();
      await expect(page).toHaveURL(`/product/${productId}`);
    });

    await test.step("the search counts it until it is opened", async () => {
      await page.goto("/saved-searches");
      await page.getByRole("link", { name: `“${word}”, 1 new` }).click();
      await expect(page).toHaveURL(new RegExp(`/search\\?q=${word}&max=2000`));
      await expect(page.getByRole("main").getByRole("article")).toHaveCount(1);
      await page.goto("/saved-searches");
      await expect(page.getByRole("link", { name: `“${word}”`, exact: true })).toBeVisible();
    });

    await test.step("its frequency is one tap, and so is its end", async () => {
      await page.getByRole("button", { name: "Once a day" }).click();
      await expect(page.getByText("We'll tell you once a day, in the evening")).toBeVisible();
      await expect(page.getByRole("button", { name: "Once a day" })).toHaveAttribute("aria-pressed", "true");
      await page.getByRole("button", { name: /^Delete/ }).click();
      await expect(page.getByRole("heading", { level: 1, name: "No Saved Searches" })).toBeVisible();
      await expectAccessible(page);
    });
  },
);
