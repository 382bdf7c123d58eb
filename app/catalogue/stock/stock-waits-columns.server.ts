import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { asBoolean, hasRow } from "#app/db/build.ts";
import { offers, orderItems, paymentAttempts, stockWaits } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { p } from "#app/catalogue/product-alias.server.ts";
import { FIRST_RELEASE } from "./stock.server.ts";

/** SQL on products `p`: nothing of it can be bought now, because it is sold out, off sale, or all that is left is reserved. */
export const UNAVAILABLE = sql`(${p.status} <> 'active' OR ${p.stock} <= ${p.reserved}) IS 1`;

/** SQL on products `p`: all that is left is reserved. */
const RESERVED = sql`(${p.status} = 'active' AND ${p.stock} > 0 AND ${p.stock} <= ${p.reserved}) IS 1`;

/**
 * SQL on products `p`: the viewer's order with a payment under way that has reserved some of it; NULL when there is none.
 * Such payments are few, so the search starts with them.
 */
function payingOrder(viewerId: string | null | SQLWrapper): SQL<string | null> {
  return sql`(SELECT ${paymentAttempts.orderId}
    FROM ${paymentAttempts} CROSS JOIN ${orderItems} ON ${orderItems.orderId} = ${paymentAttempts.orderId} AND ${orderItems.productId} = ${p.id}
    WHERE ${paymentAttempts.userId} = ${viewerId} AND ${stateIs(paymentAttempts.state, ATTEMPT.isUnderWay)} LIMIT 1)`;
}

/** SQL on products `p`: the viewer has reserved some of it, with a payment under way or an accepted offer. */
export function reservedByViewer(viewerId: string | null | SQLWrapper): SQL {
  const isAccepted = and(
    eq(offers.productId, p.id),
    sql`${offers.buyerId} = ${viewerId}`,
    stateIs(offers.state, OFFER.isAccepted),
  );
  return sql`(${payingOrder(viewerId)} IS NOT NULL OR ${hasRow(offers, isAccepted)})`;
}

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
