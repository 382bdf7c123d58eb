import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { asBoolean, hasRow } from "#app/db/build.ts";
import { stockWaits } from "#app/catalogue/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { FIRST_RELEASE, payingOrder, reservedByViewer } from "./reservations.server.ts";

/**
 * SQL on `productRow`: nothing of it can be bought now, because it is sold out, off sale, or all that is left is
 * reserved.
 */
export const UNAVAILABLE = sql`(${productRow.status} <> 'active'
  OR ${productRow.stock} <= ${productRow.reserved}) IS 1`;

/** SQL on `productRow`: all that is left is reserved. */
const RESERVED = sql`(${productRow.status} = 'active' AND ${productRow.stock} > 0
  AND ${productRow.stock} <= ${productRow.reserved}) IS 1`;

/** Of `productRow`: whether others have reserved all that is left, and until when. */
export function reservedFields(viewerId: string | null | SQLWrapper) {
  const reserved = sql`(${RESERVED} AND NOT ${reservedByViewer(viewerId)})`;
  return {
    reservedByOthers: asBoolean(reserved),
    reservedUntil: sql<number | null>`CASE WHEN ${reserved} THEN ${FIRST_RELEASE} END`,
  };
}

/** The same as `reservedFields`, with the viewer's own order that is being paid, and whether they wait for it. */
export function waitFields(viewerId: string | null | SQLWrapper) {
  return {
    ...reservedFields(viewerId),
    payingOrderId: sql<string | null>`CASE WHEN ${productRow.reserved} > 0 THEN ${payingOrder(viewerId)} END`,
    waiting: asBoolean(isWaiting(viewerId)),
  };
}

/** SQL on `productRow`: this person is on its waiting list. */
export function isWaiting(userId: string | null | SQLWrapper): SQL {
  return hasRow(stockWaits, and(sql`${stockWaits.userId} = ${userId}`, eq(stockWaits.productId, productRow.id)));
}
