/**
 * The frame of every screen: the bars on both sides of 768 px, the theme, the titles, and the messages about a slow or
 * lost connection.
 */
import type { Locator, Page, Route } from "@playwright/test";
import { expect, expectAccessible, signIn, test } from "#tests/support/browser.ts";
import { holdRequests } from "#tests/support/hold-requests.ts";
import { joinCampus } from "#tests/support/newcomer.ts";

test.use({ tolerated: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|status of 500/ });

interface Watched {
  themes: string[];
}

/** Records which theme the document shows, from the first paint on. */
async function watchTheme(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const themes: string[] = [];
    Object.assign(window, { themes });
    new MutationObserver(() => {
      const theme = document.documentElement.className;
      if (document.body && themes.at(-1) !== theme) themes.push(theme);
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
  });
}

const themesSeen = (page: Page) => page.evaluate(() => (window as Window & Partial<Watched>).themes);
const background = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

for (const system of ["light", "dark"] as const) {
  for (const stored of [null, system === "dark" ? "light" : "dark"] as const) {
    const right = stored ?? system;
    test(
      `where the system is ${system} and ${stored ?? "nothing"} is stored, the first paint is ${right} and stays so`,
      { tag: "@phone" },
      async ({ page, baseURL }) => {
        await page.emulateMedia({ colorScheme: system });
        if (stored) await page.context().addCookies([{ name: "theme", value: stored, url: baseURL ?? "" }]);
        await watchTheme(page);
        // The app's scripts arrive late, so what is painted before them must be right already.
        await page.route("**/assets/*.js", async (route) => {
          await page.waitForLoadState("domcontentloaded");
          await route.continue();
        });
        await page.goto("/auth");
        await expect(page.getByRole("button", { name: /^Slide 1/ })).toBeVisible();
        expect(await themesSeen(page)).toEqual([right]);
        const painted = await background(page);
        expect(painted).toBe(right === "dark" ? "rgb(19, 18, 15)" : "rgb(255, 255, 255)");

        const other = system === "dark" ? "light" : "dark";
        await page.emulateMedia({ colorScheme: other });
        await expect(page.locator("html")).toHaveClass(stored ?? other);
        await page.emulateMedia({ colorScheme: system });
        await page
          .getByRole("button", { name: right === "dark" ? "Switch to light theme" : "Switch to dark theme" })
          .click();
        const chosen = right === "dark" ? "light" : "dark";
        await expect(page.locator("html")).toHaveClass(chosen);
        await page.reload();
        expect(await themesSeen(page)).toEqual([chosen]);
      },
    );
  }
}

