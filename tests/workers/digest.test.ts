import { env } from "cloudflare:workers";
import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { openDatabase } from "#app/db/client.ts";
import { blocks, credentials, shops } from "#app/accounts/tables.server.ts";
import { notifications } from "#app/notifications/tables.server.ts";
import { outbox, passes } from "#app/db/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { shopFollows } from "#app/shops/tables.server.ts";
import { wishlistItems } from "#app/basket/tables.server.ts";
import { continueDigest } from "#app/digest/digest.server.ts";
import { saveSubscription } from "#app/notifications/push/push-subscriptions.server.ts";
import { saveNotificationSettings, turnEmails } from "#app/notifications/settings.server.ts";
import { db, makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { databaseThrough, faultEvery } from "#tests/support/faults.ts";
import { visit } from "#tests/support/visit.ts";
import { runDigestJob } from "#workers/jobs/digest.ts";

const DAY = 24 * 60 * 60_000;
/** 10:00 in East Africa on a Saturday after today. */
const saturday = () => {
  const start = Date.UTC(2026, 10, 28, 7);
  return start + Math.ceil((Date.now() - start) / (7 * DAY)) * 7 * DAY;
};
let week = 0;
/** Each test has a week of its own. */
const store = () => servicesAt(saturday() + week * 7 * DAY - Date.now());

beforeEach(async () => {
  week += 1;
  await db.update(products).set({ deletedAt: 1 });
});

async function reader(): Promise<string> {
  return makeUser({ createdAt: Date.now() - 30 * DAY });
}

/** A listing of the week that begins now. */
async function listed(sellerId: string, type: string, name: string, location = "Main Campus"): Promise<string> {
  const productId = await makeProduct(sellerId, { name, location });
  await db
    .update(products)
    .set({ type, createdAt: store().now() - DAY })
    .where(eq(products.id, productId));
  return productId;
}

async function wish(userId: string, type: string): Promise<void> {
  const productId = await makeProduct(await makeUser());
  await db.update(products).set({ type, createdAt: 1 }).where(eq(products.id, productId));
  await db.insert(wishlistItems).values({ id: crypto.randomUUID(), userId, productId, createdAt: Date.now() });
}

async function pass(services = store()): Promise<void> {
  while ((await continueDigest(services)) !== null);
}

async function digestsOf(userId: string) {
  const rows = await db
    .select()
    .from(notifications)
    .where(sql`${notifications.userId} = ${userId} AND ${notifications.kind} = 'digest'`);
  return rows.map(({ data }) => data as { productName: string; others: { name: string }[] });
}

test("people are told once a week of what interests them on their campus, and only of that", async () => {
  const [me, bored, seller] = [await reader(), await reader(), await makeUser()];
  await wish(me, "laptop");
  const now = Date.now();
  await db.insert(shops).values({ id: seller, shopName: "Duka", createdAt: now, updatedAt: now }).onConflictDoNothing();
  await listed(seller, "laptop", "EliteBook");
  await listed(seller, "laptop", "Far away", "Town Campus");
  await listed(seller, "sofa", "Sofa");
  await Promise.all([pass(), pass()]);
  await pass();
  expect(await digestsOf(me)).toMatchObject([{ productName: "EliteBook", others: [] }]);
  expect(await digestsOf(bored)).toEqual([]);
  expect(await digestsOf(seller)).toEqual([]);
  // The next week has nothing new.
  week += 1;
  await pass();
  expect(await digestsOf(me)).toHaveLength(1);
  // Whoever follows the shop is told of all of it, and the page shows what is still there.
  await db.insert(shopFollows).values({ userId: bored, shopId: seller, createdAt: now });
  const kettle = await listed(seller, "kettle", "Kettle");
  await listed(seller, "desk", "Desk");
  week += 1;
  await db
    .update(products)
    .set({ createdAt: store().now() - DAY })
    .where(sql`${products.deletedAt} IS NULL`);
  await pass();
  const [digest] = await digestsOf(bored);
  expect([digest?.productName, ...(digest?.others ?? []).map(({ name }) => name)].toSorted()).toEqual([
    "Desk",
    "EliteBook",
    "Kettle",
    "Sofa",
  ]);
  const page = await (await visit(`/this-week?id=${kettle}`, { as: bored })).text();
  expect(page).toContain("Kettle");
  expect(page).not.toContain("Desk");
});

test("the email goes only to whoever asked for it, and the push to everybody's devices", async () => {
  const [asked, me, stopped, seller] = [await reader(), await reader(), await reader(), await makeUser()];
  const people = [asked, me, stopped];
  for (const userId of people) {
    await wish(userId, "piano");
    await saveSubscription(
      store(),
      { id: "s", userId, epoch: 1, endsAt: store().now() + DAY },
      device(userId),
      "Chrome",
    );
  }
  await saveNotificationSettings(store(), asked, { changes: { "digest.email": true }, quiet: null });
  await saveNotificationSettings(store(), stopped, {
    changes: { "digest.email": true, "digest.push": true },
    quiet: null,
  });
  await turnEmails(store(), { userId: stopped, group: "digest", on: false });
  await listed(seller, "piano", "Piano");
  await pass();
  const queued = await db
    .select({ topic: outbox.topic, payload: outbox.payload })
    .from(outbox)
    .where(sql`${outbox.dedupeKey} LIKE '%digest:%'`);
  const readersOf = (topic: string) =>
    queued
      .filter((row) => row.topic === topic)
      .map(({ payload }) => (JSON.parse(payload) as { reader: string }).reader);
  expect(readersOf("mail").filter((id) => people.includes(id))).toEqual([asked]);
  expect(
    readersOf("push")
      .filter((id) => people.includes(id))
      .toSorted(),
  ).toEqual(people.toSorted());
});

function device(name: string) {
  return { endpoint: `https://fcm.googleapis.com/${name}`, p256dh: "key", auth: "auth" };
}

test("nobody is told at night, of a blocked seller, or in a new or closed account", async () => {
  const [me, fresh, closed, seller] = [await reader(), await makeUser(), await reader(), await makeUser()];
  for (const userId of [me, fresh, closed]) await wish(userId, "tent");
  await db
    .update(credentials)
    .set({ createdAt: store().now() - DAY })
    .where(eq(credentials.id, fresh));
  await db.update(credentials).set({ suspendedAt: 1 }).where(eq(credentials.id, closed));
  await db.insert(blocks).values({ userId: seller, blockedId: me, createdAt: 1 });
  await listed(seller, "tent", "Tent");
  expect(await continueDigest(servicesAt(saturday() + week * 7 * DAY - Date.now() - 5 * 60 * 60_000))).toBeNull();
  expect(
    await db
      .select()
      .from(passes)
      .where(and(eq(passes.job, "digest"), isNotNull(passes.after))),
  ).toEqual([]);
  await pass();
  expect([await digestsOf(me), await digestsOf(fresh), await digestsOf(closed)]).toEqual([[], [], []]);
});

test("a pass that is cut off goes on where it was", async () => {
  const people = await Promise.all(Array.from({ length: 120 }, reader));
  const seller = await makeUser();
  for (const userId of people) await wish(userId, "drum");
  await listed(seller, "drum", "Drum");
  const broken = () => openDatabase(databaseThrough(env.DB, faultEvery(7, "failing")));
  await expect(pass({ ...store(), db: broken() })).rejects.toThrow("network is gone");
  const half = (await Promise.all(people.map(digestsOf))).filter((told) => told.length > 0).length;
  expect(half).toBeGreaterThan(0);
  expect(half).toBeLessThan(people.length);
  await pass();
  for (const userId of people) expect(await digestsOf(userId)).toHaveLength(1);
});

test("each run of the job tells a few people, so that no other email waits for the digest", async () => {
  const people = await Promise.all(Array.from({ length: 60 }, reader));
  const seller = await makeUser();
  for (const userId of people) await wish(userId, "lamp");
  await listed(seller, "lamp", "Lamp");
  const told = () =>
    db.$count(notifications, and(eq(notifications.kind, "digest"), inArray(notifications.userId, people)));
  let before = 0;
  for (let run = 1; before < people.length; run += 1) {
    expect(run).toBeLessThan(200);
    await runDigestJob(store());
    const after = await told();
    expect(after - before).toBeLessThan(40);
    before = after;
  }
});
