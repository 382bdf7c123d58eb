import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { addToWishlist } from "#app/basket/wishlist.server.ts";
import { cartItems } from "#app/basket/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import { shops } from "#app/accounts/tables.server.ts";
import { ITEM, ITEM_STATUSES } from "#app/db/states/item.ts";
import { findTrackedOrder } from "#app/screens/order/order.server.ts";
import { findSoldItem } from "#app/screens/sold-item/sold-item.server.ts";
import { agreeToItem, sendMessage } from "#app/messaging/sending/send-message.server.ts";
import { saveDelivery } from "#app/orders/delivery.server.ts";
import { findItemSoldInOrder, findOrderForBuyer } from "#app/orders/orders.server.ts";
import { findOrderHistory } from "#app/screens/profile/order-history.server.ts";
import { cartOrderKey, placeOrder } from "#app/orders/place-order.server.ts";
import { ATTEMPT_WINDOW_MS } from "#app/payments/collect/attempt-rules.ts";
import { requestOrderPayment, requestPlanPayment } from "#app/payments/collect/request-payment.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { confirmFreeOrder } from "#app/payments/collect/confirm-free-order.server.ts";
import { deliverItem, shipItem } from "#app/deals/fulfilment.server.ts";
import {
  booksOff,
  db,
  makeDeal,
  makeProduct,
  makeUser,
  orderedOne,
  putInCart,
  readAttempts,
  readItem,
  readOrder,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

const services = servicesAt();
const buyerOf = (id: string) => ({ id, email: `${id}@campus.test`, fullName: "Wanjiku" });

test("a listing whose seller has no campus names none, wherever a member reads of it", async () => {
  const userId = await makeUser();
  const productId = await makeProduct(await makeUser(), { name: "Jembe", location: "Unknown", stock: 1 });
  await addToWishlist(services, { userId, productId });
  const orderId = await orderedOne(userId, productId);
  for (const path of [`/product/${productId}`, "/search?q=jembe", "/wishlist", `/checkout/${orderId}`]) {
    const html = await (await visit(path, { as: userId })).text();
    expect([path, html.includes("Jembe"), html.includes("Unknown")]).toEqual([path, true, false]);
  }
});

test("a giveaway is confirmed once however often it is pressed, with its mails and without a shilling in the books", async () => {
  const deal = await makeDeal({ price: 0 });
  const input = { orderId: deal.orderId, buyer: buyerOf(deal.buyerId) };
  const results = await Promise.all(Array.from({ length: 8 }, () => confirmFreeOrder(services, input)));

  expect(results).toEqual(Array.from({ length: 8 }, () => ({ ok: true })));
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed", orderStatus: "processing" });
  expect(await readItem(deal.itemId)).toMatchObject({ status: "processing" });
  const mails = await db.select({ key: outbox.dedupeKey }).from(outbox);
  expect(
    mails
      .map(({ key }) => key)
      .filter((key) => key.endsWith(deal.orderId) || key.endsWith(deal.itemId))
      .toSorted(),
  ).toEqual([`new_sale:${deal.itemId}`, `payment_received:${deal.orderId}`].toSorted());
  expect(await booksOff()).toEqual({});
});

test("confirming a giveaway empties it from the cart", async () => {
  const buyerId = await makeUser();
  const productId = await makeProduct(await makeUser(), { price: 0 });
  await putInCart(buyerId, productId);
  const placed = await placeOrder(services, {
    userId: buyerId,
    idempotencyKey: await cartOrderKey([
      {
        id: productId,
        quantity: 1,
        price: 0,
        revision: 0,
        available: true,
        awayUntil: null,
        offer: null,
        feeRule: null,
      },
    ]),
    expectedAmount: 0,
    from: { cart: true },
  });
  if (!placed.ok) throw new Error(placed.code);
  await confirmFreeOrder(services, { orderId: placed.orderId, buyer: buyerOf(buyerId) });
  expect(await db.select().from(cartItems).where(eq(cartItems.userId, buyerId))).toEqual([]);
});

test("an order that costs something, or someone else's, is not confirmed for free", async () => {
  const deal = await makeDeal({ price: 500 });
  const gift = await makeDeal({ price: 0 });
  expect(await confirmFreeOrder(services, { orderId: deal.orderId, buyer: buyerOf(deal.buyerId) })).toEqual({
    ok: false,
    code: "not_free",
  });
  expect(await confirmFreeOrder(services, { orderId: gift.orderId, buyer: buyerOf(deal.buyerId) })).toEqual({
    ok: false,
    code: "not_found",
  });
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "pending" });
  expect(await readOrder(gift.orderId)).toMatchObject({ paymentStatus: "pending" });
});

