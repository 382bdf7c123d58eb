/** One cart has one live payment, whatever tabs, retries and late answers do. */
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { listCart } from "#app/basket/cart.server.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import { paymentAttempts, refunds } from "#app/payments/tables.server.ts";
import { orderCart } from "#app/orders/order-cart.server.ts";
import { cartOrderKey, placeOrder } from "#app/orders/place-order.server.ts";
import { confirmFreeOrder } from "#app/payments/collect/confirm-free-order.server.ts";
import { advancePayments } from "#app/payments/advance-payments.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { ATTEMPT_WINDOW_MS } from "#app/payments/collect/attempt-rules.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import {
  booksOff,
  db,
  makeProduct,
  makeUser,
  orderOne,
  orderedOne,
  putInCart,
  readAttempts,
  readOrder,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { paymentArrives } from "#tests/support/paid-deal.ts";
import { visit } from "#tests/support/visit.ts";

let buyer = "";
let kettle = "";
let desk = "";
beforeEach(async () => {
  const seller = await makeUser();
  buyer = await makeUser();
  [kettle, desk] = [
    await makeProduct(seller, { price: 1_000, name: "Kettle" }),
    await makeProduct(seller, { price: 400, name: "Desk" }),
  ];
  await putInCart(buyer, kettle);
});

async function orderTheCart() {
  const lines = await listCart({ db, now: Date.now }, buyer);
  const idempotencyKey = await cartOrderKey(lines);
  return placeOrder(servicesAt(), {
    userId: buyer,
    idempotencyKey,
    expectedAmount: lines.reduce((sum, line) => sum + line.price * line.quantity, 0),
    from: { cart: true },
  });
}

async function placed(result: ReturnType<typeof orderTheCart>): Promise<string> {
  const order = await result;
  if (!order.ok) throw new Error(order.code);
  return order.orderId;
}

function buyNow(productId: string, price: number) {
  return orderOne(buyer, productId, { price });
}

/** Sends a prompt to a phone that waits for an answer. */
function ask(orderId: string, offsetMs = 0) {
  return requestOrderPayment(servicesAt(offsetMs), { orderId, userId: buyer, phone: uniquePhone("00") });
}

async function attemptOf(orderId: string) {
  const attempt = (await readAttempts(orderId)).at(-1);
  if (!attempt) throw new Error("no attempt");
  return attempt;
}

async function itemStates(orderId: string) {
  return (await db.select({ status: orderItems.status }).from(orderItems).where(eq(orderItems.orderId, orderId))).map(
    ({ status }) => status,
  );
}

const completed = async () =>
  (await db.select().from(orders).where(eq(orders.userId, buyer)))
    .filter(({ paymentStatus }) => paymentStatus === "completed")
    .map(({ id }) => id);
const owed = async () =>
  db
    .select({ amount: refunds.amount, orderId: refunds.orderId })
    .from(refunds)
    .innerJoin(orders, eq(orders.id, refunds.orderId))
    .where(eq(orders.userId, buyer));

describe("while a payment is under way", () => {
  test("a changed cart places no second order and leads to the first, by name and with words; once it has ended the cart goes on", async () => {
    const first = await placed(orderTheCart());
    await ask(first);
    await putInCart(buyer, desk);

    expect(await orderTheCart()).toEqual({ ok: false, code: "paying", orderId: first, names: ["Kettle"], held: false });
    expect(await buyNow(kettle, 1_000)).toMatchObject({ ok: false, code: "paying", orderId: first });
    expect(await db.select().from(orders).where(eq(orders.userId, buyer))).toHaveLength(1);

    await db.run("UPDATE cart_items SET price_when_added = (SELECT price FROM products p WHERE p.id = product_id)");
    const lines = await listCart({ db, now: Date.now }, buyer);
    const pressed = await visit("/cart.data", {
      as: buyer,
      form: { intent: "checkout", orderKey: await cartOrderKey(lines), total: "1400" },
    });
    expect(pressed.status).toBe(202);
    expect(await pressed.text()).toContain(`/checkout/${first}`);
    expect(pressed.headers.get("set-cookie")).toContain("flash=");
    expect(
      await orderCart(servicesAt(), { userId: buyer, idempotencyKey: "another-key", expectedAmount: 1_400 }),
    ).toEqual({
      ok: false,
      payFirst: first,
      message:
        "You are already paying for Kettle in this order. Finish that payment, or wait until the prompt ends, then order again.",
    });
    const bought = await visit(`/product/${kettle}.data`, {
      as: buyer,
      form: { intent: "buy-now", quantity: "1", orderKey: crypto.randomUUID(), price: "1000" },
    });
    expect(await bought.text()).toContain(`/checkout/${first}`);

    // What is not in it can be bought meanwhile.
    expect(await buyNow(desk, 400)).toMatchObject({ ok: true });
    await advancePayments(servicesAt(ATTEMPT_WINDOW_MS + 1));
    const second = await placed(orderTheCart());
    expect(await readOrder(first)).toMatchObject({ orderStatus: "expired", replacedBy: second });
  });

  test("the same cart leads to its own order without a word", async () => {
    const first = await placed(orderTheCart());
    await ask(first);
    expect(await orderTheCart()).toEqual({ ok: true, orderId: first });
  });

  test("a payment that a person looks into holds its products back too, and nobody else's", async () => {
    const first = await placed(orderTheCart());
    await ask(first);
    await applyAttemptEvent(servicesAt(), (await attemptOf(first)).id, {
      event: "mismatched",
      detail: "another amount",
    });
    await putInCart(buyer, desk);
    expect(await orderTheCart()).toMatchObject({ ok: false, code: "paying", held: true });
    const other = await makeUser();
    expect(await orderOne(other, kettle, { price: 1_000 })).toMatchObject({ ok: true });
  });

  test("the answer that was lost counts as a payment under way", async () => {
    const first = await placed(orderTheCart());
    await requestOrderPayment(servicesAt(), { orderId: first, userId: buyer, phone: uniquePhone("09") });
    expect((await attemptOf(first)).state).toBe("unknown");
    await putInCart(buyer, desk);
    expect(await orderTheCart()).toMatchObject({ ok: false, code: "paying" });
  });
});

