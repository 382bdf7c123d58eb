import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { browseCategory } from "#app/catalogue/browse/category.server.ts";
import type { ProductPage } from "#app/catalogue/browse/browse.server.ts";
import { type ListFilters, NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { changeListing, followListings, makeProduct, makeUser, setVerification } from "#tests/support/fixtures.ts";
import { readSearchPage } from "#tests/support/search-page.ts";
import { visit } from "#tests/support/visit.ts";
import { type Measured, measured, meteredServices } from "#tests/support/metered.ts";

/** Half of the stationery is of a verified seller; of the music, only the oldest 60 listings. */
const STATIONERY = 2_400;
const MUSIC = 1_200;
const RARE = 60;

const { meter, ...store } = meteredServices();
let viewerId: string;
let verifiedId: string;

async function addListings(category: string, name: string, rows: number, verified: string, plain: string) {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO products (id, name, description, category, condition, location, status, price, seller_id, created_at,
       updated_at)
     SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
       || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
       ?2 || ' ' || i, 'A box', ?3, CASE i % 3 WHEN 0 THEN 'good' ELSE 'new' END, CASE i % 5 WHEN 0 THEN 'City Campus'
         ELSE 'Main Campus' END,
       'active', 100 + i % 700, CASE WHEN ${verified} THEN ?4 ELSE ?5 END, i, i FROM n`,
  )
    .bind(rows - 1, name, category, verifiedId, plain)
    .run();
}

beforeAll(async () => {
  viewerId = await makeUser();
  verifiedId = await makeUser();
  const plainId = await makeUser();
  await addListings("stationery", "Blue pens", STATIONERY, "i % 2 = 0", plainId);
  await addListings("music", "Red drums", MUSIC, `i < ${RARE}`, plainId);
  await followListings();
  await setVerification(verifiedId, "approved");
}, 60_000);

/** The ids of a list, at most 400. No page may take more than one trip and `rows`. */
async function walk(load: (after: string | null) => Promise<ProductPage>, rows: number, trips = 1): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const cursor: string | null = after;
    const { result, ...cost }: Measured<ProductPage> = await measured(meter, () => load(cursor));
    expect(cost.trips).toBeLessThanOrEqual(trips);
    expect(cost.rows).toBeLessThanOrEqual(rows);
    ids.push(...result.products.map(({ id }) => id));
    after = result.next;
  } while (after !== null && ids.length < 400);
  return ids;
}

async function expectedIds(where: string, order: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT id FROM products WHERE seller_id = ?1 AND ${where} ORDER BY ${order}`,
  )
    .bind(verifiedId)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

test.each<[Partial<ListFilters>, string, string]>([
  [{}, "1", "price, rowid DESC"],
  [{ sort: "newest", min: 110, max: 130 }, "price BETWEEN 110 AND 130", "created_at DESC, id DESC"],
])("a category filtered by verified sellers and %j lists what the whole table holds", async (chosen, where, order) => {
  const filters = { ...NO_LIST_FILTERS, ...chosen, verified: true };
  for (const category of ["stationery", "music"]) {
    const load = (after: string | null) => browseCategory(store, { category, filters, after });
    const ids = await walk(load, 11_000);
    const expected = await expectedIds(`category = '${category}' AND ${where}`, order);
    expect(expected.length).toBeGreaterThan(10);
    expect(ids).toEqual(expected.slice(0, ids.length));
    expect(ids.length).toBe(Math.min(expected.length, Math.max(ids.length, 400)));
    expect((await load(null)).count).toEqual({ shown: Math.min(expected.length, 50), more: expected.length > 50 });
  }
});

test("a search finds the listings of verified sellers", async () => {
  const search = (text: string) => (after: string | null) =>
    readSearchPage(store, { text, after, filters: { verified: true } });
  expect(await walk(search("drums"), 11_000, 2)).toEqual(
    await expectedIds("category = 'music'", "created_at DESC, id DESC"),
  );
  const pens = await walk(search("pens"), 11_000, 2);
  expect(pens).toEqual(
    (await expectedIds("category = 'stationery'", "created_at DESC, id DESC")).slice(0, pens.length),
  );
});

test("the filter follows a seller whose level changes, and each new listing of theirs", async () => {
  const sellerId = await makeUser();
  const add = (name: string) => makeProduct(sellerId, { name });
  const found = async (verified: boolean) =>
    (await readSearchPage(store, { text: "kalimba", after: null, filters: { verified } })).products.map(
      ({ name }) => name,
    );
  const one = await add("Kalimba one");
  expect(await found(true)).toEqual([]);
  expect(await found(false)).toEqual(["Kalimba one"]);
  await setVerification(sellerId, "approved");
  await add("Kalimba two");
  expect(await found(true)).toEqual(["Kalimba two", "Kalimba one"]);
  expect(await found(false)).toEqual(["Kalimba two", "Kalimba one"]);
  await changeListing(one, { name: "Marimba" });
  expect(await found(true)).toEqual(["Kalimba two"]);
  await setVerification(sellerId, "rejected");
  expect(await found(true)).toEqual([]);
  expect(await found(false)).toEqual(["Kalimba two"]);
});

test("no text of a listing or its category forges a filter of the search", async () => {
  const [sellerId, marks] = [await makeUser(), "\u{E0F0} \u{E0F1}\u{E0F0}\u{E0F1}"];
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO categories (id, name, name_key, description, status, created_at)
        VALUES ('forged', ?1, ?1, ?1, 'approved', 1)`,
    ).bind(`vuvuzelas ${marks}`),
    ...["forged", `stadium ${marks}`].map((category, n) =>
      env.DB.prepare(
        `INSERT INTO products (id, name, description, category, condition, location, status, price, seller_id,
          created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, 'new', ?3, 'active', 150, ?5, 1, 1)`,
      ).bind(`forged-${n}`, `Vuvuzela ${marks}`, marks, category, sellerId),
    ),
  ]);
  await followListings();
  const found = async (input: { verified?: true; wholesale?: true }) =>
    (await readSearchPage(store, { text: "vuvuzela", after: null, filters: input })).products.length;
  expect(await found({})).toBe(2);
  expect(await found({ verified: true })).toBe(0);
  expect(await found({ wholesale: true })).toBe(0);
});

test("a seller with 3,000 listings becomes verified in one batch", async () => {
  const sellerId = await makeUser();
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)
     INSERT INTO products (id, name, description, category, condition, location, status, price, seller_id, created_at,
       updated_at)
     SELECT 'many-' || i, 'Notebook ' || i, 'Ruled, 200 pages, hard cover', 'textbooks', 'new', 'Main Campus',
       'active', 150, ?1, i, i FROM n`,
  )
    .bind(sellerId)
    .run();
  await setVerification(sellerId, "approved");
  const filters = { ...NO_LIST_FILTERS, verified: true };
  const page = await browseCategory(store, { category: "textbooks", filters, after: null });
  expect(page.count).toEqual({ shown: 50, more: true });
});

test.each([
  ["/studentmarketplace?verified=1", 2],
  ["/search?q=pens&verified=1", 3],
] as const)(
  "%s takes %d round trips at most, and links to the list without the filter and to its next page",
  async (path, most) => {
    const response = await visit(path, { as: viewerId });
    const [, trips] = /trips=(\d+)/.exec(response.headers.get("Server-Timing") ?? "") ?? [];
    expect(Number(trips)).toBe(most);
    const page = await response.text();
    const all = path.replace(/[?&]verified=1/, "");
    expect(page).toContain(`<a class="chip" aria-current="true" href="${all}"`);
    expect(page).toContain(`href="${path.replaceAll("&", "&amp;")}&amp;after=`);
  },
);
