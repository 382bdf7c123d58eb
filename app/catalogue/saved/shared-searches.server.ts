import { and, eq, isNotNull, isNull, or, sql } from "drizzle-orm";
import { listCampusNames } from "#app/accounts/profile/campuses.server.ts";
import { personRow } from "#app/accounts/table-rows.server.ts";
import { credentials } from "#app/accounts/tables.server.ts";
import { activeChips } from "#app/catalogue/browse/list-filters.ts";
import {
  type PublicListing,
  publicListingRows,
  readPublicListings,
} from "#app/catalogue/browse/public-listings.server.ts";
import { PUBLIC_LIST_SIZE } from "#app/catalogue/browse/public-lists.server.ts";
import { FILTER_FACTS } from "#app/catalogue/facts/filter-facts.ts";
import type { ListingValues } from "#app/catalogue/selling/listing-form-rules.ts";
import { readList } from "#app/catalogue/selling/prohibited-rules.ts";
import { PROHIBITED_TERMS } from "#app/catalogue/selling/prohibited.server.ts";
import { savedQueries, savedSearches } from "#app/catalogue/tables.server.ts";
import { pluralOf, type TypeTable } from "#app/catalogue/types/type-table.ts";
import { readTypeTable } from "#app/catalogue/types/types.server.ts";
import { read, write } from "#app/db/batch.ts";
import { asBoolean, build } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { idOfShortId } from "#app/db/short-id.ts";
import { listingFor } from "./listing-for.ts";
import { isKnown, readSaved } from "./saved-address.ts";
import { campusesSaid, type LookingFor, priceSaid, type ShareRefusal, shareRefusal } from "./shared-search-rules.ts";

interface Own {
  userId: string;
  id: string;
}

/** Lets everybody who has its link see somebody's saved search, without their name. Safe to repeat. */
export async function shareSearch(
  { db, now }: Store,
  own: Own,
): Promise<{ ok: true } | { ok: false; code: ShareRefusal | "missing" }> {
  const [
    table,
    {
      row: [row],
      terms,
    },
  ] = await Promise.all([
    readTypeTable(db),
    read(db, {
      row: build
        .select({ address: savedQueries.address })
        .from(savedSearches)
        .innerJoin(savedQueries, eq(savedQueries.id, savedSearches.queryId))
        .where(isOwn(own)),
      terms: PROHIBITED_TERMS,
    }),
  ]);
  if (!row) return { ok: false, code: "missing" };
  const {
    words,
    filters: { type },
  } = readSaved(row.address);
  const refusal = isKnown(row.address)
    ? shareRefusal({ words, type }, pluralOf(type, table), readList(terms))
    : "unnamed";
  if (refusal !== null) return { ok: false, code: refusal };
  const { shared } = await write(db, {
    shared: build
      .update(savedSearches)
      .set({ sharedAt: sql`COALESCE(${savedSearches.sharedAt}, ${now()})` })
      .where(isOwn(own))
      .returning({ id: savedSearches.id }),
  });
  return shared.length > 0 ? { ok: true } : { ok: false, code: "missing" };
}

/** Its link leads to nothing from now on. Safe to repeat. Returns false for one that they don't have. */
export async function stopSharing({ db }: Store, own: Own): Promise<boolean> {
  const { stopped } = await write(db, {
    stopped: build.update(savedSearches).set({ sharedAt: null }).where(isOwn(own)).returning({ id: savedSearches.id }),
  });
  return stopped.length > 0;
}

function isOwn({ userId, id }: Own) {
  return and(eq(savedSearches.userId, userId), eq(savedSearches.id, id));
}

/** What a search says to everybody. `ownCampus`: of whoever looks, if it is on our list. */
export function lookingFor(
  address: string,
  { ownCampus, campuses, table }: { ownCampus: string | null; campuses: readonly string[]; table: TypeTable },
): LookingFor {
  const { words, filters } = readSaved(address);
  const typeName = pluralOf(filters.type, table);
  const chips = activeChips(
    { ...filters, min: null, max: null, campuses: [], type: words === "" ? null : filters.type },
    { typeName, facts: FILTER_FACTS },
  );
  return {
    thing: words === "" ? (typeName ?? "something").toLowerCase() : `“${words}”`,
    campuses: campusesSaid(filters.campuses, ownCampus, campuses),
    price: priceSaid(filters),
    chips: chips.map(({ label }) => label),
  };
}

/** SQL: the campus of a person, where our list has it. */
export const LISTED_CAMPUS = sql<
  string | null
>`CASE WHEN ${personRow.campusLocationId} IS NOT NULL THEN ${personRow.campusLocation} END`;

/** A shared search as everybody may see it, with what a listing of it begins with. */
interface SharedSearch {
  ownerId: string;
  looking: LookingFor;
  values: ListingValues;
}

/** `gone`: it isn't shared any more, or its owner's account was closed. `unknown`: there is none. */
export type SharedSearchPage =
  | ({ state: "shown" } & SharedSearch)
  | { state: "gone" | "unknown"; listings: PublicListing[] };

/** The shared search of a short id. One round trip, and another for what is new, where it is over. */
export async function openSharedSearch(db: Database, shortId: string): Promise<SharedSearchPage> {
  const [table, campuses, [row]] = await Promise.all([
    readTypeTable(db),
    listCampusNames(db),
    read(
      db,
      build
        .select({
          ownerId: savedSearches.userId,
          address: savedQueries.address,
          ownCampus: LISTED_CAMPUS.as("own_campus"),
          isOver: asBoolean(or(isNull(savedSearches.sharedAt), isNotNull(credentials.suspendedAt)) ?? sql`0`),
        })
        .from(savedSearches)
        .innerJoin(savedQueries, eq(savedQueries.id, savedSearches.queryId))
        .innerJoin(credentials, eq(credentials.id, savedSearches.userId))
        .innerJoin(personRow, eq(personRow.id, savedSearches.userId))
        .where(eq(savedSearches.id, idOfShortId(savedSearches, shortId))),
    ),
  ]);
  if (row && !row.isOver) {
    const { ownerId, address, ownCampus } = row;
    const saved = readSaved(address);
    return {
      state: "shown",
      ownerId,
      looking: lookingFor(address, { ownCampus, campuses, table }),
      values: listingFor(saved, table),
    };
  }
  const listings = readPublicListings(await read(db, publicListingRows(undefined, PUBLIC_LIST_SIZE)));
  return { state: row ? "gone" : "unknown", listings };
}
