/**
 * What a block refuses, wherever two people begin to deal with each other, and what it leaves of what was paid before.
 */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { changeBasket } from "#app/basket/change-basket.server.ts";
import { listCart } from "#app/basket/cart.server.ts";
import { openDatabase } from "#app/db/client.ts";
import { findProductPage } from "#app/catalogue/product/product-page.server.ts";
import { joinWaitingList } from "#app/catalogue/stock/stock-waits.server.ts";
import { cartItems } from "#app/basket/tables.server.ts";
import { dealEvents, meetings, orders } from "#app/orders/tables.server.ts";
import { messages } from "#app/messaging/tables.server.ts";
import { notifications } from "#app/notifications/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { advanceDeals } from "#app/deals/deal-timers.server.ts";
import { sendMessage } from "#app/messaging/sending/send-message.server.ts";
import { blockUser, unblockUser } from "#app/messaging/block-user.server.ts";
import { findOfferPage, makeOffer } from "#app/offers/make-offer.server.ts";
import { payOffer } from "#app/offers/pay-offer.server.ts";
import { orderCart } from "#app/orders/order-cart.server.ts";
import { placeOrder } from "#app/orders/place-order.server.ts";
import { confirmFreeOrder } from "#app/payments/collect/confirm-free-order.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { findOpenSteps } from "#app/screens/home/open-steps.server.ts";
import {
  db,
  makeDeal,
  makeProduct,
  makeUser,
  putInCart,
  readAttempts,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { acceptedOffer, listForOffers } from "#tests/support/offers.ts";
import { payDeal, paymentArrives } from "#tests/support/paid-deal.ts";
import { finishedDeal, review } from "#tests/support/reviews.ts";
import { recordOf } from "#tests/support/seller-record.ts";

const DAY = 24 * 60 * 60_000;
const services = servicesAt();

/** Who blocks whom. */
const SIDES = ["seller", "buyer"] as const;

function block(by: (typeof SIDES)[number], { sellerId, buyerId }: { sellerId: string; buyerId: string }) {
  return by === "seller"
    ? blockUser(services, { userId: sellerId, blockedId: buyerId })
    : blockUser(services, { userId: buyerId, blockedId: sellerId });
}

async function twoPeople() {
  return { sellerId: await makeUser({ name: "Brian Otieno" }), buyerId: await makeUser() };
}

function buyNow(userId: string, productId: string) {
  return placeOrder(services, {
    userId,
    idempotencyKey: crypto.randomUUID(),
    expectedAmount: 1_900,
    from: { productId, quantity: 1, revision: 0 },
  });
}

test.each(SIDES)("nothing is bought, saved for later or asked for across a block by the %s", async (by) => {
  const two = await twoPeople();
  const productId = await makeProduct(two.sellerId);
  const sold = await makeProduct(two.sellerId, { status: "sold" });
  await block(by, two);
  const seen = by === "buyer" ? "mine" : "theirs";
  expect(await buyNow(two.buyerId, productId)).toEqual({
    ok: false,
    code: "blocked",
    name: "Casio fx-991ES",
    seller: "Brian Otieno",
    block: seen,
  });
  expect(await changeBasket(services, two.buyerId, { intent: "add-to-cart", productId, quantity: 1 })).toMatchObject({
    ok: false,
    kind: "warning",
  });
  expect(await joinWaitingList(services, { userId: two.buyerId, productId: sold })).toEqual({
    ok: false,
    code: "blocked",
  });
  expect((await findProductPage(services, productId, two.buyerId))?.product.seller.block).toBe(seen);
  expect(await db.select().from(orders).where(eq(orders.userId, two.buyerId))).toEqual([]);

  await (by === "buyer"
    ? unblockUser(services, { userId: two.buyerId, blockedId: two.sellerId })
    : unblockUser(services, { userId: two.sellerId, blockedId: two.buyerId }));
  expect((await buyNow(two.buyerId, productId)).ok).toBe(true);
});

test.each(SIDES)("an offer across a block by the %s is refused with the reason", async (by) => {
  const { productId, sellerId } = await listForOffers();
  const buyerId = await makeUser();
  await block(by, { sellerId, buyerId });
  const obstacle = by === "buyer" ? "blocked_by_me" : "blocked";
  expect((await findOfferPage(services, { productId, buyerId }))?.obstacle).toBe(obstacle);
  const offer = { buyerId, productId, amount: 1_500, revision: 0, note: "", key: crypto.randomUUID() };
  expect(await makeOffer(services, offer)).toEqual({ ok: false, code: obstacle });
});

test("a line that was in the cart before a block is left out of the order, and says why", async () => {
  const two = await twoPeople();
  const other = await makeProduct(await makeUser());
  const productId = await makeProduct(two.sellerId);
  await putInCart(two.buyerId, other);
  await putInCart(two.buyerId, productId);
  await db.update(cartItems).set({ priceWhenAdded: 1_900 }).where(eq(cartItems.userId, two.buyerId));
  await block("seller", two);
  const lines = await listCart({ db, now: Date.now }, two.buyerId);
  expect(lines.find((line) => line.productId === productId)).toMatchObject({ available: false, block: "theirs" });
  const cart = { userId: two.buyerId, idempotencyKey: crypto.randomUUID() };
  expect(await orderCart(services, { ...cart, expectedAmount: 3_800 })).toMatchObject({
    ok: false,
    message: expect.stringContaining("You can't buy Casio fx-991ES now."),
  });
  expect((await orderCart(services, { ...cart, expectedAmount: 1_900 })).ok).toBe(true);
});

test.each(SIDES)("an order placed before a block by the %s can't be paid after it", async (by) => {
  const deal = await makeDeal();
  await block(by, deal);
  const phone = uniquePhone("00");
  const asked = await requestOrderPayment(services, { orderId: deal.orderId, userId: deal.buyerId, phone });
  expect(asked).toMatchObject({ ok: false, code: "closed" });
  expect(asked).not.toMatchObject({ error: expect.stringContaining("is over") });
  expect(await readAttempts(deal.orderId)).toEqual([]);
});

test("a free order isn't confirmed across a block", async () => {
  const deal = await makeDeal({ price: 0 });
  await block("seller", deal);
  const buyer = { id: deal.buyerId, email: "b@campus.test", fullName: "Amina" };
  expect(await confirmFreeOrder(services, { orderId: deal.orderId, buyer })).toMatchObject({
    ok: false,
    code: "closed",
  });
});

test("a block that comes while payments start either refuses them or comes after them", async () => {
  const deals = await Promise.all(Array.from({ length: 4 }, () => makeDeal()));
  const outcomes = await Promise.all(
    deals.map(async (deal) => {
      const [asked] = await Promise.all([
        requestOrderPayment(services, { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") }),
        block("seller", deal),
      ]);
      return { isAsked: asked.ok, attempts: (await readAttempts(deal.orderId)).length };
    }),
  );
  for (const { isAsked, attempts } of outcomes) expect(attempts).toBe(isAsked ? 1 : 0);
});

test("an accepted offer isn't paid across a block", async () => {
  const offer = await acceptedOffer();
  await block("seller", offer);
  expect((await payOffer(services, { offerId: offer.offerId, buyerId: offer.buyerId })).ok).toBe(false);
});

test.each(SIDES)("a message that was read before a block by the %s isn't written after it", async (by) => {
  const two = await twoPeople();
  const productId = await makeProduct(two.sellerId);
  const about = { kind: "product", id: productId } as const;
  const input = { senderId: two.buyerId, about, text: "Is it there?", key: crypto.randomUUID() };
  const between: D1Database = Object.assign(Object.create(env.DB) as D1Database, {
    prepare: (query: string) => env.DB.prepare(query),
    batch: async (statements: D1PreparedStatement[]) => {
      // A read is one statement, and the write many.
      if (statements.length > 1) await block(by, two);
      return env.DB.batch(statements);
    },
  });
  expect(await sendMessage({ ...services, db: openDatabase(between) }, input)).toEqual({
    ok: false,
    code: by === "buyer" ? "blocked_by_me" : "blocked",
  });
  expect(await db.select().from(messages).where(eq(messages.senderId, two.buyerId))).toEqual([]);
});

test.each(SIDES)("what was paid before a block by the %s ends without harm to the seller", async (by) => {
  const [cancelled, waited] = [await payDeal(), await payDeal()];
  for (const deal of [cancelled, waited]) await block(by, deal);
  const done = await applyDealEvent(services, {
    itemId: cancelled.itemId,
    event: "cancelled_by_seller",
    by: cancelled.sellerId,
    reason: "other",
  });
  expect(done.ok).toBe(true);
  await advanceDeals(servicesAt(30 * DAY));
  for (const { itemId, sellerId, productId } of [cancelled, waited]) {
    const events = await db.select().from(dealEvents).where(eq(dealEvents.orderItemId, itemId));
    expect(events.filter(({ against }) => against !== null)).toEqual([]);
    expect(events.map(({ event }) => event)).toContain(
      itemId === cancelled.itemId ? "cancelled_by_seller" : "not_shipped",
    );
    expect((await recordOf(sellerId)).cancelled).toBe(0);
    const [listing] = await db.select().from(products).where(eq(products.id, productId));
    expect(listing?.status).toBe("active");
  }
});

test("what a buyer suggested at checkout is suggested to nobody across a block", async () => {
  const [dealing, parted] = [await makeDeal(), await makeDeal()];
  for (const { orderId } of [dealing, parted])
    await db
      .update(orders)
      .set({ meetingPlace: "Main gate", meetAt: Date.now() + DAY })
      .where(eq(orders.id, orderId));
  for (const { orderId, buyerId } of [dealing, parted])
    await requestOrderPayment(services, { orderId, userId: buyerId, phone: uniquePhone("00") });
  await block("seller", parted);
  for (const { orderId } of [dealing, parted]) await paymentArrives(orderId);
  const suggested = await db.select({ itemId: meetings.orderItemId }).from(meetings);
  const items = suggested.map(({ itemId }) => itemId);
  expect(items).toContain(dealing.itemId);
  expect(items).not.toContain(parted.itemId);
});

test.each(SIDES)(
  "nobody is asked for a review across a block by the %s, and a review can be written all the same",
  async (by) => {
    const asked = async (isBlocked: boolean) => {
      const deal = await finishedDeal();
      if (isBlocked) await block(by, deal);
      const steps = await findOpenSteps({ db, now: Date.now }, deal.buyerId);
      expect((await review(deal, "buyer")).ok).toBe(true);
      const told = await db.select().from(notifications).where(eq(notifications.userId, deal.sellerId));
      return {
        home: steps.some(({ path }) => path.startsWith("/reviews/")),
        other: told.some(({ kind }) => kind === "review_written"),
      };
    };
    expect(await asked(false)).toEqual({ home: true, other: true });
    expect(await asked(true)).toEqual({ home: false, other: false });
  },
);
