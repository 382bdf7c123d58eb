import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { hasRow } from "#app/db/build.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { refunds } from "#app/payments/tables.server.ts";
import { dealEvents, orderItems } from "#app/orders/tables.server.ts";

/** SQL on items: the buyer got money back, all or a part. */
export const IS_REFUNDED: SQL = sql`(${or(
  stateIs(orderItems.status, ITEM.isReturned),
  and(stateIs(orderItems.status, ITEM.isCompleted), hasRow(refunds, eq(refunds.orderItemId, orderItems.id))),
)})`;

/**
 * SQL on items: a protected deal, in which we held money until the buyer's code was entered,
 * or sent it back. What ended because a time was over isn't counted.
 */
export const IS_PROTECTED: SQL = sql`(${orderItems.subtotal} > 0 AND ${or(
  IS_REFUNDED,
  and(
    stateIs(orderItems.status, ITEM.isCompleted),
    hasRow(dealEvents, and(eq(dealEvents.orderItemId, orderItems.id), eq(dealEvents.event, "code_entered"))),
  ),
)})`;
