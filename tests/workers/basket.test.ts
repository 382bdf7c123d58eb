/** Cart and wishlist on the real database: what they take, what they refuse, and that two lists never disagree. */
import { env } from "cloudflare:workers";
import { and, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { PROFILE_FIRST_TEXT } from "#app/accounts/login/account-rules.ts";
import { listCart } from "#app/basket/cart.server.ts";
import { changeBasket } from "#app/basket/change-basket.server.ts";
import { type BasketChange, CART_LINES_MAX, WISHLIST_MAX } from "#app/basket/basket-rules.ts";
import { listWishlist } from "#app/basket/find-wishlist.server.ts";
import { findViewer } from "#app/accounts/viewer.server.ts";
import { openDatabase } from "#app/db/client.ts";
import { orders } from "#app/orders/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { wishlistItems } from "#app/basket/tables.server.ts";
import { orderCart } from "#app/orders/order-cart.server.ts";
import { cartOrderKey } from "#app/orders/place-order.server.ts";
import { db, makeProduct, makeUser, putInCart, servicesAt } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

let buyer = "";
let seller = "";
beforeEach(async () => {
  [buyer, seller] = [await makeUser(), await makeUser({ name: "Achieng Kamau" })];
});

function change(input: BasketChange, userId = buyer) {
  return changeBasket(servicesAt(), userId, input);
}

async function contents(userId = buyer) {
  const [cart, wishlist] = await Promise.all([listCart({ db, now: Date.now }, userId), listWishlist(db, userId)]);
  return {
    cart: cart.map(({ productId, quantity }) => ({ productId, quantity })),
    wishlist: wishlist.map(({ productId }) => productId),
  };
}

/** Fills a list of the buyer's with as many products as it may hold. */
async function fill(list: "cart_items" | "wishlist_items", count: number): Promise<string> {
  const model = await makeProduct(seller);
  const copies = sql`(WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    SELECT ${model} || '-' || i AS id FROM n)`;
  const columns = sql.raw(
    "name, description, price, condition, location, category, seller_id, status, created_at, updated_at",
  );
  await db.run(
    sql`INSERT INTO products (id, images, ${columns}) SELECT c.id, '[]', ${columns} FROM products p, ${copies} c
      WHERE p.id = ${model}`,
  );
  const rows = sql`FROM (SELECT id FROM ${copies} UNION SELECT ${model})`;
  if (list === "cart_items")
    await db.run(
      sql`INSERT INTO cart_items (id, user_id, product_id, created_at, updated_at)
        SELECT 'line-' || id, ${buyer}, id, 0, 0 ${rows}`,
    );
  else
    await db.run(
      sql`INSERT INTO wishlist_items (id, user_id, product_id, created_at)
        SELECT 'wish-' || id, ${buyer}, id, 0 ${rows}`,
    );
  return model;
}

test("nobody without a complete profile changes the cart or the wishlist, with or without scripts", async () => {
  const productId = await makeProduct(seller);
  await env.DB.prepare("UPDATE profiles SET campus_location = NULL WHERE id = ?").bind(buyer).run();
  for (const intent of ["add-to-cart", "add-to-wishlist"]) {
    const form = { intent, productId, quantity: "1" };
    expect(await (await visit("/?index", { as: buyer, form })).text()).toContain(PROFILE_FIRST_TEXT);
    const plain = await visit("/?index", { as: buyer, form: { ...form, from: "/seller/x" } });
    expect(plain.headers.get("Location")).toBe("/complete-profile?to=%2Fseller%2Fx");
  }
  expect(await contents()).toEqual({ cart: [], wishlist: [] });
});

describe("the cart", () => {
  test("a request that is repeated with its key adds once, also from the wishlist", async () => {
    const productId = await makeProduct(seller);
    const once = { intent: "add-to-cart", productId, quantity: 2, key: crypto.randomUUID() } as const;
    const first = await change(once);
    expect(first.ok).toBe(true);
    expect(await change(once)).toEqual(first);
    expect(await change({ ...once, key: crypto.randomUUID() })).toMatchObject({ ok: true });
    expect((await contents()).cart).toEqual([{ productId, quantity: 4 }]);

    const wished = await makeProduct(seller);
    await change({ intent: "add-to-wishlist", productId: wished });
    const move = { intent: "move-to-cart", productId: wished, quantity: 3, key: crypto.randomUUID() } as const;
    expect(await change(move)).toMatchObject({ ok: true });
    expect(await change(move)).toMatchObject({ ok: true });
    expect((await contents()).cart).toContainEqual({ productId: wished, quantity: 3 });
  });

  test("a product goes in once, and again as a larger quantity", async () => {
    const productId = await makeProduct(seller, { name: "Ramtons kettle" });
    expect(await change({ intent: "add-to-cart", productId, quantity: 1 })).toEqual({
      ok: true,
      kind: "success",
      message: "Ramtons kettle added to cart",
    });
    await change({ intent: "add-to-cart", productId, quantity: 3 });
    expect((await contents()).cart).toEqual([{ productId, quantity: 4 }]);
  });

  test("however many add at once, a line never holds more than 99, and the refused are told so", async () => {
    const productId = await makeProduct(seller);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => change({ intent: "add-to-cart", productId, quantity: 10 })),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(9);
    expect(new Set(answers.filter((answer) => !answer.ok).map(({ kind, message }) => `${kind}: ${message}`))).toEqual(
      new Set(["warning: Maximum quantity is 99"]),
    );
    expect((await contents()).cart).toEqual([{ productId, quantity: 90 }]);
  });

  test.each([
    ["sold", { status: "sold" as const }],
    ["out of stock", { status: "out_of_stock" as const }],
    ["deleted", { deletedAt: 1 }],
    ["taken down", { suspendedAt: 1 }],
  ])("a product that is %s stays out of the cart", async (_case, state) => {
    const productId = await makeProduct(seller);
    await db.update(products).set(state).where(eq(products.id, productId));
    expect(await change({ intent: "add-to-cart", productId, quantity: 1 })).toEqual({
      ok: false,
      kind: "error",
      message: "Failed to add to cart",
    });
    expect((await contents()).cart).toEqual([]);
  });

  test("nobody puts their own product into their cart or on their wishlist", async () => {
    const productId = await makeProduct(seller);
    expect((await change({ intent: "add-to-cart", productId, quantity: 1 }, seller)).ok).toBe(false);
    expect((await change({ intent: "add-to-wishlist", productId }, seller)).ok).toBe(false);
    expect(await contents(seller)).toEqual({ cart: [], wishlist: [] });
  });

  test("an unknown product is refused by every change that would put it somewhere", async () => {
    const productId = crypto.randomUUID();
    for (const intent of ["add-to-cart", "move-to-cart"] as const)
      expect((await change({ intent, productId, quantity: 1 })).ok).toBe(false);
    for (const intent of ["add-to-wishlist", "move-to-wishlist"] as const)
      expect((await change({ intent, productId })).ok).toBe(false);
    expect(await contents()).toEqual({ cart: [], wishlist: [] });
  });

  test("a quantity is set, 0 removes the line, and a line that is gone fails", async () => {
    const productId = await makeProduct(seller);
    await change({ intent: "add-to-cart", productId, quantity: 1 });
    expect(await change({ intent: "set-quantity", productId, quantity: 7 })).toEqual({
      ok: true,
      kind: "success",
      message: "Cart updated successfully",
    });
    expect((await contents()).cart).toEqual([{ productId, quantity: 7 }]);
    await change({ intent: "set-quantity", productId, quantity: 0 });
    expect((await contents()).cart).toEqual([]);
    expect(await change({ intent: "set-quantity", productId, quantity: 2 })).toMatchObject({
      ok: false,
      message: "Failed to update cart",
    });
  });

  test("nobody reaches into someone else's cart or wishlist", async () => {
    const stranger = await makeUser();
    const productId = await makeProduct(seller);
    await change({ intent: "add-to-cart", productId, quantity: 2 });
    await change({ intent: "add-to-wishlist", productId });
    const attempts: BasketChange[] = [
      { intent: "set-quantity", productId, quantity: 9 },
      { intent: "accept-price", productId, price: 0 },
      { intent: "remove-from-cart", productId },
      { intent: "clear-cart" },
      { intent: "remove-from-wishlist", productId },
      { intent: "clear-wishlist" },
    ];
    for (const attempt of attempts) await change(attempt, stranger);
    expect(await contents()).toEqual({ cart: [{ productId, quantity: 2 }], wishlist: [productId] });
  });

  test("it holds 200 different products and says so at the 201st, but one that is in may still grow", async () => {
    const first = await fill("cart_items", CART_LINES_MAX);
    expect(await change({ intent: "add-to-cart", productId: await makeProduct(seller), quantity: 1 })).toMatchObject({
      ok: false,
      kind: "warning",
      message: `Your cart is full. It holds up to ${CART_LINES_MAX} different products`,
    });
    expect((await change({ intent: "add-to-cart", productId: first, quantity: 1 })).ok).toBe(true);
  });

  test("lines say what has become of their product since", async () => {
    const [cheaper, sold, deleted] = [
      await makeProduct(seller, { price: 900 }),
      await makeProduct(seller),
      await makeProduct(seller),
    ];
    for (const productId of [cheaper, sold, deleted]) await change({ intent: "add-to-cart", productId, quantity: 1 });
    await db.update(products).set({ price: 700 }).where(eq(products.id, cheaper));
    await db.update(products).set({ status: "sold" }).where(eq(products.id, sold));
    await db.update(products).set({ deletedAt: Date.now() }).where(eq(products.id, deleted));

    const lines = new Map((await listCart({ db, now: Date.now }, buyer)).map((line) => [line.productId, line]));
    expect(lines.get(cheaper)).toMatchObject({
      price: 700,
      priceWhenAdded: 900,
      available: true,
      listed: true,
      sellerName: "Achieng Kamau",
    });
    expect(lines.get(sold)).toMatchObject({ available: false, listed: true });
    expect(lines.get(deleted)).toMatchObject({ available: false, listed: false });
  });
});

