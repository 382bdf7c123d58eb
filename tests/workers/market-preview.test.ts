/** What the login and sign-up screens show of the marketplace to people who have no account. */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { suspendListing, suspendUser } from "#app/moderation/suspensions/suspensions.server.ts";
import { listMarketPreview } from "#app/catalogue/browse/market-preview.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { publicProductPath } from "#app/public-links.ts";
import { databaseThrough } from "#tests/support/faults.ts";
import { db, makeProduct, makeTables, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";
import { meteredServices } from "#tests/support/metered.ts";

let listed = Date.now();

/** Lists something with a photo, newer than everything before. */
async function list(name: string, sellerId: string, status: "active" | "sold" | "out_of_stock" = "active") {
  const id = await makeProduct(sellerId, { name, status });
  const images = [
    { key: `products/${id}`, width: 640, height: 480, widths: [160, 640], thumbhash: "", tone: "#e7c65f" },
  ];
  await db
    .update(products)
    .set({ images, createdAt: (listed += 1) })
    .where(eq(products.id, id));
  return id;
}

test("visitors see the four newest things for sale that have a photo, and nothing of who sells them", async () => {
  const sellerId = await makeUser({ name: "Njoroge Kiplagat", phone: "254711223344" });
  const oldest = await list("Study lamp", sellerId);
  const shown = [];
  for (const name of ["Electric kettle", "Bookshelf", "Gas cooker", "Denim jacket"])
    shown.unshift(await list(name, sellerId));

  const admin = await makeAdmin();
  const suspended = await makeUser();
  await list("Of a suspended seller", suspended);
  expect(await suspendUser(servicesAt(), admin, suspended, "Fraud")).toEqual({ ok: true });
  expect(await suspendListing(servicesAt(), admin, await list("Taken down", sellerId), "Fake")).toEqual({ ok: true });
  await list("Already sold", sellerId, "sold");
  await list("Out of stock", sellerId, "out_of_stock");
  const deleted = await list("Deleted", sellerId);
  await db.update(products).set({ deletedAt: Date.now() }).where(eq(products.id, deleted));
  await makeProduct(sellerId, { name: "Without a photo" });

  expect((await listMarketPreview(db)).map(({ id }) => id)).toEqual(shown);
  for (const path of ["/auth", "/auth/signup"]) {
    const html = await (await visit(path)).text();
    expect(html).toContain("Denim jacket");
    expect(html).toContain(`href="${publicProductPath({ id: shown[0] ?? "", name: "Denim jacket" })}"`);
    for (const hidden of [sellerId, "Njoroge", "711223344", "Works, with cover", oldest])
      expect(html).not.toContain(hidden);
  }
});

test("it costs one round trip and few rows, however much is for sale", async () => {
  const sellerId = await makeUser();
  await makeTables(sellerId, 0, 2_000);
  const { meter, db: metered } = meteredServices();
  await listMarketPreview(metered);
  expect(meter.trips).toBe(1);
  expect(meter.rowsRead).toBeLessThanOrEqual(24);
});

test("the forms come without it, where it cannot be read", async () => {
  const DB = databaseThrough(env.DB, () => Promise.reject(new Error("D1_ERROR: the network is gone")));
  for (const [path, button] of [
    ["/auth", "Login"],
    ["/auth/signup", "Create Account"],
  ] as const) {
    const answer = await visit(path, { bindings: { DB } });
    expect(answer.status).toBe(200);
    const html = await answer.text();
    expect(html).toContain(`>${button}</button>`);
    expect(html).toContain("We hold the money");
    expect(html).not.toContain("market-preview__products");
  }
});
