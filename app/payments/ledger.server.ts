import { eq, gt, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build, insertEach } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { ledgerEntries, orderItems } from "#app/db/schema.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { ITEM } from "#app/db/states/item.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import { chargeLegs, type LedgerLeg } from "./ledger-rules.ts";

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
  const sum = booking.legs.reduce((total, leg) => total + leg.amount, 0);
  if (sum !== 0) throw new Error(`unbalanced transaction ${booking.transactionId}: ${sum}`);
  const { legs, now, ...about } = booking;
  return legs.map((leg) =>
    build.insert(ledgerEntries).values({ id: crypto.randomUUID(), ...about, ...leg, createdAt: now }),
  );
}

/** SQL: an id for each row of an INSERT … SELECT. */
export const RANDOM_ID = sql`lower(hex(randomblob(16)))`;

/**
 * Books what a buyer paid for an order: each item's price is held for that item. For the batch of the payment; the
 * amount paid must be the order's.
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
        amount: sql`${amount} * ${orderItems.subtotal}`,
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

/** Where the parts of the books that grow with the ledger are read from. */
interface Sources {
  /** SQL: account, subject and amount of everything that the ledger has on its accounts. */
  balances: string;
  /** SQL: account and amount that the payments, payouts and refunds of all time come to. */
  settled: string;
  /** SQL: the id of each transaction that doesn't balance. */
  unbalanced: string;
}

/** The tables that triggers keep. The cost follows from what is open: held items, open payouts and open refunds. */
const KEPT: Sources = {
  balances: "SELECT account, subject, amount FROM ledger_balances",
  settled: "SELECT account, amount FROM settled_totals",
  unbalanced: "SELECT transaction_id FROM unbalanced_transactions",
};

/** The same from every row there is. */
const COUNTED: Sources = {
  balances: `SELECT account, CASE WHEN account IN ('escrow', 'seller_payable') THEN COALESCE(order_item_id, '')
      WHEN account = 'refunds_due' THEN COALESCE(refund_id, (SELECT r.id FROM refunds r WHERE r.attempt_id = e.attempt_id AND r.order_item_id IS NULL), '')
      ELSE '' END AS subject, SUM(amount) AS amount
    FROM ledger_entries e GROUP BY 1, 2 HAVING SUM(amount) <> 0`,
  settled: `SELECT 'mpesa_collection' AS account, amount FROM payment_attempts WHERE ${ATTEMPT.isPaid.sql("state")}
    UNION ALL SELECT 'plans', -amount FROM payment_attempts WHERE ${ATTEMPT.isPaid.sql("state")} AND subscription_id IS NOT NULL
    UNION ALL SELECT 'plans', amount FROM refunds WHERE order_id IS NULL
    UNION ALL SELECT 'mpesa_payout_float', -amount FROM payouts WHERE ${TRANSFER.isDone.sql("state")}
    UNION ALL SELECT CASE method WHEN 'b2c' THEN 'mpesa_payout_float' ELSE 'mpesa_collection' END, -amount
      FROM refunds WHERE ${TRANSFER.isDone.sql("state")}`,
  unbalanced: "SELECT transaction_id FROM ledger_entries GROUP BY transaction_id HAVING SUM(amount) <> 0",
};

/**
 * What must be on each account, from the rows of what is open and the totals of what is settled. It names the indexes,
 * because the planner may prefer to read every row that there is.
 */
function expected({ settled }: Sources): string {
  return `SELECT 'escrow' AS account, id AS subject, -subtotal AS amount
      FROM order_items INDEXED BY order_items_desk WHERE ${ITEM.isHeld.sql("status")}
    UNION ALL SELECT 'seller_payable', share.order_item_id, -share.amount
      FROM payouts y INDEXED BY payouts_open CROSS JOIN payout_items share ON share.payout_id = y.id WHERE ${TRANSFER.isOpen.sql("y.state")}
    UNION ALL SELECT 'refunds_due', id, -amount FROM refunds INDEXED BY refunds_open WHERE ${TRANSFER.isOpen.sql("state")}
    UNION ALL SELECT account, '', amount FROM (${settled})`;
}

/**
 * Compares each account of the ledger with the items, payments, payouts and refunds. One round trip. Its cost follows
 * from what is open, not from the length of the ledger.
 */
export async function readBooks(db: Database): Promise<Books> {
  return toBooks(await db.$client.batch<BooksRow>(comparison(db, KEPT)));
}

/**
 * The same from every row there is, and whether that comes to what the triggers keep. It reads the whole ledger, so only
 * people and tests ask for it.
 */
export async function countBooks(db: Database): Promise<{ books: Books; isSame: boolean }> {
  const kept = comparison(db, KEPT);
  const answers = await db.$client.batch<BooksRow>([...kept, ...comparison(db, COUNTED)]);
  const books = toBooks(answers.slice(kept.length));
  return { books, isSame: JSON.stringify(books) === JSON.stringify(toBooks(answers)) };
}

type BooksRow = Record<string, number | string>;

function comparison(db: Database, sources: Sources): D1PreparedStatement[] {
  return [
    `SELECT account, SUM(amount) AS amount FROM (${sources.balances}) GROUP BY account ORDER BY account`,
    `SELECT COUNT(*) AS n FROM (${sources.unbalanced})`,
    `SELECT account, subject, SUM(booked) AS booked, SUM(expected) AS expected FROM (
        SELECT account, subject, amount AS booked, 0 AS expected FROM (${sources.balances})
        UNION ALL SELECT account, subject, 0, amount FROM (${expected(sources)})
      ) GROUP BY account, subject HAVING SUM(booked) <> SUM(expected) ORDER BY account, subject LIMIT ${MOST_DIFFERENCES}`,
  ].map((query) => db.$client.prepare(query));
}

/** `answers` begin with those of `comparison`. */
function toBooks([accounts, unbalanced, differences]: D1Result<BooksRow>[]): Books {
  const balances: Record<string, number> = {};
  for (const row of accounts?.results ?? []) balances[String(row.account)] = Number(row.amount);
  return {
    balances,
    sumOff: Object.values(balances).reduce((sum, amount) => sum + amount, 0),
    unbalanced: Number(unbalanced?.results[0]?.n ?? 0),
    differences: (differences?.results ?? []).map((row) => ({
      account: String(row.account),
      subject: String(row.subject),
      booked: Number(row.booked),
      expected: Number(row.expected),
    })),
  };
}

/** Whether nothing is wrong. */
export function booksBalance({ sumOff, unbalanced, differences }: Books): boolean {
  return sumOff === 0 && unbalanced === 0 && differences.length === 0;
}
