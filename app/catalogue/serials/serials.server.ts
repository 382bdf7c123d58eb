import { createHmac } from "node:crypto";
import { and, eq, exists, inArray, isNull, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { SERIAL_MARK } from "#app/catalogue/selling/held-rules.ts";
import { listingSerials, products, stolenSerials } from "#app/catalogue/tables.server.ts";
import { updateListings } from "#app/catalogue/write-listings.server.ts";
import { expectThat, type Statement } from "#app/db/batch.ts";
import { build, hasRow, idList } from "#app/db/build.ts";
import { notifyEach } from "#app/notifications/notify.server.ts";
import { serialEnding } from "./serial-rules.ts";

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

type OpenHeldCases = (ids: SQLWrapper, now: number) => Statement[];

/** SQL on `stolen_serials`: it counts. */
export const STANDS = isNull(stolenSerials.endedAt);

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
  const isReported = exists(
    build
      .select({ id: stolenSerials.id })
      .from(listingSerials)
      .innerJoin(stolenSerials, eq(stolenSerials.hash, listingSerials.hash))
      .where(and(eq(listingSerials.productId, products.id), STANDS, ne(stolenSerials.reporterId, products.sellerId))),
  );
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
      and(inArray(products.id, ids), isNull(products.suspendedAt), isNull(products.deletedAt), isReported),
    ),
    ...notifyEach("listing_held", held.getSQL(), now),
    ...afterListingsChanged(ids, now),
    ...openCases(ids, now),
  ];
}

/** SQL: the ids of the listings with this serial number. */
export function listingsWith(hash: string): SQLWrapper {
  return build.select({ id: listingSerials.productId }).from(listingSerials).where(eq(listingSerials.hash, hash));
}

/** SQL: the hash of a listing's serial number; NULL for none. */
function serialOf(productId: string): SQL {
  return sql`${build
    .select({ hash: listingSerials.hash })
    .from(listingSerials)
    .where(eq(listingSerials.productId, productId))}`;
}

/** Our team found nothing wrong with a listing: what was reported about its serial number counts no more. */
export function endReports(productId: string, now: number): Statement {
  return build
    .update(stolenSerials)
    .set({ endedAt: now })
    .where(and(eq(stolenSerials.hash, serialOf(productId)), STANDS));
}