describe("checkout", () => {
  async function order(expectedAmount: number) {
    const idempotencyKey = await cartOrderKey(await listCart({ db, now: Date.now }, buyer));
    return orderCart(servicesAt(), { userId: buyer, idempotencyKey, expectedAmount });
  }
  const placed = () => db.select({ id: orders.id, amount: orders.amount }).from(orders).where(eq(orders.userId, buyer));

  test("a changed price holds it up until the buyer accepts the price as they see it", async () => {
    const productId = await makeProduct(seller, { price: 1_000, name: "Study desk" });
    await change({ intent: "add-to-cart", productId, quantity: 2 });
    await db.update(products).set({ price: 1_200 }).where(eq(products.id, productId));

    expect(await order(2_400)).toEqual({
      ok: false,
      message: "The price of Study desk has changed. Please accept it to continue.",
    });
    expect((await change({ intent: "accept-price", productId, price: 1_100 })).ok).toBe(false);
    expect((await change({ intent: "accept-price", productId, price: 1_200 })).ok).toBe(true);
    expect(await order(2_400)).toMatchObject({ ok: true });
    expect(await placed()).toMatchObject([{ amount: 2_400 }]);
  });

  test("a giveaway that has come to cost something is a changed price too", async () => {
    const productId = await makeProduct(seller, { price: 0 });
    await change({ intent: "add-to-cart", productId, quantity: 1 });
    expect(await order(0)).toMatchObject({ ok: true });
    await db.update(products).set({ price: 50 }).where(eq(products.id, productId));
    expect(await order(50)).toMatchObject({ ok: false });
    expect(await placed()).toHaveLength(1);
  });

  test("a product that was sold meanwhile is named, and the rest is ordered without it", async () => {
    const [kettle, lamp] = [
      await makeProduct(seller, { price: 500, name: "Kettle" }),
      await makeProduct(seller, { price: 300, name: "Desk lamp" }),
    ];
    for (const productId of [kettle, lamp]) await change({ intent: "add-to-cart", productId, quantity: 1 });
    await db.update(products).set({ status: "sold" }).where(eq(products.id, lamp));

    // The page still had it in the total.
    expect(await order(800)).toEqual({ ok: false, message: "You can't buy Desk lamp now. Pay for the other one." });
    expect(await order(500)).toMatchObject({ ok: true });
    expect(await placed()).toMatchObject([{ amount: 500 }]);
    await db.update(products).set({ status: "sold" }).where(eq(products.id, kettle));
    expect(await order(0)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^You can't buy (Kettle and Desk lamp|Desk lamp and Kettle) now\.$/),
    });
  });

  test("pressed twice, and once more after a lost answer, one order stands", async () => {
    const productId = await makeProduct(seller, { price: 500 });
    await change({ intent: "add-to-cart", productId, quantity: 1 });
    const answers = [...(await Promise.all([order(500), order(500)])), await order(500)];
    expect(await placed()).toHaveLength(1);
    expect(new Set(answers.map((answer) => (answer.ok ? answer.orderId : answer.message))).size).toBe(1);
  });
});

