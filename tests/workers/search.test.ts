import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { readSearch } from "#app/catalogue/search/read-search.ts";
import { suggest } from "#app/catalogue/search/search.server.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";
import { tidySearchText } from "#app/catalogue/search/search-text.ts";
import { insertDemoListings } from "#tests/support/demo-listings.ts";
import { followListings, makeUser } from "#tests/support/fixtures.ts";
import { readNearestPage, readSearchPage } from "#tests/support/search-page.ts";
import { FACT_SEARCHES, MEANT_SEARCHES, REAL_SEARCHES } from "#tests/support/searches.ts";
import { visit } from "#tests/support/visit.ts";
import { meteredServices } from "#tests/support/metered.ts";
import { CAMPUSES } from "#tests/support/campuses.ts";

/** The most that one page of search results may cost, at any size of catalogue. */
const ROWS_MAX = 10_000;
const TRIPS_MAX = 3;

const { meter, ...store } = meteredServices();
let viewerId: string;
let listings: { id: string; name: string; description: string }[];

beforeAll(async () => {
  viewerId = await makeUser();
  await insertDemoListings(viewerId);
  listings = (await env.DB.prepare("SELECT id, name, description FROM products").all<(typeof listings)[0]>()).results;
});

/** The names that a search finds, in order, to the end of its list. Each page stays within its budget. */
async function namesFound(query: string): Promise<string[]> {
  const names: string[] = [];
  let after: string | null = null;
  do {
    const before = { ...meter };
    const page = await readSearchPage(store, { text: query, after });
    expect(meter.trips - before.trips, "round trips").toBeLessThanOrEqual(TRIPS_MAX);
    expect(meter.rowsRead - before.rowsRead, "rows read").toBeLessThanOrEqual(ROWS_MAX);
    names.push(...page.products.map(({ name }) => name));
    after = page.next;
  } while (after !== null && names.length < 400);
  return names;
}

test.each(REAL_SEARCHES)("A student searches for $query", async ({ query, finds = [], not = [], only = false }) => {
  const found = await namesFound(query);
  expect(new Set(found).size, "each listing once").toBe(found.length);
  const wanted = finds.flat();
  expect(
    wanted.filter((name) => !found.includes(name)),
    "missing",
  ).toEqual([]);
  expect(
    not.filter((name) => found.includes(name)),
    "found by mistake",
  ).toEqual([]);
  if (only) expect(found.toSorted()).toEqual(wanted.toSorted());
  const places = finds.map((group) => group.map((name) => found.indexOf(name)));
  for (const [at, group] of places.entries())
    expect(Math.max(...group), `group ${at + 1} before group ${at + 2}`).toBeLessThan(
      Math.min(...(places[at + 1] ?? [Infinity])),
    );
});

/** What a search must reach over the whole list, as shares of its searches. */
const GOALS = { first: 0.95, five: 0.9, found: 0.95 };

test(`What students mean comes first, over ${MEANT_SEARCHES.length} searches`, async () => {
  const lines: string[] = [];
  const sums = { first: 0, five: 0, found: 0 };
  const asked = MEANT_SEARCHES.filter(({ right }) => right.length > 0);
  let empty = 0;
  for (const { query, right } of MEANT_SEARCHES) {
    const page = await readNearestPage(store, { text: query, after: null });
    const names = page.products.map(({ name }) => name);
    if (names.length === 0) empty += 1;
    if (right.length === 0) continue;
    const missing = right.filter((name) => !names.includes(name));
    const five = names.slice(0, Math.min(5, right.length)).filter((name) => !right.includes(name));
    const isFirst = right.includes(names[0] ?? "");
    sums.first += Number(isFirst);
    sums.five += Number(five.length === 0 && names.length > 0);
    sums.found += Number(missing.length === 0);
    if (!isFirst || five.length > 0 || missing.length > 0)
      lines.push(
        `${query}: ${isFirst ? "" : `first is ${names[0]}; `}${five.length > 0 ? `wrong: ${five.join(" | ")}; ` : ""}${missing.length > 0 ? `missing: ${missing.join(" | ")}` : ""}`,
      );
  }
  const share = (key: keyof typeof sums) => `${((100 * sums[key]) / asked.length).toFixed(1)} %`;
  console.log(
    `${lines.join("\n")}\n${asked.length} searches: first right ${share("first")}, first five right ${share("five")}, found ${share("found")}; empty answers ${empty} of ${MEANT_SEARCHES.length}`,
  );
  expect(empty).toBe(0);
  for (const [key, goal] of Object.entries(GOALS))
    expect([key, sums[key as keyof typeof sums] / asked.length >= goal]).toEqual([key, true]);
});

test.each(FACT_SEARCHES)("What things have is understood: $query", async ({ query, right }) => {
  const page = await readNearestPage(store, { text: query, after: null });
  expect(page.nearest).toBeNull();
  const first = page.products.slice(0, right.length).map(({ name }) => name);
  expect(first.toSorted()).toEqual(right.toSorted());
});

test("Where no thing has what was asked for, the search says so as it was said", async () => {
  const missing = async (text: string) => (await readNearestPage(store, { text, after: null })).nearest;
  expect(await missing("sneakers size 47")).toMatchObject({ without: ["size 47"], by: "type", things: "Sneakers" });
  expect(await missing("laptop 24 gb ram")).toMatchObject({ without: ["24 gb ram"], by: "type", things: "Laptops" });
});

test("A listing is found by its whole name", async () => {
  // Every eighth: the names of each category are alike.
  for (const { id, name } of listings.filter((_, n) => n % 8 === 0)) {
    const { products } = await readSearchPage(store, { text: name, after: null });
    const ids = products.map((product) => product.id);
    expect(ids, `searched for ${name}`).toContain(id);
  }
});

