import { type SQL, sql } from "drizzle-orm";
import { rowOf, rowsOf, runBatch } from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM, ITEM_STATUSES } from "#app/db/states/item.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import {
  balanceChange,
  type MoneyLine,
  moneyLine,
  type MoneyPlace,
  type MoneyState,
  readMoneyPlace,
  type Sale,
  writeMoneyPlace,
} from "./seller-money-lines.ts";

/** KES. */
interface MoneyTotals {
  waiting: number;
  onItsWay: number;
  paid: number;
}

export interface MoneyPage {
  totals: MoneyTotals;
  lines: MoneyLine[];
  /** The next page's `after`; null at the end. */
  next: string | null;
}

const PAGE_ROWS = 20;
/** The most lines of a downloaded file. */
const CSV_ROWS = 5000;

interface MoneyInput {
  sellerId: string;
  /** Null for all. */
  filter: MoneyState | null;
  /** A place; an unreadable one starts at the beginning. */
  after?: string | null;
}

/** One page of a seller's sales with the money of each, newest first, and the totals. One round trip. */
export async function openSellerMoney(db: Database, input: MoneyInput): Promise<MoneyPage> {
  return readMoney(db, input, PAGE_ROWS);
}

/** The newest `CSV_ROWS` lines, for a file. One round trip. */
export async function readAllMoney(db: Database, input: Omit<MoneyInput, "after">): Promise<MoneyLine[]> {
  const { lines } = await readMoney(db, input, CSV_ROWS);
  return lines;
}

async function readMoney(
  db: Database,
  { sellerId, filter, after = null }: MoneyInput,
  limit: number,
): Promise<MoneyPage> {
  const place = readMoneyPlace(after);
  const [figures, found] = await runBatch(db, [totalsOf(sellerId), salesOf(sellerId, filter, place, limit + 1)]);
  const totals = rowOf<MoneyTotals>(figures) ?? { waiting: 0, onItsWay: 0, paid: 0 };
  const sales = rowsOf<Sale & { createdAt: number }>(found);
  const shown = sales.slice(0, limit);
  let balance = place?.balance ?? wholeBalance(totals, filter);
  const lines = shown.map((sale) => {
    const line = moneyLine(sale, filter === "refunded" ? null : balance);
    balance -= balanceChange(line);
    return line;
  });
  const last = shown.at(-1);
  const next = sales.length > limit && last ? { at: last.createdAt, id: last.id, balance: Math.max(0, balance) } : null;
  return { totals, lines, next: next && writeMoneyPlace(next) };
}

/** The balance of the newest line. */
function wholeBalance({ waiting, onItsWay, paid }: MoneyTotals, filter: MoneyState | null): number {
  switch (filter) {
    case null:
      return waiting + onItsWay + paid;
    case "waiting":
      return waiting;
    case "on_its_way":
      return onItsWay;
    case "paid":
      return paid;
    case "refunded":
      return 0;
  }
}

/** What is paid is summed per day by triggers, so the cost follows from the days with a sale and what is open. */
function totalsOf(sellerId: string): SQL {
  return sql`SELECT
    (SELECT COALESCE(SUM(subtotal), 0) FROM order_items WHERE seller_id = ${sellerId} AND ${stateIs("status", ITEM.isHeld)}) AS waiting,
    (SELECT COALESCE(SUM(amount), 0) FROM payouts WHERE seller_id = ${sellerId} AND ${stateIs("state", TRANSFER.isOpen)}) AS onItsWay,
    (SELECT COALESCE(SUM(paid_out), 0) FROM seller_days WHERE seller_id = ${sellerId}) AS paid`;
}

const STATUSES: Record<Exclude<MoneyState, "on_its_way">, (typeof ITEM_STATUSES)[number][]> = {
  waiting: ITEM_STATUSES.filter(ITEM.isHeld),
  paid: ITEM_STATUSES.filter(ITEM.isCompleted),
  refunded: ITEM_STATUSES.filter(ITEM.isReturned),
};
const ALL_STATUSES = Object.values(STATUSES).flat();

/**
 * The query for a seller's paid sales, newest first. Each status is one index seek of at most `limit` rows. What is on
 * its way is found by its payout, because those are few.
 */
function salesOf(sellerId: string, filter: MoneyState | null, place: MoneyPlace | null, limit: number): SQL {
  const older = (alias: string) =>
    place
      ? sql`AND ${sql.raw(alias)}.created_at <= ${place.at} AND (${sql.raw(alias)}.created_at, ${sql.raw(alias)}.id) < (${place.at}, ${place.id})`
      : sql``;
  const picked =
    filter === "on_its_way"
      ? sql`SELECT q.rowid FROM payouts y JOIN payout_items s ON s.payout_id = y.id JOIN order_items q ON q.id = s.order_item_id
          WHERE y.seller_id = ${sellerId} AND ${stateIs("y.state", TRANSFER.isOpen)} ${older("q")}`
      : sql`SELECT p.rowid FROM json_each(${JSON.stringify(filter ? STATUSES[filter] : ALL_STATUSES)}) st CROSS JOIN order_items p ON p.rowid IN (
          SELECT q.rowid FROM order_items q INDEXED BY order_items_seller
          WHERE q.seller_id = ${sellerId} AND q.status = st.value AND q.subtotal > 0 ${older("q")} ${filter === "paid" ? sql`AND ${isPaidOut}` : sql``}
          ORDER BY q.created_at DESC, q.id DESC LIMIT ${limit})`;
  return sql`WITH picked(row) AS (${picked})
    SELECT i.id, i.order_id AS orderId, i.product_name AS name, i.status, i.subtotal, i.created_at AS createdAt, COALESCE(i.paid_at, i.created_at) AS soldAt,
      ${dealEnd("i")} AS until,
      s.amount AS share, y.state AS payoutState, y.wait_reason AS waitReason, y.wait_detail AS waitDetail, y.receipt, y.done_at AS doneAt,
      (SELECT payouts_held_until FROM profiles WHERE id = i.seller_id) AS numberHeldUntil,
      COALESCE((SELECT r.amount FROM refunds r WHERE r.order_item_id = i.id), 0) AS refunded
    FROM picked CROSS JOIN order_items i ON i.rowid = picked.row
      LEFT JOIN payout_items s ON s.order_item_id = i.id LEFT JOIN payouts y ON y.id = s.payout_id
    ORDER BY i.created_at DESC, i.id DESC LIMIT ${limit}`;
}

/**
 * SQL: until when an item (alias) stays as it is, unless somebody acts. A seller who has to answer has until the first
 * of its timers; where there are reminders, the last one counts. Null while its clock stands still.
 */
export function dealEnd(item: string): SQL {
  return sql.raw(
    `(SELECT CASE WHEN ${ITEM.awaitsSeller.sql(`${item}.status`)} THEN MIN(t.due_at) ELSE MAX(t.due_at) END FROM deal_timers t
      WHERE t.order_item_id = ${item}.id AND NOT EXISTS (SELECT 1 FROM deal_holds h WHERE h.order_item_id = ${item}.id))`,
  );
}

/** SQL: the item `q` was paid out. */
const isPaidOut = sql`EXISTS (SELECT 1 FROM payout_items s JOIN payouts y ON y.id = s.payout_id WHERE s.order_item_id = q.id AND ${stateIs("y.state", TRANSFER.isDone)})`;
