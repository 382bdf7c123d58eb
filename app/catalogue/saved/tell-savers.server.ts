import { and, eq, inArray, isNotNull, isNull, lte, ne, sql } from "drizzle-orm";
import { blockBetween } from "#app/accounts/trust/blocks.server.ts";
import { type Statement, expectThat, read, retryOnConflict, write } from "#app/db/batch.ts";
import { build, insertEach, named, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { credentials } from "#app/accounts/tables.server.ts";
import { foundListings, products, savedQueries, savedSearches } from "#app/catalogue/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { LISTED_MAX } from "#app/notifications/kinds.ts";
import { notifyEach } from "#app/notifications/notify.server.ts";
import { FOR_SALE } from "#app/catalogue/listing-columns.server.ts";
import type { TypeTable } from "#app/catalogue/types/type-table.ts";
import { readTypeTable } from "#app/catalogue/types/types.server.ts";
import { dayOf } from "#app/platform/east-africa-time.ts";
import { type Found, lastDailyTime, soonest, type Telling, tellingOf } from "./saved-search-rules.ts";
import { isStillFollowed, isStillSearched } from "./still-wanted.server.ts";
import { nameSaved } from "./saved-searches.server.ts";

/** How many people one batch tells. */
const AT_ONCE = 50;
/** How often a batch is tried when somebody else told the same people. */
const TRIES = 3;

/**
 * Tells the owners of the saved searches that find a listing (`queries`, by their ids): at once, or with their daily
 * notification. Nobody is told of their own listing, of one of somebody whom they blocked or who blocked them, or
 * twice. Safe to repeat, also at once. Returns whom it told.
 */
export async function tellSavers(store: Store, productId: string, queries: readonly number[]): Promise<string[]> {
  if (queries.length === 0) return [];
  const {
    listing: [listing],
    rows,
  } = await read(store.db, { listing: listingRow(productId), rows: saversOf(queries, productId) });
  if (!listing) return [];
  const table = await readTypeTable(store.db);
  const savers = [...Map.groupBy(rows, ({ userId }) => userId)].map(([userId, searches]) => ({ userId, searches }));
  const told: string[] = [];
  for (let at = 0; at < savers.length; at += AT_ONCE) {
    const some = savers.slice(at, at + AT_ONCE);
    told.push(...(await retryOnConflict(TRIES, () => tellSome(store, listing, some, table))));
  }
  return told;
}

type Listing = NonNullable<Awaited<ReturnType<typeof listingRow>>[0]>;

function listingRow(productId: string) {
  return build
    .select({ id: productRow.id, name: productRow.name, price: productRow.price })
    .from(productRow)
    .where(and(eq(productRow.id, productId), FOR_SALE));
}

type SaverRow = Awaited<ReturnType<typeof saversOf>>[0];

interface Saver {
  userId: string;
  searches: readonly SaverRow[];
}

/** Who may be told of a listing that these queries find. `isBlocked`: SQL of a saver and the seller. */
export function saversOf(queries: readonly number[], productId: string, isBlocked = blockBetween) {
  return build
    .select({
      ...pick(savedSearches, "userId", "id", "frequency"),
      ...pick(savedQueries, "address", "maxPrice"),
    })
    .from(sql`json_each(${JSON.stringify(queries)}) found`)
    .crossJoin(savedSearches)
    .innerJoin(savedQueries, eq(savedQueries.id, savedSearches.queryId))
    .innerJoin(credentials, eq(credentials.id, savedSearches.userId))
    .innerJoin(products, eq(products.id, productId))
    .where(
      and(
        sql`${savedSearches.queryId} = found.value`,
        isNull(credentials.suspendedAt),
        ne(savedSearches.userId, products.sellerId),
        sql`NOT ${isBlocked(sql`${savedSearches.userId}`, sql`${products.sellerId}`)}`,
      ),
    )
    .orderBy(savedSearches.userId, savedSearches.createdAt);
}

/** What is done for one person. */
interface Step extends Saver {
  known: Found | null;
  telling: Telling;
}

async function tellSome(store: Store, listing: Listing, some: readonly Saver[], table: TypeTable): Promise<string[]> {
  const { userId, productId, price, told, waitsSince } = foundListings;
  const ids = some.map((saver) => saver.userId);
  const known = await store.db
    .select({ userId, price, told, waits: sql<number>`${isNotNull(waitsSince)}`.mapWith(Boolean) })
    .from(foundListings)
    .where(and(eq(productId, listing.id), inArray(userId, ids)));
  const steps = some.map((saver): Step => {
    const found = known.find((row) => row.userId === saver.userId) ?? null;
    const frequency = soonest(saver.searches.map((search) => search.frequency));
    return { ...saver, known: found, telling: tellingOf(frequency, found, listing.price) };
  });
  const changed = steps.filter(({ telling }) => telling !== "nothing");
  if (changed.length === 0) return [];
  const toTell = changed.filter(({ telling }) => telling === "tell");
  await write(store.db, [
    ...noteFound(listing, changed, store.now()),
    ...notifyEach("search_found", rowsFor(listing, toTell, table), store.now()),
  ]);
  return toTell.map((step) => step.userId);
}

/** Writes down what they know now. Fails where somebody else has just told one of them. */
function noteFound(listing: Listing, steps: readonly Step[], now: number): Statement[] {
  const rows = steps.map((step) => ({
    userId: step.userId,
    before: step.known?.told ?? null,
    told: (step.known?.told ?? 0) + Number(step.telling === "tell" || step.telling === "wait"),
    waitsSince: step.telling === "wait" ? now : null,
    searches: step.searches.map(({ id }) => id),
  }));
  const [fresh, known] = [rows.filter(({ before }) => before === null), rows.filter(({ before }) => before !== null)];
  const value = (name: string) => sql`row.value ->> ${sql.raw(`'${name}'`)}`;
  return [
    ...(fresh.length === 0
      ? []
      : [
          insertEach(
            foundListings,
            {
              userId: value("userId"),
              productId: listing.id,
              reason: "search",
              searches: sql`row.value -> 'searches'`,
              price: listing.price,
              told: value("told"),
              waitsSince: value("waitsSince"),
              createdAt: now,
            },
            sql`FROM json_each(${JSON.stringify(fresh)}) row WHERE true`,
          ).onConflictDoNothing(),
          expectThat(sql`changes() = ${fresh.length}`),
          build
            .update(savedSearches)
            .set({ newCount: sql`${savedSearches.newCount} + 1` })
            .where(
              sql`${savedSearches.id} IN (SELECT value
                FROM json_each(${JSON.stringify(fresh.flatMap(({ searches }) => searches))}))`,
            ),
        ]),
    ...(known.length === 0
      ? []
      : [
          build
            .update(foundListings)
            .set({
              told: sql`${value("told")}`,
              searches: sql`row.value -> 'searches'`,
              price: sql`min(${foundListings.price}, ${listing.price})`,
              waitsSince: sql`COALESCE(${value("waitsSince")}, ${foundListings.waitsSince})`,
            })
            .from(sql`json_each(${JSON.stringify(known)}) row`)
            .where(
              and(
                eq(foundListings.userId, value("userId")),
                eq(foundListings.productId, listing.id),
                eq(foundListings.told, value("before")),
              ),
            ),
          expectThat(sql`changes() = ${known.length}`),
        ]),
  ];
}

/** SQL: what each of these people is told. */
function rowsFor(listing: Listing, steps: readonly Step[], table: TypeTable) {
  const rows = steps.map(({ userId, known, searches }) => {
    // What was found before is told again only because it has become cheaper.
    const isCheaper = known !== null && known.told > 0;
    return {
      userId,
      data: {
        productId: listing.id,
        productName: listing.name,
        price: listing.price,
        priceBefore: isCheaper ? known.price : null,
        search: nameSaved(searches[0]?.address ?? "", table).name,
        searchIds: searches.map(({ id }) => id),
      },
    };
  });
  return sql`SELECT row.value ->> 'userId' AS userId, row.value -> 'data' AS data
    FROM json_each(${JSON.stringify(rows)}) row`;
}

/**
 * How many people one batch gathers for: with half of the news that a run sends (30), so that other news leaves beside
 * them.
 */
const GATHERED_AT_ONCE = 15;

/**
 * Tells the next people what their saved searches and the shops that they follow have brought since the last evening.
 * What can't be bought any more isn't counted. Safe to repeat, also at once. Returns whom it told, and how many of them
 * may get an email; null when nobody waits.
 */
export async function tellDaily(store: Store): Promise<{ readers: string[]; emails: number } | null> {
  const until = lastDailyTime(store.now());
  const some = await store.db
    .selectDistinct({ userId: foundListings.userId })
    .from(foundListings)
    .where(lte(foundListings.waitsSince, until))
    .limit(GATHERED_AT_ONCE);
  if (some.length === 0) return null;
  const ids = some.map(({ userId }) => userId);
  const waiting = and(inArray(foundListings.userId, ids), lte(foundListings.waitsSince, until));
  const gathered = await read(store.db, gatheredRows(ids, until));
  const found = gathered.filter(({ reason }) => reason === "search");
  const listed = gathered.filter(({ reason }) => reason === "shop");
  await write(store.db, [
    ...(found.length > 0 ? notifyEach("searches_daily", dailyRows(found, until), store.now()) : []),
    ...(listed.length > 0 ? notifyEach("shops_daily", dailyRows(listed, until), store.now()) : []),
    build.update(foundListings).set({ waitsSince: null }).where(waiting),
  ]);
  return { readers: [...new Set(gathered.map(({ userId }) => userId))], emails: found.length };
}

/** For each person and reason what waits, can be bought, and is still looked for: so many, and the newest of them. */
function gatheredRows(userIds: readonly string[], until: number) {
  const { userId, reason, productId, searches, waitsSince, createdAt } = foundListings;
  const isWanted = sql`iif(${eq(reason, "search")}, ${isStillSearched(sql`${searches}`, sql`${userId}`)},
    ${isStillFollowed(sql`${userId}`)})`;
  const waiting = build
    .select(
      named({
        userId,
        reason,
        productId,
        productName: productRow.name,
        searchIds: sql<string>`${searches}`,
        place: sql<number>`ROW_NUMBER() OVER (PARTITION BY ${userId}, ${reason} ORDER BY ${createdAt} DESC)`,
        count: sql<number>`COUNT(*) OVER (PARTITION BY ${userId}, ${reason})`,
      }),
    )
    .from(foundListings)
    .innerJoin(productRow, eq(productRow.id, productId))
    .where(
      and(
        inArray(userId, [...userIds]),
        lte(waitsSince, until),
        FOR_SALE,
        sql`NOT ${blockBetween(sql`${userId}`, sql`${productRow.sellerId}`)}`,
        isWanted,
      ),
    )
    .as("waiting");
  return build
    .select({
      userId: waiting.userId,
      reason: waiting.reason,
      count: sql<number>`MAX(${waiting.count})`.as("count"),
      listings: sql<string>`json_group_array(json_object('productId', ${waiting.productId},
          'productName', ${waiting.productName},
        'searchIds', json(${waiting.searchIds})) ORDER BY ${waiting.place})`.as("listings"),
    })
    .from(waiting)
    .where(sql`${waiting.place} <= ${LISTED_MAX}`)
    .groupBy(sql`${waiting.userId}`, sql`${waiting.reason}`);
}

function dailyRows(rows: Awaited<ReturnType<typeof gatheredRows>>, until: number) {
  const values = rows.map(({ userId, reason, count, listings }) => ({
    userId,
    key: `daily:${reason}:${dayOf(until)}:${userId}`,
    data: { count, listings: JSON.parse(listings) as object[] },
  }));
  return sql`SELECT row.value ->> 'userId' AS userId, row.value ->> 'key' AS key, row.value -> 'data' AS data,
    NULL AS thing
    FROM json_each(${JSON.stringify(values)}) row`;
}