test("A listing is found by any part of a word of its name or its description", async () => {
  const allWords = new Set(
    listings.flatMap(({ name, description }) => `${name} ${description}`.toLowerCase().match(/\p{L}+/gu) ?? []),
  );
  // A search reads a limited number of words (INNER_READ), so a part of more words, such as "ings", finds some of them.
  const isRare = ({ text }: { text: string }) =>
    [...allWords].filter((word) => word.includes(text.toLowerCase().replace(/s$/, ""))).length <= 24;
  const parts = fc
    .tuple(
      fc.nat({ max: listings.length - 1 }),
      fc.boolean(),
      fc.nat({ max: 1_000 }),
      fc.nat({ max: 1_000 }),
      fc.nat({ max: 1_000 }),
    )
    .map(([at, inName, word, from, length]) => {
      const { id, name, description } = listings[at] ?? { id: "", name: "", description: "" };
      const words = (inName || !description ? name : description).match(/\p{L}{4,24}/gu) ?? ["none"];
      const letters = [...(words[word % words.length] ?? "")];
      const start = from % (letters.length - 3);
      return { id, text: letters.slice(start, start + 4 + (length % (letters.length - start - 3))).join("") };
    })
    .filter(isRare)
    // "free" is no word to look up but a price.
    .filter(({ text }) => Object.keys(readSearch(text, CAMPUSES, null).filters).length === 0);
  await fc.assert(
    fc.asyncProperty(parts, async ({ id, text }) => {
      let after: string | null = null;
      const ids: string[] = [];
      do {
        const page = await readSearchPage(store, { text, after });
        ids.push(...page.products.map((product) => product.id));
        after = page.next;
      } while (after !== null);
      expect(ids, `${text}`).toContain(id);
    }),
    { numRuns: 60 },
  );
});

test("No text breaks a search or its suggestions, or makes them cost more", async () => {
  const pieces = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(
      '"',
      "'",
      "*",
      "AND",
      "OR",
      "NOT",
      "NEAR(",
      ")",
      "{name}",
      ":",
      "^",
      "-",
      "+",
      "c++",
      "'s",
      " ",
      "\\",
      "%",
      "_",
    ),
    fc.constantFrom(
      "phones",
      "knives",
      "vibes",
      "840g3",
      "4x6",
      "batteries",
      "ki",
      "vi",
      "x1y2z3",
      "é",
      "📱",
      "\u0301",
      "𐐀",
    ),
  );
  const texts = fc
    .array(pieces, { maxLength: 12 })
    .chain((list) => fc.constantFrom("", " ").map((between) => tidySearchText(list.join(between))));
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const before = { ...meter };
      const page = await readNearestPage(store, { text, after: null });
      expect(meter.trips - before.trips).toBeLessThanOrEqual(TRIPS_MAX);
      expect(meter.rowsRead - before.rowsRead).toBeLessThanOrEqual(ROWS_MAX);
      expect(page.products.length).toBeGreaterThan(0);
      if (page.next) await readNearestPage(store, { text, after: page.next });
      await suggest(store.db, text, KEPT_TABLE);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ["a screen of results", "/search?q=casio+calculator"],
  ["the data of that screen", "/search.data?q=casio+calculator"],
  ["a misspelled word", "/search?q=calculatro"],
  ["a second page", "/search?q=phone&after=0.1000"],
  ["a page that there isn't", "/search?q=phone&after=99.5"],
  ["a page of a list that there isn't", "/studentmarketplace?condition=good&after=7.5"],
  ["a short word", "/search?q=tv"],
  ["everything", "/search?q="],
  ["an address in capitals and with a slash", "/Search/?q=casio"],
])("A request for %s takes three round trips at most, with the one for the viewer", async (_what, path) => {
  const response = await visit(path, { as: viewerId });
  expect(response.status).toBe(200);
  const [, trips, rows] = /trips=(\d+) rows=(\d+)/.exec(response.headers.get("Server-Timing") ?? "") ?? [];
  expect(Number(trips)).toBeLessThanOrEqual(TRIPS_MAX);
  expect(Number(rows)).toBeLessThanOrEqual(ROWS_MAX);
});

test("The most expensive page stays within its budget: many categories, four common words, everything wishlisted and featured", async () => {
  const stems = ["kalimbaninga", "marimbaninga", "vuvuzelaning", "balafoninga"];
  const family = (stem: string) =>
    Array.from(
      { length: 60 },
      (_, at) =>
        `${stem}${at % 2 === 0 ? "" : "s"}${"abcdefgh"[at % 8]}${"ijklmnop"[at >> 3]} x${"abcdefgh"[at % 8]}${"ijklmnop"[at >> 3]}${stem}`,
    );
  const words = stems.flatMap(family).join(" ");
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO shops (id, shop_name, featured_until, created_at, updated_at) VALUES (?1, 'All', 9e15, 0, 0)",
    ).bind(viewerId),
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 119)
       INSERT INTO categories (id, name, name_key, status, created_at)
         SELECT 'c' || i, 'Zither ' || i, 'zither ' || i, 'approved', 0 FROM n`,
    ),
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 59)
       INSERT INTO products (id, name, description, category, price, seller_id, created_at, updated_at)
       SELECT 'k' || i, 'Instruments', ?1, 'c' || i, 1, ?2, 0, 0 FROM n`,
    ).bind(words, viewerId),
    env.DB.prepare(
      `INSERT INTO wishlist_items (id, user_id, product_id, created_at) SELECT 'w' || id, ?1, id, 0 FROM products
        WHERE name = 'Instruments'`,
    ).bind(viewerId),
  ]);
  await followListings();
  expect(new Set(await namesFound(stems.join(" ")))).toEqual(new Set(["Instruments"]));
});
