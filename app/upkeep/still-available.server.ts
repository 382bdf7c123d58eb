/** Asks sellers whether their listings are still available, and takes what they don't answer for out of the lists. */
import { and, count, eq, exists, inArray, isNotNull, isNull, lte, sql } from "drizzle-orm";
import { partyJson, readParty } from "#app/accounts/party.server.ts";
import { notify } from "#app/notifications/notify.server.ts";
import { sellerFeeText } from "#app/catalogue/fees/fee-rules.ts";
import { feeRule } from "#app/catalogue/fees/fees.server.ts";
import { ASK_AFTER_MS } from "#app/catalogue/catalogue-rules.ts";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { updateListings, updateListingsFrom } from "#app/catalogue/write-listings.server.ts";
import { COVER } from "#app/catalogue/listing-columns.server.ts";
import { CONFIRMED } from "#app/catalogue/selling/listings.server.ts";
import { loweredPrice } from "#app/catalogue/selling/lower-price-rules.ts";
import { lowerListing } from "#app/catalogue/selling/lower-price.server.ts";
import { type RowOf, type Statement, expectThat, read, tryWrite, write } from "#app/db/batch.ts";
import { asBoolean, build, idList, named, oneRow, pick } from "#app/db/build.ts";
import type { Logging, Store } from "#app/db/client.ts";
import { oneByOne } from "#app/db/one-by-one.ts";
import { offers, products } from "#app/catalogue/tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { shops } from "#app/accounts/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { ASK_ALONG_MS, type NextCheck, nextCheck } from "./still-available-rules.ts";

/** How many due listings a run looks at, and how many of one seller's it asks about at once. */
const AT_ONCE = 50;

/** How many listings the seller's page has at a time. */
const PAGE_SIZE = 50;

/** SQL on `productRow`: its last change or sale, ms. A sale of what is made to order changes nothing in the listing. */
const CHANGED_AT = sql<number>`MAX(${productRow.updatedAt},
  COALESCE((SELECT MAX(${orderItems.paidAt}) FROM ${orderItems}
  WHERE ${orderItems.productId} = ${productRow.id}), 0))`;

const HAS_OFFER = exists(
  build
    .select()
    .from(offers)
    .where(and(eq(offers.productId, productRow.id), stateIs(offers.state, OFFER.isActive))),
);

/** SQL on `productRow`: somebody is buying it, or waits for an answer to an offer. */
const IS_BUSY = asBoolean(sql`(${productRow.reserved} > 0 OR ${HAS_OFFER})`);

function checkRows() {
  return build
    .select(
      named({
        ...pick(productRow, "id", "name", "sellerId", "checkAt", "askedAt", "status"),
        seller: sql<string>`${partyJson(sql`${productRow.sellerId}`)}`,
        isDeleted: asBoolean(isNotNull(productRow.deletedAt)),
        isHidden: asBoolean(isNotNull(productRow.suspendedAt)),
        changedAt: CHANGED_AT,
        updatedAt: productRow.updatedAt,
        awayUntil: shops.awayUntil,
        isBusy: IS_BUSY,
      }),
    )
    .from(productRow)
    .leftJoin(shops, eq(shops.id, productRow.sellerId));
}

type Row = RowOf<ReturnType<typeof checkRows>>;

/**
 * Looks at the listings that are due. Safe to run twice at once, and to be cut off: each seller is one batch, which
 * holds only if nothing has changed since. What has is due in the next run. One failure doesn't stop the others.
 * Returns the sellers who were told something.
 */
export async function checkListings(store: Store & Logging): Promise<string[]> {
  const now = store.now();
  const due = await read(
    store.db,
    checkRows().where(lte(productRow.checkAt, now)).orderBy(productRow.checkAt).limit(AT_ONCE),
  );
  const sellers = await oneByOne(
    Map.groupBy(due, (row) => row.sellerId),
    async ([sellerId, rows]) => ((await checkSeller(store, sellerId, rows, now)) ? [sellerId] : []),
    ([sellerId], error) => store.log({ event: "listing_check_failed", level: "error", sellerId, error: String(error) }),
  );
  return sellers.flat();
}

