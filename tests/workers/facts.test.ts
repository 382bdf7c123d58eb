/**
 * A fact of a listing is one entry of `FACTS`: for each entry, this asks every place that must know it. A new place has a row
 * in `PLACES`.
 */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it, test } from "vitest";
import { changesIn, LISTING_FIELDS, PROMISED_FIELDS } from "#app/catalogue/copy-changes.ts";
import { FACTS } from "#app/catalogue/facts/fact-table.ts";
import type { Fact } from "#app/catalogue/facts/fact.ts";
import { factField } from "#app/catalogue/facts/fact-field-rules.ts";
import { factsOfType, factText, factWord, NOT_SAID, valueText } from "#app/catalogue/facts/listing-facts.ts";
import { exportListings } from "#app/catalogue/import/own-listing-rows.server.ts";
import { importListings } from "#app/catalogue/import/import-listings.server.ts";
import { writeListings } from "#app/catalogue/import/listing-file.ts";
import { checkedVersions, planListingFile } from "#app/catalogue/import/plan-listing-file.server.ts";
import type { Listing } from "#app/catalogue/selling/listing-rules.ts";
import { createListing, saveListing } from "#app/catalogue/selling/listings.server.ts";
import { continueTypePass } from "#app/catalogue/types/type-passes.server.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";
import { copyOf, readCopy } from "#app/db/copies.ts";
import { runBatch } from "#app/db/batch.ts";
import { idList } from "#app/db/build.ts";
import { categories, products } from "#app/db/schema.ts";
import { openHeldCases } from "#app/moderation/held-cases.server.ts";
import { changeListing, db, makeUser, makeWholesaler, servicesAt } from "#tests/support/fixtures.ts";
import { KETTLE } from "#tests/support/kettle.ts";

/** A listing whose seller chose a value of a fact, which its name doesn't say. */
interface Shown {
  fact: Fact;
  value: string;
  other: string;
  sellerId: string;
  productId: string;
}

async function list(sellerId: string, change: Partial<Listing>) {
  const productId = crypto.randomUUID();
  const saved = await createListing(servicesAt(), openHeldCases, {
    seller: { id: sellerId, name: "Asha", campusLocation: "Main Campus" },
    productId,
    listing: { ...KETTLE, name: "Something nice", ...change },
    photoKeys: [],
  });
  return { productId, saved };
}

function save(sellerId: string, productId: string, change: Partial<Listing>) {
  return saveListing(servicesAt(), openHeldCases, {
    sellerId,
    productId,
    listing: { ...KETTLE, name: "Something nice", ...change },
    stockSeen: 1,
    photoKeys: [],
  });
}

async function readProduct(id: string) {
  const [row] = await db.select().from(products).where(eq(products.id, id));
  if (!row) throw new Error("no listing");
  return row;
}

async function copied(id: string) {
  await runBatch(db, [copyOf("listing", idList(id), Date.now())]);
  const row = await env.DB.prepare("SELECT content FROM copies WHERE subject_id = ? ORDER BY id DESC").bind(id).first();
  const copy = readCopy("listing", row?.content as string);
  if (!copy) throw new Error("no copy");
  return copy;
}

async function isFound(productId: string, query: string): Promise<boolean> {
  const found = await env.DB.prepare(
    `SELECT 1 FROM product_search JOIN products p ON p.rowid = product_search.rowid
     WHERE product_search MATCH ?1 AND p.id = ?2`,
  )
    .bind(query, productId)
    .first();
  return found !== null;
}

