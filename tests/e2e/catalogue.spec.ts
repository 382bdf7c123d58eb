/** Finding products: the feed, the search box and the filters of a category. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, signIn, test } from "#tests/support/browser.ts";
import { holdRequests } from "#tests/support/hold-requests.ts";

const BUYER = "buyer@campus.test";

function cards(page: Page) {
  return page.getByRole("main").getByRole("article");
}

test.beforeEach(({ page }) => signIn(page, BUYER));

test("going back from a product restores the feed and its scroll position", { tag: "@phone" }, async ({ page }) => {
  await page.goto("/studentmarketplace");
  await expect(page.getByRole("heading", { level: 1, name: /^Welcome, / })).toBeVisible();
  // Four cards are to be read in the first view: photo, price and name.
  for (const index of [0, 1, 2, 3]) {
    await expect(
      cards(page)
        .nth(index)
        .getByText(/^KES |^Free/)
        .first(),
    ).toBeInViewport({ ratio: 1 });
    await expect(cards(page).nth(index).getByRole("heading")).toBeInViewport({ ratio: 0.9 });
  }
  await expect(async () => {
    await page.mouse.wheel(0, 4000);
    expect(await cards(page).count()).toBeGreaterThan(60);
  }).toPass();
  const card = cards(page).nth(55);
  await card.scrollIntoViewIfNeeded();
  const name = (await card.getByRole("heading").textContent()) ?? "";
  const [count, place] = [await cards(page).count(), await page.evaluate(() => scrollY)];
  await card.getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();

  await page.goBack();
  await expect(card.getByRole("heading")).toHaveText(name);
  await expect(card).toBeInViewport();
  expect(await cards(page).count()).toBeGreaterThanOrEqual(count);
  expect(Math.abs((await page.evaluate(() => scrollY)) - place)).toBeLessThan(20);
});

test("Home shows what was viewed last, as it is now", { tag: "@phone" }, async ({ page }) => {
  const viewed = page.getByRole("list", { name: "Recently viewed" });
  await page.goto("/home");
  await expect(page.getByRole("heading", { name: "Just listed" })).toBeVisible();
  await expect(viewed).toHaveCount(0);

  await page.goto("/studentmarketplace");
  const links = cards(page).getByRole("heading").getByRole("link");
  const names = (await links.allTextContents()).slice(0, 3);
  for (const path of await links.evaluateAll((all) => all.slice(0, 3).map((link) => link.getAttribute("href") ?? ""))) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect
      .poll(() => page.evaluate(() => Object.entries(localStorage).find(([key]) => key.endsWith("history"))?.[1] ?? ""))
      .toContain(path.split("/").at(-1) ?? path);
  }
  // One that is gone, and one whose price was another.
  await page.evaluate(() => {
    const [key = "", kept = "[]"] = Object.entries(localStorage).find(([name]) => name.endsWith("history")) ?? [];
    const [last, ...others] = JSON.parse(kept);
    const gone = { ...last, id: "00000000-0000-4000-8000-000000000000", name: "Gone" };
    localStorage.setItem(key, JSON.stringify([gone, { ...last, price: 1 }, ...others]));
  });
  await page.goto("/home");
  await expect(viewed.getByRole("link")).toHaveCount(3);
  for (const [at, name] of names.toReversed().entries())
    await expect(viewed.getByRole("link").nth(at)).toContainText(name);
  await expect(viewed).not.toContainText(/KES 1(?![\d,])/);
  await expect(viewed).not.toContainText("Gone");
  await expectAccessible(page, ["light", "dark"]);
});

test.describe("without a connection", () => {
  test.use({ tolerated: /Failed to load resource/ });
  test("photos that a lost connection left out come when it is back", { tag: "@phone" }, async ({ page }) => {
    await page.route("**/files/**", (route) => route.abort());
    await page.goto("/search?q=MacBook");
    const photos = page.getByRole("article").locator("img.photo[src^='/files/']");
    await expect(page.getByRole("article").first()).toBeVisible();
    await expect(photos).toHaveCount(0);
    await page.unroute("**/files/**");
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await expect(photos.first()).toBeVisible();
  });
});

test("a card that has the focus shows all of its ring", { tag: "@phone" }, async ({ page }) => {
  await page.goto("/studentmarketplace");
  const card = cards(page).nth(9);
  await expect(card).toHaveCSS("content-visibility", "auto");
  await card.getByRole("link").first().focus();
  await expect(card).toHaveCSS("content-visibility", "visible");
});

test("words typed while a list loads stay, and so does the focus", { tag: "@phone" }, async ({ page }) => {
  const box = page.getByLabel("Search products");
  const link = (name: string) => page.getByRole("main").getByRole("link", { name, exact: true }).first();
  const search = async (words: string) => {
    await box.fill(words);
    await box.press("Enter");
  };
  /** Types while the list at `address` is held, once the screen shows what it shows until then. */
  const type = async (address: RegExp, open: () => Promise<void>, shown: () => Promise<void>, loaded: RegExp) => {
    const { asked, send } = await holdRequests(page, address);
    await open();
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await shown();
    await box.fill("rice cook");
    send();
    await expect(page.getByRole("heading", { level: 1, name: loaded })).toBeVisible();
    await expect(cards(page).first()).toBeVisible();
    await expect(box).toHaveValue("rice cook");
    await expect(box).toBeFocused();
    await page.unroute(address);
  };
  const lists: [RegExp, () => Promise<void>, RegExp][] = [
    [/studentmarketplace\.data.*=routes/, () => link("Start Shopping").click(), /^Welcome, /],
    [/electronics\.data.*=routes/, () => link("Electronics").click(), /^Electronics$/],
    [/search\.data.*=routes/, () => search("calculator"), /“calculator”/],
  ];
  for (const [address, open, loaded] of lists) {
    await page.goto("/home");
    await type(address, open, () => expect(page).not.toHaveURL("/home"), loaded);
  }
  // The results of one search stay in sight on the way to those of the next.
  await type(
    /search\.data.*lamp/,
    () => search("lamp"),
    () => expect(cards(page).first()).toBeVisible(),
    /“lamp”/,
  );
  // Back leaves the focus where it is, and shows the words of the results.
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: /“calculator”/ })).toBeVisible();
  await expect(box).toHaveValue("calculator");
});

