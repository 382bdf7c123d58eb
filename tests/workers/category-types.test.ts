import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { browseCategory } from "#app/catalogue/browse/category.server.ts";
import { NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { makeUser } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";
import { measured, meteredServices } from "#tests/support/metered.ts";

const { meter, db: metered } = meteredServices();
const store = { db: metered, now: () => 1_730_000_000_000 };
let viewerId: string;

/** Lists things of a type; "none" for those that nobody recognized. */
async function list(type: string, count: number, change: { category?: string; status?: string } = {}) {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     INSERT INTO products (id, name, description, price, type, category, status, seller_id, created_at, updated_at)
     SELECT lower(hex(randomblob(16))), 'Thing ' || i, 'Works', 900, NULLIF(?1, 'none'), ?3, ?4, ?5, i, 0 FROM n`,
  )
    .bind(type, count, change.category ?? "computers", change.status ?? "active", viewerId)
    .run();
}

const typesOf = async (category: string, filters = NO_LIST_FILTERS) =>
  (await browseCategory(store, { category, filters, after: null })).types;

beforeAll(async () => {
  viewerId = await makeUser();
});

test("a category says what kinds of things are for sale, the most frequent first", async () => {
  await list("laptop", 2);
  await list("monitor", 3);
  await list("none", 4);
  await list("gone-type", 1);
  await list("printer", 1, { status: "sold" });
  await list("laptop", 2, { category: "other" });
  expect(await typesOf("computers")).toEqual([
    { id: "laptop", name: "Laptops", count: 4 },
    { id: "monitor", name: "Monitors", count: 3 },
  ]);
  expect(await typesOf("computers", { ...NO_LIST_FILTERS, conditions: ["new"] })).toEqual([]);
  expect(await typesOf("textbooks")).toEqual([]);
});

test("a type that admins added is among them", async () => {
  await env.DB.prepare("INSERT INTO item_types VALUES ('quill', 'Quill', 'Quills', 'stationery', 0)").run();
  expect(await typesOf("stationery")).toEqual([]);
  await list("quill", 2, { category: "stationery" });
  expect(await typesOf("stationery")).toEqual([{ id: "quill", name: "Quills", count: 2 }]);
  expect(await typesOf("stationery", { ...NO_LIST_FILTERS, conditions: ["new"] })).toEqual([]);
});

test("types are counted in one trip, by a row of an index for each listing, beside the list of the cheapest", async () => {
  await list("laptop", 3_000);
  const { result, rows, trips } = await measured(meter, () => typesOf("computers"));
  expect(result[0]).toEqual({ id: "laptop", name: "Laptops", count: 3_004 });
  expect(trips).toBe(1);
  expect(rows).toBeLessThanOrEqual(3_010 + 3_007 + 8_000);
});

test("a category and its kinds are shown with their exact numbers, however large", async () => {
  const seen = async (path: string) => (await (await visit(path, { as: viewerId })).text()).replaceAll("<!-- -->", "");
  expect(await seen("/category")).toContain("3,010 items");
  const page = await seen("/category/computers");
  expect(page).toContain("3,010 items");
  expect(page).toMatch(/Laptops <span[^>]*>3,004</);
});

test("the counts follow a listing that is sold, comes back, gets another type and is deleted", async () => {
  const counted = async () => {
    const types = await typesOf("stationery");
    return types.map(({ name, count }) => `${count} ${name}`);
  };
  const change = (set: string) =>
    env.DB.prepare(
      `UPDATE products SET ${set} WHERE id = (SELECT id FROM products WHERE category = 'stationery' LIMIT 1)`,
    ).run();
  expect(await counted()).toEqual(["2 Quills"]);
  await change("status = 'sold'");
  expect(await counted()).toEqual(["1 Quills"]);
  await change("type = 'pen'");
  expect(await counted()).toEqual(["1 Quills"]);
  await change("status = 'active'");
  expect(await counted()).toEqual(["1 Pens", "1 Quills"]);
  await change("type = NULL");
  await change("deleted_at = 1");
  await change("type = 'quill'");
  expect(await counted()).toEqual(["1 Quills"]);
  await change("deleted_at = NULL");
  expect(await counted()).toEqual(["2 Quills"]);
});
