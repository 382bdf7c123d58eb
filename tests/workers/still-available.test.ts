import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { publicProductPath } from "#app/public-links.ts";
import { openDatabase } from "#app/db/client.ts";
import { notifications } from "#app/notifications/tables.server.ts";
import { products, stockWaits } from "#app/catalogue/tables.server.ts";
import { shops } from "#app/accounts/tables.server.ts";
import { checkListings, listUnanswered, lowerListingPrice, renewListings } from "#app/upkeep/still-available.server.ts";
import { db, makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { databaseThrough, faultEvery, slowDatabase } from "#tests/support/faults.ts";
import { visit } from "#tests/support/visit.ts";

const DAY = 24 * 60 * 60_000;

/** A listing whose last change was so many days ago. */
async function listed(sellerId: string, days: number, input: Parameters<typeof makeProduct>[1] = {}) {
  const productId = await makeProduct(sellerId, input);
  const at = Date.now() - days * DAY;
  await db
    .update(products)
    .set({ createdAt: at, updatedAt: at, checkAt: at + 30 * DAY })
    .where(eq(products.id, productId));
  return productId;
}

async function statusOf(productId: string) {
  const [row] = await db.select().from(products).where(eq(products.id, productId));
  return row?.status;
}

async function checkOf(productId: string) {
  const { checkAt, askedAt } = products;
  const [row] = await db.select({ checkAt, askedAt }).from(products).where(eq(products.id, productId));
  return row;
}

async function unanswered(sellerId: string) {
  return (await listUnanswered(servicesAt(), sellerId)).map(({ id }) => id).toSorted();
}

async function toldOf(userId: string) {
  const rows = await db.select().from(notifications).where(eq(notifications.userId, userId)).orderBy(notifications.id);
  return rows.map(({ kind, data }) => [kind, data]);
}

async function isInFeed(productId: string): Promise<boolean> {
  const html = await (await visit("/studentmarketplace", { as: await makeUser() })).text();
  return html.includes(productId);
}

test("a seller is asked after 30 days, once, about everything of that week", async () => {
  const seller = await makeUser();
  const [old, soon, fresh, sold] = [
    await listed(seller, 30),
    await listed(seller, 24),
    await listed(seller, 10),
    await listed(seller, 40),
  ];
  await db.update(products).set({ status: "sold" }).where(eq(products.id, sold));
  const runs = await Promise.all([checkListings(servicesAt()), checkListings(servicesAt())]);
  expect(runs.flat()).toEqual([seller]);
  expect(await checkListings(servicesAt())).toEqual([]);
  expect(await unanswered(seller)).toEqual([old, soon].toSorted());
  expect(await checkOf(fresh)).toMatchObject({ askedAt: null });
  expect(await checkOf(sold)).toEqual({ checkAt: null, askedAt: null });
  // Nobody is asked again within the week, and everything is on sale meanwhile.
  expect(await checkListings(servicesAt(6 * DAY))).toEqual([]);
  expect(await toldOf(seller)).toEqual([
    ["still_available", { productId: old, productName: "Casio fx-991ES", others: 1 }],
  ]);
  expect(await statusOf(old)).toBe("active");
});

test("what isn't answered for leaves the lists, keeps its page, and comes back with a tap", async () => {
  const [seller, buyer] = [await makeUser(), await makeUser()];
  const productId = await listed(seller, 30, { name: "Quiet kettle" });
  await checkListings(servicesAt());
  expect(await isInFeed(productId)).toBe(true);
  await checkListings(servicesAt(30 * DAY));
  expect(await statusOf(productId)).toBe("unconfirmed");
  expect(await checkOf(productId)).toEqual({ checkAt: null, askedAt: null });
  expect((await toldOf(seller)).map(([kind]) => kind)).toEqual(["still_available", "listing_left"]);
  expect(await isInFeed(productId)).toBe(false);
  const page = await visit(`/product/${productId}`, { as: buyer });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("hasn&#x27;t said lately whether this is still available");
  const open = await visit(publicProductPath({ id: productId, name: "Quiet kettle" }));
  expect(open.status).toBe(200);
  expect(await open.text()).toContain("hasn&#x27;t said lately");
  const refused = await visit(`/product/${productId}`, {
    as: buyer,
    form: { intent: "buy-now", quantity: "1", price: "1900", orderKey: crypto.randomUUID() },
  });
  expect(refused.status).toBe(409);
  // Somebody waits for it, and hears when it is back.
  await db.insert(stockWaits).values({ productId, userId: buyer, createdAt: Date.now() });

  const answer = await visit("/myshop/still-available", { as: seller, form: { intent: "renew", productId } });
  expect(answer.status).toBe(302);
  expect(await statusOf(productId)).toBe("active");
  expect(await isInFeed(productId)).toBe(true);
  expect((await checkOf(productId))?.checkAt).toBeGreaterThan(Date.now() + 29 * DAY);
  const [wait] = await db.select().from(stockWaits).where(eq(stockWaits.productId, productId));
  expect(wait?.freeAt).not.toBeNull();
});

test("an edit, a new number of pieces, and a sale answer, too", async () => {
  const seller = await makeUser();
  const productId = await listed(seller, 61, { condition: "good" });
  await checkListings(servicesAt());
  await checkListings(servicesAt(31 * DAY));
  expect(await statusOf(productId)).toBe("unconfirmed");
  await visit(`/product/${productId}/manage`, { as: seller, form: { intent: "stock", seen: "1", stock: "2" } });
  expect(await statusOf(productId)).toBe("active");

  const edited = await listed(seller, 30);
  await checkListings(servicesAt());
  expect(await unanswered(seller)).toEqual([edited]);
  await db
    .update(products)
    .set({ updatedAt: Date.now() + 1 })
    .where(eq(products.id, edited));
  expect(await unanswered(seller)).toEqual([]);
  expect(await checkListings(servicesAt(30.5 * DAY))).toEqual([seller]);
  expect(await statusOf(edited)).toBe("active");
});

test("nothing leaves during a holiday, while it is hidden, or while a buyer has an offer for it", async () => {
  const [away, hidden, busy, buyer] = [await makeUser(), await makeUser(), await makeUser(), await makeUser()];
  const [atHome, held, wanted] = [await listed(away, 70), await listed(hidden, 70), await listed(busy, 70)];
  const now = Date.now();
  await db
    .insert(shops)
    .values({ id: away, shopName: "Away", awayUntil: now + 20 * DAY, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({ target: shops.id, set: { awayUntil: now + 20 * DAY } });
  await db.update(products).set({ suspendedAt: now }).where(eq(products.id, held));
  await db.update(products).set({ takesOffers: true }).where(eq(products.id, wanted));
  expect(await checkListings(servicesAt())).toEqual([busy]);
  expect(await checkListings(servicesAt(21 * DAY))).toEqual([away]);
  await env.DB.prepare(
    `INSERT INTO offers (id, product_id, buyer_id, seller_id, amount, listing_price, revision, expires_at, created_at,
      updated_at) VALUES (?1, ?2, ?3, ?4, 900, 1900, 0, ?5, ?6, ?6)`,
  )
    .bind(crypto.randomUUID(), wanted, buyer, busy, now + 90 * DAY, now)
    .run();
  // No press lowers the price either, which would end the offer.
  const lowers = (await listUnanswered(servicesAt(), busy)).map(({ id, lower }) => [id, lower]);
  expect(lowers).toEqual([[wanted, null]]);
  expect(await checkListings(servicesAt(31 * DAY))).toEqual([]);
  expect([await statusOf(atHome), await statusOf(held), await statusOf(wanted)]).toEqual([
    "active",
    "active",
    "active",
  ]);
  await env.DB.prepare("UPDATE offers SET state = 'declined' WHERE product_id = ?").bind(wanted).run();
  expect(await checkListings(servicesAt(33 * DAY))).toEqual([busy]);
  expect(await statusOf(wanted)).toBe("unconfirmed");
});

test("a seller who answers while the job runs is believed", async () => {
  const seller = await makeUser();
  const productId = await listed(seller, 65);
  await checkListings(servicesAt());
  const renew = () => renewListings(servicesAt(31 * DAY), { sellerId: seller, productIds: [productId] });
  const slow = slowDatabase(env.DB, renew);
  await checkListings({ ...servicesAt(31 * DAY), db: openDatabase(slow.db) });
  expect(slow.hasWritten()).toBe(true);
  expect(await statusOf(productId)).toBe("active");
});

test("a seller who can't be asked stops no other, and has their turn in the next run", async () => {
  const [one, two] = [await makeUser(), await makeUser()];
  const [first, second] = [await listed(one, 32), await listed(two, 31)];
  const broken = databaseThrough(env.DB, faultEvery(3, "failing"));
  const failures: unknown[] = [];
  const log = (event: object) => void failures.push(event);
  // The third round trip, which writes that the first seller is asked.
  expect(await checkListings({ ...servicesAt(), db: openDatabase(broken), log })).toEqual([two]);
  expect(failures).toMatchObject([{ event: "listing_check_failed", sellerId: one }]);
  expect([await unanswered(one), await unanswered(two)]).toEqual([[], [second]]);
  await checkListings(servicesAt());
  expect([await unanswered(one), await unanswered(two)]).toEqual([[first], [second]]);
  expect([(await toldOf(one)).length, (await toldOf(two)).length]).toEqual([1, 1]);
});

test("the price is lowered once, and only from the price that the seller saw", async () => {
  const [seller, other] = [await makeUser(), await makeUser()];
  const productId = await listed(seller, 30, { price: 1_900 });
  const press = (sellerId: string, seen: number) => lowerListingPrice(servicesAt(), { sellerId, productId, seen });
  expect(await press(other, 1_900)).toBeNull();
  expect(await press(seller, 2_000)).toBeNull();
  expect(await Promise.all([press(seller, 1_900), press(seller, 1_900)])).toEqual([1_700, 1_700]);
  const [row] = await db.select().from(products).where(eq(products.id, productId));
  expect(row).toMatchObject({ price: 1_700, originalPrice: null });
  await db.update(products).set({ lowestOffer: 1_600, takesOffers: true }).where(eq(products.id, productId));
  expect(await press(seller, 1_700)).toBeNull();
});

test("the page names what waits, and each answer takes it off", async () => {
  const [seller, other] = [await makeUser(), await makeUser()];
  const [kettle, lamp] = [await listed(seller, 30, { name: "Kettle" }), await listed(seller, 31, { name: "Lamp" })];
  await checkListings(servicesAt());
  const shop = await (await visit("/myshop", { as: seller })).text();
  expect(shop).toContain("Still selling 2 listings?");
  const html = await (await visit("/myshop/still-available", { as: seller })).text();
  expect(html).toContain("Kettle");
  expect(html).toContain("Lower to KES 1,700");
  const post = (form: Record<string, string>, as = seller) => visit("/myshop/still-available", { as, form });
  expect((await post({ intent: "renew", productId: kettle }, other)).status).toBe(409);
  expect((await post({ intent: "sold", productId: kettle }, other)).status).toBe(409);
  expect((await post({ intent: "lower", productId: kettle, price: "1900" }, other)).status).toBe(409);
  expect((await post({ intent: "sold", productId: kettle })).status).toBe(302);
  expect(await statusOf(kettle)).toBe("sold");
  const all = new FormData();
  all.set("intent", "renew");
  for (const id of [kettle, lamp]) all.append("productId", id);
  expect((await visit("/myshop/still-available", { as: seller, form: all })).status).toBe(302);
  expect(await statusOf(kettle)).toBe("sold");
  expect(await unanswered(seller)).toEqual([]);
});
