import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { listingDays } from "#app/upkeep/tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { wishlistItems } from "#app/basket/tables.server.ts";
import { writeSubject } from "#app/messaging/message-rules.ts";
import { dayOf } from "#app/platform/east-africa-time.ts";
import { publicProductPath } from "#app/public-links.ts";
import { addCounts, findFigures, sweepListingDays } from "#app/upkeep/listing-days.server.ts";
import { db, makeDeal, makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

const PERSON = { "User-Agent": "Mozilla/5.0 (Linux; Android 14) Chrome/140.0 Mobile", "Sec-Fetch-Mode": "navigate" };
const BOT = { ...PERSON, "User-Agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" };
const counter = () => env.LISTING_COUNTER.getByName("all");

/** What is in memory is saved, and what is saved is written. */
async function write(): Promise<void> {
  await runInDurableObject(counter(), (object) => object.save());
  await runDurableObjectAlarm(counter());
}

async function rowsOf(productId: string) {
  return db.select().from(listingDays).where(eq(listingDays.productId, productId));
}

beforeEach(write);

test("views of others are counted, in one row a day, and no bot, no reload and not the seller", async () => {
  const [seller, one, two] = [await makeUser(), await makeUser(), await makeUser()];
  const productId = await makeProduct(seller, { name: "Kettle" });
  const page = `/product/${productId}`;
  for (const as of [one, two, two]) await visit(page, { as, headers: PERSON });
  await visit(page, { as: seller, headers: PERSON });
  await visit(page, { as: one, headers: BOT });
  await visit(page, { as: one, headers: { ...PERSON, "Sec-Purpose": "prefetch" } });
  await visit(page, { as: one, headers: { ...PERSON, Referer: `http://localhost:8787${page}` } });
  await visit(page, { as: one, headers: { "Sec-Fetch-Mode": "navigate" } });
  expect(await rowsOf(productId)).toEqual([]);
  await write();
  expect(await rowsOf(productId)).toMatchObject([{ sellerId: seller, views: 3, messages: 0 }]);
  await visit(page, { as: one, headers: PERSON });
  await write();
  expect(await rowsOf(productId)).toMatchObject([{ views: 4 }]);
});

test("a public page counts, whether it is rendered or a copy", async () => {
  const productId = await makeProduct(await makeUser(), { name: "Lamp" });
  const path = publicProductPath({ id: productId, name: "Lamp" });
  for (const headers of [PERSON, PERSON, BOT]) expect((await visit(path, { headers })).status).toBe(200);
  expect((await visit(publicProductPath({ id: crypto.randomUUID(), name: "x" }), { headers: PERSON })).status).toBe(
    404,
  );
  await write();
  expect(await rowsOf(productId)).toMatchObject([{ views: 2 }]);
});

test("messages about a listing count once, and the seller's own don't", async () => {
  const [seller, buyer] = [await makeUser(), await makeUser()];
  const productId = await makeProduct(seller);
  const about = writeSubject({ kind: "product", id: productId });
  const send = (as: string, to: string, key: string = crypto.randomUUID()) =>
    visit("/api/messages", { as, form: { to, about, text: "Is it there?", key } });
  const lost = crypto.randomUUID();
  // The page didn't get the answer, and sends the same again.
  expect((await send(buyer, seller, lost)).status).toBe(200);
  expect((await send(buyer, seller, lost)).status).toBe(200);
  expect((await send(buyer, seller)).status).toBe(200);
  expect((await send(seller, buyer)).status).toBe(200);
  await write();
  expect(await rowsOf(productId)).toMatchObject([{ views: 0, messages: 2 }]);
});

test("counts survive an object that forgets, and a write whose answer is lost adds nothing twice", async () => {
  const productId = await makeProduct(await makeUser());
  await counter().add(productId, null);
  await runInDurableObject(counter(), async (object, { storage }) => {
    await object.save();
    expect(await storage.get("counts")).toMatchObject([{ listing: productId, views: 1 }]);
    expect(await storage.getAlarm()).toBeGreaterThan(Date.now());
  });
  const day = dayOf(Date.now());
  const counts = [{ day, listing: productId, by: null, views: 5, messages: 0 }];
  for (const mark of [71, 71, 72]) await addCounts(db, mark, counts, Date.now());
  expect(await rowsOf(productId)).toMatchObject([{ views: 10 }]);
  await write();
  expect(await rowsOf(productId)).toMatchObject([{ views: 11 }]);
});

test("while the database is away, counts wait and are written later", async () => {
  const productId = await makeProduct(await makeUser());
  await counter().add(productId, null);
  await runInDurableObject(counter(), async (object, state) => {
    await object.save();
    const { ListingCounter } = await import("#workers/counting/listing-counter.ts");
    const down = {
      ...env,
      DB: { prepare: () => ({ bind: () => ({}) }), batch: () => Promise.reject(new Error("gone")) },
    };
    await new ListingCounter(state, down as never).alarm();
    expect(await state.storage.get("lot")).toMatchObject({ counts: [{ listing: productId }] });
  });
  await counter().add(productId, null);
  expect(await rowsOf(productId)).toEqual([]);
  await runDurableObjectAlarm(counter());
  expect(await rowsOf(productId)).toMatchObject([{ views: 1 }]);
});

test("a seller reads views, saves, messages and orders by day and listing", async () => {
  const [seller, buyer] = [await makeUser(), await makeUser()];
  const [kettle, lamp] = [await makeProduct(seller, { name: "Kettle" }), await makeProduct(seller, { name: "Lamp" })];
  const [now, today] = [Date.now(), dayOf(Date.now())];
  const views = (listing: string, day: number, count: number) => ({
    day,
    listing,
    by: null,
    views: count,
    messages: 0,
  });
  await addCounts(db, 1, [views(kettle, today, 4), views(kettle, today - 6, 3), views(lamp, today - 40, 9)], now);
  await db.insert(wishlistItems).values({ id: crypto.randomUUID(), userId: buyer, productId: kettle, createdAt: now });
  const deal = await makeDeal({ sellerId: seller });
  await db
    .update(orderItems)
    .set({ status: "processing", paidAt: now, productId: kettle })
    .where(eq(orderItems.id, deal.itemId));
  const read = (days: 7 | 30 | 90, productId: string | null = null) =>
    findFigures(servicesAt(), { sellerId: seller, days, productId });
  const week = await read(7);
  expect(week.total).toEqual({ views: 7, saves: 1, messages: 0, orders: 1 });
  expect(week.counted.find(({ day }) => day === today)).toMatchObject({ views: 4, saves: 1, orders: 1 });
  expect(week.before).toMatchObject({ views: 0 });
  expect((await read(30)).before).toMatchObject({ views: 9 });
  // What is older than 90 days is deleted, so nobody knows it.
  expect((await read(90)).before).toBeNull();
  expect(week.listings).toMatchObject([{ id: kettle, views: 7 }]);
  expect((await read(90)).listings).toMatchObject([
    { id: lamp, views: 9 },
    { id: kettle, views: 7 },
  ]);
  expect((await read(90, lamp)).total).toMatchObject({ views: 9, orders: 0 });
  const page = await visit(`/myshop/figures?days=90&listing=${lamp}`, { as: seller });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("Views by day: 9 from");
  expect((await visit(`/myshop/figures?listing=${lamp}`, { as: buyer })).status).toBe(404);
  await db.update(products).set({ deletedAt: now }).where(eq(products.id, kettle));
  expect((await visit(`/myshop/figures?listing=${kettle}`, { as: seller })).status).toBe(404);

  await addCounts(db, 2, [views(lamp, today - 90, 1), views(lamp, today - 89, 1)], now);
  await sweepListingDays(servicesAt());
  expect((await rowsOf(lamp)).map(({ day }) => today - day).toSorted((a, b) => a - b)).toEqual([40, 89]);
});
