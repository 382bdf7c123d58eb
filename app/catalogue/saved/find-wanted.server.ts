import { and, desc, eq, gte, lt, or, sql } from "drizzle-orm";
import { hasBlocked } from "#app/accounts/trust/blocks.server.ts";
import { read } from "#app/db/batch.ts";
import { build, pick } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { FOR_SALE } from "#app/catalogue/listing-columns.server.ts";
import { foundAmong } from "#app/catalogue/search/find-listings.server.ts";
import { stemsOf, splitWords } from "#app/catalogue/search/search-words.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { savedQueries } from "#app/catalogue/tables.server.ts";
import type { TypeTable } from "#app/catalogue/types/type-table.ts";
import { readTypeTable } from "#app/catalogue/types/types.server.ts";
import { planAll } from "./find-searches.server.ts";
import { isKnown, readSaved, type Saved } from "./saved-address.ts";
import { saversOf } from "./tell-savers.server.ts";
import { WANTED_FROM, wantedAt, wantedText } from "./wanted-rules.ts";

/** So many saved queries are asked, those with the highest prices. Each is a query, and D1 allows 1,000. */
const ASKED_MAX = 30;

/** Shorter words are parts of too many others. */
const TELLING_LENGTH = 3;

/**
 * How many people's saved searches would find the seller's own listing if it cost less, in words; null where fewer than
 * three would, and for a listing that isn't for sale. The search itself is asked, as for news of a listing, but only
 * with queries that have a word of the listing: all of them would take as long as that news. Whom the seller has
 * blocked counts, too: else they would find out who it is by blocking people.
 */
export async function findWanted(db: Database, own: { sellerId: string; productId: string }): Promise<string | null> {
  const [[listed], table] = await Promise.all([read(db, listedRow(own)), readTypeTable(db)]);
  if (!listed) return null;
  const rows = await read(db, queriesBelow(listed.price, wordsOf(listed, table)));
  const queries = rows.filter(({ address }) => isKnown(address));
  if (queries.length === 0) return null;
  const plans = await planAll(
    db,
    queries.map(({ address }) => atAnyPrice(readSaved(address))),
    table,
  );
  const answers = await read(
    db,
    plans.map((plan) => foundAmong(plan, [listed.number])),
  );
  const wanting = queries.filter((_, at) => (answers[at] ?? []).length > 0).map(({ id }) => id);
  const savers = await read(db, saversOf(wanting, own.productId, hasBlocked));
  const people = Map.groupBy(savers, ({ userId }) => userId);
  const wanted = wantedAt([...people.values()].map((all) => Math.max(...all.map(({ maxPrice }) => maxPrice))));
  return wanted && wantedText(wanted);
}

function listedRow({ sellerId, productId }: { sellerId: string; productId: string }) {
  return build
    .select({
      ...pick(productRow, "name", "price", "type", "category"),
      number: sql<number>`product_row.rowid`.as("number"),
    })
    .from(productRow)
    .where(and(eq(productRow.id, productId), eq(productRow.sellerId, sellerId), FOR_SALE));
}

/** A query that finds it has one of these in its address: a word of its name, of what it is, or the id of that. */
function wordsOf(listed: { name: string; type: string | null; category: string | null }, table: TypeTable): string[] {
  const type = listed.type === null ? undefined : table.types.get(listed.type);
  const kinds = type ? [type, ...(type.parent === undefined ? [] : [table.types.get(type.parent)])] : [];
  const names = kinds.flatMap((kind) => (kind ? [kind.name, ...kind.names] : []));
  const words = [listed.name, ...names].flatMap(splitWords).flatMap((word) => stemsOf(word).map(encodeURIComponent));
  const ids = [...kinds.flatMap((kind) => (kind ? [`type=${kind.id}`] : [])), `category=${listed.category ?? ""}`];
  return [...new Set([...ids, ...words.filter((word) => word.length >= TELLING_LENGTH)])].slice(0, WORDS_MAX);
}

/** A statement takes 100 values. */
const WORDS_MAX = 60;

function queriesBelow(price: number, words: readonly string[]) {
  const { id, address, maxPrice } = savedQueries;
  const hasWord = or(...words.map((word) => sql`instr(${address}, ${word}) > 0`));
  return build
    .select({ id, address })
    .from(savedQueries)
    .where(and(lt(maxPrice, price), gte(maxPrice, Math.ceil(price * WANTED_FROM)), hasWord))
    .orderBy(desc(maxPrice))
    .limit(ASKED_MAX);
}

function atAnyPrice({ words, filters }: Saved): Saved {
  return { words, filters: { ...filters, max: null } };
}