describe("an order that another one replaced", () => {
  test("is closed with its items and cannot be paid from an old tab, which is shown the way to the other", async () => {
    const first = await placed(orderTheCart());
    await putInCart(buyer, desk);
    const second = await placed(orderTheCart());

    expect(await readOrder(first)).toMatchObject({ orderStatus: "expired", replacedBy: second });
    expect(await itemStates(first)).toEqual(["expired"]);
    expect(await ask(first)).toMatchObject({
      ok: false,
      code: "closed",
      error: "You have a newer order for this, so we closed this one. Please pay for the newer one.",
    });
    expect(await readAttempts(first)).toEqual([]);
    const page = await (await visit(`/checkout/${first}`, { as: buyer })).text();
    expect(page).toContain("You have a newer order for this");
    expect(page).toContain(`/checkout/${second}`);
    expect(await ask(second)).toMatchObject({ ok: true, kind: "requested" });
  });

  test("comes back as a new order when the cart becomes what it was", async () => {
    const first = await placed(orderTheCart());
    await putInCart(buyer, desk);
    const second = await placed(orderTheCart());
    await db.run(`DELETE FROM cart_items WHERE user_id = '${buyer}' AND product_id = '${desk}'`);
    const third = await placed(orderTheCart());
    expect(new Set([first, second, third]).size).toBe(3);
    expect(await readOrder(first)).toMatchObject({ replacedBy: third });
    expect(await readOrder(second)).toMatchObject({ orderStatus: "expired", replacedBy: third });
    expect(await readOrder(third)).toMatchObject({ orderStatus: "pending_payment", replacedBy: null });
  });

  test("is a giveaway's too: the old one is not confirmed any more", async () => {
    const free = await makeProduct(await makeUser(), { price: 0 });
    const first = await placed(buyNow(free, 0));
    const second = await placed(buyNow(free, 0));
    const person = { id: buyer, email: "w@campus.test", fullName: "Wanjiku" };
    expect(await confirmFreeOrder(servicesAt(), { orderId: first, buyer: person })).toMatchObject({
      ok: false,
      code: "closed",
    });
    expect(await confirmFreeOrder(servicesAt(), { orderId: second, buyer: person })).toEqual({ ok: true });
  });

  test("is never anybody else's, and never one that shares nothing or is paid", async () => {
    const other = await makeUser();
    const theirs = await orderedOne(other, kettle, { price: 1_000 });
    const alone = await placed(buyNow(desk, 400));
    const paid = await placed(buyNow(kettle, 1_000));
    await ask(paid);
    await paymentArrives(paid);
    const again = await placed(buyNow(kettle, 1_000));
    for (const id of [theirs, alone, again])
      expect(await readOrder(id)).toMatchObject({ orderStatus: "pending_payment", replacedBy: null });
    expect(await readOrder(paid)).toMatchObject({ orderStatus: "processing", replacedBy: null });
    // Bought twice on purpose: both orders stay.
    await ask(again);
    await paymentArrives(again);
    expect(await completed()).toHaveLength(2);
    expect(await owed()).toEqual([]);
  });
});

