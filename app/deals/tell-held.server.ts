import { and, eq, not, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Statement } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import { dealHolds, orderItems, orders } from "#app/orders/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import type { DealHoldStep } from "#app/db/states/deal.ts";
import { ITEM } from "#app/db/states/item.ts";
import { liftHolds } from "#app/deals/deal-holds.server.ts";
import { DEAL_READERS } from "./deal-rules.ts";
import { notifyEach } from "#app/notifications/notify.server.ts";

const other = alias(dealHolds, "other");

/**
 * Tells both sides of the deals that these proposals alone hold, except those who are suspended, that they stand still,
 * or go on after all. It doesn't grow with them, because any number of deals can be held. It reads the holds, so they
 * are there already when it tells of "held", and still there when it tells of "resumed" (`resumeDeals`). `proposals`,
 * `except`: SQL of ids, as for `liftHolds`.
 */
export function tellHeld(step: DealHoldStep, proposals: SQLWrapper, now: number, except?: SQLWrapper): Statement[] {
  const role = sql`role.value`;
  const isTheirs = (hold: typeof dealHolds | typeof other) => sql`${hold.proposalId} IN (${proposals.getSQL()})`;
  const sides = build
    .select({
      userId: sql`iif(${role} = 'buyer', ${orders.userId}, ${orderItems.sellerId})`.as("userId"),
      key: sql`'deal:' || ${orderItems.id} || ${`:${step}:`} || ${dealHolds.proposalId} || ':' || ${role}`.as("key"),
      data: sql`json_object('role', ${role}, 'step', ${step},
        'productName', ${orderItems.productName}, 'price', ${orderItems.subtotal}, 'buyerFee', ${orderItems.buyerFee},
        'sellerFee', ${orderItems.sellerFee}, 'orderId', ${orders.id},
        'orderItemId', ${orderItems.id}, 'amount', NULL, 'note', NULL, 'until', NULL)`.as("data"),
      thing: sql`${"item:" satisfies `item:${string}`} || ${orderItems.id}`.as("thing"),
    })
    .from(dealHolds)
    .innerJoin(orderItems, eq(orderItems.id, dealHolds.orderItemId))
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .crossJoin(sql`json_each(${JSON.stringify(DEAL_READERS[step] ?? [])}) role`)
    .where(
      and(
        isTheirs(dealHolds),
        except && sql`${dealHolds.orderItemId} NOT IN (${except.getSQL()})`,
        stateIs(orderItems.status, ITEM.isRunning),
        not(hasRow(other, and(eq(other.orderItemId, orderItems.id), not(isTheirs(other))))),
      ),
    );
  return notifyEach("deal_step", sides.getSQL(), now);
}

/** The deals that these proposals hold go on, and both sides are told. `proposals`, `except` as for `liftHolds`. */
export function resumeDeals(proposals: SQLWrapper, now: number, except?: SQLWrapper): Statement[] {
  return [...tellHeld("resumed", proposals, now, except), ...liftHolds(proposals, now, except)];
}
