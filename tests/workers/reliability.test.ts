import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerText, type SellerRecord } from "#app/accounts/trust/reliability-rules.ts";
import { write } from "#app/db/batch.ts";
import { idList } from "#app/db/build.ts";
import { dealTimers, orderItems, orders } from "#app/orders/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import type { DealEvent } from "#app/db/states/deal.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { advanceDeals } from "#app/deals/deal-timers.server.ts";
import { blockUser } from "#app/messaging/block-user.server.ts";
import { sendMessage } from "#app/messaging/sending/send-message.server.ts";
import { findProductPage } from "#app/catalogue/product/product-page.server.ts";
import { findPublicProduct } from "#app/catalogue/product/public-product.server.ts";
import { shortIdOf } from "#app/platform/short-ids.ts";
import { openSellerPage } from "#app/shops/shops.server.ts";
import { afterSalesEnded } from "#app/orders/sale-effects.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { EVENT_ACTORS } from "#app/db/states/deal.ts";
import { type Deal, db, makeDeal, makeProduct, makeUser, quietServices, servicesAt } from "#tests/support/fixtures.ts";
import { giveMessage } from "#tests/support/messages.ts";
import { agreeOn, payDeal, paymentArrives } from "#tests/support/paid-deal.ts";
import { reportProblem } from "#app/deals/problems/problems.server.ts";
import { findDeal } from "#app/deals/find-deal.server.ts";
import { findPersonReviews } from "#app/reviews/find-reviews.server.ts";
import { finishedDeal, review } from "#tests/support/reviews.ts";
import { meteredServices } from "#tests/support/metered.ts";
import { recordOf } from "#tests/support/seller-record.ts";

const MINUTE = 60_000;
const NO_SALES: SellerRecord = { handedOver: 0, refunded: 0, cancelled: 0 };

/** Steps that end deals in every way, or lead there. What a deal's state doesn't allow is refused. */
const STEPS: DealEvent[] = [
  "shipped",
  "delivered",
  "code_entered",
  "cancelled_by_seller",
  "cancel_requested",
  "cancel_accepted",
  "cancel_declined",
  "cancelled_by_buyer",
  "accepted",
  "refunded_by_seller",
  "not_shipped",
  "cancel_unanswered",
  "inspection_ended",
];

const AGAINST = "SELECT 1 FROM deal_events e WHERE e.order_item_id = i.id AND e.against = 'seller'";

/** Each seller's record, counted from the items and their history. */
const RECORDS = `SELECT seller_id AS sellerId, SUM(status = 'completed') AS handedOver,
  SUM(status = 'refunded' AND EXISTS (${AGAINST})) AS refunded,
    SUM(status = 'cancelled' AND EXISTS (${AGAINST})) AS cancelled
  FROM order_items i WHERE price_per_unit > 0 GROUP BY seller_id`;

test("a seller's record is what the items and their history say, after any sequence of steps", async () => {
  const deals = { ...servicesAt(), deals: { inspectionHours: 48, codeKey: "test-key" } };
  const sellers = await Promise.all(["254722000150", "254722000151"].map((phone) => makeUser({ phone })));
  const ended = new Set<string>();
  const stories = fc.sample(fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 6 }), {
    numRuns: 12,
    seed: 11,
  });
  for (const [at, story] of stories.entries()) {
    const deal = await payDeal({ sellerId: sellers[at % 2] ?? "" });
    if (at % 3 !== 0) await agreeOn(deal);
    for (const event of story) {
      const actor = EVENT_ACTORS[event];
      const by = actor === "buyer" ? deal.buyerId : actor === "seller" ? deal.sellerId : null;
      const result = await applyDealEvent(deals, { itemId: deal.itemId, event, by });
      if (result.ok) ended.add(result.status);
    }
  }
  expect([...ended]).toEqual(expect.arrayContaining(["completed", "cancelled"]));
  const { results: counted } = await env.DB.prepare(
    `SELECT * FROM (${RECORDS}) WHERE handedOver + refunded + cancelled > 0`,
  ).all<SellerRecord & { sellerId: string }>();
  expect(counted.length).toBeGreaterThan(0);
  for (const { sellerId, ...record } of counted) expect(await recordOf(sellerId)).toEqual(record);
});

