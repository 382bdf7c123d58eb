import { issueRow, itemRow, orderRow } from "#app/orders/table-rows.server.ts";
import { payoutRow } from "#app/payments/table-rows.server.ts";
import { and, count, eq, exists, gt, not, notExists, or, type SQL, sql } from "drizzle-orm";
import { write } from "#app/db/batch.ts";
import { build, hasRow, insertEach } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { neverSent } from "#app/payments/transfers/never-sent.server.ts";
import { countOne, isWithin } from "#app/db/rate-counters.ts";
import { issueReports, orderItems, orders } from "#app/orders/tables.server.ts";
import { payoutItems } from "#app/payments/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import { isTeamsWish, issueStops, wouldStopMoney, openReport } from "#app/payments/reports-stop-money.server.ts";
import { type ReportedMoney, refuseIssue } from "#app/orders/order-rules.ts";
import { REPEAT_MS } from "./problem-rules.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

/** How many reports one account may make that stop no money. */
const ALLOWANCES = [
  { name: "hour", max: 5, windowMs: HOUR_MS },
  { name: "day", max: 15, windowMs: 24 * HOUR_MS },
];

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
 * A buyer reports an issue with their own order. The same report sent twice is stored once, unless they took it back in
 * between. A report that stops money is never refused for their number: nobody has more of those than items that they
 * paid for. It starts open, and an admin closes it.
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
  const isItem = and(
    eq(orderRow.id, orderId),
    eq(orderRow.userId, userId),
    itemId === null ? undefined : eq(itemRow.id, itemId),
  );
  const found = (condition?: SQL) =>
    build
      .select({ id: itemRow.id })
      .from(orderRow)
      .innerJoin(itemRow, eq(itemRow.orderId, orderRow.id))
      .where(and(isItem, condition))
      .limit(1);
  const isRepeat = and(
    eq(issueRow.orderId, orderId),
    eq(issueRow.userId, userId),
    eq(issueRow.description, description),
    gt(issueRow.createdAt, now - REPEAT_MS),
    notExists(found(not(issueStops))),
  );
  const isNew = not(hasRow(issueRow, isRepeat));
  const stopsMoney = exists(found(wouldStopMoney));
  const isCounted = sql`${and(exists(found()), isNew, not(stopsMoney))}`;
  const isAllowed = or(stopsMoney, and(...allowances.map(isWithin)));

  // A release at the same moment either sees the report, and refuses, or came first, which the reads see.
  const report = [
    ...allowances.map((allowance) => countOne(allowance, now, isCounted)),
    insertEach(
      issueReports,
      {
        id,
        userId: orderRow.userId,
        // The seller and the product are the item's. For a whole order, the seller if there is only one.
        sellerId: sql`CASE WHEN COUNT(DISTINCT ${itemRow.sellerId}) = 1 THEN MIN(${itemRow.sellerId}) END`,
        productId: sql`CASE WHEN COUNT(*) = 1 THEN MIN(${itemRow.productId}) END`,
        orderId: orderRow.id,
        description,
        status: "open",
        createdAt: now,
      },
      sql`FROM ${orders} order_row JOIN ${orderItems} item_row ON ${itemRow.orderId} = ${orderRow.id}
        WHERE ${and(isItem, isNew, isAllowed)} GROUP BY ${orderRow.id}`,
    ),
  ];
  const {
    isFound: [isFound],
    isStored: [isStored],
    isKept: [isKept],
    money: [money],
  } = await write(store.db, {
    writes: report,
    isFound: found(),
    isStored: build.select({ id: issueRow.id }).from(issueRow).where(eq(issueRow.id, id)),
    isKept: build.select({ id: issueRow.id }).from(issueRow).where(isRepeat).limit(1),
    money: build
      .select(moneyColumns)
      .from(orderRow)
      .innerJoin(itemRow, eq(itemRow.orderId, orderRow.id))
      .leftJoin(payoutItems, eq(payoutItems.orderItemId, itemRow.id))
      .leftJoin(payoutRow, eq(payoutRow.id, payoutItems.payoutId))
      .where(and(isItem, gt(itemRow.subtotal, 0))),
  });
  if (!isFound) return { ok: false, code: "not_found" };
  if (isStored) store.log({ event: "issue_reported", orderId });
  return isStored || isKept ? { ok: true, money: readMoney(money) } : { ok: false, code: "too_many" };
}

const canBeStopped = sql`(${stateIs(itemRow.status, ITEM.isHeld)} OR ${neverSent("payout_row")}
  AND NOT ${isTeamsWish})`;

/**
 * Where the money of items is: of how many a report stops it, of how many it is on its way, and how many are in a
 * payout.
 */
const moneyColumns = {
  held: sql<number>`COALESCE(SUM(${canBeStopped} AND ${openReport}), 0)`.as("held"),
  leaving:
    sql<number>`COALESCE(SUM(${stateIs(payoutRow.state, TRANSFER.isOpen)} AND NOT (${neverSent("payout_row")})), 0)`.as(
      "leaving",
    ),
  paid: count(payoutRow.id).as("paid"),
};

function readMoney(money?: { held: number; leaving: number; paid: number }): ReportedMoney {
  if (!money) return "none";
  if (money.held > 0) return "held";
  if (money.leaving > 0) return "leaving";
  return money.paid > 0 ? "paid_out" : "none";
}
