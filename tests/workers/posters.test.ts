/** Posters: what they say, and which listings have none. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { products } from "#app/catalogue/tables.server.ts";
import { shortProductPath, shortShopPath } from "#app/public-links.ts";
import { ORIGIN } from "#tests/support/accounts.ts";
import { db, makeProduct, makeUser } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

test("a listing that is hidden or deleted has no poster, not even for its seller", async () => {
  const sellerId = await makeUser({ name: "Grace Wambui" });
  const id = await makeProduct(sellerId, { name: "Desk lamp" });
  const path = `/product/${id}/poster`;
  const page = await (await visit(path, { as: sellerId })).text();
  expect(page).toContain("Desk lamp");
  expect(page).toContain(`href="${ORIGIN}${shortProductPath(id)}"`);

  await db.update(products).set({ suspendedAt: 1 }).where(eq(products.id, id));
  expect((await visit(path, { as: sellerId })).status).toBe(404);
  await db.update(products).set({ suspendedAt: null, deletedAt: 1 }).where(eq(products.id, id));
  expect((await visit(path, { as: sellerId })).status).toBe(404);
});

test("a product's poster says no phone number, and no campus that nobody knows", async () => {
  const sellerId = await makeUser();
  const id = await makeProduct(sellerId, { name: "Desk lamp 0712 345 678", location: "Unknown" });
  const page = await (await visit(`/product/${id}/poster`, { as: sellerId })).text();
  expect(page).toContain("Desk lamp …");
  expect(page).not.toMatch(/345 678|Unknown/);
});

test("the poster of a shop without a name says the seller's first name alone", async () => {
  const sellerId = await makeUser({ name: "Grace Wambui" });
  await makeProduct(sellerId);
  const page = await (await visit(`/seller/${sellerId}/poster`)).text();
  expect(page).toMatch(/Grace(&#x27;|')s shop/);
  expect(page).toContain(`href="${ORIGIN}${shortShopPath(sellerId)}"`);
  expect(page).not.toMatch(/Wambui|@campus\.test/);
});