test("one friend makes no record, whichever account they pay from, and neither does the seller's own number", async () => {
  const [sellerId, buyerId] = [await makeUser({ phone: "254722000160" }), await makeUser()];
  const own = await finishedDeal({ sellerId, paidFrom: "254722000160" });
  await review(own, "buyer", { rating: 5 });
  await review(own, "seller", { rating: 5 });
  expect(await recordOf(sellerId)).toEqual(NO_SALES);
  for (const rating of [5, 5, 4] as const) {
    const deal = await finishedDeal({ sellerId, buyerId, paidFrom: "254711000171" });
    await review(deal, "buyer", { rating });
    await review(deal, "seller", { rating: 5 });
  }
  // A second account of the same friend, and a later deal of a stranger.
  const again = await finishedDeal({ sellerId, paidFrom: "254711000171" });
  await review(again, "buyer", { rating: 5 });
  await review(again, "seller", { rating: 5 });
  expect(await recordOf(sellerId)).toEqual({ ...NO_SALES, handedOver: 1 });
  const stars = (userId: string, role: "buyer" | "seller") =>
    env.DB.prepare("SELECT stars1, stars2, stars3, stars4, stars5 FROM user_ratings WHERE user_id = ? AND role = ?")
      .bind(userId, role)
      .first();
  expect(await stars(sellerId, "seller")).toEqual({ stars1: 0, stars2: 0, stars3: 0, stars4: 1, stars5: 0 });
  expect(await stars(buyerId, "buyer")).toEqual({ stars1: 0, stars2: 0, stars3: 0, stars4: 0, stars5: 1 });
  const { reviews } =
    (await findPersonReviews(servicesAt(), { personId: sellerId, as: "seller", after: null, viewerId: null })) ?? {};
  expect(reviews).toHaveLength(5);
  const next = await makeDeal({ sellerId });
  expect((await findDeal(servicesAt(), next.itemId))?.seller.soldTo).toBe(1);
  for (const paidFrom of ["254711000172", "254711000173"]) await finishedDeal({ sellerId, paidFrom });
  expect((await findDeal(servicesAt(), next.itemId))?.seller.soldTo).toBe(3);
});

test("who paid from the seller's number counts as the seller, even if it changes before the end", async () => {
  const sellerId = await makeUser({ phone: "254722000165" });
  const deal = await makeDeal({ sellerId });
  await requestOrderPayment(quietServices(), { orderId: deal.orderId, userId: deal.buyerId, phone: "254722000165" });
  await paymentArrives(deal.orderId);
  await db.update(profiles).set({ phone: "254722000166" }).where(eq(profiles.id, sellerId));
  await agreeOn(deal);
  const deals = { ...servicesAt(), deals: { inspectionHours: 48, codeKey: "test-key" } };
  expect(await applyDealEvent(deals, { itemId: deal.itemId, event: "code_entered", by: sellerId })).toMatchObject({
    status: "completed",
  });
  expect(await recordOf(sellerId)).toEqual(NO_SALES);
});

test("a sale that opens again counts no more, unless its buyer has another, from whichever account", async () => {
  const [sellerId, buyerId, paidFrom] = [await makeUser(), await makeUser(), "254711000176"];
  const deals = [
    await finishedDeal({ sellerId, buyerId, paidFrom }),
    await finishedDeal({ sellerId, buyerId, paidFrom: "254711000177" }),
    await finishedDeal({ sellerId, paidFrom }),
  ];
  for (const [at, { itemId }] of deals.entries()) {
    expect(await recordOf(sellerId)).toEqual({ ...NO_SALES, handedOver: 1 });
    const isOpen = db.update(orderItems).set({ status: "in_review" }).where(eq(orderItems.id, itemId));
    await write(db, [isOpen, ...afterSalesEnded(idList(itemId))]);
    expect((await recordOf(sellerId)).handedOver).toBe(at < 2 ? 1 : 0);
  }
});

test("a refund after a problem and a cancellation count once for each buyer, beside what was handed over", async () => {
  const [sellerId, buyerId] = [await makeUser(), await makeUser()];
  const end = async (events: DealEvent[]) => {
    const deal = await payDeal({ sellerId, buyerId });
    if (events.includes("shipped")) await agreeOn(deal);
    for (const event of events) {
      const by = EVENT_ACTORS[event] === "buyer" ? buyerId : sellerId;
      expect(await applyDealEvent(deals, { itemId: deal.itemId, event, by })).toMatchObject({ ok: true });
    }
    return deal;
  };
  const deals = { ...servicesAt(), deals: { inspectionHours: 48, codeKey: "test-key" } };
  for (let times = 0; times < 2; times += 1) await end(["cancelled_by_seller"]);
  expect(await recordOf(sellerId)).toEqual({ ...NO_SALES, cancelled: 1 });
  await end(["code_entered"]);
  for (let times = 0; times < 2; times += 1) {
    const { itemId } = await end(["shipped", "delivered"]);
    const problem = { itemId, buyerId, kind: "damaged", description: "Broken", photoKeys: [] } as const;
    expect(await reportProblem(deals, problem)).toMatchObject({ ok: true });
    expect(await applyDealEvent(deals, { itemId, event: "refunded_by_seller", by: sellerId })).toMatchObject({
      ok: true,
    });
  }
  expect(await recordOf(sellerId)).toEqual({ handedOver: 1, refunded: 1, cancelled: 1 });
});

