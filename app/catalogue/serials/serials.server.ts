import { createHmac } from "node:crypto";
import { and, eq, exists, inArray, isNotNull, isNull, ne, type SQLWrapper, sql } from "drizzle-orm";
import { credentials } from "#app/accounts/tables.server.ts";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { SERIAL_MARK } from "#app/catalogue/selling/held-rules.ts";
import { listingSerials, products, stolenSerials } from "#app/catalogue/tables.server.ts";
import { updateListings } from "#app/catalogue/write-listings.server.ts";
import { expectThat, type Statement } from "#app/db/batch.ts";
import { build, hasRow, idList } from "#app/db/build.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import type { Store } from "#app/db/client.ts";
import { notifyEach } from "#app/notifications/notify.server.ts";
import { SERIALS_A_DAY } from "./serial-limits.ts";
import { serialEnding } from "./serial-rules.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** A serial number as we keep it: what compares it, and what its owner knows it by. */
export interface KeptSerial {
  hash: string;
  ending: string;
}

/** `serial` from `readSerial`. With another pepper it is another hash. */
export function keepSerial(serial: string, pepper: string): KeptSerial {
  const hash = createHmac("sha256", pepper).update(`serial:${serial}`).digest("base64url");
  return { hash, ending: serialEnding(serial) };
}

/**
 * Opens a case about each of these listings that is held, so that it comes to our team (`openHeldCases` of
 * `app/moderation`, which stands behind this folder).
 */
export type OpenHeldCases = (ids: SQLWrapper, now: number) => Statement[];

/** SQL on `stolen_serials`: it counts. What somebody reported whom our team has suspended doesn't. */
export const STANDS = sql`${and(
  isNull(stolenSerials.endedAt),
  hasRow(credentials, and(eq(credentials.id, stolenSerials.reporterId), isNull(credentials.suspendedAt))),
)}`;

/** SQL on `products`: somebody else than its seller has reported its serial number. */
const IS_REPORTED = exists(
  build
    .select({ id: stolenSerials.id })
    .from(listingSerials)
    .innerJoin(stolenSerials, eq(stolenSerials.hash, listingSerials.hash))
    .where(and(eq(listingSerials.productId, products.id), STANDS, ne(stolenSerials.reporterId, products.sellerId))),
);

/**
 * Whether somebody may learn now whether another serial number is reported: a few a day. Who saves a listing with one
 * learns it, too. Counts it.
 */
export function mayLearn(store: Store, userId: string): Promise<boolean> {
  return takeAllowance(store, [{ key: `serials-asked:${userId}`, max: SERIALS_A_DAY.asked, windowMs: DAY_MS }]);
}

/**
 * Gives a listing of the seller a serial number, or takes it away (null). They go behind the statement that writes the
 * listing.
 */
export function setSerial(
  { productId, sellerId }: { productId: string; sellerId: string },
  kept: KeptSerial | null,
  now: number,
  openCases: OpenHeldCases,
): Statement[] {
  const own = hasRow(products, and(eq(products.id, productId), eq(products.sellerId, sellerId)));
  return [
    expectThat(own),
    build.delete(listingSerials).where(eq(listingSerials.productId, productId)),
    ...(kept === null
      ? []
      : [
          build.insert(listingSerials).values({ productId, ...kept, createdAt: now }),
          ...holdReported(idList(productId), now, openCases),
        ]),
  ];
}

/**
 * Holds those of these listings whose serial number was reported, tells their sellers, and brings them to our team. A
 * thing of the reporter's own, that they got back, isn't held. Safe to repeat. They go behind the statement that
 * reports the number, gives it to a listing, or shows the listing again. `ids`: SQL
 */
export function holdReported(ids: SQLWrapper, now: number, openCases: OpenHeldCases): Statement[] {
  const held = build
    .select({
      userId: sql`${products.sellerId}`.as("userId"),
      key: sql`'listing_held:' || ${products.id} || ${`:${now}`}`.as("key"),
      data: sql`json_object('productId', ${products.id}, 'productName', ${products.name},
        'heldFor', ${SERIAL_MARK})`.as("data"),
      thing: sql`'product:' || ${products.id}`.as("thing"),
    })
    .from(products)
    .where(and(inArray(products.id, ids), eq(products.heldFor, SERIAL_MARK), eq(products.suspendedAt, now)));
  return [
    updateListings(
      { suspendedAt: now, heldFor: SERIAL_MARK, updatedAt: now },
      and(inArray(products.id, ids), isNull(products.suspendedAt), isNull(products.deletedAt), IS_REPORTED),
    ),
    ...notifyEach("listing_held", held.getSQL(), now),
    ...afterListingsChanged(ids, now),
    ...openCases(ids, now),
  ];
}

/**
 * Those of these listings that are held have changed: whoever has opened their case hasn't seen a new report, and can't
 * publish them. `ids`: SQL
 */
export function changeHeld(ids: SQLWrapper, now: number): Statement {
  return updateListings(
    { updatedAt: now },
    and(inArray(products.id, ids), isNotNull(products.heldFor), isNull(products.deletedAt)),
  );
}

/** SQL: the ids of the listings with this serial number. */
export function listingsWith(hash: string): SQLWrapper {
  return build.select({ id: listingSerials.productId }).from(listingSerials).where(eq(listingSerials.hash, hash));
}

/** SQL: the ids of the listings with a serial number that this person reported. */
export function listingsReportedBy(userId: string): SQLWrapper {
  const reported = build
    .select({ hash: stolenSerials.hash })
    .from(stolenSerials)
    .where(eq(stolenSerials.reporterId, userId));
  return build
    .select({ id: listingSerials.productId })
    .from(listingSerials)
    .where(inArray(listingSerials.hash, reported));
}

/**
 * Our team found nothing wrong with a held listing: it is rid of a serial number that is reported, or else it would be
 * held again. The reports stand. It goes before the statement that publishes the listing.
 */
export function clearReported(productId: string): Statement {
  const isHeld = and(eq(products.id, productId), isNotNull(products.heldFor), IS_REPORTED);
  return build
    .delete(listingSerials)
    .where(inArray(listingSerials.productId, build.select({ id: products.id }).from(products).where(isHeld)));
}
