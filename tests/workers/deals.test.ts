/** Deals on real D1: the handover code, the clock, cancellations, and the money of each. */
import { env } from "cloudflare:workers";
import { and, eq, isNull } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { dealTimers } from "#app/orders/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import { payoutItems, payouts, refunds } from "#app/payments/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import type { DealEvent } from "#app/db/states/deal.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { suspendListing } from "#app/moderation/suspensions/suspensions.server.ts";
import { advanceDeals } from "#app/deals/deal-timers.server.ts";
import { deliverItem, shipItem } from "#app/deals/fulfilment.server.ts";
import { handoverCode } from "#app/deals/code/handover-code.server.ts";
import { enterCode } from "#app/deals/code/enter-code.server.ts";
import type { Mail } from "#app/notifications/mailer.ts";
import { agreeOn, historyOf, payDeal } from "#tests/support/paid-deal.ts";
import { makeAdmin } from "#tests/support/visit.ts";
import { booksOff, type Deal, db, readItem, readOrder, readPayout, servicesAt } from "#tests/support/fixtures.ts";

const HOUR = 60 * 60_000;
const PRICE = 1_900;

let deal: Deal;

beforeEach(async () => {
  await db.delete(dealTimers);
  deal = await payDeal();
});

/** The app with an inspection of 48 hours, `hours` from now. */
function at(hours = 0): DealServices {
  return { ...servicesAt(hours * HOUR), deals: { inspectionHours: 48, codeKey: "test-key" } };
}

function agree(): Promise<void> {
  return agreeOn(deal);
}

async function ship(): Promise<void> {
  await agree();
  expect(await shipItem(at(), { itemId: deal.itemId, sellerId: deal.sellerId })).toMatchObject({ ok: true });
}

async function deliver(services = at()): Promise<void> {
  await ship();
  expect(await deliverItem(services, { itemId: deal.itemId, sellerId: deal.sellerId })).toMatchObject({ ok: true });
}

function by(side: "buyer" | "seller" | "clock"): string | null {
  return side === "clock" ? null : side === "buyer" ? deal.buyerId : deal.sellerId;
}

function happen(event: DealEvent, side: "buyer" | "seller", services = at()) {
  return applyDealEvent(services, { itemId: deal.itemId, event, by: by(side) });
}

async function refundsOf(): Promise<{ amount: number; reason: string; state: string }[]> {
  return db
    .select({ amount: refunds.amount, reason: refunds.reason, state: refunds.state })
    .from(refunds)
    .where(eq(refunds.orderItemId, deal.itemId));
}

async function timersOf(): Promise<string[]> {
  const rows = await db.select().from(dealTimers).where(eq(dealTimers.orderItemId, deal.itemId));
  return rows.map(({ kind }) => kind).toSorted();
}

/** The steps emailed about the item, with whom they went to. */
async function emailed(): Promise<string[]> {
  const rows = await db.select({ payload: outbox.payload }).from(outbox);
  return rows
    .map(({ payload }) => JSON.parse(payload) as Mail)
    .flatMap((mail) =>
      "price" in mail.data && "step" in mail.data && mail.data.orderItemId === deal.itemId
        ? [`${mail.data.role}: ${mail.data.step}`]
        : [],
    )
    .toSorted();
}

/** Where the item's money is, in KES. Nothing may be both released and refunded. */
async function money() {
  const [paid] = await db.select().from(payoutItems).where(eq(payoutItems.orderItemId, deal.itemId));
  const [back] = await refundsOf();
  expect(await booksOff()).toEqual({});
  return { released: paid?.amount ?? 0, refunded: back?.amount ?? 0 };
}

