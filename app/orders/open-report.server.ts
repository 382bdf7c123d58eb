import { type SQL, sql } from "drizzle-orm";
import { stateIs } from "#app/db/state-is.ts";
import type { DealEvent } from "#app/db/states/deal.ts";
import { ITEM } from "#app/db/states/item.ts";
import { PAYOUT } from "#app/db/states/payout.ts";

/** SQL: the report `r` about an order is about the item `i` of the order `o`, and its buyer's. */
const isIssueOf = sql`r.order_id = i.order_id AND r.user_id = o.user_id AND (r.product_id IS NULL OR r.product_id = i.product_id)`;

/** SQL: the case `k` is about the listing or the seller of the item `i`, or about a message of the seller. */
const isCaseOf = sql`(k.reported_id = i.seller_id
  AND (k.subject IN ('person', 'message') OR (k.subject = 'listing' AND k.subject_id = i.product_id)))`;

/** SQL: the report `r` in the case `k` is the buyer's, and about the item `i`. */
const isReportOf = sql`r.case_id = k.id AND r.reporter_id = o.user_id AND ${isCaseOf}`;

/** Events with which the buyer takes back what they have reported about an item until then. */
const TAKEN_BACK = ["report_lifted", "problem_withdrawn"] satisfies DealEvent[];

/** SQL: the buyer has taken the report `r` back as far as it is about the item `i`. It may be about others, too. */
const isTakenBack = sql`EXISTS (SELECT 1 FROM deal_events e WHERE e.order_item_id = i.id
  AND e.event IN (${listOf(TAKEN_BACK)}) AND e.created_at >= r.created_at)`;

/** SQL: the report `r` about an order stops the money of the item `i` (its order is `o`). */
export const issueStops: SQL = sql`(${isIssueOf} AND r.status = 'open' AND NOT ${isTakenBack})`;

/** SQL: the report `r` in the case `k` stops the money of the item `i` (its order is `o`). */
export const reportStops: SQL = sql`(${isReportOf} AND r.lifted_at IS NULL AND NOT ${isTakenBack})`;

/** SQL: the buyer of an item (alias `i`, its order is `o`) has reported it or its order in the order's own form. Its seller may know. */
export const openIssue: SQL = sql`EXISTS (SELECT 1 FROM issue_reports r WHERE ${issueStops})`;

/**
 * SQL: the buyer of an item (alias `i`, its order is `o`) has reported it, its order or its seller to our team, and nobody
 * has decided yet. While this holds, the item's money isn't released (docs/decisions/held-money.md).
 */
export const openReport: SQL = sql`(${openIssue}
  OR EXISTS (SELECT 1 FROM moderation_cases k JOIN reports r ON r.case_id = k.id WHERE ${reportStops}))`;

/** SQL: what was done at `now` (ms) to the report `r` in the case `k` lets the money of the item `i` go: no report stops it any more. */
export function reportFrees(now: number): SQL {
  return sql`(${isReportOf} AND r.lifted_at = ${now} AND NOT ${isTakenBack} AND NOT ${openReport})`;
}

/** SQL: the same of the report `r` about an order. */
export function issueFrees(now: number): SQL {
  return sql`(${isIssueOf} AND r.closed_at = ${now} AND NOT ${isTakenBack} AND NOT ${openReport})`;
}

const DECIDED = ["team_split", "team_released"] satisfies DealEvent[];

/** SQL: our team has decided that the seller of the item `i` is paid. No report stops that. */
export const isTeamsWish: SQL = sql`EXISTS (SELECT 1 FROM deal_events e WHERE e.order_item_id = i.id AND e.event IN (${listOf(DECIDED)}))`;

/** SQL: the money of the item `i` is held, or in a payout that waits. */
const isStillHere = sql`(${stateIs("i.status", ITEM.isHeld)}
  OR EXISTS (SELECT 1 FROM payout_items s JOIN payouts y ON y.id = s.payout_id WHERE s.order_item_id = i.id AND ${stateIs("y.state", PAYOUT.isUnsent)}))`;