/** The seller opens a shop that delivers. */
async function offerDelivery(sellerId: string): Promise<void> {
  await db.insert(shops).values({ id: sellerId, shopName: "Duka", offersDelivery: true, createdAt: 1, updatedAt: 1 });
}

const toHostel = { option: "delivery", pickupConfirmed: false, address: "  Hostel 5  ", instructions: "" } as const;

test("how an order reaches its buyer is kept on it, with the phone that pays", async () => {
  const deal = await makeDeal();
  await offerDelivery(deal.sellerId);
  const input = { orderId: deal.orderId, userId: deal.buyerId, choice: toHostel, phone: "254712345678" };
  expect(await saveDelivery(services, input)).toEqual({ ok: true });
  expect(await readOrder(deal.orderId)).toMatchObject({
    deliveryOption: "delivery",
    deliveryAddress: "Hostel 5",
    deliveryInstructions: null,
    phoneNumber: "254712345678",
  });

  await saveDelivery(services, {
    ...input,
    choice: { ...toHostel, option: "pickup", pickupConfirmed: true },
    phone: null,
  });
  expect(await readOrder(deal.orderId)).toMatchObject({
    deliveryOption: "pickup",
    deliveryAddress: null,
    phoneNumber: "254712345678",
  });
});

test("while a payment request is on the phone, another tab changes neither the delivery nor the meeting", async () => {
  const deal = await makeDeal();
  await offerDelivery(deal.sellerId);
  const pay = (choice: Record<string, string>) =>
    visit(`/checkout/${deal.orderId}`, {
      as: deal.buyerId,
      form: { intent: "pay", phone: uniquePhone("00"), ...choice },
    });
  const pickup = { option: "pickup", pickupConfirmed: "on" };
  await pay({ option: "delivery", address: "Hostel 5", instructions: "Ring" });
  await env.DB.prepare("UPDATE orders SET meeting_place = 'Gate B' WHERE id = ?").bind(deal.orderId).run();
  const chosen = { deliveryOption: "delivery", deliveryAddress: "Hostel 5", meetingPlace: "Gate B" };
  const { phoneNumber } = await readOrder(deal.orderId);
  expect(await (await pay(pickup)).text()).toContain("is already on its way");
  expect(await readOrder(deal.orderId)).toMatchObject({ ...chosen, phoneNumber });

  // Its time is over, and no job has run yet.
  await env.DB.prepare("UPDATE payment_attempts SET created_at = created_at - ? WHERE order_id = ?")
    .bind(ATTEMPT_WINDOW_MS, deal.orderId)
    .run();
  expect((await pay(pickup)).status).toBe(200);
  expect(await readOrder(deal.orderId)).toMatchObject({
    deliveryOption: "pickup",
    deliveryAddress: null,
    meetingPlace: null,
    paymentStatus: "processing",
  });
});

