import { type SQL, sql } from "drizzle-orm";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { RESERVATION_MS } from "./stock-rules.ts";

/**
 * SQL on products `p`: when the first of its reservations may end, ms since 1970; null when it has none, or our team
 * checks the payment. Payments under way are few, so the search starts with them, not with the product's orders.
 */
export const FIRST_RELEASE: SQL = sql`(SELECT MIN(ends) FROM (
  SELECT a.created_at + ${sql.raw(String(RESERVATION_MS))} AS ends FROM payment_attempts a CROSS JOIN order_items n ON n.order_id = a.order_id
    WHERE n.product_id = p.id AND n.offer_id IS NULL AND a.reserves_stock = 1 AND ${stateIs("a.state", ATTEMPT.isLive)}
  UNION ALL SELECT f.expires_at FROM offers f WHERE f.product_id = p.id AND ${stateIs("f.state", OFFER.isAccepted)}))`;
