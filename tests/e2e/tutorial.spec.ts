/** The guided tour. A step's title names its dialog. */
import type { Page } from "@playwright/test";
import { TOURS, type TourId } from "#app/tutorial/tour-rules.ts";
import { expect, expectAccessible, signIn, test } from "#tests/support/browser.ts";

test.use({ tourDone: false });

const TOUR_SCRIPT = /\/assets\/tutorial-/;

/** Sets only these flags for the next page load, once, before any screen reads them. */
async function setFlags(page: Page, values: Record<string, string>): Promise<void> {
  await page.addInitScript(
    ({ id, entries }) => {
      if (location.origin === "null" || sessionStorage.getItem(id)) return;
      sessionStorage.setItem(id, "set");
      localStorage.clear();
      localStorage.setItem("hasSeenToS", "true");
      for (const [key, value] of entries) localStorage.setItem(key, value);
    },
    { id: crypto.randomUUID(), entries: Object.entries(values) },
  );
}

/** The flags in the browser. */
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

/** From the given step to Finish on the last one. */
async function walk(page: Page, tour: TourId, from = 0): Promise<void> {
  const last = TOURS[tour].length - 1;
  for (let step = from; step <= last; step += 1) {
    await expectStep(page, tour, step);
    await press(page, step === last ? "Finish" : "Next");
  }
}

