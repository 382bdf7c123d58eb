import { and, eq, gt, isNotNull, isNull, ne, type SQL, sql, type SQLWrapper, sum } from "drizzle-orm";
import { alias, unionAll } from "drizzle-orm/sqlite-core";
import { type AnswersTo, type Statement, read } from "#app/db/batch.ts";
import { RANDOM_ID, build, insertEach } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { ledgerEntries, paymentAttempts, payoutItems, payouts, refunds } from "#app/payments/tables.server.ts";
import { paidForSql } from "#app/orders/item-price.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { ITEM } from "#app/db/states/item.ts";
import { TRANSFER, type TransferMethod } from "#app/db/states/transfer.ts";
import { chargeLegs, type LedgerAccount, type LedgerLeg } from "./ledger-rules.ts";

interface Booking {
  /** Names the cause ("charge:{attempt id}"), so that the same cause can't be booked twice. */
  transactionId: string;
  legs: LedgerLeg[];
  orderId?: string | null;
  orderItemId?: string;
  attemptId?: string;
  payoutId?: string;
  refundId?: string;
  now: number;
}

/** The statements that book a transaction, for the batch of its cause. The entries must sum to zero. */
export function bookTransaction(booking: Booking): Statement[] {
  const total = booking.legs.reduce((before, leg) => before + leg.amount, 0);
  if (total !== 0) throw new Error(`unbalanced transaction ${booking.transactionId}: ${total}`);
  const { legs, now, ...about } = booking;
  return legs.map((leg) =>
    build.insert(ledgerEntries).values({ id: crypto.randomUUID(), ...about, ...leg, createdAt: now }),
  );
}

/**
 * Books what a buyer paid for an order: each item's price and fee are held for that item. For the batch of the payment;
 * the amount paid must be the order's.
 */
export function bookCharge({
  orderId,
  attemptId,
  now,
}: {
  orderId: string;
  attemptId: string;
  now: number;
}): Statement[] {
  return chargeLegs(1).map(({ account, kind, amount }) =>
    insertEach(
      ledgerEntries,
      {
        id: RANDOM_ID,
        transactionId: sql`${`charge:${attemptId}:`} || ${orderItems.id}`,
        account,
        kind,
        amount: sql`${amount} * ${paidForSql(orderItems)}`,
        orderId,
        orderItemId: orderItems.id,
        attemptId,
        createdAt: now,
      },
      sql`FROM ${orderItems} WHERE ${eq(orderItems.orderId, orderId)} AND ${gt(orderItems.subtotal, 0)}`,
    ),
  );
}

/** An account, or one item or refund on it, whose balance in the ledger isn't what the rest of the database says. */
export interface Difference {
  account: string;
  /** The order item whose money is held or owed to its seller, or the refund. Empty for an account as a whole. */
  subject: string;
  /** KES in the ledger; debits are positive. */
  booked: number;
  /** KES by the items, payments, payouts and refunds. */
  expected: number;
}

interface Balance {
  account: string;
  /** KES. */
  amount: number;
}

/** The state of the books in KES. */
export interface Books {
  balances: Record<string, number>;
  /** Sum of all entries. Zero when they are right. */
  sumOff: number;
  /** Transactions whose entries don't sum to zero. */
  unbalanced: number;
  /** The first ones, where there are many. */
  differences: Difference[];
}

const MOST_DIFFERENCES = 50;

/** What the ledger has on its accounts, by what the money is for: account, subject and amount. */
function bookedBalances() {
  const entryRow = alias(ledgerEntries, "entry_row");
  const whole = build
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.attemptId, entryRow.attemptId), isNull(refunds.orderItemId)));
  const subject = sql`CASE WHEN ${entryRow.account} IN ('escrow', 'seller_payable')
      THEN COALESCE(${entryRow.orderItemId}, '')
    WHEN ${entryRow.account} = 'refunds_due' THEN COALESCE(${entryRow.refundId}, (${whole}), '') ELSE '' END`;
  return build
    .select({ account: entryRow.account, subject: subject.as("subject"), amount: sum(entryRow.amount).as("amount") })
    .from(entryRow)
    .groupBy(entryRow.account, subject)
    .having(ne(sum(entryRow.amount), sql`0`));
}

