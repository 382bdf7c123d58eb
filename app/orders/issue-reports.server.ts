import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { commitAndRead, expectOneChange, PreconditionFailed, rowOf, runBatch } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { neverSent } from "#app/db/never-sent.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { issueReports } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { PAYOUT } from "#app/db/states/payout.ts";
import { isTeamsWish } from "./open-report.server.ts";
import { type ReportedMoney, refuseIssue } from "./order-rules.ts";

const HOUR_MS = 60 * 60_000;
/** How many reports one account may make. */
const ALLOWANCES = [
  { name: "hour", max: 5, windowMs: HOUR_MS },
  { name: "day", max: 15, windowMs: 24 * HOUR_MS },
];
/** The same words about the same order within this time count as one report that was sent twice, in ms. */
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
 * A buyer reports a problem with their own order. The same report sent twice is stored once. It starts open, and an
 * admin closes it.
 */
export async function reportIssue(
  store: Store & { log(event: { event: string; orderId: string }): void },
  input: IssueInput,
): Promise<ReportIssueResult> {
  const description = input.description.trim();
  const error = refuseIssue(description);
  if (error) return { ok: false, code: "refused", error };
  if (await isRepeat(store, { ...input, description })) {
    const [found] = await runBatch(store.db, [moneyOf(input)]);
    return { ok: true, money: readMoney(found) };
  }
  const allowances = ALLOWANCES.map(({ name, ...allowance }) => ({
    key: `issue:${name}:${input.userId}`,
    ...allowance,
  }));
  if (!(await takeAllowance(store, allowances))) return { ok: false, code: "too_many" };

  // The seller and the product are the item's. For a whole order, the seller if there is only one.
  // A release at the same moment either sees the report, and refuses, or came first, which the second statement sees.
  const report = [
    sql`INSERT INTO issue_reports (id, user_id, seller_id, product_id, order_id, description, status, created_at)
      SELECT ${crypto.randomUUID()}, o.user_id, CASE WHEN COUNT(DISTINCT i.seller_id) = 1 THEN MIN(i.seller_id) END,
        CASE WHEN COUNT(*) = 1 THEN MIN(i.product_id) END, o.id, ${description}, 'open', ${store.now()}
      FROM orders o JOIN order_items i ON i.order_id = o.id
      WHERE o.id = ${input.orderId} AND o.user_id = ${input.userId} AND (${input.itemId} IS NULL OR i.id = ${input.itemId})
      GROUP BY o.id`,
    expectOneChange(),
  ];
  try {
    const [found] = await commitAndRead(store.db, report, [moneyOf(input)]);
    store.log({ event: "issue_reported", orderId: input.orderId });
    return { ok: true, money: readMoney(found) };
  } catch (failure) {
    if (failure instanceof PreconditionFailed) return { ok: false, code: "not_found" };
    throw failure;
  }
}

/**
 * SQL: where the money of the reported items is: of how many a report stops it, of how many it was on its way, and how many are
 * in a payout at all.
 */
function moneyOf({ orderId, itemId, userId }: IssueInput): SQL {
  const isStopped = sql`(${neverSent("y")} AND NOT ${isTeamsWish})`;
  return sql`SELECT COALESCE(SUM(${stateIs("i.status", ITEM.isHeld)} OR ${isStopped}), 0) AS held,
      COALESCE(SUM(${stateIs("y.state", PAYOUT.isOpen)} AND NOT (${neverSent("y")})), 0) AS leaving, COUNT(y.id) AS paid
    FROM order_items i JOIN orders o ON o.id = i.order_id LEFT JOIN payout_items s ON s.order_item_id = i.id LEFT JOIN payouts y ON y.id = s.payout_id
    WHERE i.order_id = ${orderId} AND o.user_id = ${userId} AND (${itemId} IS NULL OR i.id = ${itemId}) AND i.subtotal > 0`;
}

function readMoney(result: D1Result | undefined): ReportedMoney {
  const { held = 0, leaving = 0, paid = 0 } = rowOf<{ held: number; leaving: number; paid: number }>(result) ?? {};
  if (held > 0) return "held";
  if (leaving > 0) return "leaving";
  return paid > 0 ? "paid_out" : "none";
}

async function isRepeat(store: Store, { userId, orderId, description }: IssueInput): Promise<boolean> {
  const [earlier] = await store.db
    .select({ id: issueReports.id })
    .from(issueReports)
    .where(
      and(
        eq(issueReports.orderId, orderId),
        eq(issueReports.userId, userId),
        eq(issueReports.description, description),
        gt(issueReports.createdAt, store.now() - REPEAT_MS),
      ),
    )
    .limit(1);
  return earlier !== undefined;
}
