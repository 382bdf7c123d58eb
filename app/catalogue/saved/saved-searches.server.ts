import { isOpenAccount } from "#app/accounts/open-account.server.ts";
import { and, count, desc, eq, inArray, ne, not, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type Statement, read, write } from "#app/db/batch.ts";
import { build, hasRow, insertEach } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { listCampusNames } from "#app/accounts/profile/campuses.server.ts";
import { personRow } from "#app/accounts/table-rows.server.ts";
import { sharedSearchPath } from "#app/public-links.ts";
import { savedQueries, savedSearches } from "#app/catalogue/tables.server.ts";
import { activeChips, hasNone } from "#app/catalogue/browse/list-filters.ts";
import { FILTER_FACTS } from "#app/catalogue/facts/filter-facts.ts";
import { splitWords } from "#app/catalogue/search/search-words.ts";
import { pluralOf, type TypeTable } from "#app/catalogue/types/type-table.ts";
import { readTypeTable } from "#app/catalogue/types/types.server.ts";
import { readSaved, type Saved, writeSaved } from "./saved-address.ts";
import { type Frequency, SAVED_MAX } from "./saved-search-rules.ts";
import { lookingSentence } from "./shared-search-rules.ts";
import { LISTED_CAMPUS, lookingFor } from "./shared-searches.server.ts";

type SaveRefusal =
  /** It has neither words nor filters. */
  | "nothing"
  /** The person has saved `SAVED_MAX` already. */
  | "full";

/**
 * Saves a search for somebody, who is told at once until they choose otherwise. Safe to repeat: a search that is saved
 * already stays as it is.
 */
export async function saveSearch(
  store: Store,
  { userId, saved }: { userId: string; saved: Saved },
): Promise<{ ok: true } | { ok: false; code: SaveRefusal }> {
  const { words, filters } = readSaved(writeSaved(saved));
  const address = writeSaved({ words, filters });
  if (splitWords(words).length === 0 && hasNone(filters)) return { ok: false, code: "nothing" };
  const now = store.now();
  const own = and(eq(savedSearches.userId, userId), eq(savedSearches.queryId, savedQueries.id));
  const kept = build.select({ kept: count() }).from(savedSearches).where(eq(savedSearches.userId, userId));
  await write(store.db, [
    build
      .insert(savedQueries)
      .select(sql`SELECT NULL, ${address}, ${filters.max ?? NO_MAX}, ${now} WHERE ${kept} < ${SAVED_MAX}
        AND ${isOpenAccount(userId)}`)
      .onConflictDoNothing({ target: savedQueries.address }),
    insertEach(
      savedSearches,
      { id: crypto.randomUUID(), userId, queryId: savedQueries.id, createdAt: now },
      sql`FROM ${savedQueries} WHERE ${eq(savedQueries.address, address)} AND ${kept} < ${SAVED_MAX}
        AND ${isOpenAccount(userId)}`,
    ).onConflictDoNothing({ target: [savedSearches.userId, savedSearches.queryId] }),
  ]);
  const [row] = await read(
    store.db,
    build
      .select({ isSaved: sql<number>`${hasRow(savedSearches, own)}`.as("is_saved") })
      .from(savedQueries)
      .where(eq(savedQueries.address, address)),
  );
  return row?.isSaved ? { ok: true } : { ok: false, code: "full" };
}

/** KES. Nothing costs so much. */
const NO_MAX = 1_000_000_000;

/** A saved search as its owner sees it. */
export interface SavedSearch {
  id: string;
  frequency: Frequency;
  /** How many listings it has found since they last opened it. */
  newCount: number;
  /** What it is called: its words, or what its filters limit it to. */
  name: string;
  /** The filters, where the name has words. */
  filters: string[];
  /** What everybody who has its link reads; null while it isn't shared. */
  shared: { path: string; sentence: string } | null;
}

/** Somebody's saved searches, the newest first. One round trip. */
export async function listSavedSearches(db: Database, userId: string): Promise<SavedSearch[]> {
  const { id, frequency, newCount, sharedAt } = savedSearches;
  const [table, campuses, rows] = await Promise.all([
    readTypeTable(db),
    listCampusNames(db),
    read(
      db,
      build
        .select({
          id,
          frequency,
          newCount,
          sharedAt,
          address: savedQueries.address,
          ownCampus: LISTED_CAMPUS.as("own_campus"),
        })
        .from(savedSearches)
        .innerJoin(savedQueries, eq(savedQueries.id, savedSearches.queryId))
        .innerJoin(personRow, eq(personRow.id, savedSearches.userId))
        .where(eq(savedSearches.userId, userId))
        .orderBy(desc(savedSearches.createdAt), id)
        .limit(SAVED_MAX),
    ),
  ]);
  return rows.map(({ address, sharedAt: since, ownCampus, ...row }) => ({
    ...row,
    ...nameSaved(address, table),
    shared:
      since === null
        ? null
        : {
            path: sharedSearchPath(row.id),
            sentence: lookingSentence(lookingFor(address, { ownCampus, campuses, table })),
          },
  }));
}

/** What a saved search is called. */
export function nameSaved(address: string, table: TypeTable): Pick<SavedSearch, "name" | "filters"> {
  const { words, filters } = readSaved(address);
  const labels = activeChips(filters, { typeName: pluralOf(filters.type, table), facts: FILTER_FACTS }).map(
    ({ label }) => label,
  );
  return words === "" ? { name: labels.join(", "), filters: [] } : { name: `“${words}”`, filters: labels };
}

interface Own {
  userId: string;
  id: string;
}

function isOwn({ userId, id }: Own) {
  return and(eq(savedSearches.userId, userId), eq(savedSearches.id, id));
}

/** The address of somebody's saved search; null for one that they don't have. */
export async function findSavedAddress(db: Database, own: Own): Promise<string | null> {
  const [row] = await db
    .select({ address: savedQueries.address })
    .from(savedSearches)
    .innerJoin(savedQueries, eq(savedQueries.id, savedSearches.queryId))
    .where(isOwn(own));
  return row?.address ?? null;
}

/** Its owner has opened it: nothing in it is new any more. */
export async function openSavedSearch(db: Database, own: Own): Promise<void> {
  await write(db, [
    build
      .update(savedSearches)
      .set({ newCount: 0 })
      .where(and(isOwn(own), sql`${savedSearches.newCount} > 0`)),
  ]);
}

/** Returns false for one that they don't have. */
export async function changeFrequency({ db }: Store, own: Own, frequency: Frequency): Promise<boolean> {
  const { changed } = await write(db, {
    changed: build.update(savedSearches).set({ frequency }).where(isOwn(own)).returning({ id: savedSearches.id }),
  });
  return changed.length > 0;
}

/** Safe to repeat. */
export async function deleteSavedSearch({ db }: Store, own: Own): Promise<void> {
  await write(db, forgetSearches(own.userId, isOwn(own)));
}

/** Deletes these searches of somebody, with the queries that nobody else has saved. `which`: SQL on `saved_searches` */
export function forgetSearches(
  userId: string,
  which = eq(savedSearches.userId, userId) as SQL | undefined,
): Statement[] {
  const other = alias(savedSearches, "other");
  const isShared = hasRow(other, and(eq(other.queryId, savedSearches.queryId), ne(other.userId, userId)));
  const ids = build
    .select({ id: savedSearches.queryId })
    .from(savedSearches)
    .where(and(which, not(isShared)));
  return [build.delete(savedQueries).where(inArray(savedQueries.id, ids)), build.delete(savedSearches).where(which)];
}
