/**
 * A buyer pays only once for the same products. Ordering them again closes the earlier unpaid order, unless it is being
 * paid right now. Among orders that replaced one another, only the first paid one keeps its money.
 */
import { itemRow, orderRow } from "./table-rows.server.ts";
import { and, type Column, desc, eq, exists, inArray, ne, not, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { expectThat, type Statement } from "#app/db/batch.ts";
import { asBoolean, build, hasRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { orderItems, orders } from "./tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- an order that is being paid is not replaced
import { paymentAttempts } from "#app/payments/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { ORDER, PAYMENT, CLOSED, type ClosedReason } from "#app/db/states/order.ts";
import { closeOrders } from "./close-orders.server.ts";

/** SQL: an attempt in progress for `orderRow`. */
const isBeingPaid = sql`${hasAttempt(ATTEMPT.isUnderWay)}`.inlineParams();

function hasAttempt(predicate: typeof ATTEMPT.isUnderWay): SQL {
  return hasRow(
    paymentAttempts,
    and(eq(paymentAttempts.orderId, orderRow.id), stateIs(paymentAttempts.state, predicate)),
  );
}

/** SQL: `orderRow` contains a product of the order with this id. */
function sharesProduct(orderId: string): SQL {
  const same = alias(orderItems, "same");
  return exists(
    build
      .select({ id: itemRow.id })
      .from(itemRow)
      .innerJoin(same, and(eq(same.orderId, orderId), eq(same.productId, itemRow.productId)))
      .where(eq(itemRow.orderId, orderRow.id)),
  );
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
 * The buyer's order that is being paid and contains any of these products; null when there is none. `products`: SQL of
 * ids.
 */
export async function findPaymentUnderWay(
  store: Store,
  userId: string,
  products: SQL,
): Promise<PaymentUnderWay | null> {
  const rows = await store.db
    .select({ orderId: orderRow.id, name: itemRow.productName, held: asBoolean(hasAttempt(ATTEMPT.isHeld)) })
    .from(orderRow)
    .innerJoin(itemRow, eq(itemRow.orderId, orderRow.id))
    .where(
      and(
        eq(orderRow.userId, userId),
        stateIs(orderRow.paymentStatus, PAYMENT.isUnpaid),
        isBeingPaid,
        inArray(itemRow.productId, sql`(${products})`),
      ),
    )
    .orderBy(desc(orderRow.createdAt), orderRow.id, itemRow.productName);
  const [first] = rows;
  if (!first) return null;
  return {
    orderId: first.orderId,
    names: rows.filter(({ orderId }) => orderId === first.orderId).map(({ name }) => name),
    held: first.held,
  };
}

/**
 * For the batch that places `order`, after its items: closes the buyer's unpaid orders of the same products. Aborts the
 * batch while one of them is being paid.
 */
export function replaceEarlierOrders(order: { id: string; userId: string }, now: number): Statement[] {
  const isSame = and(isOtherUnpaid(order), sharesProduct(order.id));
  const replaced = build
    .select({ id: orderRow.id })
    .from(orderRow)
    .where(and(eq(orderRow.userId, order.userId), eq(orderRow.replacedBy, order.id)));
  return [
    expectThat(not(hasRow(orderRow, and(isSame, isBeingPaid)))),
    ...closeFor(order, and(isSame, stateIs(orderRow.orderStatus, ORDER.awaitsPayment)), now),
    // Orders that those had replaced are now replaced by this one.
    build
      .update(orders)
      .set({ replacedBy: order.id })
      .where(
        and(
          eq(orders.userId, order.userId),
          stateIs(orders.paymentStatus, PAYMENT.isUnpaid),
          inArray(orders.replacedBy, replaced),
        ),
      ),
  ];
}

/**
 * For the batch that pays `order`: closes the orders that it replaced or that replaced it, and every other unpaid order
 * of the same products, except those being paid.
 */
export function closeCompetingOrders(order: { id: string; userId: string }, now: number): Statement[] {
  const isSame = and(stateIs(orderRow.orderStatus, ORDER.awaitsPayment), sharesProduct(order.id));
  const which = and(isOtherUnpaid(order), not(isBeingPaid), or(isSame, isReplacement(orderRow, order.id)));
  return closeFor(order, which, now);
}

/** SQL on `orderRow`: another unpaid order of the same buyer. */
function isOtherUnpaid(order: { id: string; userId: string }): SQL | undefined {
  return and(
    eq(orderRow.userId, order.userId),
    ne(orderRow.id, order.id),
    stateIs(orderRow.paymentStatus, PAYMENT.isUnpaid),
  );
}

/** Closes the orders for which `which` holds. */
function closeFor(order: { id: string }, which: SQL | undefined, now: number): Statement[] {
  const isKept = stateIs(orders.closedReason, CLOSED.withRefund);
  const reason: ClosedReason = "replaced";
  // An order with a refund keeps its reason.
  const closedReason = sql`CASE WHEN ${isKept} THEN ${orders.closedReason} ELSE ${reason} END`;
  return closeOrders(
    build.select({ id: orderRow.id }).from(orderRow).where(which),
    { closedReason, replacedBy: order.id },
    now,
  );
}

/** SQL: the other order replaced `orderId`, or was replaced by it, or a third order replaced both. */
function isReplacement(other: Record<"id" | "replacedBy", Column>, orderId: string | SQL): SQL | undefined {
  const ownOrder = alias(orders, "own_order");
  const replacedBy = build.select({ id: ownOrder.replacedBy }).from(ownOrder).where(eq(ownOrder.id, orderId));
  return or(eq(other.replacedBy, orderId), eq(other.id, replacedBy), eq(other.replacedBy, replacedBy));
}

/**
 * SQL: the id of a paid order that replaced `order` or was replaced by it. A payment for `order` is then refunded. Ids
 * as values or as columns.
 */
export function paidReplacement(order: { id: string | SQL; userId: string | SQL }): SQL<string | null> {
  const otherOrderRow = alias(orders, "other_order_row");
  // The plus limits the search to the buyer's own orders. Without statistics, SQLite prefers the index of all paid
  // ones.
  const isPaid = sql`+${stateIs(otherOrderRow.paymentStatus, PAYMENT.isPaid)}`;
  return sql`${build
    .select({ id: otherOrderRow.id })
    .from(otherOrderRow)
    .where(
      and(
        eq(otherOrderRow.userId, order.userId),
        ne(otherOrderRow.id, order.id),
        isPaid,
        isReplacement(otherOrderRow, order.id),
      ),
    )
    .limit(1)}`;
}
