/**
 * A buyer pays only once for the same products. Ordering them again closes the earlier unpaid order, unless it is being paid right now.
 * Among orders that replaced one another, only the first paid one keeps its money.
 */
import { type SQL, sql } from "drizzle-orm";
import { expectThat, type Statement } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import { ORDER, PAYMENT, CLOSED, type OrderStatus, type ClosedReason } from "#app/db/states/order.ts";

/** SQL: an attempt in progress for the order of this alias. */
function underWay(alias: "o"): SQL {
  return sql`EXISTS (SELECT 1 FROM payment_attempts a WHERE a.order_id = ${sql.raw(alias)}.id AND ${stateIs("a.state", ATTEMPT.isUnderWay)})`;
}

/** An unpaid order that is being paid, and which of its products the buyer wants to order again. */
export interface PaymentUnderWay {
  orderId: string;
  /** Names of the products. */
  names: string[];
  /** Our team is checking the payment. Otherwise it ends by itself. */
  held: boolean;
}

/**
 * The buyer's order that is being paid and contains any of the products of `lines` (product_id); null when there is
 * none.
 */
export async function findPaymentUnderWay(store: Store, userId: string, lines: SQL): Promise<PaymentUnderWay | null> {
  const rows = await store.db.all<{ orderId: string; name: string; held: number }>(
    sql`SELECT o.id AS orderId, i.product_name AS name,
        EXISTS (SELECT 1 FROM payment_attempts a WHERE a.order_id = o.id AND ${stateIs("a.state", ATTEMPT.isHeld)}) AS held
      FROM orders o JOIN order_items i ON i.order_id = o.id
      WHERE o.user_id = ${userId} AND ${stateIs("o.payment_status", PAYMENT.isUnpaid)} AND ${underWay("o")} AND i.product_id IN (SELECT product_id FROM ${lines})
      ORDER BY o.created_at DESC, o.id, i.product_name`,
  );
  const [first] = rows;
  if (!first) return null;
  return {
    orderId: first.orderId,
    names: rows.filter(({ orderId }) => orderId === first.orderId).map(({ name }) => name),
    held: first.held === 1,
  };
}

/**
 * For the batch that places `order`, after its items: closes the buyer's unpaid orders of the same products. Aborts the
 * batch while one of them is being paid.
 */
export function replaceEarlierOrders(order: { id: string; userId: string }, now: number): Statement[] {
  const shared = sql`o.user_id = ${order.userId} AND o.id <> ${order.id} AND ${stateIs("o.payment_status", PAYMENT.isUnpaid)}
    AND EXISTS (SELECT 1 FROM order_items i JOIN order_items n ON n.order_id = ${order.id} AND n.product_id = i.product_id WHERE i.order_id = o.id)`;
  return [
    expectThat(sql`NOT EXISTS (SELECT 1 FROM orders o WHERE ${shared} AND ${underWay("o")})`),
    closeFor(
      order,
      sql`SELECT o.id FROM orders o WHERE ${shared} AND ${stateIs("o.order_status", ORDER.awaitsPayment)}`,
      now,
    ),
    // Orders that those had replaced are now replaced by this one.
    sql`UPDATE orders SET replaced_by = ${order.id} WHERE user_id = ${order.userId} AND ${stateIs("payment_status", PAYMENT.isUnpaid)}
      AND replaced_by IN (SELECT o.id FROM orders o WHERE o.user_id = ${order.userId} AND o.replaced_by = ${order.id})`,
    closeItems(order, now),
  ];
}

/**
 * For the batch that pays `order`: closes the orders that it replaced or that replaced it, and every other unpaid order
 * of the same products, except those being paid.
 */
export function closeCompetingOrders(order: { id: string; userId: string }, now: number): Statement[] {
  const shared = sql`EXISTS (SELECT 1 FROM order_items i JOIN order_items n ON n.order_id = ${order.id} AND n.product_id = i.product_id WHERE i.order_id = o.id)`;
  const which = sql`SELECT o.id FROM orders o WHERE o.user_id = ${order.userId} AND o.id <> ${order.id} AND ${stateIs("o.payment_status", PAYMENT.isUnpaid)}
    AND NOT ${underWay("o")} AND ((${stateIs("o.order_status", ORDER.awaitsPayment)} AND ${shared}) OR ${isReplacement("o", order.id)})`;
  return [closeFor(order, which, now), closeItems(order, now)];
}

function closeFor(order: { id: string }, which: SQL, now: number): Statement {
  // An order with a refund keeps its reason.
  return sql`UPDATE orders SET order_status = ${"expired" satisfies OrderStatus}, replaced_by = ${order.id}, updated_at = ${now},
      closed_reason = CASE WHEN ${stateIs("closed_reason", CLOSED.withRefund)} THEN closed_reason ELSE ${"replaced" satisfies ClosedReason} END
    WHERE id IN (${which})`;
}

function closeItems(order: { id: string; userId: string }, now: number): Statement {
  return sql`UPDATE order_items SET status = ${"expired" satisfies ItemStatus}, updated_at = ${now} WHERE ${stateIs("status", ITEM.awaitsPayment)}
    AND order_id IN (SELECT id FROM orders WHERE user_id = ${order.userId} AND replaced_by = ${order.id})`;
}

/** SQL: the order of this alias replaced `orderId`, or was replaced by it, or a third order replaced both. */
function isReplacement(alias: "o" | "k", orderId: string | SQL): SQL {
  const other = sql.raw(alias);
  const replacedBy = sql`(SELECT me.replaced_by FROM orders me WHERE me.id = ${orderId})`;
  return sql`(${other}.replaced_by = ${orderId} OR ${other}.id = ${replacedBy} OR ${other}.replaced_by = ${replacedBy})`;
}

/**
 * SQL: the id of a paid order that replaced `order` or was replaced by it. A payment for `order` is then refunded. Ids
 * as values or as columns.
 */
export function paidReplacement(order: { id: string | SQL; userId: string | SQL }): SQL {
  // The plus limits the search to the buyer's own orders. Without statistics, SQLite prefers the index of all paid
  // ones.
  return sql`(SELECT k.id FROM orders k WHERE k.user_id = ${order.userId} AND k.id <> ${order.id} AND ${stateIs("+k.payment_status", PAYMENT.isPaid)} AND ${isReplacement("k", order.id)} LIMIT 1)`;
}