describe("the handover code", () => {
  const enter = async (code: string, services = at()) =>
    enterCode(services, { itemId: deal.itemId, sellerId: deal.sellerId, code });
  const rightCode = () => handoverCode("test-key", deal.itemId);
  const wrongCode = async () => ((await rightCode()) === "000000" ? "000001" : "000000");

  test("completes a deal at any time before the money is decided, and pays the seller", async () => {
    expect(await rightCode()).toMatch(/^\d{6}$/);
    const code = await rightCode();
    expect(await enter(` ${code.slice(0, 3)} ${code.slice(3)} `)).toMatchObject({ ok: true, status: "completed" });
    expect(await readItem(deal.itemId)).toMatchObject({ status: "completed" });
    expect(await readOrder(deal.orderId)).toMatchObject({ orderStatus: "delivered" });
    expect(await readPayout(deal.itemId)).toMatchObject({ amount: PRICE, state: "due" });
    expect(await timersOf()).toEqual([]);
    expect(await historyOf(deal)).toEqual(["buyer: paid", "seller: code_entered"]);
    expect(await emailed()).toEqual(["buyer: code_entered"]);
    expect(await money()).toEqual({ released: PRICE, refunded: 0 });
  });

  test.each([
    ["shipped", ship],
    ["delivered", () => deliver()],
  ])("works when the item is %s", async (_status, prepare) => {
    await prepare();
    expect(await enter(await rightCode())).toMatchObject({ ok: true, status: "completed" });
    expect(await money()).toEqual({ released: PRICE, refunded: 0 });
  });

  test("is closed by five wrong ones, for this item only, and both sides are told", async () => {
    for (const left of [4, 3, 2, 1, 0])
      expect(await enter(await wrongCode())).toEqual({ ok: false, code: "wrong_code", left });
    expect(await enter(await rightCode())).toMatchObject({ ok: false, code: "code_closed" });
    expect(await readItem(deal.itemId)).toMatchObject({ status: "processing" });
    expect(await emailed()).toEqual(["buyer: code_closed", "seller: code_closed"]);
    expect(await historyOf(deal)).toEqual(["buyer: paid", "seller: code_closed"]);
    deal = await payDeal();
    expect(await enter(await rightCode())).toMatchObject({ ok: true });
  });

  test("differs for each item, and no other seller can enter it", async () => {
    const code = await rightCode();
    expect(await handoverCode("test-key", crypto.randomUUID())).not.toBe(code);
    expect(await handoverCode("another-key", deal.itemId)).not.toBe(code);
    const other = await payDeal();
    expect(await enterCode(at(), { itemId: deal.itemId, sellerId: other.sellerId, code })).toEqual({
      ok: false,
      code: "not_found",
    });
  });
});

describe("delivered without a code", () => {
  test("the money is held for 96 hours with a seller's first sales, and the buyer is reminded half-way", async () => {
    await deliver();
    expect(await readPayout(deal.itemId)).toBeNull();
    expect(await money()).toEqual({ released: 0, refunded: 0 });
    await advanceDeals(at(47));
    expect(await emailed()).not.toContain("buyer: inspection_reminder");
    await advanceDeals(at(49));
    expect(await emailed()).toContain("buyer: inspection_reminder");
    await advanceDeals(at(95));
    expect(await readItem(deal.itemId)).toMatchObject({ status: "delivered" });
    await advanceDeals(at(97));
    expect(await readItem(deal.itemId)).toMatchObject({ status: "completed" });
    expect(await money()).toEqual({ released: PRICE, refunded: 0 });
  });

  test("the buyer can say earlier that everything is OK", async () => {
    await deliver();
    expect(await happen("accepted", "buyer")).toMatchObject({ ok: true, status: "completed" });
    expect(await money()).toEqual({ released: PRICE, refunded: 0 });
    expect(await timersOf()).toEqual([]);
  });

  test("an open report stops the clock, and our team decides", async () => {
    await env.DB.prepare(
      `INSERT INTO issue_reports (id, user_id, order_id, description, status, created_at)
        VALUES (?, ?, ?, 'It rattles', 'open', 1)`,
    )
      .bind(crypto.randomUUID(), deal.buyerId, deal.orderId)
      .run();
    await deliver();
    await advanceDeals(at(97));
    expect(await readItem(deal.itemId)).toMatchObject({ status: "in_review" });
    expect(await money()).toEqual({ released: 0, refunded: 0 });
  });

  test("without an inspection an open report still stops the money, and our team decides", async () => {
    await env.DB.prepare(
      `INSERT INTO issue_reports (id, user_id, order_id, description, status, created_at)
        VALUES (?, ?, ?, 'It rattles', 'open', 1)`,
    )
      .bind(crypto.randomUUID(), deal.buyerId, deal.orderId)
      .run();
    const services = { ...at(), deals: { ...at().deals, inspectionHours: 0 } };
    await deliver(services);
    expect(await readItem(deal.itemId)).toMatchObject({ status: "delivered" });
    await advanceDeals({ ...at(1), deals: services.deals });
    expect(await readItem(deal.itemId)).toMatchObject({ status: "in_review" });
    expect(await money()).toEqual({ released: 0, refunded: 0 });
  });

  test("no reminder goes out once the time that it warns of is over", async () => {
    await deliver();
    await advanceDeals(at(97));
    expect(await readItem(deal.itemId)).toMatchObject({ status: "completed" });
    expect(await emailed()).not.toContain("buyer: inspection_reminder");
  });

  test("without an inspection the seller is paid at once", async () => {
    await deliver({ ...at(), deals: { inspectionHours: 0, codeKey: "test-key" } });
    expect(await readItem(deal.itemId)).toMatchObject({ status: "completed" });
    expect(await money()).toEqual({ released: PRICE, refunded: 0 });
  });
});

