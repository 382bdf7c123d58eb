import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { findProductPage } from "#app/catalogue/product/product-page.server.ts";
import { blockUser, unblockUser } from "#app/messaging/block-user.server.ts";
import { changeFollow } from "#app/shops/follows.server.ts";
import { listShops, openSellerPage, type SellerPage, type ShopsPage, openHome } from "#app/shops/shops.server.ts";
import { db as house, makeProduct, makeUser, rate } from "#tests/support/fixtures.ts";
import { ratingScore } from "#tests/support/rating-score.ts";
import { visit } from "#tests/support/visit.ts";
import { type Measured, measured, meteredServices } from "#tests/support/metered.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { profiles, shops } from "#app/accounts/tables.server.ts";
import { eq } from "drizzle-orm";

const { meter, db } = meteredServices();
const HOUR = 3_600_000;
const store = { db, now: () => Date.now() };

async function makeShop(
  input: { name?: string; createdAt?: number; featuredUntil?: number; products?: number } = {},
): Promise<string> {
  const id = await makeUser({ name: "Achieng Odhiambo" });
  const createdAt = input.createdAt ?? Date.now();
  await house.insert(shops).values({
    id,
    shopName: input.name ?? "Achieng Books",
    featuredUntil: input.featuredUntil,
    createdAt,
    updatedAt: createdAt,
  });
  for (let at = 0; at < (input.products ?? 1); at += 1) await makeProduct(id, { name: `Thing ${at}` });
  return id;
}

function open(sellerId: string, viewerId: string | null, after: string | null = null) {
  return openSellerPage(store, { sellerId, viewerId, after });
}

