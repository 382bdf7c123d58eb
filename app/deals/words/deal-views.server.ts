import { itemRow, orderRow } from "#app/orders/table-rows.server.ts";
import {
  and,
  type Column,
  desc,
  eq,
  exists,
  inArray,
  min,
  notInArray,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { asBoolean, asJson, build, named, pick } from "#app/db/build.ts";
import { prepareOnce } from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";
import { refundPlace } from "#app/payments/transfers/refund-place.server.ts";
import { dealEvents, dealTimers } from "#app/orders/tables.server.ts";
import { payoutItems, payouts, refunds } from "#app/payments/tables.server.ts";
import { problems } from "#app/deals/tables.server.ts";
import { DEAL_REMINDERS, RECORDED_EVENTS } from "#app/db/states/deal.ts";
import type { DealView } from "./deal-view.ts";
import { stateIs } from "#app/db/state-is.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import { openIssue, openReport } from "#app/payments/reports-stop-money.server.ts";
import { dealOnHold, handoverLink, sellerGone, turn } from "#app/deals/deal-facts.server.ts";

/** When something happens to an item by itself, ms since 1970; null when nothing will. */
export function dueAtOf(itemId: Column): SQL<number | null> {
  return sql<number | null>`${build
    .select({ at: min(dealTimers.dueAt) })
    .from(dealTimers)
    .where(and(eq(dealTimers.orderItemId, itemId), notInArray(dealTimers.kind, [...DEAL_REMINDERS])))}`.inlineParams();
}

const { event, reason, note, amount } = dealEvents;
const latest = build
  .select({
    latest: sql`json_object('event', ${event}, 'reason', ${reason}, 'note', ${note}, 'amount', ${amount})`,
  })
  .from(dealEvents)
  .where(and(eq(dealEvents.orderItemId, itemRow.id), notInArray(event, [...RECORDED_EVENTS])))
  .orderBy(desc(dealEvents.createdAt), desc(sql`rowid`))
  .limit(1);

const refund = build
  .select({
    refund: sql`json_object('amount', ${refunds.amount}, 'place', ${refundPlace()}, 'receipt', ${refunds.receipt},
      'doneAt', ${refunds.doneAt})`,
  })
  .from(refunds)
  .where(eq(refunds.orderItemId, itemRow.id));

/** The seller has the money. */
const isPaidOut = asBoolean(
  sql`${exists(
    build
      .select({ id: payouts.id })
      .from(payoutItems)
      .innerJoin(payouts, eq(payouts.id, payoutItems.payoutId))
      .where(and(eq(payoutItems.orderItemId, itemRow.id), stateIs(payouts.state, TRANSFER.isDone))),
  )}`.inlineParams(),
);

/** The columns of a `DealView`. Each row costs one seek in each table. */
const columns = {
  name: itemRow.productName,
  ...pick(itemRow, "id", "handover", "status", "buyerContacted", "buyerAgreed", "shippedAt", "wrongCodes"),
  ...pick(itemRow, "subtotal", "buyerFee", "sellerFee"),
  dueAt: dueAtOf(itemRow.id),
  hasOpenReport: asBoolean(openReport),
  hasOpenIssue: asBoolean(openIssue),
  isSellerGone: asBoolean(sellerGone),
  isOnHold: asBoolean(dealOnHold),
  handoverLink,
  turn,
  offeredRefund: problems.offeredRefund,
  latest: asJson<DealView["latest"]>(sql`${latest}`.inlineParams()),
  refund: asJson<DealView["refund"]>(sql`${refund}`.inlineParams()),
};

const ofOrder = prepareOnce(
  build
    .select({ ...columns, isPaidOut, problemKind: problems.kind, deliveredAt: itemRow.deliveredAt })
    .from(itemRow)
    .innerJoin(orderRow, eq(orderRow.id, itemRow.orderId))
    .leftJoin(problems, eq(problems.orderItemId, itemRow.id))
    .where(and(eq(itemRow.orderId, sql.placeholder("orderId")), eq(orderRow.userId, sql.placeholder("buyerId")))),
);

/**
 * The query for the deals of an order's items; no row when it isn't this buyer's. Send it in a batch.
 */
export function dealsOfOrder(orderId: string, buyerId: string) {
  return ofOrder({ orderId, buyerId });
}

/** The query for the deals of these orders of a buyer. Send it in a batch. */
export function dealsOfOrders(orderIds: SQLWrapper, buyerId: string) {
  return build
    .select(named(columns))
    .from(itemRow)
    .innerJoin(orderRow, eq(orderRow.id, itemRow.orderId))
    .leftJoin(problems, eq(problems.orderItemId, itemRow.id))
    .where(and(inArray(itemRow.orderId, orderIds), eq(orderRow.userId, buyerId)));
}

/** The query for the deal of one item, whichever of the two `viewerId` is; no row for others. Send it in a batch. */
export function dealOfSide(itemId: string, viewerId: string) {
  return build
    .select({ ...named(columns), orderId: itemRow.orderId, buyerId: orderRow.userId })
    .from(itemRow)
    .innerJoin(orderRow, eq(orderRow.id, itemRow.orderId))
    .leftJoin(problems, eq(problems.orderItemId, itemRow.id))
    .where(and(eq(itemRow.id, itemId), or(eq(orderRow.userId, viewerId), eq(itemRow.sellerId, viewerId))));
}

/** The query for the deal of one item; no row when it isn't this seller's. Send it in a batch. */
export function dealOfItem(db: Database, itemId: string, sellerId: string) {
  return db
    .select(columns)
    .from(itemRow)
    .innerJoin(orderRow, eq(orderRow.id, itemRow.orderId))
    .leftJoin(problems, eq(problems.orderItemId, itemRow.id))
    .where(and(eq(itemRow.id, itemId), eq(itemRow.sellerId, sellerId)));
}
