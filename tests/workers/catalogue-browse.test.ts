import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { browseCategory } from "#app/catalogue/browse/category.server.ts";
import { openHome, openSellerPage } from "#app/shops/shops.server.ts";
import { browseFeed, type ProductPage } from "#app/catalogue/browse/browse.server.ts";
import { openNewListing } from "#app/catalogue/selling/listings.server.ts";
import { type ListFilters, NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { forgetWords } from "#app/catalogue/search/search-index.server.ts";
import { suggest } from "#app/catalogue/search/search.server.ts";
import { findProductPage } from "#app/catalogue/product/product-page.server.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";
import { type Store } from "#app/db/client.ts";
import { followListings, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { readSearchPage } from "#tests/support/search-page.ts";
import { type Measured, measured, meteredServices } from "#tests/support/metered.ts";

const { meter, db } = meteredServices();
/** Ms. The seller of everything is featured for one more hour. */
const NOW = 1_730_000_000_000;
const FEATURED_UNTIL = NOW + 3_600_000;
const store: Store = { db, now: () => NOW };

/**
 * The most rows that one page of a list may read, whatever the size of the catalogue: a page's rows with their joins,
 * and the categories.
 */
const PAGE_ROWS = 12_000;

const PRODUCTS = 8_000;
const FURNITURE = 3_000;
let viewerId: string;

/**
 * A catalogue with products spread evenly over four categories (one of them plain text), conditions, campuses and
 * prices up to KES 120,000. Every second name has a common word, every description another. Furniture is cheap now and
 * was expensive before.
 */
beforeAll(async () => {
  viewerId = await makeUser();
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO shops (id, shop_name, featured_until, created_at, updated_at) VALUES (?1, 'Everything', ?2, 0, 0)",
    ).bind(viewerId, FEATURED_UNTIL),
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${PRODUCTS - 1})
       INSERT INTO products (id, name, description, price, condition, location, category, seller_id, created_at,
         updated_at)
       SELECT printf('%08x-0000-4000-8000-%012x', i * 7919 % 65521, i),
         CASE i % 2 WHEN 0 THEN 'Ramtons Kettle ' ELSE 'Casio calculator ' END || (i % 500),
         'Bought last semester, still works well' || CASE
           WHEN i IN (1000, 4000, 7000) THEN '. I used it beside an Oscilloscope'
             WHEN i % 250 = 1 THEN '. Swap for a kettle 7 litres' ELSE '' END,
         i * 7919 % 120000,
         json_extract('["new","like_new","good","fair"]', '$[' || (i / 4 % 4) || ']'),
         json_extract('["Main Campus","City Campus","Parklands Campus","Westlands Campus"]',
           '$[' || (i / 16 % 4) || ']'),
         json_extract('["textbooks","electronics","stationery","Study Materials"]', '$[' || (i % 4) || ']'),
         ?1, 1700000000000 + i, 0 FROM n`,
    ).bind(viewerId),
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${FURNITURE - 1})
       INSERT INTO products (id, name, description, price, category, seller_id, created_at, updated_at)
       SELECT printf('f0000000-0000-4000-8000-%012x', i), 'Table', 'Of wood', CASE WHEN i < 1100 THEN 9000
         ELSE 500 END, 'furniture', ?1, 1710000000000 + i, 0 FROM n`,
    ).bind(viewerId),
    env.DB.prepare(
      `INSERT INTO products (id, name, description, price, category, seller_id, created_at, updated_at)
        VALUES (?1, 'OSCILLOSCOPE Hantek', 'A scope', 9500, 'electronics', ?2, 1720000001000, 0)`,
    ).bind(crypto.randomUUID(), viewerId),
  ]);
  await followListings();
}, 60_000);

/** Follows a list to its end, or for `most` pages. Each page may take at most `trips` and `rows`. */
async function walk(
  load: (after: string | null) => Promise<ProductPage>,
  { most = 50, rows = PAGE_ROWS, trips = 1 } = {},
): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  for (let page = 0; page < most; page += 1) {
    const cursor: string | null = after;
    const { result, ...cost }: Measured<ProductPage> = await measured(meter, () => load(cursor));
    expect(cost.trips).toBeLessThanOrEqual(trips);
    expect(cost.rows, `page ${page}`).toBeLessThanOrEqual(rows);
    ids.push(...result.products.map(({ id }) => id));
    after = result.next;
    if (after === null) break;
  }
  return ids;
}