test("free items don't make a record, however they end", async () => {
  const sellerId = await makeUser();
  for (const status of ["completed", "refunded"] as const) await finishedDeal({ price: 0, sellerId, status });
  const cancelled = await makeDeal({ price: 0, sellerId });
  await env.DB.prepare(
    "INSERT INTO deal_events (id, order_item_id, event, actor, against, created_at) VALUES (?, ?, ?, ?, 'seller', 1)",
  )
    .bind(crypto.randomUUID(), cancelled.itemId, "cancelled_by_seller", "seller")
    .run();
  await write(db, afterSalesEnded(idList(cancelled.itemId)));
  expect(await recordOf(sellerId)).toEqual(NO_SALES);
  await finishedDeal({ price: 100, sellerId });
  expect(await recordOf(sellerId)).toEqual({ ...NO_SALES, handedOver: 1 });
});

describe("an item that isn't shipped in time", () => {
  const HOUR = 60 * MINUTE;
  const say = (deal: Deal, senderId: string, at = 0) =>
    sendMessage(servicesAt(at), {
      senderId,
      about: { kind: "item", id: deal.itemId },
      text: "Where do we meet?",
      key: crypto.randomUUID(),
    });
  const block = (userId: string, blockedId: string) => blockUser(servicesAt(), { userId, blockedId });
  const agreeOnDelivery = async (deal: Deal) => {
    await db.update(orders).set({ deliveryOption: "delivery" }).where(eq(orders.id, deal.orderId));
    await agreeOn(deal);
  };

  test.each<[string, (deal: Deal) => Promise<unknown>, string, number]>([
    ["when the seller never wrote", async () => undefined, "seller", 1],
    ["when the buyer never answered", (deal) => say(deal, deal.sellerId), "buyer", 0],
    [
      "when the seller never answered",
      async (deal) => {
        await say(deal, deal.sellerId);
        await say(deal, deal.buyerId);
      },
      "seller",
      1,
    ],
    ["when the buyer blocked the seller", (deal) => block(deal.buyerId, deal.sellerId), "buyer", 0],
    ["when the seller blocked the buyer", (deal) => block(deal.sellerId, deal.buyerId), "seller", 0],
    ["when the buyer had agreed to a pickup", (deal) => agreeOn(deal), "seller", 0],
    ["when the buyer had agreed to a delivery", (deal) => agreeOnDelivery(deal), "seller", 1],
    [
      "when the buyer had agreed to a pickup, and asked in vain",
      async (deal) => {
        await agreeOn(deal);
        await say(deal, deal.buyerId, MINUTE);
      },
      "seller",
      1,
    ],
  ])("%s", async (_name, happened, reminded, cancelled) => {
    await db.delete(dealTimers);
    const deal = await payDeal();
    await happened(deal);
    const deals = (hours: number) => ({
      ...servicesAt(hours * HOUR),
      deals: { inspectionHours: 48, codeKey: "test-key" },
    });
    await advanceDeals(deals(73));
    const { results } = await env.DB.prepare(
      `SELECT DISTINCT json_extract(payload, '$.data.role') AS role FROM outbox
        WHERE payload LIKE '%ship_reminder%' AND payload LIKE '%' || ? || '%'`,
    )
      .bind(deal.itemId)
      .all<{ role: string }>();
    expect(results).toEqual([{ role: reminded }]);
    await advanceDeals(deals(169));
    expect((await recordOf(deal.sellerId)).cancelled).toBe(cancelled);
  });
});

/**
 * What ends the wait of people whom the seller hasn't answered, and whether it makes the seller slower all the same.
 */
const WAITS_OVER: Record<string, { counts: boolean; end(buyerId: string, sellerId: string): Promise<unknown> }> = {
  "blocked the seller": {
    counts: false,
    end: (userId, blockedId) => blockUser(servicesAt(), { userId, blockedId }),
  },
  "are suspended": {
    counts: false,
    end: (id) => env.DB.prepare("UPDATE credentials SET suspended_at = 1 WHERE id = ?").bind(id).run(),
  },
  "were blocked by the seller": {
    counts: true,
    end: (blockedId, userId) => blockUser(servicesAt(), { userId, blockedId }),
  },
};

