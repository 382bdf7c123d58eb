/**
 * Offers: a price that buyer and seller agree on is the price of the order, once, for that buyer, while one piece is
 * kept for them.
 */
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { addToCart, listCart, removeFromCart } from "#app/basket/cart.server.ts";
import { ONLY_OFFERS_TEXT } from "#app/basket/list-rules.ts";
import { deleteListing } from "#app/catalogue/selling/listings.server.ts";
import { offers, products } from "#app/catalogue/tables.server.ts";
import { refunds } from "#app/payments/tables.server.ts";
import { findInbox } from "#app/messaging/conversations/conversations.server.ts";
import { listMessages } from "#app/messaging/conversations/messages.server.ts";
import { blockUser } from "#app/messaging/block-user.server.ts";
import { makeOffer } from "#app/offers/make-offer.server.ts";
import { advanceOffers } from "#app/offers/offer-timers.server.ts";
import { payOffer } from "#app/offers/pay-offer.server.ts";
import { orderCart } from "#app/orders/order-cart.server.ts";
import { cartOrderKey, placeOrder } from "#app/orders/place-order.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import {
  booksOff,
  db,
  makeProduct,
  makeUser,
  orderedOne,
  readAttempts,
  readOrder,
  servicesAt,
  stockOf,
  changeListing,
} from "#tests/support/fixtures.ts";
import { paymentArrives } from "#tests/support/paid-deal.ts";
import { feeIs } from "#tests/support/service-fee.ts";
import {
  acceptedOffer,
  askToPay,
  listForOffers,
  type Negotiation,
  offerFor,
  openOffer,
  orderOffer,
  readOffer,
  take,
} from "#tests/support/offers.ts";
import { visit, wordsOf, makeAdmin } from "#tests/support/visit.ts";
import { keysAfter } from "#tests/support/outbox.ts";
import { suspendUser } from "#app/moderation/suspensions/suspensions.server.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";

const HOUR_MS = 60 * 60_000;

const setPrice = (productId: string, price: number) => changeListing(productId, { price });

const mailsAbout = (offerId: string) => keysAfter(`offer:${offerId}:`);

test("an offer, a counter-offer and its acceptance stand in the conversation, keep a piece, and set the order's price", async () => {
  const offer = await openOffer();
  expect(await take(offer, "countered", 1_700)).toMatchObject({ ok: true });
  expect(await stockOf(offer.productId)).toMatchObject({ stock: 1, reserved: 0 });
  expect(await take(offer, "buyer_accepted")).toMatchObject({ ok: true });
  expect(await stockOf(offer.productId)).toMatchObject({ stock: 1, reserved: 1 });
  expect(await readOffer(offer.offerId)).toMatchObject({ state: "accepted", amount: 1_500, counterAmount: 1_700 });

  const { messages } = await listMessages(servicesAt(), offer.sellerId, { with: offer.buyerId }, null);
  expect(messages.map(({ kind, message, senderId }) => [kind, message, senderId === offer.buyerId])).toEqual([
    ["offer", "I'd like to offer KES 1,500.", true],
    ["offer", "I can let it go for KES 1,700.", false],
    ["offer", "I accept KES 1,700.", true],
  ]);
  // Every message shows the offer as it is now.
  expect(messages.every((message) => message.offer?.state === "accepted")).toBe(true);
  const inbox = await findInbox(servicesAt(), offer.sellerId, { withId: null, after: null });
  expect(inbox?.inbox.conversations).toMatchObject([{ lastText: "I accept KES 1,700.", unread: 2 }]);

  const orderId = await orderOffer(offer);
  expect(await readOrder(orderId)).toMatchObject({ amount: 1_700 });
  expect(await askToPay(orderId, offer.buyerId)).toMatchObject({ ok: true });
  expect(await stockOf(offer.productId)).toMatchObject({ stock: 1, reserved: 1 });
  await paymentArrives(orderId);
  expect(await readOrder(orderId)).toMatchObject({ paymentStatus: "completed" });
  expect(await readOffer(offer.offerId)).toMatchObject({ state: "paid" });
  expect(await stockOf(offer.productId)).toMatchObject({ reserved: 0 });
  expect(await mailsAbout(offer.offerId)).toEqual(["buyer_accepted seller", "countered buyer", "offered seller"]);
  expect(await booksOff()).toEqual({});
});

