import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { openHeldCases } from "#app/moderation/cases/held-cases.server.ts";
import { NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { lookUpSearch, searchProducts } from "#app/catalogue/search/search.server.ts";
import { createListing, openListing, saveListing } from "#app/catalogue/selling/listings.server.ts";
import type { Listing } from "#app/catalogue/selling/listing-rules.ts";
import { continueTypePass } from "#app/catalogue/types/type-passes.server.ts";
import {
  addType,
  forgetMissedSearch,
  listTypes,
  setTypeWord,
  unsetTypeWord,
} from "#app/admin/catalogue/types.server.ts";
import { noteMissedSearch, sweepMissedSearches } from "#app/catalogue/types/missed-searches.server.ts";
import { typesNamed } from "#app/catalogue/types/type-names.ts";
import { readTypeTable } from "#app/catalogue/types/types.server.ts";
import { makeAdmin } from "#tests/support/visit.ts";
import { makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { KETTLE } from "#tests/support/kettle.ts";

const LISTING: Listing = { ...KETTLE, name: "HP EliteBook 840", price: 20_000 };

let sellerId: string;

beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare("DELETE FROM passes"),
    env.DB.prepare("DELETE FROM item_type_words"),
    env.DB.prepare("DELETE FROM item_types"),
    env.DB.prepare("DELETE FROM missed_searches"),
  ]);
  sellerId = await makeUser();
});

async function list(change: Partial<Listing> = {}) {
  const productId = crypto.randomUUID();
  const seller = { id: sellerId, name: "Asha", campusLocation: null };
  const saved = await createListing(servicesAt(), openHeldCases, {
    seller,
    productId,
    listing: { ...LISTING, ...change },
    photoKeys: [],
  });
  return { productId, saved };
}

async function save(productId: string, change: Partial<Listing>) {
  return saveListing(servicesAt(), openHeldCases, {
    sellerId,
    productId,
    listing: { ...LISTING, ...change },
    stockSeen: 1,
    photoKeys: [],
  });
}

function typeOf(productId: string): Promise<{ type: string | null; chosen: number } | null> {
  return env.DB.prepare("SELECT type, type_chosen AS chosen FROM products WHERE id = ?").bind(productId).first();
}

describe("the type of a listing", () => {
  it("comes from its name, when it is listed and when its name changes", async () => {
    const { productId } = await list();
    expect(await typeOf(productId)).toEqual({ type: "laptop", chosen: 0 });
    await save(productId, { name: "Charger for HP EliteBook" });
    expect(await typeOf(productId)).toEqual({ type: "laptop-charger", chosen: 0 });
    await save(productId, { name: "Something nice" });
    expect(await typeOf(productId)).toEqual({ type: null, chosen: 0 });
  });

  it("is what the seller chose, whatever its name becomes, until they leave it to the rules again", async () => {
    const { productId } = await list({ chosenType: "tablet" });
    expect(await typeOf(productId)).toEqual({ type: "tablet", chosen: 1 });
    await save(productId, { name: "Lab coat", chosenType: "none" });
    expect(await typeOf(productId)).toEqual({ type: null, chosen: 1 });
    const editor = await openListing(servicesAt(), sellerId, productId);
    expect(editor?.editing?.values.type).toBe("none");
    expect(editor?.type.found).toMatchObject({ id: "lab-coat", because: "Lab coat" });
    await save(productId, { name: "Lab coat" });
    expect(await typeOf(productId)).toEqual({ type: "lab-coat", chosen: 0 });
  });

  it("can't be one that there isn't", async () => {
    const { saved, productId } = await list({ chosenType: "unicorn" });
    expect(saved).toEqual({ ok: false, code: "type" });
    expect(await typeOf(productId)).toBeNull();
  });

  it("follows what admins changed in the table", async () => {
    await env.DB.batch([
      env.DB.prepare("INSERT INTO item_types VALUES ('drone', 'Drone', 'Drones', 'electronics', 0)"),
      env.DB.prepare(
        "INSERT INTO item_type_words VALUES ('drone', 'quadcopter', 'name', 0), ('laptop', 'elitebook', 'none', 0)",
      ),
    ]);
    expect(await typeOf((await list({ name: "Mini quadcopter" })).productId)).toMatchObject({ type: "drone" });
    expect(await typeOf((await list()).productId)).toMatchObject({ type: null });
  });
});

describe("the pass over older listings", () => {
  async function older(name: string, more = "") {
    const id = await makeProduct(sellerId);
    await env.DB.prepare(`UPDATE products SET name = ?, type = NULL${more} WHERE id = ?`).bind(name, id).run();
    return id;
  }

  it("gives each its type once, and reads nothing more when it is over", async () => {
    const laptop = await older("HP EliteBook 840");
    const chosen = await older("HP EliteBook 850", ", type = 'tablet', type_chosen = 1");
    expect(await continueTypePass(servicesAt())).toBeGreaterThan(0);
    expect(await typeOf(laptop)).toEqual({ type: "laptop", chosen: 0 });
    expect(await typeOf(chosen)).toEqual({ type: "tablet", chosen: 1 });
    expect(await continueTypePass(servicesAt())).toBe(0);
  });

  it("is the same twice at once", async () => {
    const id = await older("HP EliteBook 840");
    await Promise.all([continueTypePass(servicesAt()), continueTypePass(servicesAt())]);
    expect(await typeOf(id)).toEqual({ type: "laptop", chosen: 0 });
  });

  it("begins again when the table changes", async () => {
    const id = await older("HP EliteBook 840");
    await continueTypePass(servicesAt());
    await env.DB.prepare("INSERT INTO item_type_words VALUES ('laptop', 'elitebook', 'none', 0)").run();
    await continueTypePass(servicesAt());
    expect(await typeOf(id)).toEqual({ type: null, chosen: 0 });
  });
});