describe("A seller's page", () => {
  test("hides phone numbers and emails from visitors, also in its meta tags and its data, but not from members", async () => {
    const seller = await makeShop();
    const texts = { description: "Call (0712) 345 678 or sales@duka.test", policies: "Returns: +254 (0)712 345678" };
    await house
      .update(shops)
      .set({ ...texts, shopName: "Duka 0712 345 678", businessHours: "Any time, 0712345678" })
      .where(eq(shops.id, seller));
    await makeProduct(seller, { name: "Kettle 0712-345-678" });
    for (const path of [`/seller/${seller}`, `/seller/${seller}.data`]) {
      const shown = await (await visit(path)).text();
      expect(shown).toContain("Call (log in to see this) or (log in to see this)");
      expect(shown).toContain("Returns: (log in to see this)");
      expect(shown).toContain("Kettle …");
      expect(shown).toContain("Duka …");
      expect(shown).not.toMatch(/345[\s-]?678|sales@/);
    }
    const member = await (await visit(`/seller/${seller}`, { as: await makeUser() })).text();
    for (const text of Object.values(texts)) expect(member).toContain(text);
  });

  test("is not there for people who never sold, who left, or who are suspended", async () => {
    const buyer = await makeUser();
    expect(await open(buyer, null)).toBeNull();
    await makeProduct(buyer);
    expect((await open(buyer, null))?.seller).toMatchObject({ title: "Wanjiku's shop", shop: null });
    const suspended = await makeShop();
    await env.DB.prepare("UPDATE credentials SET suspended_at = 1 WHERE id = ?1").bind(suspended).run();
    expect(await open(suspended, buyer)).toBeNull();
    const left = await makeUser();
    await makeProduct(left);
    await house.update(profiles).set({ deletedAt: 1, isSeller: true }).where(eq(profiles.id, left));
    expect(await open(left, buyer)).toBeNull();
    expect(await open("nobody", buyer)).toBeNull();
  });

  test("of a shop without a profile goes by the shop's name", async () => {
    const seller = await makeShop({ name: "Gadget Duka" });
    await env.DB.prepare("DELETE FROM profiles WHERE id = ?1").bind(seller).run();
    expect((await open(seller, null))?.seller).toMatchObject({
      title: "Gadget Duka",
      campusLocation: null,
      level: "none",
    });
  });

  test("lists only what can be bought from this seller, page by page, at a bounded cost", async () => {
    const seller = await makeShop({ products: 0 });
    const other = await makeShop();
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)
       INSERT INTO products (id, name, description, price, category, seller_id, status, created_at, updated_at)
       SELECT printf('%08x-0000-4000-8000-%012x', i, i), 'Set book ' || i, 'KCSE', 300, 'textbooks', ?1, CASE i % 3
         WHEN 0 THEN 'sold' ELSE 'active' END, 1700000000000 + i / 7, 0 FROM n`,
    )
      .bind(seller)
      .run();
    await house.update(products).set({ deletedAt: 1 }).where(eq(products.name, "Set book 2999"));
    const seen: string[] = [];
    let after: string | null = null;
    for (let page = 0; page < 5; page += 1) {
      const cursor: string | null = after;
      const { result, rows, trips }: Measured<SellerPage | null> = await measured(meter, () =>
        open(seller, other, cursor),
      );
      expect(trips).toBe(1);
      expect(rows).toBeLessThanOrEqual(200);
      seen.push(...(result?.products ?? []).map(({ id }) => id));
      after = result?.next ?? null;
    }
    const { results } = await env.DB.prepare(
      `SELECT id FROM products WHERE seller_id = ?1 AND status = 'active' AND deleted_at IS NULL
        ORDER BY created_at DESC, id DESC LIMIT 120`,
    )
      .bind(seller)
      .all<{ id: string }>();
    expect(seen).toEqual(results.map(({ id }) => id));
  });

  test("shows a new seller below three reviews, and then the rating and its distribution", async () => {
    const seller = await makeShop();
    expect((await open(seller, null))?.seller).toMatchObject({ rating: null, distribution: [] });
    await rate(seller, [0, 1, 0, 0, 1]);
    expect((await open(seller, null))?.seller).toMatchObject({ rating: null, distribution: [] });
    await rate(seller, [0, 1, 0, 0, 2]);
    expect((await open(seller, null))?.seller).toMatchObject({
      rating: { average: 4, count: 3 },
      distribution: [{ stars: 5, count: 2, percent: 67 }, {}, {}, { stars: 2, count: 1, percent: 33 }, {}],
    });
  });
});

test("The score of a shop by the database is a Bayesian average, however its reviews came", async () => {
  const seller = await makeShop();
  const sellsLater = await makeUser();
  const score = async (id: string) =>
    (await env.DB.prepare("SELECT rating_score AS score FROM shops WHERE id = ?1").bind(id).first<{ score: number }>())
      ?.score;
  expect(await score(seller)).toBe(4_000);
  await rate(seller, [0, 0, 0, 0, 1]);
  expect(await score(seller)).toBe(4_166);
  await rate(seller, [0, 0, 0, 5, 95]);
  expect(await score(seller)).toBe(4_904);
  const some = fc.integer({ min: 0, max: 3_000 });
  const histories = fc.sample(fc.tuple(some, some, some, some, some), { numRuns: 40, seed: 7 });
  for (const counts of histories) {
    await rate(seller, counts);
    expect(await score(seller)).toBe(ratingScore(counts));
  }
  await rate(sellsLater, [1, 0, 0, 0, 7]);
  await visit("/myshop/settings", { as: sellsLater, form: { shopName: "Later" } });
  expect(await score(sellsLater)).toBe(ratingScore([1, 0, 0, 0, 7]));
});

describe("Following", () => {
  test("comes to the same however often and from however many pages at once it is asked for", async () => {
    const [shopId, one, two] = [await makeShop(), await makeUser(), await makeUser()];
    const answers = await Promise.all(
      [one, one, two, one, two].map((userId) => changeFollow(store, { userId, shopId, follow: true })),
    );
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect((await open(shopId, one))?.seller.shop).toMatchObject({ follows: true, followers: 2 });
    expect(await changeFollow(store, { userId: one, shopId, follow: false })).toEqual({
      ok: true,
      follows: false,
      followers: 1,
    });
    expect(await changeFollow(store, { userId: one, shopId, follow: false })).toEqual({
      ok: true,
      follows: false,
      followers: 1,
    });
    expect((await open(shopId, two))?.seller.shop).toMatchObject({ follows: true, followers: 1 });
  });

  test("is refused for one's own shop and for shops that do not exist", async () => {
    const shopId = await makeShop();
    expect(await changeFollow(store, { userId: shopId, shopId, follow: true })).toEqual({ ok: false, code: "own" });
    expect(await changeFollow(store, { userId: shopId, shopId: await makeUser(), follow: true })).toEqual({
      ok: false,
      code: "not_found",
    });
    expect((await open(shopId, null))?.seller.shop?.followers).toBe(0);
  });

  test("is counted up to 1,001 and never further", async () => {
    const shopId = await makeShop();
    await env.DB.batch([
      env.DB.prepare(
        `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n
          WHERE i < 1499) INSERT INTO credentials (id, email, created_at, updated_at)
            SELECT 'fan' || i, 'fan' || i, 0, 0 FROM n`,
      ),
      env.DB.prepare(
        `INSERT INTO shop_follows (user_id, shop_id, created_at) SELECT id, ?1, 0 FROM credentials
          WHERE id LIKE 'fan%'`,
      ).bind(shopId),
    ]);
    const { result, rows } = await measured(meter, () => open(shopId, "fan7"));
    expect(result?.seller.shop).toMatchObject({ follows: true, followers: 1_001 });
    expect(rows).toBeLessThanOrEqual(1_100);
  });
});

describe("Featured shops", () => {
  const since = Math.ceil(Date.now() / HOUR) * HOUR;
  const at = (now: number) => ({ db, now: () => now });
  let viewerId: string;
  let paid: string[];

  beforeAll(async () => {
    viewerId = await makeUser();
    paid = [];
    for (let n = 0; n < 9; n += 1)
      paid.push(await makeShop({ name: `Paid ${n}`, featuredUntil: since + 100 * HOUR, createdAt: 5 }));
    await makeShop({ name: "Paid, sold out", featuredUntil: since + 100 * HOUR, products: 0 });
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)
       INSERT INTO credentials (id, email, created_at, updated_at) SELECT 'crowd' || i, 'crowd' || i, 0, 0 FROM n`,
    ).run();
    await env.DB.prepare(
      `INSERT INTO shops (id, shop_name, created_at, updated_at) SELECT id, id, 10, 0 FROM credentials
        WHERE id LIKE 'crowd%'`,
    ).run();
  });

  test("take turns: in nine hours each of nine is shown six times", async () => {
    const shown = new Map<string, number>();
    for (let hour = 0; hour < 9; hour += 1) {
      const {
        result: home,
        rows,
        trips,
      } = await measured(meter, () => openHome(at(since + hour * HOUR), { viewerId, wantsAll: false }));
      expect(trips).toBe(1);
      expect(rows).toBeLessThanOrEqual(600);
      expect(home.shops).toHaveLength(6);
      for (const shop of home.shops) shown.set(shop.id, (shown.get(shop.id) ?? 0) + 1);
    }
    expect([...shown.keys()].toSorted()).toEqual(paid.toSorted());
    expect([...shown.values()]).toEqual(paid.map(() => 6));
  });

  test("are followed by the best rated shops that have something to sell, once their time is over", async () => {
    const [best, good, fresh] = [
      await makeShop({ name: "Best", createdAt: 1, products: 5 }),
      await makeShop({ name: "Good", createdAt: 1 }),
      await makeShop({ name: "New", createdAt: since + 200 * HOUR }),
    ];
    await rate(best, [0, 0, 0, 0, 40]);
    await rate(good, [0, 0, 0, 1, 3]);
    await rate(await makeShop({ name: "Poor", createdAt: since + 201 * HOUR }), [9, 0, 0, 0, 0]);
    await rate(await makeShop({ name: "Nothing yet", products: 0 }), [0, 0, 0, 0, 90]);
    await changeFollow(store, { userId: viewerId, shopId: best, follow: true });
    const { result, rows, trips } = await measured(meter, () =>
      openHome(at(since + 101 * HOUR), { viewerId, wantsAll: false }),
    );
    expect(trips).toBe(1);
    expect(rows).toBeLessThanOrEqual(600);
    expect(result.shops.slice(0, 3).map(({ id }) => id)).toEqual([best, good, fresh]);
    expect(result.shops[0]).toMatchObject({
      name: "Best",
      featured: false,
      follows: true,
      own: false,
      rating: { average: 5, count: 40 },
    });
    expect(result.shops[0]?.products.map(({ name }) => name)).toHaveLength(3);
    expect(result.shops.map(({ featured }) => featured)).not.toContain(true);
    expect(result.shops.map(({ name }) => name)).not.toContain("Nothing yet");
    expect(result.shops.map(({ name }) => name)).not.toContain("Poor");
  });
});

