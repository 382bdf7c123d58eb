/** Cart and wishlist for their users: changes show at once, failures are reported, and all windows agree. */
import type { BrowserContext, Locator, Page, Route } from "@playwright/test";
import { expect, expectAccessible, gotoLive, test } from "#tests/support/browser.ts";
import { holdRequests } from "#tests/support/hold-requests.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct, post } from "#tests/support/requests.ts";

// What a browser logs when a test cuts the connection or lets the server fail.
test.use({ tolerated: /Failed to load resource|WebSocket|Failed to fetch manifest patches/ });

let session: Awaited<ReturnType<BrowserContext["cookies"]>> | null = null;
let email = "";

/** A new student for this file, with an empty cart and wishlist. */
test.beforeEach(async ({ page }) => {
  if (session) await page.context().addCookies(session);
  else {
    ({ email } = await joinCampus(page));
    session = await page.context().cookies();
  }
  for (const intent of ["clear-cart", "clear-wishlist"]) await post(page, "/", { intent, from: "/cart" });
  await page.context().clearCookies({ name: "flash" });
});

interface Found {
  id: string;
  name: string;
}

/** No other test lists or buys new products in this category. */
const CATEGORY = "/category/electronics?condition=new";

/** Opens the category and returns new products of it. */
async function openCategory(page: Page, count: number): Promise<Found[]> {
  await page.goto(CATEGORY);
  const buttons = page.getByRole("article").getByRole("button", { name: /^Add .* to cart$/ });
  await expect(buttons.nth(count - 1)).toBeVisible();
  return buttons.evaluateAll(
    (all, wanted) =>
      all.slice(0, wanted).map((button) => ({
        id: (button as HTMLButtonElement).value,
        name: button.closest("article")?.querySelector("h2, h3")?.textContent ?? "",
      })),
    count,
  );
}

let found: Found[] | null = null;

/** Two new products, looked up once. */
async function findProducts(page: Page): Promise<Found[]> {
  found ??= await openCategory(page, 2);
  return found;
}

async function fill(page: Page, list: "cart" | "wishlist", products: Found[]): Promise<void> {
  for (const { id } of products)
    await post(page, "/", { intent: `add-to-${list}`, from: "/cart", productId: id, quantity: "1" });
  await page.context().clearCookies({ name: "flash" });
}

const ANY_CHANGE = /\/_\.data/;
/** The script that sends the changes. It loads after the page works. */
const SENDER = /\/basket-sender-[^/]*\.js/;

const cartBadge = (page: Page) => page.getByRole("link", { name: /^Cart/ }).first();
const wishlistBadge = (page: Page) =>
  page
    .getByRole("link", { name: /^Wishlist/ })
    .and(page.locator(":visible"))
    .first();
const heart = (page: Page, name: string) => page.getByRole("button", { name: `Save ${name} to wishlist` });
const line = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });
const quantity = (page: Page, name: string) =>
  page.getByRole("group", { name: `Quantity of ${name}` }).getByRole("spinbutton", { name: "Quantity", exact: true });

/** Scripts run. Before that, a press submits a plain form. */
async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("main") ?? {}).some((key) => key.startsWith("__react")),
  );
}

test(
  "a used item goes into the cart once, and its page says that there is only one",
  {
    tag: "@phone",
  },
  async ({ page }) => {
    await page.goto("/category/electronics?condition=good");
    await ready(page);
    const cards = page.getByRole("article");
    const used = cards.filter({ hasText: /Used - / }).filter({ has: page.getByRole("button", { name: /^Add / }) });
    const name = (await used.first().getByRole("heading").textContent()) ?? "";
    const card = cards.filter({ has: page.getByRole("heading", { name, exact: true }) });
    await card.getByRole("button", { name: `Add ${name} to cart` }).click();
    await expect(page.getByText(`${name} added to cart`)).toBeVisible();
    await card.getByRole("button", { name: `${name} is in your cart` }).click();
    await expect(page.getByText(`${name} is already in your cart`)).toBeVisible();
    await expect(cartBadge(page)).toHaveAccessibleName("Cart, 1 item");

    await card.getByRole("link", { name }).first().click();
    await expect(page.getByRole("spinbutton", { name: "Quantity" })).toHaveCount(0);
    await page.goto("/cart");
    await expect(line(page, name).getByText("the seller has one")).toBeVisible();
    await expect(line(page, name).getByRole("button", { name: "Increase quantity" })).toBeDisabled();
    await expect(quantity(page, name)).toHaveValue("1");
  },
);

