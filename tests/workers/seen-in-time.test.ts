/** An email that need not leave where it was seen waits ten minutes: here "Shipped". */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { notifications } from "#app/notifications/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { deliverItem, shipItem } from "#app/deals/fulfilment.server.ts";
import { handoverCode } from "#app/deals/code/handover-code.server.ts";
import { enterCode } from "#app/deals/code/enter-code.server.ts";
import { SEEN_WAIT_MS } from "#app/notifications/delivery-rules.ts";
import type { Mailer } from "#app/notifications/mailer.ts";
import { drainOutbox } from "#workers/jobs/send-outbox.ts";
import { ORIGIN } from "#tests/support/accounts.ts";
import { databaseThrough } from "#tests/support/faults.ts";
import { type Deal, db, servicesAt } from "#tests/support/fixtures.ts";
import { agreeOn, payDeal } from "#tests/support/paid-deal.ts";
import { visit } from "#tests/support/visit.ts";

let deal: Deal;
let shippedAt: number;

beforeEach(async () => {
  deal = await payDeal();
  await agreeOn(deal);
  // What was told about the payment.
  await db.delete(outbox);
  await db.delete(notifications);
  shippedAt = Date.now();
  expect(await shipItem(at(0), deal)).toMatchObject({ ok: true });
});

/** The app, `ms` after the item was shipped. */
function at(ms: number): DealServices {
  return { ...servicesAt(), now: () => shippedAt + ms, deals: { inspectionHours: 48, codeKey: "test-key" } };
}

/** The steps about which an email leaves when the job runs, `ms` after the item was shipped. */
async function sentAt(ms: number, meanwhile?: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const mailer: Mailer = {
    async send(mail) {
      await meanwhile?.();
      sent.push("step" in mail.data ? mail.data.step : mail.template);
    },
  };
  await drainOutbox({ ...at(ms), pause: async () => {} }, { mailer, push: null });
  return sent;
}

/** What the buyer hasn't read in the notification centre. */
async function unread(): Promise<string[]> {
  const rows = await db.select().from(notifications);
  return rows.flatMap(({ userId, readAt, key }) => (userId === deal.buyerId && readAt === null ? [key] : []));
}

const PAGE = () => `/orders/${deal.orderId}`;
/** What a browser sends for a page that somebody opens by its address or by a link in the app. */
const TYPED = { "Sec-Fetch-Mode": "navigate" };
const FOLLOWED = { "Sec-Fetch-Mode": "cors", Referer: `${ORIGIN}/profile?tab=orders` };

async function open(headers: Record<string, string>, as = deal.buyerId, path = PAGE()): Promise<string> {
  const response = await visit(path, { as, headers });
  return response.text();
}

test("it leaves after ten minutes, once, however often the seller presses", async () => {
  await Promise.all([shipItem(at(1), deal), shipItem(at(1), deal)]);
  expect(await sentAt(SEEN_WAIT_MS - 1)).toEqual([]);
  expect(await sentAt(SEEN_WAIT_MS)).toEqual(["shipped"]);
  await shipItem(at(SEEN_WAIT_MS), deal);
  expect(await sentAt(10 * SEEN_WAIT_MS)).toEqual([]);
});

test.each([
  ["by its address", TYPED, ""],
  ["by a link in the app", FOLLOWED, ".data"],
])("it isn't sent to a buyer who opens the order meanwhile %s", async (_how, headers, end) => {
  expect(await unread()).toHaveLength(1);
  expect(await open(headers, deal.buyerId, PAGE() + end)).toContain(deal.itemId);
  expect(await unread()).toEqual([]);
  expect(await sentAt(SEEN_WAIT_MS)).toEqual([]);
  // Opened again, and shipped again: there is nothing more to do.
  await open(headers, deal.buyerId, PAGE() + end);
  await shipItem(at(1), deal);
  expect(await unread()).toEqual([]);
  expect(await sentAt(3 * SEEN_WAIT_MS)).toEqual([]);
});

