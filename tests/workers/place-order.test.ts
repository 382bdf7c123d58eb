import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { shops } from "#app/accounts/tables.server.ts";
import { cartItems } from "#app/basket/tables.server.ts";
import { dealTimers, orderItems, orders } from "#app/orders/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { CATEGORY_HANDOVERS, handoverOf } from "#app/catalogue/types/handover-rules.ts";
import { HANDOVER } from "#app/catalogue/types/handover.server.ts";
import { ITEM_TYPES } from "#app/catalogue/types/item-types.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";
import { findOrderForBuyer } from "#app/orders/orders.server.ts";
import { cartOrderKey, placeOrder } from "#app/orders/place-order.server.ts";
import { pay } from "#tests/support/paid-deal.ts";
import {
  changeListing,
  db,
  makeProduct,
  makeUser,
  orderOne,
  putInCart,
  readOrder,
  servicesAt,
} from "#tests/support/fixtures.ts";

function ordersOf(userId: string) {
  return db.select().from(orders).where(eq(orders.userId, userId));
}

test("an order takes its prices from the database and keeps a line an item", async () => {
  const [buyer, seller] = [await makeUser(), await makeUser()];
  const kettle = await makeProduct(seller, { price: 1_250, name: "Ramtons kettle" });
  const desk = await makeProduct(seller, { price: 4_000, name: "Study desk" });
  await putInCart(buyer, kettle, 2);
  await putInCart(buyer, desk, 1);

  const placed = await placeOrder(servicesAt(), {
    userId: buyer,
    idempotencyKey: "cart-12345678",
    expectedAmount: 6_500,
    from: { cart: true },
  });

  if (!placed.ok) throw new Error(placed.code);
  const order = await readOrder(placed.orderId);
  expect(order).toMatchObject({
    amount: 6_500,
    paymentStatus: "pending",
    orderStatus: "pending_payment",
    userId: buyer,
  });
  const items = await db
    .select()
    .from(orderItems)
    .where(eq(orderItems.orderId, placed.orderId))
    .orderBy(orderItems.subtotal);
  expect(
    items.map(({ productName, quantity, pricePerUnit, subtotal, status }) => ({
      productName,
      quantity,
      pricePerUnit,
      subtotal,
      status,
    })),
  ).toEqual([
    { productName: "Ramtons kettle", quantity: 2, pricePerUnit: 1_250, subtotal: 2_500, status: "pending_payment" },
    { productName: "Study desk", quantity: 1, pricePerUnit: 4_000, subtotal: 4_000, status: "pending_payment" },
  ]);
  for (const item of items)
    expect(item.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("eight requests at once with the same key place one order and all answer with it", async () => {
  const [buyer, seller] = [await makeUser(), await makeUser()];
  const productId = await makeProduct(seller, { price: 900 });
  const input = {
    userId: buyer,
    idempotencyKey: crypto.randomUUID(),
    expectedAmount: 900,
    from: { productId, quantity: 1, revision: 0 },
  };

  const answers = await Promise.all(Array.from({ length: 8 }, () => placeOrder(servicesAt(), input)));

  const placed = await ordersOf(buyer);
  expect(placed).toHaveLength(1);
  expect(new Set(answers.map((answer) => (answer.ok ? answer.orderId : answer.code)))).toEqual(
    new Set([placed[0]?.id]),
  );
});

test("eight requests at once with different keys place eight whole orders, of which one can be paid for", async () => {
  const [buyer, seller] = [await makeUser(), await makeUser()];
  const productId = await makeProduct(seller, { price: 350 });

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => orderOne(buyer, productId, { price: 350, quantity: 2 })),
  );

  expect(answers.every((answer) => answer.ok)).toBe(true);
  const rows = await db
    .select({
      id: orders.id,
      amount: orders.amount,
      subtotal: orderItems.subtotal,
      status: orders.orderStatus,
      itemStatus: orderItems.status,
      replacedBy: orders.replacedBy,
    })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .where(eq(orders.userId, buyer));
  expect(rows).toHaveLength(8);
  expect(
    rows.every(
      (row) =>
        row.amount === 700 &&
        row.subtotal === 700 &&
        row.status === (row.itemStatus === "expired" ? "expired" : "pending_payment"),
    ),
  ).toBe(true);
  const open = rows.filter(({ status }) => status === "pending_payment");
  expect(open).toHaveLength(1);
  expect(new Set(rows.map(({ replacedBy }) => replacedBy))).toEqual(new Set([null, open[0]?.id]));
});

test.each([
  ["a sold product", { status: "sold" as const }],
  ["a product out of stock", { status: "out_of_stock" as const }],
])("%s in the cart isn't ordered, and the others are, at the total that the buyer saw", async (_case, product) => {
  const [buyer, seller] = [await makeUser(), await makeUser()];
  await putInCart(buyer, await makeProduct(seller, { price: 100 }));
  await putInCart(buyer, await makeProduct(seller, { ...product, name: "Gone lamp", price: 100 }));

  const order = { userId: buyer, idempotencyKey: "cart-abcdefgh", from: { cart: true } } as const;
  const seenBefore = await placeOrder(servicesAt(), { ...order, expectedAmount: 200 });
  expect(seenBefore).toEqual({ ok: false, code: "price_changed", amount: 100 });
  expect(await ordersOf(buyer)).toHaveLength(0);
  expect((await placeOrder(servicesAt(), { ...order, expectedAmount: 100 })).ok).toBe(true);
});

test("a price that changed since the buyer saw it stops the order and says the new total", async () => {
  const [buyer, seller] = [await makeUser(), await makeUser()];
  const productId = await makeProduct(seller, { price: 1_000 });
  await db.update(products).set({ price: 1_200 }).where(eq(products.id, productId));

  const answer = await orderOne(buyer, productId, { price: 1_000, quantity: 2 });

  expect(answer).toEqual({ ok: false, code: "price_changed", amount: 2_400 });
  expect(await ordersOf(buyer)).toHaveLength(0);
});

test.each([
  ["an empty cart", { cart: true as const }, { ok: false, code: "empty" }],
  [
    "an unknown product",
    { productId: "00000000-0000-4000-8000-000000000000", quantity: 1, revision: 0 },
    { ok: false, code: "unavailable", names: ["This product"] },
  ],
  ["a quantity of 0", { productId: "x", quantity: 0, revision: 0 }, { ok: false, code: "bad_quantity" }],
  ["a quantity of 10,000", { productId: "x", quantity: 10_000, revision: 0 }, { ok: false, code: "bad_quantity" }],
  ["half a piece", { productId: "x", quantity: 1.5, revision: 0 }, { ok: false, code: "bad_quantity" }],
])("%s is refused and writes nothing", async (_case, from, expected) => {
  const buyer = await makeUser();
  expect(
    await placeOrder(servicesAt(), { userId: buyer, idempotencyKey: "12345678", expectedAmount: 0, from }),
  ).toEqual(expected);
  expect(await ordersOf(buyer)).toHaveLength(0);
});

test("nobody can order more than the seller has: Buy Now refuses it, and a cart that holds five orders what there is", async () => {
  const [buyer, seller] = [await makeUser(), await makeUser()];
  const productId = await makeProduct(seller, { price: 800, condition: "fair" });
  const order = { userId: buyer, idempotencyKey: "12345678" };
  expect(
    await placeOrder(servicesAt(), { ...order, expectedAmount: 1_600, from: { productId, quantity: 2, revision: 0 } }),
  ).toEqual({ ok: false, code: "over_limit", name: "Casio fx-991ES", max: 1 });
  await putInCart(buyer, productId, 5);
  expect(await placeOrder(servicesAt(), { ...order, expectedAmount: 800, from: { cart: true } })).toMatchObject({
    ok: true,
  });
  const [placed] = await ordersOf(buyer);
  expect(placed?.amount).toBe(800);
});

test("an order takes at most ten last pieces, because paying for it keeps them from other buyers", async () => {
  const [buyer, seller] = [await makeUser(), await makeUser()];
  const order = (expectedAmount: number) =>
    placeOrder(servicesAt(), {
      userId: buyer,
      idempotencyKey: `last-pieces-${expectedAmount}`,
      expectedAmount,
      from: { cart: true },
    });
  for (let n = 0; n < 11; n += 1)
    await putInCart(buyer, await makeProduct(seller, { price: 100, condition: n % 2 === 0 ? "good" : "like_new" }));
  await putInCart(buyer, await makeProduct(seller, { price: 50, stock: 41 }), 40);
  expect(await order(3_100)).toEqual({ ok: false, code: "too_many_last" });
  expect(await ordersOf(buyer)).toEqual([]);

  await db.delete(cartItems).where(
    eq(
      cartItems.id,
      sql`(SELECT c.id FROM cart_items c JOIN products p ON p.id = c.product_id
      WHERE c.user_id = ${buyer} AND p.condition = 'good' LIMIT 1)`,
    ),
  );
  expect(await order(3_000)).toMatchObject({ ok: true });
});

test("nobody can buy from themselves", async () => {
  const seller = await makeUser();
  const productId = await makeProduct(seller, { price: 100 });
  expect(await orderOne(seller, productId, { price: 100 })).toMatchObject({ ok: false, code: "unavailable" });
});

test("the same cart always has the same key, and another cart another", async () => {
  const found = { available: true, awayUntil: null, offer: null, feeRule: null };
  const first = { id: "a", quantity: 1, price: 5, revision: 0, ...found };
  const lines = [first, { id: "b", quantity: 2, price: 7, revision: 0, ...found }];
  expect(await cartOrderKey(lines)).toBe(await cartOrderKey(lines.toReversed()));
  const feeRule = { payer: "buyer", share: 0, smallest: 1, largest: 1 } as const;
  for (const change of [{ quantity: 2 }, { price: 6 }, { revision: 1 }, { feeRule }])
    expect(await cartOrderKey([first])).not.toBe(await cartOrderKey([{ ...first, ...change }]));
  for (const left of [{ available: false }, { awayUntil: 9 }, { offer: { id: "o", amount: 3 } }])
    expect(await cartOrderKey(lines)).not.toBe(await cartOrderKey([{ ...first, ...left }, ...lines.slice(1)]));
});

test("a hundred orders a day are one buyer's share, also at once; what was placed is found again, and the next day goes on", async () => {
  const [buyer, other, seller] = [await makeUser(), await makeUser(), await makeUser()];
  const productId = await makeProduct(seller, { price: 0 });
  const order = (userId: string, key: string, offsetMs = 0) => orderOne(userId, productId, { price: 0, key, offsetMs });
  await order(buyer, "day-order-first");
  await db.run(sql`INSERT INTO orders (id, user_id, amount, order_status, idempotency_key, created_at, updated_at)
    SELECT 'day-order-before-' || value, ${buyer}, 100, 'expired', 'before-' || value, ${Date.now()}, ${Date.now()}
    FROM json_each(${JSON.stringify(Array.from({ length: 94 }, (_, n) => n))})`);
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => order(buyer, `day-order-${n}`)));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(5);
  expect(answers.filter(({ ok }) => !ok)).toEqual(Array.from({ length: 5 }, () => ({ ok: false, code: "too_many" })));
  const placed = await ordersOf(buyer);
  expect(placed).toHaveLength(94 + 6);
  const open = placed.find(({ orderStatus }) => orderStatus === "pending_payment");
  expect(await order(buyer, open?.idempotencyKey ?? "")).toEqual({ ok: true, orderId: open?.id });
  expect(await order(other, "day-order-other")).toMatchObject({ ok: true });
  expect(await order(buyer, "day-order-next", 24 * 60 * 60_000 + 1)).toMatchObject({ ok: true });
});

