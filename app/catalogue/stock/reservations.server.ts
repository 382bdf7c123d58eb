/** Who has reserved pieces of a listing, and for how long: payments under way, and accepted offers. */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { hasRow } from "#app/db/build.ts";
import { offers } from "#app/catalogue/tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- what is left depends on who is paying
import { orderItems } from "#app/orders/tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- as above
import { paymentAttempts } from "#app/payments/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { RESERVATION_MS } from "./stock-rules.ts";

/**
 * SQL on `productRow`: when the first of its reservations may end, ms since 1970; null when it has none, or our team
 * checks the payment. Payments under way are few, so the search starts with them, not with the product's orders.
 */
export const FIRST_RELEASE: SQL<number | null> = sql`(SELECT MIN(ends) FROM (
  SELECT ${paymentAttempts.createdAt} + ${sql.raw(String(RESERVATION_MS))} AS ends
    FROM ${paymentAttempts} CROSS JOIN ${orderItems} ON ${orderItems.orderId} = ${paymentAttempts.orderId}
    WHERE ${orderItems.productId} = ${productRow.id} AND ${orderItems.offerId} IS NULL
      AND ${paymentAttempts.reservesStock} = 1
      AND ${stateIs(paymentAttempts.state, ATTEMPT.isLive)}
  UNION ALL SELECT ${offers.expiresAt} FROM ${offers}
    WHERE ${offers.productId} = ${productRow.id} AND ${stateIs(offers.state, OFFER.isAccepted)}))`;

/**
 * SQL on `productRow`: the viewer's order with a payment under way that has reserved some of it; NULL when there is
 * none. Such payments are few, so the search starts with them.
 */
export function payingOrder(viewerId: string | null | SQLWrapper): SQL<string | null> {
  return sql`(SELECT ${paymentAttempts.orderId}
    FROM ${paymentAttempts} CROSS JOIN ${orderItems} ON ${orderItems.orderId} = ${paymentAttempts.orderId}
      AND ${orderItems.productId} = ${productRow.id}
    WHERE ${paymentAttempts.userId} = ${viewerId} AND ${stateIs(paymentAttempts.state, ATTEMPT.isUnderWay)} LIMIT 1)`;
}

/** SQL on offers and `productRow`: this person's accepted offer, which keeps a piece for them. */
export function isAcceptedFor(buyerId: string | null | SQLWrapper): SQL {
  return sql`${offers.productId} = ${productRow.id} AND ${offers.buyerId} = ${buyerId}
    AND ${stateIs(offers.state, OFFER.isAccepted)}`;
}

/** SQL on `productRow`: the viewer has reserved some of it, with a payment under way or an accepted offer. */
export function reservedByViewer(viewerId: string | null | SQLWrapper): SQL {
  return sql`(${payingOrder(viewerId)} IS NOT NULL OR ${hasRow(offers, isAcceptedFor(viewerId))})`;
}