/** What the M-Pesa accounts and the plans must come to, by the payments, payouts and refunds of all time. */
function settledTotals() {
  const of = (account: LedgerAccount | SQL, amount: SQLWrapper) => ({
    account: sql`${account}`.as("account"),
    amount: sql`${amount}`.as("amount"),
  });
  const isPaid = stateIs(paymentAttempts.state, ATTEMPT.isPaid);
  const isDone = stateIs(refunds.state, TRANSFER.isDone);
  const source = sql`CASE ${refunds.method} WHEN ${"b2c" satisfies TransferMethod} THEN 'mpesa_payout_float'
    ELSE 'mpesa_collection' END`;
  return unionAll(
    build.select(of("mpesa_collection", paymentAttempts.amount)).from(paymentAttempts).where(isPaid),
    build
      .select(of("plans", sql`-${paymentAttempts.amount}`))
      .from(paymentAttempts)
      .where(and(isPaid, isNotNull(paymentAttempts.subscriptionId))),
    build.select(of("plans", refunds.amount)).from(refunds).where(isNull(refunds.orderId)),
    build
      .select(of("mpesa_payout_float", sql`-${payouts.amount}`))
      .from(payouts)
      .where(stateIs(payouts.state, TRANSFER.isDone)),
    build
      .select(of(source, sql`-${refunds.amount}`))
      .from(refunds)
      .where(isDone),
  );
}

/** The transactions whose entries don't sum to zero. */
function unbalancedTransactions() {
  return build
    .select({ id: ledgerEntries.transactionId })
    .from(ledgerEntries)
    .groupBy(ledgerEntries.transactionId)
    .having(ne(sum(ledgerEntries.amount), sql`0`));
}

/**
 * What must be on each account, from what is open and what is settled. It names the indexes, which the builder can't,
 * because the planner may prefer to read every row that there is.
 */
function expected(): SQL {
  return sql`SELECT 'escrow' AS account, ${orderItems.id} AS subject, -${paidForSql(orderItems)} AS amount
      FROM ${orderItems} INDEXED BY order_items_desk WHERE ${stateIs(orderItems.status, ITEM.isHeld)}
    UNION ALL SELECT 'seller_payable', ${payoutItems.orderItemId}, -${payoutItems.amount}
      FROM ${payouts} INDEXED BY payouts_open CROSS JOIN ${payoutItems} ON ${payoutItems.payoutId} = ${payouts.id}
      WHERE ${stateIs(payouts.state, TRANSFER.isOpen)}
    UNION ALL SELECT 'refunds_due', ${refunds.id}, -${refunds.amount}
      FROM ${refunds} INDEXED BY refunds_open WHERE ${stateIs(refunds.state, TRANSFER.isOpen)}
    UNION ALL SELECT 'fees', '', -${orderItems.feeTaken} FROM ${orderItems} WHERE ${gt(orderItems.feeTaken, 0)}
    UNION ALL SELECT account, '', amount FROM (${settledTotals()})`;
}

/**
 * Adds up every entry of the ledger, and compares each account with the items, payments, payouts and refunds. One round
 * trip. It reads every row there is: docs/decisions/books-are-added-up.md has what that costs.
 */
export async function readBooks(db: Database): Promise<Books> {
  return toBooks(await read(db, comparison()));
}

/** The queries that `toBooks` reads. Their sources may be unions, which the builder can't group. */
function comparison() {
  const booked = bookedBalances();
  return {
    accounts: sql<Balance>`SELECT account, SUM(amount) AS amount FROM (${booked}) GROUP BY account ORDER BY account`,
    unbalanced: sql<{ n: number }>`SELECT COUNT(*) AS n FROM (${unbalancedTransactions()})`,
    differences: sql<Difference>`SELECT account, subject, SUM(booked) AS booked, SUM(expected) AS expected FROM (
        SELECT account, subject, amount AS booked, 0 AS expected FROM (${booked})
        UNION ALL SELECT account, subject, 0, amount FROM (${expected()})
      ) GROUP BY account, subject HAVING SUM(booked) <> SUM(expected) ORDER BY account, subject
        LIMIT ${MOST_DIFFERENCES}`,
  };
}

function toBooks({ accounts, unbalanced, differences }: AnswersTo<ReturnType<typeof comparison>>): Books {
  const balances = Object.fromEntries(accounts.results.map(({ account, amount }) => [account, amount]));
  return {
    balances,
    sumOff: Object.values(balances).reduce((total, amount) => total + amount, 0),
    unbalanced: unbalanced.results[0]?.n ?? 0,
    differences: differences.results,
  };
}

/** Whether nothing is wrong. */
export function booksBalance({ sumOff, unbalanced, differences }: Books): boolean {
  return sumOff === 0 && unbalanced === 0 && differences.length === 0;
}
