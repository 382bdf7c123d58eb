/**
 * Everything that lies over a page can be read in both themes, as it is painted. A style sheet with a new layer, that
 * is a rule with `position: fixed` or the shadow of layers, is named here: tests/rules/style-sheets.test.ts.
 */
import type { Page } from "@playwright/test";
import { expect, signIn, test } from "#tests/support/browser.ts";
import { expectPainted, type Layer } from "#tests/support/painted.ts";

function dialogOf(page: Page, name: string | RegExp, role: "dialog" | "alertdialog" = "dialog"): Layer {
  return { name: `The dialog ${name}`, box: page.getByRole(role, { name }), apart: "dimmed" };
}

/** What `selector` finds on the screen. */
function layerOf(page: Page, selector: string, apart: Layer["apart"]): Layer {
  return { name: selector, box: page.locator(selector).filter({ visible: true }).first(), apart };
}

async function close(page: Page, { box }: Layer): Promise<void> {
  await page.keyboard.press("Escape");
  await expect(box).toBeHidden();
}

async function expectPaintedUntilClosed(page: Page, layer: Layer): Promise<void> {
  await expect(layer.box).toBeVisible();
  await expectPainted(page, [layer]);
  await close(page, layer);
}

test("bars, menus, suggestions, messages and dialogs of a buyer are opaque and readable", async ({ page }, {
  project,
}) => {
  const isPhone = project.name === "phone";
  await signIn(page, "buyer@campus.test");
  await page.goto("/category/electronics");
  await page.keyboard.press("Tab");
  await expectPainted(page, [layerOf(page, ".skip-link", "nothing")]);
  const bars = [layerOf(page, ".top-bar", "nothing")];
  if (isPhone) bars.push(layerOf(page, ".bottom-bar", "nothing"));
  await expectPainted(page, bars);
  if (isPhone) {
    await page.getByRole("button", { name: /^Filters/ }).click();
    await expectPaintedUntilClosed(page, dialogOf(page, "Filters"));
  } else {
    await page.getByRole("button", { name: "Account menu" }).click();
    await expectPaintedUntilClosed(page, layerOf(page, ".menu", "shadow"));
  }

  await page.goto("/search?q=Tecno Spark 20, gravity black");
  const box = page.getByLabel("Search products");
  await box.fill("tec");
  const suggestions = { ...layerOf(page, ".suggestions", "shadow"), beside: box };
  await expect(suggestions.box).toBeVisible();
  await expectPainted(page, [suggestions]);
  await close(page, suggestions);

  await page.getByRole("main").getByRole("article").getByRole("link").first().click();
  await page.waitForURL("/product/*");
  await expect(page.getByRole("heading", { level: 1, name: "Tecno Spark 20" })).toBeVisible();
  if (isPhone) await expectPainted(page, [layerOf(page, ".sticky-bar", "nothing")]);

  await page.getByRole("list", { name: "Photos of Tecno" }).getByRole("link").first().click();
  await expect(page.locator(".pswp")).toContainText("1 / 3");
  await expectPaintedUntilClosed(page, { ...layerOf(page, ".pswp", "nothing"), name: "The photo viewer" });

  await page.getByRole("button", { name: "Message", exact: true }).click();
  const message = dialogOf(page, /^Message /);
  await message.box.getByLabel("Your message").fill("Is the screen the first one?");
  await expectPaintedUntilClosed(page, message);

  await page
    .getByRole("button", { name: /^Share/ })
    .first()
    .click();
  await expectPaintedUntilClosed(page, dialogOf(page, "Share this product"));

  await page.getByRole("button", { name: "Add to Cart" }).filter({ visible: true }).first().click();
  const toast = layerOf(page, ".toast", "shadow");
  await expect(toast.box).toBeVisible();
  // It stays while it has the pointer, which ordinarily goes through.
  await toast.box.evaluate((element) => element.style.setProperty("pointer-events", "auto"));
  await toast.box.hover();
  await expectPainted(page, [toast]);

  await page.goto("/cart");
  await page.getByRole("button", { name: "Clear Cart" }).click();
  await expectPaintedUntilClosed(page, dialogOf(page, "Clear Cart", "alertdialog"));
});

test("menus and dialogs of a seller are opaque and readable", async ({ page }, { project }) => {
  await signIn(page, "seller@campus.test");
  await page.goto("/myshop");
  await page
    .getByRole("button", { name: /^Manage / })
    .first()
    .click();
  const menu = layerOf(page, ".action-menu", project.name === "phone" ? "dimmed" : "shadow");
  await expectPaintedUntilClosed(page, menu);

  await page.getByRole("button", { name: /Customize Shop|Edit Shop/ }).click();
  const settings = dialogOf(page, /Shop/);
  await expect(settings.box.getByLabel("Shop name")).toBeVisible();
  await expectPaintedUntilClosed(page, settings);
});

test.describe("on the device of somebody new", () => {
  test.use({ tourDone: false });

  test("the tour's cards are opaque and readable", { tag: "@phone" }, async ({ page }) => {
    await signIn(page, "seller@campus.test");
    await page.addInitScript(() => {
      if (location.origin === "null") return;
      localStorage.setItem("isNewUser", "true");
      localStorage.setItem("hasLoggedInBefore", "true");
    });
    await page.goto("/home?debug=true");
    const card = page.locator(".tour-card");
    const beside = page.locator(".react-joyride__overlay");
    for (const step of [1, 2]) {
      await expect(card).toContainText(`Step ${step} of`);
      await expectPainted(page, [{ name: `The card of step ${step}`, box: card, apart: "dimmed", beside }]);
      if (step === 1) await expectPainted(page, [layerOf(page, ".tour-debug", "nothing")]);
      await card.getByRole("button", { name: "Next" }).click();
    }
  });
});
