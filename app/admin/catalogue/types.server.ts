import { and, asc, count, desc, eq, isNull, sql } from "drizzle-orm";
import { missedRows } from "#app/catalogue/types/missed-searches.server.ts";
import type { ItemType, WordUse } from "#app/catalogue/types/item-type.ts";
import type { TypeTable } from "#app/catalogue/types/type-table.ts";
import { readTypeTable } from "#app/catalogue/types/types.server.ts";
import { tokensOf } from "#app/catalogue/types/words.ts";
import { readCategoryName } from "#app/catalogue/selling/listing-rules.ts";
import { UniqueViolation, expectOneChange, read } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { categories, itemTypes, itemTypeWords, missedSearches, products } from "#app/catalogue/tables.server.ts";
import { adminCounts, readAdminCounts } from "#app/team/admin-pages.server.ts";
import { performAdminAction, type Admin } from "#app/team/perform-act.server.ts";

/** Listings are counted among the newest ones, so that the page costs the same on a large campus. */
const COUNTED = 20_000;
/** The table is read with each listing, so what admins add can't grow without end. */
const CHANGES_MAX = 1_000;

/** A type for the admin page. */
export interface TypeRow extends Pick<ItemType, "id" | "name" | "names" | "signs"> {
  /** How many of the newest listings for sale are of the type. */
  listings: number;
  /** What admins said about its words. */
  changes: { word: string; use: WordUse }[];
}

/**
 * The types of one category, or those that a search names; what people searched for without finding it; and the choices
 * of the forms. One round trip.
 */
export async function listTypes(db: Database, { category, search }: { category: string | null; search: string }) {
  const { type, status, createdAt, id } = products;
  const isForSale = and(eq(status, "active"), isNull(products.deletedAt), isNull(products.suspendedAt));
  const newest = build
    .select({ type })
    .from(products)
    .where(isForSale)
    .orderBy(desc(createdAt), desc(id))
    .limit(COUNTED)
    .as("newest");
  const [table, { missed, counted, choices, words, counts }] = await Promise.all([
    readTypeTable(db),
    read(db, {
      missed: missedRows(),
      counted: build.select({ type: newest.type, listings: count() }).from(newest).groupBy(newest.type),
      choices: build
        .select({ id: categories.id, name: categories.name })
        .from(categories)
        .where(eq(categories.status, "approved"))
        .orderBy(asc(categories.name)),
      words: build.select().from(itemTypeWords).orderBy(asc(itemTypeWords.word)),
      counts: adminCounts(),
    }),
  ]);
  const listings = new Map(counted.map((row) => [row.type, row.listings]));
  const changes = Map.groupBy(words, ({ typeId }) => typeId);
  const shown = shownTypes(table, category, search);
  const all = [...table.types.values()];
  const sizes = Map.groupBy(all, (one) => one.category);
  return {
    missed,
    rows: shown.map(({ id: typeId, name, names, signs }): TypeRow => ({
      id: typeId,
      name,
      names,
      signs,
      listings: listings.get(typeId) ?? 0,
      changes: (changes.get(typeId) ?? []).map(({ word, use }) => ({ word, use })),
    })),
    untyped: listings.get(null) ?? 0,
    categories: choices.map((choice) => ({ ...choice, types: sizes.get(choice.id)?.length ?? 0 })),
    types: all
      .map(({ id: typeId, name }) => ({ id: typeId, name }))
      .toSorted((one, other) => one.name.localeCompare(other.name)),
    counts: readAdminCounts(counts),
  };
}

function shownTypes({ types }: TypeTable, category: string | null, search: string): ItemType[] {
  const wanted = search.toLowerCase();
  const has = (words: string) => words.toLowerCase().includes(wanted);
  const shown = [...types.values()].filter((type) =>
    wanted === "" ? type.category === category : [type.name, ...type.names, ...type.signs].some(has),
  );
  return shown.toSorted((one, other) => one.name.localeCompare(other.name));
}

type Result = { ok: true } | { ok: false; code: "stale" | "no_type" | "empty" | "full" | "known" | "no_category" };

