/**
 * What was sold stands in nobody's way: a search finds what can be bought behind thousands of younger listings that
 * can't.
 */
import { beforeAll, expect, test } from "vitest";
import { sql } from "drizzle-orm";
import { suggest } from "#app/catalogue/search/search.server.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";
import {
  changeListing,
  db,
  followListings,
  makeProduct,
  makeTables,
  makeUser,
  servicesAt,
} from "#tests/support/fixtures.ts";
import { readSearchPage } from "#tests/support/search-page.ts";

const SOLD = 2_100;

let viewerId: string;
let forSale: string;

beforeAll(async () => {
  viewerId = await makeUser();
  forSale = await makeProduct(viewerId, { name: "Table" });
  await makeTables(viewerId, 0, SOLD);
  await db.run(sql`UPDATE products SET status = 'sold' WHERE id LIKE 'a%-0000-4000-8000-000000000000'`);
  await followListings();
}, 60_000);

test.each(["best", "newest", "price-asc"] as const)("in the order %s", async (sort) => {
  const page = await readSearchPage(servicesAt(), { text: "table", after: null, filters: { sort } });
  expect(page.products.map(({ id }) => id)).toContain(forSale);
});

test("among suggestions", async () => {
  expect((await suggest(db, "tab", KEPT_TABLE)).names).toEqual(["Table"]);
});

test("and no longer first once it is sold, too", async () => {
  await changeListing(forSale, { status: "sold" });
  const page = await readSearchPage(servicesAt(), { text: "table", after: null });
  expect(page.products.map(({ id }) => id)).not.toContain(forSale);
  expect((await suggest(db, "tab", KEPT_TABLE)).names).toEqual([]);
});
