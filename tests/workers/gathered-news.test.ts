/**
 * Floods: whatever is listed or made cheaper at whatever hour, one person gets one message of a kind, and not again
 * soon.
 */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { addToWishlist, removeFromWishlist } from "#app/basket/wishlist.server.ts";
import { NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { saveSearch } from "#app/catalogue/saved/saved-searches.server.ts";
import { write } from "#app/db/batch.ts";
import { queueEffect } from "#app/db/outbox.ts";
import { notifications, pushSubscriptions } from "#app/notifications/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import type { Mail } from "#app/notifications/mailer.ts";
import type { PushMessage } from "#app/notifications/push/push.ts";
import { dayOf, dayStart } from "#app/platform/east-africa-time.ts";
import { tellGathered } from "#app/screens/notifications/tell-gathered.server.ts";
import { wordsOf } from "#app/screens/notifications/words/words.ts";
import type { KindData } from "#app/notifications/kinds.ts";
import { db, makeProduct, makeUser, servicesAt, changeListing, followListings } from "#tests/support/fixtures.ts";
import { runListingNewsJob } from "#workers/jobs/listing-news.ts";
import { drainOutbox } from "#workers/jobs/send-outbox.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Midnight in East Africa, some days ahead. */
const MIDNIGHT = dayStart(dayOf(Date.now()) + 2);

beforeEach(async () => {
  await db.delete(outbox);
  await db.delete(notifications);
  await env.DB.batch(
    ["gathered_news", "listing_news", "leases"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
  );
});

interface Left {
  at: number;
  mail?: Mail;
  push?: PushMessage;
}

interface Meanwhile {
  /** Minutes after the beginning, before whose run of the job something happens. */
  minutes: number[];
  happens(minute: number): Promise<unknown>;
}

/** So long after something has happened the job runs each minute, and then with each sixth, as nothing is new. */
const LIVELY_MINUTES = 15;
const QUIET_STEP = 6;

/** The job from `from` until `until`, ms. Returns what left. */
async function play(from: number, until: number, { minutes, happens }: Meanwhile) {
  const left: Left[] = [];
  let livelyUntil = 0;
  for (let minute = 0; from + minute * MINUTE < until; minute += 1) {
    const at = from + minute * MINUTE;
    if (minutes.includes(minute)) {
      await happens(minute);
      livelyUntil = minute + LIVELY_MINUTES;
    }
    if (minute > livelyUntil && minute % QUIET_STEP !== 0) continue;
    const services = { ...servicesAt(), now: () => at, pause: async () => {}, log: () => {} };
    await runListingNewsJob(services);
    await tellGathered(services);
    const mailer = { send: async (mail: Mail) => void left.push({ at, mail }) };
    const send = async (_target: object, push: PushMessage) => (left.push({ at, push }), "sent" as const);
    await drainOutbox(services, { mailer, push: { publicKey: "k", accepts: () => true, send } });
  }
  return {
    mails: left.flatMap(({ at, mail }) => (mail ? [{ ...mail, at }] : [])),
    pushes: left.flatMap(({ at, push }) => (push ? [{ ...push, at }] : [])),
  };
}

/** Somebody with one device, and the quiet hours that everybody begins with. */
async function makeReader(): Promise<string> {
  const userId = await makeUser();
  await db.insert(pushSubscriptions).values({
    id: crypto.randomUUID(),
    userId,
    endpoint: `https://push.sandbox.internal/push/${userId}`,
    p256dh: "p",
    auth: "a",
    deviceName: "Chrome on Android",
    sessionId: "s",
    sessionEpoch: 1,
    endsAt: MIDNIGHT + 99 * 24 * HOUR,
    createdAt: 1,
    usedAt: 1,
  });
  return userId;
}

const told = (userId: string) => db.select().from(notifications).where(eq(notifications.userId, userId));
const setPrice = (productId: string, price: number) => changeListing(productId, { price });

async function saveWord(userId: string, words: string): Promise<void> {
  expect(await saveSearch(servicesAt(), { userId, saved: { words, filters: NO_LIST_FILTERS } })).toEqual({ ok: true });
}

/** Lists so many things of one name at once, as an import does. */
async function listMany(sellerId: string, name: string, count: number, from: number): Promise<void> {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1 + ?2)
      INSERT INTO products (id, name, description, price, condition, category, location, seller_id, created_at,
        updated_at)
      SELECT printf('b%07x-0000-4000-8000-000000000000', i), ?3 || ' ' || i, '-', 500, 'new', 'furniture',
        'Main Campus', ?4, i, 1 FROM n`,
  )
    .bind(from, count, name, sellerId)
    .run();
  const numbers = Array.from({ length: count }, (_, n) => (from + n).toString(16).padStart(7, "0"));
  await followListings(...numbers.map((number) => `b${number}-0000-4000-8000-000000000000`));
}

test("an import of 400 listings that fit several saved searches is one notification, one push and one email", async () => {
  const [seller, reader] = [await makeUser(), await makeReader()];
  for (const words of ["zqlamps", "zqlamps blue"]) await saveWord(reader, words);
  const noon = MIDNIGHT + 12 * HOUR;
  const { mails, pushes } = await play(noon, noon + 90 * MINUTE, {
    minutes: [0, 1, 2, 3, 4, 5, 6, 7],
    happens: (minute) => listMany(seller, "Blue zqlamps", 50, minute * 50),
  });
  expect(pushes).toHaveLength(1);
  expect(mails).toHaveLength(1);
  const rows = await told(reader);
  expect(rows).toMatchObject([{ kind: "search_found", data: { count: 400 } }]);
  const { subject, heading, paragraphs, action } = wordsOf("search_found", mails[0]!.data as KindData["search_found"]);
  expect(subject).toMatch(/^400 new listings for /);
  expect(heading).toBe(pushes[0]?.title);
  expect(paragraphs).toHaveLength(6);
  expect(paragraphs.at(-1)).toBe("And 395 more.");
  expect(action.path).toBe("/saved-searches");
  expect(await db.$count(outbox)).toBe(2);
}, 60_000);

test("a login leaves with the next run, however many wait for news of an import", async () => {
  const seller = await makeUser();
  const readers = await Promise.all(Array.from({ length: 65 }, () => makeUser()));
  for (const userId of readers) await saveWord(userId, "zqmugs");
  const noon = MIDNIGHT + 12 * HOUR;
  const askedAt: number[] = [];
  const { mails } = await play(noon, noon + 40 * MINUTE, {
    minutes: Array.from({ length: 40 }, (_, minute) => minute),
    async happens(minute) {
      if (minute < 6) await listMany(seller, "Red zqmugs", 12, 1_000 + minute * 12);
      if (minute < 5) return;
      const now = noon + minute * MINUTE;
      const login: Mail = { to: "asks@campus.test", template: "welcome", data: { name: "Asha" } };
      await write(db, [queueEffect(`login:${minute}`, login, { topic: "mail", traffic: "security", now })]);
      askedAt.push(now);
    },
  });
  const isLogin = ({ template }: Mail) => template === "welcome";
  expect(mails.filter(isLogin).map(({ at }) => at)).toEqual(askedAt);
  const news = mails.filter((mail) => !isLogin(mail));
  expect(news.map(({ template }) => template)).toEqual(readers.map(() => "search_found"));
  // They took several runs, and in each of these the login was the first.
  const runs = [...new Set(news.map(({ at }) => at))];
  expect(runs.length).toBeGreaterThan(2);
  for (const run of runs) expect(mails.find(({ at }) => at === run)).toSatisfy(isLogin);
}, 120_000);

test("a first alert leaves within minutes, and the next of its kind an hour later at the earliest", async () => {
  const [seller, reader] = [await makeUser(), await makeReader()];
  await saveWord(reader, "zqsofas");
  const noon = MIDNIGHT + 12 * HOUR;
  const { pushes } = await play(noon, noon + 150 * MINUTE, {
    minutes: [0, 20, 40, 60, 80, 100, 120, 140],
    happens: (minute) => listMany(seller, "zqsofas", 1, 10_000 + minute),
  });
  expect(pushes.map(({ at }) => (at - noon) / MINUTE)).toEqual([5, 65, 125]);
});

test("eight small price cuts within minutes are one push with the last price, and the next is hours later", async () => {
  const [seller, reader] = [await makeUser(), await makeReader()];
  const productId = await makeProduct(seller, { price: 1_000, name: "Kettle" });
  await addToWishlist(servicesAt(), { userId: reader, productId });
  const noon = MIDNIGHT + 9 * HOUR;
  let price = 1_000;
  const { mails, pushes } = await play(noon, noon + 9 * HOUR, {
    minutes: [0, 1, 2, 3, 4, 5, 6, 7, 30],
    happens: () => setPrice(productId, (price = Math.floor(price * 0.95))),
  });
  expect(pushes.map(({ at }) => (at - noon) / MINUTE)).toEqual([12, 12 + 6 * 60]);
  const listings = mails.map(({ data }) => (data as KindData["wish_cheaper"]).listings[0]);
  expect(listings).toMatchObject([{ priceBefore: 1_000 }, { price }]);
  expect((await told(reader)).map(({ kind }) => kind)).toEqual(["wish_cheaper", "wish_cheaper"]);
}, 60_000);

test("eight cuts of a night are one push in the morning, with the last price", async () => {
  const [seller, reader] = [await makeUser(), await makeReader()];
  const productId = await makeProduct(seller, { price: 1_000, name: "Kettle" });
  await addToWishlist(servicesAt(), { userId: reader, productId });
  let price = 1_000;
  const { mails, pushes } = await play(MIDNIGHT - HOUR, MIDNIGHT + 9 * HOUR, {
    minutes: [0, 50, 100, 150, 200, 250, 300, 350],
    happens: () => setPrice(productId, (price = Math.floor(price * 0.95))),
  });
  expect(pushes.map(({ at }) => (at - MIDNIGHT) / MINUTE)).toEqual([7 * 60]);
  expect(mails).toMatchObject([{ data: { count: 1, listings: [{ price, priceBefore: 1_000 }] } }]);
}, 60_000);

test("a price that is back before the morning tells nobody", async () => {
  const [seller, reader] = [await makeUser(), await makeReader()];
  const productId = await makeProduct(seller, { price: 1_000, name: "Kettle" });
  await addToWishlist(servicesAt(), { userId: reader, productId });
  const left = await play(MIDNIGHT - 10 * MINUTE, MIDNIGHT + 8 * HOUR, {
    minutes: [0, 300],
    happens: (minute) => setPrice(productId, minute === 0 ? 900 : 1_000),
  });
  expect([left, await told(reader)]).toEqual([{ mails: [], pushes: [] }, []]);
}, 60_000);

test("a price of which they were told before they gave the heart again is told again", async () => {
  const [seller, reader] = [await makeUser(), await makeReader()];
  const productId = await makeProduct(seller, { price: 1_000, name: "Kettle" });
  const at = (now: number) => ({ ...servicesAt(), now: () => now });
  const noon = MIDNIGHT + 9 * HOUR;
  await addToWishlist(at(noon - 1), { userId: reader, productId });
  const { pushes } = await play(noon, noon + 3 * HOUR, {
    minutes: [0, 30, 40, 60],
    async happens(minute) {
      if (minute !== 40) return setPrice(productId, minute === 30 ? 1_000 : 900);
      await removeFromWishlist(at(noon + 40 * MINUTE), { userId: reader, productId });
      await addToWishlist(at(noon + 40 * MINUTE), { userId: reader, productId });
    },
  });
  expect(pushes.map((push) => (push.at - noon) / MINUTE)).toEqual([5, 65]);
  expect(await told(reader)).toHaveLength(2);
}, 60_000);

test("a wish and a saved search tell of the same fall once", async () => {
  const [seller, reader] = [await makeUser(), await makeReader()];
  const productId = await makeProduct(seller, { price: 1_000, name: "zqfridge" });
  await db.delete(notifications);
  await env.DB.prepare("DELETE FROM listing_news").run();
  await saveWord(reader, "zqfridge");
  await addToWishlist(servicesAt(), { userId: reader, productId });
  const noon = MIDNIGHT + 9 * HOUR;
  const { pushes } = await play(noon, noon + 8 * HOUR, {
    minutes: [0],
    happens: () => setPrice(productId, 900),
  });
  expect(pushes).toHaveLength(1);
}, 60_000);
