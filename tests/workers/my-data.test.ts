/** What somebody can download of their own data, and what of the other side is not in it. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { paymentAttempts } from "#app/payments/tables.server.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { reviews } from "#app/reviews/tables.server.ts";
import { sendMessage } from "#app/messaging/sending/send-message.server.ts";
import { askTeam } from "#app/screens/help/contact.server.ts";
import { sendReport } from "#app/moderation/reports/report.server.ts";
import { db, makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { agreeOn, payDeal } from "#tests/support/paid-deal.ts";
import { visit } from "#tests/support/visit.ts";

async function download(as: string): Promise<{ text: string; data: Record<string, Record<string, unknown>[]> }> {
  const answer = await visit("/settings/my-data", { as });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Disposition")).toBe('attachment; filename="chuoni-my-data.json"');
  expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  const text = await answer.text();
  return { text, data: JSON.parse(text) };
}

test("both sides of a deal get their part of it, and nothing else of each other", async () => {
  const deal = await payDeal();
  const { buyerId, sellerId, orderId, itemId } = deal;
  await agreeOn(deal);
  await applyDealEvent(servicesAt(), { itemId, event: "code_entered", by: sellerId });
  await db.update(profiles).set({ phone: "254711000111" }).where(eq(profiles.id, buyerId));
  const now = Date.now();
  await db.insert(reviews).values({
    id: "still-blind",
    orderItemId: itemId,
    authorId: sellerId,
    subjectId: buyerId,
    subjectRole: "buyer",
    rating: 2,
    tags: [],
    text: "Came an hour late",
    createdAt: now,
    publishAt: now + 1_000,
  });
  const [buyer, seller] = [await download(buyerId), await download(sellerId)];
  expect(buyer.data.orders).toMatchObject([{ id: orderId }]);
  expect(buyer.data.orderItems).toMatchObject([{ id: itemId }]);
  expect(buyer.data.paymentAttempts).toHaveLength(1);
  expect(seller.data.orderItems).toMatchObject([{ id: itemId }]);
  expect(seller.data.orders).toBeUndefined();
  expect([buyer.data.payoutItems, seller.data.payoutItems]).toMatchObject([undefined, [{ orderItemId: itemId }]]);
  expect(seller.data.reviews).toMatchObject([{ text: "Came an hour late" }]);

  const emailOf = async (id: string) =>
    (await db.select({ email: credentials.email }).from(credentials).where(eq(credentials.id, id)))[0]?.email ?? "?";
  const [attempt] = await db.select().from(paymentAttempts).where(eq(paymentAttempts.orderId, orderId));
  expect(buyer.text).toContain(await emailOf(buyerId));
  expect(buyer.text).not.toContain(await emailOf(sellerId));
  expect(seller.text).not.toContain(await emailOf(buyerId));
  expect(seller.text).not.toContain("254711000111");
  expect(seller.text).not.toContain(attempt?.phone ?? "?");
  // A review that the other side may not know yet.
  expect(buyer.text).not.toContain("Came an hour late");
  expect(buyer.text).not.toContain(attempt?.callbackToken ?? "?");
});

test("nobody learns from it that they were reported, or by whom, before our team has decided", async () => {
  const deal = await payDeal();
  const about = { kind: "item", id: deal.itemId } as const;
  const text = "You are late again";
  const key = crypto.randomUUID();
  const sent = await sendMessage(servicesAt(), { senderId: deal.sellerId, about, text, key });
  const listing = await makeProduct(deal.sellerId, { name: "Unsold kettle" });
  const before = await download(deal.sellerId);
  const reported = [
    ["message", sent.ok ? sent.message.id : ""],
    ["person", deal.sellerId],
    ["listing", listing],
  ] as const;
  for (const [subject, subjectId] of reported)
    expect(
      await sendReport(servicesAt(), { subject, subjectId, reporterId: deal.buyerId, reason: "scam", text: "" }),
    ).toMatchObject({ ok: true });
  const after = await download(deal.sellerId);
  expect(Object.keys(after.data).filter((table) => !(table in before.data))).toEqual([]);
  for (const [table, rows] of Object.entries(after.data))
    expect([table, rows.length]).toEqual([table, before.data[table]?.length]);
  // What they sold as it was when it was ordered is theirs to read.
  expect(after.data.copies).toMatchObject([{ kind: "listing", subjectId: deal.productId }]);
});

test("it is made a few times a minute, because it reads a lot", async () => {
  const nothing = { limit: async () => ({ success: false }) };
  const id = await makeUser();
  const answer = await visit("/settings/my-data", { as: id, bindings: { LIMIT_WRITE: nothing } });
  expect(answer.status).toBe(429);
});

test("somebody who has done nothing yet gets their account", async () => {
  const { data } = await download(await makeUser({ name: "Njeri Wambui" }));
  expect(data.profiles).toMatchObject([{ fullName: "Njeri Wambui" }]);
  expect(data.orders).toBeUndefined();
});

test("what somebody wrote to our team is in their copy, and in nobody else's", async () => {
  const [id, other] = [await makeUser(), await makeUser()];
  const question = {
    formKey: crypto.randomUUID(),
    userId: id,
    order: null,
    address: null,
    text: "Where is my parcel?",
  };
  expect(await askTeam(servicesAt(), { ...question, email: `${id}@campus.test` })).toEqual({ ok: true });
  const { data, text } = await download(id);
  expect(data.outbox).toEqual([expect.objectContaining({ payload: expect.stringContaining("Where is my parcel?") })]);
  expect(text).not.toContain("dedupeKey");
  expect((await download(other)).data.outbox).toBeUndefined();
});
