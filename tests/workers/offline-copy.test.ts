/** What the offline page may show of a person: the server's part. */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { meetings, orderItems } from "#app/orders/tables.server.ts";
import { handoverCode } from "#app/deals/code/handover-code.server.ts";
import { confirmFreeOrder } from "#app/payments/collect/confirm-free-order.server.ts";
import type { OfflineCopy } from "#app/platform/offline-copy.ts";
import { makeOfflineCopy } from "#app/screens/offline/offline-copy.server.ts";
import { ORIGIN } from "#tests/support/accounts.ts";
import { db, makeDeal, makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";
import { meteredServices } from "#tests/support/metered.ts";

const services = servicesAt();

async function paidDeal(buyerId?: string) {
  const deal = await makeDeal({ price: 0, ...(buyerId ? { buyerId } : {}) });
  const buyer = { id: deal.buyerId, email: `${deal.buyerId}@campus.test`, fullName: "Wanjiku" };
  expect(await confirmFreeOrder(services, { orderId: deal.orderId, buyer })).toEqual({ ok: true });
  return deal;
}

async function copyOf(viewerId: string): Promise<OfflineCopy> {
  return (await (await visit("/offline/copy", { as: viewerId })).json()) as OfflineCopy;
}

test("it has the person's own orders with the code that works, the agreed meeting, and the feed", async () => {
  const deal = await paidDeal();
  const unpaid = await makeDeal({ buyerId: deal.buyerId });
  const other = await paidDeal();
  const startsAt = Date.UTC(2026, 11, 1, 11, 5);
  await db.insert(meetings).values({
    orderItemId: deal.itemId,
    place: "Main gate",
    startsAt,
    proposedBy: deal.sellerId,
    state: "accepted",
    round: 1,
    createdAt: 1,
    updatedAt: 1,
  });
  await makeProduct(await makeUser(), { name: "Rice cooker" });

  const copy = await copyOf(deal.buyerId);
  const digits = await handoverCode(env.HANDOVER_CODE_KEY, deal.itemId);
  const code = `${digits.slice(0, 3)} ${digits.slice(3)}`;
  expect(copy.viewerId).toBe(deal.buyerId);
  expect(copy.items).toHaveLength(2);
  const meeting = "1 Dec 2026, 14:05, Main gate";
  // Once the time is over, the step asks about it.
  const isOver = Date.now() > startsAt;
  expect(copy.items[0]).toMatchObject({ code, status: "Processing", meeting, step: isOver ? "Did you meet?" : null });
  expect(copy.items[0]?.facts).toMatch(/^Free · Order \w+ · /);
  expect(copy.items[1]).toMatchObject({ code: null, meeting: null });
  expect(copy.items[1]?.facts).toContain(`KES ${unpaid.amount.toLocaleString("en-KE")}`);
  expect(copy.listings.map(({ name }) => name)).toContain("Rice cooker");
  expect(JSON.stringify(await copyOf(other.sellerId))).not.toContain(code);
});

test("it has what the person has sold and not handed over, with the buyer and the next step, and no code", async () => {
  const deal = await paidDeal();
  const copy = await copyOf(deal.sellerId);
  expect(copy.items).toEqual([]);
  expect(copy.sales).toMatchObject([{ step: "Message the buyer", meeting: null, other: expect.stringMatching(/\w/) }]);
  expect((await copyOf(deal.buyerId)).items).toMatchObject([{ step: "The seller will write to you" }]);
  const digits = await handoverCode(env.HANDOVER_CODE_KEY, deal.itemId);
  // Three digits alone may stand in an id.
  for (const written of [digits, `${digits.slice(0, 3)} ${digits.slice(3)}`])
    expect(JSON.stringify(copy)).not.toContain(written);
});

test("a code that no longer works is left out", async () => {
  const deal = await paidDeal();
  await db.update(orderItems).set({ wrongCodes: 5 }).where(eq(orderItems.id, deal.itemId));
  expect((await copyOf(deal.buyerId)).items).toMatchObject([{ code: null }]);
});

test("it ends before any session that could ask for it, and a session that ends with its browser gets none", async () => {
  const viewerId = await makeUser();
  const copy = await copyOf(viewerId);
  expect(copy.until - copy.savedAt).toBe(15 * 24 * 60 * 60_000);
  const cookie = await services.sessions.start(new Request(ORIGIN), { userId: viewerId, epoch: 1, kept: false });
  const short = await visit("/offline/copy", { headers: { Cookie: cookie.split(";")[0] ?? "" } });
  expect(await short.json()).toBeNull();
});

test("somebody who has bought a lot gets the newest orders, in one round trip and within the size that browsers keep", async () => {
  const viewerId = await makeUser();
  for (let at = 0; at < 23; at += 1) await makeDeal({ buyerId: viewerId });
  const { meter, ...counting } = meteredServices();
  const copy = await makeOfflineCopy(counting, { viewerId, cookie: null });
  expect(copy.items).toHaveLength(20);
  expect(meter.trips).toBe(1);
  expect(JSON.stringify(copy).length).toBeLessThan(30_000);
});