test.each(Object.entries(WAITS_OVER))("those who wait for an answer and %s", async (_name, { counts, end }) => {
  const sellerId = await makeUser();
  await makeProduct(sellerId);
  const now = Date.now();
  const store = { db, now: () => now };
  const answerMs = async () =>
    (await openSellerPage(store, { sellerId, viewerId: null, after: null }))?.seller.answerMs;
  for (let at = 0; at < 5; at += 1) {
    const buyerId = await makeUser();
    await writeTo(buyerId, sellerId, now - 100 * 60 * MINUTE);
    await writeTo(sellerId, buyerId, now - 100 * 60 * MINUTE + 10 * MINUTE);
  }
  const waiting = await Promise.all(Array.from({ length: 9 }, () => makeUser()));
  for (const buyerId of waiting) await writeTo(buyerId, sellerId, now - 90 * 60 * MINUTE);
  const slow = 90 * 60 * MINUTE;
  expect(await answerMs()).toBe(slow);
  for (const buyerId of waiting) await end(buyerId, sellerId);
  expect(await answerMs()).toBe(counts ? slow : 10 * MINUTE);
});

async function writeTo(senderId: string, recipientId: string, createdAt: number): Promise<void> {
  await giveMessage({ senderId, recipientId, createdAt });
}

test("who began a conversation, and when the other first answered, are what the messages say", async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => makeUser()));
  const person = fc.integer({ min: 0, max: 3 });
  const written = fc
    .sample(fc.tuple(person, person, fc.integer({ min: 1, max: 90 })), { numRuns: 80, seed: 5 })
    .filter(([from, to]) => from !== to);
  let at = 1_700_000_000_000;
  const story: { from: string; to: string; at: number }[] = [];
  for (const [from, to, minutes] of written) {
    at += minutes * MINUTE;
    const message = { from: people[from] ?? "", to: people[to] ?? "", at };
    await writeTo(message.from, message.to, at);
    story.push(message);
  }
  const { results } = await env.DB.prepare(
    `SELECT user_id AS me, other_id AS other, asked_at AS askedAt, reply_ms AS replyMs FROM conversations
      WHERE user_id IN (${people.map(() => "?").join(", ")})`,
  )
    .bind(...people)
    .all<{ me: string; other: string; askedAt: number | null; replyMs: number | null }>();
  expect(results.length).toBe(12);
  for (const { me, other, askedAt, replyMs } of results) {
    const between = story.filter(({ from, to }) => [me, other].includes(from) && [me, other].includes(to));
    const first = between[0];
    const asked = first?.from === other ? first.at : null;
    const answer = asked === null ? undefined : between.find(({ from }) => from === me);
    expect({ askedAt, replyMs }).toEqual({
      askedAt: asked,
      replyMs: answer && asked !== null ? answer.at - asked : null,
    });
  }
});

test("the seller's page and the product say how fast a seller answers, from the last 20 conversations", async () => {
  const sellerId = await makeUser();
  const productId = await makeProduct(sellerId);
  const now = Date.now();
  const { meter, db: metered } = meteredServices();
  const store = { db: metered, now: () => now };
  const shown = async () => [
    (await openSellerPage(store, { sellerId, viewerId: null, after: null }))?.seller.answerMs,
    (await findProductPage(store, productId, null))?.product.seller.answerMs,
  ];
  // Long ago they took two days; lately ten minutes. Who wrote to others first isn't asked about.
  for (let at = 0; at < 40; at += 1) {
    const buyerId = await makeUser();
    const askedAt = now - (100 - at) * 24 * 60 * MINUTE;
    await writeTo(buyerId, sellerId, askedAt);
    await writeTo(sellerId, buyerId, askedAt + (at < 20 ? 2 * 24 * 60 : 10) * MINUTE);
    if (at === 3) expect(await shown()).toEqual([null, null]);
    if (at === 4) {
      expect(await shown()).toEqual([2 * 24 * 60 * MINUTE, 2 * 24 * 60 * MINUTE]);
      const shared = await findPublicProduct(store, shortIdOf(productId));
      expect(shared).toMatchObject({ product: { seller: { answers: answerText(2 * 24 * 60 * MINUTE) } } });
    }
  }
  await writeTo(sellerId, await makeUser(), now - MINUTE);
  meter.rowsRead = 0;
  expect(await shown()).toEqual([10 * MINUTE, 10 * MINUTE]);
  expect(meter.rowsRead).toBeLessThanOrEqual(120);
});
