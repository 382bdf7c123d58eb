/** The facts of a listing in its form, with scripts: they follow the name, and a draft keeps them. */
import { expect, expectAccessibleAtBothSizes, test } from "#tests/support/browser.ts";
import { openFields } from "#tests/support/more-fields.ts";
import { newWord } from "#tests/support/new-word.ts";
import { joinCampus } from "#tests/support/newcomer.ts";

test("the form asks for what such a thing has, and its page says it", { tag: "@phone" }, async ({ page }) => {
  await joinCampus(page);
  const name = `Samsung A14 4/128 ${newWord()}`;
  await page.goto("/add-product");
  await page.getByLabel("Product name").fill(name);
  await openFields(page, "What it is");
  await expect(page.getByText("From its name: brand Samsung, storage 128 GB, memory 4 GB.")).toBeVisible();
  await expect(page.getByLabel("Storage")).toHaveValue("");
  await page.getByLabel("Storage").selectOption("64 GB");
  await page.getByLabel("Memory").selectOption("Not said");
  await page.getByLabel("Color").selectOption("Blue");
  await expectAccessibleAtBothSizes(page);

  await test.step("a draft keeps them", async () => {
    // A draft is saved after a short pause.
    await page.waitForTimeout(600);
    await page.reload();
    await expect(page.getByText("We restored your draft.")).toBeVisible();
    await openFields(page, "What it is");
    await expect(page.getByLabel("Storage")).toHaveValue("64");
    await expect(page.getByLabel("Memory")).toHaveValue("none");
    await expect(page.getByLabel("Color")).toHaveValue("blue");
  });

  await test.step("another kind of thing has other facts", async () => {
    await page.getByLabel("Product name").fill("Nike sneakers 42");
    await expect(page.getByLabel("Size")).toBeVisible();
    await expect(page.getByLabel("Storage")).toHaveCount(0);
    await expect(page.getByLabel("Color")).toHaveValue("blue");
    await page.getByLabel("Product name").fill(name);
    await expect(page.getByLabel("Storage")).toHaveValue("64");
  });

  await page.getByLabel("Price", { exact: true }).fill("14500");
  await page.getByLabel("Description").fill("Clean, with its box");
  await page.getByRole("button", { name: "Add Product" }).click();
  await page.waitForURL(/\/product\/[0-9a-f-]{36}$/);
  const facts = page.getByRole("article").locator("dl").first();
  await expect(facts).toHaveText("BrandSamsungStorage64 GBColorBlue");

  await test.step("an edit shows what was chosen", async () => {
    await page.goto(`${new URL(page.url()).pathname}/edit`);
    await openFields(page, "What it is");
    await expect(page.getByLabel("Storage")).toHaveValue("64");
    await page.getByLabel("Storage").selectOption("128 GB, as its name says");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await page.waitForURL(/\/product\/[0-9a-f-]{36}$/);
    await expect(facts).toHaveText("BrandSamsungStorage128 GBColorBlue");
  });
});
