/**
 * What each listing brings by day: views and messages, which are counted, saves and orders, which are in the database.
 */
import { and, desc, eq, isNull, lte, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { COVER } from "#app/catalogue/listing-columns.server.ts";
import { UniqueViolation, read, write } from "#app/db/batch.ts";
import { build, insertEach, named } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { listingDays } from "./tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { wishlistItems } from "#app/basket/tables.server.ts";
import { writeMarks } from "#app/db/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { dayOf, dayStart } from "#app/platform/east-africa-time.ts";
import { uuidsOf } from "#app/platform/short-ids.ts";
import { RETENTION } from "#app/platform/retention-rules.ts";
import { type DayFigures, type FigureDays, type Figures, hasDaysBefore, sumFigures } from "./listing-days-rules.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** What was counted of a listing on a day. */
export interface Counted {
  /** Days since 1970 in East Africa Time. */
  day: number;
  /** Its id, or the short id of its public page. */
  listing: string;
  /** Who wrote the messages; null for views. */
  by: string | null;
  views: number;
  messages: number;
}

/** SQL: the East African day of a time in ms, in days since 1970, as `dayOf`. */
export function dayInSql(time: SQLWrapper): SQL<number> {
  return sql<number>`(${time} + 10800000) / 86400000`;
}

/** Counts that one statement adds. */
const AT_ONCE = 1_000;

/**
 * Adds what was counted, once: `mark` (53 random bits) names these counts, and a repeat within the hour adds nothing.
 * What no listing has, and what its own seller did, is left out.
 */
export async function addCounts(db: Database, mark: number, counts: readonly Counted[], now: number): Promise<void> {
  const parts = Array.from({ length: Math.ceil(counts.length / AT_ONCE) }, (_, n) =>
    counts.slice(n * AT_ONCE, (n + 1) * AT_ONCE),
  );
  try {
    await write(db, [
      build.insert(writeMarks).values({ id: mark, at: now }),
      ...parts.map((part) => {
        const rows = JSON.stringify(part.map((row) => ({ ...row, ...idsOf(row.listing) })));
        return insertEach(
          listingDays,
          {
            day: sql`value ->> 'day'`,
            sellerId: products.sellerId,
            productId: products.id,
            views: sql`value ->> 'views'`,
            messages: sql`value ->> 'messages'`,
          },
          sql`FROM json_each(${rows}) JOIN ${products} ON ${products.id} BETWEEN value ->> 'first' AND value ->> 'last'
            WHERE ${isNull(products.deletedAt)} AND ${products.sellerId} IS NOT value ->> 'by'`,
        ).onConflictDoUpdate({
          target: [listingDays.day, listingDays.sellerId, listingDays.productId],
          set: {
            views: sql`${listingDays.views} + excluded.views`,
            messages: sql`${listingDays.messages} + excluded.messages`,
          },
        });
      }),
    ]);
  } catch (error) {
    // An earlier try has added them.
    if (!(error instanceof UniqueViolation && error.columns === "write_marks.id")) throw error;
  }
}

function idsOf(listing: string): { first: string; last: string } {
  return uuidsOf(listing.toLowerCase()) ?? { first: listing, last: listing };
}

/** Deletes what is too old to be shown. Returns how many rows. */
export async function sweepListingDays({ db, now }: Store): Promise<number> {
  const { deleted } = await write(db, {
    deleted: build.delete(listingDays).where(lte(listingDays.day, dayOf(now() - RETENTION.listing_days.keptMs))),
  });
  return deleted.meta.changes;
}

/** A listing with what it brought. */
export interface ListingFigures extends Figures {
  id: string;
  name: string;
  image: ProductImage | null;
}

export interface ShopFigures {
  /** The days on which something happened, in any order: these, and those before them where they are known. */
  counted: DayFigures[];
  /** The last of these days, days since 1970 in East Africa Time. */
  today: number;
  total: Figures;
  /** Of as many days before these; null where they aren't known. */
  before: Figures | null;
  /** The listings that brought most, by views. Null for the figures of one. */
  listings: ListingFigures[] | null;
  /** The listing whose figures these are; null for the whole shop, and for a listing that isn't the seller's. */
  listing: { id: string; name: string } | null;
}

/** How many listings the figures of a shop name. */
const LISTINGS_MAX = 50;

const SUMS = named({
  views: sql<number>`SUM(facts.views)`,
  saves: sql<number>`SUM(facts.saves)`,
  messages: sql<number>`SUM(facts.messages)`,
  orders: sql<number>`SUM(facts.orders)`,
});

/** What a seller's listings, or one of them, brought in the last days, with today. One round trip. */
export async function findFigures(
  { db, now }: Store,
  { sellerId, days, productId }: { sellerId: string; days: FigureDays; productId: string | null },
): Promise<ShopFigures> {
  const today = dayOf(now());
  const first = today - days + 1;
  const daysRead = hasDaysBefore(days) ? 2 * days : days;
  const facts = sql`(${factsOf(sellerId, today - daysRead + 1, daysRead)}) facts`;
  const isShown = productId === null ? undefined : sql`facts.listing = ${productId}`;
  const {
    byDay,
    byListing,
    listing: [listing],
  } = await read(db, {
    byDay: build
      .select({ day: sql<number>`facts.day`.as("day"), ...SUMS })
      .from(facts)
      .where(isShown)
      .groupBy(sql`facts.day`),
    byListing: build
      .select({ ...named({ id: productRow.id, name: productRow.name, image: COVER }), ...SUMS })
      .from(facts)
      .innerJoin(productRow, and(eq(productRow.id, sql`facts.listing`), isNull(productRow.deletedAt)))
      .where(and(isShown, sql`facts.day >= ${first}`))
      .groupBy(productRow.id)
      .orderBy(desc(SUMS.views), desc(SUMS.orders), productRow.id)
      .limit(LISTINGS_MAX),
    listing: build
      .select(named({ id: productRow.id, name: productRow.name }))
      .from(productRow)
      .where(and(eq(productRow.id, productId ?? ""), eq(productRow.sellerId, sellerId), isNull(productRow.deletedAt))),
  });
  return {
    counted: byDay,
    today,
    total: sumFigures(byDay.filter(({ day }) => day >= first)),
    before: hasDaysBefore(days) ? sumFigures(byDay.filter(({ day }) => day < first)) : null,
    listings: productId === null ? byListing : null,
    listing: listing ?? null,
  };
}

/** SQL: one row for each count, save and sale of a seller's listings since the day `first`. */
function factsOf(sellerId: string, first: number, days: number): SQL {
  const from = dayStart(first);
  const dayList = JSON.stringify(Array.from({ length: days }, (_, at) => first + at));
  const { day, productId, views, messages } = listingDays;
  return sql`SELECT ${day} AS day, ${productId} AS listing, ${views} AS views, 0 AS saves, ${messages} AS messages,
    0 AS orders
      FROM json_each(${dayList}) JOIN ${listingDays} ON ${day} = value AND ${listingDays.sellerId} = ${sellerId}
    UNION ALL SELECT ${dayInSql(wishlistItems.createdAt)}, ${wishlistItems.productId}, 0, 1, 0, 0
      FROM ${products} CROSS JOIN ${wishlistItems} ON ${wishlistItems.productId} = ${products.id}
      WHERE ${products.sellerId} = ${sellerId} AND ${wishlistItems.createdAt} >= ${from}
    UNION ALL SELECT ${dayInSql(orderItems.paidAt)}, ${orderItems.productId}, 0, 0, 0, 1
      FROM ${orderItems} WHERE ${orderItems.sellerId} = ${sellerId} AND ${orderItems.paidAt} >= ${from}
        AND ${or(stateIs(orderItems.status, ITEM.isHeld), stateIs(orderItems.status, ITEM.isCompleted))}
        AND ${orderItems.createdAt} >= ${from - ORDER_OPEN_MS}`;
}

/** An order is paid within this time, or is closed; ms. It lets an index find a seller's latest items. */
const ORDER_OPEN_MS = 7 * DAY_MS;
