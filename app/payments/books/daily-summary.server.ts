import { and, type Column, count, countDistinct, eq, gte, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { read, write } from "#app/db/batch.ts";
import { build, oneRow } from "#app/db/build.ts";
import { moveOn, placeOf } from "#app/db/passes.ts";
import {
  discrepancies,
  ledgerEntries,
  paymentAttempts,
  paymentCallbacks,
  payouts,
} from "#app/payments/tables.server.ts";
import { orders } from "#app/orders/tables.server.ts";
import { rateCounters } from "#app/db/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT, ATTEMPT_STATES } from "#app/db/states/attempt.ts";
import type { Predicate } from "#app/db/states/predicates.ts";
import { TRANSFER, TRANSFER_STATES } from "#app/db/states/transfer.ts";
import { unknownCallbacksKey, UNKNOWN_TOKEN } from "#app/payments/answers/callbacks.server.ts";
import {
  type EscrowDay,
  escrowOfDay,
  itemsInReview,
  openRefunds,
  type OpenRefunds,
  readEscrowDay,
  readTotal,
  refundsOfDay,
  type Total,
} from "./escrow-day.server.ts";
import type { LedgerAccount, LedgerKind } from "./ledger-rules.ts";
import { booksBalance, readBooks } from "./ledger.server.ts";
import { dayName, dayBounds } from "#app/platform/east-africa-time.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/**
 * The totals of a day, as they are logged. Amounts in KES. Balances and what is open (held, parked, in review) are from
 * the time when it was logged; null if that was more than a day after the end of its day.
 */
export interface DailySummary {
  orders: { placed: number; paid: number; paidAmount: number };
  attempts: { made: number; succeeded: number; failed: number; expired: number; held: number | null };
  payouts: { created: number; paid: number; paidAmount: number; parked: number | null };
  /** What buyers paid for items, what sellers earned of it, and what goes back. */
  escrow: EscrowDay;
  refunds: { done: Total; open: OpenRefunds[] | null };
  /** Items that our team has to decide about. */
  inReview: number | null;
  callbacks: { received: number; strangers: number };
  openDiscrepancies: number | null;
  books: { balanced: boolean; balances: Record<string, number> } | null;
}

/** For so many days a summary that couldn't be logged is logged later. */
const SUMMED_DAYS = 7;

/** Logs the summary of each full day of the last week, once. */
export async function logDailySummaries(services: PaymentServices): Promise<void> {
  const now = services.now();
  let [place] = await read(services.db, placeOf("summaries"));
  for (let ago = SUMMED_DAYS; ago > 0; ago -= 1) {
    const day = dayName(now - ago * DAY_MS);
    if (day <= (place?.after ?? "")) continue;
    const summary = await summarize(services, day);
    const next = { job: "summaries", pass: "days", after: day } as const;
    const { moved } = await write(services.db, { moved: moveOn(place, next) });
    // Another run is at it.
    if (moved.meta.changes === 0) return;
    services.log({ event: "daily_summary", day, ...summary });
    place = next;
  }
}

/** Each query reads the rows of that day, or what is open. */
async function summarize({ db, now }: PaymentServices, day: string): Promise<DailySummary> {
  const { from, until } = dayBounds(day);
  const isLate = now() - until >= DAY_MS;
  const unlessLate = <T>(value: T) => (isLate ? null : value);
  const isWithin = (column: Column) => and(gte(column, from), lt(column, until));
  const countOf = (table: SQLiteTable, ...conditions: (SQL | undefined)[]) =>
    sql<number>`(${build
      .select({ n: count() })
      .from(table)
      .where(and(...conditions))})`;
  // The plus leaves the search to the index of settled attempts.
  const settled = (predicate: Predicate<never>) =>
    countOf(paymentAttempts, sql`+${stateIs(paymentAttempts.state, predicate)}`, isWithin(paymentAttempts.settledAt));
  const ledger = (what: SQL<number>, account: LedgerAccount, kind: LedgerKind) =>
    sql<number>`(${build
      .select({ what })
      .from(ledgerEntries)
      .where(
        and(eq(ledgerEntries.account, account), eq(ledgerEntries.kind, kind), isWithin(ledgerEntries.createdAt)),
      )})`;
  const { orderId, payoutId, amount } = ledgerEntries;
  const paidOut = sql<number>`COALESCE(-SUM(${amount}), 0)`;
  const {
    found: [found],
    escrow,
    refundsDone,
    refundsOpen,
    review: [review],
  } = await read(db, {
    found: oneRow({
      placed: countOf(orders, isWithin(orders.createdAt)),
      // Naming every state lets an index on state and time serve the range.
      made: countOf(
        paymentAttempts,
        inArray(paymentAttempts.state, [...ATTEMPT_STATES]),
        isWithin(paymentAttempts.createdAt),
      ),
      succeeded: settled(ATTEMPT.isPaid),
      failed: settled(ATTEMPT.isFailed),
      expired: settled(ATTEMPT.isExpired),
      held: countOf(paymentAttempts, stateIs(paymentAttempts.state, ATTEMPT.isHeld)),
      paid: ledger(countDistinct(orderId), "escrow", "charge"),
      payoutsCreated: countOf(payouts, inArray(payouts.state, [...TRANSFER_STATES]), isWithin(payouts.createdAt)),
      payoutsPaid: ledger(countDistinct(payoutId), "mpesa_payout_float", "payout"),
      payoutsPaidAmount: ledger(paidOut, "mpesa_payout_float", "payout"),
      parked: countOf(payouts, stateIs(payouts.state, TRANSFER.isParked)),
      received: countOf(
        paymentCallbacks,
        sql`${paymentCallbacks.outcome} IS NOT ${UNKNOWN_TOKEN}`,
        isWithin(paymentCallbacks.receivedAt),
      ),
      strangers: sql<number>`COALESCE((${build
        .select({ count: rateCounters.count })
        .from(rateCounters)
        .where(eq(rateCounters.key, unknownCallbacksKey(day)))}), 0)`,
      discrepancies: countOf(discrepancies, isNull(discrepancies.resolvedAt)),
    }),
    escrow: escrowOfDay(day),
    refundsDone: refundsOfDay(day),
    refundsOpen: openRefunds(),
    review: itemsInReview(),
  });
  if (!found) throw new Error("no counts");
  const { placed, made, succeeded, failed, expired, held, paid, received, strangers } = found;
  const books = await readBooks(db);
  const ofDay = readEscrowDay(escrow);
  return {
    orders: { placed, paid, paidAmount: ofDay.held.amount },
    attempts: { made, succeeded, failed, expired, held: unlessLate(held) },
    payouts: {
      created: found.payoutsCreated,
      paid: found.payoutsPaid,
      paidAmount: found.payoutsPaidAmount,
      parked: unlessLate(found.parked),
    },
    escrow: ofDay,
    refunds: { done: readTotal(refundsDone), open: unlessLate(refundsOpen) },
    inReview: unlessLate(review?.n ?? 0),
    callbacks: { received, strangers },
    openDiscrepancies: unlessLate(found.discrepancies),
    books: unlessLate({ balanced: booksBalance(books), balances: books.balances }),
  };
}
