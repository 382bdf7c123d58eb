/** Sharing: the share menu of products and shops, and the poster with its QR code. */
import type { Page } from "@playwright/test";
import jsQR from "jsqr";
import sharp from "sharp";
import { expect, expectAccessible, signIn, test } from "#tests/support/browser.ts";
import { originOf } from "#tests/support/requests.ts";

/** Opens a product of another seller. */
async function openProduct(page: Page): Promise<void> {
  await signIn(page, "buyer@campus.test");
  await page.goto("/search?q=Tecno Spark 20, gravity black");
  await page.getByRole("main").getByRole("article").getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Tecno Spark 20, gravity black");
}

/** What a camera reads from the QR code on the page. */
async function scan(page: Page): Promise<string | undefined> {
  const picture = await page.getByRole("img", { name: "QR code of the link" }).screenshot();
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data;
}

test(
  "a product is shared by its public link: copied, in WhatsApp, and by the device",
  { tag: "@phone" },
  async ({ page }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.addInitScript(() => {
      const sent: unknown[] = [];
      Object.assign(window, { sent });
      Object.defineProperty(navigator, "share", { value: async (data: unknown) => void sent.push(data) });
    });
    await openProduct(page);
    const share = page.getByRole("button", { name: "Share Tecno Spark 20, gravity black" });
    const menu = page.getByRole("dialog", { name: "Share this product" });

    await share.focus();
    await page.keyboard.press("Enter");
    await expectAccessible(page);
    const link = await menu.getByRole("textbox", { name: "Link" }).inputValue();
    expect(link.replace(originOf(), "")).toMatch(/^\/p\/[0-9a-z]{10}\/tecno-spark-20-gravity-black$/);
    await menu.getByRole("button", { name: "Copy link" }).click();
    // Outside of the dialog it would be dimmed, and nobody would hear it.
    await expect(menu.getByText("Link copied to clipboard!")).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);

    const chat = new URL((await menu.getByRole("link", { name: "WhatsApp" }).getAttribute("href")) ?? "");
    expect(chat.origin + chat.pathname).toBe("https://wa.me/");
    expect(chat.searchParams.get("text")).toMatch(/^Tecno Spark 20, gravity black for KES [\d,]+ on Chuoni\n/);
    expect(chat.searchParams.get("text")?.split("\n")[1]).toBe(link);

    await page.keyboard.press("Escape");
    await expect(menu).toBeHidden();
    await expect(share).toBeFocused();
    await share.click();
    await expect(menu).toBeVisible();
    await page.goBack();
    await expect(menu).toBeHidden();
    await expect(page).toHaveURL(/\/product\//);
    await share.click();
    await expect(menu).toBeVisible();
    await page.mouse.click(5, 5);
    await expect(menu).toBeHidden();

    await share.click();
    await menu.getByRole("button", { name: "Share…" }).click();
    await expect(menu).toBeHidden();
    expect(await page.evaluate("sent")).toEqual([
      { title: "Tecno Spark 20, gravity black", text: expect.stringMatching(/ on Chuoni$/), url: link },
    ]);
  },
);

test("where the browser refuses to copy, the link stands there to be selected", { tag: "@phone" }, async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject(new Error("no")) } });
  });
  await openProduct(page);
  await page.getByRole("button", { name: /^Share / }).click();
  const menu = page.getByRole("dialog", { name: "Share this product" });
  await menu.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByText("Press and hold the link instead.")).toBeVisible();
  await menu.getByRole("textbox", { name: "Link" }).focus();
  expect(await page.evaluate(() => getSelection()?.toString())).toMatch(/^http.*\/p\//);
});

test(
  "a poster is one A4 page, and its code leads to the public page",
  { tag: "@phone" },
  async ({ page, openWindow }) => {
    await openProduct(page);
    const product = new URL(page.url()).pathname;
    await page.getByRole("button", { name: /^Share / }).click();
    await page.getByRole("link", { name: "Print a poster" }).click();
    await expect(page).toHaveURL(`${product}/poster`);
    await expect(page.getByRole("heading", { name: "Print a Poster" })).toBeVisible();
    const poster = page.getByRole("article", { name: "Poster" });
    await expect(poster.getByRole("heading")).toHaveText("Tecno Spark 20, gravity black");
    await expect(poster.getByText(/^KES /)).toBeVisible();
    const link = (await poster.getByRole("link").getAttribute("href")) ?? "";
    expect(link).toMatch(/^https?:\/\/[^/]+\/p\/[0-9a-z]{10}$/);
    await expect(poster.getByRole("link")).toHaveText(link.replace(/^https?:\/\//, ""));
    expect(await scan(page)).toBe(link);
    await expectAccessible(page);
    const visitor = await openWindow();
    await visitor.goto(link);
    await expect(visitor).toHaveURL(`${link}/tecno-spark-20-gravity-black`);
    await expect(visitor.getByRole("heading", { level: 1 })).toHaveText("Tecno Spark 20, gravity black");

    await page.emulateMedia({ media: "print" });
    await expect(page.getByRole("banner")).toBeHidden();
    await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
    const pixels = (await poster.getByRole("img").boundingBox())?.width ?? 0;
    expect((pixels / 96) * 2.54).toBeGreaterThan(6);
    expect(await countPages(page)).toBe(1);
    await page.emulateMedia({ media: "screen" });
    await page.getByRole("link", { name: "Back to the product" }).click();
    await expect(page).toHaveURL(product);
  },
);

/** How many sheets the page takes, printed on its own paper size. */
async function countPages(page: Page): Promise<number> {
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  expect(pdf).toMatch(/\/MediaBox \[0 0 59[45][.\d]* 84[12][.\d]*\]/);
  return pdf.match(/\/Type \/Page\b(?!s)/g)?.length ?? 0;
}
