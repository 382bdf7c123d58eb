/** Parts of a screen whose scripts load when they are wanted. */
import { expect, gotoLive, test } from "#tests/support/browser.ts";
import { holdRequests } from "#tests/support/hold-requests.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct, orderProduct, originOf, payOrder } from "#tests/support/requests.ts";
import { joinAsSeller } from "#tests/support/sales.ts";

test("a part's script loads when somebody uses it, and a press before it has come isn't lost @phone", async ({
  page: buyer,
  openWindow,
}) => {
  const seller = await openWindow();
  await joinCampus(seller);
  await joinCampus(buyer);
  const productId = await listProduct(seller, "Ruled paper");

  const { asked, send } = await holdRequests(buyer, /\/assets\/message-dialog-(?!later)/);
  const discovered = buyer.waitForResponse(/\/__manifest/);
  await buyer.goto(`/product/${productId}`);
  // The router has heard of the page's links then. React doesn't need the part for that.
  await discovered;
  await buyer.waitForLoadState("networkidle");
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

test("hearts on a product's page work while the cards below it wait for their script @phone", async ({
  page: buyer,
  openWindow,
}) => {
  const seller = await openWindow();
  await joinCampus(seller);
  await joinCampus(buyer);
  const productId = await listProduct(seller, "Blue folder");
  await listProduct(seller, "Green folder");
  const { send } = await holdRequests(buyer, /\/assets\/more-from-seller-(?!later)/);
  await buyer.goto(`/product/${productId}`);
  const heart = (name: string) => buyer.getByRole("button", { name: `Save ${name} to wishlist` });
  await heart("Blue folder").click();
  await expect(heart("Blue folder")).toHaveAttribute("aria-pressed", "true");

  await heart("Green folder").click();
  await expect(buyer.locator(".later", { has: heart("Green folder") })).toHaveAttribute("aria-busy", "true");
  await expect(heart("Green folder")).toHaveAttribute("aria-pressed", "false");
  send();
  await expect(heart("Green folder")).toHaveAttribute("aria-pressed", "true");
  await expect(buyer.getByText("Green folder added to wishlist")).toBeVisible();
  await expect(buyer).toHaveURL(`/product/${productId}`);

  await buyer.reload();
  for (const name of ["Blue folder", "Green folder"]) await expect(heart(name)).toHaveAttribute("aria-pressed", "true");
});

test("a screen opened by a link asks for its scripts at once, and then for those of its parts at once @phone", async ({
  page: seller,
}) => {
  await joinAsSeller(seller);
  await listProduct(seller, "Lined paper", { madeToOrder: "", stock: "1" });
  await seller.goto("/home");
  const screen = await holdRequests(seller, /\/assets\/my-shop-[^/]*\.js/);
  const imported = await holdRequests(seller, /\/assets\/shop-dialogs-later-/);
  const list = await holdRequests(seller, /\/assets\/shop-products-/);
  const stepper = await holdRequests(seller, /\/assets\/stock-stepper-[^/]*\.js/);
  await seller.getByRole("link", { name: "My shop" }).filter({ visible: true }).first().click();
  await expect.poll(() => [screen.asked.length, imported.asked.length]).toEqual([1, 1]);
  imported.send();
  screen.send();
  await expect.poll(() => [list.asked.length, stepper.asked.length]).toEqual([1, 1]);
  stepper.send();
  list.send();
  await seller.getByRole("button", { name: "One more of Lined paper" }).click();
  await expect(seller.getByRole("textbox", { name: "Stock of Lined paper" })).toHaveValue("2");
});

test("a part stays as the server rendered it while new data of its screen comes before its script @phone", async ({
  page: seller,
}) => {
  await joinAsSeller(seller);
  const { asked, send } = await holdRequests(seller, /\/assets\/shop-figures-(?!later)/);
  await seller.goto("/myshop?tab=orders");
  const heading = seller.getByRole("heading", { level: 1 });
  const figures = seller.getByRole("region", { name: "Your shop in figures" });
  await seller.getByRole("searchbox").fill("0a1b2c3d");
  await seller.getByRole("button", { name: "Find", exact: true }).click();
  await expect(seller.getByText("No order found")).toBeVisible();
  await expect.poll(() => asked).toHaveLength(1);
  await expect(heading).toHaveText("My Shop");
  await expect(figures).toBeVisible();
  await listProduct(seller, "Plain paper");
  send();
  await seller.getByRole("link", { name: "Show all orders" }).click();
  await expect(figures).toContainText(/Active Listings\s*1/);
  await expect(heading).toHaveText("Njeri's Shop");
});

test("a press works once new data has come before the part's script @phone", async ({ page: seller }) => {
  await joinAsSeller(seller);
  const { asked, send } = await holdRequests(seller, /\/assets\/shop-dialogs-(?!later)/);
  await seller.goto("/myshop?tab=orders");
  await seller.getByRole("searchbox").fill("0a1b2c3d");
  await seller.getByRole("button", { name: "Find", exact: true }).click();
  await expect(seller.getByText("No order found")).toBeVisible();
  await expect.poll(() => asked).toHaveLength(1);
  const copies = await seller.locator(".later__kept", { hasText: "Customize Shop" }).count();
  await seller.getByText("Customize Shop", { exact: true }).click();
  // Where React could still show the original, the press waits for the script.
  if (copies === 0) send();
  await expect(seller.getByRole("heading", { level: 1, name: "Shop Settings" })).toBeVisible();
});

test("a conversation works while a reload of its screen takes long", async ({ page: buyer, openWindow }) => {
  const seller = await openWindow();
  await joinCampus(seller);
  await joinCampus(buyer);
  const productId = await listProduct(seller, "Tracing paper");
  const form = { about: `product:${productId}`, text: "Is it still there?", key: crypto.randomUUID() };
  const sent = await buyer.request.post("/api/messages", { form, headers: { origin: originOf() } });
  expect(sent.status(), await sent.text()).toBe(200);
  const { data } = (await sent.json()) as { data: { senderId: string } };

  const messages = await holdRequests(seller, /\/assets\/messages-tab-/);
  const menu = await holdRequests(seller, /\/assets\/conversation-menu-(?!later)/);
  const reload = await holdRequests(seller, /\/profile\.data/);
  await gotoLive(seller, `/profile?tab=messages&with=${data.senderId}`);
  await payOrder(buyer, await orderProduct(buyer, productId));
  await expect.poll(() => reload.asked).toHaveLength(1);
  messages.send();
  // React can't show the new data without the menu, which lies within the conversation.
  await expect.poll(() => menu.asked).toHaveLength(1);
  await seller.getByRole("textbox", { name: /^Message / }).fill("Thank you for buying it");
  await seller.getByRole("button", { name: "Send" }).click();
  await expect(seller.getByRole("log")).toContainText("Thank you for buying it");

  menu.send();
  reload.send();
  await seller.getByRole("button", { name: "More", exact: true }).click();
  await expect(seller.getByText("Block Njeri Wambui")).toBeVisible();
});

test("a screen that somebody leaves doesn't ask for the scripts of its parts @phone", async ({
  page: buyer,
  openWindow,
}) => {
  const seller = await openWindow();
  await joinCampus(seller);
  await joinCampus(buyer);
  const productId = await listProduct(seller, "Graph paper");
  const asked: string[] = [];
  buyer.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const { send } = await holdRequests(buyer, "**/cart.data*");
  await buyer.goto(`/product/${productId}`);
  await buyer.getByRole("link", { name: /^Cart/ }).filter({ visible: true }).first().click();
  await expect.poll(() => asked).toContain("/cart.data");
  send();
  await expect(buyer.getByRole("heading", { level: 1, name: "Cart" })).toBeVisible();
  expect(asked.filter((path) => /\/assets\/(message-dialog|product-share)-(?!later)/.test(path))).toEqual([]);
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

  test("a part that the browser opens says that its script failed, and what was typed survives the reload @phone", async ({
    page: buyer,
    openWindow,
  }) => {
    const seller = await openWindow();
    await joinCampus(seller);
    await joinCampus(buyer);
    const about = `product:${await listProduct(seller, "Music paper")}`;
    const form = { about, text: "Is it there?", key: crypto.randomUUID() };
    const sent = await buyer.request.post("/api/messages", { form, headers: { origin: originOf() } });
    expect(sent.status(), await sent.text()).toBe(200);

    const script = /\/assets\/conversation-menu-(?!later)/;
    await seller.route(script, (route) => route.abort());
    await seller.goto("/profile?tab=messages");
    await seller
      .getByRole("link", { name: /Njeri Wambui/ })
      .first()
      .click();
    await expect(seller.getByText("This part could not be loaded.")).toBeVisible();
    await expect(seller.getByRole("log")).toContainText("Is it there?");
    const box = seller.getByRole("textbox", { name: /^Message / });
    await box.fill("It is, come at four");

    await seller.unroute(script);
    await seller.getByRole("button", { name: "Reload" }).click();
    await expect(box).toHaveValue("It is, come at four");
    await seller.getByRole("button", { name: "More", exact: true }).click();
    await expect(seller.getByText("Block Njeri Wambui")).toBeVisible();
  });

  test("a screen that the browser can't open is there after a press on Reload @phone", async ({ page: seller }) => {
    await joinCampus(seller);
    let asked = 0;
    await seller.route(/\/assets\/shop-figures-(?!later)/, (route) => {
      asked += 1;
      return route.abort();
    });
    await seller.goto("/home");
    await seller.getByRole("link", { name: "My shop" }).filter({ visible: true }).first().click();
    const reload = seller.getByRole("button", { name: "Reload" }).first();
    await expect(reload).toBeVisible();
    // One attempt of each of its two parts with this script.
    expect(asked).toBeLessThanOrEqual(2);
    await reload.click();
    await expect(seller.getByRole("region", { name: "Your shop in figures" })).toBeVisible();
    await expect(seller).toHaveURL("/myshop");
  });
});
