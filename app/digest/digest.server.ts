/** Once a week, tells people what is new on their campus of what interests them. */
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import { type ProductSummary, summaryFields, toSummary } from "#app/catalogue/products.server.ts";
import { FOR_SALE } from "#app/catalogue/listing-columns.server.ts";
import { expectOneChange, read, tryWrite } from "#app/db/batch.ts";
import { build, named } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { moveOn, placeOf } from "#app/db/passes.ts";
import { blocks, credentials, profiles } from "#app/accounts/tables.server.ts";
import { cartItems, wishlistItems } from "#app/basket/tables.server.ts";
import { categories, products } from "#app/catalogue/tables.server.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { shopFollows } from "#app/shops/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { notify } from "#app/notifications/notify.server.ts";
import { openParty } from "#app/notifications/recipient-rules.ts";
import { DIGEST_MAX, digestWeek, type Interests, type NewListing, pickListings } from "./digest-rules.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** How many people one batch goes through. */
const AT_ONCE = 20;
/** How many of a campus's new listings are looked at. */
const LISTINGS_MAX = 200;
/** How long what somebody bought says what interests them, ms. */
const BOUGHT_MS = 60 * DAY_MS;
/** How many things of one person say what interests them. */
const THINGS_MAX = 2_000;

/**
 * Goes on with the week's pass through all accounts: one batch of people. The batch also moves the pass on, so a pass
 * that is cut off goes on where it was, and two at once tell nobody twice. Returns who was told; null when there is
 * nobody left this week.
 */
export async function continueDigest(store: Store): Promise<string[] | null> {
  const now = store.now();
  const week = digestWeek(now);
  if (week === null) return null;
  const pass = String(week);
  const [place] = await read(store.db, placeOf("digest"));
  const after = place?.pass === pass ? place.after : "";
  if (after === null) return null;
  const readers = await findReaders(store, after, now);
  const told = await readDigests(store, readers, now);
  // Null once there are no more of them.
  const last = readers[AT_ONCE - 1]?.id ?? null;
  const isDone = await tryWrite(store.db, [
    moveOn(place, { job: "digest", pass, after: last }),
    expectOneChange(),
    ...told.flatMap(({ reader, picked: [first, ...others] }) =>
      first
        ? notify(
            openParty(reader),
            {
              kind: "digest",
              data: {
                productId: first.id,
                productName: first.name,
                others: others.map(({ id, name }) => ({ id, name })),
              },
            },
            `digest:${week}:${reader.id}`,
            now,
          )
        : [],
    ),
  ]);
  // Another run was faster.
  if (!isDone) return null;
  if (last === null && told.length === 0) return null;
  return told.map(({ reader }) => reader.id);
}

/** The next people who can be told: members of a campus for a while, whose email is confirmed. */
function findReaders({ db }: Store, after: string, now: number) {
  return db
    .select({ id: credentials.id, email: credentials.email, name: profiles.fullName, campus: profiles.campusLocation })
    .from(credentials)
    .innerJoin(profiles, eq(profiles.id, credentials.id))
    .where(
      and(
        gt(credentials.id, after),
        isNull(credentials.suspendedAt),
        isNull(profiles.deletedAt),
        isNotNull(credentials.emailConfirmedAt),
        isNotNull(profiles.campusLocation),
        lt(credentials.createdAt, now - 7 * DAY_MS),
      ),
    )
    .orderBy(asc(credentials.id))
    .limit(AT_ONCE);
}

type Reader = Awaited<ReturnType<typeof findReaders>>[number];

