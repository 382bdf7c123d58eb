/** How many calls to the database follow one another before a busy screen is there. */
import { beforeAll, describe, expect, test } from "vitest";
import { env } from "cloudflare:workers";
import { makeProduct, makeUser } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

let student: string;
let productId: string;

beforeAll(async () => {
  student = await makeUser();
  productId = await makeProduct(await makeUser({ name: "Brian Mwangi" }), { name: "Desk lamp" });
});

async function costOf(path: string) {
  const answer = await visit(path, { as: student });
  const [, trips, rows] = /trips=(\d+) rows=(\d+)/.exec(answer.headers.get("Server-Timing") ?? "") ?? [];
  return { status: answer.status, trips: Number(trips), rows: Number(rows), text: await answer.text() };
}

describe("two round trips: the viewer, then everything else at once", () => {
  test.each([
    ["the home page", "/home"],
    ["the feed", "/studentmarketplace"],
    ["the feed's data", "/studentmarketplace.data"],
    ["a later page of the feed", `/studentmarketplace?after=1.${crypto.randomUUID()}`],
    ["a filtered feed, in capitals", "/StudentMarketplace/?verified=1"],
    ["a category", "/category/stationery"],
    ["a category with filters", "/category/stationery?sort=newest&min=100&max=2000&condition=new"],
  ])("%s", async (_name, path) => {
    expect(await costOf(path)).toMatchObject({ status: 200, trips: 2 });
  });

  test("a product's page, and one that isn't there", async () => {
    const page = await costOf(`/product/${productId}`);
    expect(page).toMatchObject({ status: 200, trips: 2 });
    expect(page.text).toContain("Desk lamp");
    expect(await costOf("/product/none")).toMatchObject({ status: 404, trips: 2 });
  });
});

test("where only the shell is asked for, the screen isn't read", async () => {
  const [shell, all] = [
    await costOf("/studentmarketplace.data?_routes=root"),
    await costOf("/studentmarketplace.data?_routes=root,routes%2Fmember%2Fmarketplace"),
  ];
  expect([shell.trips, all.trips]).toEqual([1, 2]);
  expect(shell.rows).toBeLessThan(all.rows);
  expect(all.text).toContain(productId);
});

test("a form without scripts is followed by a screen that shows what it changed", async () => {
  const answer = await visit(`/product/${productId}`, { as: student, form: { intent: "buy-now", quantity: "x" } });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("Desk lamp");
});

test("where a screen cannot be read, it says so within the shell", async () => {
  const { sql = "" } =
    (await env.DB.prepare("SELECT sql FROM sqlite_master WHERE name = 'categories_browsed'").first<{
      sql: string;
    }>()) ?? {};
  await env.DB.prepare("DROP INDEX categories_browsed").run();
  const answer = await visit("/studentmarketplace", { as: student });
  await env.DB.prepare(sql).run();
  expect(answer.status).toBe(500);
  expect(await answer.text()).toContain('href="/wishlist"');
});

test("where a screen's rows cannot be understood, it says so within the shell", async () => {
  const id = await makeProduct(await makeUser(), { name: "Desk lamp" });
  await env.DB.prepare("UPDATE products SET images = 'null' WHERE id = ?").bind(id).run();
  const answer = await visit(`/product/${id}`, { as: student });
  expect(answer.status).toBe(500);
  expect(await answer.text()).toContain('href="/wishlist"');
});
