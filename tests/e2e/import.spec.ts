/** A wholesaler imports a file of 200 rows of which 7 are bad, finds the listings in My Shop, and exports them. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, expectAccessibleAtBothSizes, signIn, test } from "#tests/support/browser.ts";

const HEADER =
  "SKU,Name,Description,Price,Original price,Category,Condition,Stock,Smallest order,Price steps,Takes offers,Lowest offer";

/** By their line: the error's column, and what is wrong. */
const BAD: Record<number, { column: string; row: (sku: string, name: string) => string }> = {
  11: { column: "Price", row: (sku, name) => `${sku},${name},Ruled,cheap,,Stationery,New,40,,,,` },
  42: { column: "Name", row: (sku) => `${sku},,Ruled,100,,Stationery,New,40,,,,` },
  73: { column: "Category", row: (sku, name) => `${sku},${name},Ruled,100,,Stationary,New,40,,,,` },
  104: { column: "Condition", row: (sku, name) => `${sku},${name},Ruled,100,,Stationery,Broken,40,,,,` },
  135: { column: "Stock", row: (sku, name) => `${sku},${name},Ruled,100,,Stationery,New,many,,,,` },
  166: { column: "Price steps", row: (sku, name) => `${sku},${name},Ruled,100,,Stationery,New,40,,12:500,,` },
  197: { column: "SKU", row: (_, name) => `,${name},Ruled,100,,Stationery,New,40,,,,` },
};

function fileOf(code: string): string {
  const rows = Array.from({ length: 200 }, (_, n) => {
    const [sku, name] = [`${code}-${n}`, `Exercise book ${code} ${n}`];
    const good = `${sku},${name},"Ruled, soft cover",${100 + n},,Stationery,New,40,6,"12:90; 48:80",,`;
    return BAD[n + 2]?.row(sku, name) ?? good;
  });
  return [HEADER, ...rows].join("\r\n");
}

async function send(page: Page, text: string | Buffer): Promise<void> {
  const buffer = typeof text === "string" ? Buffer.from(text) : text;
  await page.getByLabel("CSV file").setInputFiles({ name: "books.csv", mimeType: "text/csv", buffer });
  await page.getByRole("button", { name: "Check the File" }).click();
}

async function download(page: Page, name: RegExp): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
  return readFileSync(await file.path(), "utf8");
}

// A file that can't be read is refused.
test.use({ tolerated: /status of 400|ERR_FAILED/ });

test(
  "a wholesaler imports a file, leaves out its bad rows, and exports the listings",
  { tag: "@phone" },
  async ({ page }) => {
    const code = crypto.randomUUID().slice(0, 8).toUpperCase();
    await signIn(page, "wholesaler@campus.test");

    await test.step("a file that can't be read changes nothing and says why", async () => {
      await page.goto("/myshop");
      await page.getByRole("link", { name: "Import" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Import Listings" })).toBeVisible();
      await expectAccessibleAtBothSizes(page);
      expect(await download(page, /Download the template/)).toContain("Smallest order");
      await send(page, Buffer.from([0x50, 0x4b, 3, 4, 0, 0]));
      await expect(page.getByLabel("CSV file")).toHaveAccessibleDescription(/This is an Excel workbook/);
      await expectAccessibleAtBothSizes(page);
    });

    await test.step("the preview shows the 7 bad rows with line and column", async () => {
      await send(page, fileOf(code));
      const preview = page.getByRole("region", { name: "Check before you import" });
      await expect(preview).toContainText("books.csv");
      for (const [line, { column }] of Object.entries(BAD)) {
        const row = preview.getByRole("listitem").filter({ hasText: new RegExp(`^Line ${line}(?!\\d)`) });
        await expect(row).toContainText(`${column}: `);
      }
      await expect(preview).toContainText("Did you mean Stationery?");
      await expectAccessibleAtBothSizes(page);
      const errors = await download(page, /download only these rows/);
      expect(
        errors
          .trim()
          .split("\r\n")
          .filter((row) => row.includes(": ")),
      ).toHaveLength(7);
    });

    await test.step("the checked file stays where no answer comes", async () => {
      await page.route("**/myshop/import.data*", (route) => route.abort(), { times: 1 });
      await page.getByRole("button", { name: "Import 193 rows" }).click();
      await expect(page.getByRole("alert").filter({ hasText: "We couldn't reach Chuoni" })).toBeVisible();
      await expect(page.getByRole("region", { name: "Check before you import" })).toContainText("books.csv");
    });

    await test.step("the other 193 are imported at once", async () => {
      await page.getByRole("button", { name: "Import 193 rows" }).click();
      const result = page.getByRole("region", { name: "Import done" });
      await expect(result).toBeVisible();
      await expect(result.getByRole("definition").first()).toHaveText("193");
      await expectAccessibleAtBothSizes(page);
    });

    await test.step("My Shop shows them, and asks for their photos", async () => {
      await page.getByRole("link", { name: "Open My Shop" }).click();
      await expect(page.getByRole("heading", { name: `Exercise book ${code}` }).first()).toBeVisible();
      await expect(page.getByRole("link", { name: /^Add photos to Exercise book/ }).first()).toBeVisible();
      const tooWide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(tooWide).toBe(0);
    });

    let own: string[] = [];
    await test.step("the export has them, and the same file again changes nothing", async () => {
      await page.goto("/myshop/import");
      const exported = await download(page, /^Export [\d,]+ listings$/);
      expect(exported).toContain(`"${code}-0","Exercise book ${code} 0","Ruled, soft cover","100"`);
      // The other listings of this wholesaler change while other tests run.
      own = exported.split("\r\n").filter((row, at) => at === 0 || row.includes(code));
      expect(own).toHaveLength(194);
      await send(page, own.join("\r\n"));
      await expect(page.getByText("There is nothing to import.")).toBeVisible();
    });

    await test.step("a check that could not be read doesn't leave the one before", async () => {
      await page.route("**/myshop/import.data*", (route) => route.continue({ postData: "nonsense" }), { times: 1 });
      await send(page, "SKU,Name");
      await expect(page.getByText("We couldn't read what was sent.")).toBeVisible();
      await expect(page.getByRole("region", { name: "Check before you import" })).toHaveCount(0);
      await send(page, own.join("\r\n"));
      await expect(page.getByText("There is nothing to import.")).toBeVisible();
      await page.getByRole("link", { name: "Discard This File" }).click();
      await expect(page.getByRole("heading", { name: "Send a file" })).toBeVisible();
    });
  },
);