test(
  "hearts and cart buttons respond before the server, count on the badges, and survive a reload",
  {
    tag: "@phone",
  },
  async ({ page }) => {
    const [product] = await openCategory(page, 1);
    if (!product) throw new Error("nothing is for sale");
    await ready(page);
    const changes = await holdRequests(page, ANY_CHANGE);

    await heart(page, product.name).click();
    await expect(heart(page, product.name)).toHaveAttribute("aria-pressed", "true");
    await expect(wishlistBadge(page)).toHaveAccessibleName(/Wishlist ?, 1 saved/);
    await page.getByRole("button", { name: `Add ${product.name} to cart`, exact: true }).click();
    await expect(cartBadge(page)).toHaveAccessibleName("Cart, 1 item");
    changes.send();
    await expect(page.getByText(`${product.name} added to wishlist`)).toBeVisible();
    await expect(page.getByText(`${product.name} added to cart`)).toBeVisible();

    await page.reload();
    await expect(heart(page, product.name)).toHaveAttribute("aria-pressed", "true");
    await expect(cartBadge(page)).toHaveAccessibleName("Cart, 1 item");
    await page.goto(`/product/${product.id}`);
    await ready(page);
    await heart(page, product.name).click();
    await expect(page.getByText(`${product.name} removed from wishlist`)).toBeVisible();
    await expect(wishlistBadge(page)).toHaveAccessibleName("Wishlist");
  },
);

