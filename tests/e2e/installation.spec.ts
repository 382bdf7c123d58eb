/** The app on a device: what it stores, what it shows without a network, and what it never stores. */
import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, signIn, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { originOf, post } from "#tests/support/requests.ts";
import { joinAsSeller, sell } from "#tests/support/sales.ts";

// What a browser logs without a network, and where a page looks for messages while its session ends.
test.use({
  serviceWorkers: "allow",
  // A test asks the browser for its fonts.
  isOldest: false,
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
    await signIn(page, "wholesaler@campus.test");
    const feed = await (await page.request.get(`${originOf()}/studentmarketplace`)).text();
    const [, productId = ""] = /\/product\/([0-9a-f-]{36})/.exec(feed) ?? [];
    await post(page, "/", { intent: "add-to-wishlist", from: "/cart", productId, quantity: "1" });
    await page.context().clearCookies({ name: "flash" });
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

/** What this browser keeps of people. */
function privateKeys(page: Page): Promise<string[]> {
  return page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("private:")));
}

test(
  "without a network, orders with their codes and the feed can be read, and after a logout nothing is left",
  { tag: "@phone" },
  async ({ page, openWindow }) => {
    const { email } = await joinCampus(page);
    // As on a person's own phone.
    await page.context().clearCookies();
    await post(page, "/auth", { email, password: "campus-demo", keep: "on" });
    const seller = await openWindow();
    await joinAsSeller(seller);
    const { orderId } = await sell(seller, page, "Drawing board");

    await page.goto(`/orders/${orderId}`);
    const code =
      (await page
        .getByRole("region", { name: "Handover code" })
        .getByText(/^\d{3} \d{3}$/)
        .textContent()) ?? "";
    await page.evaluate(() => navigator.serviceWorker.ready);
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe("activated");
    await expect.poll(() => privateKeys(page)).toContainEqual(expect.stringMatching(/:offline$/));
    for (const { text } of await kept(page)) expect(text).not.toContain(code.replace(" ", ""));

    await page.context().setOffline(true);
    await page.goto("/home");
    await expect(page.getByText(/^Saved \d\d:\d\d\. You're offline\./)).toBeVisible();
    const item = page.getByRole("listitem").filter({ hasText: "Drawing board" }).filter({ hasText: "handover code" });
    await expect(item).toContainText(code);
    await expect(page.getByRole("heading", { name: "Marketplace" })).toBeVisible();
    await expectAccessible(page);

    // Online, the real page comes by itself, and never the copy.
    await page.context().setOffline(false);
    await expect(page.getByText(/You're offline/)).toBeHidden();
    await expect(page.getByRole("navigation").first()).toBeVisible();
    await page.reload();
    await expect(page.getByText(/You're offline/)).toHaveCount(0);

    await page.goto("/profile");
    await page.getByRole("button", { name: "Log out" }).last().click();
    await expect(page).toHaveURL(/\/auth/);
    await expect.poll(() => privateKeys(page)).toEqual([]);
    await page.context().setOffline(true);
    await page.goto(`/orders/${orderId}`);
    await expect(page.getByRole("heading", { level: 1, name: "No connection" })).toBeVisible();
    await expect(page.getByText("Drawing board")).toHaveCount(0);
  },
);

test("a page keeps its look while people go on and back", { tag: "@phone" }, async ({ page }) => {
  const sheets = page.locator('link[rel="stylesheet"]');
  const slides = page.locator(".slideshow__strip");
  await page.goto("/auth");
  const first = await sheets.count();
  await expect(page.locator("body")).toHaveCSS("margin", "0px");
  await expect(slides).toHaveCSS("display", "flex");
  await page
    .getByRole("link", { name: /sign up/i })
    .first()
    .click();
  await expect(page).toHaveURL(/signup/);
  await page.goBack();
  await expect(page).toHaveURL(/auth$/);
  await expect(sheets).toHaveCount(first);
  await expect(page.locator("body")).toHaveCSS("margin", "0px");
  await expect(slides).toHaveCSS("display", "flex");
});

test("an iPad, which calls itself a Mac, is told how to install the app", { tag: "@phone" }, async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "standalone", { value: false }));
  await signIn(page, "seller@campus.test");
  await page.goto("/myshop");
  await expect(page.getByText('press Share in Safari, then "Add to Home Screen"')).toBeVisible();
});

/** Compressed, in bytes. A page differs by some bytes each time, because ids are random. */
const FEED_LIMIT = 13_600;

test("the feed's page stays small", { tag: "@phone" }, async ({ page }) => {
  await signIn(page, "buyer@campus.test");
  const bytes = gzipSync(await (await page.request.get("/studentmarketplace")).body()).length;
  // The feed is full. Listings of other tests are alike and compress well.
  expect(bytes).toBeGreaterThan(5_000);
  expect(bytes).toBeLessThanOrEqual(FEED_LIMIT);
});
