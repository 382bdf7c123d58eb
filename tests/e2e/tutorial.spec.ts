/** The guided tour (accounts spec §2, §4). Each step is asked for by its title, which names its dialog. */
import type { Page } from "@playwright/test";
import { TOURS, type TourId } from "#app/tutorial/tour-rules.ts";
import { expect, expectAccessible, signIn, test } from "#tests/support/browser.ts";

const TOUR_SCRIPT = /\/assets\/tutorial-/;

/** What the browser keeps when the next page loads, and nothing else: set before any screen has looked at it, and only once. */
async function setFlags(page: Page, values: Record<string, string>): Promise<void> {
  await page.addInitScript(
    ({ id, entries }) => {
      if (location.origin === "null" || sessionStorage.getItem(id)) return;
      sessionStorage.setItem(id, "set");
      localStorage.clear();
      for (const [key, value] of entries) localStorage.setItem(key, value);
    },
    { id: crypto.randomUUID(), entries: Object.entries(values) },
  );
}

/** What the browser keeps of the tour. */
async function flags(page: Page): Promise<Record<string, string>> {
  const kept = await page.evaluate(() => Object.entries(localStorage));
  return Object.fromEntries(kept.filter(([key]) => /tutorial|^isNewUser$|^hasLoggedInBefore$/.test(key)));
}

const card = (page: Page) => page.locator(".tour-card");
const press = (page: Page, name: string) => card(page).getByRole("button", { name, exact: true }).click();

async function expectStep(page: Page, tour: TourId, step: number): Promise<void> {
  const steps = TOURS[tour];
  await expect(page.getByRole("dialog", { name: steps[step]?.title, exact: true })).toBeVisible();
  await expect(card(page)).toContainText(`Step ${step + 1} of ${steps.length}`);
}

/** From the given step to the last one's Finish. */
async function walk(page: Page, tour: TourId, from = 0): Promise<void> {
  const last = TOURS[tour].length - 1;
  for (let step = from; step <= last; step += 1) {
    await expectStep(page, tour, step);
    await press(page, step === last ? "Finish" : "Next");
  }
}