test("words typed while another search's results load stay, too", { tag: "@desktop" }, async ({ page, openAs }) => {
  const searches = [
    [page, "/help", "Search for an answer"],
    [await openAs("seller@campus.test"), "/myshop?tab=orders", "Find an order by its number"],
    [await openAs("admin@campus.test"), "/admin/universities", "Name or domain"],
  ] as const;
  for (const [screen, path, label] of searches) {
    await screen.goto(path);
    const box = screen.getByLabel(label, { exact: true });
    const { asked, send } = await holdRequests(screen, /\.data\?.*q=abcd/);
    await box.fill("abcd");
    await box.press("Enter");
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await box.fill("abcde");
    send();
    await expect(screen.getByText(/^(Nothing found for “abcd”|No order found|No universities found)$/)).toBeVisible();
    await expect(box).toHaveValue("abcde");
    await expect(box).toBeFocused();
    await screen.goBack();
    await expect(box).toHaveValue("");
  }
});

test(
  "a suggestion leads to results with the text marked, and the search is offered again",
  { tag: "@desktop" },
  async ({ page }) => {
    await page.goto("/studentmarketplace");
    const box = page.getByLabel("Search products");
    await box.click();
    await box.pressSequentially("HP ");
    const suggestion = page.getByRole("option", { name: /^HP / }).first();
    await expect(suggestion).toBeVisible();
    const name = await suggestion.innerText();
    // Kinds of things come before names.
    const names = await page.getByRole("option").allInnerTexts();
    for (let at = 0; at <= names.indexOf(name); at += 1) await box.press("ArrowDown");
    await expect(suggestion).toHaveAttribute("aria-selected", "true");
    await box.press("Enter");

    await expect(page).toHaveURL(`/search?q=${encodeURIComponent(name)}`);
    await expect(box).toHaveValue(name);
    await expect(cards(page).first().locator("mark").first()).toHaveText("HP");
    await box.fill("");
    await expect(page.getByRole("option", { name })).toBeVisible();
    await expectAccessible(page);

    await box.fill(`"no such thing" OR 1=1 -- ☕`);
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(page.getByText(/^Nothing (has all|fits) your words\./)).toBeVisible();
  },
);