describe("making an offer", () => {
  test("the same form makes one offer, also when it is sent many times at once", async () => {
    const { productId } = await listForOffers();
    const buyerId = await makeUser();
    const key = crypto.randomUUID();
    const answers = await Promise.all(Array.from({ length: 4 }, () => offerFor(productId, buyerId, 1_500, key)));
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(await db.select().from(offers).where(eq(offers.buyerId, buyerId))).toHaveLength(1);
  });

  test("below the lowest price it is declined at once, and the seller never hears of it", async () => {
    const { sellerId, productId } = await listForOffers({ lowestOffer: 1_600 });
    const buyerId = await makeUser();
    expect(await offerFor(productId, buyerId, 1_599)).toEqual({ ok: false, code: "too_low" });
    expect((await findInbox(servicesAt(), sellerId, { withId: null, after: null }))?.inbox.conversations).toEqual([]);
    expect(await offerFor(productId, buyerId, 1_600)).toMatchObject({ ok: true });
  });

  test("five tries a day don't find the lowest price", async () => {
    const { productId } = await listForOffers({ lowestOffer: 1_600 });
    const buyerId = await makeUser();
    for (const amount of [1_000, 1_100, 1_200, 1_300, 1_400])
      expect(await offerFor(productId, buyerId, amount)).toEqual({ ok: false, code: "too_low" });
    expect(await offerFor(productId, buyerId, 1_700)).toEqual({ ok: false, code: "too_many" });
    expect(await offerFor(productId, await makeUser(), 1_700)).toMatchObject({ ok: true });
  });

  test("a buyer who offers and withdraws all day long makes at most 30 offers", async () => {
    const buyerId = await makeUser();
    for (let listing = 0; listing < 7; listing += 1) {
      const { productId } = await listForOffers();
      // The limit of messages in a minute isn't the one that refuses.
      const services = servicesAt(listing * 60_000);
      for (let made = 0; made < 5; made += 1) {
        const offer = { buyerId, productId, amount: 1_500, revision: 0, note: "", key: crypto.randomUUID() };
        expect(await makeOffer(services, offer)).toMatchObject(
          listing < 6 ? { ok: true } : { ok: false, code: "too_many" },
        );
        await db.update(offers).set({ state: "withdrawn" }).where(eq(offers.buyerId, buyerId));
      }
    }
  });

  test("a buyer has one active offer for a product and three open ones in all, also at once", async () => {
    const buyerId = await makeUser();
    const listings = await Promise.all(Array.from({ length: 6 }, () => listForOffers()));
    const answers = await Promise.all(listings.map(({ productId }) => offerFor(productId, buyerId, 1_500)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(3);
    expect(answers.filter((answer) => !answer.ok && answer.code === "open_max")).toHaveLength(3);
    const taken = listings[answers.findIndex(({ ok }) => ok)];
    expect(await offerFor(taken?.productId ?? "", buyerId, 1_400)).toEqual({ ok: false, code: "active" });
  });

  test.each([
    ["their own listing", "own", async ({ sellerId, productId }) => offerFor(productId, sellerId, 1_500)],
    ["a free product", "not_offered", async ({ productId }) => changed(productId, { price: 0 })],
    ["a sold product", "not_offered", async ({ productId }) => changed(productId, { status: "sold" })],
    [
      "a listing that takes no offers",
      "not_offered",
      async ({ productId }) => changed(productId, { takesOffers: false }),
    ],
    ["a listing with a smallest order", "not_offered", async ({ productId }) => changed(productId, { minQuantity: 2 })],
    ["a deleted listing", "not_found", async ({ productId }) => changed(productId, { deletedAt: 1 })],
    ["a listing that was taken down", "not_found", async ({ productId }) => changed(productId, { suspendedAt: 1 })],
    ["a product that costs no more", "not_below_price", async ({ productId }) => changed(productId, { price: 1_500 })],
  ] satisfies [string, string, (listing: { sellerId: string; productId: string }) => ReturnType<typeof offerFor>][])(
    "is refused for %s",
    async (_, code, act) => {
      expect(await act(await listForOffers())).toEqual({ ok: false, code });
    },
  );

  async function changed(productId: string, change: Partial<typeof products.$inferInsert>) {
    await db.update(products).set(change).where(eq(products.id, productId));
    return offerFor(productId, await makeUser(), 1_500);
  }

  test("is refused between people of whom one has blocked the other", async () => {
    const { sellerId, productId } = await listForOffers();
    const buyerId = await makeUser();
    await blockUser(servicesAt(), { userId: sellerId, blockedId: buyerId });
    expect(await offerFor(productId, buyerId, 1_500)).toEqual({ ok: false, code: "blocked" });
    expect(await db.select().from(offers).where(eq(offers.buyerId, buyerId))).toEqual([]);
  });
});

describe("answers", () => {
  test("are for the offer's own two people, each in turn", async () => {
    const offer = await openOffer();
    const stranger = await makeUser();
    expect(await take({ ...offer, sellerId: stranger }, "seller_accepted")).toMatchObject({ code: "not_found" });
    expect(await take({ ...offer, sellerId: offer.buyerId }, "seller_accepted")).toMatchObject({ code: "not_found" });
    expect(await take(offer, "buyer_accepted")).toMatchObject({ code: "changed" });
    expect(await take(offer, "countered", 1_500)).toMatchObject({ code: "not_above_offer" });
    expect(await take(offer, "countered", 1_900)).toMatchObject({ code: "not_below_price" });
    expect(await take(offer, "seller_declined")).toMatchObject({ ok: true });
    expect(await take(offer, "seller_declined")).toMatchObject({ ok: true });
    expect(await take(offer, "seller_accepted")).toMatchObject({ code: "changed" });
    expect(await mailsAbout(offer.offerId)).toEqual(["offered seller", "seller_declined buyer"]);
  });

  test("come too late once the time is over, even before the job has run", async () => {
    const offer = await openOffer();
    await db
      .update(offers)
      .set({ expiresAt: Date.now() - 1 })
      .where(eq(offers.id, offer.offerId));
    expect(await take(offer, "seller_accepted")).toMatchObject({ code: "changed" });
    expect(await stockOf(offer.productId)).toMatchObject({ stock: 1, reserved: 0 });
  });

  test("the last piece is accepted for one buyer", async () => {
    const listing = await listForOffers();
    const [first, second] = [await openOffer(listing), await openOffer(listing)];
    expect(await take(first, "seller_accepted")).toMatchObject({ ok: true });
    expect(await take(second, "seller_accepted")).toMatchObject({ code: "reserved" });
    expect(await take(first, "withdrawn")).toMatchObject({ ok: true });
    expect(await take(second, "seller_accepted")).toMatchObject({ ok: true });
    expect(await stockOf(listing.productId)).toMatchObject({ stock: 1, reserved: 1 });
  });
});

/** Does two things at once, in eight places at the same time, each with things of its own. */
async function oftenAtOnce(once: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: 8 }, once));
}