test.describe("at any screen size", { tag: "@desktop" }, () => {
  test("when requests fail, every change is undone with an error message", async ({ page }) => {
    let failures = 0;
    // The connection breaks, or the server fails, in turn: each change meets both.
    const fail = (route: Route) => {
      failures += 1;
      return failures % 2 === 1
        ? route.abort()
        : route.fulfill({ status: 500, contentType: "text/html", body: "<h1>500</h1>" });
    };
    const [one, two] = await findProducts(page);
    if (!one || !two) throw new Error("too little is for sale");
    await fill(page, "cart", [one]);
    await fill(page, "wishlist", [two]);
    await page.route(ANY_CHANGE, fail);
    await page.route("**/cart.data*", (route) =>
      route.request().method() === "POST" ? fail(route) : route.continue(),
    );
    const expectText = (text: string) => expect(page.getByText(text, { exact: true }).last()).toBeVisible();

    await page.goto(CATEGORY);
    await ready(page);
    await page.getByRole("button", { name: `Add ${two.name} to cart`, exact: true }).click();
    await expectText("Failed to add to cart");
    await heart(page, one.name).click();
    await expectText("Failed to add to wishlist");
    await expect(heart(page, one.name)).toHaveAttribute("aria-pressed", "false");
    await heart(page, two.name).click();
    await expectText("Failed to remove from wishlist");
    await expect(heart(page, two.name)).toHaveAttribute("aria-pressed", "true");
    await expect(cartBadge(page)).toHaveAccessibleName("Cart, 1 item");

    await page.goto("/cart");
    await ready(page);
    await line(page, one.name).getByRole("button", { name: "Increase quantity" }).click();
    await expectText("Failed to update cart");
    await expect(quantity(page, one.name)).toHaveValue("1");
    await page.getByRole("button", { name: `Remove ${one.name}` }).click();
    await expectText("Failed to remove item from cart");
    await page.getByRole("button", { name: `Move ${one.name} to wishlist` }).click();
    await expectText("Failed to move item to wishlist");
    await page.getByRole("button", { name: "Clear Cart" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Clear Cart" }).click();
    await expectText("Failed to clear cart");
    await page.getByRole("button", { name: "Proceed to Checkout" }).click();
    await expectText("Failed to proceed to checkout");
    const refusal = page.getByRole("main").getByText("Failed to proceed to checkout");
    await expect(refusal).toBeVisible();
    await line(page, one.name).getByRole("button", { name: "Increase quantity" }).click();
    await expect(refusal).toBeHidden();
    await expect(line(page, one.name)).toBeVisible();

    await page.goto("/wishlist");
    await ready(page);
    await page.getByRole("button", { name: `Move to Cart: ${two.name}` }).click();
    await expectText("Failed to move item to cart");
    await page.getByRole("button", { name: `Remove ${two.name}` }).click();
    await expectText("Failed to remove item");
    await page.getByRole("button", { name: "Clear Wishlist" }).click();
    const dialog = page.getByRole("alertdialog");
    await expect(dialog).toContainText(
      "Are you sure you want to remove all items from your wishlist? This action cannot be undone.",
    );
    // A press beside a question answers nothing.
    await page.mouse.click(5, 5);
    await dialog.getByRole("button", { name: "Clear Wishlist" }).click();
    await expectText("Failed to clear wishlist");
    await expect(line(page, two.name)).toBeVisible();
    await expect(wishlistBadge(page)).toHaveAccessibleName(/Wishlist ?, 1 saved/);
  });

  test("a lost request is repeated, and one that the server had already taken adds once", async ({ page }) => {
    const [product] = await openCategory(page, 1);
    if (!product) throw new Error("nothing is for sale");
    await ready(page);
    const keys: (string | null)[] = [];
    await page.route(ANY_CHANGE, async (route) => {
      keys.push(new URLSearchParams(route.request().postData() ?? "").get("key"));
      // The first never arrives, and the answer to the second is lost.
      if (keys.length === 2) await route.fetch();
      return keys.length < 3 ? route.abort() : route.continue();
    });
    // The screen's own data is lost once after the answer has come.
    let reloads = 0;
    await page.route(/\/electronics\.data/, (route) => {
      if (keys.length === 3) reloads += 1;
      return reloads === 1 ? route.abort() : route.continue();
    });
    await page.getByRole("button", { name: `Add ${product.name} to cart`, exact: true }).click();
    await expect(page.getByText(`${product.name} added to cart`)).toBeVisible();
    await expect.poll(() => reloads).toBeGreaterThan(1);
    await expect(cartBadge(page)).toHaveAccessibleName("Cart, 1 item");
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    await page.goto("/cart");
    await expect(quantity(page, product.name)).toHaveValue("1");
  });

  test("a change made without a connection is sent when it is back, also after a reload", async ({ page, context }) => {
    const [one, two] = await openCategory(page, 2);
    if (!one || !two) throw new Error("too little is for sale");
    await ready(page);
    // The list of messages comes a few seconds after the page.
    await page.waitForFunction(() =>
      performance.getEntriesByType("resource").some(({ name }) => /settled-/.test(name)),
    );
    await context.setOffline(true);
    await page.getByRole("button", { name: `Add ${one.name} to cart`, exact: true }).click();
    await expect(cartBadge(page)).toHaveAccessibleName("Cart, 1 item");
    await expect(page.getByText("We'll save your change when you're back online.").first()).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByText(`${one.name} added to cart`)).toBeVisible();

    // Before it is reloaded, the page gets no answer.
    const { send: answer } = await holdRequests(page, ANY_CHANGE);
    await heart(page, two.name).click();
    await expect(heart(page, two.name)).toHaveAttribute("aria-pressed", "true");
    await page.reload();
    answer();
    await expect(page.getByText(`${two.name} added to wishlist`)).toBeVisible();
    await page.goto("/wishlist");
    await expect(line(page, two.name)).toBeVisible();
  });

  test("a change after the session ended is made after the login, and leads back to its screen", async ({ page }) => {
    const [product] = await openCategory(page, 1);
    if (!product) throw new Error("nothing is for sale");
    await ready(page);
    await page.context().clearCookies();
    await page.getByRole("button", { name: `Add ${product.name} to cart`, exact: true }).click();
    await expect(page).toHaveURL(/\/auth\?to=/);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill("campus-demo");
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page).toHaveURL(CATEGORY);
    await expect(cartBadge(page)).toHaveAccessibleName("Cart, 1 item");
    session = await page.context().cookies();
  });

  test("a change that is answered while an unknown screen is opened is kept", async ({ page }) => {
    const manifest = await holdRequests(page, /\/__manifest/);
    const [product] = await openCategory(page, 1);
    if (!product) throw new Error("nothing is for sale");
    await ready(page);
    await page.waitForFunction(
      (name) => performance.getEntriesByType("resource").some((entry) => entry.name.includes(name)),
      "/basket-sender-",
    );
    const { send: answer, asked } = await holdRequests(page, ANY_CHANGE);
    await heart(page, product.name).click();
    await expect.poll(() => asked).toHaveLength(1);
    await page.locator('a[href="/wishlist"]').filter({ visible: true }).first().click();
    await expect(page.getByRole("progressbar", { name: "Loading" })).toBeAttached();
    const answered = page.waitForResponse(ANY_CHANGE);
    answer();
    await answered;
    manifest.send();
    await expect(page).toHaveURL("/wishlist");
    await expect(line(page, product.name)).toBeVisible();
  });

  test("presses faster than the server lose nothing and never overtake each other", async ({ page }) => {
    const [product] = await findProducts(page);
    if (!product) throw new Error("nothing is for sale");
    await fill(page, "cart", [product]);
    const sent: string[] = [];
    let pressed = () => {};
    const allPressed = new Promise<void>((done) => (pressed = done));
    await page.route(ANY_CHANGE, async (route) => {
      sent.push(new URLSearchParams(route.request().postData() ?? "").get("quantity") ?? "");
      // The first request takes longer than all presses, so in parallel the others would overtake it.
      if (sent.length === 1) await allPressed;
      await route.continue();
    });
    // They come before the script that sends them, too.
    const sender = await holdRequests(page, /\/basket-sender-[^/]*\.js/);
    await page.goto("/cart");
    await ready(page);
    const more = line(page, product.name).getByRole("button", { name: "Increase quantity" });
    for (let press = 0; press < 7; press += 1) await more.click();
    await line(page, product.name).getByRole("button", { name: "Decrease quantity" }).click();
    await expect(quantity(page, product.name)).toHaveValue("7");
    await expect(line(page, product.name).getByRole("status")).toHaveText("7");
    sender.send();
    await expect(page.getByText("1 product, 7 pieces", { exact: true })).toBeVisible();

    // The reader leaves before everything is sent. The changes still arrive.
    await page.getByRole("link", { name: "Home", exact: true }).first().click();
    pressed();
    await expect(page.getByText("Cart updated successfully").first()).toBeVisible();
    expect(sent.at(-1)).toBe("7");
    expect(sent.length).toBeLessThan(8);
    await page.goto("/cart");
    await expect(quantity(page, product.name)).toHaveValue("7");
  });

  test("lines move to the wishlist and back; one that is on the wishlist already is only removed from the cart", async ({
    page,
  }) => {
    const [one, two] = await findProducts(page);
    if (!one || !two) throw new Error("too little is for sale");
    await fill(page, "cart", [one, two]);
    await fill(page, "wishlist", [two]);
    await page.goto("/cart");
    await ready(page);
    // Also while another change of the line is on its way.
    const changes = await holdRequests(page, ANY_CHANGE);
    await line(page, one.name).getByRole("button", { name: "Increase quantity" }).click();
    await page.getByRole("button", { name: `Move ${one.name} to wishlist` }).click();
    changes.send();
    await expect(page.getByText(`${one.name} moved to wishlist`)).toBeVisible();
    await page.getByRole("button", { name: `Move ${two.name} to wishlist` }).click();
    await expect(page.getByText(`${two.name} is already in your wishlist`)).toBeVisible();
    await expect(page.getByRole("heading", { name: "Your Cart is Empty" })).toBeVisible();

    await wishlistBadge(page).click();
    await line(page, one.name).getByRole("button", { name: "Increase quantity" }).click();
    await page.getByRole("button", { name: `Move to Cart: ${one.name}` }).dblclick();
    await expect(page.getByText(`${one.name} moved to cart`)).toBeVisible();
    await page.getByRole("link", { name: "View Cart" }).click();
    await expect(quantity(page, one.name)).toHaveValue("2");
  });

  test("a double click adds once and orders once, and a lost answer orders nothing twice", async ({ page }) => {
    const [product] = await findProducts(page);
    if (!product) throw new Error("nothing is for sale");
    // A quantity that is typed before the scripts have come counts.
    const typeEarly = async (path: string, field: Locator, text: string) => {
      const { send: sendScripts } = await holdRequests(page, /\/assets\/.*\.js/);
      const opened = page.goto(path);
      await field.fill(text);
      sendScripts();
      await opened;
      await ready(page);
    };
    await typeEarly(`/product/${product.id}`, page.getByRole("spinbutton", { name: "Quantity" }), "3");
    await page.getByRole("button", { name: "Add to Cart", exact: true }).dblclick();
    await expect(page.getByText(`${product.name} added to cart`)).toBeVisible();
    await cartBadge(page).click();
    await expect(quantity(page, product.name)).toHaveValue("3");
    const changed = page.waitForResponse(ANY_CHANGE);
    await typeEarly("/cart", quantity(page, product.name), "2");
    await changed;
    await page.reload();
    await expect(quantity(page, product.name)).toHaveValue("2");
    await ready(page);

    let lost = false;
    await page.route("**/cart.data*", async (route) => {
      if (route.request().method() !== "POST" || lost) return route.continue();
      lost = true;
      await route.fetch({ maxRedirects: 0 });
      await route.abort();
    });
    await page.getByRole("button", { name: "Proceed to Checkout" }).click();
    await expect(page.getByText("Failed to proceed to checkout").first()).toBeVisible();
    await page.getByRole("button", { name: "Proceed to Checkout" }).dblclick();
    await expect(page).toHaveURL(/\/checkout\/[0-9a-f-]{36}$/);
    await page.goto("/profile?tab=orders");
    await expect(page.locator('a[href^="/orders/"]')).toHaveCount(1);
  });

  test("Proceed to Checkout, pressed while a quantity is being saved, orders what the screen shows", async ({
    page,
  }) => {
    const [product] = await findProducts(page);
    if (!product) throw new Error("nothing is for sale");
    await fill(page, "cart", [product]);
    // It was typed before the scripts had come.
    const scripts = await holdRequests(page, /\/assets\/.*\.js/);
    const sender = await holdRequests(page, SENDER);
    const changes = await holdRequests(page, ANY_CHANGE);
    const opened = page.goto("/cart");
    await quantity(page, product.name).fill("2");
    scripts.send();
    await opened;
    await ready(page);
    await page.getByRole("button", { name: "Proceed to Checkout" }).click();
    await expect(page.getByRole("button", { name: "One moment..." })).toBeVisible();
    sender.send();
    changes.send();
    await expect(page).toHaveURL(/\/checkout\/[0-9a-f-]{36}$/);
    await expect(page.getByText(/2 [x×]/)).toBeVisible();
  });

  test("changes of products in the cart are shown, and must be accepted before ordering", async ({
    page,
    openWindow,
  }) => {
    const seller = await openWindow();
    await joinCampus(seller);
    const mark = crypto.randomUUID().slice(0, 8);
    const names = { dearer: `Dearer ${mark}`, sold: `Sold ${mark}`, deleted: `Deleted ${mark}`, same: `Same ${mark}` };
    const products: Found[] = [];
    for (const name of Object.values(names))
      products.push({
        name,
        id: await listProduct(seller, name, { price: "1000", condition: "good", madeToOrder: "" }),
      });
    const [dearer, sold, deleted] = products.map(({ id }) => id);
    await fill(page, "cart", products);
    await page.goto("/cart");
    await ready(page);
    await expect(page.getByText("4 products", { exact: true })).toBeVisible();

    await seller.goto(`/product/${dearer}/edit`);
    await seller.getByLabel("Price", { exact: true }).fill("1500");
    await seller.getByRole("button", { name: "Save Changes" }).click();
    await expect(seller.getByText("Changes saved")).toBeVisible();
    await expect(seller).toHaveURL(new RegExp(`/product/${dearer}$`));
    for (const [id, form] of [
      [sold, { intent: "status", status: "sold" }],
      [deleted, { intent: "delete" }],
    ] as const)
      await post(seller, `/product/${id}/manage`, form);

    // The buyer's screen doesn't know of it yet, and the server refuses the order.
    const checkout = page.getByRole("button", { name: "Proceed to Checkout" });
    await checkout.click();
    await expect(
      page.getByRole("alert").getByText(`The price of ${names.dearer} has changed. Please accept it to continue.`),
    ).toBeVisible();
    await expect(line(page, names.dearer).getByText("Price changed from KES 1,000 to KES 1,500")).toBeVisible();
    for (const gone of [names.sold, "Removed product"])
      await expect(line(page, gone).getByText("Not Available", { exact: true })).toBeVisible();
    await expect(page.getByText("2 products", { exact: true })).toBeVisible();
    await expect(checkout).toBeDisabled();
    await expect(page.getByText("Accept what has changed to continue.")).toBeVisible();
    await expect(
      page.getByText(`You can't buy ${names.sold} and Removed product now. Pay for the other 2.`),
    ).toBeVisible();
    await expectAccessible(page);

    await page.getByRole("button", { name: `Accept new price of ${names.dearer}` }).click();
    await expect(line(page, names.dearer).getByText("KES 1,500, the seller has one")).toBeVisible();
    await expect(checkout).toBeEnabled();
    await checkout.click();
    await expect(page).toHaveURL(/\/checkout\/[0-9a-f-]{36}$/);
    await expect(page.getByText("KES 2,500").filter({ visible: true }).first()).toBeVisible();
  });

  test("a page without a live connection is refreshed when its reader returns", async ({ page }) => {
    const [product] = await findProducts(page);
    if (!product) throw new Error("nothing is for sale");
    await page.routeWebSocket(/\/live/, () => {});
    await page.clock.install();
    await page.goto("/cart");
    await ready(page);
    await expect(page.getByRole("heading", { name: "Your Cart is Empty" })).toBeVisible();
    await fill(page, "cart", [product]);
    // The script that listens may still be on its way at the first return.
    await expect(async () => {
      await page.evaluate(() => dispatchEvent(new Event("blur")));
      await page.clock.fastForward(11_000);
      await expect(page.getByRole("heading", { name: "Your Cart is Empty" })).toBeVisible();
      await page.evaluate(() => dispatchEvent(new Event("focus")));
      await page.clock.runFor(500);
      await expect(quantity(page, product.name)).toHaveValue("1", { timeout: 2_000 });
    }).toPass();
    await expect(cartBadge(page)).toHaveAccessibleName("Cart, 1 item");
  });

  test("two windows stay in step: badges, hearts and lists", async ({ page, openWindow }) => {
    const [one, two] = await findProducts(page);
    if (!one || !two) throw new Error("too little is for sale");
    const phone = await openWindow();
    await phone.context().addCookies(session ?? []);
    await gotoLive(page, CATEGORY);
    await gotoLive(phone, CATEGORY);
    await ready(page);
    await ready(phone);

    await heart(page, one.name).click();
    await expect(heart(phone, one.name)).toHaveAttribute("aria-pressed", "true");
    await page.getByRole("button", { name: `Add ${two.name} to cart`, exact: true }).click();
    await expect(cartBadge(phone)).toHaveAccessibleName("Cart, 1 item");

    await gotoLive(phone, "/cart");
    await expect(quantity(phone, two.name)).toHaveValue("1");
    await page.getByRole("button", { name: `Add another ${two.name} to cart` }).click();
    await expect(quantity(phone, two.name)).toHaveValue("2");
    await phone.getByRole("button", { name: `Remove ${two.name}` }).click();
    await expect(cartBadge(page)).toHaveAccessibleName("Cart");
  });

  test("everything works without scripts", async ({ browser, contextOptions, page }) => {
    const [product] = await findProducts(page);
    if (!product) throw new Error("nothing is for sale");
    const plain = await browser.newContext({ ...contextOptions, javaScriptEnabled: false });
    await plain.addCookies(session ?? []);
    const still = await plain.newPage();
    await still.goto(CATEGORY);
    await heart(still, product.name).click();
    await expect(still).toHaveURL(CATEGORY);
    await expect(heart(still, product.name)).toHaveAttribute("aria-pressed", "true");
    await still.goto(`/product/${product.id}`);
    await still.getByRole("spinbutton").fill("3");
    await still.getByRole("button", { name: "Add to Cart", exact: true }).click();
    await still.goto("/cart");
    await quantity(still, product.name).fill("5");
    await quantity(still, product.name).press("Enter");
    await expect(still).toHaveURL(/\/cart$/);
    await expect(quantity(still, product.name)).toHaveValue("5");
    await still.getByRole("button", { name: `Remove ${product.name}` }).click();
    await expect(still.getByRole("heading", { name: "Your Cart is Empty" })).toBeVisible();
    await plain.close();
  });
});
