/** What a buyer saw is what they order: a listing that was changed meanwhile is read and accepted first. */
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { acceptPrice, addToCart, clearCart, listCart, setCartQuantity } from "#app/basket/cart.server.ts";
import { addToWishlist } from "#app/basket/wishlist.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { priceSteps, products } from "#app/catalogue/tables.server.ts";
import { orderCart } from "#app/orders/order-cart.server.ts";
import { cartOrderKey } from "#app/orders/place-order.server.ts";
import { makeOffer } from "#app/offers/make-offer.server.ts";
import { payOffer } from "#app/offers/pay-offer.server.ts";
import { db, makeProduct, makeUser, servicesAt, stockOf, changeListing } from "#tests/support/fixtures.ts";
import { acceptedOffer, listForOffers, openOffer, readOffer, take } from "#tests/support/offers.ts";
import { visit } from "#tests/support/visit.ts";

const PRICE = 1_900;
const IMAGE: ProductImage = {
  key: "img/00000000000000000000000000000000",
  format: "webp",
  width: 800,
  height: 600,
  widths: [400, 800],
  tone: "#808080",
  thumbhash: "",
};

type Edit = Partial<typeof products.$inferInsert>;
const edit = (productId: string, change: Edit) => changeListing(productId, { ...change, updatedAt: Date.now() });

/** Each edit of what a buyer is promised. */
const SWAPS: [string, Edit][] = [
  ["name", { name: "Casio fx-82" }],
  ["condition", { condition: "fair" }],
  ["description", { description: "Broken" }],
  ["photos", { images: [IMAGE] }],
];
/** Edits that change nothing of it, and a form that is saved without a change. */
const TRIVIAL: Edit = {
  name: "Casio fx-991ES",
  description: "Works, with cover",
  stock: 50,
  category: "other",
  sku: "A-1",
  location: "Kisumu",
  takesOffers: true,
};

const nameOrdered = async (orderId: string) =>
  (await db.select().from(orderItems).where(eq(orderItems.orderId, orderId))).map(({ productName }) => productName);