describe("at once", () => {
  test("accept against a new price: accepted before it, or ended by it", () =>
    oftenAtOnce(async () => {
      const offer = await openOffer();
      const [accepted] = await Promise.all([take(offer, "seller_accepted"), setPrice(offer.productId, 1_950)]);
      const { state, endReason } = await readOffer(offer.offerId);
      expect([state, endReason]).toEqual(accepted.ok ? ["accepted", null] : ["ended", "price_changed"]);
      expect(await stockOf(offer.productId)).toMatchObject({ stock: 1, reserved: accepted.ok ? 1 : 0 });
    }));

  test("accept against withdraw: an accepted offer can still be withdrawn, and no piece stays kept", () =>
    oftenAtOnce(async () => {
      const offer = await openOffer();
      await Promise.all([take(offer, "seller_accepted"), take(offer, "withdrawn")]);
      expect(await readOffer(offer.offerId)).toMatchObject({ state: "withdrawn" });
      expect(await stockOf(offer.productId)).toMatchObject({ stock: 1, reserved: 0 });
    }));

  test("two accepts of the last piece: one succeeds", () =>
    oftenAtOnce(async () => {
      const listing = await listForOffers();
      const pair = [await openOffer(listing), await openOffer(listing, 1_600)];
      const answers = await Promise.all(pair.map((offer) => take(offer, "seller_accepted")));
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
      expect(await stockOf(listing.productId)).toMatchObject({ stock: 1, reserved: 1 });
    }));

  test("counter against accept: one of them", () =>
    oftenAtOnce(async () => {
      const offer = await openOffer();
      const [countered, accepted] = await Promise.all([
        take(offer, "countered", 1_700),
        take(offer, "seller_accepted"),
      ]);
      expect([countered.ok, accepted.ok].filter(Boolean)).toHaveLength(1);
      expect(await readOffer(offer.offerId)).toMatchObject(
        countered.ok ? { state: "countered", counterAmount: 1_700 } : { state: "accepted", counterAmount: null },
      );
    }));

  test("pay against expiry: asked to pay and kept, or expired and not asked", () =>
    oftenAtOnce(async () => {
      const offer = await acceptedOffer();
      const orderId = await orderOffer(offer);
      await db
        .update(offers)
        .set({ expiresAt: Date.now() + 5_000 })
        .where(eq(offers.id, offer.offerId));
      const [asked] = await Promise.all([askToPay(orderId, offer.buyerId), advanceOffers(servicesAt(6_000))]);
      expect(await readOffer(offer.offerId)).toMatchObject({ state: asked.ok ? "accepted" : "expired" });
      expect(await stockOf(offer.productId)).toMatchObject({ stock: 1, reserved: asked.ok ? 1 : 0 });
    }));

  test("many presses of Pay place one order", async () => {
    const offer = await acceptedOffer();
    const placed = await Promise.all(
      Array.from({ length: 8 }, () => payOffer(servicesAt(), { offerId: offer.offerId, buyerId: offer.buyerId })),
    );
    expect(new Set(placed.map((answer) => (answer.ok ? answer.orderId : answer.code))).size).toBe(1);
  });
});