test("one person takes five free pieces a day, also at the same moment; others and what costs something go on", async () => {
  const [buyer, other, seller] = [await makeUser(), await makeUser(), await makeUser()];
  const take = async (userId: string, quantity = 1, price = 0, ms = 0) => {
    const productId = await makeProduct(seller, { price });
    const placed = await orderOne(userId, productId, { price, quantity, offsetMs: ms });
    return placed.ok ? placed.orderId : placed.code;
  };
  const refused = (answers: string[]) => answers.filter((answer) => answer === "too_many_free").length;
  expect(await take(buyer, 6)).toBe("too_many_free");
  expect(refused(await Promise.all(Array.from({ length: 8 }, () => take(buyer))))).toBe(3);
  expect(await take(buyer)).toBe("too_many_free");
  expect(refused([await take(other), await take(buyer, 3, 100)])).toBe(0);
  // What was cancelled is free for others again, and doesn't count.
  const first = (await ordersOf(buyer)).find(({ amount }) => amount === 0);
  await db
    .update(orderItems)
    .set({ status: "cancelled" })
    .where(eq(orderItems.orderId, first?.id ?? ""));
  expect(refused([await take(buyer)])).toBe(0);
  expect(await take(buyer)).toBe("too_many_free");
  expect(refused([await take(buyer, 5, 0, 24 * 60 * 60_000 + 1)])).toBe(0);
});

