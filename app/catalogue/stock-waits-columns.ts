import { type SQL, sql } from "drizzle-orm";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { OFFER } from "#app/db/states/offer.ts";

/** SQL on products `p`: nothing of it can be bought now, because it is sold out, off sale, or all that is left is reserved. */
export const UNAVAILABLE = sql.raw("(p.status <> 'active' OR p.stock <= p.reserved) IS 1");

/**
 * SQL on products `p`: where a viewer continues who has pieces reserved: the order that they are paying ("order:" and its
 * id), or "offer" for an accepted offer; NULL when they have none. Payments under way are few, so the search starts with
 * them.
 */
export function heldByViewer(viewerId: string | null): SQL {
  return sql`COALESCE(
    (SELECT 'order:' || a.order_id FROM payment_attempts a CROSS JOIN order_items n ON n.order_id = a.order_id AND n.product_id = p.id
      WHERE a.user_id = ${viewerId} AND ${stateIs("a.state", ATTEMPT.isUnderWay)} LIMIT 1),
    (SELECT 'offer' FROM offers f WHERE f.product_id = p.id AND f.buyer_id = ${viewerId} AND ${stateIs("f.state", OFFER.isAccepted)}))`;
}