describe("cancelling", () => {
  test("a buyer who hasn't agreed gets the money back at once", async () => {
    expect(await happen("cancelled_by_buyer", "buyer")).toMatchObject({ ok: true, status: "cancelled" });
    expect(await refundsOf()).toEqual([{ amount: PRICE, reason: "cancelled_by_buyer", state: "due" }]);
    expect(await readOrder(deal.orderId)).toMatchObject({ orderStatus: "cancelled" });
    expect(await money()).toEqual({ released: 0, refunded: PRICE });
  });

  test("a buyer who agreed asks the seller, and no answer in 72 hours cancels the item", async () => {
    await agree();
    expect(await happen("cancelled_by_buyer", "buyer")).toMatchObject({ ok: false, code: "already_agreed" });
    expect(await happen("cancel_requested", "buyer")).toMatchObject({ ok: true, status: "cancel_requested" });
    expect(await shipItem(at(), { itemId: deal.itemId, sellerId: deal.sellerId })).toMatchObject({ ok: false });
    await advanceDeals(at(71));
    expect(await readItem(deal.itemId)).toMatchObject({ status: "cancel_requested" });
    await advanceDeals(at(73));
    expect(await readItem(deal.itemId)).toMatchObject({ status: "cancelled" });
    expect(await emailed()).toEqual([
      "buyer: cancel_unanswered",
      "seller: cancel_requested",
      "seller: cancel_unanswered",
    ]);
    expect(await money()).toEqual({ released: 0, refunded: PRICE });
  });

  test("a seller who declines can go on", async () => {
    await agree();
    await happen("cancel_requested", "buyer");
    expect(await happen("cancel_declined", "seller")).toMatchObject({ ok: true, status: "processing" });
    expect(await timersOf()).toContain("not_shipped");
    expect(await shipItem(at(), { itemId: deal.itemId, sellerId: deal.sellerId })).toMatchObject({ ok: true });
  });

  test("a seller who cancels takes the listing off sale", async () => {
    expect(await happen("cancelled_by_seller", "seller")).toMatchObject({ ok: true, status: "cancelled" });
    const item = await readItem(deal.itemId);
    const [product] = await db
      .select()
      .from(products)
      .where(eq(products.id, item?.productId ?? ""));
    expect(product).toMatchObject({ status: "out_of_stock", soldAt: expect.any(Number) });
    expect(await money()).toEqual({ released: 0, refunded: PRICE });
  });

  test("a seller who does nothing is reminded three times, and loses the sale after a week", async () => {
    for (const hours of [25, 73, 145, 167]) await advanceDeals(at(hours));
    expect(await readItem(deal.itemId)).toMatchObject({ status: "processing" });
    await advanceDeals(at(169));
    expect(await readItem(deal.itemId)).toMatchObject({ status: "cancelled" });
    expect(await emailed()).toEqual([
      "buyer: not_shipped",
      "seller: not_shipped",
      "seller: ship_reminder_1",
      "seller: ship_reminder_2",
      "seller: ship_reminder_3",
    ]);
    expect(await money()).toEqual({ released: 0, refunded: PRICE });
  });
});

test("a seller whose listing was taken down can't save the sale by a quick step", async () => {
  await agree();
  const item = await readItem(deal.itemId);
  const admin = await makeAdmin();
  expect(await suspendListing(servicesAt(), admin, item?.productId ?? "", "Counterfeit")).toEqual({ ok: true });
  expect(await shipItem(at(), { itemId: deal.itemId, sellerId: deal.sellerId })).toMatchObject({ ok: true });
  await advanceDeals(at());
  expect(await readItem(deal.itemId)).toMatchObject({ status: "in_review" });
  expect(await timersOf()).toEqual([]);
  expect(await money()).toEqual({ released: 0, refunded: 0 });
});

/** Every pair of decisions at once: one wins, and the money goes one way. */
test.each<[string, () => Promise<void>, DealEvent, "buyer" | "seller", DealEvent, "buyer" | "seller"]>([
  ["cancel against ship", agree, "cancel_requested", "buyer", "shipped", "seller"],
  ["cancel against cancel", async () => {}, "cancelled_by_buyer", "buyer", "cancelled_by_seller", "seller"],
  ["cancel against code", async () => {}, "cancelled_by_buyer", "buyer", "code_entered", "seller"],
  ["confirm against problem", () => deliver(), "accepted", "buyer", "problem_reported", "buyer"],
])("%s, many times at once: one wins", async (_name, prepare, one, first, other, second) => {
  await prepare();
  const presses = Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? happen(one, first) : happen(other, second)));
  const results = await Promise.all(presses);
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  const { released, refunded } = await money();
  expect([0, PRICE]).toContain(released + refunded);
  expect(released * refunded).toBe(0);
});

test("of a timer and a report at the same time, one wins", async () => {
  await deliver();
  await Promise.all([advanceDeals(at(97)), advanceDeals(at(97)), happen("problem_reported", "buyer", at(97))]);
  const { released } = await money();
  expect(released).toBe((await readItem(deal.itemId))?.status === "completed" ? PRICE : 0);
  expect(
    await db
      .select()
      .from(payouts)
      .where(and(eq(payouts.orderItemId, deal.itemId), isNull(payouts.sentAt))),
  ).toHaveLength(released === 0 ? 0 : 1);
});