describe("Buy Now", () => {
  const press = (as: string, productId: string, revision?: number) =>
    visit(`/product/${productId}`, {
      as,
      form: {
        intent: "buy-now",
        quantity: "1",
        orderKey: crypto.randomUUID(),
        price: String(PRICE),
        ...(revision !== undefined && { revision: String(revision) }),
      },
    });

  test.each(SWAPS)("in an old tab doesn't order another %s: the page shows it first", async (_field, change) => {
    const buyer = await makeUser();
    const productId = await makeProduct(await makeUser(), { price: PRICE });
    await edit(productId, change);
    // A page from before pages had a revision saw the first one.
    for (const seen of [0, undefined]) {
      const refused = await press(buyer, productId, seen);
      expect(refused.status).toBe(409);
      const html = await refused.text();
      expect(html).toContain("The seller changed this listing. Please read it again before you buy.");
      expect(html).toContain('name="revision" value="1"');
    }
    expect(await db.select().from(orders).where(eq(orders.userId, buyer))).toEqual([]);
    expect((await press(buyer, productId, 1)).headers.get("Location")).toMatch(/^\/checkout\//);
  });

  test("goes on after an edit that changes nothing of what is promised", async () => {
    const buyer = await makeUser();
    const productId = await makeProduct(await makeUser(), { price: PRICE });
    await edit(productId, TRIVIAL);
    expect((await press(buyer, productId, 0)).headers.get("Location")).toMatch(/^\/checkout\//);
  });
});

describe("a cart", () => {
  const order = async (userId: string) => {
    const lines = await listCart({ db, now: Date.now }, userId);
    return orderCart(servicesAt(), { userId, idempotencyKey: await cartOrderKey(lines), expectedAmount: PRICE });
  };

  test("marks a line whose listing was changed, and orders it once the buyer has accepted what it says now", async () => {
    const userId = await makeUser();
    const productId = await makeProduct(await makeUser(), { price: PRICE });
    await addToCart(servicesAt(), { userId, productId, quantity: 1 });
    const first = await order(userId);
    await edit(productId, { name: "Casio fx-82" });
    await edit(productId, { name: "Casio fx-85" });

    expect(await (await visit("/cart", { as: userId })).text()).toContain("The seller changed this listing.");
    expect(await order(userId)).toEqual({
      ok: false,
      message: "The seller changed Casio fx-85. Please look at it and accept it to continue.",
    });
    // Accepting the price alone, or what it said in between, isn't enough.
    expect(await acceptPrice(servicesAt(), { userId, productId, price: PRICE })).toEqual({ ok: false });
    expect(await acceptPrice(servicesAt(), { userId, productId, price: PRICE, revision: 1 })).toEqual({ ok: false });
    expect(await acceptPrice(servicesAt(), { userId, productId, price: PRICE, revision: 2 })).toEqual({ ok: true });
    expect(await (await visit("/cart", { as: userId })).text()).not.toContain("The seller changed this listing.");
    const placed = await order(userId);
    expect(placed.ok && (await nameOrdered(placed.orderId))).toEqual(["Casio fx-85"]);
    expect(first.ok && (await nameOrdered(first.orderId))).toEqual(["Casio fx-991ES"]);
  });

  test("marks a line that was added in an old tab, and none after an edit that changes nothing of it", async () => {
    const [userId, seller] = [await makeUser(), await makeUser()];
    const [swapped, same] = [await makeProduct(seller), await makeProduct(seller)];
    await edit(swapped, { description: "Broken" });
    await edit(same, TRIVIAL);
    for (const productId of [swapped, same])
      await addToCart(servicesAt(), { userId, productId, quantity: 1, revision: 0 });
    const lines = await listCart({ db, now: Date.now }, userId);
    expect(lines.map(({ revision, revisionWhenAdded }) => revision - revisionWhenAdded).toSorted()).toEqual([0, 1]);
  });

  test("says so where the price isn't the one that the buyer saw, on a product's page, a card or the wishlist", async () => {
    const userId = await makeUser();
    const productId = await makeProduct(await makeUser(), { price: PRICE });
    await edit(productId, { wholesale: true });
    await db.insert(priceSteps).values({ productId, fromQuantity: 3, price: PRICE - 100 });
    await addToWishlist(servicesAt(), { userId, productId });
    const shown = [`/product/${productId}`, "/studentmarketplace", "/wishlist"].map((path) =>
      visit(path, { as: userId }),
    );
    const pages = await Promise.all(shown.map(async (page) => (await page).text()));
    expect(pages[0]).toContain(`name="price" value="${PRICE}"`);
    expect(pages[1]).toContain(`value="${productId}" data-price="${PRICE}"`);
    expect(pages[2]).toContain(`name="price" value="${PRICE}"`);

    await edit(productId, { price: PRICE + 500 });
    await db.update(priceSteps).set({ price: PRICE }).where(eq(priceSteps.productId, productId));
    const seen = { productId, quantity: "1", price: `${PRICE}` };
    const steps = JSON.stringify([{ fromQuantity: 3, price: PRICE - 100 }]);
    for (const form of [
      { ...seen, intent: "add-to-cart", revision: "0", steps },
      { ...seen, intent: "add-to-cart" },
      { ...seen, intent: "move-to-cart" },
    ]) {
      await visit("/?index", { as: userId, form });
      expect(await listCart({ db, now: Date.now }, userId)).toMatchObject([
        { price: PRICE + 500, priceWhenAdded: PRICE },
      ]);
      expect(await order(userId)).toMatchObject({ ok: false, message: expect.stringContaining("has changed") });
      await setCartQuantity(servicesAt(), { userId, productId, quantity: 3 });
      // A card and the wishlist show no steps, so those of now count.
      const priceWhenAdded = "steps" in form ? PRICE - 100 : PRICE;
      expect(await listCart({ db, now: Date.now }, userId)).toMatchObject([{ price: PRICE, priceWhenAdded }]);
      await clearCart(servicesAt(), userId);
    }
  });
});

describe("an offer", () => {
  test.each(SWAPS)("ends when the seller changes the %s, whatever its state", async (_field, change) => {
    for (const make of [openOffer, acceptedOffer]) {
      const offer = await make();
      await edit(offer.productId, change);
      expect(await readOffer(offer.offerId)).toMatchObject({ state: "ended", endReason: "listing_changed" });
      if (make === openOffer) expect(await take(offer, "seller_accepted")).toEqual({ ok: false, code: "changed" });
      expect(await payOffer(servicesAt(), offer)).toEqual({ ok: false, code: "offer_over" });
      expect(await stockOf(offer.productId)).toMatchObject({ reserved: 0 });
      const page = await (await visit(`/offers/${offer.offerId}`, { as: offer.buyerId })).text();
      expect(page).toContain("The seller changed the listing.");
    }
  });

  test("stays after an edit that changes nothing of what is promised", async () => {
    for (const make of [openOffer, acceptedOffer]) {
      const offer = await make();
      const { state } = (await readOffer(offer.offerId)) ?? {};
      const { name, description } = (await db.select().from(products).where(eq(products.id, offer.productId)))[0] ?? {};
      await edit(offer.productId, { ...TRIVIAL, name, description });
      expect(await readOffer(offer.offerId)).toMatchObject({ state });
    }
  });

  test("isn't made for a listing that says something else than the buyer read", async () => {
    const [{ productId }, buyerId] = [await listForOffers(), await makeUser()];
    await edit(productId, { description: "Broken" });
    const offer = { buyerId, productId, amount: 1_500, note: "", key: crypto.randomUUID() };
    expect(await makeOffer(servicesAt(), { ...offer, revision: 0 })).toEqual({
      ok: false,
      code: "listing_changed",
      revision: 1,
    });
    expect(await makeOffer(servicesAt(), { ...offer, revision: 1 })).toMatchObject({ ok: true });
    const other = await makeUser();
    const form = { amount: "1500", note: "", formKey: crypto.randomUUID(), revision: "0" };
    const refused = await visit(`/product/${productId}/offer?revision=0`, { as: other, form });
    expect(refused.status).toBe(409);
    const told = await refused.text();
    for (const text of [
      "Please read it again before you make an offer.",
      "Read it again</a>",
      'name="revision" value="1"',
    ])
      expect(told).toContain(text);
    // Whoever has been told presses once more.
    const again = await visit(`/product/${productId}/offer?revision=0`, {
      as: other,
      form: { ...form, revision: "1" },
    });
    expect(again.status).toBe(302);
    // An address that says nothing counts as what the page shows.
    const garbled = await visit(`/product/${productId}/offer?revision=abc`, { as: await makeUser() });
    expect(await garbled.text()).toContain('name="revision" value="1"');
    // The link of the product's page carries what that page showed.
    expect(await (await visit(`/product/${productId}`, { as: await makeUser() })).text()).toContain(
      "/offer?revision=1",
    );
  });
});