describe("the price of an order follows from the database alone", () => {
  const order = (offer: Negotiation, by: string, expectedAmount: number, offerId: string | null) =>
    placeOrder(servicesAt(), {
      userId: by,
      idempotencyKey: crypto.randomUUID(),
      expectedAmount,
      from: offerId
        ? { productId: offer.productId, quantity: 1, offerId }
        : { productId: offer.productId, quantity: 1, revision: 0 },
    });

  test.each([
    ["open", 1_900, async () => openOffer()],
    ["countered", 1_900, async () => afterStep(await openOffer(), "countered", 1_700)],
    ["declined", 1_900, async () => afterStep(await openOffer(), "seller_declined")],
    ["accepted", 1_500, async () => acceptedOffer()],
    ["withdrawn", 1_900, async () => afterStep(await acceptedOffer(), "withdrawn")],
  ] as const)("with an offer that is %s, before and after a price edit", async (state, price, make) => {
    const offer = await make();
    for (const edited of [1_900, 1_200]) {
      await setPrice(offer.productId, edited);
      const agreed = state === "accepted" ? Math.min(price, edited) : null;
      // Whatever a page sends, an order has the offer's price or the listing's, an offer's the lower of the two.
      for (const amount of [1, 1_500, 1_700, edited]) {
        expect(await order(offer, offer.buyerId, amount, offer.offerId)).toMatchObject(
          amount === agreed ? { ok: true } : { ok: false },
        );
        expect(await order(offer, offer.buyerId, amount, null)).toMatchObject({ ok: amount === edited });
        expect(await order(offer, await makeUser(), amount, offer.offerId)).toMatchObject({ ok: false });
      }
    }
  });

  async function afterStep(
    offer: Negotiation,
    step: Parameters<typeof take>[1],
    amount?: number,
  ): Promise<Negotiation> {
    await take(offer, step, amount);
    return offer;
  }

  test("a buyer whose offer was accepted reads and pays what the listing costs, where that is less", async () => {
    const offer = await acceptedOffer();
    const { offerId, buyerId, productId, sellerId } = offer;
    const pay = (amount: number) =>
      visit(`/offers/${offerId}`, { as: buyerId, form: { intent: "pay", amount: `${amount}` } });
    const orderOf = (answer: Response) => (answer.headers.get("Location") ?? "").split("/").at(-1) ?? "";
    const first = orderOf(await pay(1_500));
    expect(wordsOf(await (await visit(`/product/${productId}`, { as: buyerId })).text())).toMatch(
      /KES 1,500\s*was KES 1,900/,
    );
    await setPrice(productId, 1_200);
    const error = "Casio fx-991ES costs less now: KES 1,200. Press Pay in your offer again, and you pay that.";
    expect(await askToPay(first, buyerId)).toMatchObject({ ok: false, code: "closed", error });
    for (const path of [`/product/${productId}`, `/offers/${offerId}`, `/profile?tab=messages&with=${sellerId}`]) {
      const page = wordsOf(await (await visit(path, { as: buyerId })).text());
      expect(page).toContain("Pay KES 1,200");
      expect(page).not.toContain("Pay KES 1,500");
    }
    expect(wordsOf(await (await visit("/home", { as: buyerId })).text())).toContain("Pay the agreed price: KES 1,200");
    // What a page showed before the change orders nothing, also after another change.
    const stale = await pay(1_500);
    const shown = wordsOf(await stale.text());
    expect([stale.status, shown]).toEqual([409, expect.stringContaining("The price has changed")]);
    // A conversation that was opened before has the old price. The answer mends its button.
    expect(shown).toContain("Pay KES 1,200");
    const sent = await visit(`/offers/${offerId}.data`, { as: buyerId, form: { intent: "pay", amount: "1500" } });
    expect(await sent.text()).toMatch(/"due",1200/);
    const second = orderOf(await pay(1_200));
    expect(await readOrder(second)).toMatchObject({ amount: 1_200 });
    expect(await readOrder(first)).toMatchObject({ orderStatus: "expired" });
    await setPrice(productId, 1_900);
    expect((await pay(1_200)).status).toBe(409);
    expect(await readOrder(orderOf(await pay(1_500)))).toMatchObject({ amount: 1_500 });

    await setPrice(productId, 1_100);
    const last = orderOf(await pay(1_100));
    await askToPay(last, buyerId);
    await paymentArrives(last);
    await setPrice(productId, 1_900);
    expect(await readOrder(last)).toMatchObject({ paymentStatus: "completed", amount: 1_100 });
    expect(wordsOf(await (await visit(`/offers/${offerId}`, { as: sellerId })).text())).toContain("KES 1,100Ordered");
    expect(await booksOff()).toEqual({});
  });

  test("its order is placed anew when the service fee is another, so the price on the button is what is paid", async () => {
    const offer = await acceptedOffer();
    const owner = { id: await makeUser() };
    await feeIs(owner, { payer: "buyer", share: 500, smallest: 0, largest: 500 });
    const first = await orderOffer(offer);
    expect(await readOrder(first)).toMatchObject({ amount: 1_575 });
    expect(await orderOffer(offer)).toBe(first);
    await feeIs(owner, { share: 0, smallest: 0, largest: 0 }, null, Date.now() + 1);
    const second = await orderOffer(offer);
    expect(await readOrder(second)).toMatchObject({ amount: 1_500 });
    expect(await readOrder(first)).toMatchObject({ orderStatus: "expired" });
  });

  test("an offer isn't used twice, for another product, by another account, or after its time", async () => {
    const offer = await acceptedOffer();
    const other = await listForOffers();
    expect(await payOffer(servicesAt(), { offerId: offer.offerId, buyerId: await makeUser() })).toMatchObject({
      code: "not_found",
    });
    expect(await order({ ...offer, productId: other.productId }, offer.buyerId, 1_500, offer.offerId)).toMatchObject({
      code: "offer_over",
    });
    const orderId = await orderOffer(offer);
    await askToPay(orderId, offer.buyerId);
    await paymentArrives(orderId);
    expect(await payOffer(servicesAt(), { offerId: offer.offerId, buyerId: offer.buyerId })).toMatchObject({
      code: "offer_over",
    });

    const late = await acceptedOffer();
    expect(await payOffer(servicesAt(25 * HOUR_MS), { offerId: late.offerId, buyerId: late.buyerId })).toMatchObject({
      code: "offer_over",
    });
  });

  test("an order of an offer that is over is never asked to be paid", async () => {
    const offer = await acceptedOffer();
    const orderId = await orderOffer(offer);
    await take(offer, "withdrawn");
    expect(await askToPay(orderId, offer.buyerId)).toMatchObject({ ok: false, code: "closed" });
    expect(await readAttempts(orderId)).toEqual([]);
  });
});