/** What each reader's digest has; those without anything in it are left out. One round trip. */
async function readDigests({ db }: Store, readers: readonly Reader[], now: number) {
  if (readers.length === 0) return [];
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(readers.map(({ id }) => id))}))`;
  const campuses = [...new Set(readers.map(({ campus }) => campus ?? ""))];
  const { things, follows, blocked, lists } = await read(db, {
    things: thingsOf(ids, now),
    follows: build
      .select({ readerId: shopFollows.userId, sellerId: shopFollows.shopId })
      .from(shopFollows)
      .where(inArray(shopFollows.userId, ids)),
    blocked: blockedOf(ids),
    lists: campuses.map((campus) => newListings(campus, now)),
  });
  const listings = new Map<string | null, NewListing[]>(campuses.map((campus, n) => [campus, lists[n] ?? []]));
  return readers.flatMap((reader) => {
    const own = things.filter(({ readerId }) => readerId === reader.id);
    const typesOf = (why: string) =>
      own.flatMap((thing) => (thing.why === why && thing.type !== null ? [thing.type] : []));
    const interests: Interests = {
      readerId: reader.id,
      wishedTypes: typesOf("wished"),
      boughtTypes: typesOf("bought"),
      followed: follows.flatMap(({ readerId, sellerId }) => (readerId === reader.id ? [sellerId] : [])),
      known: own.map(({ productId }) => productId),
      blocked: blocked.flatMap(({ readerId, otherId }) => (readerId === reader.id ? [otherId] : [])),
    };
    const picked = pickListings(interests, listings.get(reader.campus) ?? []);
    return picked.length === 0 ? [] : [{ reader, picked }];
  });
}

/** The things that say what interests these people, and why they do. */
function thingsOf(ids: SQL, now: number) {
  const saved = (
    table: typeof wishlistItems | typeof cartItems,
  ) => sql`SELECT ${table.userId} AS reader, ${table.productId} AS product,
    'wished' AS why FROM ${table} WHERE ${table.userId} IN ${ids}`;
  const things = sql`(${saved(wishlistItems)} UNION ALL ${saved(cartItems)}
    UNION ALL SELECT ${orders.userId}, ${orderItems.productId}, 'bought' FROM ${orders}
      CROSS JOIN ${orderItems} ON ${orderItems.orderId} = ${orders.id}
      WHERE ${orders.userId} IN ${ids} AND ${orders.createdAt} > ${now - BOUGHT_MS}
        AND ${orderItems.paidAt} IS NOT NULL) thing`;
  return build
    .select(
      named({
        readerId: sql<string>`thing.reader`,
        productId: sql<string>`thing.product`,
        why: sql<"wished" | "bought">`thing.why`,
        type: products.type,
      }),
    )
    .from(things)
    .innerJoin(products, eq(products.id, sql`thing.product`))
    .limit(THINGS_MAX);
}

/** Both sides of each block. */
function blockedOf(ids: SQL) {
  const either = sql`(SELECT ${blocks.userId} AS reader, ${blocks.blockedId} AS other FROM ${blocks}
    WHERE ${blocks.userId} IN ${ids}
    UNION ALL SELECT ${blocks.blockedId}, ${blocks.userId} FROM ${blocks} WHERE ${blocks.blockedId} IN ${ids}) either`;
  return build.select(named({ readerId: sql<string>`either.reader`, otherId: sql<string>`either.other` })).from(either);
}

/** What came to a campus within the week and is still for sale, newest first. */
function newListings(campus: string, now: number) {
  return build
    .select(named({ id: productRow.id, name: productRow.name, sellerId: productRow.sellerId, type: productRow.type }))
    .from(sql`${products} product_row INDEXED BY products_for_sale_location`)
    .where(and(FOR_SALE, eq(productRow.location, campus), gt(productRow.createdAt, now - 7 * DAY_MS)))
    .orderBy(desc(productRow.createdAt), desc(productRow.id))
    .limit(LISTINGS_MAX);
}

/** The listings that a digest named and that are still for sale, in its order. */
export async function findDigestListings({ db, now }: Store, ids: readonly string[]): Promise<ProductSummary[]> {
  const asked = ids.slice(0, DIGEST_MAX);
  const rows = await read(
    db,
    build
      .select(summaryFields(now()))
      .from(productRow)
      .leftJoin(categories, eq(categories.id, productRow.category))
      .where(and(inArray(productRow.id, asked), FOR_SALE)),
  );
  return rows.toSorted((one, other) => asked.indexOf(one.id) - asked.indexOf(other.id)).map(toSummary);
}
