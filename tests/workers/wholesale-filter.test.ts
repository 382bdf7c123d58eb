import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { browseFeed, type ProductPage } from "#app/catalogue/browse/browse.server.ts";
import { browseCategory } from "#app/catalogue/browse/category.server.ts";
import { type ListFilters, NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { openDatabase } from "#app/db/client.ts";
import { meterDatabase, newMeter } from "#app/db/meter.ts";
import type { Store } from "#app/db/client.ts";
import { makeUser } from "#tests/support/fixtures.ts";
import { readSearchPage } from "#tests/support/search-page.ts";
import { visit } from "#tests/support/visit.ts";

const PLAIN = 3_000;
const WHOLESALE = 60;

const meter = newMeter();
const store: Store = { db: openDatabase(meterDatabase(env.DB, meter)), now: Date.now };
let viewerId: string;

beforeAll(async () => {
  viewerId = await makeUser();
  const sellerId = await makeUser();
  // Every fiftieth of the older listings is wholesale, so that a list without an index would read far.
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO products (id, name, description, category, condition, location, status, price, wholesale, seller_id, created_at, updated_at)
     SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
       'Blue pens ' || i, 'A box', 'stationery', CASE i % 3 WHEN 0 THEN 'good' ELSE 'new' END, CASE i % 4 WHEN 0 THEN 'City Campus' ELSE 'Main Campus' END,
       'active', 100 + i % 700, 0, ?2, i, i FROM n`,
  )
    .bind(PLAIN - 1, sellerId)
    .run();
  await env.DB.prepare("UPDATE products SET wholesale = 1 WHERE created_at < ?1").bind(WHOLESALE).run();
});

/** The ids of a list to its end. No page may take more than one trip and `rows`. */
async function walk(load: (after: string | null) => Promise<ProductPage>, rows: number, trips = 1): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    Object.assign(meter, newMeter());
    const page: ProductPage = await load(after);
    expect(meter.trips).toBeLessThanOrEqual(trips);
    expect(meter.rowsRead).toBeLessThanOrEqual(rows);
    expect(page.products.every(({ wholesale }) => wholesale)).toBe(true);
    ids.push(...page.products.map(({ id }) => id));
    after = page.next;
  } while (after !== null && ids.length < 500);
  return ids;
}

async function expectedIds(where: string, order: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT id FROM products WHERE wholesale = 1 AND ${where} ORDER BY ${order}`,
  ).all<{ id: string }>();
  return results.map(({ id }) => id);
}

test("the feed shows wholesale listings only, for the cost of a page", async () => {
  const ids = await walk(
    (after) => browseFeed(store, { viewerId, after, filters: { ...NO_LIST_FILTERS, wholesale: true } }),
    200,
  );
  expect(ids).toHaveLength(WHOLESALE);
  expect(ids).toEqual(await expectedIds("1", "created_at DESC, id DESC"));
});

test.each<[Partial<ListFilters>, string, string]>([
  [{}, "1", "price, rowid DESC"],
  [{ sort: "price-desc" }, "1", "price DESC, rowid DESC"],
  [{ sort: "newest" }, "1", "created_at DESC, id DESC"],
  [{ sort: "newest", min: 110, max: 130 }, "price BETWEEN 110 AND 130", "created_at DESC, id DESC"],
  [{ conditions: ["new"] }, "condition = 'new'", "price, rowid DESC"],
  [
    { conditions: ["new", "good"], campuses: ["City Campus"] },
    "condition IN ('new', 'good') AND location = 'City Campus'",
    "price, rowid DESC",
  ],
])("a category filtered by wholesale and %j lists what the whole table holds", async (chosen, where, order) => {
  const filters = { ...NO_LIST_FILTERS, ...chosen, wholesale: true };
  const load = (after: string | null) => browseCategory(store, { viewerId, category: "stationery", filters, after });
  const ids = await walk(load, 400);
  const expected = await expectedIds(where, order);
  expect(expected.length).toBeGreaterThan(10);
  expect(ids).toEqual(expected);
  expect((await load(null)).count).toEqual({ shown: Math.min(expected.length, 50), more: expected.length > 50 });
});

test("a search finds the wholesale listings of a common word by its index alone", async () => {
  const search = (text: string) => (after: string | null) =>
    readSearchPage(store, { viewerId, text, after, filters: { wholesale: true } });
  const newest = await expectedIds("1", "created_at DESC, id DESC");
  expect(await walk(search("pens"), 400, 2)).toEqual(newest);
  expect(await walk(search("statio"), 400, 2)).toEqual(newest);
  expect(await walk(search(""), 400, 2)).toEqual(newest);
});

test("the search index follows a listing that becomes wholesale, is renamed, and stops", async () => {
  const found = async (text: string) =>
    (await readSearchPage(store, { viewerId, text, after: null, filters: { wholesale: true } })).products.map(
      ({ name }) => name,
    );
  const change = (set: string) => env.DB.prepare(`UPDATE products SET ${set} WHERE created_at = 2999`).run();
  await change("name = 'Kalimba', category = 'other'");
  expect(await found("kalimba")).toEqual([]);
  await change("wholesale = 1");
  expect(await found("kalimba")).toEqual(["Kalimba"]);
  await change("name = 'Marimba'");
  expect(await found("kalimba")).toEqual([]);
  expect(await found("marimba")).toEqual(["Marimba"]);
  await change("wholesale = 0");
  expect(await found("marimba")).toEqual([]);
  const all = await readSearchPage(store, { viewerId, text: "marimba", after: null });
  expect(all.products).toHaveLength(1);
});

test.each([
  ["/studentmarketplace?wholesale=1", 1],
  ["/search?q=pens&wholesale=1", 2],
] as const)(
  "%s takes %d round trips at most, and links to the list without the filter and to its next page",
  async (path, most) => {
    const response = await visit(path, { as: viewerId });
    const [, trips] = /trips=(\d+)/.exec(response.headers.get("Server-Timing") ?? "") ?? [];
    expect(Number(trips)).toBe(most);
    const page = await response.text();
    const whole = path.replace(/[?&]wholesale=1/, "");
    expect(page).toContain(`<a class="chip" aria-current="true" href="${whole}"`);
    expect(page).toContain(`href="${path.replaceAll("&", "&amp;")}&amp;after=`);
  },
);
