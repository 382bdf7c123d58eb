import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { browseCampusFeed } from "#app/catalogue/browse/campus-feed.server.ts";
import { NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { FEED_PAGE_SIZE } from "#app/catalogue/catalogue-rules.ts";
import { makeUser } from "#tests/support/fixtures.ts";
import { sessionCookie } from "#tests/support/accounts.ts";
import { visit } from "#tests/support/visit.ts";
import { measured, meteredServices } from "#tests/support/metered.ts";

const { meter, db: metered } = meteredServices();
const NOW = 1_730_000_000_000;

let sellerId: string;

beforeEach(async () => {
  for (const table of ["listing_news", "products"]) await env.DB.prepare(`DELETE FROM ${table}`).run();
  sellerId = await makeUser();
});

/** Somebody at a campus; null for somebody without one. */
async function makeStudent(campus: "Main Campus" | "City Campus" | null): Promise<string> {
  const id = await makeUser();
  await env.DB.prepare(
    `UPDATE profiles SET campus_location = ?1, campus_location_id = (SELECT id FROM campus_locations WHERE name = ?1)
      WHERE id = ?2`,
  )
    .bind(campus, id)
    .run();
  return id;
}

/** Lists this many things at a campus, one after the other. */
async function list(location: string, count: number) {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     INSERT INTO products (id, name, description, price, location, category, seller_id, created_at, updated_at)
     SELECT lower(hex(randomblob(16))), 'Kettle ' || i, 'Of steel', 900, ?1, 'electronics', ?3, i, 0 FROM n`,
  )
    .bind(location, count, sellerId)
    .run();
}

const feedOf = (viewerId: string, after: string | null = null) =>
  browseCampusFeed({ db: metered, now: () => NOW }, { viewerId, after, filters: NO_LIST_FILTERS, wantsAll: false });

const placesOf = ({ products }: Awaited<ReturnType<typeof feedOf>>) => [
  ...new Set(products.map(({ location }) => location)),
];

test("the feed shows the own campus alone, page by page to its end, once that makes a page", async () => {
  const student = await makeStudent("City Campus");
  await list("Main Campus", 100);
  await list("City Campus", FEED_PAGE_SIZE + 6);
  const first = await feedOf(student);
  expect([first.ownCampus, placesOf(first), first.products.length]).toEqual(["City Campus", ["City Campus"], 24]);
  const second = await feedOf(student, first.next);
  expect([placesOf(second), second.products.length, second.next]).toEqual([["City Campus"], 6, null]);
  expect(new Set([...first.products, ...second.products].map(({ id }) => id)).size).toBe(FEED_PAGE_SIZE + 6);
});

test("a campus with less than a page, and somebody without a campus, have the feed of all campuses", async () => {
  await list("Main Campus", 20);
  await list("City Campus", FEED_PAGE_SIZE - 1);
  for (const campus of ["City Campus", null] as const) {
    const feed = await feedOf(await makeStudent(campus));
    expect([feed.ownCampus, placesOf(feed).length, feed.products.length]).toEqual([null, 2, 24]);
  }
});

test("what can't be bought doesn't count", async () => {
  const student = await makeStudent("City Campus");
  await list("City Campus", FEED_PAGE_SIZE);
  expect((await feedOf(student)).ownCampus).toBe("City Campus");
  await env.DB.prepare("UPDATE products SET status = 'sold' WHERE name = 'Kettle 7'").run();
  expect((await feedOf(student)).ownCampus).toBeNull();
});

test.each(["City Campus", "Main Campus", null] as const)(
  "for somebody at %s, the page costs the same whatever the campuses have, and one round trip",
  async (campus) => {
    const student = await makeStudent(campus);
    const costs: number[] = [];
    for (const more of [50, 500]) {
      await list("City Campus", more);
      const { rows, trips } = await measured(meter, () => feedOf(student));
      expect(trips).toBe(1);
      costs.push(rows);
    }
    expect(costs[0]).toBeLessThan(300);
    expect(costs[1]).toBe(costs[0]);
  },
);

test("the choice of all campuses is remembered in the browser, until a campus is chosen", async () => {
  const student = await makeStudent("City Campus");
  await list("Main Campus", 30);
  await list("City Campus", 30);
  const browser = await sessionCookie(student);
  const open = async (path: string, choice = "") => {
    const response = await visit(path, { headers: { Cookie: `${browser}; ${choice}` } });
    const page = await response.text();
    return {
      shows: ["What your campus is selling today", "What students are selling today"].find((text) =>
        page.includes(text),
      ),
      remembers: response.headers.get("Set-Cookie"),
    };
  };
  const [own, all] = ["What your campus is selling today", "What students are selling today"];
  expect(await open("/studentmarketplace")).toEqual({ shows: own, remembers: null });
  expect(await open("/studentmarketplace?campus=all")).toEqual({
    shows: all,
    remembers: expect.stringMatching(/^feed_campus=all;.* Max-Age=31536000;/),
  });
  expect(await open("/studentmarketplace", "feed_campus=all")).toEqual({ shows: all, remembers: null });
  expect(await open("/studentmarketplace?campus=City+Campus", "feed_campus=all")).toEqual({
    shows: own,
    remembers: expect.stringMatching(/^feed_campus=all;.* Max-Age=0;/),
  });
});

test("a feed of 24 cards with photos stays below 59,800 bytes, and 9,450 after gzip", async () => {
  const student = await makeStudent("City Campus");
  await list("City Campus", FEED_PAGE_SIZE);
  await env.DB.prepare(
    `UPDATE products SET name = 'Kettle of steel, one liter, ' || substr(id, 1, 6),
       description = 'It boils in three minutes, and its handle stays cold. ' || id,
       images = json_array(json_object('key', 'img/' || lower(hex(randomblob(16))), 'width', 800, 'height', 1000,
         'widths', json_array(320, 800), 'tone', '#dcc', 'thumbhash', '1QcSHQRnh493V4dIh4eXh1h4kJUI'))`,
  ).run();
  const page = await (await visit("/studentmarketplace", { as: student })).text();
  expect(page.match(/<article/g)).toHaveLength(FEED_PAGE_SIZE);
  const packed = await new Response(new Blob([page]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
  expect(page.length).toBeLessThan(59_800);
  expect(packed.byteLength).toBeLessThan(9_450);
});
