/** What happens to the held money of one order item: statements for the batch that decides it. Amounts in KES. */
import { eq, type SQL, sql } from "drizzle-orm";
import { expectOneChange, expectThat, type Statement } from "#app/db/batch.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { TRANSFER, type WaitReason } from "#app/db/states/transfer.ts";
import { payoutItems, payouts } from "#app/db/schema.ts";
import type { RefundReason } from "#app/db/states/refund.ts";
import { PAYOUT_LIMITS } from "#app/platform/m-pesa-rules.ts";
import { resolveDiscrepancies } from "./discrepancies.server.ts";
import { bookTransaction } from "./ledger.server.ts";
import { heldRefundLegs, payoutLegs, reclaimLegs, releaseLegs } from "./ledger-rules.ts";
import { nextTransferState, PAYOUT_ITEMS_MAX, PAYOUT_SPACING_MS } from "./transfer-rules.ts";
import { neverSent } from "#app/db/never-sent.ts";
import { isTeamsWish, openReport } from "#app/orders/open-report.server.ts";
import { createRefund } from "./refunds.server.ts";
import { newCallbackToken, type PaymentServices } from "./payment-services.ts";

/** An item whose money is held. */
export interface HeldItem {
  id: string;
  orderId: string;
  sellerId: string;
}

/**
 * The seller has earned `amount`: books it and adds it to a payout. It joins a payout that hasn't been sent yet, so that
 * a seller of many items gets few transfers, or gets a new one. The batch aborts if that choice is out of date when it
 * runs; then call this again. Returns the payout's id; null when there is nothing to pay.
 */
export async function releaseStatements(
  services: PaymentServices,
  item: HeldItem,
  amount: number,
): Promise<{ payoutId: string | null; statements: Statement[] }> {
  if (amount === 0) return { payoutId: null, statements: [] };
  const now = services.now();
  const [open] = await services.db.all<{ id: string }>(openPayout(item, amount));
  const payoutId = open?.id ?? crypto.randomUUID();
  return {
    payoutId,
    statements: [
      ...(open ? joinPayout(open.id, amount, now) : createPayout(services, payoutId, item, amount)),
      services.db.insert(payoutItems).values({ orderItemId: item.id, payoutId, amount, createdAt: now }),
      ...bookTransaction({
        transactionId: await releaseId(services, item.id),
        legs: releaseLegs(amount),
        orderId: item.orderId,
        orderItemId: item.id,
        payoutId,
        now,
      }),
    ],
  };
}

/** SQL: how often an item's money was reclaimed. */
function reclaimsOf(itemId: string): SQL {
  const prefix = `reclaim:${itemId}:`;
  return sql`(SELECT COUNT(*) FROM ledger_entries INDEXED BY ledger_entries_leg WHERE transaction_id BETWEEN ${prefix} AND ${`${prefix}~`} AND account = 'escrow')`;
}

/** The id of an item's release in the books. What was reclaimed can be released again. */
async function releaseId({ db }: PaymentServices, itemId: string): Promise<string> {
  const [row] = await db.all<{ reclaimed: number }>(sql`SELECT ${reclaimsOf(itemId)} AS reclaimed`);
  return row?.reclaimed ? `release:${itemId}:${row.reclaimed}` : `release:${itemId}`;
}

/**
 * Takes an item's money out of a payout that was never sent, and holds it again. The batch aborts if the payout has been
 * sent or has changed since it was read. A payout of no other item is deleted.
 */
