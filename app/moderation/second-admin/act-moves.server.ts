/**
 * SQL: the money that an act of an admin moves, or lets go. Each row has `id`, `buyer_id`, `seller_id` and `amount`
 * (KES).
 */
import { paidForSql } from "#app/orders/item-price.server.ts";
import { caseRow, reportRow } from "#app/moderation/table-rows.server.ts";
import { issueRow, itemRow, orderRow } from "#app/orders/table-rows.server.ts";
import { and, eq, gt, inArray, max, not, notInArray, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { build, hasRow, named } from "#app/db/build.ts";
import { dealHolds, dealTimers, issueReports, orders } from "#app/orders/tables.server.ts";
import { moderationCases, reports } from "#app/moderation/tables.server.ts";
import { paymentAttempts, payoutItems, payouts, refunds } from "#app/payments/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { ITEM } from "#app/db/states/item.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import {
  decidedReportsOf,
  issueFrees as frees,
  issueStops,
  isTeamsWish,
  liftedReportsOf,
  reportFrees,
  reportStops,
} from "#app/payments/reports-stop-money.server.ts";

/** How many items an email about a report names. */
const FREED_SHOWN = 20;

const NOBODY = sql`NULL`;

function items(where: SQL | undefined): SQL {
  const money = {
    id: itemRow.id,
    ...named({ buyer_id: orderRow.userId }),
    sellerId: itemRow.sellerId,
    amount: paidForSql(itemRow).as("amount"),
  };
  return build.select(money).from(itemRow).innerJoin(orderRow, eq(orderRow.id, itemRow.orderId)).where(where).getSQL();
}

/** The item that our team decides about. */
export function itemMoves(itemId: string): SQL {
  return items(and(eq(itemRow.id, itemId), stateIs(itemRow.status, ITEM.isInReview)));
}

/** The running deals among these items; null for none. */
export function dealMoves(ids: SQL | null): SQL {
  return items(ids ? and(inArray(itemRow.id, sql`(${ids})`), stateIs(itemRow.status, ITEM.isRunning)) : sql`0`);
}

/** The running deals that a proposal holds. */
export function heldMoves(proposalId: string | SQL): SQL {
  const { orderItemId } = dealHolds;
  return dealMoves(build.select({ orderItemId }).from(dealHolds).where(eq(dealHolds.proposalId, proposalId)).getSQL());
}

const reportedInCase = sql`${moderationCases} ${caseRow}
  JOIN ${reports} ${reportRow} ON ${reportRow.caseId} = ${caseRow.id}
  JOIN ${orders} ${orderRow} ON ${orderRow.userId} = ${reportRow.reporterId}`;
const reportedOrder = sql`${issueReports} ${issueRow}
  JOIN ${orders} ${orderRow} ON ${orderRow.id} = ${issueRow.orderId}`;

/** What the reports in a case keep from being released. */
export function caseMoves(caseId: string): SQL {
  return stoppedMoney(reportedInCase, sql`${caseRow.id} = ${caseId} AND ${reportStops}`);
}

/** The same of the reports that came after this time, ms. */
export function caseMovesSince(caseId: string, at: number): SQL {
  return stoppedMoney(
    reportedInCase,
    sql`${caseRow.id} = ${caseId} AND ${gt(reportRow.createdAt, at)} AND ${reportStops}`,
  );
}

/** What a decision at `now` about a case lets go, by the reports that it has lifted then. */
export function caseFrees(caseId: string, now: number): SQL {
  return stoppedMoney(reportedInCase, sql`${caseRow.id} = ${caseId} AND ${reportFrees(now)}`);
}

/** What an issue report keeps from being released. */
export function issueMoves(issueId: string): SQL {
  return stoppedMoney(reportedOrder, sql`${issueRow.id} = ${issueId} AND ${issueStops}`);
}

/** What closing an issue report at `now` lets go, as soon as it is closed. */
export function issueFrees(issueId: string, now: number): SQL {
  return stoppedMoney(reportedOrder, sql`${issueRow.id} = ${issueId} AND ${frees(now)}`);
}

/**
 * SQL: a `FreedMoney[]` of the email to this buyer, as JSON. A deal that waits for a second admin has emails of its
 * own.
 */
