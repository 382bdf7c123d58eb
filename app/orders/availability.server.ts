/** Stops buyers from paying for what they can't get: it may be sold, taken down, or reserved for somebody else. */
import { type SQL, sql } from "drizzle-orm";
import { sellerName } from "#app/accounts/holiday.server.ts";
import { UNPAID_RESERVATIONS_MAX } from "#app/catalogue/stock-rules.ts";
import { FIRST_RELEASE } from "#app/catalogue/stock.server.ts";
import type { Database } from "#app/db/client.ts";
import type { Statement } from "#app/db/batch.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { OFFER, type OfferState } from "#app/db/states/offer.ts";
import { UNPAID_ORDER_LIFE_MS } from "./order-rules.ts";
import type { Shortage } from "./shortage-rules.ts";

/** SQL: the name of a product in an order that was sold, deleted or taken down since. */
export function unavailableItem(orderId: string): SQL {
  return sql`(SELECT i.product_name FROM order_items i JOIN products p ON p.id = i.product_id
    WHERE i.order_id = ${orderId} AND (p.status <> 'active' OR p.deleted_at IS NOT NULL OR p.suspended_at IS NOT NULL) LIMIT 1)`;
}

/** SQL: the first product in an order whose seller is on holiday, as the JSON of a `SellerAway`. `now` in ms. */
export function awaySeller(orderId: string, now: number): SQL {
  return sql`(SELECT json_object('name', i.product_name, 'seller', ${sellerName(sql`i.seller_id`)}, 'until', h.away_until)
    FROM order_items i JOIN shops h ON h.id = i.seller_id WHERE i.order_id = ${orderId} AND h.away_until > ${now} LIMIT 1)`;
}

/** SQL on order items `i`: how many pieces are reserved for it already, by a payment of its order or by its offer. */
const KEPT = sql`(CASE WHEN i.offer_id IS NULL
  THEN i.quantity * (SELECT COUNT(*) FROM payment_attempts a WHERE a.order_id = i.order_id AND a.reserves_stock = 1)
  ELSE EXISTS (SELECT 1 FROM offers f WHERE f.id = i.offer_id AND ${stateIs("f.state", OFFER.isAccepted)}) END)`;

/**
 * SQL on order items `i` and products `p`: fewer pieces are available than were ordered. Never true for a product
 * without a limit.
 */
const IS_SHORT = sql`p.stock - p.reserved + ${KEPT} < i.quantity`;

/** SQL: the `Shortage` of an order, as one row, or none. Products of which the seller has too few come first. */
export function shortageOf(orderId: string): SQL {
  return sql`SELECT i.product_id AS productId, i.product_name AS name, p.stock, i.quantity <= p.stock AS reserved, ${FIRST_RELEASE} AS reservedUntil,
      (SELECT COUNT(*) FROM order_items n WHERE n.order_id = i.order_id) AS lines
    FROM order_items i JOIN products p ON p.id = i.product_id
    WHERE i.order_id = ${orderId} AND ${IS_SHORT} ORDER BY reserved, i.product_name LIMIT 1`;
}

/** What others have reserved of an order: the first product, and when the first of their reservations may end (ms). */
export type ReservedItem = Pick<Shortage, "name" | "reservedUntil"> & { productId: string };

/** Null when others have reserved nothing that the order needs. */
export async function findReservedItem(db: Database, orderId: string): Promise<ReservedItem | null> {
  const [shortage] = await db.all<Shortage & ReservedItem>(shortageOf(orderId));
  return shortage?.reserved === 1 ? shortage : null;
}

/** SQL: 1 if an order can't get all its pieces any more. `orderId` as a value or as a column. */
export function isShort(orderId: string | SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM order_items i JOIN products p ON p.id = i.product_id WHERE i.order_id = ${orderId} AND ${IS_SHORT})`;
}

/**
 * SQL: the name of a product in an order that its buyer has asked to pay for too often since `since` (ms) without paying.
 * Others couldn't buy it in the meantime. The search starts with the buyer's recent orders, because only those can be paid.
 */
export function reservedTooOften(order: { id: string; userId: string }, since: number): SQL {
  return sql`(SELECT i.product_name FROM orders o CROSS JOIN payment_attempts a ON a.order_id = o.id
      JOIN order_items n ON n.order_id = o.id JOIN order_items i ON i.product_id = n.product_id AND i.order_id = ${order.id}
      JOIN products p ON p.id = i.product_id AND p.stock IS NOT NULL
    WHERE o.user_id = ${order.userId} AND o.created_at > ${since - UNPAID_ORDER_LIFE_MS} AND a.created_at > ${since} AND ${stateIs("a.state", ATTEMPT.endedUnpaid)}
    GROUP BY i.product_id HAVING COUNT(*) >= ${UNPAID_RESERVATIONS_MAX} LIMIT 1)`;
}

/**
 * SQL: why an order can't be delivered or received any more: the refund's reason, or NULL. Deleted accounts count as
 * suspended. `orderId` as a value or as a column.
 */
export function undeliverable(orderId: string | SQL): SQL {
  return sql`(SELECT CASE
    WHEN EXISTS (SELECT 1 FROM credentials c WHERE c.suspended_at IS NOT NULL
      AND (c.id = u.user_id OR c.id IN (SELECT i.seller_id FROM order_items i WHERE i.order_id = u.id))) THEN 'account_closed'
    WHEN EXISTS (SELECT 1 FROM order_items i JOIN products p ON p.id = i.product_id
      WHERE i.order_id = u.id AND (p.deleted_at IS NOT NULL OR p.suspended_at IS NOT NULL)) THEN 'listing_removed' END
    FROM orders u WHERE u.id = ${orderId})`;
}

/**
 * Takes the pieces of an order out of stock, in the batch that pays it. What another payment of the same order still
 * reserves is released first. Aborts the batch (PreconditionFailed) if fewer are available.
 */
export function takeStock(orderId: string, now: number): Statement[] {
  const reserving = sql`payment_attempts a WHERE a.order_id = ${orderId} AND a.reserves_stock = 1`;
  return [
    sql`UPDATE products SET reserved = reserved - i.quantity * (SELECT COUNT(*) FROM ${reserving}) FROM order_items i
      WHERE i.order_id = ${orderId} AND i.offer_id IS NULL AND i.product_id = products.id AND EXISTS (SELECT 1 FROM ${reserving})`,
    sql`UPDATE payment_attempts SET reserves_stock = 0 WHERE order_id = ${orderId} AND reserves_stock = 1`,
    sql`UPDATE products SET stock = stock - i.quantity, updated_at = ${now} FROM order_items i
      WHERE i.order_id = ${orderId} AND i.product_id = products.id AND products.stock IS NOT NULL`,
  ];
}

/** SQL: the name of a product in an order whose accepted offer is over. `now` in ms. */
export function offerOver(orderId: string, now: number): SQL {
  return sql`(SELECT i.product_name FROM order_items i JOIN offers f ON f.id = i.offer_id
    WHERE i.order_id = ${orderId} AND NOT (${stateIs("f.state", OFFER.isAccepted)} AND f.expires_at > ${now}) LIMIT 1)`;
}

/** Marks the offer of an order as paid, in the batch that pays the order, before the order takes its pieces. */
export function payOffers(orderId: string, now: number): Statement {
  return sql`UPDATE offers SET state = ${"paid" satisfies OfferState}, end_reason = NULL, notice_due = 1, updated_at = ${now}
    WHERE id IN (SELECT offer_id FROM order_items WHERE order_id = ${orderId})`;
}