export async function reclaimStatements(services: PaymentServices, item: HeldItem): Promise<Statement[]> {
  const now = services.now();
  const [share] = await services.db.all<{ payoutId: string; amount: number; others: number; reclaimed: number }>(
    sql`SELECT s.payout_id AS payoutId, s.amount, (SELECT COUNT(*) FROM payout_items t WHERE t.payout_id = s.payout_id) - 1 AS others,
        ${reclaimsOf(item.id)} AS reclaimed
      FROM payout_items s WHERE s.order_item_id = ${item.id}`,
  );
  if (!share) return [];
  const isUnsent = sql`id = ${share.payoutId} AND ${neverSent("payouts")}
    AND (SELECT COUNT(*) FROM payout_items t WHERE t.payout_id = payouts.id) = ${share.others}`;
  return [
    services.db.delete(payoutItems).where(eq(payoutItems.orderItemId, item.id)),
    expectOneChange(),
    share.others === 0
      ? sql`DELETE FROM payouts WHERE ${isUnsent}`
      : sql`UPDATE payouts SET amount = amount - ${share.amount}, updated_at = ${now},
          order_item_id = (SELECT order_item_id FROM payout_items t WHERE t.payout_id = payouts.id LIMIT 1) WHERE ${isUnsent}`,
    expectOneChange(),
    ...(share.others === 0
      ? [resolveDiscrepancies(["payout_parked"], share.payoutId, "the buyer reported a problem", now)]
      : []),
    ...bookTransaction({
      transactionId: `reclaim:${item.id}:${share.reclaimed + 1}`,
      legs: reclaimLegs(share.amount),
      orderId: item.orderId,
      orderItemId: item.id,
      payoutId: share.payoutId,
      now,
    }),
  ];
}

/** How many of a seller's newest payouts are considered. Older ones wait for a person. */
const PAYOUTS_CONSIDERED = 10;

/** SQL: the payout (alias `y`) was never sent, and can take `amount` more. */
function canTake(amount: number): SQL {
  return sql`y.send_count = 0 AND y.amount + ${amount} <= ${PAYOUT_LIMITS.max}
    AND (${stateIs("y.state", TRANSFER.isDue)} OR (${stateIs("y.state", TRANSFER.isParked)} AND y.wait_reason = ${"amount_too_small" satisfies WaitReason}))`;
}

/**
 * SQL: the id of a payout that the item can join. All its payments must be confirmed, and so must the item's own, so
 * that an item whose payment is in doubt holds up no other.
 */
function openPayout(item: HeldItem, amount: number): SQL {
  return sql`SELECT y.id FROM (SELECT * FROM payouts WHERE seller_id = ${item.sellerId} ORDER BY created_at DESC LIMIT ${PAYOUTS_CONSIDERED}) y
    WHERE ${canTake(amount)}
      AND (SELECT COUNT(*) FROM payout_items s WHERE s.payout_id = y.id) < ${PAYOUT_ITEMS_MAX}
      AND NOT ${hasUnconfirmedItem("y.id")}
      AND EXISTS (SELECT 1 FROM order_items i WHERE i.id = ${item.id} AND ${isConfirmed("i.order_id")})
    ORDER BY y.created_at LIMIT 1`;
}

/**
 * Adds `amount` to a payout. Aborts the batch if the payout has been sent since it was found. One that was parked
 * because it was too small is due again.
 */
function joinPayout(payoutId: string, amount: number, now: number): Statement[] {
  const isParked = stateIs("y.state", TRANSFER.isParked);
  return [
    sql`UPDATE payouts AS y SET amount = y.amount + ${amount}, updated_at = ${now}, next_action_at = COALESCE(y.next_action_at, ${now}),
        wait_reason = CASE WHEN ${isParked} THEN NULL ELSE y.wait_reason END, state = CASE WHEN ${isParked} THEN ${nextTransferState({ state: "parked", method: "b2c" }, "retried")} ELSE y.state END
      WHERE y.id = ${payoutId} AND ${canTake(amount)}`,
    expectOneChange(),
    resolveDiscrepancies(["payout_parked"], payoutId, "more money was added", now),
  ];
}

/**
 * Creates a payout for an item that can join none. It is sent at once, or a minute after the seller's last one was
 * created, so that what the seller earns meanwhile goes with it.
 */
