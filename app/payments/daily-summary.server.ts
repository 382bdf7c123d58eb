import { sql } from "drizzle-orm";
import { rowOf, rowsOf, runBatch } from "#app/db/batch.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT, ATTEMPT_STATES } from "#app/db/states/attempt.ts";
import { TRANSFER, TRANSFER_STATES } from "#app/db/states/transfer.ts";
import { unknownCallbacksKey, UNKNOWN_TOKEN } from "./callbacks.server.ts";
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
import { booksBalance, readBooks } from "./ledger.server.ts";
import { dayName, dayBounds } from "#app/platform/east-africa-time.ts";
import type { PaymentServices } from "./payment-services.ts";

const DAY_MS = 24 * 60 * 60_000;
/** How long callbacks without a valid token are kept, in ms. */
const UNKNOWN_CALLBACK_LIFE_MS = 30 * DAY_MS;

/**
 * The totals of a day, stored as JSON in `daily_summaries.summary`. Amounts in KES. Balances and what is open are from the
 * time when it was written.
 */
export interface DailySummary {
  orders: { placed: number; paid: number; paidAmount: number };
  attempts: { made: number; succeeded: number; failed: number; expired: number; held: number };
  payouts: { created: number; paid: number; paidAmount: number; parked: number };
  /** What buyers paid for items, what sellers earned of it, and what goes back. */
  escrow: EscrowDay;
  refunds: { done: Total; open: OpenRefunds[] };
  /** Items that our team has to decide about. */
  inReview: number;
  callbacks: { received: number; strangers: number };
  openDiscrepancies: number;
  books: { balanced: boolean; balances: Record<string, number> };
}

/**
 * Writes the summary of the last full day, once; returns false if it exists. Also deletes old callbacks without a valid
 * token.
 */
export async function writeDailySummary(services: PaymentServices): Promise<boolean> {
  const now = services.now();
  const day = dayName(now - DAY_MS);
  const [written] = await services.db.all(sql`SELECT day FROM daily_summaries WHERE day = ${day}`);
  if (written) return false;
  const summary = await summarise(services, day);
  const [inserted] = await runBatch(services.db, [
    sql`INSERT INTO daily_summaries (day, summary, created_at) VALUES (${day}, ${JSON.stringify(summary)}, ${now}) ON CONFLICT (day) DO NOTHING`,
    // The outcome as text, so that its index serves.
    sql`DELETE FROM payment_callbacks WHERE outcome = ${sql.raw(`'${UNKNOWN_TOKEN}'`)} AND received_at < ${now - UNKNOWN_CALLBACK_LIFE_MS}`,
  ]);
  const first = inserted?.meta.changes === 1;
  if (first) services.log({ event: "daily_summary", day, ...summary });
  return first;
}

/** Each query reads the rows of that day, or what is open. */
async function summarise({ db }: PaymentServices, day: string): Promise<DailySummary> {
  const { from, until } = dayBounds(day);
  const within = (column: string) => sql`${sql.raw(column)} >= ${from} AND ${sql.raw(column)} < ${until}`;
  // Naming every state lets an index on state and time serve the range.
  const any = (column: string, states: readonly string[]) =>
    sql.raw(`${column} IN (${states.map((state) => `'${state}'`).join(", ")})`);
  const counts = sql`SELECT
    (SELECT COUNT(*) FROM orders WHERE ${within("created_at")}) AS placed,
    (SELECT COUNT(*) FROM payment_attempts WHERE ${any("state", ATTEMPT_STATES)} AND ${within("created_at")}) AS made,
    (SELECT COUNT(*) FROM payment_attempts WHERE ${stateIs("+state", ATTEMPT.isPaid)} AND ${within("settled_at")}) AS succeeded,
    (SELECT COUNT(*) FROM payment_attempts WHERE ${stateIs("+state", ATTEMPT.isFailed)} AND ${within("settled_at")}) AS failed,
    (SELECT COUNT(*) FROM payment_attempts WHERE ${stateIs("+state", ATTEMPT.isExpired)} AND ${within("settled_at")}) AS expired,
    (SELECT COUNT(*) FROM payment_attempts WHERE ${stateIs("state", ATTEMPT.isHeld)}) AS held,
    (SELECT COUNT(DISTINCT order_id) FROM ledger_entries WHERE account = 'escrow' AND kind = 'charge' AND ${within("created_at")}) AS paid,
    (SELECT COUNT(*) FROM payouts WHERE ${any("state", TRANSFER_STATES)} AND ${within("created_at")}) AS payoutsCreated,
    (SELECT COUNT(DISTINCT payout_id) FROM ledger_entries WHERE account = 'mpesa_payout_float' AND kind = 'payout' AND ${within("created_at")}) AS payoutsPaid,
    (SELECT COALESCE(-SUM(amount), 0) FROM ledger_entries WHERE account = 'mpesa_payout_float' AND kind = 'payout' AND ${within("created_at")}) AS payoutsPaidAmount,
    (SELECT COUNT(*) FROM payouts WHERE ${stateIs("state", TRANSFER.isParked)}) AS parked,
    (SELECT COUNT(*) FROM payment_callbacks WHERE outcome IS NOT ${UNKNOWN_TOKEN} AND ${within("received_at")}) AS received,
    (SELECT COALESCE(SUM(count), 0) FROM rate_counters WHERE key = ${unknownCallbacksKey(day)}) AS strangers,
    (SELECT COUNT(*) FROM discrepancies WHERE resolved_at IS NULL) AS discrepancies`;
  const [found, escrow, refundsDone, refundsOpen, review] = await runBatch(db, [
    counts,
    escrowOfDay(day),
    refundsOfDay(day),
    openRefunds(),
    itemsInReview(),
  ]);
  const books = await readBooks(db);
  const row = rowOf<Record<string, number>>(found);
  const n = (name: string) => row?.[name] ?? 0;
  const ofDay = readEscrowDay(escrow);
  return {
    orders: { placed: n("placed"), paid: n("paid"), paidAmount: ofDay.held.amount },
    attempts: {
      made: n("made"),
      succeeded: n("succeeded"),
      failed: n("failed"),
      expired: n("expired"),
      held: n("held"),
    },
    payouts: {
      created: n("payoutsCreated"),
      paid: n("payoutsPaid"),
      paidAmount: n("payoutsPaidAmount"),
      parked: n("parked"),
    },
    escrow: ofDay,
    refunds: { done: readTotal(refundsDone), open: rowsOf<OpenRefunds>(refundsOpen) },
    inReview: rowOf<{ n: number }>(review)?.n ?? 0,
    callbacks: { received: n("received"), strangers: n("strangers") },
    openDiscrepancies: n("discrepancies"),
    books: { balanced: booksBalance(books), balances: books.balances },
  };
}