/** Whether this run told the seller something. */
async function checkSeller({ db }: Store, sellerId: string, due: readonly Row[], now: number): Promise<boolean> {
  const asks = due.some((row) => nextCheck(row, now).do === "ask");
  const along = asks ? await read(db, alongRows(sellerId, now, due)) : [];
  const steps = [
    ...due.map((row) => ({ row, next: nextCheck(row, now, asks) })),
    ...along.map((row) => ({ row, next: nextCheck(row, now, true) })).filter(({ next }) => next.do === "ask"),
  ];
  const of = (kind: NextCheck["do"]) => steps.filter(({ next }) => next.do === kind).map(({ row }) => row);
  const [asked, left] = [of("ask"), of("leave")];
  const waits = steps.flatMap(({ row, next }) => (next.do === "wait" ? [{ id: row.id, ...next }] : []));
  const isDone = await tryWrite(db, [
    expectThat(areAsRead(steps.map(({ row }) => row))),
    ...later([
      ...waits.map(({ id, until, answered }) => ({ id, checkAt: until, askedAt: null, keeps: !answered })),
      ...asked.map((row) => ({ id: row.id, checkAt: dueOnceAsked(row, now), askedAt: now, keeps: false })),
    ]),
    updateListings({ checkAt: null, askedAt: null }, inArray(products.id, idsOf([...of("forget"), ...left]))),
    ...(left.length === 0
      ? []
      : [
          updateListings({ status: "unconfirmed" }, inArray(products.id, idsOf(left))),
          ...afterListingsChanged(idsOf(left), now),
        ]),
    ...tell("still_available", asked, now),
    ...tell("listing_left", left, now),
  ]);
  return isDone && (asked.length > 0 || left.length > 0);
}

/** One notification for all of them. The key names what was due, so that a repeat tells nothing twice. */
function tell(kind: "still_available" | "listing_left", [first, ...others]: readonly Row[], now: number): Statement[] {
  if (!first) return [];
  const data = { productId: first.id, productName: first.name, others: others.length };
  return notify(readParty(first.seller), { kind, data }, `${kind}:${first.id}:${first.checkAt}`, now);
}

/** The seller's other listings that would come up soon. */
function alongRows(sellerId: string, now: number, due: readonly Row[]) {
  return checkRows()
    .where(
      and(
        eq(productRow.sellerId, sellerId),
        eq(productRow.status, "active"),
        isNull(productRow.askedAt),
        sql`${productRow.checkAt} > ${now} AND ${productRow.checkAt} <= ${now + ASK_ALONG_MS}`,
      ),
    )
    .limit(Math.max(0, AT_ONCE - due.length));
}

function dueOnceAsked(row: Row, now: number): number {
  const next = nextCheck({ ...row, askedAt: now }, now);
  return next.do === "wait" ? next.until : now + ASK_AFTER_MS;
}

/** SQL: nobody has changed or checked these listings since they were read. */
function areAsRead(rows: readonly Row[]) {
  const seen = JSON.stringify(rows.map(({ id, checkAt, updatedAt, isBusy }) => ({ id, checkAt, updatedAt, isBusy })));
  const same = sql`SELECT COUNT(*) FROM json_each(${seen})
    JOIN ${products} product_row ON ${productRow.id} = value ->> 'id' AND ${productRow.checkAt} = value ->> 'checkAt'
      AND ${productRow.updatedAt} = value ->> 'updatedAt'
    WHERE (${productRow.reserved} > 0 OR ${HAS_OFFER}) = (value ->> 'isBusy')`;
  return sql`(${same}) = ${rows.length}`;
}

function later(rows: { id: string; checkAt: number; askedAt: number | null; keeps: boolean }[]): Statement[] {
  if (rows.length === 0) return [];
  return [
    updateListingsFrom(
      {
        checkAt: sql`value ->> 'checkAt'`,
        askedAt: sql`CASE WHEN value ->> 'keeps' THEN ${products.askedAt} ELSE value ->> 'askedAt' END`,
      },
      sql`json_each(${JSON.stringify(rows)})`,
      eq(products.id, sql`value ->> 'id'`),
    ),
  ];
}

function idsOf(rows: readonly Row[]) {
  return idList(...rows.map(({ id }) => id));
}

/** A listing that waits for its seller's answer. */
export interface UnansweredListing {
  id: string;
  name: string;
  /** KES. */
  price: number;
  image: ProductImage | null;
  /** Its last change, ms. */
  updatedAt: number;
  /** It has left the lists. */
  isGone: boolean;
  /** KES: what one tap lowers its price to; null where its seller must open it for that. */
  lower: number | null;
  /** What the seller gets at the lower price, in words; null where they pay no fee. */
  lowerFee: string | null;
}