test(
  "the filters of a category are in its address, and going back undoes them",
  { tag: "@phone" },
  async ({ page }) => {
    async function filter(label: string) {
      await page.getByRole("button", { name: /^Filters/ }).click();
      await page.getByRole("checkbox", { name: label, exact: true }).check();
      await page.getByRole("button", { name: /^Apply Filters: \d+\+? results?$/ }).click();
    }

    await page.goto("/category/electronics");
    await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toHaveText(/Home\s*Electronics/);
    await expect(page.getByText(/^\d+ items$/)).toBeVisible();
    const all = await page.getByText(/^\d+ items$/).innerText();

    await filter("Used - Good");
    await expect(page).toHaveURL("/category/electronics?condition=good");
    await expect(page.getByText(all, { exact: true })).toBeHidden();
    for (const facts of await cards(page).allTextContents()) expect(facts).toContain("Used - Good");
    await filter("Main Campus");
    await expect(page).toHaveURL("/category/electronics?condition=good&campus=Main+Campus");

    const drawer = page.getByRole("dialog", { name: "Filters" });
    await page.getByRole("button", { name: "Filters (1)" }).click();
    await expect(drawer).toBeVisible();
    await page.goBack();
    await expect(drawer).toBeHidden();
    await expect(page).toHaveURL("/category/electronics?condition=good&campus=Main+Campus");
    await page.getByRole("button", { name: "Filters (1)" }).click();
    await expectAccessible(page);
    await page.getByRole("slider", { name: "Lowest price" }).focus();
    await page.keyboard.press("End");
    await page.getByRole("button", { name: "Apply Filters" }).click();
    await expect(page).toHaveURL("/category/electronics?min=100000&condition=good&campus=Main+Campus");
    await expect(page.getByRole("heading", { name: "No products found" })).toBeVisible();

    await page.goBack();
    await expect(page).toHaveURL("/category/electronics?condition=good&campus=Main+Campus");
    await page.goBack();
    await expect(page).toHaveURL("/category/electronics?condition=good");
    await expect(cards(page).first()).toBeVisible();

    await page.goto("/category/electronics?min=99000&condition=fair");
    await page.getByRole("main").getByRole("link", { name: "Reset Filters" }).last().click();
    // Whatever the current number is, because other tests list products, too.
    await expect(page).toHaveURL("/category/electronics");
    await expect(page.getByText(/^\d+ items$/)).toBeVisible();
    await expect(cards(page).first()).toBeVisible();

    // Beside a list, a reset takes off what is still being applied, too.
    await page.setViewportSize({ width: 1024, height: 800 });
    const box = (name: string) => page.getByRole("checkbox", { name, exact: true });
    await box("Used - Good").check();
    await expect(page).toHaveURL("/category/electronics?condition=good");
    await expect(box("Used - Good")).toBeFocused();
    await page.getByRole("slider", { name: "Highest price" }).focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await expect(page).toHaveURL("/category/electronics?max=1000&condition=good");
    // A thumb stops at the other one.
    await page.getByRole("slider", { name: "Lowest price" }).focus();
    await page.keyboard.press("End");
    await expect(page).toHaveURL("/category/electronics?min=1000&max=1000&condition=good");
    await page.goBack();
    await page.goBack();
    await expect(page).toHaveURL("/category/electronics?condition=good");
    await expect(page.getByRole("slider", { name: "Highest price" })).toHaveValue("100000");
    await expect(box("Used - Good")).toBeChecked();
    const { asked } = await holdRequests(page, /electronics\.data\?.*campus/);
    await box("Main Campus").check();
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await page.getByRole("form", { name: "Filters" }).getByRole("link", { name: "Reset Filters" }).click();
    await expect(page).toHaveURL("/category/electronics");
    await expect(box("Used - Good")).not.toBeChecked();
    await expect(box("Main Campus")).not.toBeChecked();
  },
);

test(
  "without scripts the search, the filters and the next page work",
  { tag: "@desktop" },
  async ({ browser, contextOptions }) => {
    const context = await browser.newContext({ ...contextOptions, javaScriptEnabled: false });
    const page = await context.newPage();
    await signIn(page, BUYER);
    await page.goto("/studentmarketplace");
    const placeOfFirst = () => cards(page).first().getByRole("link").first().getAttribute("href");
    const before = await placeOfFirst();
    await page.getByRole("link", { name: "Show more" }).click();
    await expect(page).toHaveURL(/\/studentmarketplace\?after=/);
    expect(await placeOfFirst()).not.toBe(before);

    await page.getByRole("link", { name: "Filters", exact: true }).click();
    await page.getByRole("checkbox", { name: "Used - Fair" }).check();
    await page.getByRole("button", { name: /^Show/ }).click();
    await expect(page).toHaveURL(/\/studentmarketplace\?.*condition=fair/);

    // Of the demo campus, because other tests sell what they list.
    await page.getByLabel("Search products").fill("calculator");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(cards(page).first()).toContainText(/calculator/i);

    await page.goto("/category/electronics");
    await page.getByRole("checkbox", { name: "New", exact: true }).check();
    await page.getByRole("button", { name: "Apply Filters" }).click();
    await expect(page).toHaveURL(/\/category\/electronics\?.*condition=new/);
    for (const facts of await cards(page).allTextContents()) expect(facts).toMatch(/New \S+ Campus/);

    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/category/electronics?min=25.000");
    await expect(page.getByText("'25.000' could mean 25 or 25,000. Write 25 or 25000.").last()).toBeVisible();
    await page.goto("/category/electronics");
    await page.getByRole("button", { name: "Filters", exact: true }).click();
    await page.getByRole("checkbox", { name: "Used - Good" }).check();
    await page.getByRole("button", { name: "Apply Filters" }).click();
    await expect(page).toHaveURL(/\/category\/electronics\?.*condition=good/);
    await expect(cards(page).first()).toContainText("Used - Good");
    await context.close();
  },
);