/** Every place that a fact must be in. */
const PLACES: Readonly<Record<string, (shown: Shown) => Promise<void>>> = {
  async "what is stored"({ fact, value, productId }) {
    const { facts, factsChosen } = await readProduct(productId);
    expect([facts[fact.id], factsChosen[fact.id]]).toEqual([value, value]);
  },
  async "the words of the listing, and its word in the index"({ fact, value, productId }) {
    for (const word of factText(fact, value)
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u))
      expect(await isFound(productId, `{name} : "${word}"`)).toBe(true);
    if (fact.kind === "choice") expect(await isFound(productId, `{facts} : "${factWord(fact, value)}"`)).toBe(true);
  },
  async "the copy of what was promised, what has changed in it since, and its revision"(shown) {
    const { fact, value, other, productId } = shown;
    const then = await copied(productId);
    expect(then.facts[fact.id]).toBe(value);
    await changeListing(productId, { facts: { ...then.facts, [fact.id]: other } });
    expect((await readProduct(productId)).revision).toBe(1);
    const now = await copied(productId);
    const change = { label: fact.label, was: valueText(fact, value), is: valueText(fact, other), isLong: false };
    for (const fields of [PROMISED_FIELDS, LISTING_FIELDS]) expect(changesIn(fields, then, now)).toEqual([change]);
  },
  async "the file of listings, out and in again"({ fact, value, other, sellerId, productId }) {
    const changed = async (text: string) => {
      const file = writeListings(await exportListings(db, sellerId, 1));
      const bytes = new TextEncoder().encode(file.replace(`,"${valueText(fact, value)}",`, `,"${text}",`));
      const plan = await planListingFile(servicesAt(), { sellerId, bytes, checked: null });
      if (!plan.ok) throw new Error(plan.error);
      return { bytes, rows: plan.rows };
    };
    expect((await changed(valueText(fact, value))).rows).toMatchObject([{ state: "unchanged" }]);
    if (fact.kind === "choice")
      expect((await changed("Qwx")).rows).toMatchObject([
        { state: "bad", errors: { [factField(fact.id)]: expect.stringContaining("Qwx") } },
      ]);
    const { bytes, rows } = await changed(valueText(fact, other));
    expect(rows).toMatchObject([{ state: "updated" }]);
    const seller = { id: sellerId, name: "Asha", email: "a@campus.test", campusLocation: null };
    await importListings(servicesAt(), openHeldCases, { seller, bytes, checked: checkedVersions(rows) });
    expect((await readProduct(productId)).facts[fact.id]).toBe(other);
  },
};

describe.each(FACTS.map((fact) => [fact.id, fact] as const))("the fact %s is in", (_, fact) => {
  it.each(Object.entries(PLACES))("%s", async (_place, isThere) => {
    const type = fact.of[0]?.types[0] ?? "";
    const [{ choices } = { choices: [] }] = factsOfType(type, KEPT_TABLE).filter((one) => one.fact === fact);
    const [value = "Zawadi", other = "Amina"] = choices.slice(1).map((choice) => choice.value);
    await db
      .insert(categories)
      .values({ id: "electronics", name: "Electronics", nameKey: "electronics", status: "approved", createdAt: 1 })
      .onConflictDoNothing();
    const sellerId = await makeWholesaler();
    const { productId, saved } = await list(sellerId, { chosenType: type, facts: { [fact.id]: value } });
    expect(saved.ok).toBe(true);
    await isThere({ fact, value, other, sellerId, productId });
  });
});

test("an entry of the table has a code of its own, and so has each of its choices", () => {
  const ids = FACTS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, of } of FACTS) {
    expect(id).toMatch(/^[a-z]+$/);
    for (const { types, choices } of of) {
      expect(types.filter((type) => !KEPT_TABLE.types.has(type))).toEqual([]);
      expect(choices.filter(({ value }) => !/^[a-z0-9]+$/.test(value) || value === NOT_SAID)).toEqual([]);
      expect(new Set(choices.map(({ value }) => value)).size).toBe(choices.length);
    }
  }
});

describe("what a listing's name says", () => {
  it("counts, until its seller says otherwise", async () => {
    const sellerId = await makeUser();
    const { productId } = await list(sellerId, { name: "Samsung A14 4/128" });
    expect(await readProduct(productId)).toMatchObject({
      facts: { brand: "samsung", storage: "128", memory: "4" },
      factsChosen: {},
    });
    const edit = { name: "Samsung A14 4/128", facts: { storage: "64 GB", memory: NOT_SAID } };
    expect((await save(sellerId, productId, edit)).ok).toBe(true);
    expect(await readProduct(productId)).toMatchObject({
      facts: { brand: "samsung", storage: "64" },
      factsChosen: { storage: "64", memory: null },
    });
    await save(sellerId, productId, { name: "Nike sneakers 42" });
    expect((await readProduct(productId)).facts).toEqual({ brand: "nike", size: "42" });
  });

  it("can't be answered with what such a thing can't have", async () => {
    const { saved } = await list(await makeUser(), { chosenType: "dress", facts: { size: "42" } });
    expect(saved).toMatchObject({ ok: false, code: "facts", errors: { size: expect.stringContaining("XS, S, M") } });
  });
});

describe("the pass over older listings", () => {
  it("gives each its facts, which is no edit: no offer ends and nobody has to look again", async () => {
    const sellerId = await makeUser();
    const { productId } = await list(sellerId, { name: "Samsung A14 4/128", facts: { color: "black" } });
    const full = (await readProduct(productId)).facts;
    await env.DB.prepare("UPDATE products SET facts = '{}', revision = 3 WHERE id = ?").bind(productId).run();
    await env.DB.prepare("DELETE FROM type_passes").run();
    await continueTypePass(servicesAt());
    expect(await readProduct(productId)).toMatchObject({ facts: full, revision: 3 });
  });
});
