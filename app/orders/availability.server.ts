/** Stops buyers from paying for what they can't get: it may be sold, taken down, or being bought by somebody else. */
import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { PAYMENT } from "#app/db/states/order.ts";

/** SQL: the name of a product in an order that was sold, deleted or taken down since. */
export function unavailableItem(orderId: string): SQL {
  return sql`(SELECT i.product_name FROM order_items i JOIN products p ON p.id = i.product_id
    WHERE i.order_id = ${orderId} AND (p.status <> 'active' OR p.deleted_at IS NOT NULL OR p.suspended_at IS NOT NULL) LIMIT 1)`;
}

/** SQL: the name of a used item in an order that somebody is paying for in another order right now. */
export function beingBought(orderId: string): SQL {
  return sql`(SELECT i.product_name FROM order_items i JOIN products p ON p.id = i.product_id JOIN order_items other ON other.product_id = i.product_id
    WHERE i.order_id = ${orderId} AND p.condition <> 'new' AND other.order_id <> i.order_id
      AND EXISTS (SELECT 1 FROM orders o JOIN payment_attempts a ON a.order_id = o.id WHERE o.id = other.order_id AND ${stateIs("o.payment_status", PAYMENT.isUnpaid)} AND ${stateIs("a.state", ATTEMPT.isUnderWay)})
    LIMIT 1)`;
}

/** SQL: a used item of an order that was sold in another order. `orderId` as a value or as a column. */
export function soldAway(orderId: string | SQL): SQL {
  return sql`(SELECT 1 FROM order_items i JOIN products p ON p.id = i.product_id JOIN order_items other ON other.product_id = i.product_id
    JOIN orders o ON o.id = other.order_id
    WHERE i.order_id = ${orderId} AND p.condition <> 'new' AND p.status = 'sold' AND other.order_id <> i.order_id AND ${stateIs("o.payment_status", PAYMENT.isPaid)})`;
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

/** Marks the used items of an order as sold, in the batch that pays it. Their seller can put them back on sale. */
export function markSold(orderId: string, now: number): Statement {
  return sql`UPDATE products SET status = 'sold', sold_at = ${now}, updated_at = ${now}
    WHERE id IN (SELECT product_id FROM order_items WHERE order_id = ${orderId}) AND condition <> 'new' AND status = 'active'`;
}
