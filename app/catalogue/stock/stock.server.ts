import { type SQL, sql } from "drizzle-orm";
import { offers, orderItems, paymentAttempts } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { p } from "#app/catalogue/product-alias.server.ts";
import { RESERVATION_MS } from "./stock-rules.ts";

/**
 * SQL on products `p`: when the first of its reservations may end, ms since 1970; null when it has none, or our team
 * checks the payment. Payments under way are few, so the search starts with them, not with the product's orders.
 */
export const FIRST_RELEASE: SQL<number | null> = sql`(SELECT MIN(ends) FROM (
  SELECT ${paymentAttempts.createdAt} + ${sql.raw(String(RESERVATION_MS))} AS ends
    FROM ${paymentAttempts} CROSS JOIN ${orderItems} ON ${orderItems.orderId} = ${paymentAttempts.orderId}
    WHERE ${orderItems.productId} = ${p.id} AND ${orderItems.offerId} IS NULL AND ${paymentAttempts.reservesStock} = 1
      AND ${stateIs(paymentAttempts.state, ATTEMPT.isLive)}
  UNION ALL SELECT ${offers.expiresAt} FROM ${offers} WHERE ${offers.productId} = ${p.id} AND ${stateIs(offers.state, OFFER.isAccepted)}))`;
