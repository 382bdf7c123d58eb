/** What a seller is asked when a listing hasn't changed for long, and how one press answers. */
import { expect, expectAccessibleAtBothSizes, runScheduledJobs, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct } from "#tests/support/requests.ts";
import { newWord } from "#tests/support/new-word.ts";

test("a seller is asked about old listings, and answers each with one press", { tag: "@phone" }, async ({ page }) => {
  await joinCampus(page);
  const [kettle, lamp] = [`Kettle ${newWord()}`, `Lamp ${newWord()}`];
  await page.context().setExtraHTTPHeaders({ "X-Days-Ahead": "-40" });
  await listProduct(page, kettle);
  const lampId = await listProduct(page, lamp, { price: "1900" });
  await page.context().setExtraHTTPHeaders({});
  await runScheduledJobs(page);

  await page.goto("/myshop/still-available");
  await expect(page.getByRole("heading", { name: "Still Available?" })).toBeVisible();
  await expectAccessibleAtBothSizes(page);
  await page.getByRole("button", { name: `Still available: ${kettle}` }).click();
  await expect(page.getByText("Thanks! Buyers can see it.")).toBeVisible();
  await expect(page.getByText(kettle)).toBeHidden();
  await page.getByRole("button", { name: `Lower to KES 1,700: ${lamp}` }).click();
  await expect(page.getByRole("heading", { name: "Nothing to confirm" })).toBeVisible();
  await page.goto(`/product/${lampId}`);
  await expect(page.getByText("KES 1,700").first()).toBeVisible();
});
