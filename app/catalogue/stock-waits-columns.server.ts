import { type SQL, sql } from "drizzle-orm";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { FIRST_RELEASE } from "./stock.server.ts";

/** SQL on products `p`: nothing of it can be bought now, because it is sold out, off sale, or all that is left is reserved. */
export const UNAVAILABLE = sql.raw("(p.status <> 'active' OR p.stock <= p.reserved) IS 1");

/** SQL on products `p`: all that is left is reserved. */
const RESERVED = sql.raw("(p.status = 'active' AND p.stock > 0 AND p.stock <= p.reserved) IS 1");

/**
 * SQL on products `p`: the viewer's order with a payment under way that has reserved some of it; NULL when there is none.
 * Such payments are few, so the search starts with them.
 */
function payingOrder(viewerId: string | null): SQL {
  return sql`(SELECT a.order_id FROM payment_attempts a CROSS JOIN order_items n ON n.order_id = a.order_id AND n.product_id = p.id
    WHERE a.user_id = ${viewerId} AND ${stateIs("a.state", ATTEMPT.isUnderWay)} LIMIT 1)`;
}

/** SQL on products `p`: the viewer has reserved some of it, with a payment under way or an accepted offer. */
export function reservedByViewer(viewerId: string | null): SQL {
  return sql`(${payingOrder(viewerId)} IS NOT NULL OR EXISTS (SELECT 1 FROM offers f
    WHERE f.product_id = p.id AND f.buyer_id = ${viewerId} AND ${stateIs("f.state", OFFER.isAccepted)}))`;
}

/** SQL on products `p`: whether others have reserved all that is left (`reservedByOthers`), and until when (`reservedUntil`). */
export function reservedColumns(viewerId: string | null): SQL {
  const reserved = sql`(${RESERVED} AND NOT ${reservedByViewer(viewerId)})`;
  return sql`${reserved} AS reservedByOthers, CASE WHEN ${reserved} THEN ${FIRST_RELEASE} END AS reservedUntil`;
}

/** The same, with the viewer's own order that is being paid (`payingOrderId`) and whether they wait for it (`waiting`). */
export function waitColumns(viewerId: string | null): SQL {
  return sql`${reservedColumns(viewerId)}, CASE WHEN p.reserved > 0 THEN ${payingOrder(viewerId)} END AS payingOrderId,
    EXISTS (SELECT 1 FROM stock_waits w WHERE w.user_id = ${viewerId} AND w.product_id = p.id) AS waiting`;
}