export function freedJson(moves: SQL, buyerId: SQLWrapper): SQL {
  const until = build
    .select({ until: max(dealTimers.dueAt) })
    .from(dealTimers)
    .where(eq(dealTimers.orderItemId, itemRow.id));
  const freed = sql`json_group_array(json_object('productName', ${itemRow.productName}, 'orderId', ${itemRow.orderId},
    'price', ${paidForSql(itemRow)}, 'handover', ${itemRow.handover},
    'status', ${itemRow.status}, 'shippedAt', ${itemRow.shippedAt}, 'until', ${until}))`;
  return sql`${build
    .select({ freed })
    .from(sql`(SELECT id FROM (${moves}) WHERE buyer_id = ${buyerId} LIMIT ${FREED_SHOWN}) freed`)
    .innerJoin(itemRow, sql`${itemRow.id} = freed.id`)
    .where(and(gt(itemRow.subtotal, 0), not(hasRow(dealHolds, eq(dealHolds.orderItemId, itemRow.id)))))}`;
}

/** The money of running deals, and of payouts that wait, which reports stop. */
function stoppedMoney(reported: SQL, isStopped: SQL): SQL {
  const amount = sql`COALESCE(${payoutItems.amount}, ${paidForSql(itemRow)})`.as("amount");
  return build
    .selectDistinct({
      ...named({ id: itemRow.id, buyer_id: orderRow.userId }),
      sellerId: itemRow.sellerId,
      amount,
    })
    .from(reported)
    .innerJoin(itemRow, eq(itemRow.orderId, orderRow.id))
    .leftJoin(payoutItems, eq(payoutItems.orderItemId, itemRow.id))
    .leftJoin(payouts, eq(payouts.id, payoutItems.payoutId))
    .where(
      and(
        isStopped,
        or(stateIs(itemRow.status, ITEM.isRunning), and(stateIs(payouts.state, TRANSFER.isUnsent), not(isTeamsWish))),
      ),
    )
    .getSQL();
}

function payoutMoves(payoutId: string): SQL {
  const { id, sellerId, amount, state } = payouts;
  return build
    .select({ id, buyerId: NOBODY.as("buyer_id"), sellerId, amount })
    .from(payouts)
    .where(and(eq(id, payoutId), stateIs(state, TRANSFER.isOpen)))
    .getSQL();
}

/** A payout that is tried again, and what else is stopped by the reports in decided cases that this lifts. */
function retryMoves(payoutId: string): SQL {
  const inPayout = build
    .select({ id: payoutItems.orderItemId })
    .from(payoutItems)
    .where(eq(payoutItems.payoutId, payoutId));
  const isOther = and(inArray(reportRow.id, decidedReportsOf(payoutId)), reportStops, notInArray(itemRow.id, inPayout));
  return sql`${payoutMoves(payoutId)} UNION ALL ${stoppedMoney(reportedInCase, sql`${isOther}`)}`;
}

/** What trying this payout again at `now` lets go: all that the reports which it has lifted then had stopped. */
export function retryFrees(payoutId: string, now: number): SQL {
  return stoppedMoney(
    reportedInCase,
    sql`${reportRow.id} IN (${liftedReportsOf(payoutId, now)}) AND ${reportFrees(now)}`,
  );
}

function refundMoves(refundId: string): SQL {
  const { id, amount, attemptId, state } = refunds;
  return build
    .select({ id, ...named({ buyer_id: paymentAttempts.userId }), sellerId: NOBODY.as("seller_id"), amount })
    .from(refunds)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, attemptId))
    .where(and(eq(id, refundId), stateIs(state, TRANSFER.isOpen)))
    .getSQL();
}

/** What each act about a payout or refund moves, by its id. */
export const TRANSFER_MOVES = {
  payout_retried: retryMoves,
  payout_recorded: payoutMoves,
  refund_retried: refundMoves,
  refund_recorded: refundMoves,
};

/** A payment that isn't settled, or that no query and no receipt confirm. */
export function paymentMoves(attemptId: string): SQL {
  const { id, userId, amount, state, confirmedAt, receipt } = paymentAttempts;
  const isSure = sql`(${stateIs(state, ATTEMPT.isPaid)} AND ${confirmedAt} IS NOT NULL AND ${receipt} IS NOT NULL)`;
  return build
    .select({ id, ...named({ buyer_id: userId }), sellerId: NOBODY.as("seller_id"), amount })
    .from(paymentAttempts)
    .where(and(eq(id, attemptId), not(isSure)))
    .getSQL();
}