test("the cart leads to an accepted offer and orders the rest without it, and an order at the full price gives way to it", async () => {
  const offer = await openOffer();
  const { offerId, buyerId, productId } = offer;
  const [full, pen] = [
    await orderedOne(buyerId, productId, { price: 1_900 }),
    await makeProduct(await makeUser(), { price: 40 }),
  ];
  for (const id of [productId, pen]) await addToCart(servicesAt(), { userId: buyerId, productId: id, quantity: 1 });
  await take(offer, "seller_accepted");
  expect(await askToPay(full, buyerId)).toMatchObject({ ok: false, error: expect.stringContaining("was accepted") });

  const order = async (expectedAmount: number) => {
    const idempotencyKey = await cartOrderKey(await listCart({ db, now: Date.now }, buyerId));
    return orderCart(servicesAt(), { userId: buyerId, idempotencyKey, expectedAmount });
  };
  const page = wordsOf(await (await visit("/cart", { as: buyerId })).text());
  for (const text of ["Your offer was accepted.", "Pay KES 1,500", "Total KES 40"]) expect(page).toContain(text);
  expect(await order(1_940)).toMatchObject({ ok: false });
  const placed = await order(40);
  expect(placed).toMatchObject({ ok: true });
  if (placed.ok) expect(await readOrder(placed.orderId)).toMatchObject({ amount: 40 });

  // Once the offer is over, its line is one like the others.
  await take(offer, "withdrawn");
  const both = await order(1_940);
  expect(both).toMatchObject({ ok: true });
  if (both.ok) expect(await readOrder(both.orderId)).toMatchObject({ amount: 1_940 });
  await db.update(offers).set({ state: "accepted" }).where(eq(offers.id, offerId));
  await removeFromCart(servicesAt(), { userId: buyerId, productId: pen });
  expect(await order(1_900)).toEqual({ ok: false, message: ONLY_OFFERS_TEXT });

  // What its buyer has paid by the offer isn't ordered once more.
  const paid = await orderOffer(offer);
  await askToPay(paid, buyerId);
  await paymentArrives(paid);
  expect(await readOrder(paid)).toMatchObject({ paymentStatus: "completed", amount: 1_500 });
  expect(await listCart({ db, now: Date.now }, buyerId)).toEqual([]);
});