async function idsOf(query: string, ...values: unknown[]): Promise<string[]> {
  const { results } = await env.DB.prepare(query)
    .bind(...values)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

test("The fiftieth page of the feed costs what the first one costs", async () => {
  let after: string | null = null;
  const costs: number[] = [];
  for (let page = 0; page < 50; page += 1) {
    const cursor: string | null = after;
    const { result, rows }: Measured<ProductPage> = await measured(meter, () =>
      browseFeed(store, { after: cursor, filters: NO_LIST_FILTERS }),
    );
    costs.push(rows);
    after = result.next;
  }
  expect(costs[0]).toBeLessThanOrEqual(PAGE_ROWS);
  expect(costs[49]).toBeLessThanOrEqual((costs[0] ?? 0) + 2);
});

test("Feed, home and categories list only what can be bought, and cost the same when most of the catalogue is sold", async () => {
  const markFurniture = (status: string) =>
    env.DB.prepare("UPDATE products SET status = ?1 WHERE category = 'furniture' AND created_at >= 1710000000100")
      .bind(status)
      .run();
  await markFurniture("sold");
  const furniture = (filters: ListFilters) => browseCategory(store, { category: "furniture", filters, after: null });
  const lists = [
    () => browseFeed(store, { after: null, filters: NO_LIST_FILTERS }),
    () => furniture(NO_LIST_FILTERS),
    () => furniture({ ...NO_LIST_FILTERS, sort: "newest" }),
  ];
  for (const load of lists) {
    const { result, rows } = await measured<ProductPage>(meter, load);
    expect(result.products.map(({ status }) => status)).toEqual(Array.from({ length: 24 }, () => "active"));
    expect(rows).toBeLessThanOrEqual(PAGE_ROWS);
  }
  expect((await furniture(NO_LIST_FILTERS)).count).toEqual({ shown: 100, more: false });
  expect((await openHome(store, { viewerId, wantsAll: false })).newest.map(({ status }) => status)).not.toContain(
    "sold",
  );
  await markFurniture("active");
});

test("A card says that a description goes on, however it is spaced", async () => {
  const long = "Works well and comes with its charger and a bag. I bought it last year.";
  const beginning = "Works well and comes with its charger and a bag.…";
  const descriptions = [
    [long, beginning],
    [long.replace("well and ", "well.\n\n\n\n"), "Works well. comes with its charger and a bag. I…"],
    [`   \n${long}`, beginning],
    ["  Works well  ", "Works well"],
    ["   ", null],
  ] as const;
  expect(long[48]).toBe(" ");
  const ids = await idsOf(`SELECT id FROM products WHERE name = 'Table' LIMIT ${descriptions.length}`);
  for (const [index, [description, line]] of descriptions.entries()) {
    await env.DB.prepare("UPDATE products SET description = ?1 WHERE id = ?2").bind(description, ids[index]).run();
    expect((await findProductPage(store, ids[index] ?? "", null))?.product.about ?? null).toBe(line);
  }
});

test("The listings of a featured shop are marked in every list, and no longer once its time is over", async () => {
  const [productId = ""] = await idsOf("SELECT id FROM products WHERE name = 'Table' LIMIT 1");
  const lists = {
    feed: (at: Store) => browseFeed(at, { after: null, filters: NO_LIST_FILTERS }),
    names: (at: Store) => readSearchPage(at, { text: "kettle", after: null }),
    descriptions: (at: Store) => readSearchPage(at, { text: "semester, still", after: null }),
    starts: (at: Store) => readSearchPage(at, { text: "ca", after: null }),
    category: (at: Store) => browseCategory(at, { category: "textbooks", filters: NO_LIST_FILTERS, after: null }),
    range: (at: Store) =>
      browseCategory(at, {
        category: "textbooks",
        filters: { ...NO_LIST_FILTERS, sort: "newest", min: 1_000 },
        after: null,
      }),
    seller: (at: Store) => openSellerPage(at, { sellerId: viewerId, viewerId: null, after: null }),
    home: async (at: Store) => ({ products: (await openHome(at, { viewerId, wantsAll: false })).newest }),
    product: async (at: Store) => {
      const page = await findProductPage(at, productId, null);
      return { products: page ? [page.product, ...page.more] : [] };
    },
  };
  for (const [name, list] of Object.entries(lists)) {
    for (const [now, featured] of [
      [FEATURED_UNTIL - 1, true],
      [FEATURED_UNTIL, false],
    ] as const) {
      const products = (await list({ db, now: () => now }))?.products ?? [];
      expect(new Set(products.map((product) => product.featured ?? false)), `${name} at ${now}`).toEqual(
        new Set([featured]),
      );
    }
  }
});

describe("Search", () => {
  const search = (text: string) => (after: string | null) => readSearchPage(store, { text, after });
  const found = (text: string, most?: number) => walk(search(text), { most, trips: 2 });

  test("shows matches in names before matches in descriptions, newest first within each", async () => {
    const expected = await idsOf(
      `SELECT id FROM products WHERE lower(name) LIKE '%oscilloscope%' OR lower(description) LIKE '%oscilloscope%'
       ORDER BY lower(name) LIKE '%oscilloscope%' DESC, rowid DESC`,
    );
    expect(expected).toHaveLength(4);
    expect(await found("oscilloSCOPE")).toEqual(expected);
    const { products } = await search("oscilloscope")(null);
    expect(products.map(({ excerpt }) => excerpt)).toEqual([undefined, ...Array(3).fill("…beside an Oscilloscope")]);
  });

  test("finds exactly what a look through the whole table finds, page by page, across its stages", async () => {
    const expected = await idsOf(
      `SELECT id FROM products WHERE name LIKE '%Kettle 7%' OR description LIKE '%kettle 7 %'
       ORDER BY CASE WHEN name LIKE '%Kettle 7' THEN 0 WHEN name LIKE '%Kettle 7%' THEN 1 ELSE 2 END, rowid DESC`,
    );
    expect(expected).toHaveLength(112);
    expect(await found("7 kettle", 200)).toEqual(expected);
  });

  test.each([
    ["a word in half of all names", "kettle"],
    ["words of every description and no name", "semester, still"],
    ["a word that no product has", "refrigerator"],
    ["two common words that no product has both of", "kettle calculator"],
    ["a common word and a misspelled one", "kettle oscilloscpoe"],
    ["a rare word", "oscilloscope"],
    ["one character", "r"],
    ["two characters", "ca"],
    ["two characters that no name begins with", "zz"],
    ["a part of common words", "ttl"],
  ])("reads no more than a page of rows for %s", async (_what, text) => {
    await found(text, 3);
  });

  test("leaves out what was deleted, suspended or renamed, and shows last what is sold", async () => {
    const [id, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const change = async (sql: string) => {
      await env.DB.prepare(`${sql} WHERE id = ?1`).bind(id).run();
      await followListings(id);
    };
    for (const one of [other, id])
      await env.DB.prepare(
        `INSERT INTO products (id, name, description, price, seller_id, created_at, updated_at)
          VALUES (?1, 'Ukulele', 'Four strings', 10, ?2, 1, 1)`,
      )
        .bind(one, viewerId)
        .run();
    await followListings(other, id);
    expect(await found("ukulele")).toEqual([id, other]);
    await change("UPDATE products SET status = 'sold'");
    expect(await found("ukulele")).toEqual([other, id]);
    await change("UPDATE products SET suspended_at = 1");
    expect(await found("ukulele")).toEqual([other]);
    await change("UPDATE products SET suspended_at = NULL, status = 'active', name = 'Banjo'");
    expect(await found("ukulele")).toEqual([other]);
    expect(await found("banjo")).toEqual([id]);
    await change("UPDATE products SET deleted_at = 1");
    expect(await found("banjo")).toEqual([]);
    await change("UPDATE products SET deleted_at = NULL");
    expect(await found("banjo")).toEqual([id]);
    await change("UPDATE products SET deleted_at = 1");
    expect(await found("banjo")).toEqual([]);
    await forgetWords(store);
    const left = await idsOf(
      `SELECT word AS id FROM search_words WHERE word IN ('banjo', 'ukulele', 'strings')
        UNION SELECT word FROM search_word_parts WHERE word IN ('banjo', 'ukulele', 'strings') ORDER BY id`,
    );
    expect(left, "a word goes with its last listing").toEqual(["strings", "ukulele"]);
  });

  test("suggests categories that begin with the text, and newest first the names in which a word does", async () => {
    const { result, rows, trips } = await measured(meter, () => suggest(db, "hant", KEPT_TABLE));
    expect(result).toEqual({ types: [], names: ["OSCILLOSCOPE Hantek"], categories: [] });
    expect(trips).toBe(1);
    expect(rows).toBeLessThanOrEqual(PAGE_ROWS);

    const tables = await measured(meter, () => suggest(db, "t", KEPT_TABLE));
    expect(tables.result).toEqual({
      types: [],
      names: ["Table"],
      categories: [{ id: "textbooks", name: "Textbooks" }],
    });
    expect(tables.rows).toBeLessThanOrEqual(PAGE_ROWS);

    const kettles = await measured(meter, () => suggest(db, "kettle ramt", KEPT_TABLE));
    expect(kettles.result.names).toHaveLength(8);
    expect(kettles.rows).toBeLessThanOrEqual(PAGE_ROWS);
  });
});

describe("A category", () => {
  const browse =
    (category: string, filters: Partial<ListFilters> = {}) =>
    (after: string | null) =>
      browseCategory(store, { category, filters: { ...NO_LIST_FILTERS, ...filters }, after });

  /** The same list, computed from the whole table. */
  async function expectedIds(
    category: string[],
    { sort, conditions, campuses, min, max }: ListFilters,
    limit: number,
  ): Promise<string[]> {
    const order = {
      best: "price, rowid DESC",
      "price-asc": "price, rowid DESC",
      "price-desc": "price DESC, rowid DESC",
      newest: "rowid DESC",
    }[sort];
    return idsOf(
      `SELECT id FROM products WHERE category IN (SELECT value FROM json_each(?1)) AND price BETWEEN ?2 AND ?3
       ${conditions.length > 0 ? "AND condition IN (SELECT value FROM json_each(?4))" : "AND ?4 IS NOT NULL"}
       ${campuses.length > 0 ? "AND location IN (SELECT value FROM json_each(?5))" : "AND ?5 IS NOT NULL"}
       ORDER BY ${order} LIMIT ?6`,
      JSON.stringify(category),
      min ?? 0,
      max ?? 10_000_000,
      JSON.stringify(conditions),
      JSON.stringify(campuses),
      limit,
    );
  }

  test("goes by its id, its name in any case, and plain text", async () => {
    const whole = await expectedIds(["study-materials"], NO_LIST_FILTERS, 24);
    for (const name of ["study-materials", "Study Materials", "STUDY MATERIALS"]) {
      const page = await browse(name)(null);
      expect(page.products.map(({ id }) => id)).toEqual(whole);
      expect(page.name).toBe("Study Materials");
    }
    const unknown = await browse("spaceships")(null);
    expect(unknown).toMatchObject({ name: "Spaceships", products: [], count: { shown: 0, more: false }, next: null });
  });

  test("beyond the hundredth is called by its name too, by its id or its name, for a seek", async () => {
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 299)
       INSERT INTO categories (id, name, name_key, status, created_at)
         SELECT printf('many-%03d', i), printf('Zither %03d', i), printf('zither %03d', i), 'approved', 0 FROM n`,
    ).run();
    for (const asked of ["many-299", "Zither 299", "zither 299"]) {
      const { result, rows } = await measured(meter, () => browse(asked)(null));
      expect(result).toMatchObject({ name: "Zither 299", products: [] });
      expect(rows).toBeLessThan(30);
    }
    const { categories } = await openNewListing(servicesAt(), { id: viewerId, phone: null });
    expect(categories).toContainEqual({ id: "many-299", name: "Zither 299" });
    await env.DB.prepare("DELETE FROM categories WHERE id LIKE 'many-%'").run();
  });

  test("counts everything, and up to 50 of what filters leave", async () => {
    expect((await browse("furniture")(null)).count).toEqual({ shown: 3_000, more: false });
    expect((await browse("furniture", { min: 501 })(null)).count).toEqual({ shown: 50, more: true });
    expect((await browse("furniture", { min: 9_001 })(null)).count).toEqual({ shown: 0, more: false });
    // The category was plain text in these listings, which are as many as a quarter of all.
    expect((await browse("Study Materials")(null)).count).toEqual({ shown: PRODUCTS / 4, more: false });
  });

  test("gets to the end of a price range that only its oldest products are in", async () => {
    const filters: ListFilters = { ...NO_LIST_FILTERS, sort: "newest", min: 1_000 };
    expect(await walk(browse("furniture", filters), { most: 100 })).toEqual(
      await expectedIds(["furniture"], filters, 2_000),
    );
  });
});