describe("the wishlist", () => {
  test("a wish is noted once, however often and however fast it is made", async () => {
    const productId = await makeProduct(seller, { name: "Denim jacket" });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => change({ intent: "add-to-wishlist", productId })),
    );
    expect(new Set(answers.map((answer) => answer.message))).toEqual(new Set(["Denim jacket added to wishlist"]));
    expect((await contents()).wishlist).toEqual([productId]);
  });

  test("it lists the newest wish first, and keeps what is sold or deleted as not available", async () => {
    const [older, newer] = [await makeProduct(seller), await makeProduct(seller)];
    await changeBasket(servicesAt(), buyer, { intent: "add-to-wishlist", productId: older });
    await changeBasket(servicesAt(5), buyer, { intent: "add-to-wishlist", productId: newer });
    await db.update(products).set({ deletedAt: Date.now() }).where(eq(products.id, older));
    expect(
      (await listWishlist(db, buyer)).map(({ productId, available, listed }) => ({ productId, available, listed })),
    ).toEqual([
      { productId: newer, available: true, listed: true },
      { productId: older, available: false, listed: false },
    ]);
  });

  test("taking off and clearing say so, also when there is nothing left to take", async () => {
    const productId = await makeProduct(seller, { name: "Denim jacket" });
    await change({ intent: "add-to-wishlist", productId });
    for (const _again of [1, 2])
      expect(await change({ intent: "remove-from-wishlist", productId })).toMatchObject({
        ok: true,
        message: "Denim jacket removed from wishlist",
      });
    await change({ intent: "add-to-wishlist", productId });
    expect(await change({ intent: "clear-wishlist" })).toMatchObject({
      ok: true,
      message: "Wishlist cleared successfully",
    });
    expect((await contents()).wishlist).toEqual([]);
  });

  test("a full wishlist says so", async () => {
    const first = await fill("wishlist_items", WISHLIST_MAX);
    expect(await change({ intent: "add-to-wishlist", productId: await makeProduct(seller) })).toMatchObject({
      ok: false,
      kind: "warning",
      message: "Your wishlist is full. It holds up to 200 products",
    });
    expect((await change({ intent: "add-to-wishlist", productId: first })).ok).toBe(true);
  });
});

