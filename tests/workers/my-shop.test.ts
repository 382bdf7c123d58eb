import { env } from "cloudflare:workers";
import { eq, inArray, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { meetings, orderItems } from "#app/orders/tables.server.ts";
import { offers, products } from "#app/catalogue/tables.server.ts";
import { openShopListings, openShopOrders } from "#app/screens/my-shop/my-shop.server.ts";
import { dayOf } from "#app/platform/east-africa-time.ts";
import type { SoldItem } from "#app/screens/my-shop/sold-items.server.ts";
import { ITEM, ITEM_STATUSES } from "#app/db/states/item.ts";
import { ORDER_GROUPS, type OrderGroup } from "#app/screens/my-shop/sales-rules.ts";
import { confirmFreeOrder } from "#app/payments/collect/confirm-free-order.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import {
  type Deal,
  db,
  makeDeal,
  makeProduct,
  makeUser,
  orderedOne,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { addFinishedDeals } from "#tests/support/finished-deals.ts";
import { meet } from "#tests/support/meetings.ts";
import { meteredServices } from "#tests/support/metered.ts";

const services = servicesAt();
const DAY_MS = 24 * 60 * 60_000;
const ALL = { group: null, search: "", after: null };

function buyerOf(id: string) {
  return { id, email: `${id}@campus.test`, fullName: "Wanjiku Otieno" };
}

/** Pays for an item; the phone answers at once. */
async function pay(deal: Deal): Promise<void> {
  const asked = await requestOrderPayment(services, {
    orderId: deal.orderId,
    userId: deal.buyerId,
    phone: uniquePhone("00"),
  });
  if (!asked.ok || asked.kind !== "requested") throw new Error("not asked");
  const receipt = crypto.randomUUID().replaceAll("-", "").slice(0, 10).toUpperCase();
  await applyAttemptEvent(services, asked.attemptId, {
    event: "paid",
    receipt,
    paidAt: null,
    checkoutRequestId: asked.checkoutRequestId ?? "",
  });
  await applyAttemptEvent(services, asked.attemptId, {
    event: "paid",
    receipt,
    paidAt: null,
    checkoutRequestId: asked.checkoutRequestId ?? "",
  });
}

test("a shop that nobody has opened yet has figures of zero", async () => {
  const { head } = await openShopListings(services, await makeUser(), null);
  expect(head).toMatchObject({
    shop: null,
    listings: 0,
    activeListings: 0,
    sales: 0,
    revenue: 0,
    pendingOrders: 0,
    isSeller: false,
  });
  expect(head.days).toEqual([]);
});

test("the figures count what is listed, and what was paid, once", async () => {
  const deal = await makeDeal({ price: 1_200 });
  const other = await makeDeal({ price: 700 });
  await makeProduct(deal.sellerId, { status: "sold" });
  // Nobody can see it yet.
  const held = await makeProduct(deal.sellerId);
  await db.update(products).set({ suspendedAt: Date.now(), heldFor: "gun" }).where(eq(products.id, held));
  expect((await openShopListings(services, deal.sellerId, null)).head).toMatchObject({
    listings: 3,
    activeListings: 1,
    sales: 0,
    revenue: 0,
  });

  await pay(deal);
  await pay(other);
  // Neither the other seller nor the buyer is involved.
  expect((await openShopListings(services, other.sellerId, null)).head).toMatchObject({
    listings: 1,
    sales: 1,
    revenue: 700,
    pendingOrders: 1,
  });
  expect((await openShopListings(services, deal.buyerId, null)).head).toMatchObject({
    listings: 0,
    sales: 0,
    revenue: 0,
    pendingOrders: 0,
  });
  const { head } = await openShopListings(services, deal.sellerId, null);
  expect(head).toMatchObject({ sales: 1, revenue: 1_200, pendingOrders: 1 });
  expect(head.days.at(-1)).toEqual({ day: dayOf(Date.now()), sales: 1, revenue: 1_200 });
  // Later changes of the item aren't another sale.
  await db.update(orderItems).set({ status: "shipped" }).where(eq(orderItems.id, deal.itemId));
  await db.update(orderItems).set({ status: "completed" }).where(eq(orderItems.id, deal.itemId));
  expect((await openShopListings(services, deal.sellerId, null)).head).toMatchObject({
    sales: 1,
    revenue: 1_200,
    pendingOrders: 0,
  });
});

test("an expired order that is paid after all counts on the day of its payment", async () => {
  const deal = await makeDeal({ price: 500 });
  await db.update(orderItems).set({ status: "expired" }).where(eq(orderItems.id, deal.itemId));
  expect((await openShopListings(services, deal.sellerId, null)).head.sales).toBe(0);
  await pay(deal);
  expect((await openShopListings(services, deal.sellerId, null)).head).toMatchObject({ sales: 1, revenue: 500 });
});

test("the order list shows only its seller's paid orders, by group, by waiting time and by number", async () => {
  const deal = await makeDeal({ price: 0 });
  const other = await makeDeal({ price: 0 });
  expect((await openShopOrders(services, deal.sellerId, ALL)).orderList).toEqual({
    items: [],
    next: null,
    searchError: null,
  });
  await confirmFreeOrder(services, { orderId: deal.orderId, buyer: buyerOf(deal.buyerId) });
  await confirmFreeOrder(services, { orderId: other.orderId, buyer: buyerOf(other.buyerId) });

  const later = await openShopOrders(servicesAt(2 * 24 * 60 * 60_000), deal.sellerId, ALL);
  expect(later).toMatchObject({
    head: { groups: { new: 1, processing: 0, shipped: 0 } },
    orderList: { items: [{ id: deal.itemId, orderId: deal.orderId, days: 2, buyerName: "Wanjiku Otieno" }] },
  });
  const shown = async (group: OrderGroup) =>
    (await openShopOrders(services, deal.sellerId, { ...ALL, group })).orderList.items.map(({ id }) => id);
  expect([await shown("new"), await shown("processing")]).toEqual([[deal.itemId], []]);
  await db.update(orderItems).set({ buyerContacted: true }).where(eq(orderItems.id, deal.itemId));
  expect([await shown("new"), await shown("processing")]).toEqual([[], [deal.itemId]]);
  await db.update(orderItems).set({ status: "completed" }).where(eq(orderItems.id, deal.itemId));
  expect([await shown("processing"), await shown("shipped"), await shown("delivered")]).toEqual([
    [],
    [],
    [deal.itemId],
  ]);

  const find = async (search: string) => (await openShopOrders(services, deal.sellerId, { ...ALL, search })).orderList;
  expect((await find(`#${deal.orderId.slice(0, 8).toUpperCase()}`)).items).toMatchObject([{ id: deal.itemId }]);
  expect((await find(deal.itemId)).items).toMatchObject([{ id: deal.itemId }]);
  // Another seller's order is not found, however exactly it is named.
  expect(await find(other.orderId)).toMatchObject({ items: [], searchError: null });
  expect((await find("ab")).searchError).toMatch(/at least 4/);
});

test("every paid item is in one group of the order list, and what is over can still be found", async () => {
  const deal = await makeDeal({ price: 0 });
  await confirmFreeOrder(services, { orderId: deal.orderId, buyer: buyerOf(deal.buyerId) });
  const paid = ITEM_STATUSES.filter((status) => ITEM.isSold(status) || ITEM.isReturned(status));
  const groups: Record<string, string> = {};
  for (const status of paid) {
    await db.update(orderItems).set({ status, buyerContacted: true }).where(eq(orderItems.id, deal.itemId));
    const found = [];
    for (const group of ORDER_GROUPS) {
      const { head, orderList } = await openShopOrders(services, deal.sellerId, { ...ALL, group });
      const { items } = orderList;
      const counted = (head.groups as Partial<Record<OrderGroup, number>>)[group] ?? items.length;
      if (items.length > 0) found.push(counted === items.length ? group : `${group}, counted ${counted} times`);
    }
    groups[status] = found.join(" and ");
    for (const asked of [ALL, { ...ALL, search: deal.itemId }]) {
      const { orderList } = await openShopOrders(services, deal.sellerId, asked);
      expect(orderList.items).toMatchObject([{ id: deal.itemId, status }]);
    }
  }
  expect(groups).toEqual({
    processing: "processing",
    cancel_requested: "processing",
    shipped: "shipped",
    delivered: "delivered",
    problem_reported: "processing",
    offered: "shipped",
    in_review: "processing",
    completed: "delivered",
    cancelled: "cancelled",
    refunded: "cancelled",
  });
});

test("the order list is sorted: ready to ship, need contact, waiting, then shipped, each from the oldest", async () => {
  const sellerId = await makeUser();
  const states = {
    shippedEarly: { status: "shipped", contacted: 1, agreed: 1, at: 1 },
    waitingEarly: { status: "processing", contacted: 1, agreed: 0, at: 2 },
    contactLate: { status: "processing", contacted: 0, agreed: 0, at: 7 },
    contactEarly: { status: "processing", contacted: 0, agreed: 0, at: 3 },
    readyLate: { status: "processing", contacted: 1, agreed: 1, at: 9 },
    readyEarly: { status: "processing", contacted: 1, agreed: 1, at: 5 },
    waitingLate: { status: "processing", contacted: 1, agreed: 0, at: 8 },
  } as const;
  for (const [name, { status, contacted, agreed, at }] of Object.entries(states)) {
    const productId = await makeProduct(sellerId, { name, price: 0 });
    const orderId = await orderedOne(await makeUser(), productId, { price: 0 });
    await env.DB.prepare(
      "UPDATE order_items SET status = ?, buyer_contacted = ?, buyer_agreed = ?, created_at = ? WHERE order_id = ?",
    )
      .bind(status, contacted, agreed, at, orderId)
      .run();
  }
  const { items } = (await openShopOrders(services, sellerId, ALL)).orderList;
  expect(items.map(({ name }) => name)).toEqual([
    "readyEarly",
    "readyLate",
    "contactEarly",
    "contactLate",
    "waitingEarly",
    "waitingLate",
    "shippedEarly",
  ]);
});

/** Every page of a list, in order. */
async function readAll(sellerId: string, group: OrderGroup | null): Promise<SoldItem[]> {
  const seen: SoldItem[] = [];
  let after: string | null = null;
  do {
    const { orderList } = await openShopOrders(services, sellerId, { group, search: "", after });
    seen.push(...orderList.items);
    after = orderList.next;
  } while (after);
  return seen;
}

test("many open orders come in pages, each once, followed by delivered ones; a page reads few rows", async () => {
  const [sellerId, buyerId, busyId] = [await makeUser(), await makeUser(), await makeUser()];
  // Each seller has 140 items in each of four states and 30 delivered ones, many from the same moment. The busy one has
  // ten times as many.
  for (const [seller, many] of [
    [sellerId, 590],
    [busyId, 5_900],
  ] as const) {
    const productId = await makeProduct(seller);
    const each = Math.floor((many - 30) / 4);
    await db.run(sql`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${many - 1})
      INSERT INTO orders (id, user_id, amount, payment_status, order_status, idempotency_key, created_at, updated_at)
      SELECT printf('%s-%012d', ${seller.slice(0, 23)}, i), ${buyerId}, 100, 'completed', 'processing', ${seller} || i,
        i, i FROM n`);
    await db.run(sql`INSERT INTO order_items (id, order_id, product_id, seller_id, product_name, quantity,
      price_per_unit, subtotal, status, buyer_contacted, buyer_agreed, created_at, updated_at)
      SELECT lower(hex(randomblob(4))) || substr(id, 9), id, ${productId}, ${seller}, 'Kettle', 1, 100, 100,
        CASE WHEN batch = 0 THEN 'shipped' WHEN batch < 4 THEN 'processing'
          ELSE 'completed' END, batch IN (0, 1, 3), batch IN (0, 3), created_at % 7, created_at
      FROM (SELECT id, created_at, CAST(created_at / ${each} AS INTEGER) AS batch FROM orders
        WHERE idempotency_key LIKE ${`${seller}%`})`);
  }
  const rank = (item: SoldItem) =>
    item.status === "completed"
      ? 4
      : item.status === "shipped"
        ? 3
        : item.buyerAgreed
          ? 0
          : item.buyerContacted
            ? 2
            : 1;
  const all = await readAll(sellerId, null);
  const open = all.filter(({ status }) => status !== "completed");
  expect([open.length, new Set(open.map(({ id }) => id)).size, all.length]).toEqual([560, 560, 580]);
  const key = (item: SoldItem) => `${rank(item)} ${item.status === "completed" ? "" : `${item.createdAt} ${item.id}`}`;
  expect(all.map(key)).toEqual(all.map(key).toSorted());

  const processing = await readAll(sellerId, "processing");
  expect(new Set(processing.map(({ id }) => id)).size).toBe(280);
  expect(processing.map(rank)).toEqual([...Array<number>(140).fill(0), ...Array<number>(140).fill(2)]);
  expect([(await readAll(sellerId, "new")).length, (await readAll(sellerId, "shipped")).length]).toEqual([140, 140]);

  const read = async (seller: string, after: string | null) => {
    const { meter, ...metered } = meteredServices();
    const { orderList } = await openShopOrders(metered, seller, { ...ALL, after });
    expect(orderList.items).toHaveLength(100);
    return { next: orderList.next, rowsRead: meter.rowsRead };
  };
  const first = await read(busyId, null);
  let deep = first;
  for (let page = 1; page < 10; page += 1) deep = await read(busyId, deep.next);
  // The counts read at most 1,001 items. The list reads a page of each rank.
  expect(Math.max(first.rowsRead, deep.rowsRead)).toBeLessThan(5_500);
});

test("delivered orders come in pages, each once", async () => {
  const sellerId = await makeUser();
  const productId = await makeProduct(sellerId);
  const buyerId = await makeUser();
  const statements = Array.from({ length: 45 }, (_, at) => {
    const id = crypto.randomUUID();
    return [
      sql`INSERT INTO orders (id, user_id, amount, payment_status, order_status, idempotency_key, created_at,
        updated_at) VALUES (${id}, ${buyerId}, 100, 'completed', 'delivered', ${id}, ${at}, ${at})`,
      sql`INSERT INTO order_items (id, order_id, product_id, seller_id, product_name, quantity, price_per_unit,
        subtotal, status, created_at, updated_at)
        VALUES (${crypto.randomUUID()}, ${id}, ${productId}, ${sellerId}, 'Kettle', 1, 100, 100, 'completed', ${at},
          ${at})`,
    ];
  });
  for (const statement of statements.flat()) await db.run(statement);
  const seen = (await readAll(sellerId, "delivered")).map(({ id }) => id);
  expect(seen).toHaveLength(45);
  expect(new Set(seen).size).toBe(45);
});

test("what waits for the seller is counted, and leads to the thing itself where there is one", async () => {
  const deal = await makeDeal({ price: 0 });
  const offerer = await makeUser();
  await db.insert(offers).values({
    id: crypto.randomUUID(),
    productId: deal.productId,
    buyerId: offerer,
    sellerId: deal.sellerId,
    amount: 100,
    listingPrice: 0,
    revision: 0,
    expiresAt: Date.now() + 60_000,
    createdAt: 1,
    updatedAt: 1,
  });
  await confirmFreeOrder(services, { orderId: deal.orderId, buyer: buyerOf(deal.buyerId) });
  const todos = async () =>
    (await openShopListings(services, deal.sellerId, null)).head.todos.map(({ kind, to }) => [kind, to]);
  const offer = ["offer", `/profile?tab=messages&with=${offerer}`];
  const item = `/seller/orders/${deal.itemId}`;
  expect(await todos()).toEqual([["contact", item], offer]);
  const paid = { ...deal, amount: 0 };
  await meet(paid, "buyer", "suggested");
  expect(await todos()).toEqual([["meeting", item], offer]);
  await meet(paid, "seller", "suggested");
  expect(await todos()).toEqual([offer]);
  await db.delete(meetings).where(eq(meetings.orderItemId, deal.itemId));
  const steps = [
    [{ buyerContacted: true }, []],
    [{ buyerAgreed: true }, [["hand_over", item]]],
    [{ status: "cancel_requested" }, [["answer", item]]],
    [{ status: "shipped" }, []],
    [{ status: "completed" }, []],
  ] as const;
  for (const [change, expected] of steps) {
    await db.update(orderItems).set(change).where(eq(orderItems.id, deal.itemId));
    expect(await todos()).toEqual([...expected, offer]);
  }
  // The seller has answered it.
  await db.update(offers).set({ state: "countered" }).where(eq(offers.sellerId, deal.sellerId));
  expect(await todos()).toEqual([]);
});

test("My Shop begins with the six newest listings, and shows all of them when asked", async () => {
  const sellerId = await makeUser();
  const ids: string[] = [];
  for (let at = 0; at < 8; at += 1) ids.push(await makeProduct(sellerId));
  const first = await openShopListings(services, sellerId, null);
  const all = await openShopListings(services, sellerId, null, true);
  expect(all.products.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect(first.products).toEqual(all.products.slice(0, 6));
  expect([first.hasMore, first.next, all.hasMore]).toEqual([true, null, false]);
  await db
    .update(products)
    .set({ deletedAt: 2_000 })
    .where(inArray(products.id, ids.slice(0, 2)));
  expect(await openShopListings(services, sellerId, null)).toMatchObject({ hasMore: false });
});

test("a shop's figures are added up in one round trip, without what was returned", async () => {
  const deal = await makeDeal();
  const { now } = servicesAt();
  await addFinishedDeals(env.DB, deal, 0, 1_000, now());
  await addFinishedDeals(env.DB, deal, 1_000, 1_010, now() - 40 * DAY_MS);
  await db.update(orderItems).set({ status: "refunded" }).where(eq(orderItems.id, "item-7"));
  const { meter, ...metered } = meteredServices();
  const { head } = await openShopListings(metered, deal.sellerId, null);
  expect(head).toMatchObject({ sales: 1_009, revenue: 1_009 * 1_900 });
  expect(head.days.at(-1)).toEqual({ day: dayOf(now()), sales: 999, revenue: 999 * 1_900 });
  // The chart compares 30 days with the 30 before them.
  expect(head.days.reduce((sum, { sales }) => sum + sales, 0)).toBe(1_009);
  expect(meter.trips).toBe(1);
  // An entry of the index for each sale for the totals, another for the days, and one to group them.
  expect(meter.rowsRead).toBeLessThan(3_200);
});
