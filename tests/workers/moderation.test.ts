/** Moderation: what is reported or held becomes one case, our team decides once, and a decision can be appealed. */
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { moderationCases, products } from "#app/db/schema.ts";
import { harmOf } from "#app/moderation/moderation-rules.ts";
import { db, makeProduct, makeUser } from "#tests/support/fixtures.ts";

async function casesAbout(subjectId: string) {
  return db.select().from(moderationCases).where(eq(moderationCases.subjectId, subjectId));
}

async function hold(productId: string, term: string): Promise<void> {
  await db.update(products).set({ suspendedAt: Date.now(), heldFor: term }).where(eq(products.id, productId));
}

describe("a held listing", () => {
  test("opens one case, however often it is held before our team decides", async () => {
    const sellerId = await makeUser();
    const productId = await makeProduct(sellerId);
    await hold(productId, "pistol");
    await db.update(products).set({ heldFor: null }).where(eq(products.id, productId));
    await hold(productId, "rifle");
    const [first, ...more] = await casesAbout(productId);
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      subject: "listing",
      reportedId: sellerId,
      state: "open",
      reports: 0,
      harm: harmOf({ reasons: [], upheld: 0 }),
      decision: null,
    });
    expect(first?.appealToken).toMatch(/^[0-9a-f]{32}$/);
    expect(first?.appealToken).not.toBe(first?.id);
  });

  test("opens a case when it is held from the start, with more harm after earlier cases", async () => {
    const sellerId = await makeUser();
    const earlier = await makeProduct(sellerId);
    await hold(earlier, "pistol");
    await db
      .update(moderationCases)
      .set({ state: "decided", decision: "removed" })
      .where(eq(moderationCases.subjectId, earlier));
    const now = Date.now();
    const id = crypto.randomUUID();
    await db.insert(products).values({
      id,
      sellerId,
      name: "Toy pistol",
      description: "Plastic",
      price: 500,
      category: "toys",
      condition: "new",
      location: "Main Campus",
      suspendedAt: now,
      heldFor: "pistol",
      createdAt: now,
      updatedAt: now,
    });
    expect(await casesAbout(id)).toMatchObject([
      { state: "open", reportedId: sellerId, harm: harmOf({ reasons: [], upheld: 1 }), createdAt: now },
    ]);
  });
});
