import { and, eq, like } from "drizzle-orm";
import { expect, test } from "vitest";
import { deleteListing, setListingStock } from "#app/catalogue/selling/listings.server.ts";
import { joinWaitingList, leaveWaitingList, notifyWaitingList } from "#app/catalogue/stock/stock-waits.server.ts";
import { WAITS_MAX } from "#app/catalogue/stock/stock-waits-rules.ts";
import { blocks, credentials } from "#app/accounts/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import { products, stockWaits } from "#app/catalogue/tables.server.ts";
import { orders } from "#app/orders/tables.server.ts";
import { idList } from "#app/db/build.ts";
import type { LiveEvent } from "#app/live/live-events.ts";
import { db, makeProduct, makeUser, servicesAt, changeListing, orderedOne } from "#tests/support/fixtures.ts";
import { tellWaiting } from "#tests/support/gathered.ts";
import { write } from "#app/db/batch.ts";
import type { Mail } from "#app/notifications/mailer.ts";
import { drainOutbox } from "#workers/jobs/send-outbox.ts";
import { updateListings } from "#app/catalogue/write-listings.server.ts";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { askToPay, listForOffers, openOffer, take } from "#tests/support/offers.ts";

async function soldOut(seller: string) {
  const productId = await makeProduct(seller);
  await set(productId, { stock: 0 });
  return productId;
}

function set(productId: string, change: { stock?: number; reserved?: number }) {
  return changeListing(productId, change);
}

function waitsOf(productId: string) {
  return db.select().from(stockWaits).where(eq(stockWaits.productId, productId));
}

/** Whom emails have told of a listing, once for each. */
async function mailsAbout(productId: string): Promise<string[]> {
  await tellWaiting();
  const rows = await db
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(and(eq(outbox.topic, "mail"), like(outbox.payload, `%${productId}%`)));
  return rows.map(({ payload }) => (JSON.parse(payload) as { reader: string }).reader);
}

/** Tells everybody, and returns the live events. */
async function tell() {
  const events: [string, LiveEvent][] = [];
  const services = servicesAt();
  const told = await notifyWaitingList({
    ...services,
    notifier: { ...services.notifier, send: async (userId, event) => void events.push([userId, event]) },
  });
  return { told, events };
}

test("who would have been told of what is reserved again waits on, and is told the next time", async () => {
  const [seller, userId] = [await makeUser(), await makeUser()];
  const productId = await soldOut(seller);
  await joinWaitingList(servicesAt(), { userId, productId });
  await set(productId, { stock: 1 });
  expect((await tell()).told).toBe(1);
  expect(await waitsOf(productId)).toEqual([]);
  await set(productId, { reserved: 1 });
  expect(await mailsAbout(productId)).toEqual([]);
  expect(await waitsOf(productId)).toMatchObject([{ userId, freeAt: null }]);
  await set(productId, { reserved: 0 });
  expect((await tell()).told).toBe(1);
  expect(await mailsAbout(productId)).toEqual([userId]);
});

test("whose email hadn't left when it was reserved again has the old place back", async () => {
  const [seller, userId] = [await makeUser(), await makeUser()];
  const productId = await soldOut(seller);
  const joinedAt = Date.now() - 5 * 60_000;
  await joinWaitingList(servicesAt(-5 * 60_000), { userId, productId });
  const [place] = await waitsOf(productId);
  await set(productId, { stock: 1 });
  await tell();
  expect(await mailsAbout(productId)).toEqual([userId]);
  await set(productId, { reserved: 1 });
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail) };
  while ((await drainOutbox({ ...servicesAt(), pause: async () => {} }, { mailer, push: null })) > 0);
  expect(sent.filter((mail) => JSON.stringify(mail).includes(productId))).toEqual([]);
  expect(place!.createdAt - joinedAt).toBeLessThan(60_000);
  expect(await waitsOf(productId)).toEqual([place]);
});

test("who has bought it meanwhile, or only wished for it, isn't put on the list", async () => {
  const [seller, buyer, wishing] = [await makeUser(), await makeUser(), await makeUser()];
  const productId = await soldOut(seller);
  await joinWaitingList(servicesAt(), { userId: buyer, productId });
  await set(productId, { stock: 1 });
  const now = Date.now();
  await db.insert(stockWaits).values({ productId, userId: wishing, createdAt: now, freeAt: now });
  expect((await tell()).told).toBe(2);
  const orderId = await orderedOne(buyer, productId);
  await db.update(orders).set({ paymentStatus: "completed", paymentDate: Date.now() }).where(eq(orders.id, orderId));
  await set(productId, { stock: 0 });
  expect(await mailsAbout(productId)).toEqual([]);
  expect(await waitsOf(productId)).toEqual([]);
});

test("everybody who waits is told once when pieces are free, and not before", async () => {
  const [seller, one, two] = [await makeUser(), await makeUser(), await makeUser()];
  const productId = await soldOut(seller);
  for (const userId of [one, two, one])
    expect(await joinWaitingList(servicesAt(), { userId, productId })).toEqual({ ok: true });
  expect((await tell()).told).toBe(0);
  await setListingStock(servicesAt(), { sellerId: seller, productId, seen: 0, stock: 2 });
  const [first, second] = await Promise.all([tell(), tell()]);
  expect(first.told + second.told).toBe(2);
  expect([...first.events, ...second.events].map(([userId]) => userId).toSorted()).toEqual([one, two].toSorted());
  expect(first.events.concat(second.events)[0]?.[1]).toMatchObject({ type: "stock", productId });
  expect(await mailsAbout(productId)).toHaveLength(2);
  expect(await waitsOf(productId)).toEqual([]);
  // The next time counts again.
  await set(productId, { stock: 0 });
  await joinWaitingList(servicesAt(), { userId: one, productId });
  await new Promise((done) => setTimeout(done, 2));
  await set(productId, { stock: 1 });
  expect((await tell()).told).toBe(1);
  expect(await mailsAbout(productId)).toHaveLength(3);
});