function createPayout(services: PaymentServices, id: string, item: HeldItem, amount: number): Statement[] {
  const now = services.now();
  const last = sql`(SELECT MAX(created_at) FROM payouts WHERE seller_id = ${item.sellerId})`;
  return [
    expectThat(sql`NOT EXISTS (${openPayout(item, amount)})`),
    services.db.insert(payouts).values({
      id,
      orderItemId: item.id,
      sellerId: item.sellerId,
      amount,
      conversationId: crypto.randomUUID(),
      callbackToken: newCallbackToken(),
      nextActionAt: sql`MAX(${now}, COALESCE(${last}, 0) + ${PAYOUT_SPACING_MS})`,
      createdAt: now,
      updatedAt: now,
    }),
  ];
}

/** `amount` of an item's held money goes back to the buyer: books it and creates the refund. */
export function refundStatements(
  services: PaymentServices,
  item: HeldItem,
  { attemptId, amount, reason }: { attemptId: string; amount: number; reason: RefundReason },
): Statement[] {
  if (amount === 0) return [];
  const now = services.now();
  const refund = createRefund({ attemptId, orderId: item.orderId, orderItemId: item.id, amount, reason }, now);
  return [
    refund.statement,
    ...bookTransaction({
      transactionId: `refund_due:${item.id}`,
      legs: heldRefundLegs(amount),
      orderId: item.orderId,
      orderItemId: item.id,
      attemptId,
      refundId: refund.id,
      now,
    }),
  ];
}

/**
 * SQL: the payment that an order is kept for. A payment that goes back as a whole doesn't count. `orderId` as a column.
 */
export function keptPayment(orderId: string) {
  // The plus keeps the search to the order's attempts. The index of states would read every payment there is.
  return sql`(SELECT a.id FROM payment_attempts a WHERE a.order_id = ${sql.raw(orderId)} AND ${stateIs("+a.state", ATTEMPT.isPaid)}
    AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.attempt_id = a.id AND r.order_item_id IS NULL) LIMIT 1)`;
}

/** SQL: a query has confirmed the payment that an order is kept for. `orderId` as a column. */
function isConfirmed(orderId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM payment_attempts k WHERE k.id = ${keptPayment(orderId)} AND k.confirmed_at IS NOT NULL)`;
}

/** SQL: an item of this payout belongs to an order whose payment isn't confirmed. `payoutId` as a column. */
export function hasUnconfirmedItem(payoutId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM payout_items s JOIN order_items i ON i.id = s.order_item_id
    WHERE s.payout_id = ${sql.raw(payoutId)} AND NOT ${isConfirmed("i.order_id")})`;
}

/**
 * SQL: the buyer of an item of this payout has an open report. Once our team has decided about an item, its money goes.
 * `payoutId` as a column or a value.
 */
export function hasReportedItem(payoutId: string | SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM payout_items s JOIN order_items i ON i.id = s.order_item_id JOIN orders o ON o.id = i.order_id
    WHERE s.payout_id = ${typeof payoutId === "string" ? sql.raw(payoutId) : payoutId} AND ${isStopped})`;
}

const isStopped: SQL = sql`(${openReport} AND NOT ${isTeamsWish})`;

/** Items whose money a report stops, although it is in a payout that was never sent. */
export async function listStoppedItems({ db }: PaymentServices): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    sql`SELECT i.id FROM payouts y INDEXED BY payouts_open CROSS JOIN payout_items s ON s.payout_id = y.id JOIN order_items i ON i.id = s.order_item_id JOIN orders o ON o.id = i.order_id
      WHERE ${stateIs("y.state", TRANSFER.isOpen)} AND ${neverSent("y")} AND ${isStopped} LIMIT 50`,
  );
  return rows.map(({ id }) => id);
}

/** The statements that book a payout as paid: a transaction for each of its items, with the item's share. */
export function bookPayout(payoutId: string, now: number): Statement[] {
  return payoutLegs(1).map(
    ({
      account,
      kind,
      amount,
    }) => sql`INSERT INTO ledger_entries (id, transaction_id, account, kind, amount, order_item_id, payout_id, created_at)
      SELECT lower(hex(randomblob(16))), 'payout:' || payout_id || ':' || order_item_id, ${account}, ${kind}, ${amount} * amount, order_item_id, payout_id, ${now}
      FROM payout_items WHERE payout_id = ${payoutId}`,
  );
}