const unanswered = (now: number) =>
  named({
    ...pick(productRow, "id", "name", "price"),
    image: COVER,
    ...pick(productRow, "updatedAt", "status", "lowestOffer", "wholesale"),
    isBusy: IS_BUSY,
    feeRule: feeRule(now),
  });

/** The seller's listings that wait for an answer: first those that have left the lists. One round trip. */
export async function listUnanswered({ db, now }: Store, sellerId: string): Promise<UnansweredListing[]> {
  const { gone, asked } = await read(db, unansweredQueries(sellerId, now()));
  return [...gone, ...asked].map(({ status, lowestOffer, wholesale, isBusy, feeRule: currentFee, ...row }) => {
    const lowered = loweredPrice(row.price);
    const isTerm = wholesale || isBusy || (lowered !== null && lowestOffer !== null && lowestOffer >= lowered);
    const lower = isTerm ? null : lowered;
    const lowerFee = lower === null ? null : sellerFeeText(currentFee, lower);
    return { ...row, isGone: status === "unconfirmed", lower, lowerFee };
  });
}

function unansweredQueries(sellerId: string, now: number) {
  const live = sql`${productRow.deletedAt} IS NULL AND ${productRow.suspendedAt} IS NULL`;
  return {
    gone: build
      .select(unanswered(now))
      .from(productRow)
      .where(and(eq(productRow.sellerId, sellerId), eq(productRow.status, "unconfirmed"), live))
      .orderBy(productRow.createdAt)
      .limit(PAGE_SIZE),
    asked: build
      .select(unanswered(now))
      .from(productRow)
      // By the index of what was asked: the unary plus keeps SQLite from another.
      .where(
        and(
          eq(productRow.sellerId, sellerId),
          isNotNull(productRow.askedAt),
          sql`+${productRow.status} = 'active'`,
          live,
          sql`${CHANGED_AT} <= ${productRow.askedAt}`,
        ),
      )
      .orderBy(productRow.updatedAt)
      .limit(PAGE_SIZE),
  };
}

/** The query that counts them. Exact up to `PAGE_SIZE` of each kind. */
export function unansweredCount(sellerId: string, now: number) {
  const { gone, asked } = unansweredQueries(sellerId, now);
  const [isGone, isAsked] = [gone.as("gone"), asked.as("asked")];
  return oneRow({
    gone: sql<number>`${build.select({ count: count() }).from(isGone)}`,
    asked: sql<number>`${build.select({ count: count() }).from(isAsked)}`,
  });
}

/**
 * The seller says that these listings are still available. What had left the lists comes back. Safe to repeat. Returns
 * how many: deleted ones, sold ones and those of others aren't among them.
 */
export async function renewListings(
  store: Store,
  { sellerId, productIds }: { sellerId: string; productIds: readonly string[] },
): Promise<number> {
  const now = store.now();
  const isOwn = and(
    eq(products.sellerId, sellerId),
    inArray(products.id, idList(...productIds)),
    sql`${products.deletedAt} IS NULL AND ${products.status} IN ('active', 'unconfirmed')`,
  );
  const { renewed } = await write(store.db, {
    renewed: build.select({ id: products.id }).from(products).where(isOwn),
    updateListings: updateListings(confirmed(now), isOwn),
    afterListingsChanged: afterListingsChanged(idList(...productIds), now),
  });
  return renewed.length;
}

/** The question is answered, so that it isn't asked again for a while. */
function confirmed(now: number) {
  return {
    status: CONFIRMED,
    askedAt: null,
    checkAt: now + ASK_AFTER_MS,
    updatedAt: now,
  };
}

/**
 * Sells a listing for a tenth less, if it still has the price that its seller saw, and a press may lower it now.
 * Returns the new price in KES; null when the price has changed, or can't be lowered this way.
 */
export async function lowerListingPrice(
  store: Store,
  { sellerId, productId, seen }: { sellerId: string; productId: string; seen: number },
): Promise<number | null> {
  const now = store.now();
  const price = loweredPrice(seen);
  if (price === null) return null;
  const {
    listing: [listing],
  } = await write(store.db, {
    lowered: lowerListing(
      { sellerId, productId, seen, price },
      now,
      confirmed(now),
      sql`${products.status} IN ('active', 'unconfirmed')`,
    ),
    listing: build
      .select({ price: products.price })
      .from(products)
      .where(and(eq(products.id, productId), eq(products.sellerId, sellerId), isNull(products.deletedAt))),
    follows: afterListingsChanged(idList(productId), now),
  });
  // A second press, or a retry after a lost answer, finds it done.
  return listing?.price === price ? price : null;
}
