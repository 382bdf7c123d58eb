/** What happens to the held money of one order item: statements for the batch that decides it. Amounts in KES. */
import { itemRow, orderRow } from "#app/orders/table-rows.server.ts";
import {
  and,
  asc,
  between,
  type Column,
  count,
  desc,
  eq,
  exists,
  isNotNull,
  isNull,
  lt,
  max,
  not,
  notExists,
  type SQL,
  sql,
  type SQLWrapper,
} from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type Statement, expectOneChange, expectThat, read } from "#app/db/batch.ts";
import { RANDOM_ID, build, hasRow, insertEach, oneRow } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import { ledgerEntries, paymentAttempts, payoutItems, payouts, refunds } from "#app/payments/tables.server.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import type { RefundReason } from "#app/db/states/refund.ts";
import { PAYOUT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";
import { resolveDiscrepancies } from "#app/payments/books/discrepancies.server.ts";
import { bookTransaction } from "#app/payments/books/ledger.server.ts";
import {
  feeLegs,
  heldRefundLegs,
  payoutLegs,
  reclaimFeeLegs,
  reclaimLegs,
  releaseLegs,
} from "#app/payments/books/ledger-rules.ts";
import { PAYOUT_ITEMS_MAX, PAYOUT_SPACING_MS } from "./transfer-rules.ts";
import { neverSent } from "./never-sent.server.ts";
import { canStopPayout, openReport } from "#app/payments/reports-stop-money.server.ts";
import { createRefund } from "./refunds.server.ts";
import { newCallbackToken, type PaymentServices } from "#app/payments/payment-services.ts";

/** An item whose money is held. */
export interface HeldItem {
  id: string;
  orderId: string;
  sellerId: string;
}

/**
 * The seller has earned `amount`, and we `fee`: books both and adds the seller's to a payout. It joins a payout that
 * hasn't been sent yet, so that a seller of many items gets few transfers, or gets a new one. The batch aborts if that
 * choice is out of date when it runs; then call this again. Returns the payout's id; null when there is nothing to pay.
 */
export async function releaseStatements(
  services: PaymentServices,
  item: HeldItem,
  { amount, fee }: { amount: number; fee: number },
): Promise<{ payoutId: string | null; statements: Statement[] }> {
  if (amount === 0) return { payoutId: null, statements: [] };
  const now = services.now();
  const [open] = await openPayout(services.db, item, amount);
  const payoutId = open?.id ?? crypto.randomUUID();
  return {
    payoutId,
    statements: [
      ...(open ? joinPayout(open.id, amount, now) : createPayout(services, payoutId, item, amount)),
      build.insert(payoutItems).values({ orderItemId: item.id, payoutId, amount, createdAt: now }),
      ...bookTransaction({
        transactionId: await releaseId(services, item.id),
        legs: [...releaseLegs(amount), ...feeLegs(fee)],
        orderId: item.orderId,
        orderItemId: item.id,
        payoutId,
        now,
      }),
    ],
  };
}

/** SQL: how often an item's money was reclaimed. */
function reclaimsOf(itemId: string): SQL<number> {
  const prefix = `reclaim:${itemId}:`;
  const { transactionId, account, kind } = ledgerEntries;
  // The plus keeps the search to the item's entries. The index of accounts would read every entry there is.
  const isHeldAgain = and(sql`+${eq(account, "escrow")}`, eq(kind, "release"));
  const isOfItem = and(between(transactionId, prefix, `${prefix}~`), isHeldAgain);
  return sql<number>`(${build.select({ reclaims: count() }).from(ledgerEntries).where(isOfItem)})`;
}

/** The id of an item's release in the books. What was reclaimed can be released again. */
async function releaseId({ db }: PaymentServices, itemId: string): Promise<string> {
  const [row] = await read(db, oneRow({ reclaims: reclaimsOf(itemId) }));
  return row?.reclaims ? `release:${itemId}:${row.reclaims}` : `release:${itemId}`;
}

/**
 * Takes an item's money out of a payout that was never sent, and holds it again, with the fee that we took. The batch
 * aborts if the payout has been sent or has changed since it was read. A payout of no other item is deleted.
 */
export async function reclaimStatements(services: PaymentServices, item: HeldItem): Promise<Statement[]> {
  const now = services.now();
  const shareRow = alias(payoutItems, "share_row");
  const all = build.select({ n: count() }).from(payoutItems).where(eq(payoutItems.payoutId, shareRow.payoutId));
  const [share] = await services.db
    .select({
      payoutId: shareRow.payoutId,
      amount: shareRow.amount,
      others: sql<number>`(${all}) - 1`,
      feeTaken: orderItems.feeTaken,
      reclaims: reclaimsOf(item.id),
    })
    .from(shareRow)
    .innerJoin(orderItems, eq(orderItems.id, shareRow.orderItemId))
    .where(eq(shareRow.orderItemId, item.id));
  if (!share) return [];
  const { payoutId, others, reclaims } = share;
  const left = build
    .select({ id: payoutItems.orderItemId })
    .from(payoutItems)
    .where(eq(payoutItems.payoutId, payouts.id));
  const isUnsent = and(
    eq(payouts.id, payoutId),
    neverSent("payouts"),
    eq(build.$count(payoutItems, eq(payoutItems.payoutId, payouts.id)), others),
  );
  return [
    build.delete(payoutItems).where(eq(payoutItems.orderItemId, item.id)),
    expectOneChange(),
    others === 0
      ? build.delete(payouts).where(isUnsent)
      : build
          .update(payouts)
          .set({
            amount: sql`${payouts.amount} - ${share.amount}`,
            updatedAt: now,
            orderItemId: sql`(${left.limit(1)})`,
          })
          .where(isUnsent),
    expectOneChange(),
    ...(others === 0 ? [resolveDiscrepancies(["payout_parked"], payoutId, "the buyer reported a problem", now)] : []),
    ...bookTransaction({
      transactionId: `reclaim:${item.id}:${reclaims + 1}`,
      legs: [...reclaimLegs(share.amount), ...reclaimFeeLegs(share.feeTaken)],
      orderId: item.orderId,
      orderItemId: item.id,
      payoutId,
      now,
    }),
  ];
}

/** How many of a seller's newest payouts are considered. Older ones wait for a person. */
const PAYOUTS_CONSIDERED = 10;

type SomePayout = Record<"sendCount" | "amount" | "state", Column>;

/** SQL: the payout was never sent, and can take `amount` more. */
function canTake({ sendCount, amount: owed, state }: SomePayout, amount: number): SQL | undefined {
  return and(eq(sendCount, 0), sql`${owed} + ${amount} <= ${PAYOUT_LIMITS.max}`, stateIs(state, TRANSFER.isDue));
}

/**
 * The query for the id of a payout that the item can join. All its payments must be confirmed, and so must the item's
 * own, so that an item whose payment is in doubt holds up no other.
 */
function openPayout(db: Database | typeof build, item: HeldItem, amount: number) {
  const payoutRow = build
    .select()
    .from(payouts)
    .where(eq(payouts.sellerId, item.sellerId))
    .orderBy(desc(payouts.createdAt))
    .limit(PAYOUTS_CONSIDERED)
    .as("payout_row");
  return db
    .select({ id: payoutRow.id })
    .from(payoutRow)
    .where(
      and(
        canTake(payoutRow, amount),
        lt(build.$count(payoutItems, eq(payoutItems.payoutId, payoutRow.id)), PAYOUT_ITEMS_MAX),
        not(hasUnconfirmedItem(payoutRow.id)),
        hasRow(orderItems, and(eq(orderItems.id, item.id), isConfirmed(orderItems.orderId))),
      ),
    )
    .orderBy(asc(payoutRow.createdAt))
    .limit(1);
}

/** Adds `amount` to a payout. Aborts the batch if the payout has been sent or parked since it was found. */
function joinPayout(payoutId: string, amount: number, now: number): Statement[] {
  return [
    build
      .update(payouts)
      .set({ amount: sql`${payouts.amount} + ${amount}`, updatedAt: now })
      .where(and(eq(payouts.id, payoutId), canTake(payouts, amount))),
    expectOneChange(),
  ];
}

/**
 * Creates a payout for an item that can join none. It is sent at once, or a minute after the seller's last one was
 * created, so that what the seller earns meanwhile goes with it.
 */
function createPayout(services: PaymentServices, id: string, item: HeldItem, amount: number): Statement[] {
  const now = services.now();
  const last = build
    .select({ at: max(payouts.createdAt) })
    .from(payouts)
    .where(eq(payouts.sellerId, item.sellerId));
  return [
    expectThat(notExists(openPayout(build, item, amount))),
    build.insert(payouts).values({
      id,
      orderItemId: item.id,
      sellerId: item.sellerId,
      amount,
      conversationId: crypto.randomUUID(),
      callbackToken: newCallbackToken(),
      nextActionAt: sql`MAX(${now}, COALESCE((${last}), 0) + ${PAYOUT_SPACING_MS})`,
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

/** SQL: the id of the payment that an order is kept for. A payment that goes back as a whole doesn't count. */
export function keptPayment(orderId: SQLWrapper): SQL<string | null> {
  const attemptRow = alias(paymentAttempts, "attempt_row");
  const goesBack = hasRow(refunds, and(eq(refunds.attemptId, attemptRow.id), isNull(refunds.orderItemId)));
  // The plus keeps the search to the order's attempts. The index of states would read every payment there is.
  const isPaid = sql`+${stateIs(attemptRow.state, ATTEMPT.isPaid)}`;
  return sql`(${build
    .select({ id: attemptRow.id })
    .from(attemptRow)
    .where(and(eq(attemptRow.orderId, orderId), isPaid, not(goesBack)))
    .limit(1)})`;
}

/** SQL: a query has confirmed the payment that an order is kept for. */
function isConfirmed(orderId: SQLWrapper): SQL {
  const otherAttemptRow = alias(paymentAttempts, "other_attempt_row");
  return hasRow(
    otherAttemptRow,
    and(eq(otherAttemptRow.id, keptPayment(orderId)), isNotNull(otherAttemptRow.confirmedAt)),
  );
}

/** SQL: an item of this payout belongs to an order whose payment isn't confirmed. */
export function hasUnconfirmedItem(payoutId: SQLWrapper): SQL {
  return exists(
    build
      .select({ id: itemRow.id })
      .from(payoutItems)
      .innerJoin(itemRow, eq(itemRow.id, payoutItems.orderItemId))
      .where(and(eq(payoutItems.payoutId, payoutId), not(isConfirmed(itemRow.orderId)))),
  );
}

/**
 * SQL: the buyer of an item of this payout has an open report. Once our team has decided about an item, its money goes.
 */
export function hasReportedItem(payoutId: SQLWrapper): SQL {
  return exists(
    build
      .select({ id: itemRow.id })
      .from(payoutItems)
      .innerJoin(itemRow, eq(itemRow.id, payoutItems.orderItemId))
      .innerJoin(orderRow, eq(orderRow.id, itemRow.orderId))
      .where(and(eq(payoutItems.payoutId, payoutId), isStopped)),
  );
}

const isStopped: SQL = sql`(${openReport} AND ${canStopPayout})`;

/** Items whose money a report stops, although it is in a payout that was never sent. */
export async function listStoppedItems({ db }: PaymentServices): Promise<string[]> {
  const payoutRow = alias(payouts, "payout_row");
  const rows = await db.all<{ id: string }>(
    // The open payouts come first, by their index. The builder can't name one.
    sql`SELECT ${itemRow.id} FROM ${payouts} payout_row INDEXED BY payouts_open
      CROSS JOIN ${payoutItems} ON ${payoutItems.payoutId} = ${payoutRow.id}
      JOIN ${orderItems} item_row ON ${itemRow.id} = ${payoutItems.orderItemId}
      JOIN ${orders} order_row ON ${orderRow.id} = ${itemRow.orderId}
      WHERE ${stateIs(payoutRow.state, TRANSFER.isOpen)} AND ${neverSent("payout_row")} AND ${isStopped} LIMIT 50`,
  );
  return rows.map(({ id }) => id);
}

/** The statements that book a payout as paid: a transaction for each of its items, with the item's share. */
export function bookPayout(payoutId: string, now: number): Statement[] {
  return payoutLegs(1).map(({ account, kind, amount }) =>
    insertEach(
      ledgerEntries,
      {
        id: RANDOM_ID,
        transactionId: sql`'payout:' || ${payoutItems.payoutId} || ':' || ${payoutItems.orderItemId}`,
        account,
        kind,
        amount: sql`${amount} * ${payoutItems.amount}`,
        orderItemId: payoutItems.orderItemId,
        payoutId: payoutItems.payoutId,
        createdAt: now,
      },
      sql`FROM ${payoutItems} WHERE ${eq(payoutItems.payoutId, payoutId)}`,
    ),
  );
}
