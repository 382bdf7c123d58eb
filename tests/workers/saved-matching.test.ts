/** A new listing finds the saved searches that find it. */
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ListFilters, NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { CONDITIONS } from "#app/catalogue/labels.ts";
import { findSearchesFor } from "#app/catalogue/saved/find-searches.server.ts";
import { type Saved, writeSaved } from "#app/catalogue/saved/saved-address.ts";
import { SAVED_MAX } from "#app/catalogue/saved/saved-search-rules.ts";
import { saveSearch } from "#app/catalogue/saved/saved-searches.server.ts";
import { readSearch } from "#app/catalogue/search/read-search.ts";
import { meaningOf } from "#app/catalogue/search/search-meaning.ts";
import { limitsOf, planList, planSearch } from "#app/catalogue/search/search-query.ts";
import { lookUpSearch } from "#app/catalogue/search/search.server.ts";
import { tidySearchText } from "#app/catalogue/search/search-text.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";
import { insertDemoListings } from "#tests/support/demo-listings.ts";
import { db, makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { MEANT_SEARCHES, REAL_SEARCHES } from "#tests/support/searches.ts";
import { CAMPUSES } from "#tests/support/campuses.ts";

const filters = fc.record({
  min: fc.constantFrom(null, null, 500, 1_234),
  max: fc.constantFrom(null, null, 1_500, 20_000),
  conditions: fc.subarray([...CONDITIONS]),
  campuses: fc.constantFrom([], [], CAMPUSES.slice(0, 2)),
  type: fc.constantFrom(null, null, null, "laptop", ...KEPT_TABLE.types.keys()),
  facts: fc.constantFrom<ListFilters["facts"]>({}, {}, {}, { size: ["41", "42", "l"] }, { brand: ["hp", "samsung"] }),
  delivery: fc.constantFrom(false, false, false, true),
  verified: fc.constantFrom(false, false, true),
  wholesale: fc.constant(false),
  sort: fc.constant("best" as const),
}) satisfies fc.Arbitrary<ListFilters>;

/** Half of the known searches, a third of them with filters, and filters alone. */
function searches(): Saved[] {
  const known = [...REAL_SEARCHES, ...MEANT_SEARCHES].filter((_, at) => at % 2 === 0);
  const texts = known.map(({ query }) => tidySearchText(query));
  const some = fc.sample(filters, { seed: 36, numRuns: texts.length + 50 });
  const withWords = texts.map((text, at) => {
    const { words, filters: read } = readSearch(text, CAMPUSES);
    return { words, filters: (at % 3 === 0 && some[at]) || { ...NO_LIST_FILTERS, ...read } };
  });
  return [...withWords, ...some.slice(texts.length).map((filter) => ({ words: "", filters: filter }))];
}

interface Listed {
  id: string;
  name: string;
  price: number;
  condition: string;
  location: string;
  type: string | null;
  facts: string;
}

/** The listings for sale that a search finds, by itself. No shop of these delivers, and no seller is verified. */
async function foundBy({ words, filters: asked }: Saved): Promise<string[]> {
  const { vocabulary, table } = await lookUpSearch(db, words);
  const { all, limits } =
    words === ""
      ? planList(limitsOf(asked, table))
      : planSearch(meaningOf(words, table, vocabulary), vocabulary, limitsOf(asked, table), null);
  const { min, max, conditions, campuses, types, facts, delivery, verified } = limits;
  const { results } = await env.DB.prepare(
    `SELECT id, price, condition, location, type, facts FROM products
      WHERE status = 'active' AND (?1 IS NULL OR rowid IN
        (SELECT rowid FROM product_search WHERE product_search MATCH ?1))`,
  )
    .bind(all)
    .all<Listed>();
  const isAmong = (list: readonly string[], value: string | null) => list.length === 0 || list.includes(value ?? "");
  return results
    .filter(
      ({ price, condition, location, type, facts: own }) =>
        price >= (min ?? 0) &&
        price <= (max ?? Infinity) &&
        isAmong(conditions, condition) &&
        isAmong(campuses, location) &&
        isAmong(types, type) &&
        Object.entries(facts).every(([id, values]) => isAmong(values, JSON.parse(own)[id])) &&
        !delivery &&
        !verified,
    )
    .map(({ id }) => id);
}

/** Saves them for as many people as it takes. Returns those that limit something. */
async function saveAll(all: readonly Saved[]): Promise<Saved[]> {
  const saved: Saved[] = [];
  let userId = "";
  for (const search of all) {
    if (saved.length % SAVED_MAX === 0) userId = await makeUser();
    const answer = await saveSearch(servicesAt(), { userId, saved: search });
    if (answer.ok) saved.push(search);
    else expect(answer.code).toBe("nothing");
  }
  return saved;
}

test("each listing finds exactly the saved searches that find it", { timeout: 300_000 }, async () => {
  const all = [...new Map(searches().map((saved) => [writeSaved(saved), saved])).values()];
  // Nobody knows the words of a listing before it is there, and most of what is saved has found nothing.
  const early = await saveAll(all.filter((_, at) => at % 2 === 0));
  await insertDemoListings(await makeUser());
  const late = await saveAll(all.filter((_, at) => at % 2 === 1));
  const expected = new Map<string, Set<string>>();
  for (const search of [...early, ...late]) {
    for (const id of await foundBy(search))
      expected.set(id, (expected.get(id) ?? new Set<string>()).add(writeSaved(search)));
  }
  const queries = await env.DB.prepare("SELECT id, address FROM saved_queries").all<{ id: number; address: string }>();
  const addressOf = new Map(queries.results.map(({ id, address }) => [id, address]));
  const listings = await env.DB.prepare("SELECT id, name FROM products WHERE status = 'active'").all<
    Pick<Listed, "id" | "name">
  >();
  const wrong: string[] = [];
  let pairs = 0;
  const searchesOf = await findSearchesFor(
    db,
    listings.results.map(({ id }) => id),
  );
  for (const { id, name } of listings.results) {
    const found = new Set((searchesOf.get(id) ?? []).map((query) => addressOf.get(query) ?? ""));
    const wanted = expected.get(id) ?? new Set<string>();
    pairs += wanted.size;
    for (const address of wanted) if (!found.has(address)) wrong.push(`${name} misses ${address}`);
    for (const address of found) if (!wanted.has(address)) wrong.push(`${name} has ${address} by mistake`);
  }
  expect(wrong).toEqual([]);
  expect(pairs).toBeGreaterThan(300);
});

test("a saved search finds what it finds alone, whatever else is saved", async () => {
  const [seller, buyer] = [await makeUser(), await makeUser()];
  const ids: string[] = [];
  for (let at = 0; at < 20; at += 1)
    ids.push(await makeProduct(seller, { name: `${"abcdefghijklmnopqrst".charAt(at)}zqvorq${at}` }));
  await saveSearch(servicesAt(), { userId: buyer, saved: { words: "zqvorq", filters: NO_LIST_FILTERS } });
  const before = await findSearchesFor(db, ids);
  const long = "zqvorq submarine elephant violin umbrella carpet lantern zipper";
  await saveSearch(servicesAt(), { userId: buyer, saved: { words: long, filters: NO_LIST_FILTERS } });
  expect(before.size).toBe(ids.length);
  expect(await findSearchesFor(db, ids)).toEqual(before);
});

test("a search for a choice that we no longer have finds nothing, and not everything", async () => {
  const id = await makeProduct(await makeUser());
  const userId = await makeUser();
  await saveSearch(servicesAt(), {
    userId,
    saved: { words: "", filters: { ...NO_LIST_FILTERS, facts: { brand: ["hp"] } } },
  });
  await env.DB.prepare("UPDATE saved_queries SET address = 'brand=gone' WHERE address = 'brand=hp'").run();
  const [row] = (await env.DB.prepare("SELECT id FROM saved_queries WHERE address = 'brand=gone'").all()).results;
  expect((await findSearchesFor(db, [id])).get(id) ?? []).not.toContain(row?.id);
});