/** Says what a word means for a type. What is said about the same word later counts. */
export async function setTypeWord(
  store: Store,
  admin: Admin,
  { type, word: typed, use }: { type: string; word: string; use: WordUse },
): Promise<Result> {
  const word = tidyWord(typed);
  if (word === null) return { ok: false, code: "empty" };
  const table = await readTypeTable(store.db);
  if (!table.types.has(type)) return { ok: false, code: "no_type" };
  if ((await changesNow(store.db)) >= CHANGES_MAX) return { ok: false, code: "full" };
  const row = { typeId: type, word, use, createdAt: store.now() };
  const done = await performAdminAction(
    store,
    admin,
    { action: "type_word_set", subject: `type:${type}`, detail: `${use}: ${word}` },
    [
      build
        .insert(itemTypeWords)
        .values(row)
        .onConflictDoUpdate({ target: [itemTypeWords.typeId, itemTypeWords.word], set: { use } }),
      // It can be found now.
      build.delete(missedSearches).where(and(eq(missedSearches.words, word), sql`${use} = 'name'`)),
    ],
  );
  return done ? { ok: true } : { ok: false, code: "stale" };
}

/** Takes back what an admin said about a word. */
export async function unsetTypeWord(
  store: Store,
  admin: Admin,
  { type, word }: { type: string; word: string },
): Promise<Result> {
  const done = await performAdminAction(
    store,
    admin,
    { action: "type_word_unset", subject: `type:${type}`, detail: word },
    [
      build.delete(itemTypeWords).where(and(eq(itemTypeWords.typeId, type), eq(itemTypeWords.word, word))),
      expectOneChange(),
    ],
  );
  return done ? { ok: true } : { ok: false, code: "stale" };
}

/** Adds a type. `known`: there is one of that name. */
export async function addType(
  store: Store,
  admin: Admin,
  { name: typed, plural, category }: { name: string; plural: string; category: string },
): Promise<Result> {
  const one = readCategoryName(typed);
  const many = readCategoryName(plural);
  if (!one.ok || !many.ok || one.category.id === "") return { ok: false, code: "empty" };
  const { id, name } = one.category;
  const table = await readTypeTable(store.db);
  if (table.types.has(id) || id === "none") return { ok: false, code: "known" };
  if ((await changesNow(store.db)) >= CHANGES_MAX) return { ok: false, code: "full" };
  const isCategory = hasRow(categories, and(eq(categories.id, category), eq(categories.status, "approved")));
  const [found] = await read(store.db, build.select({ id: categories.id }).from(categories).where(isCategory).limit(1));
  if (!found) return { ok: false, code: "no_category" };
  try {
    const row = { id, name, plural: many.category.name, category, createdAt: store.now() };
    const done = await performAdminAction(store, admin, { action: "type_added", subject: `type:${id}`, detail: name }, [
      build.insert(itemTypes).values(row),
      expectOneChange(),
    ]);
    return done ? { ok: true } : { ok: false, code: "stale" };
  } catch (error) {
    if (error instanceof UniqueViolation) return { ok: false, code: "known" };
    throw error;
  }
}

/** Removes a missed search that says nothing about a type. */
export async function forgetMissedSearch(store: Store, admin: Admin, words: string): Promise<Result> {
  const done = await performAdminAction(
    store,
    admin,
    { action: "missed_search_removed", subject: "missed-search:words", detail: words },
    [build.delete(missedSearches).where(eq(missedSearches.words, words)), expectOneChange()],
  );
  return done ? { ok: true } : { ok: false, code: "stale" };
}

async function changesNow(db: Database): Promise<number> {
  const {
    words: [words],
    types: [types],
  } = await read(db, {
    words: build.select({ rows: count() }).from(itemTypeWords),
    types: build.select({ rows: count() }).from(itemTypes),
  });
  return (words?.rows ?? 0) + (types?.rows ?? 0);
}

/** A word or phrase as the table has it; null without a letter. "#" stands for a number. */
function tidyWord(typed: string): string | null {
  const word = typed.trim().toLowerCase().replaceAll(/\s+/g, " ");
  return tokensOf(word).some(({ text }) => /\p{L}/u.test(text)) ? word : null;
}