describe("ends", () => {
  test("unanswered offers expire after 48 hours, accepted ones after 24, and both sides are told once", async () => {
    const [open, accepted] = [await openOffer(), await acceptedOffer()];
    await advanceOffers(servicesAt(23 * HOUR_MS));
    expect(await readOffer(accepted.offerId)).toMatchObject({ state: "accepted" });
    await advanceOffers(servicesAt(24 * HOUR_MS));
    expect(await readOffer(accepted.offerId)).toMatchObject({ state: "expired" });
    expect(await stockOf(accepted.productId)).toMatchObject({ stock: 1, reserved: 0 });
    expect(await readOffer(open.offerId)).toMatchObject({ state: "open" });
    await Promise.all([advanceOffers(servicesAt(48 * HOUR_MS)), advanceOffers(servicesAt(48 * HOUR_MS))]);
    expect(await readOffer(open.offerId)).toMatchObject({ state: "expired", noticeDue: false });
    expect(await mailsAbout(open.offerId)).toEqual(["expired buyer", "expired seller", "offered seller"]);
  });

  test.each([
    ["a new price", "price_changed", false, async ({ productId }) => setPrice(productId, 1_800)],
    [
      "marking the listing as sold",
      "sold_out",
      true,
      async ({ productId }) => changeListing(productId, { status: "sold" }),
    ],
    [
      "deleting the listing",
      "listing_removed",
      true,
      async ({ sellerId, productId }) => void (await deleteListing(servicesAt(), { sellerId, productId })),
    ],
    [
      "taking the listing down",
      "listing_removed",
      true,
      async ({ productId }) => changeListing(productId, { suspendedAt: Date.now() }),
    ],
    ["the seller's account", "account_closed", true, async ({ sellerId }) => closeAccount(sellerId)],
    ["the buyer's account", "account_closed", true, async ({ buyerId }) => closeAccount(buyerId)],
    [
      "the buyer's deletion of their account",
      "account_closed",
      true,
      async ({ buyerId }) => void (await deleteAccount(servicesAt(), buyerId)),
    ],
    [
      "a block by the seller",
      "blocked",
      true,
      async ({ sellerId, buyerId }) => void (await blockUser(servicesAt(), { userId: sellerId, blockedId: buyerId })),
    ],
    [
      "a block by the buyer",
      "blocked",
      true,
      async ({ sellerId, buyerId }) => void (await blockUser(servicesAt(), { userId: buyerId, blockedId: sellerId })),
    ],
  ] satisfies [string, string, boolean, (offer: Negotiation) => Promise<void>][])(
    "%s ends open and countered offers, and accepted ones only where the promise can't be kept",
    async (_, reason, endsAccepted, happen) => {
      const open = await openOffer();
      const countered = await openOffer();
      await take(countered, "countered", 1_700);
      const accepted = await acceptedOffer();
      for (const offer of [open, countered, accepted]) await happen(offer);
      for (const offer of [open, countered])
        expect(await readOffer(offer.offerId)).toMatchObject({ state: "ended", endReason: reason });
      expect(await readOffer(accepted.offerId)).toMatchObject(
        endsAccepted ? { state: "ended", endReason: reason } : { state: "accepted" },
      );
      expect(await stockOf(accepted.productId)).toMatchObject({ reserved: endsAccepted ? 0 : 1 });
      expect(await take(open, "seller_accepted")).toMatchObject({ ok: false });
      await advanceOffers(servicesAt());
      if (reason !== "account_closed") expect(await mailsAbout(open.offerId)).toContain("ended buyer");
    },
  );

  async function closeAccount(userId: string): Promise<void> {
    await suspendUser(servicesAt(), await makeAdmin(), userId, "Scams");
  }

  test("an offer whose payment is under way is kept until the attempt ends, then expires", async () => {
    const offer = await acceptedOffer();
    const orderId = await orderOffer(offer);
    await askToPay(orderId, offer.buyerId);
    await advanceOffers(servicesAt(24 * HOUR_MS));
    expect(await readOffer(offer.offerId)).toMatchObject({ state: "accepted" });
    expect(await take(offer, "withdrawn")).toMatchObject({ code: "paying" });
    const [attempt] = await readAttempts(orderId);
    await applyAttemptEvent(servicesAt(), attempt?.id ?? "", { event: "timed_out" });
    await advanceOffers(servicesAt(24 * HOUR_MS));
    expect(await readOffer(offer.offerId)).toMatchObject({ state: "expired" });
    expect(await stockOf(offer.productId)).toMatchObject({ stock: 1, reserved: 0 });
  });

  /** An offer whose payment arrives after its attempt and the offer have ended. */
  async function lateOffer(): Promise<Negotiation & { orderId: string }> {
    const offer = await acceptedOffer();
    const orderId = await orderOffer(offer);
    await askToPay(orderId, offer.buyerId);
    const [attempt] = await readAttempts(orderId);
    await applyAttemptEvent(servicesAt(), attempt?.id ?? "", { event: "timed_out" });
    await advanceOffers(servicesAt(24 * HOUR_MS));
    return { ...offer, orderId };
  }

  test("late money for a piece that somebody else has is refunded", async () => {
    const offer = await lateOffer();
    const rival = await acceptedOffer(offer, 1_800);
    await paymentArrives(offer.orderId);
    expect(await readOrder(offer.orderId)).toMatchObject({ paymentStatus: "failed" });
    expect(await db.select().from(refunds).where(eq(refunds.orderId, offer.orderId))).toMatchObject([
      { amount: 1_500, reason: "sold_to_someone_else" },
    ]);
    expect(await readOffer(offer.offerId)).toMatchObject({ state: "expired" });
    expect(await readOffer(rival.offerId)).toMatchObject({ state: "accepted" });
    expect(await stockOf(offer.productId)).toMatchObject({ stock: 1, reserved: 1 });
  });

  test("late money is kept while the piece is there", async () => {
    const offer = await lateOffer();
    await paymentArrives(offer.orderId);
    expect(await readOrder(offer.orderId)).toMatchObject({ paymentStatus: "completed", amount: 1_500 });
    expect(await readOffer(offer.offerId)).toMatchObject({ state: "paid" });
    expect(await booksOff()).toEqual({});
  });
});