/** SQL: a report of its buyer would stop the money of the item `i` (its order is `o`), which nothing stops yet. */
export const needsReport: SQL = sql`(i.subtotal > 0 AND ${isStillHere} AND NOT ${openReport})`;

/** SQL: `needsReport` for an item of this person that a case about this subject would be about. */
export function caseNeedsReport(reporterId: string, subject: { kind: string; id: string; reportedId: SQL }): SQL {
  return sql`EXISTS (SELECT 1 FROM (SELECT ${subject.kind} AS subject, ${subject.id} AS subject_id, ${subject.reportedId} AS reported_id) k
    CROSS JOIN orders o JOIN order_items i ON i.order_id = o.id WHERE o.user_id = ${reporterId} AND ${isCaseOf} AND ${needsReport})`;
}

/** SQL: the reporter stands by the report `r` in the open case `k`: they haven't taken it back, not even for one of their items. */
export const isStoodBy: SQL = sql`(r.lifted_at IS NULL AND NOT EXISTS (SELECT 1 FROM orders o JOIN order_items i ON i.order_id = o.id
  WHERE o.user_id = r.reporter_id AND ${isCaseOf} AND ${isTakenBack} AND ${isStillHere}))`;

/** SQL: the report `r` stops the money of one of its reporter's items, besides the item with this id. */
function stopsMoney(exceptId: string | null = null): SQL {
  return sql`EXISTS (SELECT 1 FROM moderation_cases k CROSS JOIN orders o JOIN order_items i ON i.order_id = o.id
    WHERE k.id = r.case_id AND o.user_id = r.reporter_id AND i.id IS NOT ${exceptId} AND ${reportStops} AND ${isStillHere})`;
}

/**
 * The buyer takes back what they have reported about an item. A report that stops other items of theirs, too, stays for
 * those. Write it with the event that says so.
 */
export function liftReports(itemId: string, now: number): SQL[] {
  const items = sql`FROM order_items i JOIN orders o ON o.id = i.order_id`;
  return [
    sql`UPDATE issue_reports AS r SET status = 'closed', closed_at = ${now}, outcome = 'The buyer took the report back.'
      WHERE r.status = 'open' AND r.order_id = (SELECT order_id FROM order_items WHERE id = ${itemId})
        AND EXISTS (SELECT 1 ${items} WHERE i.id = ${itemId} AND ${isIssueOf})
        AND NOT EXISTS (SELECT 1 ${items} WHERE i.order_id = r.order_id AND i.id <> ${itemId} AND ${issueStops} AND ${isStillHere})`,
    sql`UPDATE reports AS r SET lifted_at = ${now}
      WHERE r.lifted_at IS NULL AND r.reporter_id = (SELECT o.user_id ${items} WHERE i.id = ${itemId})
        AND EXISTS (SELECT 1 FROM moderation_cases k CROSS JOIN order_items i JOIN orders o ON o.id = i.order_id WHERE k.id = r.case_id AND i.id = ${itemId} AND ${isReportOf})
        AND NOT ${stopsMoney(itemId)}`,
  ];
}

/** Our team has decided a case: its reports stop no money any more. */
export function liftReportsOf(caseId: string, now: number): SQL {
  return sql`UPDATE reports SET lifted_at = ${now} WHERE case_id = ${caseId} AND lifted_at IS NULL`;
}

/** The same where the decision ends deals: those that stop money stay, so that not even undoing the decision lets it go. */
export function liftIdleReportsOf(caseId: string, now: number): SQL {
  return sql`UPDATE reports AS r SET lifted_at = ${now} WHERE r.case_id = ${caseId} AND r.lifted_at IS NULL AND NOT ${stopsMoney()}`;
}

function listOf(events: readonly DealEvent[]): SQL {
  return sql.join(
    events.map((event) => sql`${event}`),
    sql`, `,
  );
}
