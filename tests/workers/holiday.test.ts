import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { setListingStock } from "#app/catalogue/selling/listings.server.ts";
import { findProductPage } from "#app/catalogue/product/product-page.server.ts";
import { joinWaitingList, notifyWaitingList } from "#app/catalogue/stock/stock-waits.server.ts";
import { cartItems } from "#app/basket/tables.server.ts";
import { stockWaits } from "#app/catalogue/tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { shops } from "#app/accounts/tables.server.ts";
import { findOfferPage } from "#app/offers/make-offer.server.ts";
import { payOffer } from "#app/offers/pay-offer.server.ts";
import { orderCart } from "#app/orders/order-cart.server.ts";
import { placeOrder } from "#app/orders/place-order.server.ts";
import { confirmFreeOrder } from "#app/payments/collect/confirm-free-order.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { openShopListings } from "#app/screens/my-shop/my-shop.server.ts";
import { changeHoliday, findShopEditor } from "#app/shops/shop-settings.server.ts";
import { openSellerPage } from "#app/shops/shops.server.ts";
import {
  db,
  makeDeal,
  makeProduct,
  makeUser,
  putInCart,
  readAttempts,
  readOrder,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { tellWaiting } from "#tests/support/gathered.ts";
import { visit } from "#tests/support/visit.ts";
import { acceptedOffer, listForOffers, offerFor, openOffer, readOffer, take } from "#tests/support/offers.ts";

const DAY = 24 * 60 * 60_000;
const services = servicesAt();

/** Opens a shop for a seller and sends its owner on holiday for a week. Gives the end of the holiday. */
async function sendAway(sellerId: string): Promise<number> {
  const now = Date.now();
  await db
    .insert(shops)
    .values({ id: sellerId, shopName: "Brian's Books", createdAt: now, updatedAt: now })
    .onConflictDoNothing();
  const until = now + 7 * DAY;
  expect(await changeHoliday(services, sellerId, until)).toBe(true);
  return until;
}

function order(userId: string, productId: string, at = services) {
  return placeOrder(at, {
    userId,
    idempotencyKey: crypto.randomUUID(),
    expectedAmount: 1_900,
    from: { productId, quantity: 1, revision: 0 },
  });
}

test("nobody orders from a seller on holiday, by Buy Now or by the cart, until they are back or the holiday ends", async () => {
  const [sellerId, buyerId] = [await makeUser({ name: "Brian Otieno" }), await makeUser()];
  const productId = await makeProduct(sellerId);
  const until = await sendAway(sellerId);
  const away = { name: "Casio fx-991ES", seller: "Brian Otieno", until };
  expect(await order(buyerId, productId)).toEqual({ ok: false, code: "away", ...away });
  await putInCart(buyerId, await makeProduct(await makeUser()));
  await putInCart(buyerId, productId);
  await db.update(cartItems).set({ priceWhenAdded: 1_900 }).where(eq(cartItems.userId, buyerId));
  const cart = { userId: buyerId, idempotencyKey: crypto.randomUUID(), expectedAmount: 3_800 };
  const refused = await orderCart(services, cart);
  const leftOut = "You can't buy Casio fx-991ES now. Pay for the other one.";
  expect(refused).toEqual({ ok: false, message: leftOut });
  expect(await db.select().from(orderItems).where(eq(orderItems.sellerId, sellerId))).toEqual([]);

  expect((await order(buyerId, productId, servicesAt(8 * DAY))).ok).toBe(true);
  await changeHoliday(services, sellerId, null);
  expect((await orderCart(services, cart)).ok).toBe(true);
});

test("an order placed before the holiday can't be paid during it, and can be afterwards", async () => {
  const deal = await makeDeal();
  const phone = uniquePhone("77");
  await sendAway(deal.sellerId);
  const pay = (at = services) => requestOrderPayment(at, { orderId: deal.orderId, userId: deal.buyerId, phone });
  expect(await pay()).toMatchObject({ ok: false, error: expect.stringContaining("is on holiday until") });
  expect(await readAttempts(deal.orderId)).toEqual([]);
  await changeHoliday(services, deal.sellerId, null);
  expect(await pay()).toMatchObject({ ok: true, kind: "requested" });
});

test("a payment that was under way when the holiday began is honoured", async () => {
  const deal = await makeDeal();
  const asked = await requestOrderPayment(services, {
    orderId: deal.orderId,
    userId: deal.buyerId,
    phone: uniquePhone("00"),
  });
  await sendAway(deal.sellerId);
  const [attempt] = await readAttempts(deal.orderId);
  expect(asked).toMatchObject({ ok: true, attemptId: attempt?.id });
  await applyAttemptEvent(services, attempt?.id ?? "", {
    event: "paid",
    receipt: "SHOLIDAY01",
    paidAt: null,
    checkoutRequestId: attempt?.checkoutRequestId ?? null,
  });
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed", orderStatus: "processing" });
});

test("a holiday that begins while payments start either refuses them or comes after them, never in between", async () => {
  const deals = await Promise.all(Array.from({ length: 4 }, () => makeDeal()));
  const outcomes = await Promise.all(
    deals.map(async (deal) => {
      const [asked] = await Promise.all([
        requestOrderPayment(services, { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") }),
        sendAway(deal.sellerId),
      ]);
      return { asked: asked.ok, attempts: (await readAttempts(deal.orderId)).length };
    }),
  );
  for (const { asked, attempts } of outcomes) expect(attempts).toBe(asked ? 1 : 0);
});

test("a free order isn't confirmed during a holiday", async () => {
  const deal = await makeDeal({ price: 0 });
  const buyer = { id: deal.buyerId, email: "", fullName: "" };
  await sendAway(deal.sellerId);
  expect(await confirmFreeOrder(services, { orderId: deal.orderId, buyer })).toMatchObject({ ok: false });
  await changeHoliday(services, deal.sellerId, null);
  expect(await confirmFreeOrder(services, { orderId: deal.orderId, buyer })).toEqual({ ok: true });
});

test("offers can neither be made nor paid during a holiday", async () => {
  const listing = await listForOffers({ stock: 2 });
  const accepted = await acceptedOffer(listing);
  const until = await sendAway(listing.sellerId);
  expect(await payOffer(services, accepted)).toMatchObject({ ok: false, code: "away", until });
  const buyerId = await makeUser();
  expect(await offerFor(listing.productId, buyerId, 1_500)).toEqual({ ok: false, code: "away" });
  expect(await findOfferPage(services, { productId: listing.productId, buyerId })).toMatchObject({ obstacle: "away" });
  await changeHoliday(services, listing.sellerId, null);
  expect((await payOffer(services, accepted)).ok).toBe(true);
  expect((await offerFor(listing.productId, buyerId, 1_500)).ok).toBe(true);
});

test("an older offer is neither accepted nor countered during a holiday, but it can be declined or withdrawn", async () => {
  const [answered, countered, withdrawn] = [await openOffer(), await openOffer(), await openOffer()];
  await take(countered, "countered", 1_700);
  for (const { sellerId } of [answered, countered, withdrawn]) await sendAway(sellerId);
  expect(await take(answered, "seller_accepted")).toEqual({ ok: false, code: "on_holiday" });
  expect(await take(answered, "countered", 1_700)).toEqual({ ok: false, code: "on_holiday" });
  expect(await take(countered, "buyer_accepted")).toEqual({ ok: false, code: "seller_away" });
  expect(await take(withdrawn, "withdrawn")).toEqual({ ok: true });
  expect(await take(answered, "seller_declined")).toEqual({ ok: true });
  await changeHoliday(services, countered.sellerId, null);
  expect(await take(countered, "buyer_accepted")).toEqual({ ok: true });
});

test("a holiday that begins while an offer is accepted refuses it or comes after it", async () => {
  const pairs = await Promise.all(Array.from({ length: 4 }, () => openOffer()));
  for (const offer of pairs) {
    const [taken] = await Promise.all([take(offer, "seller_accepted"), sendAway(offer.sellerId)]);
    expect((await readOffer(offer.offerId)).state).toBe(taken.ok ? "accepted" : "open");
  }
});

test("who waits for a product isn't told that they can buy it before its seller is back", async () => {
  const [sellerId, waiting] = [await makeUser(), await makeUser()];
  const productId = await makeProduct(sellerId, { stock: 0 });
  await joinWaitingList(services, { userId: waiting, productId });
  await sendAway(sellerId);
  await setListingStock(services, { sellerId, productId, seen: 0, stock: 2 });
  const told = async (at: typeof services) => {
    const people: string[] = [];
    const notifier = { ...at.notifier, send: async (userId: string) => void people.push(userId) };
    await notifyWaitingList({ ...at, notifier });
    return people.includes(waiting);
  };
  expect(await told(services)).toBe(false);
  expect(await told(servicesAt(8 * DAY))).toBe(true);
});

test("who was to be told when a seller went on holiday is told after it", async () => {
  const [sellerId, waiting] = [await makeUser(), await makeUser()];
  const productId = await makeProduct(sellerId, { stock: 0 });
  const waits = () => db.select().from(stockWaits).where(eq(stockWaits.productId, productId));
  await joinWaitingList(services, { userId: waiting, productId });
  await setListingStock(services, { sellerId, productId, seen: 0, stock: 2 });
  await notifyWaitingList(services);
  expect(await waits()).toEqual([]);
  await sendAway(sellerId);
  await tellWaiting();
  await notifyWaitingList(services);
  expect(await waits()).toMatchObject([{ userId: waiting }]);
  await notifyWaitingList(servicesAt(8 * DAY));
  expect(await waits()).toEqual([]);
});

test("the product, the seller's page, My Shop and the settings say until when, and nothing once it is over", async () => {
  const sellerId = await makeUser();
  const productId = await makeProduct(sellerId);
  const until = await sendAway(sellerId);
  const shown = async (at: typeof services) => [
    (await findProductPage(at, productId, null))?.product.seller.awayUntil,
    (await openSellerPage(at, { sellerId, viewerId: null, after: null }))?.seller.awayUntil,
    (await openShopListings(at, sellerId, null)).head.awayUntil,
    (await findShopEditor(at, sellerId)).awayUntil,
  ];
  expect(await shown(services)).toEqual([until, until, until, until]);
  expect(await shown(servicesAt(8 * DAY))).toEqual([null, null, null, null]);
  expect(await changeHoliday(services, await makeUser(), until)).toBe(false);
});

test("the cards of a seller on holiday have no cart button", async () => {
  const [sellerId, buyerId] = [await makeUser(), await makeUser()];
  const productId = await makeProduct(sellerId);
  const own = [productId, await makeProduct(sellerId, { name: "Ruler" })];
  await sendAway(sellerId);
  // A card's button brings its product. The page of a product shows cards of other sellers, too.
  const cartButtons = async (path: string) =>
    Array.from((await (await visit(path, { as: buyerId })).text()).matchAll(/<button[^>]*"add-to-cart"[^>]*>/g)).filter(
      ([tag]) => !/value="[0-9a-f-]{36}"/.test(tag) || own.some((id) => tag.includes(id)),
    ).length;
  expect([await cartButtons(`/seller/${sellerId}`), await cartButtons(`/product/${productId}`)]).toEqual([0, 0]);
  await changeHoliday(services, sellerId, null);
  expect(await cartButtons(`/seller/${sellerId}`)).toBe(2);
  expect(await cartButtons(`/product/${productId}`)).toBeGreaterThan(1);
});