test("no prompt is sent for an order whose new choices could not be saved", async () => {
  const deal = await makeDeal();
  const ask = { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") };
  expect(await requestOrderPayment(services, { ...ask, isSaved: false })).toMatchObject({ code: "in_progress" });
  expect(await readAttempts(deal.orderId)).toEqual([]);
  expect(await requestOrderPayment(services, ask)).toMatchObject({ ok: true });
});

test("an order is delivered only where its seller delivers, and its buyer can collect it all the same", async () => {
  const deal = await makeDeal();
  const input = { orderId: deal.orderId, userId: deal.buyerId, choice: toHostel, phone: null };
  expect(await saveDelivery(services, input)).toEqual({ ok: false, code: "no_delivery" });
  expect((await findOrderForBuyer(db, deal.orderId, deal.buyerId))?.items).toMatchObject([{ sellerDelivers: false }]);
  expect(await readOrder(deal.orderId)).toMatchObject({ deliveryOption: null });
  const pickup = { ...toHostel, option: "pickup", pickupConfirmed: true } as const;
  expect(await saveDelivery(services, { ...input, choice: pickup })).toEqual({ ok: true });
  await offerDelivery(deal.sellerId);
  expect(await saveDelivery(services, input)).toEqual({ ok: true });
  expect((await findOrderForBuyer(db, deal.orderId, deal.buyerId))?.items).toMatchObject([{ sellerDelivers: true }]);
});

test("without scripts, the checkout loads itself again while it waits for the payment, and only then", async () => {
  const deal = await makeDeal();
  const reloads = () => reloadsItself(`/checkout/${deal.orderId}`, deal.buyerId);
  expect(await reloads()).toBe(false);
  const asked = await requestOrderPayment(services, {
    orderId: deal.orderId,
    userId: deal.buyerId,
    phone: uniquePhone("00"),
  });
  expect(asked).toMatchObject({ ok: true });
  expect(await reloads()).toBe(true);
  const [attempt] = await readAttempts(deal.orderId);
  await applyAttemptEvent(services, attempt?.id ?? "", { event: "mismatched", detail: "another amount" });
  expect(await reloads()).toBe(false);
});

test("without scripts, the plans load themselves again while they wait for the payment, and only then", async () => {
  const seller = await makeUser();
  const page = "/subscription?plan=monthly_premium";
  expect(await reloadsItself(page, seller)).toBe(false);
  const asked = await requestPlanPayment(services, {
    userId: seller,
    plan: "monthly_premium",
    phone: uniquePhone("00"),
  });
  if (!asked.ok) throw new Error(asked.error);
  expect(await reloadsItself(`${page}&payment=${asked.payableId}`, seller)).toBe(true);
});

async function reloadsItself(page: string, as: string): Promise<boolean> {
  const html = await (await visit(page, { as })).text();
  return /<noscript><meta http-equiv="refresh" content="30"/i.test(html);
}

test("delivery is not kept for a stranger's order, for a paid one, or without what it needs", async () => {
  const deal = await makeDeal({ price: 0 });
  await offerDelivery(deal.sellerId);
  const input = { orderId: deal.orderId, userId: deal.buyerId, choice: toHostel, phone: null };
  expect(await saveDelivery(services, { ...input, userId: deal.sellerId })).toEqual({ ok: false, code: "closed" });
  expect(await saveDelivery(services, { ...input, choice: { ...toHostel, address: " " } })).toMatchObject({
    ok: false,
    code: "refused",
    field: "address",
  });
  await confirmFreeOrder(services, { orderId: deal.orderId, buyer: buyerOf(deal.buyerId) });
  expect(await saveDelivery(services, input)).toEqual({ ok: false, code: "closed" });
  expect(await readOrder(deal.orderId)).toMatchObject({ deliveryOption: null });
});

test("a seller learns the buyer's own phone once the order is paid, not the number that paid, and nobody else sees the item", async () => {
  const deal = await makeDeal({ price: 0 });
  await offerDelivery(deal.sellerId);
  await saveDelivery(services, {
    orderId: deal.orderId,
    userId: deal.buyerId,
    choice: toHostel,
    phone: "254712345678",
  });
  const unpaid = await findSoldItem(servicesAt(), deal.itemId, deal.sellerId);
  expect(unpaid?.item).toMatchObject({
    id: deal.itemId,
    orderId: deal.orderId,
    buyerPhone: null,
    buyerEmail: null,
    paymentStatus: "pending",
  });

  await confirmFreeOrder(services, { orderId: deal.orderId, buyer: buyerOf(deal.buyerId) });
  const paid = await findSoldItem(servicesAt(), deal.itemId, deal.sellerId);
  expect(paid?.item).toMatchObject({
    id: deal.itemId,
    orderId: deal.orderId,
    buyerId: deal.buyerId,
    buyerPhone: "254722000020",
    buyerEmail: `${deal.buyerId}@campus.test`,
    deliveryAddress: "Hostel 5",
  });
  expect(paid?.payout).toBeNull();
  expect(await findSoldItem(servicesAt(), deal.itemId, deal.buyerId)).toBeNull();
});

test("a seller sees the buyer's contacts and room only while the sale is under way, and no contact after a block", async () => {
  const deal = await makeDeal({ price: 0 });
  await offerDelivery(deal.sellerId);
  const choice = { ...toHostel, instructions: "Ring the blue bell" };
  await saveDelivery(services, { orderId: deal.orderId, userId: deal.buyerId, choice, phone: null });
  const seen = async () => {
    let all = "";
    for (const path of [
      `/seller/orders/${deal.itemId}`,
      `/seller/orders/${deal.itemId}.data`,
      "/myshop",
      "/myshop.data",
    ])
      all += await (await visit(path, { as: deal.sellerId })).text();
    return {
      phone: /254722000020|0722 000 020/.test(all),
      email: all.includes(`${deal.buyerId}@campus.test`),
      address: all.includes("Hostel 5"),
      instructions: all.includes("blue bell"),
    };
  };
  const nothing = { phone: false, email: false, address: false, instructions: false };
  const set = (status: string) =>
    env.DB.prepare("UPDATE order_items SET status = ? WHERE id = ?").bind(status, deal.itemId).run();
  expect(await seen()).toEqual(nothing);
  await confirmFreeOrder(services, { orderId: deal.orderId, buyer: buyerOf(deal.buyerId) });
  const blocks = [
    [deal.buyerId, deal.sellerId],
    [deal.sellerId, deal.buyerId],
  ] as const;
  for (const status of ITEM_STATUSES) {
    await set(status);
    expect([status, await seen()]).toEqual([
      status,
      ITEM.isHeld(status) ? { phone: true, email: true, address: true, instructions: true } : nothing,
    ]);
  }
  for (const [by, other] of blocks) {
    await env.DB.prepare("INSERT INTO blocks (user_id, blocked_id, created_at) VALUES (?, ?, 1)").bind(by, other).run();
    // What was paid must still get there.
    await set("processing");
    expect(await seen()).toEqual({ ...nothing, address: true, instructions: true });
    await set("delivered");
    expect(await seen()).toEqual(nothing);
    const sellerPage = await (await visit(`/seller/${deal.sellerId}`, { as: deal.buyerId })).text();
    expect(sellerPage).not.toContain(`${deal.sellerId}@campus.test`);
    await env.DB.prepare("DELETE FROM blocks").run();
  }
});

test("a seller's page offers one step at a time: contact, wait, ship, deliver", async () => {
  const deal = await makeDeal({ price: 0 });
  const steps = ["Contact Buyer", "Waiting for buyer...", "Mark as Shipped", "Mark as Delivered"];
  const offered = async () => {
    const page = await (await visit(`/seller/orders/${deal.itemId}`, { as: deal.sellerId })).text();
    return steps.filter((step) => page.includes(step));
  };
  expect(await offered()).toEqual([]);
  await confirmFreeOrder(services, { orderId: deal.orderId, buyer: buyerOf(deal.buyerId) });
  expect(await offered()).toEqual(["Contact Buyer"]);
  await sendMessage(services, {
    about: { kind: "item", id: deal.itemId },
    senderId: deal.sellerId,
    text: "At the gate at five?",
    key: crypto.randomUUID(),
  });
  expect(await offered()).toEqual(["Waiting for buyer..."]);
  await agreeToItem(services, { orderItemId: deal.itemId, buyerId: deal.buyerId });
  expect(await offered()).toEqual(["Mark as Shipped"]);
  expect(await shipItem(services, deal)).toMatchObject({ ok: true });
  expect(await offered()).toEqual(["Mark as Delivered"]);
  expect(await deliverItem(services, deal)).toMatchObject({ ok: true });
  expect(await offered()).toEqual([]);
});

test("an order is shown to its buyer alone, with what was written about it, oldest first", async () => {
  const deal = await makeDeal({ price: 0 });
  const write = (senderId: string, text: string) =>
    sendMessage(services, { about: { kind: "item", id: deal.itemId }, senderId, text, key: crypto.randomUUID() });
  await write(deal.sellerId, "At 5 pm?");
  await new Promise((done) => setTimeout(done, 2));
  await write(deal.buyerId, "Yes");
  const found = await findTrackedOrder(services, deal.orderId, deal.buyerId);
  expect(found?.order.id).toBe(deal.orderId);
  expect(found?.items).toMatchObject([{ id: deal.itemId, sellerId: deal.sellerId, buyerContacted: true }]);
  expect(found?.items[0]?.page.messages.map(({ message }) => message)).toEqual(["At 5 pm?", "Yes"]);
  expect(await findTrackedOrder(services, deal.orderId, deal.sellerId)).toBeNull();
});

test("a seller who opens an order by its id is led to the item they sold in it, and a stranger is not", async () => {
  const deal = await makeDeal();
  expect(await findItemSoldInOrder(db, deal.orderId, deal.sellerId)).toBe(deal.itemId);
  expect(await findItemSoldInOrder(db, deal.orderId, deal.buyerId)).toBeNull();
});

test("a buyer's orders come in pages, newest first, each once", async () => {
  const buyerId = await makeUser();
  const sellerId = await makeUser();
  const placed: string[] = [];
  for (let index = 0; index < 23; index += 1) {
    const productId = await makeProduct(sellerId, { price: 100 });
    placed.unshift(await orderedOne(buyerId, productId, { price: 100, offsetMs: index }));
  }
  const first = await findOrderHistory(services, buyerId, null);
  const [createdAt, id] = (first?.next ?? "").split(".");
  const second = await findOrderHistory(services, buyerId, { createdAt: Number(createdAt), id: id ?? "" });
  expect(first?.orders).toHaveLength(20);
  expect(second?.next).toBeNull();
  expect([...(first?.orders ?? []), ...(second?.orders ?? [])].map((order) => order.id).toSorted()).toEqual(
    placed.toSorted(),
  );
  expect(await findOrderHistory(services, crypto.randomUUID(), null)).toBeNull();
});

test("what isn't there is a calm page with status 404", async () => {
  const as = await makeUser();
  const none = crypto.randomUUID();
  for (const path of [
    `/product/${none}`,
    "/product/x",
    `/checkout/${none}`,
    `/order-confirmation/${none}`,
    `/orders/${none}`,
    `/seller/orders/${none}`,
    `/orders/${"9".repeat(2000)}`,
  ]) {
    const answer = await visit(path, { as });
    expect(answer.status, `${path}`).toBe(404);
    expect(await answer.text(), `${path}`).toMatch(/<h1[ >]/);
  }
});
