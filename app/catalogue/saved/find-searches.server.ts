import { and, asc, gt, inArray, sql } from "drizzle-orm";
import { read } from "#app/db/batch.ts";
import { build, idList } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { savedQueries } from "#app/catalogue/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { FOR_SALE } from "#app/catalogue/listing-columns.server.ts";
import { foundAmong } from "#app/catalogue/search/find-listings.server.ts";
import { meaningOf } from "#app/catalogue/search/search-meaning.ts";
import { limitsOf, planList, planSearch, type SearchPlan } from "#app/catalogue/search/search-query.ts";
import { lookUpVocabularies } from "#app/catalogue/search/search.server.ts";
import type { TypeTable } from "#app/catalogue/types/type-table.ts";
import { readTypeTable } from "#app/catalogue/types/types.server.ts";
import { isKnown, readSaved, type Saved } from "./saved-address.ts";

/**
 * How many saved queries are asked in one batch, of three round trips. The jobs of a run share the 1,000 that D1
 * allows.
 */
const ASKED_AT_ONCE = 100;

/**
 * The ids of the saved queries that find each of these listings now. Every saved query asks the search itself, about
 * these listings alone: some ten thousand queries take some seconds. A listing that is not for sale is in none.
 */
export async function findSearchesFor(db: Database, productIds: readonly string[]): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  const [listed, table] = await Promise.all([read(db, numbersOf(productIds)), readTypeTable(db)]);
  if (listed.length === 0) return found;
  const numbers = listed.map(({ number }) => number);
  for (let after = 0; ;) {
    const saved = await read(db, queriesAfter(after));
    const last = saved.at(-1);
    if (!last) return found;
    after = last.id;
    const queries = saved.filter(({ address }) => isKnown(address));
    if (queries.length === 0) continue;
    const plans = await planAll(
      db,
      queries.map(({ address }) => readSaved(address)),
      table,
    );
    const answers = await read(
      db,
      plans.map((plan) => foundAmong(plan, numbers)),
    );
    for (const [at, { id }] of queries.entries())
      for (const listing of answers[at] ?? []) found.set(listing.id, [...(found.get(listing.id) ?? []), id]);
  }
}

/** The numbers of the rows of these listings that are for sale. */
function numbersOf(productIds: readonly string[]) {
  return build
    .select({ number: sql<number>`product_row.rowid`.as("number") })
    .from(productRow)
    .where(and(inArray(productRow.id, idList(...productIds)), FOR_SALE));
}

function queriesAfter(after: number) {
  const { id, address } = savedQueries;
  return build.select({ id, address }).from(savedQueries).where(gt(id, after)).orderBy(asc(id)).limit(ASKED_AT_ONCE);
}

/** How each of these searches is asked. */
export async function planAll(db: Database, searches: readonly Saved[], table: TypeTable): Promise<SearchPlan[]> {
  const vocabularies = await lookUpVocabularies(
    db,
    searches.map(({ words }) => words),
  );
  return searches.map(({ words, filters }, at) => {
    const vocabulary = vocabularies[at] ?? new Map();
    const limits = limitsOf(filters, table);
    return words === "" ? planList(limits) : planSearch(meaningOf(words, table, vocabulary), vocabulary, limits, null);
  });
}
