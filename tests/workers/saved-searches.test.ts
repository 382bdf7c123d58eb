/** Saved searches, wishes and followed shops: who is told of a listing, and who isn't. */
import { env } from "cloudflare:workers";
import { and, eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { addToWishlist } from "#app/basket/wishlist.server.ts";
import { readSearch } from "#app/catalogue/search/read-search.ts";
import { NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { DAILY_HOUR, type Frequency, SAVED_MAX } from "#app/catalogue/saved/saved-search-rules.ts";
import {
  changeFrequency,
  deleteSavedSearch,
  findSavedAddress,
  listSavedSearches,
  openSavedSearch,
  saveSearch,
} from "#app/catalogue/saved/saved-searches.server.ts";
import { shareSearch } from "#app/catalogue/saved/shared-searches.server.ts";
import { sweepFoundListings } from "#app/catalogue/saved/listing-news.server.ts";
import { notifications } from "#app/notifications/tables.server.ts";
import { shops } from "#app/accounts/tables.server.ts";
import { stockWaits, products } from "#app/catalogue/tables.server.ts";
import { dayOf, dayStart } from "#app/platform/east-africa-time.ts";
import { changeFollow } from "#app/shops/follows.server.ts";
import { eraseListings } from "#app/catalogue/selling/erase.server.ts";
import { write } from "#app/db/batch.ts";
import { openDatabase } from "#app/db/client.ts";
import { db, makeProduct, makeUser, servicesAt, changeListing } from "#tests/support/fixtures.ts";
import { tellWaiting } from "#tests/support/gathered.ts";
import { runListingNewsJob } from "#workers/jobs/listing-news.ts";
import { setListingStatus } from "#app/catalogue/selling/listings.server.ts";
import { joinWaitingList, notifyWaitingList } from "#app/catalogue/stock/stock-waits.server.ts";
import { CAMPUSES } from "#tests/support/campuses.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** A word that no other test's listing has. */
function newWord(): string {
  return `zq${Array.from({ length: 8 }, () => "bcdfghjklm".charAt(Math.floor(Math.random() * 10))).join("")}`;
}

async function save(userId: string, text: string, frequency: Frequency = "at_once"): Promise<string> {
  const { words, filters } = readSearch(text, CAMPUSES);
  const saved = await saveSearch(servicesAt(), {
    userId,
    saved: { words, filters: { ...NO_LIST_FILTERS, ...filters } },
  });
  expect(saved).toEqual({ ok: true });
  const [newest] = await listSavedSearches(db, userId);
  const id = newest?.id ?? "";
  await changeFrequency(servicesAt(), { userId, id }, frequency);
  return id;
}

interface Told {
  kind: string;
  data: Record<string, unknown>;
}

/** What the centre has for somebody, in order. */
async function toldTo(userId: string): Promise<Told[]> {
  const { results } = await env.DB.prepare("SELECT kind, data FROM notifications WHERE user_id = ? ORDER BY id")
    .bind(userId)
    .all<{ kind: string; data: string }>();
  return results.map(({ kind, data }) => ({ kind, data: JSON.parse(data) as Told["data"] }));
}

const kindsTold = async (userId: string) => (await toldTo(userId)).map(({ kind }) => kind);

/** How long it is, in ms, until tomorrow's daily notification. */
function untilEvening(): number {
  const now = Date.now();
  return dayStart(dayOf(now) + 1) + DAILY_HOUR * HOUR_MS - now;
}

async function run(offsetMs = 0): Promise<void> {
  await runListingNewsJob(servicesAt(offsetMs));
  await tellWaiting();
}

/** The first listing of each message. */
function firstOf({ kind, data }: Told) {
  const [first] = data.listings as { price: number; priceBefore: number | null }[];
  return [kind, first?.price, first?.priceBefore] as const;
}

function setPrice(productId: string, price: number) {
  return changeListing(productId, { price });
}

test("who saved a search is told once of a listing that it finds", async () => {
  const [seller, buyer] = [await makeUser(), await makeUser()];
  const word = newWord();
  const id = await save(buyer, `${word} under 2000`);
  await run();
  expect(await toldTo(buyer)).toEqual([]);
  const productId = await makeProduct(seller, { name: `Old ${word}, blue`, price: 1_900 });
  await makeProduct(seller, { name: `New ${word}, gold`, price: 2_100 });
  await Promise.all([run(), run()]);
  await run();
  expect(await toldTo(buyer)).toEqual([
    {
      kind: "search_found",
      data: {
        count: 1,
        listings: [
          {
            productId,
            productName: `Old ${word}, blue`,
            price: 1_900,
            priceBefore: null,
            search: `“${word}”`,
            searchIds: [id],
          },
        ],
      },
    },
  ]);
  expect(await listSavedSearches(db, buyer)).toMatchObject([{ id, newCount: 1, filters: ["Up to KES 2,000"] }]);
  expect(await env.DB.prepare("SELECT COUNT(*) AS n FROM listing_news").first("n")).toBe(0);
});

test("however long the saved searches take to ask, a run tells of all that it has asked about", async () => {
  const [seller, buyer] = [await makeUser(), await makeUser()];
  const word = newWord();
  await save(buyer, word);
  for (const colour of ["red", "green", "blue"]) await makeProduct(seller, { name: `${word} ${colour}` });
  let slow = 0;
  const slowly = new Proxy(env.DB, {
    get: (database, key: keyof D1Database) => (text: string) => {
      if (key === "prepare" && /from "saved_queries" where "saved_queries"."id" >/.test(text)) slow += 15_000;
      return (database[key] as (value: string) => unknown)(text);
    },
  });
  const services = { ...servicesAt(), db: openDatabase(slowly), now: () => Date.now() + slow };
  await runListingNewsJob(services);
  expect(slow).toBeGreaterThan(20_000);
  expect(await env.DB.prepare("SELECT COUNT(*) AS n FROM listing_news").first("n")).toBe(0);
});

test("two searches of one person that find a listing tell them once", async () => {
  const [seller, buyer] = [await makeUser(), await makeUser()];
  const word = newWord();
  await save(buyer, word, "daily");
  await save(buyer, `${word} blue`);
  await makeProduct(seller, { name: `${word} in blue` });
  await run();
  await run(30 * HOUR_MS);
  expect(await kindsTold(buyer)).toEqual(["search_found"]);
  expect((await listSavedSearches(db, buyer)).map(({ newCount }) => newCount)).toEqual([1, 1]);
});

test("a price that falls tells once more, and one that goes up and down again doesn't", async () => {
  const [seller, buyer] = [await makeUser(), await makeUser()];
  const word = newWord();
  await save(buyer, word);
  const productId = await makeProduct(seller, { name: word, price: 1_000 });
  await run();
  for (const price of [1_500, 1_000, 980, 900, 1_200, 850, 600]) {
    await setPrice(productId, price);
    await run();
  }
  const told = await toldTo(buyer);
  expect(told.map(firstOf)).toEqual([
    ["search_found", 1_000, null],
    ["search_found", 900, 980],
  ]);
});

test("a listing that becomes cheap enough for a search is found", async () => {
  const [seller, buyer] = [await makeUser(), await makeUser()];
  const word = newWord();
  await save(buyer, `${word} below 500`);
  const productId = await makeProduct(seller, { name: word, price: 700 });
  await run();
  expect(await kindsTold(buyer)).toEqual([]);
  await setPrice(productId, 450);
  await run();
  expect((await toldTo(buyer)).map(firstOf)).toEqual([["search_found", 450, null]]);
});

test("nobody is told of their own listing, of a hidden one, or across a block", async () => {
  const [seller, buyer, blocking, blocked, closed] = await Promise.all([1, 2, 3, 4, 5].map(() => makeUser()));
  const word = newWord();
  for (const userId of [seller, buyer, blocking, blocked, closed]) await save(userId ?? "", word);
  await env.DB.batch([
    env.DB.prepare("INSERT INTO blocks VALUES (?1, ?2, 1)").bind(blocking, seller),
    env.DB.prepare("INSERT INTO blocks VALUES (?2, ?1, 1)").bind(blocked, seller),
    env.DB.prepare("UPDATE credentials SET suspended_at = 1 WHERE id = ?").bind(closed),
  ]);
  const productId = await makeProduct(seller ?? "", { name: word });
  // Held before anybody was told.
  await changeListing(productId, { suspendedAt: 1, heldFor: "x" });
  await run();
  expect(await kindsTold(buyer ?? "")).toEqual([]);
  await changeListing(productId, { suspendedAt: null, heldFor: null });
  await run();
  expect(await kindsTold(buyer ?? "")).toEqual(["search_found"]);
  for (const userId of [seller, blocking, blocked, closed]) expect(await kindsTold(userId ?? "")).toEqual([]);
});

test("a daily search gathers what it found into one notification an evening", async () => {
  const [seller, buyer] = [await makeUser(), await makeUser()];
  const word = newWord();
  await save(buyer, word, "daily");
  const names = ["red", "blue", "green"].map((colour) => `${word} ${colour}`);
  const ids: string[] = [];
  for (const name of names) ids.push(await makeProduct(seller, { name }));
  await run();
  const evening = untilEvening();
  expect(await kindsTold(buyer)).toEqual([]);
  // Sold before the evening.
  await changeListing(ids[0] ?? "", { status: "sold" });
  await Promise.all([run(evening), run(evening)]);
  await run(evening + HOUR_MS);
  expect(await toldTo(buyer)).toEqual([
    {
      kind: "searches_daily",
      data: {
        count: 2,
        listings: names
          .slice(1)
          .toReversed()
          .map((name) => expect.objectContaining({ productName: name })),
      },
    },
  ]);
  await run(evening + 24 * HOUR_MS);
  expect((await kindsTold(buyer)).length).toBe(1);
});

test("each run tells a few people what they hear daily, so that no other email waits, and the evening's runs tell everybody", async () => {
  const [seller, people] = [await makeUser(), await Promise.all(Array.from({ length: 60 }, () => makeUser()))];
  const word = newWord();
  for (const userId of people) await save(userId, word, "daily");
  await makeProduct(seller, { name: word });
  await run();
  const evening = untilEvening();
  const told = () =>
    db.$count(notifications, and(eq(notifications.kind, "searches_daily"), inArray(notifications.userId, people)));
  let before = 0;
  for (let minute = 0; before < people.length; minute += 1) {
    expect(minute).toBeLessThan(10);
    await run(evening + minute * 60_000);
    const after = await told();
    expect(after - before).toBeLessThan(30);
    before = after;
  }
  for (const userId of people) expect(await kindsTold(userId)).toEqual(["searches_daily"]);
});

test("a search that tells of nothing still counts", async () => {
  const [seller, buyer] = [await makeUser(), await makeUser()];
  const word = newWord();
  const id = await save(buyer, word, "never");
  const productId = await makeProduct(seller, { name: word });
  await run();
  await run(48 * HOUR_MS);
  expect(await toldTo(buyer)).toEqual([]);
  expect(await listSavedSearches(db, buyer)).toMatchObject([{ newCount: 1 }]);
  await openSavedSearch(db, { userId: buyer, id });
  expect(await listSavedSearches(db, buyer)).toMatchObject([{ newCount: 0 }]);
  // Once they want to know, they are told when it comes back.
  await changeFrequency(servicesAt(), { userId: buyer, id }, "at_once");
  await changeListing(productId, { status: "sold" });
  await changeListing(productId, { status: "active" });
  await run();
  expect(await kindsTold(buyer)).toEqual(["search_found"]);
});

test("a person saves so many searches, each once, and only what limits something", async () => {
  const userId = await makeUser();
  const saved = (words: string) => saveSearch(servicesAt(), { userId, saved: { words, filters: NO_LIST_FILTERS } });
  expect(await saved("")).toEqual({ ok: false, code: "nothing" });
  for (let n = 0; n < SAVED_MAX; n += 1) await saved(`thing number${n}x`);
  expect(await saved("THING number1x")).toEqual({ ok: true });
  expect(await saved("one more")).toEqual({ ok: false, code: "full" });
  expect((await listSavedSearches(db, userId)).length).toBe(SAVED_MAX);
  expect(await env.DB.prepare("SELECT COUNT(*) AS n FROM saved_queries WHERE address = 'q=one+more'").first("n")).toBe(
    0,
  );
});

test("a search goes with the last person who saved it, also when they delete their account", async () => {
  const [one, other] = [await makeUser(), await makeUser()];
  const word = newWord();
  const rows = () =>
    env.DB.prepare("SELECT COUNT(*) AS n FROM saved_queries WHERE address LIKE ?").bind(`%${word}%`).first("n");
  const id = await save(one, word);
  await save(other, word);
  expect(await rows()).toBe(1);
  await deleteSavedSearch(servicesAt(), { userId: other, id });
  expect(await findSavedAddress(db, { userId: one, id })).toBe(`q=${word}`);
  await deleteSavedSearch(servicesAt(), { userId: one, id });
  expect(await rows()).toBe(1);
  await write(db, eraseListings(other, Date.now()));
  expect(await rows()).toBe(0);
});

test("who wished for a listing is told when it is cheaper than they know, and once where a saved search finds it, too", async () => {
  const [seller, wisher, both] = [await makeUser(), await makeUser(), await makeUser()];
  const word = newWord();
  const productId = await makeProduct(seller, { name: word, price: 1_000 });
  for (const userId of [wisher, both]) await addToWishlist(servicesAt(), { userId, productId });
  await run();
  await save(both, word);
  for (const price of [1_400, 990, 900, 1_100, 900, 600]) {
    await setPrice(productId, price);
    await Promise.all([run(), run()]);
  }
  const told = await toldTo(wisher);
  expect(told.map(firstOf)).toEqual([
    ["wish_cheaper", 900, 1_000],
    ["wish_cheaper", 600, 900],
  ]);
  expect((await toldTo(both)).map(firstOf)).toEqual([
    ["search_found", 990, null],
    ["search_found", 900, 990],
    ["wish_cheaper", 600, 900],
  ]);
});

test("who wished for a listing is told once when it is back, as is who waits for it", async () => {
  const [seller, wisher, both, blocked] = [await makeUser(), await makeUser(), await makeUser(), await makeUser()];
  const productId = await makeProduct(seller, { name: newWord(), condition: "new", stock: 1 });
  for (const userId of [wisher, both, blocked]) await addToWishlist(servicesAt(), { userId, productId });
  await env.DB.prepare("INSERT INTO blocks VALUES (?1, ?2, 1)").bind(blocked, seller).run();
  await changeListing(productId, { stock: 0 });
  await env.DB.prepare("INSERT INTO stock_waits (product_id, user_id, created_at) VALUES (?, ?, 1)")
    .bind(productId, both)
    .run();
  await setStock(productId, 3, DAY_MS);
  await notifyWaitingList(servicesAt());
  await run();
  expect(await kindsTold(wisher)).toEqual(["stock_free"]);
  expect(await kindsTold(both)).toEqual(["stock_free"]);
  expect(await kindsTold(blocked)).toEqual([]);
});

test("who wished for a listing is told when it is back a day after its seller marked it as out of stock", async () => {
  const [seller, wisher] = [await makeUser(), await makeUser()];
  const productId = await makeProduct(seller, { name: newWord(), condition: "new", stock: 3 });
  await addToWishlist(servicesAt(), { userId: wisher, productId });
  const mark = (status: "active" | "out_of_stock", offset: number) =>
    setListingStatus(servicesAt(offset), { sellerId: seller, productId, status });
  for (const [goneFor, told] of [
    [HOUR_MS, []],
    [DAY_MS, ["stock_free"]],
  ] as const) {
    await mark("out_of_stock", 0);
    await mark("active", goneFor);
    await notifyWaitingList(servicesAt());
    await tellWaiting();
    expect(await kindsTold(wisher)).toEqual(told);
  }
});

test("who wished for a listing isn't told of a seller's slip, and never waits for what they didn't join", async () => {
  const [seller, wisher, waiter] = [await makeUser(), await makeUser(), await makeUser()];
  const productId = await makeProduct(seller, { name: newWord(), condition: "good", stock: 1 });
  await addToWishlist(servicesAt(), { userId: wisher, productId });
  const mark = (status: "active" | "sold", offset: number) =>
    setListingStatus(servicesAt(offset), { sellerId: seller, productId, status });
  for (let slip = 0; slip < 3; slip += 1) {
    await mark("sold", slip * HOUR_MS);
    await mark("active", slip * HOUR_MS + 5_000);
  }
  await setStock(productId, 0, 3 * HOUR_MS);
  await setStock(productId, 1, HOUR_MS);
  await notifyWaitingList(servicesAt());
  expect(await kindsTold(wisher)).toEqual([]);

  await mark("sold", 5 * HOUR_MS);
  expect(await joinWaitingList(servicesAt(), { userId: waiter, productId })).toEqual({ ok: true });
  await mark("active", 5 * HOUR_MS + DAY_MS);
  // Somebody was faster than the job.
  await setStock(productId, 0, HOUR_MS);
  await notifyWaitingList(servicesAt());
  const waits = await db.select().from(stockWaits).where(eq(stockWaits.productId, productId));
  expect(waits.map(({ userId }) => userId)).toEqual([waiter]);
  expect(await kindsTold(wisher)).toEqual([]);
});

/** Each way in which a listing appears: what it was before, and who is told of it. */
const APPEARANCES: Record<string, { before: Change | null; after: Change; told: Record<Interested, string[]> }> = {
  "is listed": {
    before: null,
    after: {},
    told: { saver: ["search_found"], follower: ["shops_daily"], wisher: [], waiter: [] },
  },
  "is published after our team looked at it": {
    before: { suspendedAt: 1, heldFor: "weapons", news: "new" },
    after: { suspendedAt: null, heldFor: null },
    told: { saver: ["search_found"], follower: ["shops_daily"], wisher: [], waiter: [] },
  },
  "is back on sale": {
    before: { status: "out_of_stock", soldAt: Date.now() - 2 * DAY_MS },
    after: { status: "active" },
    told: { saver: ["search_found"], follower: [], wisher: ["stock_free"], waiter: ["stock_free"] },
  },
  "has pieces again": {
    before: { stock: 0 },
    after: { stock: 3 },
    told: { saver: ["search_found"], follower: [], wisher: [], waiter: ["stock_free"] },
  },
  "is confirmed by its seller": {
    before: { status: "unconfirmed" },
    after: { status: "active" },
    told: { saver: ["search_found"], follower: [], wisher: [], waiter: ["stock_free"] },
  },
  "costs less": {
    before: { price: 1_900 },
    after: { price: 900 },
    told: { saver: ["search_found"], follower: [], wisher: ["wish_cheaper"], waiter: [] },
  },
};
type Change = Parameters<typeof changeListing>[1];
const INTERESTED = ["saver", "follower", "wisher", "waiter"] as const;
type Interested = (typeof INTERESTED)[number];

test.each(Object.entries(APPEARANCES))(
  "a listing that %s is told to whom it concerns, and to nobody else, nor across a block",
  async (_, way) => {
    const seller = await makeUser();
    await db.insert(shops).values({ id: seller, shopName: "Njeri's", createdAt: 1, updatedAt: 1 });
    const word = newWord();
    const people = await Promise.all(
      INTERESTED.flatMap((role) => [false, true].map((isBlocked) => ({ role, isBlocked }))).map(async (person) => ({
        ...person,
        userId: await makeUser(),
      })),
    );
    const all = (role: Interested) => people.filter((person) => person.role === role);
    const list = () => makeProduct(seller, { name: word, condition: "new", stock: 2, price: 1_900 });
    const productId = way.before && (await list());
    if (productId !== null) {
      await run();
      for (const { userId } of all("wisher")) await addToWishlist(servicesAt(), { userId, productId });
      await changeListing(productId, way.before ?? {});
      await run();
      // Nobody waits for what can be bought, or isn't shown.
      for (const { userId } of all("waiter")) await joinWaitingList(servicesAt(), { userId, productId });
    }
    for (const { userId } of all("saver")) await save(userId, word);
    for (const { userId } of all("follower"))
      await changeFollow(servicesAt(), { userId, shopId: seller, follow: true });
    for (const { userId } of people.filter(({ isBlocked }) => isBlocked))
      await env.DB.prepare("INSERT INTO blocks VALUES (?1, ?2, 1)").bind(userId, seller).run();
    if (productId === null) await list();
    else await changeListing(productId, way.after);
    await notifyWaitingList(servicesAt());
    await run();
    await run(30 * HOUR_MS);
    for (const { role, isBlocked, userId } of people)
      expect([role, isBlocked, await kindsTold(userId)]).toEqual([role, isBlocked, isBlocked ? [] : way.told[role]]);
  },
);

/** Changes the stock `after` ms after the last change of the listing. */
async function setStock(productId: string, stock: number, after: number): Promise<void> {
  const [listing] = await db.select({ at: products.updatedAt }).from(products).where(eq(products.id, productId));
  const updatedAt = (listing?.at ?? 0) + after;
  await changeListing(productId, { stock, updatedAt }, updatedAt);
}

test("followers are told once a day what their shops have listed", async () => {
  const [seller, follower, searcher] = [await makeUser(), await makeUser(), await makeUser()];
  await db.insert(shops).values({ id: seller, shopName: "Njeri's", createdAt: 1, updatedAt: 1 });
  const word = newWord();
  for (const userId of [follower, searcher]) await changeFollow(servicesAt(), { userId, shopId: seller, follow: true });
  await save(searcher, word);
  const productId = await makeProduct(seller, { name: word });
  await makeProduct(seller, { name: "Another thing" });
  await run();
  await setPrice(productId, 10);
  await run();
  await run(30 * HOUR_MS);
  await run(60 * HOUR_MS);
  expect(await toldTo(follower)).toEqual([
    { kind: "shops_daily", data: { count: 2, listings: [expect.anything(), expect.anything()] } },
  ]);
  expect(await kindsTold(searcher)).toEqual(["search_found", "search_found", "shops_daily"]);
});

test("what somebody was told of is forgotten after 180 days", async () => {
  const [seller, one, other] = [await makeUser(), await makeUser(), await makeUser()];
  const productId = await makeProduct(seller);
  await env.DB.prepare("DELETE FROM found_listings").run();
  const day = 24 * HOUR_MS;
  for (const [userId, days] of [
    [one, 181],
    [other, 179],
  ] as const)
    await env.DB.prepare("INSERT INTO found_listings VALUES (?1, ?2, 'search', '[]', 1, 1, NULL, ?3)")
      .bind(userId, productId, Date.now() - days * day)
      .run();
  await sweepFoundListings(servicesAt());
  expect(await env.DB.prepare("SELECT group_concat(user_id) AS ids FROM found_listings").first("ids")).toBe(other);
});

test("what the search says is checked before it is shared", async () => {
  const userId = await makeUser();
  await env.DB.prepare(
    "INSERT INTO prohibited_terms (id, kind, term, created_at) VALUES ('zqgun', 'word', 'zqgun', 1)",
  ).run();
  const refusalOf = async (text: string) => shareSearch(servicesAt(), { userId, id: await save(userId, text) });
  expect(await refusalOf("zqguns under 900")).toEqual({ ok: false, code: "prohibited" });
  expect(await refusalOf("phone call 0712 345 678")).toEqual({ ok: false, code: "words" });
  expect(await refusalOf("under 1234")).toEqual({ ok: false, code: "unnamed" });
});
