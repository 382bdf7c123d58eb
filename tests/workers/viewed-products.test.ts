/** The products of a browser's history, as they are now. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { VIEWED_ON_HOME } from "#app/catalogue/browse/browsing-history.ts";
import { findViewedProducts } from "#app/catalogue/browse/viewed-products.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { db, makeProduct, makeUser } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

test("they come in the order asked for, with their present price and stock, and without those that are gone", async () => {
  const sellerId = await makeUser();
  const [cheaper, sold, deleted, held, last] = [
    await makeProduct(sellerId, { name: "Kettle" }),
    await makeProduct(sellerId, { name: "Lamp", status: "sold", condition: "good", stock: 0 }),
    await makeProduct(sellerId),
    await makeProduct(sellerId),
    await makeProduct(sellerId, { name: "Desk", stock: 2 }),
  ];
  await db.update(products).set({ price: 500 }).where(eq(products.id, cheaper));
  await db.update(products).set({ deletedAt: 1 }).where(eq(products.id, deleted));
  await db.update(products).set({ suspendedAt: 1 }).where(eq(products.id, held));
  const query = new URLSearchParams([last, deleted, cheaper, "' OR 1", held, sold, cheaper].map((id) => ["id", id]));
  const answer = await visit(`/home/viewed?${query}`, { as: await makeUser() });
  expect(await answer.json()).toMatchObject([
    { id: last, name: "Desk", stockLabel: "Only 2 left" },
    { id: cheaper, price: 500, status: "active" },
    { id: sold, status: "sold" },
  ]);
  expect(answer.headers.get("Server-Timing")).toMatch(/trips=2 /);
});

test("no more are answered than the home page shows, and none for no ids", async () => {
  const sellerId = await makeUser();
  const ids = [];
  for (let n = 0; n <= VIEWED_ON_HOME; n += 1) ids.push(await makeProduct(sellerId));
  expect((await findViewedProducts(db, ids)).map(({ id }) => id)).toEqual(ids.slice(0, VIEWED_ON_HOME));
  const none = await visit("/home/viewed", { as: await makeUser() });
  expect([none.status, await none.json()]).toEqual([200, []]);
});
