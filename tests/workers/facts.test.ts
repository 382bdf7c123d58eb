/**
 * A fact of a listing is one entry of `FACTS`: for each entry, this asks every place that must know it. A new place has
 * a row in `PLACES`.
 */
import { LISTING_COPY, type ListingCopy } from "#app/catalogue/listing-copy.server.ts";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it, test } from "vitest";
import { filteredList } from "#app/catalogue/browse/browse.server.ts";
import { activeChips, NO_LIST_FILTERS, writeListFilters } from "#app/catalogue/browse/list-filters.ts";
import { LIST_KINDS } from "#app/catalogue/browse/list-kinds.ts";
import { readListFilters } from "#app/catalogue/browse/read-list-filters.ts";
import { changesIn, LISTING_FIELDS, PROMISED_FIELDS } from "#app/catalogue/copy-changes.ts";
import { FACTS } from "#app/catalogue/facts/fact-table.ts";
import type { Fact } from "#app/catalogue/facts/fact.ts";
import { factField } from "#app/catalogue/facts/fact-field-rules.ts";
import { factsOfType, factText, factWord, NOT_SAID, valueText } from "#app/catalogue/facts/listing-facts.ts";
import { FILTER_FACTS } from "#app/catalogue/facts/filter-facts.ts";
import { exportListings } from "#app/catalogue/import/own-listing-rows.server.ts";
import { importListings } from "#app/catalogue/import/import-listings.server.ts";
import { writeListings } from "#app/catalogue/import/listing-file.ts";
import { checkedVersions, planListingFile } from "#app/catalogue/import/plan-listing-file.server.ts";
import { findSearchesFor } from "#app/catalogue/saved/find-searches.server.ts";
import { listSavedSearches, saveSearch } from "#app/catalogue/saved/saved-searches.server.ts";
import { meaningOf } from "#app/catalogue/search/search-meaning.ts";
import { lookUpSearch, searchProducts } from "#app/catalogue/search/search.server.ts";
import type { Listing } from "#app/catalogue/selling/listing-rules.ts";
import { createListing, saveListing } from "#app/catalogue/selling/listings.server.ts";
import type { TypeSuggestion } from "#app/catalogue/types/choose-type.ts";
import { continueTypePass } from "#app/catalogue/types/type-passes.server.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";
import { copyOf, readCopy } from "#app/db/copies.ts";
import { write } from "#app/db/batch.ts";
import { idList } from "#app/db/build.ts";
import { categories, products } from "#app/catalogue/tables.server.ts";
import { publicProductPath } from "#app/public-links.ts";
import { readMyData } from "#app/screens/my-data/my-data.server.ts";
import { openHeldCases } from "#app/moderation/cases/held-cases.server.ts";
import { changeListing, db, makeUser, makeWholesaler, servicesAt } from "#tests/support/fixtures.ts";
import { KETTLE } from "#tests/support/kettle.ts";
import { multipart, openForm } from "#tests/support/open-form.ts";
import { visit, wordsOf } from "#tests/support/visit.ts";

