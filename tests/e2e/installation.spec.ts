/** The app on a device: what it stores, what it shows without a network, and what it never stores. */
import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, signIn, test } from "#tests/support/browser.ts";

// What a browser logs without a network, and where a page looks for messages while its session ends.
test.use({
  serviceWorkers: "allow",
  tolerated: /ERR_INTERNET_DISCONNECTED|Failed to fetch|status of 401 .*\/unread|no valid credentials/,
});

/** All our files on the device, and those in the cache of that name. */
function kept(page: Page): Promise<{ path: string; text: string }[]> {
  return page.evaluate(async () => {
    const found: { path: string; text: string }[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        found.push({ path: new URL(request.url).pathname, text: (await response?.text()) ?? "" });
      }
    }
    return found;
  });
}

test(
  "without a network, a screen that was never visited shows our offline page and recovers by itself, and nothing private is kept",
  { tag: "@phone" },
  async ({ page }) => {
    await page.addInitScript(() => {
      if (location.origin !== "null") localStorage.setItem("chuoni_tutorial_completed", "true");
    });
    await signIn(page, "wholesaler@campus.test");
    // Files that an earlier release left behind.
    await page.goto("/auth");
    await page.evaluate(async () => {
      const old = await caches.open("chuoni-earlier");
      await old.put("/assets/gone-1.js", new Response("gone"));
    });
    await page.goto("/home");
    await page.evaluate(() => navigator.serviceWorker.ready);
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe("activated");
    await expect
      .poll(() => page.evaluate(() => caches.keys()))
      .toEqual([expect.stringMatching(/^chuoni-[0-9a-f]{12}$/)]);
    for (const path of ["/cart", "/profile?tab=orders", "/profile?tab=messages"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    }
    // By a link: its data and its script come as they do on a page that nobody keeps.
    await page
      .getByRole("link", { name: /^Wishlist/ })
      .last()
      .click();
    await expect(page).toHaveURL("/wishlist");

    await expect(page.getByRole("region", { name: /^Notifications/ })).toBeAttached();
    await page.context().setOffline(true);
    // A change waits for the connection, and leaves the screen in its place.
    await page
      .getByRole("button", { name: /^Remove / })
      .first()
      .click();
    await expect(page.getByText("You're offline. We'll save your change when you're back online.")).toBeVisible();
    await expect(page.getByRole("heading", { level: 1, name: "Wishlist" })).toBeVisible();
    await page.goto("/myshop");
    await expect(page.getByRole("heading", { level: 1, name: "No connection" })).toBeVisible();
    await expect(page).toHaveURL("/myshop");
    await expect(page).toHaveTitle("No connection – Chuoni");
    expect(
      await page.evaluate(
        () => document.fonts.check('700 20px "Bricolage Grotesque"') && getComputedStyle(document.body).margin,
      ),
    ).toBe("0px");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Try Again" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "No connection" })).toBeVisible();
    await page.context().setOffline(false);
    await expect(page.getByRole("heading", { level: 1, name: "No connection" })).toBeHidden();
    await expect(page).toHaveURL("/myshop");

    const things = await kept(page);
    expect(things.map(({ path }) => path)).toEqual(expect.arrayContaining(["/offline", "/favicon.svg"]));
    for (const { path, text } of things) {
      expect(path).toMatch(/^\/(assets|fonts)\/[^/]+$|^\/offline$|^\/favicon\.svg$/);
      expect(text).not.toContain("wholesaler@campus.test");
    }

    // Logged out and offline, no screen of the user opens. This ends all sessions, so the test uses its own account.
    await page.goto("/profile");
    await page.getByRole("button", { name: "Log out" }).last().click();
    await expect(page).toHaveURL(/\/auth/);
    await page.context().setOffline(true);
    await page.goto("/profile?tab=orders");
    await expect(page.getByRole("heading", { level: 1, name: "No connection" })).toBeVisible();
  },
);

test(
  "a first page is painted without asking for its style, and later ones ask for files that are kept",
  { tag: "@phone" },
  async ({ page }) => {
    const inPage = page.locator("style[data-href~=app]");
    const linkedIn = async (path: string) =>
      (await (await page.goto(path))?.text())?.match(/<link[^>]*rel="stylesheet"/g) ?? [];

    expect(await linkedIn("/auth")).toEqual([]);
    await expect(page.locator("body")).toHaveCSS("margin", "0px");
    await expect(inPage).toHaveCount(1);
    // By a link and back again: what stands in the page stays.
    await page
      .getByRole("link", { name: /sign up/i })
      .first()
      .click();
    await expect(page).toHaveURL(/signup/);
    await page.goBack();
    await expect(page).toHaveURL(/auth$/);
    await expect(page.locator("body")).toHaveCSS("margin", "0px");

    expect(await linkedIn("/auth/forgot")).not.toEqual([]);
    await expect(inPage).toHaveCount(0);
    await expect(page.locator("body")).toHaveCSS("margin", "0px");
  },
);

test("a first page links to no style sheet, and a later one to the app's one", { tag: "@phone" }, async ({ page }) => {
  await signIn(page, "buyer@campus.test");
  await page.context().clearCookies({ name: "styles" });
  await page.goto("/studentmarketplace");
  await page.waitForLoadState("networkidle");
  await expect(page.locator('link[rel="stylesheet"]')).toHaveCount(0);
  await page.goto("/add-product");
  await page.waitForLoadState("networkidle");
  await expect(page.locator('link[rel="stylesheet"]')).toHaveCount(1);
  await expect(page.getByLabel("Description")).toHaveCSS("padding", "8px 12px");
});

/** Compressed, in bytes. A page differs by some bytes each time, because ids are random. */
const FEED_LIMITS = { first: 47_000, later: 13_000 };

test("the feed's page stays small, with its styles and without them", { tag: "@phone" }, async ({ page }) => {
  await signIn(page, "buyer@campus.test");
  await page.context().clearCookies({ name: "styles" });
  const weigh = async () => gzipSync(await (await page.request.get("/studentmarketplace")).body()).length;
  const [first, later] = [await weigh(), await weigh()];
  // The feed is full, and the styles are there only once. Listings of other tests are alike and compress well.
  expect(later).toBeGreaterThan(5_000);
  expect(first).toBeGreaterThan(later + 10_000);
  expect(first).toBeLessThanOrEqual(FEED_LIMITS.first);
  expect(later).toBeLessThanOrEqual(FEED_LIMITS.later);
});
