import { and, asc, gt, sql } from "drizzle-orm";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { updateListingsFrom } from "#app/catalogue/write-listings.server.ts";
import { read, write } from "#app/db/batch.ts";
import type { ChosenFacts, Facts } from "#app/catalogue/facts/fact-field-rules.ts";
import { listingFacts } from "#app/catalogue/facts/listing-facts.ts";
import { FACTS, READING } from "#app/catalogue/facts/fact-table.ts";
import { build, idList, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { moveOn, placeOf } from "#app/db/passes.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { sha256Hex } from "#app/platform/sha256.ts";
import { recognizeType } from "./recognize-type.ts";
import type { TypeTable } from "./type-table.ts";
import { readTypeTable } from "./types.server.ts";

/** How many listings one run looks at. */
const LISTINGS_A_RUN = 500;

/**
 * Gives the listings from before a change of the table their types: the next few of them, in the order of their rowids.
 * Once a pass is over, a run reads one row until the table changes again. What a seller chose stays, and a listing that
 * is edited meanwhile has its type from the edit. Safe to repeat, also at once. Returns how many types it changed.
 */
export async function continueTypePass(store: Store): Promise<number> {
  const [table, [place]] = await Promise.all([readTypeTable(store.db), read(store.db, placeOf("types"))]);
  const pass = await hashOf(table);
  const after = place?.pass === pass ? Number(place.after) : 0;
  const listings = await read(store.db, nextListings(after));
  const last = listings.at(-1);
  if (!last) return 0;
  const wrong = listings
    .filter(({ deletedAt }) => deletedAt === null)
    .map(({ id, updatedAt, ...listing }) => ({ was: listing, id, updatedAt, ...rightColumns(listing, table) }))
    .filter(({ was, type, facts }) => was.type !== type || JSON.stringify(was.facts) !== JSON.stringify(facts))
    .map(({ was: _was, ...right }) => right);
  const rows = JSON.stringify(wrong);
  await write(store.db, [
    updateListingsFrom(
      // Its seller hasn't edited it, so what buyers were promised is the same.
      { type: sql`value ->> 'type'`, facts: sql`value -> 'facts'`, revision: sql`${products.revision}` },
      sql`json_each(${rows})`,
      and(sql`${products.id} = value ->> 'id'`, sql`${products.updatedAt} = value ->> 'updatedAt'`),
    ),
    ...afterListingsChanged(idList(...wrong.map(({ id }) => id)), store.now()),
    moveOn(place, { job: "types", pass, after: String(last.place) }),
  ]);
  return wrong.length;
}

/** What the rules say of a listing's type and facts. What its seller chose stays. */
function rightColumns(
  listing: { name: string; category: string; type: string | null; typeChosen: boolean; factsChosen: ChosenFacts },
  table: TypeTable,
): { type: string | null; facts: Facts } {
  const type = listing.typeChosen ? listing.type : (recognizeType(listing, table)?.type ?? null);
  return { type, facts: listingFacts({ name: listing.name, type }, listing.factsChosen, table) };
}

function nextListings(after: number) {
  const place = sql<number>`${products}.rowid`.as("place");
  return build
    .select({
      place,
      id: products.id,
      name: products.name,
      category: sql<string>`COALESCE(${products.category}, '')`.as("category"),
      ...pick(products, "type", "typeChosen", "facts", "factsChosen", "deletedAt", "updatedAt"),
    })
    .from(products)
    .where(gt(sql`${products}.rowid`, after))
    .orderBy(asc(place))
    .limit(LISTINGS_A_RUN);
}

/** Names a table, with that of the facts: two that differ in a word have different names. */
async function hashOf({ types }: TypeTable): Promise<string> {
  return (await sha256Hex(JSON.stringify([...types.values(), FACTS, READING]))).slice(0, 16);
}
