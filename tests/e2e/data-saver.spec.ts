/** Data saver: switched on in the settings, or by the browser. */
import type { Page } from "@playwright/test";
import { expect, expectAccessibleAtBothSizes, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";

/** Which files of a page the browser has asked for. */
function watchFiles(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  return asked;
}

const cards = (page: Page) => page.getByRole("group", { name: "Products" }).locator("> *");

async function scrollToEnd(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Show more" }).scrollIntoViewIfNeeded();
  // Longer than a page of the list takes to arrive.
  await page.waitForTimeout(1_500);
}

/** The feed as Data saver shows it. */
async function expectSaving(page: Page, asked: string[]): Promise<void> {
  const shown = await cards(page).count();
  await scrollToEnd(page);
  await expect(cards(page)).toHaveCount(shown);
  const photos = asked.filter((path) => path.startsWith("/files/img/"));
  expect(photos.filter((path) => !/\/320\.\w+$/.test(path))).toEqual([]);
  // The newest listings may be those of other tests, without photos. The home page has some of the demo.
  await expect(page.locator("img[srcset], main img:not([loading='lazy'])")).toHaveCount(0);
  await page.getByRole("link", { name: "Show more" }).click();
  await expect.poll(() => cards(page).count()).toBeGreaterThan(shown);
}

test("somebody turns Data saver on in the settings, and off again", { tag: "@phone" }, async ({ page }) => {
  await joinCampus(page);
  await page.goto("/profile?tab=settings&section=data-saver");
  const saver = page.getByRole("switch", { name: "Data saver" });
  await expect(saver).not.toBeChecked();
  await expect(page.getByText("It turns on by itself if your browser asks websites to save data.")).toBeVisible();
  await saver.click();
  await expect(saver).toBeChecked();
  await expect(page.getByText("Data saver is on")).toBeVisible();
  await expectAccessibleAtBothSizes(page);

  const asked = watchFiles(page);
  await page.goto("/studentmarketplace");
  await expectSaving(page, asked);

  await page.goto("/profile?tab=settings&section=data-saver");
  await saver.click();
  await expect(saver).not.toBeChecked();
  await page.goto("/studentmarketplace");
  const shown = await cards(page).count();
  await scrollToEnd(page);
  await expect.poll(() => cards(page).count()).toBeGreaterThan(shown);
});
