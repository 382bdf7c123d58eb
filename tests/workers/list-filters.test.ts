/** Filters of the feed and of a search, against what the whole table holds. */
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { browseCategory } from "#app/catalogue/browse/category.server.ts";
import { hasNone, type ListFilters, NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { LIST_KINDS, LIST_SORTS, sortOf } from "#app/catalogue/browse/list-kinds.ts";
import { browseFeed } from "#app/catalogue/browse/browse.server.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";
import { FEED_PAGE_SIZE } from "#app/catalogue/catalogue-rules.ts";
import { CONDITIONS, LIST_COUNT_MAX } from "#app/catalogue/labels.ts";
import { countFound, type Suggestions } from "#app/catalogue/search/search.server.ts";
import { openSellerPage } from "#app/shops/shops.server.ts";
import { followListings, followShops, makeProduct, makeUser, setVerification } from "#tests/support/fixtures.ts";
import { readNearestPage, readSearchPage } from "#tests/support/search-page.ts";
import { visit } from "#tests/support/visit.ts";
import { meteredServices } from "#tests/support/metered.ts";
import { CAMPUSES } from "#tests/support/campuses.ts";

/** The most that one page reads here; list-costs.test.ts has lists and searches apart. */
const ROWS_MAX = 11_000;

const { meter, ...store } = meteredServices();
let viewerId: string;
let sellers: { id: string; verified: boolean; delivers: boolean }[];

interface Row {
  id: string;
  name: string;
  price: number;
  condition: string;
  location: string;
  type: string | null;
  facts: Record<string, string>;
  wholesale: boolean;
  seller: number;
  status: string;
}

/** In the order of their numbers, as ids of the feed are. */
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

const rows: Row[] = Array.from({ length: 260 }, (_, n) => ({
  id: idOf(n),
  name: n % 3 === 0 ? `Lamp ${n}` : `Desk ${n}`,
  price: [0, 50, 500, 999, 1_000, 1_500, 15_000, 15_010, 24_500, 250_000][(n * 7) % 10] ?? 0,
  condition: CONDITIONS[n % 4] ?? "new",
  location: CAMPUSES[Math.floor(n / 3) % 4] ?? "Unknown",
  type: ["laptop", "laptop-charger", null][n % 3] ?? null,
  facts: {
    ...(n % 3 < 2 && { memory: String(4 + 4 * (n % 4)) }),
    ...(n % 5 < 2 && { brand: ["hp", "dell"][n % 5] ?? "" }),
  },
  wholesale: n % 11 === 0,
  seller: n % 4,
  status: n % 13 === 0 ? "sold" : "active",
}));

beforeAll(async () => {
  viewerId = await makeUser();
  sellers = await Promise.all(
    [0, 1, 2, 3].map(async (n) => ({ id: await makeUser(), verified: n > 1, delivers: n % 2 === 1 })),
  );
  const insert = env.DB.prepare(
    `INSERT INTO products (id, name, description, category, status, price, condition, location, type, wholesale,
      seller_id, created_at, updated_at, facts)
     VALUES (?1, ?2, 'Works', 'other', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10, ?11)`,
  );
  await env.DB.batch([
    ...rows.map((row, at) =>
      insert.bind(
        row.id,
        row.name,
        row.status,
        row.price,
        row.condition,
        row.location,
        row.type,
        Number(row.wholesale),
        sellers[row.seller]?.id,
        at,
        JSON.stringify(row.facts),
      ),
    ),
    ...sellers.map(({ id, delivers }, n) =>
      env.DB.prepare(
        "INSERT INTO shops (id, shop_name, offers_delivery, created_at, updated_at) VALUES (?1, ?2, ?3, 0, 0)",
      ).bind(id, `Lamp House ${n}`, Number(delivers)),
    ),
  ]);
  for (const { id, verified } of sellers) if (verified) await setVerification(id, "approved");
  await followListings();
  await followShops();
});

const end = fc.option(fc.constantFrom(0, 1, 499, 500, 1_000, 1_200, 15_000, 24_499, 24_500, 250_000, 2_000_000));
const filtersToTry: fc.Arbitrary<ListFilters> = fc.record({
  min: end,
  max: end,
  conditions: fc.subarray(CONDITIONS, { maxLength: 2 }),
  campuses: fc.subarray([...CAMPUSES], { maxLength: 2 }),
  type: fc.option(fc.constantFrom("laptop", "laptop-charger")),
  facts: fc.constantFrom<ListFilters["facts"]>({}, {}, { memory: ["8", "16"] }, { brand: ["hp"], memory: ["4", "12"] }),
  delivery: fc.boolean(),
  verified: fc.boolean(),
  wholesale: fc.boolean(),
  sort: fc.constantFrom("best", "newest", "price-asc", "price-desc"),
});

function fits(row: Row, filters: ListFilters): boolean {
  const seller = sellers[row.seller];
  return (
    row.price >= (filters.min ?? 0) &&
    row.price <= (filters.max ?? Infinity) &&
    (filters.conditions.length === 0 || filters.conditions.some((condition) => condition === row.condition)) &&
    (filters.campuses.length === 0 || filters.campuses.includes(row.location)) &&
    (filters.type === null || filters.type === row.type) &&
    Object.entries(filters.facts).every(([id, values]) => values.includes(row.facts[id] ?? "")) &&
    (!filters.delivery || seller?.delivers === true) &&
    (!filters.verified || seller?.verified === true) &&
    (!filters.wholesale || row.wholesale)
  );
}

async function walk(
  load: (after: string | null) => Promise<{ products: { id: string }[]; next: string | null }>,
): Promise<string[]> {
  const found: string[] = [];
  let after: string | null = null;
  do {
    const before = meter.rowsRead;
    const page = await load(after);
    expect(meter.rowsRead - before).toBeLessThanOrEqual(ROWS_MAX);
    found.push(...page.products.map(({ id }) => id));
    after = page.next;
  } while (after !== null);
  return found;
}

/** At the same price, and where the price doesn't matter, the newest come first. */
function inOrder(expected: readonly Row[], sort: ListFilters["sort"]): string[] {
  const newestFirst = expected.toReversed();
  if (sort === "price-asc") newestFirst.sort((one, other) => one.price - other.price);
  if (sort === "price-desc") newestFirst.sort((one, other) => other.price - one.price);
  return newestFirst.map(({ id }) => id);
}

test("Any filters of the feed leave what they say, in the order that was asked for", async () => {
  await fc.assert(
    fc.asyncProperty(filtersToTry, async (filters) => {
      const found = await walk((after) => browseFeed(store, { after, filters }));
      const expected = rows.filter((row) => row.status === "active" && fits(row, filters));
      expect(found).toEqual(inOrder(expected, filters.sort));
      expect(await countFound(store.db, { text: "", filters, vocabulary: new Map() }, KEPT_TABLE)).toBe(
        Math.min(expected.length, LIST_COUNT_MAX + 1),
      );
    }),
    { numRuns: 30 },
  );
});

test("Any filters of a category leave what they say, in the order that was asked for", async () => {
  await fc.assert(
    fc.asyncProperty(filtersToTry, async (filters) => {
      const input = { viewerId, category: "other", filters };
      const found = await walk((after) => browseCategory(store, { ...input, after }));
      const expected = rows.filter((row) => row.status === "active" && fits(row, filters));
      expect(found).toEqual(inOrder(expected, sortOf(filters, LIST_KINDS.category)));
      const { count } = await browseCategory(store, { ...input, after: null });
      const most = hasNone({ ...filters, sort: "best" }) ? Infinity : LIST_COUNT_MAX;
      expect(count).toEqual({ shown: Math.min(expected.length, most), more: expected.length > most });
      const place = { text: "", vocabulary: new Map(), category: "other" };
      const counted = await countFound(store.db, { ...place, filters }, KEPT_TABLE);
      expect(counted).toBe(Math.min(expected.length, LIST_COUNT_MAX + 1));
    }),
    { numRuns: 30 },
  );
});

test("Any filters of a seller's page leave what they say of that seller's listings, and are counted so", async () => {
  await fc.assert(
    fc.asyncProperty(filtersToTry, fc.constantFrom(...sellers.keys()), async (filters, seller) => {
      const sellerId = sellers[seller]?.id ?? "";
      const found = await walk(async (after) => {
        const page = await openSellerPage(store, { sellerId, viewerId, after, filters });
        if (!page) throw new Error("no such seller");
        return page;
      });
      const expected = rows.filter((row) => row.seller === seller && row.status === "active" && fits(row, filters));
      expect(found).toEqual(inOrder(expected, filters.sort));
      const count = await countFound(store.db, { text: "", filters, vocabulary: new Map(), sellerId }, KEPT_TABLE);
      expect(count).toBe(Math.min(expected.length, LIST_COUNT_MAX + 1));
    }),
    { numRuns: 20 },
  );
});

test("Any filters of a search leave what they say, in the order that was asked for", async () => {
  const word = fc.constantFrom("Lamp", "Desk");
  await fc.assert(
    fc.asyncProperty(filtersToTry, fc.constantFrom(...CAMPUSES, null), word, async (filters, campus, text) => {
      const found = await walk((after) => readSearchPage(store, { text, after, filters, campus }));
      const isFound = (row: Row) => row.name.startsWith(text) && fits(row, filters);
      const sold = filters.sort.startsWith("price") ? [] : rows.filter((row) => row.status === "sold" && isFound(row));
      const active = rows.filter((row) => row.status === "active" && isFound(row));
      if (filters.sort.startsWith("price")) expect(found).toEqual(inOrder(active, filters.sort));
      else expect(found.toSorted()).toEqual([...active, ...sold].map(({ id }) => id).toSorted());
    }),
    { numRuns: 30 },
  );
});

test("What is on the viewer's campus comes first among what fits equally", async () => {
  const { products } = await readSearchPage(store, { text: "lamp", after: null, campus: "City Campus" });
  const places = products.map(({ location }) => location === "City Campus");
  expect(places.indexOf(false)).toBeGreaterThan(3);
  expect(places.lastIndexOf(true)).toBeLessThan(places.indexOf(false));
});

test.each<[text: string, filters: Partial<ListFilters>, isFound: (row: Row) => boolean]>([
  ["submarine", {}, () => true],
  ["submarine", { campuses: ["City Campus"] }, ({ location }) => location === "City Campus"],
  ["lamp submarine", {}, ({ name }) => name.startsWith("Lamp")],
  [
    "lamp submarine",
    { min: 501, max: 20_000 },
    ({ name, price }) => name.startsWith("Lamp") && price > 500 && price <= 20_000,
  ],
  ["purple laptop", {}, ({ type }) => type === "laptop"],
  ["lamp", { min: 300_000 }, ({ name }) => name.startsWith("Lamp")],
])(
  "What is nearest to %s with %o is whole and comes in any order that was asked for",
  async (text, filters, isFound) => {
    const expected = rows.filter((row) => row.status === "active" && isFound(row));
    // The screen says that the newest listings are all that it has.
    const isAnything = text === "submarine";
    for (const sort of Object.keys(LIST_SORTS) as ListFilters["sort"][]) {
      const found = await walk((after) => readNearestPage(store, { text, after, filters: { ...filters, sort } }));
      expect({ sort, found }).toEqual({ sort, found: inOrder(expected, isAnything ? "newest" : sort) });
    }
  },
);

test("The page of what is nearest has it by price where that was chosen, and says what is missing", async () => {
  const answer = await visit("/search?q=purple+laptop&sort=price-desc", { as: viewerId });
  const html = await answer.text();
  expect(html).toContain("Nothing has “purple”. These are laptops.");
  const shown = [...new Set(html.match(/(?<=href="\/product\/)0{8}-0000-4000-8000-\d{12}/g))];
  const laptops = rows.filter((row) => row.status === "active" && row.type === "laptop");
  expect(shown).toEqual(inOrder(laptops, "price-desc").slice(0, FEED_PAGE_SIZE));
});

test("A list that is limited to a type says its name, also of one that admins added", async () => {
  await env.DB.prepare("INSERT INTO item_types VALUES ('quill', 'Quill', 'Quills', 'stationery', 0)").run();
  const named = async (type: string | null) => {
    const input = { viewerId, after: null, filters: { ...NO_LIST_FILTERS, type } };
    const lists = [await browseFeed(store, input), await readSearchPage(store, { ...input, text: "lamp" })];
    return lists.map(({ typeName }) => typeName);
  };
  expect(await named("laptop")).toEqual(["Laptops", "Laptops"]);
  expect(await named("quill")).toEqual(["Quills", "Quills"]);
  expect(await named("unicorn")).toEqual([null, null]);
  expect(await named(null)).toEqual([null, null]);
});

test("A shop that starts to deliver, and stops, takes its listings along", async () => {
  const count = () =>
    countFound(
      store.db,
      { text: "", filters: { ...NO_LIST_FILTERS, delivery: true, min: 24_500 }, vocabulary: new Map() },
      KEPT_TABLE,
    );
  const before = await count();
  const deliver = (flag: number) =>
    env.DB.prepare("UPDATE shops SET offers_delivery = ?2 WHERE id = ?1").bind(sellers[0]?.id, flag).run();
  await deliver(1);
  expect(await count()).toBeGreaterThan(before);
  await deliver(0);
  expect(await count()).toBe(before);
});

test("A new price, campus, condition or type moves a listing at once", async () => {
  const found = async (filters: Partial<ListFilters>) =>
    (
      await browseFeed(store, {
        after: null,
        filters: { ...NO_LIST_FILTERS, min: 7_777, max: 7_777, ...filters },
      })
    ).products.length;
  expect(await found({})).toBe(0);
  await env.DB.prepare(
    "UPDATE products SET price = 7777, location = 'Parklands Campus', condition = 'fair', type = 'sofa' WHERE id = ?",
  )
    .bind(idOf(1))
    .run();
  expect(await found({})).toBe(1);
  expect(await found({ type: "sofa", campuses: ["Parklands Campus"], conditions: ["fair"] })).toBe(1);
  await env.DB.prepare("UPDATE products SET price = 50, type = 'laptop' WHERE id = ?").bind(idOf(1)).run();
  expect(await found({})).toBe(0);
});

test("The search index follows a listing that becomes wholesale, is renamed, and stops", async () => {
  const found = async (text: string) =>
    (await readSearchPage(store, { text, after: null, filters: { wholesale: true } })).products.map(({ name }) => name);
  const change = async (set: string) => {
    await env.DB.prepare(`UPDATE products SET ${set} WHERE id = ?`).bind(idOf(2)).run();
    await followListings(idOf(2));
  };
  await change("name = 'Kalimba', category = 'other'");
  expect(await found("kalimba")).toEqual([]);
  await change("wholesale = 1");
  expect(await found("kalimba")).toEqual(["Kalimba"]);
  await change("name = 'Marimba'");
  expect(await found("kalimba")).toEqual([]);
  expect(await found("marimba")).toEqual(["Marimba"]);
  await change("wholesale = 0");
  expect(await found("marimba")).toEqual([]);
  const all = await readSearchPage(store, { text: "marimba", after: null });
  expect(all.products).toHaveLength(1);
});

test("A search finds the best rated shops by their names, and none that sells nothing or was renamed", async () => {
  const named = async (text: string, after: string | null = null) =>
    (await readNearestPage(store, { text, after })).shops.map(({ name }) => name);
  expect(await named("lamp hou")).toHaveLength(3);
  expect(await named("house 2 lamp")).toEqual(["Lamp House 2"]);
  const owner = await makeUser();
  await env.DB.prepare("INSERT INTO shops (id, shop_name, created_at, updated_at) VALUES (?1, 'Empty Lamp Hall', 0, 0)")
    .bind(owner)
    .run();
  await followShops(owner);
  expect(await named("empty lamp")).toEqual([]);
  await env.DB.prepare("UPDATE shops SET shop_name = 'Mwanga Stores' WHERE id = ?1").bind(sellers[2]?.id).run();
  await followShops(sellers[2]?.id ?? "");
  expect(await named("house 2")).toEqual([]);
  expect(await named("mwanga")).toEqual(["Mwanga Stores"]);
  // The best rated ones are younger than many, and not the only good ones.
  for (let at = 0; at < 20; at += 1) {
    const id = await makeUser();
    await env.DB.prepare(
      "INSERT INTO shops (id, shop_name, rating_score, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, 0)",
    )
      .bind(id, `Duka ${at}`, at < 15 ? 0 : at, at)
      .run();
    await followShops(id);
    if (at !== 19) await makeProduct(id);
  }
  expect(await named("duka")).toEqual(["Duka 18", "Duka 17", "Duka 16"]);
});

test("Types are suggested by any of their names, also those of admins, if something of theirs is for sale", async () => {
  const typed = async (text: string) => {
    const answer = await visit(`/search/suggestions?q=${encodeURIComponent(text)}`, { as: viewerId });
    return ((await answer.json()) as Suggestions).types;
  };
  expect(await typed("lap")).toEqual(["Laptops"]);
  expect(await typed("laptop ch")).toEqual(["Laptop chargers"]);
  expect(await typed("elitebook")).toEqual([]);
  expect(await typed("ultrab")).toEqual(["Laptops"]);
  expect(await typed("sof")).toEqual([]);
  expect(await typed("zithe")).toEqual([]);
  await env.DB.prepare("INSERT INTO item_types VALUES ('zither', 'Zither', 'Zithers', 'other', 0)").run();
  await env.DB.prepare("INSERT INTO item_type_words VALUES ('laptop', 'kipakatalishi', 'name', 0)").run();
  expect(await typed("zithe")).toEqual([]);
  await env.DB.prepare("UPDATE products SET type = 'zither' WHERE id = ?").bind(idOf(2)).run();
  expect(await typed("zithe")).toEqual(["Zithers"]);
  expect(await typed("kipaka")).toEqual(["Laptops"]);
});

test("A search that nothing fits shows what is nearest, and what it leaves out", async () => {
  const nearest = async (text: string, filters: Partial<ListFilters> = {}) => {
    const page = await readNearestPage(store, { text, after: null, filters });
    expect(page.products.length).toBeGreaterThan(0);
    return page.nearest;
  };
  expect(await nearest("purple laptop")).toMatchObject({ without: ["purple"], by: "type", things: "Laptops" });
  expect(await nearest("lamp submarine")).toMatchObject({ without: ["submarine"], by: "words" });
  expect(await nearest("submarine")).toMatchObject({ by: "nothing" });
  expect(await nearest("lamp", { min: 300_000 })).toMatchObject({ without: [], withoutFilters: true, by: "words" });
  expect(await nearest("...")).toMatchObject({ by: "nothing" });
  expect(await nearest("lamp")).toBeNull();
});
