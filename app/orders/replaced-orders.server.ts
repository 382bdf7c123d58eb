/**
 * A buyer pays only once for the same products. Ordering them again closes the earlier unpaid order, unless it is being paid right now.
 * Among orders that replaced one another, only the first paid one keeps its money.
 */
import { and, type Column, desc, eq, exists, inArray, ne, not, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { expectThat, type Statement } from "#app/db/batch.ts";
import { asBoolean, build, fixed, hasRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { orderItems, orders, paymentAttempts } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { ORDER, PAYMENT, CLOSED, type ClosedReason } from "#app/db/states/order.ts";
import { closeOrders } from "./close-orders.server.ts";

const i = alias(orderItems, "i");
const o = alias(orders, "o");

/** SQL: an attempt in progress for an order (alias `o`). */
const isBeingPaid = fixed(hasAttempt(ATTEMPT.isUnderWay));

function hasAttempt(predicate: typeof ATTEMPT.isUnderWay): SQL {
  return hasRow(paymentAttempts, and(eq(paymentAttempts.orderId, o.id), stateIs(paymentAttempts.state, predicate)));
}

/** SQL: an order (alias `o`) contains a product of the order with this id. */
function sharesProduct(orderId: string): SQL {
  const same = alias(orderItems, "n");
  return exists(
    build
      .select({ id: i.id })
      .from(i)
      .innerJoin(same, and(eq(same.orderId, orderId), eq(same.productId, i.productId)))
      .where(eq(i.orderId, o.id)),
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
 * The buyer's order that is being paid and contains any of these products; null when there is none. `products`: SQL of ids.
 */
export async function findPaymentUnderWay(
  store: Store,
  userId: string,
  products: SQL,
): Promise<PaymentUnderWay | null> {
  const rows = await store.db
    .select({ orderId: o.id, name: i.productName, held: asBoolean(hasAttempt(ATTEMPT.isHeld)) })
    .from(o)
    .innerJoin(i, eq(i.orderId, o.id))
    .where(
      and(
        eq(o.userId, userId),
        stateIs(o.paymentStatus, PAYMENT.isUnpaid),
        isBeingPaid,
        inArray(i.productId, sql`(${products})`),
      ),
    )
    .orderBy(desc(o.createdAt), o.id, i.productName);
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
    .select({ id: o.id })
    .from(o)
    .where(and(eq(o.userId, order.userId), eq(o.replacedBy, order.id)));
  return [
    expectThat(not(hasRow(o, and(isSame, isBeingPaid)))),
    ...closeFor(order, and(isSame, stateIs(o.orderStatus, ORDER.awaitsPayment)), now),
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
  const isSame = and(stateIs(o.orderStatus, ORDER.awaitsPayment), sharesProduct(order.id));
  const which = and(isOtherUnpaid(order), not(isBeingPaid), or(isSame, isReplacement(o, order.id)));
  return closeFor(order, which, now);
}

/** SQL on orders `o`: another unpaid order of the same buyer. */
function isOtherUnpaid(order: { id: string; userId: string }): SQL | undefined {
  return and(eq(o.userId, order.userId), ne(o.id, order.id), stateIs(o.paymentStatus, PAYMENT.isUnpaid));
}

/** Closes the orders (alias `o`) for which `which` holds. */
function closeFor(order: { id: string }, which: SQL | undefined, now: number): Statement[] {
  const isKept = stateIs(orders.closedReason, CLOSED.withRefund);
  const reason: ClosedReason = "replaced";
  // An order with a refund keeps its reason.
  const closedReason = sql`CASE WHEN ${isKept} THEN ${orders.closedReason} ELSE ${reason} END`;
  return closeOrders(build.select({ id: o.id }).from(o).where(which), { closedReason, replacedBy: order.id }, now);
}

/** SQL: the other order replaced `orderId`, or was replaced by it, or a third order replaced both. */
function isReplacement(other: Record<"id" | "replacedBy", Column>, orderId: string | SQL): SQL | undefined {
  const me = alias(orders, "me");
  const replacedBy = build.select({ id: me.replacedBy }).from(me).where(eq(me.id, orderId));
  return or(eq(other.replacedBy, orderId), eq(other.id, replacedBy), eq(other.replacedBy, replacedBy));
}

/**
 * SQL: the id of a paid order that replaced `order` or was replaced by it. A payment for `order` is then refunded. Ids
 * as values or as columns.
 */
export function paidReplacement(order: { id: string | SQL; userId: string | SQL }): SQL<string | null> {
  const k = alias(orders, "k");
  // The plus limits the search to the buyer's own orders. Without statistics, SQLite prefers the index of all paid
  // ones.
  const isPaid = sql`+${stateIs(k.paymentStatus, PAYMENT.isPaid)}`;
  return sql`${build
    .select({ id: k.id })
    .from(k)
    .where(and(eq(k.userId, order.userId), ne(k.id, order.id), isPaid, isReplacement(k, order.id)))
    .limit(1)}`;
}
