import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type PriceStep, unitPrice } from "#app/catalogue/price-steps.ts";
import { setTerms, STEPS_OF, unitPriceOf } from "#app/catalogue/wholesale.server.ts";
import { PreconditionFailed, runBatch, UniqueViolation } from "#app/db/batch.ts";
import { priceSteps, products, profiles } from "#app/db/schema.ts";
import { db, makeProduct, makeUser } from "#tests/support/fixtures.ts";

const TERMS = { minQuantity: 6, steps: [{ fromQuantity: 12, price: 85 }] };

async function makeWholesaler(change: Partial<typeof profiles.$inferInsert> = {}): Promise<string> {
  const id = await makeUser();
  await db
    .update(profiles)
    .set({ accountType: "wholesaler", verificationStatus: "approved", ...change })
    .where(eq(profiles.id, id));
  return id;
}

async function readTermsOf(productId: string) {
  const [listing] = await db.select().from(products).where(eq(products.id, productId));
  const steps = await db.select().from(priceSteps).where(eq(priceSteps.productId, productId));
  return { minQuantity: listing?.minQuantity, wholesale: listing?.wholesale, sku: listing?.sku, steps: steps.length };
}

test("setting terms replaces the earlier ones, and no terms make a plain listing", async () => {
  const sellerId = await makeWholesaler();
  const productId = await makeProduct(sellerId, { price: 100 });
  const listing = { sellerId, productId };
  await runBatch(db, setTerms(listing, { terms: TERMS, sku: "PEN" }));
  await runBatch(db, setTerms(listing, { terms: { ...TERMS, minQuantity: 3 }, sku: "PEN" }));
  expect(await readTermsOf(productId)).toEqual({ minQuantity: 3, wholesale: true, sku: "PEN", steps: 1 });
  await runBatch(db, setTerms(listing, { terms: { minQuantity: 1, steps: [] }, sku: null }));
  expect(await readTermsOf(productId)).toEqual({ minQuantity: 1, wholesale: false, sku: null, steps: 0 });
});

test.each<[string, Partial<typeof profiles.$inferInsert>]>([
  ["a verified student", { accountType: "student" }],
  ["a wholesaler whose document is being checked", { verificationStatus: "pending" }],
  ["a wholesaler who is no longer verified", { verificationStatus: "rejected" }],
])("%s sets no terms", async (_who, profile) => {
  const sellerId = await makeWholesaler(profile);
  const productId = await makeProduct(sellerId);
  await expect(runBatch(db, setTerms({ sellerId, productId }, { terms: TERMS, sku: "PEN" }))).rejects.toThrow(
    PreconditionFailed,
  );
  expect(await readTermsOf(productId)).toEqual({ minQuantity: 1, wholesale: false, sku: null, steps: 0 });
});

test("a seller's SKU names one listing, and other sellers may use it, too", async () => {
  const [sellerId, other] = [await makeWholesaler(), await makeWholesaler()];
  const sku = { terms: TERMS, sku: "PEN" };
  await runBatch(db, setTerms({ sellerId, productId: await makeProduct(sellerId) }, sku));
  await runBatch(db, setTerms({ sellerId: other, productId: await makeProduct(other) }, sku));
  await expect(runBatch(db, setTerms({ sellerId, productId: await makeProduct(sellerId) }, sku))).rejects.toThrow(
    UniqueViolation,
  );
});

test("the database and the browser agree on the price of every quantity", async () => {
  const productId = await makeProduct(await makeUser());
  const here = eq(products.id, productId);
  const steps = fc.uniqueArray(
    fc.record({ fromQuantity: fc.integer({ min: 2, max: 40 }), price: fc.integer({ min: 10, max: 120 }) }),
    { maxLength: 5, selector: ({ fromQuantity }) => fromQuantity },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 120 }), steps, async (price, unsorted) => {
      const rising: PriceStep[] = unsorted.toSorted((one, other) => one.fromQuantity - other.fromQuantity);
      await db.batch([
        db.delete(priceSteps).where(eq(priceSteps.productId, productId)),
        db
          .update(products)
          .set({ price, wholesale: rising.length > 0 })
          .where(here),
        ...(rising.length > 0 ? [db.insert(priceSteps).values(rising.map((step) => ({ productId, ...step })))] : []),
      ]);
      const quantities = Array.from({ length: 42 }, (_, at) => at + 1);
      const rows = await db.all<{ quantity: number; unit: number; steps: string | null }>(
        sql`SELECT q.value AS quantity, ${unitPriceOf(sql`q.value`)} AS unit, ${STEPS_OF} AS steps
          FROM products p, json_each(${JSON.stringify(quantities)}) q WHERE p.id = ${productId} ORDER BY q.value`,
      );
      expect(rows.map(({ unit }) => unit)).toEqual(
        quantities.map((quantity) => unitPrice({ price, steps: rising }, quantity)),
      );
      expect(JSON.parse(rows[0]?.steps ?? "[]")).toEqual(rising);
    }),
    { numRuns: 40 },
  );
});
