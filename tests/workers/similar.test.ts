/** The products like one, on its page for members and on its public page. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { findPublicProduct } from "#app/catalogue/product/public-product.server.ts";
import { openProductScreen } from "#app/catalogue/product/product-screen.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { shortIdOf } from "#app/platform/short-ids.ts";
import { db, makeProduct, makeTables, makeUser } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";
import { measured, meteredServices } from "#tests/support/metered.ts";

const { meter, ...store } = meteredServices();

let places = 0;

/** A product in a category, of a seller of its own. Each is newer than the one before. */
async function place(category: string, name: string, change: Partial<typeof products.$inferInsert> = {}) {
  const id = await makeProduct(change.sellerId ?? (await makeUser()), { name });
  places += 1;
  await db
    .update(products)
    .set({ category, createdAt: places, ...change })
    .where(eq(products.id, id));
  return id;
}

async function forMember(id: string, viewerId: string): Promise<string[]> {
  const page = await openProductScreen(store, id, viewerId);
  return page?.similar.map(({ name }) => name) ?? [];
}

async function forVisitor(id: string): Promise<string[]> {
  const { others } = await findPublicProduct(store, shortIdOf(id));
  return others.kind === "similar" ? others.listings.map(({ name }) => name) : [];
}

test("a like price comes first, then the viewer's campus, then what is newest", async () => {
  const id = await place("lamps", "Lamp", { price: 1_000, location: "Main Campus" });
  for (const [name, price, location] of [
    ["dear, Main", 2_001, "Main Campus"],
    ["double, City", 2_000, "City Campus"],
    ["half, Main", 500, "Main Campus"],
    ["half, Main, newer", 500, "Main Campus"],
    ["cheap, City", 499, "City Campus"],
  ] as const)
    await place("lamps", name, { price, location });
  await place("chairs", "Chair", { price: 1_000 });
  await place("lamps", "sold", { status: "sold" });
  await place("lamps", "deleted", { deletedAt: 1 });
  await place("lamps", "held", { suspendedAt: 1 });
  const forMainCampus = ["half, Main, newer", "half, Main", "double, City", "dear, Main", "cheap, City"];
  const viewerId = await makeUser();
  expect(await forMember(id, viewerId)).toEqual(forMainCampus);
  // A visitor has no campus, so the product's counts.
  expect(await forVisitor(id)).toEqual(forMainCampus);
  await db.update(profiles).set({ campusLocation: "City Campus" }).where(eq(profiles.id, viewerId));
  expect(await forMember(id, viewerId)).toEqual([
    "double, City",
    "half, Main, newer",
    "half, Main",
    "cheap, City",
    "dear, Main",
  ]);
  await db.update(profiles).set({ campusLocation: null }).where(eq(profiles.id, viewerId));
  expect(await forMember(id, viewerId)).toEqual(forMainCampus);
});

test("the same type comes first, also from another category and among many newer things", async () => {
  const id = await place("electronics", "Laptop", { type: "laptop", price: 40_000 });
  await place("electronics", "dear laptop", { type: "laptop", price: 90_000 });
  await place("gadgets", "laptop elsewhere", { type: "laptop", price: 40_000 });
  await place("gadgets", "sold laptop", { type: "laptop", status: "sold" });
  await place("gadgets", "phone elsewhere", { type: "phone" });
  for (let n = 1; n <= 30; n += 1) await place("electronics", `phone ${n}`, { type: "phone", price: 40_000 });
  expect(await forMember(id, await makeUser())).toEqual([
    "dear laptop",
    "laptop elsewhere",
    ...[30, 29, 28, 27, 26, 25].map((n) => `phone ${n}`),
  ]);
  // A product of no type isn't like others of none.
  const untyped = await place("electronics", "Thing", { type: null, price: 40_000 });
  await place("toys", "other thing", { type: null, price: 40_000 });
  expect(await forMember(untyped, await makeUser())).not.toContain("other thing");
});

test("a giveaway is like other giveaways", async () => {
  const id = await place("books", "Notes", { price: 0 });
  await place("books", "free", { price: 0 });
  await place("books", "cheap", { price: 10 });
  expect(await forMember(id, await makeUser())).toEqual(["free", "cheap"]);
});

test("what stands under “More from this seller” isn't shown twice", async () => {
  const sellerId = await makeUser();
  for (let n = 1; n <= 6; n += 1) await place("mugs", `own ${n}`, { sellerId });
  for (let n = 1; n <= 5; n += 1) await place("mugs", `other ${n}`);
  const id = await place("mugs", "Mug", { sellerId });
  const html = await (await visit(`/product/${id}`, { as: await makeUser() })).text();
  const after = (title: string) => html.slice(html.indexOf(`>${title}<`));
  for (const name of ["own 6", "own 3"]) expect(after("More from this seller")).toContain(`>${name}<`);
  expect(await forMember(id, await makeUser())).toEqual([
    "other 5",
    "other 4",
    "other 3",
    "other 2",
    "other 1",
    "own 2",
    "own 1",
  ]);
  expect(after("Similar items")).not.toContain(">own 6<");
});

test("a product without others like it shows none, and one without a category or in “Other”, too", async () => {
  const other = await place("other", "Guitar");
  await place("other", "Teddy bear");
  expect([await forMember(other, await makeUser()), await forVisitor(other)]).toEqual([[], []]);
  expect(await forMember(await place("kites", "Kite"), await makeUser())).toEqual([]);
  const id = await place("", "Thing", { category: null });
  await place("", "Other thing", { category: null });
  expect(await forMember(id, await makeUser())).toEqual([]);
  const html = await (await visit(`/product/${id}`, { as: await makeUser() })).text();
  expect(html).not.toContain("Similar items");
});

test("they cost no round trip more, and a bounded number of rows, however much is for sale", async () => {
  const sellerId = await makeUser();
  const costs = [];
  for (const [from, to] of [
    [0, 500],
    [500, 5_000],
  ] as const) {
    await makeTables(sellerId, from, to, { type: "table" });
    const { result, trips, rows } = await measured(meter, () =>
      forMember("a0000007-0000-4000-8000-000000000000", sellerId),
    );
    expect(result).toHaveLength(8);
    costs.push([trips, rows]);
  }
  expect(costs[1]).toEqual(costs[0]);
  expect(costs[0]?.[0]).toBe(1);
  expect(costs[0]?.[1]).toBeLessThanOrEqual(190);
}, 60_000);
