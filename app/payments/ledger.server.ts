import { sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { ITEM } from "#app/db/states/item.ts";
import { PAYMENT } from "#app/db/states/order.ts";
import { PAYOUT } from "#app/db/states/payout.ts";
import { REFUND } from "#app/db/states/refund.ts";
import type { LedgerLeg } from "./ledger-rules.ts";

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
  return booking.legs.map(
    (leg) => sql`INSERT INTO ledger_entries
      (id, transaction_id, account, kind, amount, order_id, order_item_id, attempt_id, payout_id, refund_id, created_at)
      VALUES (${crypto.randomUUID()}, ${booking.transactionId}, ${leg.account}, ${leg.kind}, ${leg.amount},
        ${booking.orderId ?? null}, ${booking.orderItemId ?? null}, ${booking.attemptId ?? null}, ${booking.payoutId ?? null}, ${booking.refundId ?? null}, ${booking.now})`,
  );
}

/** The state of the books in KES. Every field named `*Off` is zero when they are right. */
export interface Books {
  balances: Record<string, number>;
  /** Sum of all entries. */
  sumOff: number;
  /** Transactions whose entries don't sum to zero. */
  unbalanced: number;
  /** Charged and not refundable, minus the settled attempts of paid orders. */
  chargesOff: number;
  /** Paid out in the ledger, minus the paid payouts. */
  payoutsOff: number;
  /** In escrow, minus the items whose money is held. */
  escrowOff: number;
  /** Owed to sellers, minus their open payouts. */
  payableOff: number;
  /** Owed to buyers, minus the open refunds. */
  refundsOff: number;
  /** Earned by plans, minus the payments of plans that aren't refunded. */
  plansOff: number;
}

/** Reads the books and compares them with orders, attempts, payouts and refunds. One round trip. */
export async function readBooks(db: Database): Promise<Books> {
  const [accounts, unbalanced, facts] = await db.$client.batch<Record<string, number | string>>([
    db.$client.prepare("SELECT account, SUM(amount) AS amount FROM ledger_entries GROUP BY account"),
    db.$client.prepare(
      "SELECT COUNT(*) AS n FROM (SELECT 1 FROM ledger_entries GROUP BY transaction_id HAVING SUM(amount) <> 0)",
    ),
    db.$client.prepare(`SELECT
      (SELECT COALESCE(SUM(amount), 0) FROM payment_attempts WHERE ${ATTEMPT.isPaid.sql("state")}) AS paidIn,
      (SELECT COALESCE(SUM(amount), 0) FROM refunds WHERE ${REFUND.isDone.sql("state")}) AS refunded,
      (SELECT COALESCE(SUM(amount), 0) FROM refunds WHERE ${REFUND.isOpen.sql("state")}) AS refundsDue,
      (SELECT COALESCE(SUM(amount), 0) FROM payouts WHERE ${PAYOUT.isPaid.sql("state")}) AS paidOut,
      (SELECT COALESCE(SUM(amount), 0) FROM payouts WHERE ${PAYOUT.isOpen.sql("state")}) AS payoutsOpen,
      (SELECT COALESCE(SUM(i.subtotal), 0) FROM order_items i JOIN orders o ON o.id = i.order_id
        WHERE ${PAYMENT.isPaid.sql("o.payment_status")} AND ${ITEM.isHeld.sql("i.status")}) AS held,
      (SELECT COALESCE(SUM(a.amount), 0) FROM payment_attempts a WHERE ${ATTEMPT.isPaid.sql("a.state")} AND a.subscription_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.attempt_id = a.id)) AS plansPaid`),
  ]);
  const balances: Record<string, number> = {};
  for (const row of accounts?.results ?? []) balances[String(row.account)] = Number(row.amount);
  const fact = (name: string) => Number(facts?.results[0]?.[name] ?? 0);
  const balance = (account: string) => balances[account] ?? 0;
  return {
    balances,
    sumOff: Object.values(balances).reduce((sum, amount) => sum + amount, 0),
    unbalanced: Number(unbalanced?.results[0]?.n ?? 0),
    chargesOff: balance("mpesa_collection") - (fact("paidIn") - fact("refunded")),
    payoutsOff: -balance("mpesa_payout_float") - fact("paidOut"),
    escrowOff: -balance("escrow") - fact("held"),
    payableOff: -balance("seller_payable") - fact("payoutsOpen"),
    refundsOff: -balance("refunds_due") - fact("refundsDue"),
    plansOff: -balance("plans") - fact("plansPaid"),
  };
}

/** Whether all checks pass. */
export function booksBalance(books: Books): boolean {
  const { balances: _balances, ...checks } = books;
  return Object.values(checks).every((value) => value === 0);
}
