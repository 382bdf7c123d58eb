/** axe on every screen that is not a desk (those are in admin.spec.ts), at both sizes and in both themes: it finds nothing. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, signIn, test } from "#tests/support/browser.ts";

test.use({ tolerated: /status of (400|404)/ });

/** The first link of a page to somewhere that begins so. */
async function findLink(page: Page, from: string, start: string): Promise<string> {
  await page.goto(from);
  return (await page.locator(`main a[href^="${start}"]`).first().getAttribute("href")) ?? "";
}

async function order(page: Page, product: string): Promise<string> {
  const origin = new URL(test.info().project.use.baseURL ?? "").origin;
  await page.goto(product);
  const price = /"price":"?(\d+)/.exec(await page.content())?.[1] ?? "";
  const answer = await page.request.post(origin + product, {
    form: { intent: "buy-now", quantity: "1", orderKey: crypto.randomUUID(), price },
    headers: { origin },
    maxRedirects: 0,
  });
  return answer.headers().location ?? "";
}

/** Looks at each screen; what axe finds on any of them comes together at the end. */
async function look(page: Page, paths: string[]): Promise<void> {
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
    await expect(page.getByRole("progressbar", { name: "Loading", exact: true })).toHaveCount(0);
    await expectAccessible(page).catch((error: unknown) => found.push(`${path}: ${String(error).slice(0, 1_500)}`));
  }
  expect(found).toEqual([]);
}

test("axe finds nothing on any screen, whoever looks at it", async ({ page }) => {
  test.setTimeout(600_000);
  await page.addInitScript(
    () => location.origin !== "null" && localStorage.setItem("chuoni_tutorial_completed", "true"),
  );
  await test.step("visitors", () =>
    look(page, [
      "/auth",
      "/auth/signup",
      "/auth/signup?type=wholesaler",
      "/auth/check-email",
      "/auth/forgot",
      "/auth/reset",
      "/auth/reset?token=x",
      "/auth/callback?token=x",
    ]));

  await signIn(page, "newcomer@campus.test");
  await test.step("somebody whose profile is not complete", () => look(page, ["/complete-profile"]));
  await page.context().clearCookies();

  await signIn(page, "buyer@campus.test");
  await page.goto("/studentmarketplace");
  const forSale = page.locator("main article").filter({ hasNotText: "Not Available" }).locator('a[href^="/product/"]');
  const product = (await forSale.first().getAttribute("href")) ?? "";
  const seller = await findLink(page, product, "/seller/");
  const placed = await findLink(page, "/profile?tab=orders", "/orders/");
  const checkout = await order(page, product);
  await test.step("a buyer", () =>
    look(page, [
      "/home",
      "/studentmarketplace",
      "/search?q=lamp",
      "/search?q=nothing-of-the-kind",
      "/category/electronics",
      product,
      seller,
      "/cart",
      "/wishlist",
      checkout,
      placed,
      placed.replace("/orders/", "/order-confirmation/"),
      "/subscription",
      "/become-seller",
      "/profile",
      "/profile?tab=orders",
      "/profile?tab=messages",
      "/profile?tab=wishlist",
      "/profile?tab=settings",
      "/product/00000000-0000-4000-8000-000000000000",
    ]));
  await page.context().clearCookies();

  await signIn(page, "seller@campus.test");
  const own = await findLink(page, "/myshop?tab=products", "/product/");
  const sale = await findLink(page, "/myshop?tab=orders", "/seller/orders/");
  await test.step("a seller", () =>
    look(page, [
      "/myshop",
      "/myshop?tab=products",
      "/myshop?tab=orders",
      "/myshop/settings",
      "/add-product",
      `${own}/edit`,
      sale,
    ]));
});