describe("what exists once", () => {
  const only = { ok: false, kind: "warning", message: "Only one of this item is available" };
  let lamp = "";
  beforeEach(async () => {
    lamp = await makeProduct(seller, { name: "Study lamp", condition: "good" });
  });

  test("goes into the cart once, however often and from wherever it is put in", async () => {
    const add = { intent: "add-to-cart", productId: lamp, quantity: 1 } as const;
    const already = { ok: true, kind: "info", message: "Study lamp is already in your cart" };
    const answers = await Promise.all([change(add), change(add), change(add)]);
    expect(answers.filter(({ kind }) => kind === "success")).toHaveLength(1);
    expect(answers.filter(({ kind }) => kind === "info")).toEqual([already, already]);
    await change({ intent: "add-to-wishlist", productId: lamp });
    expect(await change({ intent: "move-to-cart", productId: lamp, quantity: 1 })).toEqual(already);
    expect(await contents()).toEqual({ cart: [{ productId: lamp, quantity: 1 }], wishlist: [] });
  });

  test("is refused in any other quantity, and that is said", async () => {
    expect(await change({ intent: "add-to-cart", productId: lamp, quantity: 2 })).toEqual(only);
    await change({ intent: "add-to-wishlist", productId: lamp });
    expect(await change({ intent: "move-to-cart", productId: lamp, quantity: 2 })).toEqual(only);
    expect(await contents()).toEqual({ cart: [], wishlist: [lamp] });
    await change({ intent: "add-to-cart", productId: lamp, quantity: 1 });
    expect(await change({ intent: "set-quantity", productId: lamp, quantity: 5 })).toEqual(only);
    expect((await contents()).cart).toEqual([{ productId: lamp, quantity: 1 }]);
  });

  test("counts once where it was put in several times while there was more of it", async () => {
    await putInCart(buyer, lamp, 5);
    const [line] = await listCart({ db, now: Date.now }, buyer);
    expect(line).toMatchObject({ quantity: 1, maxQuantity: 1 });
  });
});

