/** Followed shops: what they have for sale, in the order and at the cost that their readers can rely on. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { shops } from "#app/accounts/tables.server.ts";
import { changeFollow } from "#app/shops/follows.server.ts";
import { listFollowedShops, openFollowing } from "#app/shops/following.server.ts";
import { FOLLOWED_MAX } from "#app/shops/shop-rules.ts";
import { db as house, makeProduct, makeUser } from "#tests/support/fixtures.ts";
import { measured, meteredServices } from "#tests/support/metered.ts";
import { openHome } from "#app/shops/shops.server.ts";

const { meter, ...store } = meteredServices();

let viewerId: string;

beforeEach(async () => {
  viewerId = await makeUser();
});

async function makeShop(name: string): Promise<string> {
  const id = await makeUser({ name });
  await house.insert(shops).values({ id, shopName: name, createdAt: 1, updatedAt: 1 });
  return id;
}

function follow(shopId: string, wanted = true) {
  return changeFollow(store, { userId: viewerId, shopId, follow: wanted });
}

async function list(sellerId: string, name: string, createdAt: number, change = "status = 'active'"): Promise<void> {
  const id = await makeProduct(sellerId, { name });
  await env.DB.prepare(`UPDATE products SET created_at = ?2, ${change} WHERE id = ?1`).bind(id, createdAt).run();
}

const namesOf = ({ products }: { products: { name: string }[] }) => products.map(({ name }) => name);

test("the feed has what followed shops sell now, newest first, and nothing of others", async () => {
  const [kanga, juma, stranger] = [await makeShop("Kanga Corner"), await makeShop("Juma"), await makeShop("Stranger")];
  expect(await openFollowing(store, { viewerId, after: null })).toMatchObject({ products: [], followsAny: false });
  await follow(kanga);
  await follow(juma);
  expect(await openFollowing(store, { viewerId, after: null })).toMatchObject({ products: [], followsAny: true });
  await list(kanga, "Kettle", 10);
  await list(juma, "Lamp", 30);
  await list(kanga, "Desk", 20);
  await list(kanga, "Sold", 40, "status = 'sold'");
  await list(juma, "Deleted", 41, "deleted_at = 1");
  await list(juma, "Taken down", 42, "suspended_at = 1");
  await list(stranger, "Strange", 43);
  expect(namesOf(await openFollowing(store, { viewerId, after: null }))).toEqual(["Lamp", "Desk", "Kettle"]);
  await follow(juma, false);
  expect(namesOf(await openFollowing(store, { viewerId, after: null }))).toEqual(["Desk", "Kettle"]);
});

test("page after page, each listing comes once, also where many were listed in the same moment", async () => {
  const followed = [await makeShop("One"), await makeShop("Two"), await makeShop("Three")];
  for (const shopId of followed) await follow(shopId);
  for (let at = 0; at < 60; at += 1) await list(followed[at % 3] ?? "", `Thing ${at}`, 1000 + (at >> 3));
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof openFollowing>> = await openFollowing(store, { viewerId, after });
    seen.push(...page.products.map(({ id }) => id));
    after = page.next;
  } while (after !== null);
  const { results } = await env.DB.prepare(
    "SELECT id FROM products WHERE seller_id IN (?1, ?2, ?3) ORDER BY created_at DESC, id DESC",
  )
    .bind(...followed)
    .all<{ id: string }>();
  expect(seen).toEqual(results.map(({ id }) => id));
});

test("somebody with 1,000 shops can't follow another, and their feed reads as many rows with many listings", async () => {
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${FOLLOWED_MAX - 1})
       INSERT INTO credentials (id, email, created_at, updated_at) SELECT 'many' || i, 'many' || i, 0, 0 FROM n`,
    ),
    env.DB.prepare(
      `INSERT INTO shops (id, shop_name, created_at, updated_at)
       SELECT id, id, 10, 0 FROM credentials WHERE id LIKE 'many%'`,
    ),
    env.DB.prepare(
      "INSERT INTO shop_follows (user_id, shop_id, created_at) SELECT ?1, id, 10 FROM shops WHERE id LIKE 'many%'",
    ).bind(viewerId),
  ]);
  const grow = (shopsWith: number, listings: number) =>
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${shopsWith * listings - 1})
       INSERT INTO products (id, name, description, price, seller_id, created_at, updated_at)
       SELECT lower(hex(randomblob(16))), 'Thing', '', 100, 'many' || (i * 7 % ${shopsWith}), i, 0 FROM n`,
    ).run();
  // Each shop has something, and the shops of the first pages have more than a page.
  const growAll = async () => {
    await grow(FOLLOWED_MAX, 1);
    await grow(50, 26);
  };
  async function cost(after: string | null) {
    const { result, rows, trips } = await measured(meter, () => openFollowing(store, { viewerId, after }));
    expect(result.products).toHaveLength(24);
    expect(trips).toBe(1);
    return { page: result, rows };
  }
  await growAll();
  const first = await cost(null);
  const second = await cost(first.page.next);
  await growAll();
  const later = await cost(null);
  for (const { rows } of [first, second, later]) expect(rows).toBeLessThan(8_000);
  expect(later.rows).toBeLessThan(first.rows + 100);

  const one = await makeShop("One more");
  expect(await follow(one)).toEqual({ ok: false, code: "too_many" });
  expect(await follow("many7")).toMatchObject({ ok: true, follows: true });
  expect(await follow("many7", false)).toMatchObject({ ok: true, follows: false });
  expect(await follow(one)).toMatchObject({ ok: true, follows: true });
}, 60_000);

test("followed shops are listed, the last followed first, also those with nothing for sale, but none that is suspended", async () => {
  const suspended = await makeShop("Suspended");
  await follow(suspended);
  await env.DB.prepare("UPDATE credentials SET suspended_at = 1 WHERE id = ?1").bind(suspended).run();
  for (let at = 0; at < 30; at += 1) {
    const id = await makeShop(`Shop ${at}`);
    await env.DB.prepare("INSERT INTO shop_follows (user_id, shop_id, created_at) VALUES (?1, ?2, ?3)")
      .bind(viewerId, id, at)
      .run();
  }
  const first = await listFollowedShops(store, { viewerId, after: null });
  const second = await listFollowedShops(store, { viewerId, after: first.next });
  expect([...first.shops, ...second.shops].map(({ name }) => name)).toEqual(
    Array.from({ length: 30 }, (_, at) => `Shop ${29 - at}`),
  );
  expect(first.shops[0]).toMatchObject({ follows: true, own: false, products: [] });
  expect(second.next).toBeNull();
});

test("home leads to the feed only where somebody follows a shop", async () => {
  expect((await openHome(store, { viewerId, wantsAll: false })).followsAny).toBe(false);
  await follow(await makeShop("Kanga Corner"));
  expect((await openHome(store, { viewerId, wantsAll: false })).followsAny).toBe(true);
});
