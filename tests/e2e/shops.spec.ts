/** Shops: a seller's public page, following, and the shops on the home page. */
import { expect, expectAccessible, signIn, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { joinAsSeller } from "#tests/support/sales.ts";

const BUYER = "buyer@campus.test";

const SHOP = { name: "Otieno Tech Corner", email: "seller@campus.test", product: "Tecno Spark 20, gravity black" };

// One shop does not exist, one answer is lost on purpose.
test.use({ tolerated: /404|ERR_FAILED/ });

test(
  "a visitor sees a shop without its email, and logs in to follow it; two people's follows add up",
  { tag: "@phone" },
  async ({ page, openAs }) => {
    const other = await openAs("pro@campus.test");
    await other.goto(`/search?q=${SHOP.product}`);
    await other.getByRole("main").getByRole("article").getByRole("link").first().click();
    await other.getByRole("link", { name: "View Shop" }).click();
    await expect(other.getByRole("heading", { level: 1, name: SHOP.name })).toBeVisible();
    await expect(other.getByRole("link", { name: SHOP.email })).toHaveCount(0);
    await expect(other).toHaveTitle(new RegExp(`${SHOP.name} – `));
    const path = new URL(other.url()).pathname;
    const followers = async (window: typeof page) =>
      Number.parseInt(await window.getByText(/^\d+ followers?$/).innerText(), 10);
    const leave = other.getByRole("button", { name: `Following ${SHOP.name}` });
    const enter = other.getByRole("button", { name: `Follow ${SHOP.name}` });
    if (await leave.isVisible()) {
      await leave.click();
      await expect(enter).toBeVisible();
    }

    // A banner that can't be loaded is replaced by a small, uncropped drawing.
    await page.route(/\/(640|1080|1600)\.webp$/, (route) => route.abort());
    await page.goto(path);
    await expect(page.locator(".shop-banner img")).toHaveAttribute("src", /no-photo/);
    await expect(page.locator(".shop-banner img")).toHaveCSS("object-fit", "contain");
    await page.unroute(/\/(640|1080|1600)\.webp$/);
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 2, name: "Products by this Seller" })).toBeVisible();
    expect(await page.content()).not.toContain(SHOP.email);
    await expect(page.locator('meta[property="og:image"]')).toHaveAttribute("content", /^http.*\.webp$/);
    await expect(page.locator('link[rel="canonical"]')).toHaveAttribute(
      "href",
      /\/s\/[0-9a-z]{10}\/otieno-tech-corner$/,
    );
    await expectAccessible(page);
    await page.getByRole("link", { name: `Follow ${SHOP.name}` }).click();
    await expect(page).toHaveURL(`/auth?to=${encodeURIComponent(path)}`);

    await signIn(page, BUYER);
    await page.goto(path);
    await expect(page.getByRole("button", { name: /^Follow(ing)? / })).toBeVisible();
    await page.waitForLoadState("networkidle");
    const before = await followers(page);
    // Two presses at once cancel out; a third counts.
    await enter.dblclick();
    await expect(enter).toBeVisible();
    await enter.click();
    await expect(leave).toBeVisible();
    await expect(async () => {
      await page.reload();
      expect(await followers(page)).toBe(before + 1);
    }).toPass();
    await other.reload();
    await expect(leave).toBeVisible();

    await other.route("**/seller/**", (route) =>
      route.request().method() === "POST" ? route.abort() : route.continue(),
    );
    await leave.click();
    await expect(other.getByText("We couldn't save this. Please try again.")).toBeVisible();
    await expect(leave).toBeVisible();
    await other.unroute("**/seller/**");
    await leave.click();
    await expect(enter).toBeVisible();
    await expect(async () => {
      await page.reload();
      expect(await followers(page)).toBe(before);
    }).toPass();

    await page.goto("/seller/00000000-0000-4000-8000-000000000000");
    await expect(page.getByRole("heading", { level: 1, name: "Seller Not Found" })).toBeVisible();
    await page.getByRole("link", { name: "Back to Marketplace" }).click();
    await expect(page).toHaveURL("/studentmarketplace");
  },
);

test(
  "the home page shows shops with their newest products, to follow there and then",
  { tag: "@desktop" },
  async ({ page }) => {
    // The buyer follows a shop in the test above.
    await joinCampus(page);
    await page.goto("/home");
    const featured = page.getByRole("region", { name: "Featured Shops" });
    await expect(featured.getByRole("article")).toHaveCount(6);
    await expectAccessible(page);
    const last = featured.getByRole("article").last();
    const name = await last.getByRole("heading", { level: 3 }).innerText();
    // Two shops may have the same name.
    const address = await last.getByRole("link", { name, exact: true }).getAttribute("href");
    const shop = featured.getByRole("article").filter({ has: page.locator(`a[href="${address}"]`) });
    const follow = shop.getByRole("button", { name: /^Follow(ing)? / });
    const before = await follow.innerText();
    await follow.click();
    await expect(follow).not.toHaveText(before);
    await shop.getByRole("link", { name, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expect(page.getByRole("button", { name: /^Follow(ing)? / })).not.toHaveText(before);
    await page.getByRole("button", { name: /^Follow(ing)? / }).click();

    await page.goto("/home");
    await page.getByRole("link", { name: "Explore All Shops" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "All Shops" })).toBeVisible();
    await page.getByRole("link", { name: "Best rated" }).click();
    await expect(page).toHaveURL(/sort=/);
    // A shop that is featured for its plan or for a friend may have no stars, so it needn't be among the first.
    await expect(page.getByRole("main").getByRole("article").first()).toBeVisible();
    await expectAccessible(page);

    await page.getByRole("link", { name: "Student Marketplace" }).last().click();
    const shopsData = /\/home\.data\?.*member%2Fhome/;
    await page.route(shopsData, (route) => route.abort());
    await page.getByRole("link", { name: "Home", exact: true }).first().click();
    await expect(page.getByRole("heading", { name: /^Error loading shops: / })).toBeVisible();
    await expect(page.getByRole("heading", { level: 1, name: "Your Student Marketplace" })).toBeVisible();
    await page.unroute(shopsData);
    await page.getByRole("button", { name: "Try Again" }).click();
    await expect(featured.getByRole("article")).toHaveCount(6);
  },
);

test("a seller shows their email to members in Settings, and hides it again", async ({ page }) => {
  const { email } = await joinAsSeller(page);
  const settings = "/profile?tab=settings&section=email";
  const shown = page.getByRole("switch", { name: "Show my email to members" });
  await page.goto(settings);
  await expect(shown).not.toBeChecked();
  await shown.click();
  await expect(shown).toBeChecked();
  const shop = `/seller/${await page.locator("[data-viewer]").first().getAttribute("data-viewer")}`;
  await page.goto(shop);
  await expect(page.getByRole("link", { name: email })).toBeVisible();
  await page.goto(settings);
  await shown.click();
  await expect(shown).not.toBeChecked();
  await page.goto(shop);
  await expect(page.getByRole("heading", { level: 2, name: "Products by this Seller" })).toBeVisible();
  await expect(page.getByRole("link", { name: email })).toHaveCount(0);
});