test(
  "the bars change places at 768 px, mark the current page, and lead to the right pages",
  { tag: "@desktop" },
  async ({ page }) => {
    await signIn(page, "buyer@campus.test");
    await page.setViewportSize({ width: 768, height: 800 });
    await page.goto("/home");
    const top = page.getByRole("banner");
    const bottom = page.locator("nav.bottom-bar");
    /** The visible ones among some links: their names without counts, and where they lead. */
    const shown = (links: Locator) =>
      links
        .locator("visible=true")
        .evaluateAll((all) =>
          all.map((link) => [
            (link.getAttribute("aria-label") ?? link.textContent)?.replace(/,.*/, "").trim(),
            link.getAttribute("href"),
          ]),
        );
    await expect(bottom).toBeHidden();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(768);
    expect(await shown(top.getByRole("link"))).toEqual([
      [expect.stringMatching(/^Chuoni/), "/home"],
      ["Home", "/home"],
      ["Student Marketplace", "/studentmarketplace"],
      ["My shop", "/myshop"],
      ["Sell", "/add-product"],
      ["Messages", "/profile?tab=messages"],
      ["Notifications", "/notifications"],
      ["Wishlist", "/wishlist"],
      ["Cart", "/cart"],
    ]);
    await expect(top.getByRole("button", { name: /^Switch to (dark|light) theme$/ })).toBeVisible();
    await expect(top.getByRole("button", { name: "Restart tutorial" })).toBeVisible();
    await expect(top.getByRole("link", { name: "Home", exact: true })).toHaveAttribute("aria-current", "page");
    await top.getByRole("button", { name: /Account menu/ }).click();
    const menu = page.getByRole("navigation", { name: "Account", exact: true });
    await expect(menu.getByText("buyer@campus.test")).toBeVisible();
    expect(await shown(menu.getByRole("link"))).toEqual([
      ["Profile", "/profile"],
      ["My Orders", "/profile?tab=orders"],
      ["Following", "/following"],
      ["Saved Searches", "/saved-searches"],
      ["Settings", "/profile?tab=settings"],
    ]);
    await expect(menu.getByRole("button", { name: "Log out" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(menu).toBeHidden();

    await page.setViewportSize({ width: 767, height: 800 });
    expect(await shown(top.getByRole("link"))).toEqual([
      [expect.stringMatching(/^Chuoni/), "/home"],
      ["Sell", "/add-product"],
      ["Messages", "/profile?tab=messages"],
      ["Notifications", "/notifications"],
      ["Cart", "/cart"],
    ]);
    expect(await shown(bottom.getByRole("link"))).toEqual([
      ["Home", "/home"],
      ["Shop", "/studentmarketplace"],
      ["My Shop", "/myshop"],
      ["Wishlist", "/wishlist"],
      ["Account", "/profile"],
    ]);
    // Zoomed or turned, the bar stands at the end of the screen.
    await page.setViewportSize({ width: 390, height: 440 });
    await expect(bottom).toHaveCSS("position", "static");
    await page.setViewportSize({ width: 767, height: 800 });
    await bottom.getByRole("link", { name: /^Wishlist/ }).click();
    await expect(page).toHaveURL("/wishlist");
    await expect(bottom.getByRole("link", { name: /^Wishlist/ })).toHaveAttribute("aria-current", "page");
    // The end of a page isn't hidden behind the bar.
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const ends = () =>
      page.evaluate(() => [
        document.querySelector("#content")?.getBoundingClientRect().bottom,
        document.querySelector(".bottom-bar")?.getBoundingClientRect().top,
      ]);
    await expect(async () => {
      const [end = 999, bar = 0] = await ends();
      expect(end).toBeLessThanOrEqual(bar + 1);
    }).toPass();
  },
);

const NARROWEST = { width: 320, height: 568 };

test(
  "the first screen of a phone shows steps and products at home, and messages and orders under a short head",
  { tag: "@desktop" },
  async ({ page }) => {
    await signIn(page, "buyer@campus.test");
    for (const size of [{ width: 390, height: 844 }, NARROWEST]) {
      await page.setViewportSize(size);
      await page.goto("/home");
      // The smallest phone has room for what is next alone.
      const first =
        size === NARROWEST
          ? page.getByRole("region", { name: "Your next steps" }).getByRole("link")
          : page.getByRole("group", { name: "Just listed" }).locator("article img");
      const bar = await page.getByRole("navigation", { name: "Main navigation" }).last().boundingBox();
      const place = await first.first().boundingBox();
      expect((place?.y ?? Infinity) + 40).toBeLessThan(bar?.y ?? 0);
      for (const tab of ["messages", "orders"]) {
        await page.goto(`/profile?tab=${tab}`);
        const tabs = await page.getByRole("navigation", { name: "Profile" }).boundingBox();
        const top = await page.getByRole("banner").first().boundingBox();
        const head = (tabs?.y ?? Infinity) + (tabs?.height ?? 0) - (top?.y ?? 0) - (top?.height ?? 0);
        expect(head, tab).toBeLessThanOrEqual(120);
      }
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/home");
    const categories = page.getByRole("navigation", { name: "Categories" });
    await expect(categories).toBeInViewport();
    await expect(categories.getByRole("link", { name: "Study Materials" })).toHaveAttribute("href", /^\/category\//);
  },
);

test(
  "the keyboard skips the bars, a slow screen shows that it is loading, and a lost connection is announced",
  { tag: "@desktop" },
  async ({ page }) => {
    await signIn(page, "buyer@campus.test");
    await page.goto("/home");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main")).toBeFocused();

    const { send } = await holdRequests(page, "**/cart.data*");
    await page.getByRole("banner").getByRole("link", { name: /^Cart/ }).click();
    await expect(page.getByRole("progressbar", { name: "Loading" })).toBeAttached();
    send();
    await expect(page).toHaveURL("/cart");
    await expect(page.getByRole("progressbar", { name: "Loading" })).toHaveCount(0);

    const notice = page.getByText("You are offline. What you see may be out of date.");
    await page.context().setOffline(true);
    await expect(notice).toBeVisible();
    await page.context().setOffline(false);
    await expect(notice).toBeHidden();
  },
);

test.describe("in a tab from before a release", () => {
  test.use({ tolerated: /status of 404|Error loading route module|Failed to fetch dynamically imported module/ });
  test("a tap leads to the screen that was tapped, whose script is gone", { tag: "@desktop" }, async ({ page }) => {
    await signIn(page, "buyer@campus.test");
    // The document that follows has the scripts of the new release.
    await page.route(/\/assets\/(help|verified)-[^/]*\.js/, (route) => route.fulfill({ status: 404 }), { times: 1 });
    await page.goto("/support");
    await page.waitForLoadState("networkidle");
    await page.getByRole("main").getByRole("link", { name: "Help" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Help" })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1, name: "Contact support" })).toBeVisible();
  });
});

const refuse = (route: Route) =>
  route.fulfill({ status: 500, contentType: "text/plain", body: "Internal Server Error" });

test(
  "a screen that couldn't be loaded says so, and loads by itself when the connection is back",
  { tag: "@desktop" },
  async ({ page }) => {
    // A user who isn't a seller, whatever other tests do, because only they are led to "Become a Seller".
    await joinCampus(page);
    await page.goto("/home");
    await page.getByRole("link", { name: /^Cart/ }).first().click();
    await expect(page.getByRole("heading", { level: 1, name: "Cart" })).toBeVisible();
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Home", exact: true }).click();
    const failure = page.getByRole("heading", { name: /^Error loading shops: / });
    await expect(failure).toBeVisible();
    await expectAccessible(page);
    await expect(page).toHaveURL("/home");
    await page.context().setOffline(false);
    await expect(failure).toBeHidden();
    await expect(page.getByRole("heading", { level: 1, name: "Your Student Marketplace" })).toBeVisible();

    await page.goto("/profile");
    const data = "**/become-seller.data*";
    await page.route(data, (route) => route.abort());
    await page.locator('a[href="/become-seller"]').click();
    await expect(page.getByRole("heading", { level: 1, name: "No connection" })).toBeVisible();
    await page.unroute(data);
    await expect(page.getByRole("heading", { level: 1, name: "No connection" })).toBeHidden();
    await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();

    await page.goto("/profile");
    await page.route(data, refuse);
    await page.locator('a[href="/become-seller"]').click();
    await expect(page.getByRole("heading", { level: 1, name: "Something went wrong" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Go to the home page" })).toBeVisible();
    await expect(page.getByRole("banner")).toBeVisible();
    await page.unroute(data);
    await page.getByRole("button", { name: "Try Again" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Something went wrong" })).toBeHidden();
    await expect(page).toHaveURL("/become-seller");
  },
);

test(
  "a screen whose answer was an error is tried again on a press; one that was given up is none",
  { tag: "@desktop" },
  async ({ page }) => {
    await signIn(page, "buyer@campus.test");
    await page.goto("/profile?tab=orders");
    // React Router leaves such rejections behind: of data and transitions that are given up, and of answers that it
    // looks at later. The console stays silent.
    await page.evaluate(() => {
      for (const name of ["AbortError", "TimeoutError", "InvalidStateError"])
        void Promise.reject(new DOMException("given up", name));
      void Promise.reject(new Response(null, { status: 202 }));
      void Promise.reject({ status: 500, statusText: "", internal: false, data: null });
    });
    /** Opens a link that answers with an error, reads the message between the bars (and the toast), and tries again. */
    async function meetFailure(link: Locator, data: string, title: string, hasToast = true): Promise<void> {
      await page.route(data, refuse);
      await link.click();
      const toast = page.getByRole("region", { name: /^Notifications/ }).getByText(title);
      if (hasToast) await expect(toast).toBeVisible();
      await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
      await expect(page.getByRole("banner")).toBeVisible();
      await expectAccessible(page, ["light"]);
      await page.unroute(data);
      await page.getByRole("button", { name: "Try Again" }).click();
      await expect(page.getByRole("heading", { level: 1, name: title })).toBeHidden();
      await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();
    }
    await meetFailure(
      page.locator('main a[href^="/orders/"]').first(),
      "**/orders/*.data*",
      "Failed to load order details",
    );
    await meetFailure(
      page.getByRole("banner").getByRole("link", { name: "Student Marketplace", exact: true }),
      "**/studentmarketplace.data*",
      "Failed to load products",
      false,
    );
    await meetFailure(
      page.locator('main a[href^="/product/"]').first(),
      "**/product/*.data*",
      "Failed to load product details",
    );
  },
);

/** Runs in each page: notes when the list of messages comes, and when its first message does, in ms. */
function watchMessages(): void {
  const came: Record<string, number> = {};
  Object.assign(window, { came });
  new MutationObserver(() => {
    if (document.querySelector(".toasts [aria-live=polite]")) came.list ??= performance.now();
    if (document.querySelector(".toast")) came.message ??= performance.now();
  }).observe(document, { childList: true, subtree: true });
}

test("the first message comes into a list that screen readers know already", { tag: "@phone" }, async ({ page }) => {
  await signIn(page, "buyer@campus.test");
  await page.addInitScript(watchMessages);
  await page.goto("/invite");
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.locator(".toast")).toBeVisible();
  const { list = 0, message = 0 } = await page.evaluate(
    () => (window as unknown as { came: Record<string, number> }).came,
  );
  expect(message - list, "ms").toBeGreaterThan(100);
});

test("another screen is announced by its title, and the focus stands at its beginning", async ({ page }) => {
  await signIn(page, "buyer@campus.test");
  await page.goto("/home");
  const content = page.getByRole("main");
  const said = (title: RegExp) => page.getByRole("status").filter({ hasText: title });

  await page.getByRole("banner").getByRole("link", { name: /cart/i }).first().click();
  await expect(page).toHaveURL(/\/cart/);
  await expect(content).toBeFocused();
  await expect(said(/^(Shopping )?Cart/)).toHaveCount(1);

  await page.goBack();
  await expect(page).toHaveURL(/\/home/);
  await expect(content).toBeFocused();

  // A tab of the same screen keeps the focus, and is announced.
  await page.goto("/profile");
  const tab = page
    .getByRole("main")
    .getByRole("link", { name: /Orders/ })
    .first();
  await tab.click();
  await expect(page).toHaveURL(/tab=orders/);
  await expect(content).not.toBeFocused();

  // What somebody types in stays theirs.
  await page.goto("/studentmarketplace");
  const search = page.getByLabel("Search products");
  await search.fill("lamp");
  await search.press("Enter");
  await expect(page).toHaveURL(/\/search/);
  await expect(said(/lamp/)).toHaveCount(1);
});

test("the header says what Chuoni is and fits the screen, at every width", { tag: "@desktop" }, async ({ page }) => {
  await signIn(page, "buyer@campus.test");
  // A search in the header and one on the screen take different room.
  for (const path of ["/home", "/cart"]) {
    await page.goto(path);
    for (const width of [
      320, 360, 390, 430, 600, 767, 768, 800, 860, 899, 900, 999, 1000, 1100, 1139, 1140, 1180, 1280, 1920,
    ]) {
      await page.setViewportSize({ width, height: 800 });
      const place = await page.evaluate(() => {
        const bar = document.querySelector(".top-bar")?.getBoundingClientRect();
        const words = document.querySelector(".top-bar .wordmark__tagline")?.getBoundingClientRect();
        const next = document.querySelector(".top-bar__links, .top-bar__tools")?.getBoundingClientRect();
        return {
          isWhole: !!bar && !!words && words.height > 10 && words.bottom <= bar.bottom && words.left >= 0,
          isFree: !!words && !!next && (next.width === 0 || words.right <= next.left),
          beyond: document.documentElement.scrollWidth - innerWidth,
        };
      });
      expect(place, `${path} at ${width} px`).toEqual({ isWhole: true, isFree: true, beyond: 0 });
    }
  }
});