test("a newcomer is led from home to the marketplace, to the own shop and its orders, and is then left alone", async ({
  page,
}) => {
  await signIn(page, "seller@campus.test");
  await setFlags(page, { isNewUser: "true", hasLoggedInBefore: "true" });
  await page.goto("/cart");
  await expect(page).toHaveURL(/\/home$/);
  await expectStep(page, "home", 0);
  expect(await flags(page)).not.toHaveProperty("isNewUser");

  await test.step("the keyboard walks it, and stays in it", async () => {
    const next = card(page).getByRole("button", { name: "Next" });
    await expect(next).toBeFocused();
    for (const name of ["Close", "Skip Tutorial", "Next"]) {
      await page.keyboard.press("Tab");
      await expect(card(page).getByRole("button", { name })).toBeFocused();
    }
    await page.keyboard.press("Enter");
    await expectStep(page, "home", 1);
    await expect(page.getByRole("status").filter({ hasText: "Step 2 of 4: Find your way" })).toBeAttached();
    await expectAccessible(page);
    await press(page, "Back");
    await expectStep(page, "home", 0);
    await press(page, "Next");
    await press(page, "Next");
  });

  await test.step("a reload goes on where it was", async () => {
    await expectStep(page, "home", 2);
    await page.reload();
    await walk(page, "home", 2);
  });

  await expect(page).toHaveURL(/\/studentmarketplace$/);
  await expectStep(page, "marketplace", 0);

  await test.step("Escape closes it until the next page", async () => {
    await expect(card(page).getByRole("button", { name: "Next" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(card(page)).toBeHidden();
    await page.goto("/search?q=desk");
    await walk(page, "marketplace");
  });

  await expect(page).toHaveURL(/\/myshop$/);
  await test.step("the form for a product is explained in between, in its window", async () => {
    await expectStep(page, "shop", 0);
    await press(page, "Next");
    await press(page, "Next");
    await expectStep(page, "shop", 2);
    await page.getByRole("button", { name: "Add Product" }).click();
    await expectStep(page, "product", 0);
    await expect(card(page).getByRole("button", { name: "Next" })).toBeFocused();
    await expectAccessible(page);
    await walk(page, "product");
    await expect(card(page)).toBeHidden();
    await page.getByLabel("Product name").fill("Desk lamp");
    await page.keyboard.press("Escape");
  });
  await walk(page, "shop", 2);
  await walk(page, "orders");
  await expect(card(page)).toBeHidden();
  expect(await flags(page)).toEqual({ hasLoggedInBefore: "true", chuoni_tutorial_completed: "true" });
});

test("it starts again from the top bar, ends by skipping, and costs who has finished not a byte", async ({ page }, {
  project,
}) => {
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(request.url()));
  const fetched = () => scripts.filter((url) => TOUR_SCRIPT.test(url));

  await signIn(page, "buyer@campus.test");
  await setFlags(page, { hasLoggedInBefore: "true", chuoni_tutorial_completed: "true" });
  await page.clock.install();
  await page.goto("/cart");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.clock.runFor(5000);
  expect(fetched()).toEqual([]);

  await test.step("nor who only signs in on a new device", async () => {
    await setFlags(page, {});
    await page.goto("/cart");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.clock.runFor(5000);
    expect(fetched()).toEqual([]);
  });

  await test.step("restart", async () => {
    await setFlags(page, { chuoni_tutorial_completed: "true", "tutorial-progress": '{"home":3}' });
    await page.goto(project.name === "phone" ? "/profile?tab=settings" : "/cart");
    const restart = page.getByRole("button", { name: "Restart tutorial" }).filter({ visible: true });
    await expect(restart).toBeVisible();
    // So that the reload waits until the message has been seen.
    await page.evaluate(() => {
      const wait = window.setTimeout;
      Object.assign(window, { setTimeout: (call: () => void, ms: number) => wait(call, ms === 500 ? 5000 : ms) });
    });
    await restart.click();
    await expect(page.getByText("Tutorial will restart on the home page")).toBeVisible();
    await expect(page).toHaveURL(/\/home$/);
    expect(await flags(page)).not.toHaveProperty("chuoni_tutorial_completed");
    await expectStep(page, "home", 0);
    expect(fetched()).not.toEqual([]);
  });

  await test.step("skip", async () => {
    await press(page, "Skip Tutorial");
    await expect(card(page)).toBeHidden();
    expect(await flags(page)).toEqual({ hasLoggedInBefore: "true", chuoni_tutorial_completed: "true" });
  });
});

test(
  "pages without a tour of their own show the general one, missing targets are passed over, and the debug panel steers",
  { tag: "@desktop" },
  async ({ page }) => {
    const warnings: string[] = [];
    page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
    await signIn(page, "buyer@campus.test");
    await setFlags(page, { hasLoggedInBefore: "true" });
    await page.goto("/cart?debug=true");
    const panel = page.getByRole("complementary", { name: "Tutorial debug" });
    await walk(page, "other");
    await expect(card(page)).toBeHidden();
    await expect(panel).toContainText("waiting");

    await panel.getByRole("button", { name: "Start" }).click();
    await expectStep(page, "other", 0);
    await panel.getByRole("button", { name: "Next" }).click();
    await expectStep(page, "other", 1);
    await panel.getByRole("button", { name: "Prev" }).click();
    await expectStep(page, "other", 0);
    await panel.getByRole("button", { name: "Stop" }).click();
    await expect(card(page)).toBeHidden();
    await expectAccessible(page);

    await page.goto("/studentmarketplace?debug=true");
    await page.addStyleTag({ content: '[data-tour="categories"] { display: none !important; }' });
    await expectStep(page, "marketplace", 0);
    await press(page, "Next");
    await expectStep(page, "marketplace", 2);
    expect(warnings).toContain("The tour has nothing to show for “Categories” here.");
    await press(page, "Back");
    await expectStep(page, "marketplace", 0);

    await panel.getByRole("button", { name: "Reset" }).click();
    await expect(card(page)).toBeHidden();
    expect(await flags(page)).toEqual({ hasLoggedInBefore: "true" });
    await panel.getByRole("button", { name: "Orders" }).click();
    await expect(page).toHaveURL(/\/myshop\?tab=orders$/);
  },
);

test("a browser that keeps nothing is left in peace", { tag: "@desktop" }, async ({ page }) => {
  await signIn(page, "buyer@campus.test");
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("Access is denied for this document.", "SecurityError");
      },
    });
  });
  await page.clock.install();
  await page.goto("/home");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.clock.runFor(5000);
  await expect(card(page)).toBeHidden();
  await page.getByRole("button", { name: "Restart tutorial" }).click();
  await expect(page.getByText("Failed to restart tutorial")).toBeVisible();
});
