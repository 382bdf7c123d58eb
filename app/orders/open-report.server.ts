import { type SQL, sql } from "drizzle-orm";
import { stateIs } from "#app/db/state-is.ts";
import { CASE } from "#app/db/states/moderation.ts";

/**
 * SQL: the buyer of an item (alias `i`, its order is `o`) has reported it, its order or its seller to our team, and nobody
 * has decided yet. While this holds, the item's money isn't released (docs/decisions/held-money.md).
 */
export const openReport: SQL = sql`(EXISTS (SELECT 1 FROM issue_reports r WHERE r.order_id = i.order_id AND r.status = 'open' AND r.user_id = o.user_id
    AND (r.product_id IS NULL OR r.product_id = i.product_id))
  OR EXISTS (SELECT 1 FROM moderation_cases k JOIN reports r ON r.case_id = k.id WHERE ${isAboutItem()} AND r.reporter_id = o.user_id AND r.lifted_at IS NULL))`;

/** SQL: the open case `k` is about the listing or the seller of the item `i`, or about a message of the seller. */
function isAboutItem(): SQL {
  return sql`k.reported_id = i.seller_id AND ${stateIs("k.state", CASE.isOpen)} AND (k.subject IN ('person', 'message') OR (k.subject = 'listing' AND k.subject_id = i.product_id))`;
}

/** The buyer takes back what they have reported about an item. What they reported about others, and other people's reports, stay. */
export function liftReports(itemId: string, now: number): SQL[] {
  const ofItem = sql`FROM order_items i JOIN orders o ON o.id = i.order_id WHERE i.id = ${itemId}`;
  return [
    sql`UPDATE issue_reports SET status = 'closed', closed_at = ${now}, outcome = 'The buyer took the report back.'
      WHERE status = 'open' AND EXISTS (SELECT 1 ${ofItem} AND issue_reports.order_id = i.order_id AND issue_reports.user_id = o.user_id
        AND (issue_reports.product_id IS NULL OR issue_reports.product_id = i.product_id))`,
    sql`UPDATE reports SET lifted_at = ${now} WHERE lifted_at IS NULL AND id IN (
      SELECT r.id FROM order_items i JOIN orders o ON o.id = i.order_id JOIN moderation_cases k ON ${isAboutItem()} JOIN reports r ON r.case_id = k.id AND r.reporter_id = o.user_id
        WHERE i.id = ${itemId})`,
  ];
}