const DAY_MS = 24 * 60 * 60_000;

describe("admins", () => {
  const named = async (word: string) =>
    typesNamed([word], await readTypeTable(servicesAt().db)).flatMap(({ types }) => types);

  it("say what a word means, change their minds and take it back", async () => {
    const admin = await makeAdmin();
    expect(await named("lappi")).toEqual([]);
    expect(await setTypeWord(servicesAt(), admin, { type: "laptop", word: " Lappi ", use: "name" })).toEqual({
      ok: true,
    });
    expect(await named("lappi")).toEqual(["laptop"]);
    expect(await setTypeWord(servicesAt(), admin, { type: "laptop", word: "lappi", use: "none" })).toEqual({
      ok: true,
    });
    expect(await named("lappi")).toEqual([]);
    const taken = { type: "laptop", word: "lappi" };
    expect(await unsetTypeWord(servicesAt(), admin, taken)).toEqual({ ok: true });
    expect(await unsetTypeWord(servicesAt(), admin, taken)).toEqual({ ok: false, code: "stale" });
    const refused = { type: "unicorn", word: "lappi", use: "name" } as const;
    expect(await setTypeWord(servicesAt(), admin, refused)).toEqual({ ok: false, code: "no_type" });
    expect(await setTypeWord(servicesAt(), admin, { ...refused, word: "..." })).toEqual({ ok: false, code: "empty" });
  });

  it("teach the search a word", async () => {
    const admin = await makeAdmin();
    const { productId } = await list();
    const search = async () => {
      const { vocabulary, table } = await lookUpSearch(servicesAt().db, "mashinezo");
      const asked = {
        viewerId: "",
        campus: null,
        text: "mashinezo",
        vocabulary,
        after: null,
        filters: NO_LIST_FILTERS,
      };
      const { products, nearest } = await searchProducts(servicesAt(), asked, table);
      return nearest ? [] : products.map(({ id }) => id);
    };
    expect(await search()).toEqual([]);
    await setTypeWord(servicesAt(), admin, { type: "laptop", word: "mashinezo", use: "name" });
    expect(await search()).toContain(productId);
  });

  it("add a type once, and nobody else does", async () => {
    const admin = await makeAdmin();
    const drone = { name: "Drone", plural: "Drones", category: "electronics" };
    expect(await addType(servicesAt(), { id: sellerId, email: "" }, drone)).toEqual({ ok: false, code: "stale" });
    expect(await addType(servicesAt(), admin, drone)).toEqual({ ok: true });
    expect(await addType(servicesAt(), admin, drone)).toEqual({ ok: false, code: "known" });
    expect(await addType(servicesAt(), admin, { name: "Kite", plural: "Kites", category: "none" })).toEqual({
      ok: false,
      code: "no_category",
    });
    expect(await named("drones")).toEqual(["drone"]);
    const { rows } = await listTypes(servicesAt().db, { category: "electronics", search: "" });
    expect(rows.find(({ id }) => id === "drone")).toMatchObject({ name: "Drone", listings: 0 });
  });
});

describe("searches that found nothing", () => {
  const missed = async () => (await listTypes(servicesAt().db, { category: null, search: "" })).missed;

  async function note(...texts: string[]) {
    for (const text of texts) await noteMissedSearch(servicesAt(), crypto.randomUUID(), text);
  }

  it("show with their count from the third on, until an admin gives the word a meaning or removes it", async () => {
    const admin = await makeAdmin();
    await note("Hoverboard", "hoverboard", "gyroscope", "gyroscope", "gyroscope");
    expect(await missed()).toMatchObject([{ words: "gyroscope", count: 3 }]);
    await note("HOVERBOARD");
    expect(await missed()).toHaveLength(2);
    await setTypeWord(servicesAt(), admin, { type: "scooter", word: "hoverboard", use: "name" });
    expect(await missed()).toMatchObject([{ words: "gyroscope" }]);
    expect(await forgetMissedSearch(servicesAt(), admin, "gyroscope")).toEqual({ ok: true });
    expect(await missed()).toEqual([]);
  });

  it("aren't noted where they may be about a person", async () => {
    const texts = [
      "0712 345 678",
      "asha@campus.test",
      "call 0712345678",
      "is anybody selling a blue one",
      "123456",
      "?",
    ];
    for (const text of texts) await note(text, text, text);
    expect(await missed()).toEqual([]);
  });

  it("count once a day for one person, who can't fill the list alone", async () => {
    const person = crypto.randomUUID();
    for (const hours of [0, 1, 2, 25]) await noteMissedSearch(servicesAt(hours * 3_600_000), person, "gyroscope");
    for (let n = 0; n < 40; n += 1) await noteMissedSearch(servicesAt(50 * 3_600_000), person, `thing ${n}`);
    const counts = await env.DB.prepare(
      `SELECT SUM(words = 'gyroscope' AND count = 2) AS twice, SUM(words LIKE 'thing %') AS others
        FROM missed_searches`,
    ).first();
    expect(counts).toEqual({ twice: 1, others: 30 });
  });

  it("are at most so many, and are forgotten", async () => {
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
       INSERT INTO missed_searches SELECT 'word ' || i, 3, ${Date.now()} FROM n`,
    ).run();
    await note("hoverboard", "word 1");
    const { results } = await env.DB.prepare(
      "SELECT words FROM missed_searches WHERE count = 4 OR words = 'hoverboard'",
    ).all();
    expect(results).toEqual([{ words: "word 1" }]);
    expect(await sweepMissedSearches(servicesAt())).toBe(0);
    expect(await sweepMissedSearches(servicesAt(31 * DAY_MS))).toBe(2000);
  });
});
