/** Parts of a screen whose scripts load when they are wanted. */
import { expect, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct } from "#tests/support/requests.ts";

test("a part's script loads when somebody uses it, and a press before it has come isn't lost @phone", async ({
  page: buyer,
  openWindow,
}) => {
  const seller = await openWindow();
  await joinCampus(seller);
  await joinCampus(buyer);
  const productId = await listProduct(seller, "Ruled paper");

  const asked: string[] = [];
  let send = () => {};
  const held = new Promise<void>((resolve) => {
    send = resolve;
  });
  await buyer.route(/\/assets\/message-dialog-(?!later)/, async (route) => {
    asked.push(route.request().url());
    await held;
    await route.continue();
  });
  await buyer.goto(`/product/${productId}`);
  expect(asked).toEqual([]);

  const part = buyer.locator(".later", { has: buyer.getByRole("button", { name: "Message", exact: true }) });
  // The icon, which isn't an HTML element.
  await part.locator("svg").click();
  await expect(part).toHaveAttribute("aria-busy", "true");
  expect(asked).toHaveLength(1);
  send();
  await expect(buyer.getByRole("dialog", { name: /^Message / })).toBeVisible();
  await expect(buyer.locator(".later[aria-busy]")).toHaveCount(0);
  expect(new URL(buyer.url()).search).toBe("");
});

test.describe("without its script", () => {
  test.use({ tolerated: /ERR_FAILED/ });

  test("a press on a part works as without scripts", async ({ page: buyer, openWindow }) => {
    const seller = await openWindow();
    await joinCampus(seller);
    await joinCampus(buyer);
    const productId = await listProduct(seller, "Squared paper");

    await buyer.route(/\/assets\/message-dialog-(?!later)/, (route) => route.abort());
    await buyer.goto(`/product/${productId}`);
    const message = buyer.getByRole("button", { name: "Message", exact: true });
    await buyer.locator(".later", { has: message }).getByRole("button").click();
    await expect(buyer.getByRole("textbox", { name: "Your message" })).toBeVisible();
  });
});
