import { earnedForSql } from "#app/orders/item-price.server.ts";
import {
  and,
  type Column,
  desc,
  eq,
  exists,
  gt,
  lte,
  max,
  min,
  not,
  type SQL,
  sql,
  type SQLWrapper,
} from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { read } from "#app/db/batch.ts";
import { build, hasRow, oneRow, pick } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { dealHolds, dealTimers, orderItems } from "#app/orders/tables.server.ts";
import { payoutItems, payouts, refunds } from "#app/payments/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { refundPlace } from "#app/payments/transfers/refund-place.server.ts";
import type { RefundPlace } from "#app/db/states/refund.ts";
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

/** The newest lines, for a file, and whether there are more. One round trip. */
export async function readAllMoney(
  db: Database,
  input: Omit<MoneyInput, "after">,
  limit = CSV_ROWS,
): Promise<{ lines: MoneyLine[]; hasMore: boolean }> {
  const { lines, next } = await readMoney(db, input, limit);
  return { lines, hasMore: next !== null };
}

async function readMoney(
  db: Database,
  { sellerId, filter, after = null }: MoneyInput,
  limit: number,
): Promise<MoneyPage> {
  const place = readMoneyPlace(after);
  const {
    figures: [figures],
    sales,
  } = await read(db, { figures: oneRow(partsOf(sellerId)), sales: salesOf(sellerId, filter, place, limit + 1) });
  const totals: MoneyTotals = figures ?? { waiting: 0, onItsWay: 0, paid: 0 };
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

/** What is paid is added up from an index of its amounts: 10,000 payouts in 1 ms. */
function partsOf(sellerId: string) {
  const held = build
    .select({ amount: totalOf(earnedForSql(orderItems)) })
    .from(orderItems)
    .where(and(eq(orderItems.sellerId, sellerId), stateIs(orderItems.status, ITEM.isHeld)));
  const open = build
    .select({ amount: totalOf(payouts.amount) })
    .from(payouts)
    .where(and(eq(payouts.sellerId, sellerId), stateIs(payouts.state, TRANSFER.isOpen)));
  const paid = build
    .select({ amount: totalOf(payouts.amount) })
    .from(payouts)
    .where(and(eq(payouts.sellerId, sellerId), stateIs(payouts.state, TRANSFER.isDone)));
  return { waiting: sql<number>`(${held})`, onItsWay: sql<number>`(${open})`, paid: sql<number>`(${paid})` };
}

/** SQL: KES that have reached a seller or will, as My Money has it. */
export function reachingSeller(sellerId: string): SQL<number> {
  const { waiting, onItsWay, paid } = partsOf(sellerId);
  return sql<number>`${waiting} + ${onItsWay} + ${paid}`;
}

function totalOf(amount: SQLWrapper): SQL<number> {
  return sql<number>`COALESCE(SUM(${amount}), 0)`;
}

/** An item of which only the row's number is picked. */
const foundItem = alias(orderItems, "found_item");

const STATUSES: Record<Exclude<MoneyState, "on_its_way">, (typeof ITEM_STATUSES)[number][]> = {
  waiting: ITEM_STATUSES.filter(ITEM.isHeld),
  paid: ITEM_STATUSES.filter(ITEM.isCompleted),
  refunded: ITEM_STATUSES.filter(ITEM.isReturned),
};
const ALL_STATUSES = Object.values(STATUSES).flat();

/**
 * The query for a seller's paid sales, newest first. Each status is one index seek of at most `limit` rows. What is on
 * its way is found by its payout, because those are few. `json_each` and rows by their numbers aren't for the builder.
 */
function salesOf(sellerId: string, filter: MoneyState | null, place: MoneyPlace | null, limit: number) {
  const older =
    place &&
    and(
      lte(foundItem.createdAt, place.at),
      sql`(${foundItem.createdAt}, ${foundItem.id}) < (${place.at}, ${place.id})`,
    );
  const isOfStatus = and(
    eq(foundItem.sellerId, sellerId),
    sql`${foundItem.status} = status.value`,
    gt(foundItem.subtotal, 0),
    older ?? undefined,
    filter === "paid" ? isPaidOut : undefined,
  );
  const picked =
    filter === "on_its_way"
      ? sql`SELECT found_item.rowid FROM ${payouts} JOIN ${payoutItems} ON ${payoutItems.payoutId} = ${payouts.id}
        JOIN ${orderItems} found_item ON ${foundItem.id} = ${payoutItems.orderItemId}
          WHERE ${and(eq(payouts.sellerId, sellerId), stateIs(payouts.state, TRANSFER.isOpen), older ?? undefined)}`
      : sql`SELECT picked_item.rowid FROM json_each(${JSON.stringify(filter ? STATUSES[filter] : ALL_STATUSES)}) status
        CROSS JOIN ${orderItems} picked_item ON picked_item.rowid IN (
          SELECT found_item.rowid FROM ${orderItems} found_item INDEXED BY order_items_seller
          WHERE ${isOfStatus}
          ORDER BY ${foundItem.createdAt} DESC, ${foundItem.id} DESC LIMIT ${limit})`;
  const itemRow = alias(orderItems, "item_row");
  const refunded = build.select({ amount: refunds.amount }).from(refunds).where(eq(refunds.orderItemId, itemRow.id));
  return build
    .select({
      id: itemRow.id,
      orderId: itemRow.orderId,
      name: itemRow.productName,
      ...pick(itemRow, "status", "createdAt"),
      earned: earnedForSql(itemRow).as("earned"),
      soldAt: sql<number>`COALESCE(${itemRow.paidAt}, ${itemRow.createdAt})`.as("sold_at"),
      until: dealEnd(itemRow).as("until"),
      share: payoutItems.amount,
      payoutState: payouts.state,
      ...pick(payouts, "waitReason", "waitDetail", "receipt", "doneAt"),
      numberHeldUntil: profiles.payoutsHeldUntil,
      refunded: sql<number>`COALESCE((${refunded}), 0)`.as("refunded"),
      refundPlace: sql<RefundPlace | null>`(${build
        .select({ place: refundPlace() })
        .from(refunds)
        .where(eq(refunds.orderItemId, itemRow.id))})`.as("refund_place"),
    })
    .from(itemRow)
    .leftJoin(payoutItems, eq(payoutItems.orderItemId, itemRow.id))
    .leftJoin(payouts, eq(payouts.id, payoutItems.payoutId))
    .leftJoin(profiles, eq(profiles.id, itemRow.sellerId))
    .where(sql`item_row.rowid IN (${picked})`)
    .orderBy(desc(itemRow.createdAt), desc(itemRow.id))
    .limit(limit);
}

/**
 * SQL: until when an item stays as it is, unless somebody acts. A seller who has to answer has until the first
 * of its timers; where there are reminders, the last one counts. Null while its clock stands still.
 */
export function dealEnd(item: Record<"id" | "status", Column>): SQL<number | null> {
  const until = sql`CASE WHEN ${stateIs(item.status, ITEM.awaitsSeller)} THEN ${min(dealTimers.dueAt)}
    ELSE ${max(dealTimers.dueAt)} END`;
  const isHeld = hasRow(dealHolds, eq(dealHolds.orderItemId, item.id));
  return sql<number | null>`(${build
    .select({ until })
    .from(dealTimers)
    .where(and(eq(dealTimers.orderItemId, item.id), not(isHeld)))})`;
}

/** SQL: the found item was paid out. */
const isPaidOut = exists(
  build
    .select({ id: payouts.id })
    .from(payoutItems)
    .innerJoin(payouts, eq(payouts.id, payoutItems.payoutId))
    .where(and(eq(payoutItems.orderItemId, foundItem.id), stateIs(payouts.state, TRANSFER.isDone))),
);
