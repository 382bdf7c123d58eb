/** The public page of a product: what anybody sees who opens a shared link. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import { suspendListing, suspendUser } from "#app/moderation/suspensions/suspensions.server.ts";
import { findPublicProduct } from "#app/catalogue/product/public-product.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { profiles, shops, wholesalerDetails } from "#app/accounts/tables.server.ts";
import { pressedPath } from "#app/catalogue/product/pending-action.server.ts";
import { publicProductPath } from "#app/public-links.ts";
import { shortIdOf } from "#app/platform/short-ids.ts";
import { ORIGIN, sessionCookie } from "#tests/support/accounts.ts";
import { db, makeProduct, makeTables, makeUser, makeWholesaler, rate, servicesAt } from "#tests/support/fixtures.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";
import { meteredServices } from "#tests/support/metered.ts";

const NAME = "Casio fx-991ES";

function pathOf(id: string): string {
  return publicProductPath({ id, name: NAME });
}

async function open(path: string): Promise<{ status: number; html: string }> {
  const answer = await visit(path);
  return { status: answer.status, html: await answer.text() };
}

async function makeShop(id: string, shopName: string): Promise<void> {
  await db.insert(shops).values({
    id,
    shopName,
    description: "Ask for Kiplagat on 0711 223 344",
    preferredContact: "0711223344",
    createdAt: 1,
    updatedAt: 1,
  });
}

test("everybody sees what it is and who sells it, by the first name", async () => {
  const sellerId = await makeUser({ name: "Njoroge Kiplagat", phone: "254711223344" });
  await rate(sellerId, [0, 0, 0, 1, 3]);
  const id = await makeProduct(sellerId);
  const { status, html } = await open(pathOf(id));
  expect(status).toBe(200);
  for (const shown of [
    NAME,
    "KES 1,900",
    "Main Campus",
    "Works, with cover",
    ">Njoroge<",
    "Rated 4.8 of 5 by 4 people",
  ])
    expect(html).toContain(shown);
  expect(html).toContain('href="/c/stationery"');
  expect(html).toContain(`href="/s/${shortIdOf(sellerId)}/njoroge-s-shop"`);
  expect(html).toContain(`https://wa.me/?text=Casio%20fx-991ES%20for%20KES%201%2C900%20on%20Chuoni%0A`);
  expect(html).toContain(`<link rel="canonical" href="${ORIGIN}${pathOf(id)}"/>`);
});

test("no page says a seller's last name, phone or email", async () => {
  const phone = "254711223344";
  const person = await makeUser({ name: "Njoroge Kiplagat", phone });
  const shop = await makeUser({ name: "Njoroge Kiplagat", phone });
  await makeShop(shop, "Otieno Books");
  const wholesaler = await makeWholesaler({ fullName: "Njoroge Kiplagat", phone });
  await makeShop(wholesaler, "Bulk Corner");
  await db.insert(wholesalerDetails).values({
    userId: wholesaler,
    businessName: "Otieno Supplies Ltd",
    businessPhone: "0711223344",
    businessEmail: "sales@kiplagat.test",
    businessAddress: "Kiplagat House, Room 4",
    createdAt: 1,
    updatedAt: 1,
  });
  await db.update(profiles).set({ verifiedLevel: "business" }).where(eq(profiles.id, wholesaler));
  for (const sellerId of [person, shop, wholesaler]) {
    for (const status of ["active", "sold"] as const) {
      const { html } = await open(pathOf(await makeProduct(sellerId, { status })));
      expect(html).toContain(NAME);
      expect(html).not.toMatch(/kiplagat|11\s?223\s?344|\w@\w/i);
    }
  }
  const listed = await makeProduct(wholesaler);
  await db
    .update(products)
    .set({ description: "Sealed. Call 0711 223 344, or write to sales@kiplagat.test." })
    .where(eq(products.id, listed));
  const { html } = await open(pathOf(listed));
  expect(html).toContain("Otieno Supplies Ltd");
  expect(html).toContain("Sealed. Call (log in to see this), or write to (log in to see this).");
  expect(html).not.toMatch(/kiplagat|11\s?223\s?344|\w@\w/i);
});

test("a wrong or missing slug, or another letter case, leads to the right address for good", async () => {
  const id = await makeProduct(await makeUser());
  for (const path of [`/p/${shortIdOf(id)}`, `/p/${shortIdOf(id)}/old-name`, `/p/${shortIdOf(id).toUpperCase()}/x`]) {
    const answer = await visit(`${path}?utm_source=chat`);
    expect([path, answer.status, answer.headers.get("Location")]).toEqual([path, 301, pathOf(id)]);
  }
});

test("what was sold says so, and can't be bought", async () => {
  const id = await makeProduct(await makeUser(), { status: "sold" });
  const { status, html } = await open(pathOf(id));
  expect(status).toBe(200);
  expect(html).toContain("This item has been sold.");
  expect(html).toContain("Have a look at similar ones below.");
  expect(html).not.toContain("Buy on Chuoni");
});

test.each([
  [20, 6],
  [4, 4],
])("with %i pieces left of a wholesale listing, Buy orders %i", async (stock, quantity) => {
  const [seller, buyer] = [await makeUser(), await makeUser()];
  const id = await makeProduct(seller, { price: 100, stock });
  await db.update(products).set({ wholesale: true, minQuantity: 6 }).where(eq(products.id, id));
  expect((await open(pathOf(id))).html).toContain(`name="quantity" value="${quantity}"`);
  const form = { intent: "buy-now", quantity: `${quantity}`, price: "100", orderKey: crypto.randomUUID() };
  const bought = await visit(`/product/${id}`, { as: buyer, form });
  expect(bought.headers.get("Location")).toMatch(/^\/checkout\//);
});

test("what may not be shown any more answers 410, with nothing of it but other listings", async () => {
  const admin = await makeAdmin();
  const deleted = await makeProduct(await makeUser());
  await db.update(products).set({ deletedAt: 1 }).where(eq(products.id, deleted));
  const takenDown = await makeProduct(await makeUser());
  await suspendListing(servicesAt(), admin, takenDown, "Fake");
  const held = await makeProduct(await makeUser());
  await db.update(products).set({ suspendedAt: 1, heldFor: "pistol" }).where(eq(products.id, held));
  const suspendedSeller = await makeUser();
  const ofSuspended = await makeProduct(suspendedSeller);
  await suspendUser(servicesAt(), admin, suspendedSeller, "Fraud");
  const leavingSeller = await makeUser();
  const ofDeleted = await makeProduct(leavingSeller);
  expect(await deleteAccount(servicesAt(), leavingSeller)).toMatchObject({ ok: true });
  const other = await makeProduct(await makeUser(), { name: "Graph paper" });
  const member = await makeUser();

  for (const id of [deleted, takenDown, held, ofSuspended, ofDeleted]) {
    for (const path of [pathOf(id), `/p/${shortIdOf(id)}`]) {
      const { status, html } = await open(path);
      expect(status).toBe(410);
      expect(html).toContain("This item is no longer here");
      expect(html).toContain(publicProductPath({ id: other, name: "Graph paper" }));
      for (const hidden of ["Works, with cover", id, "Fake", "pistol", 'rel="canonical"'])
        expect(html).not.toContain(hidden);
    }
    expect((await visit(pathOf(id), { as: member })).status).toBe(410);
  }
});

test("its seller is led to a hidden listing's own page, which says why", async () => {
  const sellerId = await makeUser();
  const held = await makeProduct(sellerId);
  await db.update(products).set({ suspendedAt: 1, heldFor: "pistol" }).where(eq(products.id, held));
  const answer = await visit(pathOf(held), { as: sellerId });
  expect([answer.status, answer.headers.get("Location")]).toEqual([302, `/product/${held}`]);
});

test("what never existed answers 404 and shows what is new, never a login form", async () => {
  await makeProduct(await makeUser(), { name: "Graph paper" });
  for (const path of ["/p/0000000000/x", "/p/zzzzzzzzzz", "/p/short/x", "/p/%F0%9F%A6%84"]) {
    const { status, html } = await open(path);
    expect([path, status]).toEqual([path, 404]);
    expect(html).toContain("We can&#x27;t find this item");
    expect(html).toContain("Graph paper");
    expect(html).not.toContain("password");
  }
});

test("nobody takes over a link: the older product keeps it", async () => {
  const older = await makeProduct(await makeUser(), { name: "The first" });
  const newer = `${older.slice(0, 13)}-4000-8000-000000000000`;
  await db.insert(products).values({
    id: newer,
    sellerId: await makeUser(),
    name: "An impostor",
    description: "",
    price: 1,
    createdAt: Date.now() + 1_000,
    updatedAt: Date.now(),
  });
  const page = await findPublicProduct(servicesAt(), shortIdOf(newer));
  expect(page).toMatchObject({ state: "shown", product: { id: older } });
});

test("it costs one round trip and few rows, however much is for sale", async () => {
  const sellerId = await makeUser();
  await makeTables(sellerId, 0, 2_000);
  const { meter, ...store } = meteredServices();
  expect(await findPublicProduct(store, shortIdOf("a0000007-0000-4000-8000-000000000000"))).toMatchObject({
    state: "shown",
    others: { kind: "similar", listings: Array.from({ length: 8 }, () => ({ name: "Table" })) },
  });
  expect(meter.trips).toBe(1);
  expect(meter.rowsRead).toBeLessThanOrEqual(150);
});

test("a button leads to the product, with a signed cookie that says what was pressed", async () => {
  const id = await makeProduct(await makeUser());
  const buyer = await makeUser();
  const buy = await visit(pathOf(id), { form: { action: "buy", quantity: "1", price: "1900", revision: "2" } });
  expect([buy.status, buy.headers.get("Location")]).toEqual([303, expect.stringMatching(addressOf(id))]);
  const [cookie = ""] = buy.headers.getSetCookie();
  expect(cookie).toMatch(/^pending_action=.*; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax/);

  const { key, cleared } = await openAs(buyer, id, cookie);
  expect(await readPressed(cookie)).toEqual({
    id: expect.any(String),
    action: "buy",
    productId: id,
    orderKey: key,
    quantity: 1,
    price: 1_900,
    revision: 2,
  });
  expect(cleared).toBe(true);

  const [message = ""] = (await visit(pathOf(id), { form: { action: "message" } })).headers.getSetCookie();
  expect(await readPressed(message)).toEqual({ id: expect.any(String), action: "message", productId: id });
  expect((await openAs(buyer, id, message)).cleared).toBe(true);
});

test("pressing Buy again keeps the order, and another product has its own", async () => {
  const sellerId = await makeUser();
  const [id, other] = [await makeProduct(sellerId), await makeProduct(sellerId)];
  const buyer = await makeUser();
  const form = { action: "buy", quantity: "1", price: "1900" };
  const [first = ""] = (await visit(pathOf(id), { form })).headers.getSetCookie();
  const headers = { Cookie: valueOf(first) };
  const [second = ""] = (await visit(pathOf(id), { form, headers })).headers.getSetCookie();
  const [cookieOfOther = ""] = (await visit(pathOf(other), { form, headers })).headers.getSetCookie();
  const { key } = await openAs(buyer, id, first);
  expect((await openAs(buyer, id, second)).key).toBe(key);
  expect((await openAs(buyer, other, cookieOfOther)).key).not.toBe(key);

  // Both tabs place one order.
  const buyNow = { intent: "buy-now", quantity: "1", price: "1900", orderKey: key };
  const tabs = await Promise.all([0, 1].map(() => visit(`/product/${id}`, { as: buyer, form: buyNow })));
  const [one, two] = tabs.map((answer) => answer.headers.get("Location"));
  expect(one).toMatch(/^\/checkout\//);
  expect(two).toBe(one);
});

test("only our own cookie counts, only for its product, and not after a logout", async () => {
  const sellerId = await makeUser();
  const [id, other] = [await makeProduct(sellerId), await makeProduct(sellerId)];
  const buyer = await makeUser();
  const answer = await visit(pathOf(id), { form: { action: "buy", quantity: "1", price: "1900" } });
  const [cookie = ""] = answer.headers.getSetCookie();
  for (const bad of [`${valueOf(cookie)}x`, "pending_action=%7B%22action%22%3A%22buy%22%7D", "pending_action="]) {
    expect((await openAs(buyer, id, bad)).cleared).toBe(false);
  }
  const otherProduct = await openAs(buyer, other, cookie);
  expect(otherProduct.cleared).toBe(false);
  expect(await readPressed(cookie)).not.toMatchObject({ orderKey: otherProduct.key });
  const loggedOut = await visit("/logout", { as: await makeUser(), form: {} });
  expect(loggedOut.headers.getSetCookie().some((line) => line.startsWith("pending_action=; Max-Age=0"))).toBe(true);
});

test("the next person at the same computer orders nothing that somebody else has pressed", async () => {
  const id = await makeProduct(await makeUser());
  const form = { action: "buy", quantity: "1", price: "1900" };
  const [cookie = ""] = (await visit(pathOf(id), { form })).headers.getSetCookie();
  const [later = ""] = (await visit(pathOf(id), { form })).headers.getSetCookie();
  const next = await makeUser();
  const earlierPress = pressedPath((await readPressed(cookie))!);
  for (const path of [`/product/${id}`, `/product/${id}?pressed=`, earlierPress]) {
    const opened = await openAs(next, id, later, path);
    expect([path, opened.cleared]).toEqual([path, false]);
    expect(await readPressed(later)).not.toMatchObject({ orderKey: opened.key });
  }
});

test("the login says once why they are there, and leads to what was pressed", async () => {
  const id = await makeProduct(await makeUser());
  const [cookie = ""] = (await visit(pathOf(id), { form: { action: "message" } })).headers.getSetCookie();
  const path = pressedPath((await readPressed(cookie))!);
  const headers = { Cookie: valueOf(cookie) };
  const guarded = await visit(path, { headers });
  expect(guarded.headers.get("Location")).toBe(`/auth?to=${encodeURIComponent(path)}`);
  expect(guarded.headers.getSetCookie()).toEqual([]);
  const login = await (await visit(guarded.headers.get("Location") ?? "", { headers })).text();
  expect(login).toContain("Log in or sign up to message the seller.");
  const other = await visit(`/product/${id}`, { headers });
  expect(other.headers.getSetCookie().join()).toContain("flash");
});

test("logging out of all devices and deleting the account forget what was pressed", async () => {
  for (const intent of ["sign-out-everywhere", "delete"]) {
    const answer = await visit("/settings", { as: await makeUser(), form: { intent, confirmation: "DELETE" } });
    expect([intent, answer.headers.get("Location")]).toEqual([intent, "/auth"]);
    expect(answer.headers.getSetCookie().some((line) => line.startsWith("pending_action=; Max-Age=0"))).toBe(true);
  }
});

test("a page shows no contacts in names, and no campus that nobody knows", async () => {
  const sellerId = await makeUser({ name: "Njoroge Kiplagat" });
  await makeShop(sellerId, "Books 0711 223 344");
  const name = "Kettle, call (0711) 223 344";
  const id = await makeProduct(sellerId, { name, location: "Unknown" });
  await makeProduct(sellerId, { name: "Jug sales@kiplagat.test", location: "Unknown" });
  const { status, html } = await open(publicProductPath({ id, name: "Kettle, call …" }));
  expect(status).toBe(200);
  expect(html).toContain("Kettle, call …");
  expect(html).toContain("Jug …");
  expect(html).toContain("Books …");
  expect(html).not.toMatch(/Unknown|11\)?\s?223\s?344|\w@\w/);
});

test("a page during a holiday says when one can order again, and promises no wishlist", async () => {
  const sellerId = await makeUser({ name: "Njoroge Kiplagat" });
  await makeShop(sellerId, "Otieno Books");
  await db
    .update(shops)
    .set({ awayUntil: Date.now() + 86_400_000 })
    .where(eq(shops.id, sellerId));
  const { html } = await open(pathOf(await makeProduct(sellerId)));
  expect(html).toMatch(/Otieno Books is on holiday until [^.]+\. You can order again after that\./);
  expect(html).not.toContain("wishlist");
});

test("a bad form is refused, and a button for what is gone shows that it is gone", async () => {
  const id = await makeProduct(await makeUser());
  const forms: Record<string, string>[] = [
    { action: "sell" },
    { action: "buy" },
    { action: "buy", quantity: "0", price: "1900" },
    { action: "buy", quantity: "1", price: "free" },
  ];
  for (const form of forms) {
    const answer = await visit(pathOf(id), { form });
    expect([form, answer.status]).toEqual([form, 400]);
    expect(answer.headers.getSetCookie().join()).not.toContain("pending_action");
  }
  await db.update(products).set({ deletedAt: 1 }).where(eq(products.id, id));
  const answer = await visit(pathOf(id), { form: { action: "message" } });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, pathOf(id)]);
});

/** The address that a button leads to. */
function addressOf(id: string): RegExp {
  return new RegExp(`^/product/${id}\\?pressed=[0-9a-f-]{36}$`);
}

/** The cookie as a browser sends it back. */
function valueOf(setCookie: string): string {
  return setCookie.split(";", 1)[0] ?? "";
}

function readPressed(setCookie: string) {
  return servicesAt().pendingAction.read(new Request(ORIGIN, { headers: { Cookie: valueOf(setCookie) } }));
}

/**
 * Opens a product with such a cookie: the key of the order that its page would place, and whether the cookie is used
 * up.
 */
async function openAs(userId: string, productId: string, setCookie = "", path?: string) {
  const pressed = await readPressed(setCookie);
  const answer = await visit(path ?? (pressed ? pressedPath({ ...pressed, productId }) : `/product/${productId}`), {
    headers: { Cookie: `${await sessionCookie(userId)}; ${valueOf(setCookie)}` },
  });
  const cleared = answer.headers.getSetCookie().some((line) => line.startsWith("pending_action=; Max-Age=0"));
  const html = await answer.text();
  return { cleared, key: /name="orderKey" value="([^"]*)"/.exec(html)?.[1] ?? "" };
}
