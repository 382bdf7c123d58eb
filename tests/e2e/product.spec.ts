/** A product's page: its photos, its meta tags, and messaging its seller. */
import { expect, expectAccessible, signIn, test } from "#tests/support/browser.ts";

const BUYER = "buyer@campus.test";

// One answer is lost on purpose, one product does not exist.
test.use({ tolerated: /404|ERR_FAILED/ });

test(
  "photos are swiped, chosen and zoomed, and the seller is written to",
  { tag: "@phone" },
  async ({ page, openAs }) => {
    test.slow();
    await signIn(page, BUYER);
    await page.goto("/search?q=Tecno Spark 20, gravity black");
    await page.getByRole("main").getByRole("article").getByRole("link").first().click();
    await page.waitForURL("/product/*");
    await expect(page.getByRole("button", { name: "Message" })).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Tecno Spark 20, gravity black");

    const photos = page.getByRole("list", { name: "Photos of Tecno" }).getByRole("listitem");
    const thumbs = page.getByRole("list", { name: "All photos" }).getByRole("button");
    await expect(photos.nth(0)).toBeInViewport({ ratio: 0.5 });
    await thumbs.nth(2).click();
    await expect(photos.nth(2)).toBeInViewport({ ratio: 0.5 });
    await expect(thumbs.nth(2)).toHaveAttribute("aria-current", "true");
    await photos.nth(2).getByRole("link").focus();
    await page.keyboard.press("ArrowLeft");
    await expect(photos.nth(1)).toBeInViewport({ ratio: 0.5 });
    await page.keyboard.press("Enter");
    const large = page.getByRole("dialog", { name: /^Photos of Tecno/ });
    await expect(large.getByText("2 / 3")).toBeVisible();
    await page.keyboard.press("ArrowRight");
    await expect(large.getByText("3 / 3")).toBeVisible();
    await large.getByRole("button", { name: "Zoom" }).click();
    await expectAccessible(page);
    await page.goBack();
    await expect(large).toBeHidden();
    await expect(photos.nth(2)).toBeInViewport({ ratio: 0.5 });
    await expect(photos.nth(2).getByRole("link")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(large.getByText("3 / 3")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(large).toBeHidden();
    await expect(photos.nth(2)).toBeInViewport({ ratio: 0.5 });
    await page.goBack();
    await page.waitForURL("/search?q=*");
    await page.goForward();
    await page.waitForURL("/product/*");

    const canonical = (await page.locator('link[rel="canonical"]').getAttribute("href")) ?? "";
    expect(new URL(canonical).pathname).toMatch(/^\/p\/[0-9a-z]{10}\/tecno-spark-20-gravity-black$/);

    await page.getByRole("button", { name: "Message" }).click();
    const dialog = page.getByRole("dialog", { name: "Message Brian Otieno" });
    await expect(dialog.getByRole("button", { name: "Send" })).toBeDisabled();
    await dialog.getByLabel("Your message").fill("   ");
    await expect(dialog.getByRole("button", { name: "Send" })).toBeDisabled();
    const words = `Is the screen the first one? ${Date.now()}`;
    await dialog.getByLabel("Your message").fill(` ${words} `);
    await expectAccessible(page);
    // The phone's Back closes it, and what was typed stays.
    await page.goBack();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(/\/product\//);
    await page.getByRole("button", { name: "Message" }).click();
    await expect(dialog.getByLabel("Your message")).toHaveValue(` ${words} `);

    const seller = await openAs("seller@campus.test");
    await seller.goto("/home");
    // Without a connection the message waits in the dialog, and goes when somebody tries again.
    await page.route("**/api/messages", (route) => route.abort());
    await dialog.getByRole("button", { name: "Send" }).click();
    await expect(dialog.getByRole("alert").getByText("Failed to send message")).toBeVisible();
    await expect(dialog.getByText(words)).toBeVisible();
    await page.unroute("**/api/messages");
    // Whoever has begun another message by then writes on.
    await dialog.getByLabel("Your message").fill("Is the box there, too?");
    await dialog.getByLabel("Add photos").setInputFiles("public/apple-touch-icon.png");
    const photo = dialog.getByRole("list", { name: "Photos in this message" }).getByRole("img");
    await expect(photo).toBeVisible();
    await dialog.getByRole("button", { name: "Try Again" }).click();
    const sent = page.getByText("Message sent successfully!");
    await expect(sent).toBeVisible();
    await expect(dialog.getByText(words)).toBeHidden();
    await expect(dialog.getByLabel("Your message")).toHaveValue("Is the box there, too?");
    await expect(photo).toBeVisible();
    await dialog.getByRole("button", { name: "Send" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("button", { name: "Message" })).toBeFocused();
    await page.getByRole("button", { name: "See Chat" }).last().click();
    await expect(page).toHaveURL(/\/profile\?tab=messages&with=/);
    await expect(page.getByRole("main").getByText(words).last()).toBeVisible();
    await page.goBack();

    await page
      .getByRole("region", { name: "More from this seller" })
      .getByRole("article")
      .first()
      .getByRole("link")
      .first()
      .click();
    await expect(page.getByRole("heading", { level: 1, name: "Tecno Spark 20" })).toBeHidden();
    const back = page.getByRole("link", { name: "Back", exact: true });
    await back.click();
    await expect(page.getByRole("heading", { level: 1, name: "Tecno Spark 20" })).toBeVisible();
    const viewed = await page.evaluate(
      () => Object.entries(localStorage).find(([key]) => key.endsWith(":browsing-history"))?.[1],
    );
    expect(JSON.parse(viewed ?? "[]")).toHaveLength(2);
    await page.reload();
    await back.click();
    await expect(page).toHaveURL(/\/search\?q=/);
  },
);
