import { asc, inArray, lt, sql } from "drizzle-orm";
import { write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { foundListings, listingNews } from "#app/catalogue/tables.server.ts";
import { RETENTION } from "#app/platform/retention-rules.ts";

/** What is new about one listing. */
export interface ListingNews {
  productId: string;
  /** It has just been listed or published. */
  isNew: boolean;
  /** It costs less than before. */
  isCheaper: boolean;
  /** The notes that say so. */
  ids: number[];
}

/** How many notes are read at once. */
const AT_ONCE = 50;

/** The oldest notes about listings, one entry for each listing. */
export async function findListingNews({ db }: Store): Promise<ListingNews[]> {
  const notes = await db.select().from(listingNews).orderBy(asc(listingNews.id)).limit(AT_ONCE);
  return [...Map.groupBy(notes, ({ productId }) => productId)].map(([productId, own]) => ({
    productId,
    isNew: own.some(({ kind }) => kind === "new"),
    isCheaper: own.some(({ kind }) => kind === "cheaper"),
    ids: own.map(({ id }) => id),
  }));
}

/** Everybody has been told of these. */
export async function deleteListingNews({ db }: Store, ids: readonly number[]): Promise<void> {
  await write(db, [build.delete(listingNews).where(inArray(listingNews.id, [...ids]))]);
}

const DELETED_AT_ONCE = 5_000;

/**
 * Deletes the oldest rows, which were told long ago: their readers may be told of the listing again. Rows are written
 * in the order of their times. Returns how many.
 */
export async function sweepFoundListings({ db, now }: Store): Promise<number> {
  const old = now() - RETENTION.found_listings.keptMs;
  // The search ends at the first young row, so that it reads no history.
  const oldest = sql`(SELECT rowid AS place, ${foundListings.createdAt} AS at FROM ${foundListings} ORDER BY rowid
    LIMIT ${DELETED_AT_ONCE})`;
  const young = sql`(SELECT place FROM ${oldest} WHERE at >= ${old} LIMIT 1)`;
  const end = sql`(SELECT MAX(place) + 1 FROM ${oldest})`;
  const { deleted } = await write(db, {
    deleted: build
      .delete(foundListings)
      .where(sql`rowid < COALESCE(${young}, ${end}) AND ${lt(foundListings.createdAt, old)}`),
  });
  return deleted.meta.changes;
}