test("without scripts an offer is made, answered and paid, and bad amounts lose nothing", async () => {
  const { sellerId, productId } = await listForOffers();
  const buyerId = await makeUser();
  const path = `/product/${productId}/offer`;
  const refused = await visit(path, {
    as: buyerId,
    form: { amount: "2,000", note: "By Friday", formKey: crypto.randomUUID() },
  });
  expect(refused.status).toBe(400);
  const page = await refused.text();
  for (const text of ["Offer less than the price, or buy it now", 'value="2,000"', "By Friday"])
    expect(page).toContain(text);
  const formKey = crypto.randomUUID();
  for (let press = 1; press <= 2; press += 1) {
    const made = await visit(path, { as: buyerId, form: { amount: "KES 1,500", note: "", formKey } });
    expect(made.headers.get("Location")).toBe(`/profile?tab=messages&with=${sellerId}`);
  }
  const [offer] = await db.select().from(offers).where(eq(offers.buyerId, buyerId));
  const card = `/offers/${offer?.id}`;
  const inbox = await (await visit(`/profile?tab=messages&with=${buyerId}`, { as: sellerId })).text();
  expect(wordsOf(inbox)).toContain("Accept KES 1,500");
  const low = await visit(card, { as: sellerId, form: { intent: "countered", amount: "1400" } });
  expect(low.status).toBe(400);
  expect(await low.text()).toContain("Ask for more than the buyer offers");
  expect((await visit(card, { as: buyerId, form: { intent: "seller_accepted" } })).status).toBe(404);
  expect((await visit(card, { as: await makeUser(), form: { intent: "pay" } })).status).toBe(404);
  const accepted = await visit(card, { as: sellerId, form: { intent: "seller_accepted" } });
  expect(await accepted.text()).toContain("Accepted. The buyer has 24 hours to pay.");
  expect((await visit(card, { as: sellerId, form: { intent: "pay" } })).status).toBe(404);
  const paid = await visit(card, { as: buyerId, form: { intent: "pay", amount: "1500" } });
  expect(paid.headers.get("Location")).toMatch(/^\/checkout\/[0-9a-f-]{36}$/);
});
