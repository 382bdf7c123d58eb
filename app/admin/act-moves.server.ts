/** SQL: the money that an act of an admin moves. Each row has `id`, `buyer_id`, `seller_id` and `amount` (KES). */
import { type SQL, sql } from "drizzle-orm";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { ITEM } from "#app/db/states/item.ts";
import { PAYOUT } from "#app/db/states/payout.ts";
import { REFUND } from "#app/db/states/refund.ts";
import { issueStops, isTeamsWish, reportStops } from "#app/orders/open-report.server.ts";

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

/** What the reports in a case keep from being released. */
export function caseMoves(caseId: string): SQL {
  return stoppedMoney(
    sql`moderation_cases k JOIN reports r ON r.case_id = k.id JOIN orders o ON o.user_id = r.reporter_id JOIN order_items i ON i.order_id = o.id`,
    sql`k.id = ${caseId} AND ${reportStops}`,
  );
}

/** What a report about an order keeps from being released. */
export function issueMoves(issueId: string): SQL {
  return stoppedMoney(
    sql`issue_reports r JOIN orders o ON o.id = r.order_id JOIN order_items i ON i.order_id = o.id`,
    sql`r.id = ${issueId} AND ${issueStops}`,
  );
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
