import { and, eq, gte, sql } from "drizzle-orm";
import { runBatch } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { products, savedQueries, savedQueryTerms } from "#app/db/schema.ts";
import { limitsOf, planList, planSearch } from "#app/catalogue/search/search-query.ts";
import { integer } from "#app/catalogue/search/index-rows.server.ts";
import type { Vocabulary } from "#app/catalogue/search/known-words.ts";
import { meaningOf } from "#app/catalogue/search/search-meaning.ts";
import { lookUpVocabulary } from "#app/catalogue/search/search.server.ts";
import type { TypeTable } from "#app/catalogue/types/type-table.ts";
import { readTypeTable } from "#app/catalogue/types/types.server.ts";
import { type IndexedListing, listingTerms } from "./listing-terms.ts";
import { readSaved } from "./saved-address.ts";

/** How many queries one statement reads, and one batch asks the index. */
const READ_AT_ONCE = 1_000;
const ASKED_AT_ONCE = 40;

interface Listing extends IndexedListing {
  /** KES. */
  price: number;
}

interface SavedQuery {
  id: number;
  address: string;
}

/**
 * The ids of the saved queries that find a listing now, by the rules of the search itself. What it reads follows from the
 * listing: its own terms lead to the few queries that may find it, and the index decides about those. None for a listing that is
 * not for sale.
 */
export async function findSearchesFor(db: Database, productId: string): Promise<number[]> {
  const [[[listing]], table] = await Promise.all([runBatch(db, [indexed(productId)]), readTypeTable(db)]);
  if (!listing) return [];
  const found: number[] = [];
  const candidates = await findCandidates(db, listing, table);
  for (let at = 0; at < candidates.length; at += ASKED_AT_ONCE)
    found.push(...(await askIndex(db, candidates.slice(at, at + ASKED_AT_ONCE), listing.place, table)));
  return found;
}

/** A listing that is for sale, as the index has it. SQL, because the index is outside the schema. */
function indexed(productId: string) {
  return build
    .select({
      place: sql<number>`e.place`.as("place"),
      text: sql<string>`e.name || ' ' || e.category || ' ' || e.keywords || ' ' || e.description`.as("text"),
      marks: sql<string>`e.marks`.as("marks"),
      type: products.type,
      price: products.price,
    })
    .from(products)
    .innerJoin(sql`product_search_entries e`, sql`e.product = ${products}.rowid`)
    .where(sql`${eq(products.id, productId)} AND ${products.status} = 'active'`);
}

/** The queries of which the listing meets every need. */
async function findCandidates(db: Database, listing: Listing, table: TypeTable): Promise<SavedQuery[]> {
  const terms = listingTerms(listing, table);
  const [led] = await runBatch(db, [queriesAt(terms, listing.price)]);
  const candidates: SavedQuery[] = [];
  for (let at = 0; at < led.length; at += READ_AT_ONCE) {
    const [rows] = await runBatch(db, [queriesOf(led.slice(at, at + READ_AT_ONCE).map(({ id }) => id))]);
    for (const { id, address, needs } of rows)
      if (needs.every((need) => need.some((term) => terms.has(term)))) candidates.push({ id, address });
  }
  return candidates;
}

/** The queries that hang at one of these terms and may find something that costs so much, KES. */
function queriesAt(terms: ReadonlySet<string>, price: number) {
  return build
    .selectDistinct({ id: savedQueryTerms.queryId })
    .from(sql`json_each(${JSON.stringify([...terms])}) t`)
    .crossJoin(savedQueryTerms)
    .where(and(sql`${savedQueryTerms.term} = t.value`, gte(savedQueryTerms.maxPrice, price)));
}

function queriesOf(ids: readonly number[]) {
  const { id, address, needs } = savedQueries;
  return build
    .select({ id, address, needs })
    .from(sql`json_each(${JSON.stringify(ids)}) led`)
    .crossJoin(savedQueries)
    .where(sql`${id} = led.value`);
}

/** Which of these queries find what stands at this place of the index. */
async function askIndex(
  db: Database,
  asked: readonly SavedQuery[],
  place: number,
  table: TypeTable,
): Promise<number[]> {
  const searches = asked.map((query) => ({ id: query.id, ...readSaved(query.address) }));
  const vocabularies = await lookUpWords(db, new Set(searches.map(({ words }) => words)));
  const queries = searches.map(({ id, words, filters }) => {
    const limits = limitsOf(filters, table);
    const known = vocabularies.get(words) ?? new Map();
    const plan = words === "" ? planList(limits) : planSearch(meaningOf(words, table, known), known, limits, null);
    return { id, all: plan.all };
  });
  const [rows] = await runBatch(db, [
    build
      .select({ id: sql<number>`q.value ->> 'id'`.as("id") })
      .from(sql`json_each(${JSON.stringify(queries)}) q`)
      .where(
        sql`EXISTS (SELECT 1 FROM product_search WHERE product_search MATCH q.value ->> 'all' AND rowid = ${integer(place)})`,
      ),
  ]);
  return rows.map(({ id }) => id);
}

/** What the word list knows of the words of each text. */
async function lookUpWords(db: Database, texts: ReadonlySet<string>): Promise<Map<string, Vocabulary>> {
  const looked = [...texts].map(async (text) => [text, await lookUpVocabulary(db, text)] as const);
  return new Map(await Promise.all(looked));
}