describe("moving between the two", () => {
  test("a wish moves into the cart with its quantity, on top of what is there", async () => {
    const productId = await makeProduct(seller, { name: "HP EliteBook 840 G3" });
    await change({ intent: "add-to-cart", productId, quantity: 2 });
    await change({ intent: "add-to-wishlist", productId });
    expect(await change({ intent: "move-to-cart", productId, quantity: 3 })).toEqual({
      ok: true,
      kind: "success",
      message: "HP EliteBook 840 G3 moved to cart",
    });
    expect(await contents()).toEqual({ cart: [{ productId, quantity: 5 }], wishlist: [] });
  });

  test.each([
    ["the cart would hold more than 99", 98, "Maximum quantity is 99"],
    ["more than 99 are asked for", 100, "Maximum quantity is 99"],
  ])("a wish stays where it is when %s", async (_case, quantity, message) => {
    const productId = await makeProduct(seller);
    await change({ intent: "add-to-cart", productId, quantity: 2 });
    await change({ intent: "add-to-wishlist", productId });
    expect(await change({ intent: "move-to-cart", productId, quantity })).toEqual({
      ok: false,
      kind: "warning",
      message,
    });
    expect(await contents()).toEqual({ cart: [{ productId, quantity: 2 }], wishlist: [productId] });
  });

  test("a wish that cannot be taken off goes into the cart all the same, and that is said", async () => {
    const productId = await makeProduct(seller);
    await change({ intent: "add-to-wishlist", productId });
    await env.DB.prepare(
      "CREATE TRIGGER keep_wishes BEFORE DELETE ON wishlist_items BEGIN SELECT RAISE(ABORT, 'the disk is tired'); END",
    ).run();
    const answer = await change({ intent: "move-to-cart", productId, quantity: 3 });
    await env.DB.prepare("DROP TRIGGER keep_wishes").run();
    expect(answer).toEqual({ ok: true, kind: "warning", message: "Added to cart but failed to remove from wishlist" });
    expect(await contents()).toEqual({ cart: [{ productId, quantity: 3 }], wishlist: [productId] });
  });

  test("a move whose answer got lost is not made twice", async () => {
    const productId = await makeProduct(seller, { name: "Kettle" });
    await change({ intent: "add-to-wishlist", productId });
    const lossy: D1Database = Object.assign(Object.create(env.DB) as D1Database, {
      prepare: (query: string) => env.DB.prepare(query),
      batch: async (statements: D1PreparedStatement[]) => {
        lossy.batch = (later) => env.DB.batch(later);
        await env.DB.batch(statements);
        throw new Error("Network connection lost.");
      },
    });
    const store = { db: openDatabase(lossy), now: Date.now };
    expect(await changeBasket(store, buyer, { intent: "move-to-cart", productId, quantity: 2 })).toMatchObject({
      ok: true,
      message: "Kettle moved to cart",
    });
    expect(await contents()).toEqual({ cart: [{ productId, quantity: 2 }], wishlist: [] });
  });

  test("a wish for something sold stays a wish", async () => {
    const productId = await makeProduct(seller);
    await change({ intent: "add-to-wishlist", productId });
    await db.update(products).set({ status: "sold" }).where(eq(products.id, productId));
    expect(await change({ intent: "move-to-cart", productId, quantity: 1 })).toMatchObject({
      ok: false,
      message: "Failed to move item to cart",
    });
    expect(await contents()).toEqual({ cart: [], wishlist: [productId] });
  });

  test("a line moves to the wishlist; one that is wished for already only leaves the cart", async () => {
    const productId = await makeProduct(seller, { name: "Casio fx-991ES" });
    await change({ intent: "add-to-cart", productId, quantity: 2 });
    expect(await change({ intent: "move-to-wishlist", productId })).toEqual({
      ok: true,
      kind: "success",
      message: "Casio fx-991ES moved to wishlist",
    });
    expect(await contents()).toEqual({ cart: [], wishlist: [productId] });
    await change({ intent: "add-to-cart", productId, quantity: 1 });
    expect(await change({ intent: "move-to-wishlist", productId })).toEqual({
      ok: true,
      kind: "info",
      message: "Casio fx-991ES is already in your wishlist",
    });
    expect(await contents()).toEqual({ cart: [], wishlist: [productId] });
  });

  test("a line whose product was deleted does not move and does not vanish", async () => {
    const productId = await makeProduct(seller);
    await change({ intent: "add-to-cart", productId, quantity: 1 });
    await db.update(products).set({ deletedAt: Date.now() }).where(eq(products.id, productId));
    expect(await change({ intent: "move-to-wishlist", productId })).toEqual({
      ok: false,
      kind: "error",
      message: "Failed to move item to wishlist",
    });
    expect(await contents()).toEqual({ cart: [{ productId, quantity: 1 }], wishlist: [] });
  });

  test("moved back and forth by many at once, a product stands in one list or the other, never in none", async () => {
    const productId = await makeProduct(seller);
    await change({ intent: "add-to-wishlist", productId });
    await change({ intent: "move-to-cart", productId, quantity: 1 });
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        change(
          n % 2 === 0 ? { intent: "move-to-wishlist", productId } : { intent: "move-to-cart", productId, quantity: 1 },
        ),
      ),
    );
    const { cart, wishlist } = await contents();
    expect(cart.length + wishlist.length).toBeGreaterThanOrEqual(1);
    expect(
      await db
        .select()
        .from(wishlistItems)
        .where(and(eq(wishlistItems.userId, buyer), eq(wishlistItems.productId, productId))),
    ).toHaveLength(wishlist.length);
  });
});

test("the shell knows what is in the cart and on the wishlist", async () => {
  const [one, two] = [await makeProduct(seller), await makeProduct(seller)];
  await change({ intent: "add-to-cart", productId: one, quantity: 5 });
  for (const productId of [one, two]) await change({ intent: "add-to-wishlist", productId });
  const viewer = await findViewer(db, { id: "s", userId: buyer, epoch: 1, confirmed: { at: 0, steps: 1 } });
  expect(viewer?.counts).toEqual({ cart: 1, wishlist: 2, unread: 0, notifications: 0 });
  expect(viewer?.basket.cart).toEqual([one]);
  expect(viewer?.basket.wishlist.toSorted()).toEqual([one, two].toSorted());
});