test("the emails that follow are sent to a buyer who opened the order", async () => {
  await open(TYPED);
  expect(await deliverItem(at(1_000), deal)).toMatchObject({ ok: true });
  expect(await sentAt(1_000 + SEEN_WAIT_MS)).toEqual(["delivered"]);
});

test("it is sent where only an open page loaded its data again, or a page was loaded ahead", async () => {
  await open({ "Sec-Fetch-Mode": "cors", Referer: ORIGIN + PAGE() }, deal.buyerId, `${PAGE()}.data`);
  await open({ "Sec-Fetch-Mode": "cors", Referer: `${ORIGIN}${PAGE()}/` }, deal.buyerId, `${PAGE()}/_.data`);
  await open({ ...TYPED, "Sec-Purpose": "prefetch" });
  expect(await sentAt(SEEN_WAIT_MS)).toEqual(["shipped"]);
});

test("it is sent where the seller or somebody else opens the order, or the buyer another page", async () => {
  await open(TYPED, deal.sellerId);
  await open(TYPED, deal.sellerId, `/seller/orders/${deal.itemId}`);
  await open(TYPED, (await payDeal()).buyerId);
  await open(TYPED, deal.buyerId, "/profile?tab=orders");
  expect(await sentAt(SEEN_WAIT_MS)).toContain("shipped");
});

test("it isn't sent once the seller has entered the handover code, of which the buyer hears at once", async () => {
  const code = await handoverCode("test-key", deal.itemId);
  expect(await enterCode(at(1_000), { ...deal, code })).toMatchObject({ ok: true });
  expect(await sentAt(1_000)).toEqual(["code_entered"]);
  expect(await sentAt(SEEN_WAIT_MS)).toEqual([]);
});

test.each([
  ["accepted", "buyer", []],
  ["delivered", "seller", ["delivered"]],
  ["party_gone", "clock", ["party_gone", "party_gone"]],
] as const)("it isn't sent once the deal has moved on by %s", async (event, side, follow) => {
  const by = { buyer: deal.buyerId, seller: deal.sellerId, clock: null }[side];
  expect(await applyDealEvent(at(1_000), { itemId: deal.itemId, event, by })).toMatchObject({ ok: true });
  expect(await sentAt(1_000 + SEEN_WAIT_MS)).toEqual(follow);
});

test("it stays where what follows is refused", async () => {
  const reported = { itemId: deal.itemId, event: "problem_reported", by: deal.buyerId } as const;
  expect(await applyDealEvent(at(1_000), reported)).toMatchObject({ ok: false, code: "too_early" });
  expect(await sentAt(SEEN_WAIT_MS)).toEqual(["shipped"]);
});

test("one that is being sent while the buyer opens the order is sent once", async () => {
  expect(await sentAt(SEEN_WAIT_MS, () => open(TYPED))).toEqual(["shipped"]);
  expect(await sentAt(2 * SEEN_WAIT_MS)).toEqual([]);
});

test("the order's page asks the database once more only where something is unread, and shows itself if that fails", async () => {
  const openAnd = async (headers: Record<string, string>, failAt = Infinity) => {
    let calls = 0;
    const DB = databaseThrough(env.DB, async (call) => {
      calls += 1;
      if (calls === failAt) throw new Error("D1_ERROR: the network is gone");
      return call();
    });
    const { status } = await visit(PAGE(), { as: deal.buyerId, headers, bindings: { DB } });
    return { status, calls };
  };
  const reloaded = await openAnd({ ...TYPED, Referer: ORIGIN + PAGE() });
  const last = reloaded.calls + 1;
  expect(await openAnd(TYPED, last)).toEqual({ status: 200, calls: last });
  expect(await unread()).toHaveLength(1);
  expect(await openAnd(TYPED)).toEqual({ status: 200, calls: last });
  expect(await unread()).toEqual([]);
  expect(await openAnd(TYPED)).toEqual(reloaded);
});