test.each(["newest", "rated"] as const)(
  "all shops that have something to sell are listed once, %s first, at a bounded cost a page",
  async (order) => {
    const viewerId = await makeUser();
    const since = Date.now() + 1000 * HOUR;
    for (let at = 0; at < 60; at += 1) {
      const id = await makeShop({ createdAt: since + at, products: at % 3 === 0 ? 0 : 1 });
      if (at % 2 === 0) await rate(id, [0, at % 5, 0, 0, at]);
    }
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const cursor: string | null = after;
      const { result, rows, trips }: Measured<ShopsPage> = await measured(meter, () =>
        listShops(store, { viewerId, after: cursor, order }),
      );
      expect(trips).toBe(1);
      expect(rows).toBeLessThanOrEqual(400);
      seen.push(...result.shops.map(({ id }) => id));
      after = result.next;
      // The crowd's ids can't stand in a cursor, and have nothing to sell.
    } while (after !== null && !after.includes("crowd"));
    const { results } = await env.DB.prepare(
      `SELECT id FROM shops h WHERE EXISTS (SELECT 1 FROM products
        WHERE seller_id = h.id AND status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL)
        AND EXISTS (SELECT 1 FROM credentials WHERE id = h.id AND suspended_at IS NULL)
       ORDER BY ${order === "rated" ? "rating_score DESC," : ""} created_at DESC, id DESC`,
    ).all<{ id: string }>();
    expect(seen.length).toBeGreaterThanOrEqual(order === "rated" ? 10 : 40);
    expect(seen).toEqual(results.slice(0, seen.length).map(({ id }) => id));
  },
);

