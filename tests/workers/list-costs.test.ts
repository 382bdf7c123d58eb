/** What the pages of lists and searches read, whatever they are limited to and however they are sorted. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { browseCategory } from "#app/catalogue/browse/category.server.ts";
import { browseFeed, type ProductPage } from "#app/catalogue/browse/browse.server.ts";
import { type ListFilters, NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { LIST_SORTS } from "#app/catalogue/browse/list-kinds.ts";
import { openSellerPage } from "#app/shops/shops.server.ts";
import { followListings, makeUser, setVerification } from "#tests/support/fixtures.ts";
import { readNearestPage } from "#tests/support/search-page.ts";
import { type Measured, measured, meteredServices } from "#tests/support/metered.ts";

/**
 * A list without words reads at most what its narrowest index has, twice: here everything. A stage of a search looks at
 * 2,000 listings; a search that finds nothing asks all its stages and those of what is nearest.
 */
const ROWS_MAX = { list: 2 * 6_000 + 1_000, search: 25_000 };
const LISTINGS = 6_000;
const DELETED = 1_000;

const { meter, ...store } = meteredServices();
let viewerId: string;
let sellerId: string;

/**
 * Everything of one seller and in one category, with what each filter asks for spread over it, and one listing that has
 * it all.
 */
beforeAll(async () => {
  viewerId = await makeUser();
  sellerId = await makeUser();
  await setVerification(sellerId, "approved");
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO shops (id, shop_name, offers_delivery, created_at, updated_at) VALUES (?1, 'Lamps', 1, 0, 0)",
    ).bind(sellerId),
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO products (id, name, description, category, type, facts, price, condition, location, wholesale,
         seller_id, deleted_at, created_at, updated_at)
       SELECT printf('00000000-0000-4000-8000-%012x', i), iif(i % 3 = 0, 'HP laptop charger ', 'HP laptop ') || i,
         'Works', 'computers', iif(i % 3 = 0, 'laptop-charger', 'laptop'),
         iif(i % 3 = 0, '{}', json_object('brand', 'hp', 'memory', iif(i % 100 = 1, '64', iif(i % 2 = 0, '8', '16')))),
         i * 7919 % 30000, json_extract('["new","like_new","good","fair"]', '$[' || (i / 4 % 4) || ']'),
         json_extract('["Main Campus","City Campus","Parklands Campus","Westlands Campus"]',
           '$[' || (i / 16 % 4) || ']'),
         i % 7 = 0, ?2, iif(i >= ?3, 1, NULL), i, i FROM n`,
    ).bind(LISTINGS + DELETED - 1, sellerId, LISTINGS),
  ]);
  await followListings();
}, 120_000);

const FILTERS: Partial<ListFilters>[] = [
  {},
  { min: 100 },
  { max: 20_000 },
  { min: 999, max: 1_001 },
  { min: 29_999, max: 29_999 },
  { min: 500_000 },
  { conditions: ["good"] },
  { conditions: ["new", "like_new", "good", "fair"] },
  { campuses: ["City Campus"] },
  { campuses: ["Main Campus", "City Campus", "Parklands Campus", "Westlands Campus"] },
  { verified: true },
  { wholesale: true },
  { conditions: ["good"], campuses: ["Main Campus"], min: 200, max: 20_000 },
  {
    conditions: ["new", "good"],
    campuses: ["Main Campus", "City Campus"],
    min: 1,
    max: 29_998,
    verified: true,
    wholesale: true,
  },
  { delivery: true },
  { type: "laptop" },
  { type: "laptop-charger", conditions: ["good"], campuses: ["Main Campus"], min: 200, max: 20_000, delivery: true },
  { type: "laptop", facts: { brand: ["hp"], memory: ["8"] } },
  { facts: { memory: ["64"] } },
  { type: "laptop", facts: { memory: ["8", "64"] }, conditions: ["good"], campuses: ["Main Campus"], max: 20_000 },
  { facts: { memory: ["24"] } },
];

type Load = (filters: Partial<ListFilters>, after: string | null) => Promise<ProductPage | null>;

const search =
  (text: string): Load =>
  (filters, after) =>
    readNearestPage(store, { text, filters, after, campus: "Main Campus" });

const LISTS: [name: string, trips: number, filters: Partial<ListFilters>[], load: Load][] = [
  [
    "the feed",
    1,
    FILTERS,
    (filters, after) => browseFeed(store, { after, filters: { ...NO_LIST_FILTERS, ...filters } }),
  ],
  [
    "a category",
    1,
    FILTERS,
    (filters, after) =>
      browseCategory(store, { category: "computers", after, filters: { ...NO_LIST_FILTERS, ...filters } }),
  ],
  [
    "a seller's page",
    1,
    FILTERS,
    (filters, after) =>
      openSellerPage(store, { sellerId, viewerId, after, filters: { ...NO_LIST_FILTERS, ...filters } }),
  ],
  ["a search for one word", 2, FILTERS, search("laptop")],
  ["a search for three words", 2, FILTERS, search("hp laptop charger")],
  ["a search for a part of a word", 2, FILTERS, search("apto")],
  ["a search for what nobody sells", 3, FILTERS, search("laptop submarine")],
];

test.each(LISTS)(
  "Every page of %s reads few rows and repeats nothing, whatever its order and filters",
  async (name, trips, asked, load) => {
    const at = LISTS.findIndex(([one]) => one === name);
    for (const [n, chosen] of asked.entries()) {
      // Each filter meets every second order, and the others in the next list.
      const sorts = (Object.keys(LIST_SORTS) as ListFilters["sort"][]).filter(
        (_, m) => n === 0 || (n + m + at) % 2 === 0,
      );
      for (const sort of sorts) {
        let after: string | null = null;
        const shown = new Set<string>();
        for (let page = 0; page < 2; page += 1) {
          const cursor: string | null = after;
          const { result: found, ...cost }: Measured<ProductPage | null> = await measured(meter, () =>
            load({ ...chosen, sort }, cursor),
          );
          const what = `page ${page} of ${JSON.stringify({ ...chosen, sort })}`;
          // All listings of a category, and of its types, are counted by an index.
          const counted = name === "a category" && n === 0 ? 2 * LISTINGS : 0;
          const most = ROWS_MAX[name.startsWith("a search") ? "search" : "list"] + counted;
          expect.soft(cost.rows, what).toBeLessThanOrEqual(most);
          expect.soft(cost.trips, what).toBeLessThanOrEqual(trips);
          const ids = (found?.products ?? []).map(({ id }) => id);
          expect
            .soft(
              ids.filter((id) => shown.has(id)),
              what,
            )
            .toEqual([]);
          for (const id of ids) shown.add(id);
          after = found?.next ?? null;
          if (after === null) break;
        }
      }
    }
  },
);
