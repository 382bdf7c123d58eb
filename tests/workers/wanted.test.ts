/** Who would find a listing if it cost less: how many, never who. */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { credentials } from "#app/accounts/tables.server.ts";
import { type ListFilters, NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { findWanted } from "#app/catalogue/saved/find-wanted.server.ts";
import { saveSearch } from "#app/catalogue/saved/saved-searches.server.ts";
import { blockUser } from "#app/messaging/block-user.server.ts";
import { changeListing, db, makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { measured, meteredServices } from "#tests/support/metered.ts";
import { visit } from "#tests/support/visit.ts";

async function search(words: string, filters: Partial<ListFilters>, userId?: string): Promise<string> {
  const person = userId ?? (await makeUser());
  const saved = { words, filters: { ...NO_LIST_FILTERS, ...filters } };
  expect(await saveSearch(servicesAt(), { userId: person, saved })).toEqual({ ok: true });
  return person;
}

/** A listing of KES 3,000. */
async function list(name: string) {
  const sellerId = await makeUser();
  return { sellerId, productId: await makeProduct(sellerId, { name, price: 3_000, condition: "good" }) };
}

test("three people or more who would pay less are counted, each once", async () => {
  const own = await list("Zorblat amplifier");
  const first = await search("zorblat", { max: 2_000 });
  expect(await findWanted(db, own)).toBeNull();
  // The same person again, other words, and far too little.
  await search("zorblat amplifier", { max: 2_500 }, first);
  await search("zorblat guitar", { max: 2_500 });
  await search("zorblat", { max: 900 });
  await search("zorblat", { max: 2_500, conditions: ["new"] });
  expect(await findWanted(db, own)).toBeNull();
  await search("amplifier", { max: 2_250 });
  expect(await findWanted(db, own)).toBeNull();
  await search("amplifier", { max: 2_240 });
  expect(await findWanted(db, own)).toBe("3 people look for this at KES 2,200 or less");
  // Who finds it as it is has been told of it.
  await search("zorblat", { max: 3_000 });
  await search("zorblat", {});
  expect(await findWanted(db, own)).toBe("3 people look for this at KES 2,200 or less");
  expect(await findWanted(db, { ...own, sellerId: first })).toBeNull();
  await changeListing(own.productId, { status: "sold" });
  expect(await findWanted(db, own)).toBeNull();
});

test("filters count without words, and neither the seller, who blocked them, nor a suspended account does", async () => {
  const own = await list("Qwibble set");
  await changeListing(own.productId, { type: "bicycle" });
  const filters = { type: "bicycle", max: 2_000 };
  const people: string[] = [];
  for (let at = 0; at < 4; at += 1) people.push(await search("", filters));
  await search("", filters, own.sellerId);
  expect(await findWanted(db, own)).toBe("4 people look for this at KES 2,000 or less");
  // Else blocking would tell the seller who it is.
  await blockUser(servicesAt(), { userId: own.sellerId, blockedId: people[0] ?? "" });
  expect(await findWanted(db, own)).toBe("4 people look for this at KES 2,000 or less");
  await blockUser(servicesAt(), { userId: people[0] ?? "", blockedId: own.sellerId });
  expect(await findWanted(db, own)).toBe("3 people look for this at KES 2,000 or less");
  await db
    .update(credentials)
    .set({ suspendedAt: 1 })
    .where(eq(credentials.id, people[1] ?? ""));
  expect(await findWanted(db, own)).toBeNull();
});

test("the form of the listing asks for it, and nobody else can", async () => {
  const own = await list("Vrumble lamp");
  for (const max of [2_000, 2_500, 2_500]) await search("vrumble", { max });
  const ask = async (as: string) => (await visit(`/product/${own.productId}/wanted`, { as })).json();
  expect(await ask(own.sellerId)).toEqual({ wanted: "3 people look for this at KES 2,000 or less" });
  expect(await ask(await makeUser())).toEqual({ wanted: null });
});

test("of many saved searches only those are asked that have a word of the listing", async () => {
  const own = await list("Plimsoll compass");
  await env.DB.prepare(
    `WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 3000)
      INSERT INTO saved_queries (address, max_price, created_at)
      SELECT 'q=other+thing+' || at || '&max=' || (10 * at), 10 * at, 1 FROM n`,
  ).run();
  for (const max of [2_000, 2_100, 2_200]) await search("plimsoll", { max });
  const { meter, db: metered } = meteredServices();
  const { result, rows, trips } = await measured(meter, () => findWanted(metered, own));
  expect(result).toBe("3 people look for this at KES 2,000 or less");
  // The listing, the queries, the words of those that remain, the queries themselves, and who saved them.
  expect(trips).toBeLessThanOrEqual(5);
  expect(rows).toBeLessThan(600);
});