test("pieces that are freed and taken in one batch, or before anybody was told, tell nobody", async () => {
  const [seller, waiting] = [await makeUser(), await makeUser()];
  const productId = await makeProduct(seller, { condition: "good" });
  await set(productId, { stock: 1, reserved: 1 });
  expect(await joinWaitingList(servicesAt(), { userId: waiting, productId })).toEqual({ ok: true });
  const steps = [{ reserved: 0 }, { stock: 0 }].flatMap((step) => [
    updateListings(step, eq(products.id, productId)),
    ...afterListingsChanged(idList(productId), Date.now()),
  ]);
  await write(db, steps);
  expect((await tell()).told).toBe(0);
  await set(productId, { stock: 1 });
  await set(productId, { reserved: 1 });
  expect((await tell()).told).toBe(0);
  expect(await waitsOf(productId)).toHaveLength(1);
  await set(productId, { reserved: 0 });
  expect((await tell()).told).toBe(1);
});

test.each(["pays for it", "has their offer accepted"])("a buyer who waits for it and %s waits no more", async (how) => {
  const listing = await listForOffers();
  const { productId, buyerId, ...offer } = await openOffer(listing);
  const orderId = await orderedOne(buyerId, productId);
  const other = await makeUser();
  await set(productId, { reserved: 1 });
  for (const userId of [buyerId, other])
    expect(await joinWaitingList(servicesAt(), { userId, productId })).toEqual({ ok: true });
  await set(productId, { reserved: 0 });
  const act = {
    "pays for it": () => askToPay(orderId, buyerId),
    "has their offer accepted": () => take({ ...offer, productId, buyerId }, "seller_accepted"),
  };
  expect(await act[how as keyof typeof act]()).toMatchObject({ ok: true });
  expect(await waitsOf(productId)).toMatchObject([{ userId: other, freeAt: null }]);
});

test("nobody waits for what can be bought, for what is theirs, or for more than 50 products; leaving is one step", async () => {
  const [seller, person] = [await makeUser(), await makeUser()];
  const join = (productId: string, userId = person) => joinWaitingList(servicesAt(), { userId, productId });
  expect(await join(await makeProduct(seller))).toEqual({ ok: false, code: "available" });
  const productId = await soldOut(seller);
  expect(await join(productId, seller)).toEqual({ ok: false, code: "not_found" });
  expect(await join(crypto.randomUUID())).toEqual({ ok: false, code: "not_found" });
  for (let n = 0; n < WAITS_MAX; n += 1) await join(await soldOut(seller));
  expect(await join(productId)).toEqual({ ok: false, code: "full" });
  const [some] = await db.select().from(stockWaits).where(eq(stockWaits.userId, person)).limit(1);
  await leaveWaitingList(servicesAt(), { userId: person, productId: some?.productId ?? "" });
  expect(await join(productId)).toEqual({ ok: true });
});

test("a listing that is deleted or taken down has no waiting list, and suspended accounts aren't told", async () => {
  const [seller, person] = [await makeUser(), await makeUser()];
  const [deleted, down, back] = [await soldOut(seller), await soldOut(seller), await soldOut(seller)];
  for (const productId of [deleted, down, back]) await joinWaitingList(servicesAt(), { userId: person, productId });
  await deleteListing(servicesAt(), { sellerId: seller, productId: deleted });
  await changeListing(down, { suspendedAt: 1 });
  expect([await waitsOf(deleted), await waitsOf(down)]).toEqual([[], []]);
  await db.update(credentials).set({ suspendedAt: 1 }).where(eq(credentials.id, person));
  await set(back, { stock: 1 });
  expect(await tell()).toEqual({ told: 0, events: [] });
  expect(await mailsAbout(back)).toEqual([]);
  expect(await waitsOf(back)).toEqual([]);
});

test("nobody is told about a listing of somebody whom they blocked, or who blocked them", async () => {
  const seller = await makeUser();
  const [blocking, blocked, other] = [await makeUser(), await makeUser(), await makeUser()];
  const productId = await soldOut(seller);
  for (const userId of [blocking, blocked, other]) await joinWaitingList(servicesAt(), { userId, productId });
  await db.insert(blocks).values([
    { userId: blocking, blockedId: seller, createdAt: 1 },
    { userId: seller, blockedId: blocked, createdAt: 1 },
  ]);
  await set(productId, { stock: 1 });
  const { told, events } = await tell();
  expect([told, events.map(([userId]) => userId)]).toEqual([1, [other]]);
  expect(await mailsAbout(productId)).toHaveLength(1);
  expect(await waitsOf(productId)).toEqual([]);
});

test.each([
  ["held", { suspendedAt: 5, heldFor: "pistol" }],
  ["taken down", { suspendedAt: 5 }],
  ["deleted", { deletedAt: 5 }],
])("nobody begins to wait for a listing that is %s", async (_state, hidden) => {
  const productId = await soldOut(await makeUser());
  await db.update(products).set(hidden).where(eq(products.id, productId));
  const wait = { userId: await makeUser(), productId };
  expect(await joinWaitingList(servicesAt(), wait)).toEqual({ ok: false, code: "not_found" });
  expect(await waitsOf(productId)).toEqual([]);
});