// On a phone, "no step leaves the screen" walks through the same steps.
test(
  "the tour leads a new user from home to the marketplace, My Shop and its orders, and then ends",
  { tag: "@desktop" },
  async ({ page }) => {
    await signIn(page, "seller@campus.test");
    await setFlags(page, { isNewUser: "true", hasLoggedInBefore: "true" });
    await page.goto("/cart");
    await expect(page).toHaveURL(/\/home$/);
    await expectStep(page, "home", 0);
    expect(await flags(page)).not.toHaveProperty("isNewUser");

    await test.step("the keyboard works in it, and stays in it", async () => {
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

    await test.step("it continues after a reload", async () => {
      await expectStep(page, "home", 2);
      await page.reload();
      await walk(page, "home", 2);
    });

    await expect(page).toHaveURL(/\/studentmarketplace$/);
    await expectStep(page, "marketplace", 0);

    await test.step("the search has the marketplace's tour, and goes on with it", async () => {
      await press(page, "Next");
      await page.goto("/search?q=desk");
      await walk(page, "marketplace", 1);
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
  },
);

test(
  "who signed up on the way to a product sees the tour once they open Home",
  { tag: "@desktop" },
  async ({ page }) => {
    const scripts: string[] = [];
    page.on("request", (request) => scripts.push(request.url()));
    await signIn(page, "buyer@campus.test");
    await setFlags(page, { isNewUser: "until-home", hasLoggedInBefore: "true" });
    await page.clock.install();
    await page.goto("/cart");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.clock.runFor(5000);
    expect(scripts.filter((url) => TOUR_SCRIPT.test(url))).toEqual([]);
    await page.clock.resume();
    await page.getByRole("link", { name: "Home", exact: true }).filter({ visible: true }).first().click();
    await expectStep(page, "home", 0);
    expect(await flags(page)).not.toHaveProperty("isNewUser");
  },
);

test("its script isn't loaded once it is finished, or on a second device", { tag: "@desktop" }, async ({ page }) => {
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

  await setFlags(page, {});
  await page.goto("/cart");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.clock.runFor(5000);
  expect(fetched()).toEqual([]);
});

test("it starts again when asked to", { tag: "@desktop" }, async ({ page }) => {
  await signIn(page, "seller@campus.test");
  await setFlags(page, { chuoni_tutorial_completed: "true", "tutorial-progress": '{"home":3}' });
  await page.goto("/cart");
  const restart = page.getByRole("button", { name: "Restart tutorial" }).filter({ visible: true });
  await expect(restart).toBeVisible();
  const loadedAt = await page.evaluate(() => performance.timeOrigin);
  await restart.click();
  // Half a second before the reload is too short to read the message, so it shows again afterwards.
  await page.waitForFunction(
    (earlier) =>
      performance.timeOrigin !== earlier && document.body.innerText.includes("Tutorial will restart on the home page"),
    loadedAt,
  );
  await expect(page).toHaveURL(/\/home$/);
  expect(await flags(page)).not.toHaveProperty("chuoni_tutorial_completed");
  await expectStep(page, "home", 0);
});

test("Skip Tutorial, Close and Escape end it", { tag: "@phone" }, async ({ page }) => {
  await signIn(page, "seller@campus.test");
  const ends: Record<string, () => Promise<void>> = {
    "Skip Tutorial": () => press(page, "Skip Tutorial"),
    Close: () => press(page, "Close"),
    Escape: () => page.keyboard.press("Escape"),
  };
  for (const [name, end] of Object.entries(ends)) {
    await test.step(`${name} ends it everywhere, in the shop as well`, async () => {
      await setFlags(page, { hasLoggedInBefore: "true" });
      await page.goto("/myshop");
      await expectStep(page, "shop", 0);
      await expect(card(page).getByRole("button", { name: "Next" })).toBeFocused();
      await end();
      await expect(card(page)).toBeHidden();
      await expect(page.getByText("Tour ended. You can restart it in Settings.")).toBeVisible();
      expect(await flags(page)).toEqual({ hasLoggedInBefore: "true", chuoni_tutorial_completed: "true" });
    });
  }
});

/** The sizes of small phones, with and without the browser's own bars. */
const SIZES = [
  { width: 390, height: 664 },
  { width: 320, height: 568 },
];

/** The whole card is on the screen, and each of its buttons can be pressed. */
async function expectOnScreen(page: Page, what: string): Promise<void> {
  await expect(async () => expect(await card(page).evaluate(outsideOf), what).toEqual([])).toPass({ timeout: 5_000 });
}

/** Runs in the page: what is wrong with the place of the card. */
function outsideOf(element: Element): string[] {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const wrong: string[] = [];
  if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) wrong.push("it leaves the screen");
  if (element.scrollWidth > element.clientWidth) wrong.push("a button leaves it");
  for (const button of element.querySelectorAll("button")) {
    const { x, y, width, height } = button.getBoundingClientRect();
    if (!button.contains(document.elementFromPoint(x + width / 2, y + height / 2)))
      wrong.push(`${button.textContent} cannot be pressed`);
  }
  return wrong;
}

test("no step leaves the screen of a small phone", { tag: "@phone" }, async ({ page }) => {
  await signIn(page, "seller@campus.test");
  const panel = page.getByRole("complementary", { name: "Tutorial debug" });
  await setFlags(page, { hasLoggedInBefore: "true", chuoni_tutorial_completed: "true" });
  for (const [path, tour] of [
    ["/home", "home"],
    ["/studentmarketplace", "marketplace"],
    ["/myshop", "shop"],
    ["/myshop?tab=orders", "orders"],
    ["/add-product", "product"],
    ["/cart", "other"],
  ] as const) {
    await page.goto(`${path}${path.includes("?") ? "&" : "?"}debug=true`);
    await panel.getByRole("button", { name: "Start" }).click();
    await panel.evaluate((element) => element.style.setProperty("display", "none"));
    for (const [step] of TOURS[tour].entries()) {
      await expectStep(page, tour, step);
      // Each size has steps that open at it, and steps that are resized to it.
      for (const size of step % 2 === 0 ? SIZES : SIZES.toReversed()) {
        await page.setViewportSize(size);
        await expectOnScreen(page, `${tour} ${step + 1} at ${size.width} × ${size.height}`);
      }
      if (step < TOURS[tour].length - 1) await press(page, "Next");
    }
  }
});

test("the tour is off in a browser without storage", { tag: "@desktop" }, async ({ page }) => {
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