describe("a success that comes late for a closed order", () => {
  /** A first order whose prompt was never answered, and the one that replaced it. */
  async function replaced(): Promise<{ first: string; second: string }> {
    const first = await placed(orderTheCart());
    await ask(first);
    await applyAttemptEvent(servicesAt(), (await attemptOf(first)).id, { event: "timed_out" });
    await putInCart(buyer, desk);
    return { first, second: await placed(orderTheCart()) };
  }

  test("pays it where the other is unpaid, and closes the other", async () => {
    const { first, second } = await replaced();
    await paymentArrives(first);
    expect(await readOrder(first)).toMatchObject({ paymentStatus: "completed", orderStatus: "processing" });
    expect(await readOrder(second)).toMatchObject({
      paymentStatus: "pending",
      orderStatus: "expired",
      replacedBy: first,
    });
    expect(await ask(second)).toMatchObject({
      ok: false,
      code: "closed",
      error: "You have already paid for this in another order. There is nothing more to pay.",
    });
    expect((await listCart({ db, now: Date.now }, buyer)).map(({ productId }) => productId)).toEqual([desk]);
    expect(await booksOff()).toEqual({});
  });

  test("is owed back where the other was paid; nothing is sold twice, and the buyer is told", async () => {
    const { first, second } = await replaced();
    await ask(second);
    await paymentArrives(second);
    await paymentArrives(first);
    expect(await completed()).toEqual([second]);
    expect(await itemStates(first)).toEqual(["expired"]);
    expect(await owed()).toEqual([{ amount: 1_000, orderId: first }]);
    expect(await readOrder(first)).toMatchObject({ paymentStatus: "failed", closedReason: "paid_in_another_order" });
    const mails = await db.select({ key: outbox.dedupeKey, payload: outbox.payload }).from(outbox);
    expect(mails.find(({ key }) => key === `refund_due:${first}`)).toBeUndefined();
    const told = mails.filter(({ payload }) => payload.includes("refund_due") && payload.includes(second));
    expect(told).toHaveLength(1);
    expect(await booksOff()).toEqual({});
  });

  test("pays it while the other is being paid for, and what then comes in for the other is owed back", async () => {
    const { first, second } = await replaced();
    await ask(second);
    await paymentArrives(first);
    expect(await readOrder(second)).toMatchObject({ paymentStatus: "processing", orderStatus: "pending_payment" });
    await paymentArrives(second);
    expect(await completed()).toEqual([first]);
    expect(await owed()).toEqual([{ amount: 1_400, orderId: second }]);
    expect(await readOrder(second)).toMatchObject({ orderStatus: "expired", closedReason: "paid_in_another_order" });
    expect(await itemStates(second)).toEqual(["expired", "expired"]);
    expect(await booksOff()).toEqual({});
  });

  test("of both at once, four callbacks each: one is paid and the other owed back", async () => {
    const { first, second } = await replaced();
    await ask(second);
    const reports = await Promise.all([first, second].map(attemptOf));
    await Promise.all(
      reports.flatMap((attempt, n) =>
        Array.from({ length: 4 }, () =>
          applyAttemptEvent(servicesAt(), attempt.id, {
            event: "paid",
            receipt: `TBOTH${n}${buyer.slice(0, 4).toUpperCase()}`,
            paidAt: null,
            checkoutRequestId: attempt.checkoutRequestId,
          }),
        ),
      ),
    );
    expect(await completed()).toHaveLength(1);
    expect(await owed()).toHaveLength(1);
    expect(await booksOff()).toEqual({});
  });

  test("reaches through a chain: of three orders for one cart only one is ever paid", async () => {
    const { first, second } = await replaced();
    await ask(second);
    await applyAttemptEvent(servicesAt(), (await attemptOf(second)).id, { event: "timed_out" });
    const third = await placed(buyNow(kettle, 1_000));
    await ask(third);
    await paymentArrives(third);
    await paymentArrives(first);
    await paymentArrives(second);
    expect(await completed()).toEqual([third]);
    expect((await owed()).map(({ amount }) => amount).toSorted()).toEqual([1_000, 1_400]);
    expect(await booksOff()).toEqual({});
  });
});

test("eight tabs that order and pay one cart in different shapes at once ask one phone for one order", async () => {
  const shapes = Array.from({ length: 8 }, () => async () => {
    const order = await buyNow(kettle, 1_000);
    return order.ok ? ask(order.orderId) : null;
  });
  await Promise.all(shapes.map((press) => press()));
  const attempts = await db
    .select({ state: paymentAttempts.state })
    .from(paymentAttempts)
    .where(eq(paymentAttempts.userId, buyer));
  expect(attempts).toHaveLength(1);
  const mine = await db.select().from(orders).where(eq(orders.userId, buyer));
  expect(mine.filter(({ orderStatus }) => orderStatus === "pending_payment")).toHaveLength(1);
});
