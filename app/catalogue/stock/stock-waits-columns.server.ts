import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { asBoolean, hasRow } from "#app/db/build.ts";
import { stockWaits } from "#app/db/schema.ts";
import { p } from "#app/catalogue/product-alias.server.ts";
import { FIRST_RELEASE, payingOrder, reservedByViewer } from "./reservations.server.ts";

/**
 * SQL on products `p`: nothing of it can be bought now, because it is sold out, off sale, or all that is left is
 * reserved.
 */
export const UNAVAILABLE = sql`(${p.status} <> 'active' OR ${p.stock} <= ${p.reserved}) IS 1`;

/** SQL on products `p`: all that is left is reserved. */
const RESERVED = sql`(${p.status} = 'active' AND ${p.stock} > 0 AND ${p.stock} <= ${p.reserved}) IS 1`;

/** Of products `p`: whether others have reserved all that is left, and until when. */
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
    payingOrderId: sql<string | null>`CASE WHEN ${p.reserved} > 0 THEN ${payingOrder(viewerId)} END`,
    waiting: asBoolean(isWaiting(viewerId)),
  };
}

/** SQL on products `p`: this person is on its waiting list. */
export function isWaiting(userId: string | null | SQLWrapper): SQL {
  return hasRow(stockWaits, and(sql`${stockWaits.userId} = ${userId}`, eq(stockWaits.productId, p.id)));
}
