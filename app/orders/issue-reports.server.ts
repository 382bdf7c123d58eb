import { type SQL, sql } from "drizzle-orm";
import { commitAndRead, rowOf } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { neverSent } from "#app/db/never-sent.ts";
import { countOne, isWithin } from "#app/db/rate-counters.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { PAYOUT } from "#app/db/states/payout.ts";
import { isTeamsWish, issueStops, needsReport, openReport } from "./open-report.server.ts";
import { type ReportedMoney, refuseIssue } from "./order-rules.ts";

const HOUR_MS = 60 * 60_000;
/** How many reports one account may make that stop no money. */
const ALLOWANCES = [
  { name: "hour", max: 5, windowMs: HOUR_MS },
  { name: "day", max: 15, windowMs: 24 * HOUR_MS },
];
/** The same words about the same items within this time count as one report that was sent twice, in ms. */
const REPEAT_MS = HOUR_MS;

interface IssueInput {
  userId: string;
  orderId: string;
  /** The item that it is about; null for the whole order. */
  itemId: string | null;
  description: string;
}

export type ReportIssueResult =
  | { ok: true; money: ReportedMoney }
  | { ok: false; code: "refused"; error: string }
  | { ok: false; code: "too_many" }
  /** Not the buyer's order, or not an item of it. */
  | { ok: false; code: "not_found" };

/**
 * A buyer reports a problem with their own order. The same report sent twice is stored once, unless they took it back in between.
 * A report that stops money is never refused for their number: nobody has more of those than items that they paid for. It starts
 * open, and an admin closes it.
 */
export async function reportIssue(
  store: Store & { log(event: { event: string; orderId: string }): void },
  input: IssueInput,
): Promise<ReportIssueResult> {
  const description = input.description.trim();
  const error = refuseIssue(description);
  if (error) return { ok: false, code: "refused", error };
  const { userId, orderId, itemId } = input;
  const now = store.now();
  const id = crypto.randomUUID();
  const allowances = ALLOWANCES.map(({ name, ...allowance }) => ({ key: `issue:${name}:${userId}`, ...allowance }));
  const items = sql`FROM orders o JOIN order_items i ON i.order_id = o.id
    WHERE o.id = ${orderId} AND o.user_id = ${userId} AND (${itemId} IS NULL OR i.id = ${itemId})`;
  const isRepeat = sql`EXISTS (SELECT 1 FROM issue_reports r WHERE r.order_id = ${orderId} AND r.user_id = ${userId}
    AND r.description = ${description} AND r.created_at > ${now - REPEAT_MS} AND NOT EXISTS (SELECT 1 ${items} AND NOT ${issueStops}))`;
  const stopsMoney = sql`EXISTS (SELECT 1 ${items} AND ${needsReport})`;
  const isCounted = sql`EXISTS (SELECT 1 ${items}) AND NOT ${isRepeat} AND NOT ${stopsMoney}`;
  const isAllowed = sql`(${stopsMoney} OR ${sql.join(allowances.map(isWithin), sql` AND `)})`;

  // The seller and the product are the item's. For a whole order, the seller if there is only one.
  // A release at the same moment either sees the report, and refuses, or came first, which the reads see.
  const report = [
    ...allowances.map((allowance) => countOne(allowance, now, isCounted)),
    sql`INSERT INTO issue_reports (id, user_id, seller_id, product_id, order_id, description, status, created_at)
      SELECT ${id}, o.user_id, CASE WHEN COUNT(DISTINCT i.seller_id) = 1 THEN MIN(i.seller_id) END,
        CASE WHEN COUNT(*) = 1 THEN MIN(i.product_id) END, o.id, ${description}, 'open', ${now}
      ${items} AND NOT ${isRepeat} AND ${isAllowed} GROUP BY o.id`,
  ];
  const [outcome, money] = await commitAndRead(store.db, report, [
    sql`SELECT EXISTS (SELECT 1 ${items}) AS isFound, EXISTS (SELECT 1 FROM issue_reports WHERE id = ${id}) AS isStored, ${isRepeat} AS isKept`,
    moneyOf(items),
  ]);
  const { isFound, isStored, isKept } = rowOf<Record<"isFound" | "isStored" | "isKept", number>>(outcome) ?? {};
  if (!isFound) return { ok: false, code: "not_found" };
  if (isStored) store.log({ event: "issue_reported", orderId });
  return isStored || isKept ? { ok: true, money: readMoney(money) } : { ok: false, code: "too_many" };
}

/**
 * SQL: where the money of these items is: of how many a report stops it, of how many it was on its way, and how many are
 * in a payout at all.
 */
function moneyOf(items: SQL): SQL {
  const canBeStopped = sql`(${stateIs("i.status", ITEM.isHeld)} OR ${neverSent("y")} AND NOT ${isTeamsWish})`;
  return sql`SELECT COALESCE(SUM(${canBeStopped} AND ${openReport}), 0) AS held,
      COALESCE(SUM(${stateIs("y.state", PAYOUT.isOpen)} AND NOT (${neverSent("y")})), 0) AS leaving, COUNT(y.id) AS paid
    FROM (SELECT i.id AS item_id ${items} AND i.subtotal > 0) JOIN order_items i ON i.id = item_id JOIN orders o ON o.id = i.order_id
      LEFT JOIN payout_items s ON s.order_item_id = i.id LEFT JOIN payouts y ON y.id = s.payout_id`;
}

function readMoney(result: unknown): ReportedMoney {
  const { held = 0, leaving = 0, paid = 0 } = rowOf<{ held: number; leaving: number; paid: number }>(result) ?? {};
  if (held > 0) return "held";
  if (leaving > 0) return "leaving";
  return paid > 0 ? "paid_out" : "none";
}
