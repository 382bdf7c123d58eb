/**
 * Asking for a payment reserves the pieces of its order, and paying takes them: nobody is asked to pay for what
 * somebody else has, however many ask at once, and whatever becomes of their payments.
 */
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { openHeldCases } from "#app/moderation/cases/held-cases.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { refunds } from "#app/payments/tables.server.ts";
import { idList } from "#app/db/build.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { placeOrder } from "#app/orders/place-order.server.ts";
import { saveListing, setListingStatus, setListingStock } from "#app/catalogue/selling/listings.server.ts";
import { restockItem } from "#app/orders/restock.server.ts";
import { abandonPayment } from "#app/payments/collect/abandon-payment.server.ts";
import { confirmFreeOrder } from "#app/payments/collect/confirm-free-order.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { findSoldItem } from "#app/screens/sold-item/sold-item.server.ts";
import { type AttemptReport, applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import {
  booksOff,
  db,
  makeProduct,
  makeUser,
  orderedOne,
  putInCart,
  readAttempts,
  readItem,
  readOrder,
  servicesAt,
  stockOf,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { paidReport } from "#tests/support/paid-deal.ts";
import { visit } from "#tests/support/visit.ts";
import { write } from "#app/db/batch.ts";
import { afterReservationsChanged } from "#app/catalogue/stock/stock-effects.server.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PRICE = 400;

interface Purchase {
  buyerId: string;
  orderId: string;
}

let sellerId = "";
beforeEach(async () => {
  sellerId = await makeUser();
});

function list(stock: number | null, condition: "new" | "good" = "new", price = PRICE): Promise<string> {
  return makeProduct(sellerId, { price, stock, condition });
}

async function place(productId: string, quantity = 1, buyerId?: string, price = PRICE): Promise<Purchase> {
  const by = buyerId ?? (await makeUser());
  return { buyerId: by, orderId: await orderedOne(by, productId, { price, quantity }) };
}

function ask({ orderId, buyerId }: Purchase, offset = 0, phone = uniquePhone("00")) {
  return requestOrderPayment(servicesAt(offset), { orderId, userId: buyerId, phone });
}

/** Applies a report to the order's latest attempt, or to the one before. */
async function report({ orderId }: Purchase, what: AttemptReport, back = 1): Promise<void> {
  await applyAttemptEvent(servicesAt(), (await readAttempts(orderId)).at(-back)?.id ?? "", what);
}

async function refundsOf({ orderId }: Purchase): Promise<string[]> {
  return (await db.select({ reason: refunds.reason }).from(refunds).where(eq(refunds.orderId, orderId))).map(
    ({ reason }) => reason,
  );
}

const DECLINED = { event: "declined", code: "1032", message: "cancelled", reason: "cancelled" } as const;

describe("reserving", () => {
  test("of ten buyers who want the last 3 at once, 3 are asked to pay, and the others read when to try again", async () => {
    const productId = await list(3);
    const purchases = await Promise.all(Array.from({ length: 10 }, () => place(productId)));
    expect(await stockOf(productId)).toEqual({ stock: 3, reserved: 0, status: "active" });
    const answers = await Promise.all(purchases.map((purchase) => ask(purchase)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(3);
    for (const answer of answers.filter(({ ok }) => !ok))
      expect(answer).toMatchObject({
        code: "in_progress",
        error: expect.stringMatching(/^Somebody is paying for this right now\. Try again in [45] min$/),
        retryAfterMs: expect.any(Number),
      });
    expect(await stockOf(productId)).toEqual({ stock: 3, reserved: 3, status: "active" });

    const payers = purchases.filter((_, n) => answers[n]?.ok);
    await Promise.all(payers.map((payer) => report(payer, paidReport())));
    expect(await stockOf(productId)).toEqual({ stock: 0, reserved: 0, status: "out_of_stock" });
    const late = purchases.find((_, n) => !answers[n]?.ok);
    expect(late && (await ask(late))).toMatchObject({ code: "closed" });
    expect(await booksOff()).toEqual({});
  });

  test("takes as many pieces as were ordered, and says how many are left where the seller has fewer", async () => {
    const productId = await list(5);
    const [three, two, four] = [await place(productId, 3), await place(productId, 2), await place(productId, 4)];
    await ask(three);
    await ask(two);
    expect(await stockOf(productId)).toMatchObject({ reserved: 5 });
    await report(three, paidReport());
    expect(await ask(four)).toEqual({
      ok: false,
      code: "closed",
      error: "Only 2 of Casio fx-991ES are left. Please order again with fewer.",
      retryAfterMs: null,
    });
  });

  test("an order of several products names the one that somebody else is paying for, and reserves nothing", async () => {
    const [scarce, plenty] = [await makeProduct(sellerId, { price: PRICE, stock: 1, name: "Kettle" }), await list(9)];
    await ask(await place(scarce));
    const buyerId = await makeUser();
    await putInCart(buyerId, scarce);
    await putInCart(buyerId, plenty, 2);
    const placed = await placeOrder(servicesAt(), {
      userId: buyerId,
      idempotencyKey: crypto.randomUUID(),
      expectedAmount: 3 * PRICE,
      from: { cart: true },
    });
    if (!placed.ok) throw new Error(placed.code);
    expect(await ask({ buyerId, orderId: placed.orderId }, 3 * MINUTE)).toMatchObject({
      code: "in_progress",
      error: "Somebody is paying for Kettle right now. Try again in 2 min",
    });
    expect(await stockOf(plenty)).toMatchObject({ stock: 9, reserved: 0 });
  });

  test("a listing without a limit is paid for by everybody", async () => {
    const productId = await list(null);
    const purchases = await Promise.all(Array.from({ length: 5 }, () => place(productId, 20)));
    for (const purchase of purchases) expect(await ask(purchase)).toMatchObject({ ok: true });
    for (const purchase of purchases) await report(purchase, paidReport());
    expect(await stockOf(productId)).toEqual({ stock: null, reserved: 0, status: "active" });
  });

  test("an accepted offer holds its piece until it ends", async () => {
    const productId = await list(1, "good");
    const now = servicesAt().now();
    const offer = { id: crypto.randomUUID(), buyerId: await makeUser() };
    await db.run(sql`INSERT INTO offers (id, product_id, buyer_id, seller_id, amount, listing_price, revision,
      expires_at, created_at, updated_at)
      VALUES (${offer.id}, ${productId}, ${offer.buyerId}, ${sellerId}, 300, 300, 0, ${now + 24 * HOUR}, ${now},
        ${now})`);
    const setState = (state: "accepted" | "expired") =>
      write(db, [
        sql`UPDATE offers SET state = ${state} WHERE id = ${offer.id}`,
        ...afterReservationsChanged(idList(productId), now),
      ]);
    await setState("accepted");
    const other = await place(productId);
    expect(await ask(other)).toMatchObject({
      code: "in_progress",
      error: "This is kept for a buyer with an accepted offer. Try again in 24 h",
    });
    await setState("expired");
    expect(await ask(other)).toMatchObject({ ok: true });
  });
});

describe("a reservation ends with its payment", () => {
  test.each<[string, AttemptReport[]]>([
    ["declined", [DECLINED]],
    ["without an answer", [{ event: "timed_out" }]],
    ["abandoned for another number", [{ event: "abandoned" }]],
    ["lost, and then refused", [{ event: "lost", code: "500", message: "down" }, DECLINED]],
    ["held, and then dismissed", [{ event: "mismatched", detail: "KES 1" }, { event: "dismissed" }]],
  ])("%s: its pieces are free at once", async (_how, reports) => {
    const productId = await list(2);
    const purchase = await place(productId, 2);
    await ask(purchase);
    for (const each of reports) {
      expect(await stockOf(productId)).toMatchObject({ stock: 2, reserved: 2 });
      await report(purchase, each);
    }
    expect(await stockOf(productId)).toEqual({ stock: 2, reserved: 0, status: "active" });
    expect(await ask(await place(productId))).toMatchObject({ ok: true });
  });

  test("refused by M-Pesa before anybody was asked: its pieces are free at once", async () => {
    const productId = await list(1);
    const services = servicesAt();
    const refused = { kind: "refused", code: "1", message: "no", reason: "provider_busy", retryAfterMs: null } as const;
    const purchase = await place(productId);
    const gateway = { ...services.gateway, push: async () => refused };
    const answer = await requestOrderPayment(
      { ...services, gateway },
      { orderId: purchase.orderId, userId: purchase.buyerId, phone: uniquePhone("00") },
    );
    expect(answer).toMatchObject({ ok: false, code: "refused" });
    expect(await stockOf(productId)).toEqual({ stock: 1, reserved: 0, status: "active" });
  });

  test("paid while held: the pieces stay reserved until our team decides, and are then taken", async () => {
    const productId = await list(1);
    const purchase = await place(productId);
    await ask(purchase);
    await report(purchase, { event: "mismatched", detail: "KES 1" });
    expect(await ask(await place(productId))).toMatchObject({
      code: "in_progress",
      error: "Somebody is paying for this right now. Try again later",
    });
    await report(purchase, paidReport());
    expect(await stockOf(productId)).toEqual({ stock: 0, reserved: 0, status: "out_of_stock" });
    expect(await readOrder(purchase.orderId)).toMatchObject({ paymentStatus: "completed" });
  });
});

describe("a late payment", () => {
  test("takes what is still there", async () => {
    const productId = await list(2);
    const late = await place(productId);
    await ask(late);
    await report(late, { event: "timed_out" });
    await report(late, paidReport());
    expect(await stockOf(productId)).toEqual({ stock: 1, reserved: 0, status: "active" });
    expect(await readOrder(late.orderId)).toMatchObject({ paymentStatus: "completed" });
  });

  test("never takes what others have reserved: it goes back, and they keep it", async () => {
    const productId = await list(1);
    const [late, quick] = [await place(productId), await place(productId)];
    await ask(late);
    await report(late, { event: "timed_out" });
    await ask(quick);
    await report(late, paidReport());
    expect(await refundsOf(late)).toEqual(["sold_to_someone_else"]);
    expect(await stockOf(productId)).toEqual({ stock: 1, reserved: 1, status: "active" });
    await report(quick, paidReport());
    expect(await readOrder(quick.orderId)).toMatchObject({ paymentStatus: "completed" });
    expect(await booksOff()).toEqual({});
  });

  test("from the first phone uses what the second phone of the same order has reserved", async () => {
    const productId = await list(1);
    const purchase = await place(productId);
    const first = uniquePhone("00");
    await ask(purchase, 0, first);
    await abandonPayment(servicesAt(), { orderId: purchase.orderId, userId: purchase.buyerId, phone: first });
    expect(await ask(purchase)).toMatchObject({ ok: true });
    await report(purchase, paidReport(), 2);
    expect(await readOrder(purchase.orderId)).toMatchObject({ paymentStatus: "completed" });
    expect(await refundsOf(purchase)).toEqual([]);
    expect(await stockOf(productId)).toEqual({ stock: 0, reserved: 0, status: "out_of_stock" });
    // The second phone pays too: that money goes back, and nothing more is taken or given back.
    await report(purchase, paidReport());
    expect(await refundsOf(purchase)).toEqual(["order_already_paid"]);
    expect(await stockOf(productId)).toEqual({ stock: 0, reserved: 0, status: "out_of_stock" });
  });

  test("for several products of which one is gone goes back as a whole, and takes none of them", async () => {
    const [gone, there] = [await list(1), await list(4)];
    const buyerId = await makeUser();
    await putInCart(buyerId, gone);
    await putInCart(buyerId, there, 3);
    const placed = await placeOrder(servicesAt(), {
      userId: buyerId,
      idempotencyKey: crypto.randomUUID(),
      expectedAmount: 4 * PRICE,
      from: { cart: true },
    });
    if (!placed.ok) throw new Error(placed.code);
    const late = { buyerId, orderId: placed.orderId };
    await ask(late);
    await report(late, { event: "timed_out" });
    const quick = await place(gone);
    await ask(quick);
    await report(quick, paidReport());
    await report(late, paidReport());
    expect(await refundsOf(late)).toEqual(["sold_to_someone_else"]);
    expect(await stockOf(there)).toEqual({ stock: 4, reserved: 0, status: "active" });
  });
});

test("of eight who confirm a giveaway of three at once, three get one", async () => {
  const productId = await list(3, "good", 0);
  const purchases = await Promise.all(Array.from({ length: 8 }, () => place(productId, 1, undefined, 0)));
  const answers = await Promise.all(
    purchases.map(({ orderId, buyerId }) =>
      confirmFreeOrder(servicesAt(), { orderId, buyer: { id: buyerId, email: "w@campus.test", fullName: "W" } }),
    ),
  );
  expect(answers.filter(({ ok }) => ok)).toHaveLength(3);
  expect(await stockOf(productId)).toEqual({ stock: 0, reserved: 0, status: "sold" });
});

test("a seller's edit never goes below what is being paid for, whichever comes first", async () => {
  const productId = await list(3);
  const purchases = await Promise.all(Array.from({ length: 3 }, () => place(productId)));
  await Promise.allSettled([
    ...purchases.map((purchase) => ask(purchase)),
    db.run(sql`UPDATE products SET stock = 1 WHERE id = ${productId}`),
  ]);
  const { stock, reserved } = (await stockOf(productId)) ?? {};
  expect(reserved).toBeLessThanOrEqual(stock ?? -1);
  const asked = await Promise.all(purchases.map(async ({ orderId }) => (await readAttempts(orderId)).length));
  expect(asked.reduce((sum, count) => sum + count)).toBe(reserved);
});

test("a buyer who lets five payments of one product run out can't keep it from others that day", async () => {
  const [productId, made] = [await list(1), await list(null)];
  const buyerId = await makeUser();
  const purchase = await place(productId, 1, buyerId);
  for (let n = 0; n < 5; n += 1) {
    expect(await ask(purchase, n * 6 * MINUTE)).toMatchObject({ ok: true });
    await report(purchase, { event: "timed_out" });
  }
  expect(await ask(purchase, HOUR)).toEqual({
    ok: false,
    code: "too_often",
    error:
      "You've asked to pay for Casio fx-991ES 5 times today without paying, so others can buy it first. You can try again tomorrow.",
    retryAfterMs: null,
  });
  // Neither another order of it nor another buyer's is the same thing.
  expect(await ask(await place(productId, 1, buyerId), HOUR)).toMatchObject({ code: "too_often" });
  expect(await ask(await place(made, 1, buyerId), HOUR)).toMatchObject({ ok: true });
  expect(await ask(await place(productId), HOUR)).toMatchObject({ ok: true });
});

describe("an item that came back", () => {
  async function sells(stock: number | null, quantity: number, condition: "new" | "good" = "new") {
    const productId = await list(stock, condition);
    const purchase = await place(productId, quantity);
    await ask(purchase);
    await report(purchase, paidReport());
    const [row] = await db.all<{ id: string }>(sql`SELECT id FROM order_items WHERE order_id = ${purchase.orderId}`);
    return { ...purchase, productId, itemId: row?.id ?? "" };
  }
  const cancel = (itemId: string, by: string) =>
    applyDealEvent(servicesAt(), { itemId, event: "cancelled_by_seller", by, reason: "not_available" });

  test("is put back once by its seller, however often and at once it is pressed", async () => {
    const { productId, itemId, buyerId } = await sells(2, 2);
    expect(await stockOf(productId)).toMatchObject({ stock: 0, status: "out_of_stock" });
    expect((await findSoldItem(servicesAt(), itemId, sellerId))?.item).toMatchObject({ owed: 2, restockable: 0 });
    // A sale that stands can't be put back.
    expect(await restockItem(servicesAt(), { itemId, sellerId })).toBe(false);
    await cancel(itemId, sellerId);
    expect((await readItem(itemId)).status).toBe("cancelled");
    expect(await stockOf(productId)).toMatchObject({ stock: 0, reserved: 0 });

    const path = `/seller/orders/${itemId}`;
    expect(await (await visit(path, { as: sellerId })).text()).toContain("If you can sell the 2 pieces again");
    expect(await restockItem(servicesAt(), { itemId, sellerId: buyerId })).toBe(false);
    const presses = await Promise.all(Array.from({ length: 8 }, () => restockItem(servicesAt(), { itemId, sellerId })));
    expect(presses.filter(Boolean)).toHaveLength(1);
    expect(await stockOf(productId)).toEqual({ stock: 2, reserved: 0, status: "active" });
    expect(await (await visit(path, { as: sellerId })).text()).not.toContain("If you can sell the 2 pieces again");
    expect((await visit(path, { as: sellerId, form: { intent: "restock" } })).status).toBe(409);
  });

  test("of a listing without a limit only puts the listing back on sale", async () => {
    const { productId, itemId } = await sells(null, 2);
    await cancel(itemId, sellerId);
    expect(await stockOf(productId)).toMatchObject({ status: "out_of_stock" });
    expect((await visit(`/seller/orders/${itemId}`, { as: sellerId, form: { intent: "restock" } })).status).toBe(200);
    expect(await stockOf(productId)).toEqual({ stock: null, reserved: 0, status: "active" });
  });

  test("adds to what the seller has", async () => {
    const { productId, itemId } = await sells(3, 1);
    await cancel(itemId, sellerId);
    expect(await restockItem(servicesAt(), { itemId, sellerId })).toBe(true);
    expect(await stockOf(productId)).toEqual({ stock: 3, reserved: 0, status: "active" });
  });

  /** Each way in which a seller says how many pieces there are, and the number that follows for one that came back. */
  const WAYS: [string, "new" | "good", (productId: string) => Promise<unknown>, number][] = [
    [
      "made active",
      "good",
      async (productId) => {
        const [row] = await db.select().from(products).where(eq(products.id, productId));
        return setListingStatus(servicesAt(), { sellerId, productId, status: "active", seen: row?.updatedAt });
      },
      1,
    ],
    [
      "counted in My Shop",
      "new",
      (productId) => setListingStock(servicesAt(), { sellerId, productId, stock: 1, seen: 0 }),
      1,
    ],
    [
      "edited in the form",
      "new",
      async (productId) => {
        const [row] = await db.select().from(products).where(eq(products.id, productId));
        const listing = {
          name: "Kettle",
          price: PRICE,
          originalPrice: null,
          description: "It boils",
          category: row?.category ?? "",
          chosenType: null,
          facts: {},
          condition: "new" as const,
          stock: 4,
          takesOffers: false,
          lowestOffer: null,
        };
        return saveListing(servicesAt(), openHeldCases, {
          sellerId,
          productId,
          listing,
          stockSeen: 0,
          wholesale: null,
          photoKeys: [],
        });
      },
      4,
    ],
  ];

  test.each(WAYS)("isn't put back a second time once the listing was %s", async (_name, condition, raise, stock) => {
    const { productId, itemId } = await sells(1, 1, condition);
    await cancel(itemId, sellerId);
    expect(await raise(productId)).toMatchObject({ ok: true });
    expect(await restockItem(servicesAt(), { itemId, sellerId })).toBe(false);
    expect(await stockOf(productId)).toMatchObject({ stock });
    expect(await (await visit(`/seller/orders/${itemId}`, { as: sellerId })).text()).not.toContain("can sell");
  });

  test.each(WAYS)("is put back once when both happen at once: %s", async (_name, condition, raise, stock) => {
    const { productId, itemId } = await sells(1, 1, condition);
    await cancel(itemId, sellerId);
    await Promise.all([raise(productId), restockItem(servicesAt(), { itemId, sellerId })]);
    expect([1, stock]).toContain((await stockOf(productId))?.stock);
  });

  test("can be put back after an edit that leaves the stock as it is, and after one that came before", async () => {
    const { productId, itemId } = await sells(3, 1);
    expect(await setListingStock(servicesAt(), { sellerId, productId, stock: 5, seen: 2 })).toMatchObject({ ok: true });
    await cancel(itemId, sellerId);
    await setListingStatus(servicesAt(), { sellerId, productId, status: "active" });
    expect(await restockItem(servicesAt(), { itemId, sellerId })).toBe(true);
    expect(await stockOf(productId)).toMatchObject({ stock: 6 });
  });
});

test("a sold-out product of which there was one doesn't say that its seller has one", async () => {
  const buyerId = await makeUser();
  const productId = await list(1, "new");
  const page = async () => (await visit(`/product/${productId}`, { as: buyerId })).text();
  expect(await page()).toContain("The seller has one");
  await db.update(products).set({ stock: 0, status: "out_of_stock" }).where(eq(products.id, productId));
  const soldOut = await page();
  expect(soldOut).toContain("Sold out");
  expect(soldOut).not.toContain("The seller has one");
});

test.each(["1e1", "0x2", "1.0", " 1", ""])("Buy Now orders nothing for the quantity %j", async (quantity) => {
  const buyerId = await makeUser();
  const productId = await list(20);
  const form = { intent: "buy-now", quantity, orderKey: crypto.randomUUID(), price: String(PRICE) };
  const response = await visit(`/product/${productId}`, { as: buyerId, form });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("Please check the quantity and try again");
});