describe("how a deal ends", () => {
  test("is the same in the database as by the rule, for every kept type and for none, in each category", async () => {
    const categories = [...Object.keys(CATEGORY_HANDOVERS), "electronics", null];
    const listings = [...ITEM_TYPES.map(({ id: type }) => type), "gone", null].flatMap((type) =>
      categories.map((category) => ({ type, category })),
    );
    const asked = await db.all<{ type: string | null; category: string | null; handover: string }>(
      sql`SELECT product_row.type, product_row.category, ${HANDOVER} AS handover
        FROM (SELECT value ->> 'type' AS type, value ->> 'category' AS category
          FROM json_each(${JSON.stringify(listings)})) product_row`,
    );
    expect(asked).toEqual(listings.map((listing) => ({ ...listing, handover: handoverOf(listing, KEPT_TABLE.types) })));
  });

  test("stays as it was ordered, and each item of an order has its own time", async () => {
    const [buyer, seller] = [await makeUser(), await makeUser()];
    const kinds: [string, string][] = [
      ["Kettle", "kettle"],
      ["Single room near Gate C", "room"],
      ["Concert ticket", "ticket"],
    ];
    const ids = [];
    for (const [name, type] of kinds) {
      const id = await makeProduct(seller, { price: 500, name });
      await changeListing(id, { type });
      await putInCart(buyer, id);
      ids.push(id);
    }
    const placed = await placeOrder(servicesAt(), {
      userId: buyer,
      idempotencyKey: "cart-of-kinds",
      expectedAmount: 1_500,
      from: { cart: true },
    });
    if (!placed.ok) throw new Error(placed.code);
    // The seller calls all of it a laptop, before it is paid.
    for (const id of ids) await changeListing(id, { type: "laptop" });
    const { orderId } = placed;
    await pay({ orderId, buyerId: buyer, sellerId: seller, itemId: "", productId: "", amount: 1_500 });

    const timers = await db
      .select({ name: orderItems.productName, dueAt: dealTimers.dueAt, paidAt: orderItems.paidAt })
      .from(orderItems)
      .innerJoin(dealTimers, and(eq(dealTimers.orderItemId, orderItems.id), eq(dealTimers.kind, "not_shipped")))
      .where(eq(orderItems.orderId, orderId));
    const DAY_MS = 24 * 60 * 60_000;
    expect(
      Object.fromEntries(timers.map(({ name, dueAt, paidAt }) => [name, (dueAt - (paidAt ?? 0)) / DAY_MS])),
    ).toEqual({ Kettle: 7, "Single room near Gate C": 14, "Concert ticket": 30 });
    // Nobody brings a room.
    await db.insert(shops).values({ id: seller, shopName: "Rooms", offersDelivery: true, createdAt: 0, updatedAt: 0 });
    const found = await findOrderForBuyer(db, orderId, buyer);
    expect(found?.items.map(({ name, sellerDelivers }) => [name, sellerDelivers]).toSorted()).toEqual([
      ["Concert ticket", false],
      ["Kettle", true],
      ["Single room near Gate C", false],
    ]);
  });
});