/** A listing whose seller chose a value of a fact, which its name doesn't say. */
interface Shown {
  fact: Fact;
  /** The id of its type. */
  type: string;
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
  await write(db, [copyOf(LISTING_COPY, idList(id), Date.now())]);
  const row = await env.DB.prepare("SELECT content FROM copies WHERE subject_id = ? ORDER BY id DESC").bind(id).first();
  const copy = readCopy<ListingCopy>(row?.content as string);
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

/** The form of a new listing as browsers without scripts send it. */
const NEW = {
  name: "Something nice",
  price: "1500",
  originalPrice: "",
  description: "Works well",
  category: "electronics",
  condition: "good",
  stock: "1",
  stockSeen: "1",
};

function withoutType(found: unknown): unknown {
  if (typeof found !== "object" || found === null) return found;
  return Object.fromEntries(Object.entries(found).filter(([key]) => key !== "@type"));
}

/** Every place that a fact must be in. */
const PLACES: Readonly<Record<string, (shown: Shown) => Promise<void>>> = {
  async "the form of a new listing, which refuses what is no choice"({ fact, type, value, sellerId }) {
    const productId = crypto.randomUUID();
    const post = (text: string) =>
      visit("/add-product", {
        as: sellerId,
        form: multipart({ ...NEW, productId, type, [factField(fact.id)]: text }),
      });
    if (fact.kind === "choice") {
      const refused = await post("Qwx");
      expect(refused.status).toBe(400);
      expect(wordsOf(await refused.text())).toContain("“Qwx” isn't");
    }
    expect((await post("x".repeat(61))).status).toBe(400);
    expect((await post(value)).status).toBe(302);
    expect((await readProduct(productId)).facts[fact.id]).toBe(value);
  },
  async "what the form is told while its name is written"({ fact, type, sellerId, value }) {
    const answer = await visit(`/listing-type?name=Something&own=${type}`, { as: sellerId });
    const { facts } = (await answer.json()) as TypeSuggestion;
    const field = facts.find((one) => one.field === factField(fact.id));
    expect(field).toMatchObject({ label: fact.label, kind: fact.kind, said: null });
    if (fact.kind === "choice") expect(field?.choices).toContainEqual({ value, label: valueText(fact, value) });
  },
  async "the edit form, which changes it, and asks about what was changed meanwhile"(shown) {
    const { fact, value, other, sellerId, productId } = shown;
    const field = factField(fact.id);
    const path = `/product/${productId}/edit`;
    const opened = await openForm(path, sellerId, "description");
    expect(opened[field]).toBe(value);
    expect((await visit(path, { as: sellerId, form: multipart({ ...opened, [field]: other }) })).status).toBe(302);
    expect((await readProduct(productId)).factsChosen[fact.id]).toBe(other);
    const late = await visit(path, { as: sellerId, form: multipart({ ...opened, [field]: NOT_SAID }) });
    expect(late.status).toBe(400);
    expect(wordsOf(await late.text())).toContain(`Changed meanwhile to ${valueText(fact, other)}; you wrote not said.`);
    // What was changed elsewhere meanwhile stays.
    await visit(path, { as: sellerId, form: multipart({ ...opened, description: "Works" }) });
    expect(await readProduct(productId)).toMatchObject({ description: "Works", factsChosen: { [fact.id]: other } });
  },
  async "the page of the product, for members"({ fact, value, productId }) {
    const html = await (await visit(`/product/${productId}`, { as: await makeUser() })).text();
    expect(html).toContain(`<dt>${fact.label}</dt><dd>${valueText(fact, value)}</dd>`);
  },
  async "its public page, and what search engines read"({ fact, value, productId }) {
    const path = publicProductPath({ id: productId, name: "Something nice" });
    const html = await (await visit(path)).text();
    const text = valueText(fact, value);
    expect(html).toContain(`<dt>${fact.label}</dt><dd>${text}</dd>`);
    const [, json = ""] = /<script type="application\/ld\+json"[^>]*>([^]*?)<\/script>/.exec(html) ?? [];
    const [product] = (JSON.parse(json) as { "@graph": Record<string, unknown>[] })["@graph"];
    if (fact.property === null)
      expect(product?.additionalProperty).toMatchObject([
        { name: fact.label, value: fact.unit ? Number(value) : text, ...(fact.unit && { unitText: fact.unit }) },
      ]);
    else expect([text, { name: text }]).toContainEqual(withoutType(product?.[fact.property]));
  },
  async "the copy of a person's data"({ fact, value, sellerId }) {
    const { products: own } = await readMyData(servicesAt(), sellerId);
    expect(own).toMatchObject([{ facts: { [fact.id]: value } }]);
  },
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
    expect(then.facts.values[fact.id]).toBe(value);
    await changeListing(productId, {
      facts: { ...then.facts.values, [fact.id]: other },
      factsChosen: { ...then.facts.chosen, [fact.id]: other },
    });
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
  async "the filters of lists and of saved searches, their address, their chips and their form"(shown) {
    const { fact, value, other, sellerId, productId } = shown;
    const address = (chosen: string) =>
      new URLSearchParams([
        ["type", typeOf(fact)],
        [fact.id, chosen],
      ]);
    const found = async (chosen: string) => {
      const filters = readListFilters(address(chosen), LIST_KINDS.wordless, FILTER_FACTS);
      if (!fact.isFilter) expect(writeListFilters(filters).toString()).toBe(`type=${typeOf(fact)}`);
      const { products: left } = await filteredList(servicesAt(), { after: null, filters, sellerId });
      return left.some(({ id }) => id === productId);
    };
    expect([await found(value), await found(other)]).toEqual([true, !fact.isFilter]);
    if (!fact.isFilter) return;

    const filters = readListFilters(address(value), LIST_KINDS.wordless, FILTER_FACTS);
    const { facts } = await filteredList(servicesAt(), { after: null, filters });
    expect(facts).toContainEqual(expect.objectContaining({ id: fact.id, label: fact.label }));
    const chips = activeChips(filters, { facts }).map(({ label }) => label);
    expect(chips).toContain(factText(fact, value));

    const userId = await makeUser();
    const saved = { words: "", filters };
    await saveSearch(servicesAt(), { userId, saved });
    const [search] = await listSavedSearches(db, userId);
    expect(search?.name).toContain(factText(fact, value));
    const isTold = async () => ((await findSearchesFor(db, [productId])).get(productId) ?? []).length > 0;
    expect(await isTold()).toBe(true);
    await changeListing(productId, { facts: { [fact.id]: other } });
    expect(await isTold()).toBe(false);
  },
  async "what a search means"({ fact, value, other, productId }) {
    const text = `${KEPT_TABLE.types.get(typeOf(fact))?.name ?? ""} ${factText(fact, value)}`;
    const { vocabulary, table } = await lookUpSearch(db, text);
    const isAmongResults = async () => {
      const input = { viewerId: "", campus: null, after: null, filters: NO_LIST_FILTERS, text, vocabulary };
      const { products: results, nearest } = await searchProducts(servicesAt(), input, table);
      return nearest === null && results.some(({ id }) => id === productId);
    };
    expect(await isAmongResults()).toBe(true);
    if (fact.kind === "choice") {
      // "Phone 8 GB" may mean memory.
      const values = meaningOf(text, table, vocabulary).said.flatMap((said) => said.values);
      expect(values.map((one) => one.value)).toContain(value);
    }
    await changeListing(productId, { facts: { [fact.id]: other } });
    expect(await isAmongResults()).toBe(false);
  },
};

/** A type whose listings have the fact. */
function typeOf({ of }: Fact): string {
  return of[0]?.types[0] ?? "";
}

describe.each(FACTS.map((fact) => [fact.id, fact] as const))("the fact %s is in", (_, fact) => {
  it.each(Object.entries(PLACES))("%s", async (_place, isThere) => {
    const type = typeOf(fact);
    const [{ choices } = { choices: [] }] = factsOfType(type, KEPT_TABLE).filter((one) => one.fact === fact);
    const [value = "Zawadi", other = "Amina"] = choices.slice(choices.length > 2 ? 1 : 0).map((choice) => choice.value);
    await db
      .insert(categories)
      .values({ id: "electronics", name: "Electronics", nameKey: "electronics", status: "approved", createdAt: 1 })
      .onConflictDoNothing();
    const sellerId = await makeWholesaler();
    const { productId, saved } = await list(sellerId, { chosenType: type, facts: { [fact.id]: value } });
    expect(saved.ok).toBe(true);
    await isThere({ fact, type, value, other, sellerId, productId });
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

describe("what a seller writes of a fact", () => {
  const author = (text: string, change: Partial<Listing> = {}) => ({
    name: "Calculus",
    chosenType: "textbook",
    ...change,
    facts: { author: text },
  });

  it("has the rules of a name", async () => {
    const seller = await makeUser();
    for (const text of ["Call 0712 345 678", "wa.me/254712345678", "Paybill 522522", "Stewart ★★★★★", "x".repeat(61)]) {
      const { saved } = await list(seller, author(text));
      expect(saved).toMatchObject({ ok: false, code: "facts", errors: { author: expect.any(String) } });
    }
    const { productId, saved } = await list(seller, author("Stewart <b> “James” 👍"));
    expect(saved.ok).toBe(true);
    expect((await readProduct(productId)).facts).toEqual({ author: "Stewart <b> “James” 👍" });
  });

  it("may be that it isn't said, whatever the name says", async () => {
    for (const text of ["-", "–", "not said", NOT_SAID]) {
      const { productId } = await list(await makeUser(), author(text, { name: "Calculus by James Stewart" }));
      expect(await readProduct(productId)).toMatchObject({ facts: {}, factsChosen: { author: null } });
    }
    const form = { ...NEW, productId: crypto.randomUUID(), type: "textbook", "fact:author": "-" };
    expect((await visit("/add-product", { as: await makeUser(), form: multipart(form) })).status).toBe(302);
  });

  it("is held for a prohibited word, where such a thing has the fact, and only once", async () => {
    const sellerId = await makeWholesaler();
    const { productId, saved } = await list(sellerId, author("A. Pistol"));
    expect(saved).toMatchObject({ heldFor: "pistol" });
    await changeListing(productId, { suspendedAt: null, heldFor: null });
    const file = writeListings(await exportListings(db, sellerId, 1)).replace("Works", "Still works");
    const bytes = new TextEncoder().encode(file);
    const plan = await planListingFile(servicesAt(), { sellerId, bytes, checked: null });
    expect(plan).toMatchObject({ rows: [{ state: "updated", heldFor: null }] });
  });

  it("is nothing once the thing is something else, whose form has no such field", async () => {
    for (const text of ["Call 0712 345 678", "A. Pistol", "x".repeat(61)]) {
      const { productId, saved } = await list(await makeUser(), author(text, { chosenType: "phone" }));
      expect(saved).toMatchObject({ ok: true, heldFor: null });
      expect(await readProduct(productId)).toMatchObject({ facts: {}, factsChosen: {} });
    }
    const form = { ...NEW, productId: crypto.randomUUID(), type: "phone", "fact:author": "Call 0712 345 678" };
    expect((await visit("/add-product", { as: await makeUser(), form: multipart(form) })).status).toBe(302);
  });

  it("can't be a fact that nobody knows", async () => {
    const facts = JSON.parse('{"__proto__":"x","constructor":"y","toString":"z","size":"constructor"}');
    const { saved } = await list(await makeUser(), { chosenType: "shoes", facts });
    expect(saved).toMatchObject({ code: "facts", errors: { size: expect.any(String) } });
    const { productId } = await list(await makeUser(), { chosenType: "phone", facts });
    expect(await readProduct(productId)).toMatchObject({ facts: {}, factsChosen: {} });
    const address = new URLSearchParams("constructor=1&__proto__=2&size=__proto__&size=constructor&color=toString");
    expect(readListFilters(address, LIST_KINDS.search, FILTER_FACTS).facts).toEqual({});
  });
});

describe("the pass over older listings", () => {
  it("changes nothing that an order promised: what our rules read differently is no edit", async () => {
    const sellerId = await makeUser();
    const { productId } = await list(sellerId, { name: "Samsung A14 4/128", facts: { color: "black" } });
    const { facts } = await readProduct(productId);
    await env.DB.prepare("UPDATE products SET facts = json_set(facts, '$.memory', '8') WHERE id = ?")
      .bind(productId)
      .run();
    const then = await copied(productId);
    await env.DB.prepare("DELETE FROM passes").run();
    await continueTypePass(servicesAt());
    const now = await copied(productId);
    expect([then.facts.values.memory, now.facts.values]).toEqual(["8", facts]);
    expect(changesIn(LISTING_FIELDS, then, now)).toEqual([]);
    await save(sellerId, productId, { name: "Samsung A14 6/128", facts: { color: "blue" } });
    expect(changesIn(PROMISED_FIELDS, now, await copied(productId)).map(({ label }) => label)).toEqual(
      expect.arrayContaining(["Name", "Memory", "Color"]),
    );
  });

  it("gives each its facts, which is no edit: no offer ends and nobody has to look again", async () => {
    const sellerId = await makeUser();
    const { productId } = await list(sellerId, { name: "Samsung A14 4/128", facts: { color: "black" } });
    const full = (await readProduct(productId)).facts;
    await env.DB.prepare("UPDATE products SET facts = '{}', revision = 3 WHERE id = ?").bind(productId).run();
    await env.DB.prepare("DELETE FROM passes").run();
    await continueTypePass(servicesAt());
    expect(await readProduct(productId)).toMatchObject({ facts: full, revision: 3 });
  });
});