test("A product's page shows up to four other products of its seller that can be bought, in one trip", async () => {
  const seller = await makeShop({ products: 6 });
  const viewerId = await makeUser();
  await makeProduct(seller, { name: "Sold thing", status: "sold" });
  const id = await makeProduct(seller, { name: "Shown thing" });
  await rate(seller, [0, 0, 0, 1, 2]);
  const { result, rows, trips } = await measured(meter, () => findProductPage(store, id, viewerId));
  expect(trips).toBe(1);
  expect(rows).toBeLessThanOrEqual(40);
  expect(result?.product).toMatchObject({
    name: "Shown thing",
    rating: { average: 4.7, count: 3 },
    seller: { id: seller, shopName: "Achieng Books", level: "email" },
  });
  expect(result?.more).toHaveLength(4);
  // The page shows the rating with the seller.
  expect(result?.more.every((product) => !("rating" in product))).toBe(true);
  expect(result?.more.map(({ name }) => name)).not.toContain("Shown thing");
  expect(result?.more.map(({ name }) => name)).not.toContain("Sold thing");
  await house.update(products).set({ suspendedAt: 1 }).where(eq(products.id, id));
  expect(await findProductPage(store, id, viewerId)).toBeNull();
});

test("a seller's email, if they show it, and preferred contact are for members, and for nobody across a block", async () => {
  const sellerId = await makeShop();
  await house.update(shops).set({ preferredContact: "Telegram" }).where(eq(shops.id, sellerId));
  const contactsFor = async (viewerId: string | null) => {
    const page = await openSellerPage(store, { sellerId, viewerId, after: null });
    return [page?.seller.email, page?.seller.preferredContact];
  };
  const [viewerId, other] = [await makeUser(), await makeUser()];
  const shown = [`${sellerId}@campus.test`, "Telegram"];
  const hidden = [null, null];
  expect(await contactsFor(viewerId)).toEqual([null, "Telegram"]);
  const press = (emailShown: string) =>
    visit("/settings", { as: sellerId, form: { intent: "email-shown", emailShown } });
  await press("on");
  expect(await contactsFor(null)).toEqual(hidden);
  expect(await contactsFor(viewerId)).toEqual(shown);
  for (const [userId, blockedId] of [
    [viewerId, sellerId],
    [sellerId, viewerId],
  ] as const) {
    await blockUser(store, { userId, blockedId });
    expect(await contactsFor(viewerId)).toEqual(hidden);
    expect(await contactsFor(other)).toEqual(shown);
    await unblockUser(store, { userId, blockedId });
  }
  await press("off");
  expect(await contactsFor(viewerId)).toEqual([null, "Telegram"]);
});
