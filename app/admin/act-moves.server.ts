/** SQL: the money that an act of an admin moves, or lets go. Each row has `id`, `buyer_id`, `seller_id` and `amount` (KES). */
import { type SQL, sql } from "drizzle-orm";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { ITEM } from "#app/db/states/item.ts";
import { PAYOUT } from "#app/db/states/payout.ts";
import { REFUND } from "#app/db/states/refund.ts";
import {
  issueFrees as frees,
  issueStops,
  isTeamsWish,
  reportFrees,
  reportStops,
} from "#app/orders/open-report.server.ts";

/** How many items an email about a report names. */
const FREED_SHOWN = 20;

const items = sql`SELECT i.id, o.user_id AS buyer_id, i.seller_id, i.subtotal AS amount FROM order_items i JOIN orders o ON o.id = i.order_id`;

/** The item that our team decides about. */
export function itemMoves(itemId: string): SQL {
  return sql`${items} WHERE i.id = ${itemId} AND ${stateIs("i.status", ITEM.isInReview)}`;
}

/** The running deals among these items; null for none. */
export function dealMoves(ids: SQL | null): SQL {
  return ids ? sql`${items} WHERE i.id IN (${ids}) AND ${stateIs("i.status", ITEM.isRunning)}` : sql`${items} WHERE 0`;
}

/** The running deals that a proposal holds. */
export function heldMoves(proposalId: string | SQL): SQL {
  return dealMoves(sql`SELECT order_item_id FROM deal_holds WHERE proposal_id = ${proposalId}`);
}

const reportedInCase = sql`moderation_cases k JOIN reports r ON r.case_id = k.id JOIN orders o ON o.user_id = r.reporter_id JOIN order_items i ON i.order_id = o.id`;
const reportedOrder = sql`issue_reports r JOIN orders o ON o.id = r.order_id JOIN order_items i ON i.order_id = o.id`;

/** What the reports in a case keep from being released. */
export function caseMoves(caseId: string): SQL {
  return stoppedMoney(reportedInCase, sql`k.id = ${caseId} AND ${reportStops}`);
}

/** What a decision at `now` about a case lets go. Write it after the reports are lifted. */
export function caseFrees(caseId: string, now: number): SQL {
  return stoppedMoney(reportedInCase, sql`k.id = ${caseId} AND ${reportFrees(now)}`);
}

/** What a report about an order keeps from being released. */
export function issueMoves(issueId: string): SQL {
  return stoppedMoney(reportedOrder, sql`r.id = ${issueId} AND ${issueStops}`);
}

/** What closing a report about an order at `now` lets go. Write it after the report is closed. */
export function issueFrees(issueId: string, now: number): SQL {
  return stoppedMoney(reportedOrder, sql`r.id = ${issueId} AND ${frees(now)}`);
}

/** SQL: a `FreedMoney[]` of the email to this buyer, as JSON. A deal that waits for a second admin has emails of its own. */
export function freedJson(moves: SQL, buyerId: SQL): SQL {
  return sql`(SELECT json_group_array(json_object('productName', i.product_name, 'orderId', i.order_id, 'price', i.subtotal, 'status', i.status,
      'shippedAt', i.shipped_at, 'until', (SELECT MAX(t.due_at) FROM deal_timers t WHERE t.order_item_id = i.id)))
    FROM (SELECT id FROM (${moves}) WHERE buyer_id = ${buyerId} LIMIT ${FREED_SHOWN}) m JOIN order_items i ON i.id = m.id
    WHERE i.subtotal > 0 AND NOT EXISTS (SELECT 1 FROM deal_holds h WHERE h.order_item_id = i.id))`;
}

/** The money of running deals, and of payouts that wait, which reports stop. */
function stoppedMoney(reported: SQL, isStopped: SQL): SQL {
  return sql`SELECT DISTINCT i.id, o.user_id AS buyer_id, i.seller_id, COALESCE(s.amount, i.subtotal) AS amount
    FROM ${reported} LEFT JOIN payout_items s ON s.order_item_id = i.id LEFT JOIN payouts y ON y.id = s.payout_id
    WHERE ${isStopped} AND (${stateIs("i.status", ITEM.isRunning)} OR (${stateIs("y.state", PAYOUT.isUnsent)} AND NOT ${isTeamsWish}))`;
}

export function payoutMoves(payoutId: string): SQL {
  return sql`SELECT id, NULL AS buyer_id, seller_id, amount FROM payouts WHERE id = ${payoutId} AND ${stateIs("state", PAYOUT.isOpen)}`;
}

export function refundMoves(refundId: string): SQL {
  return sql`SELECT f.id, a.user_id AS buyer_id, NULL AS seller_id, f.amount FROM refunds f JOIN payment_attempts a ON a.id = f.attempt_id
    WHERE f.id = ${refundId} AND ${stateIs("f.state", REFUND.isOpen)}`;
}

/** A payment that isn't settled, or that no query and no receipt confirm. */
export function paymentMoves(attemptId: string): SQL {
  return sql`SELECT id, user_id AS buyer_id, NULL AS seller_id, amount FROM payment_attempts
    WHERE id = ${attemptId} AND NOT (${stateIs("state", ATTEMPT.isPaid)} AND confirmed_at IS NOT NULL AND receipt IS NOT NULL)`;
}
