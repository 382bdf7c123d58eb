/** What happened to held money on a day, and what is open: queries for the ledger page and the daily summary. */
import { and, count, eq, gte, inArray, lt, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import { build } from "#app/db/build.ts";
import { ledgerEntries, refunds } from "#app/payments/tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { TRANSFER, type TransferState } from "#app/db/states/transfer.ts";
import { dayBounds } from "#app/platform/east-africa-time.ts";

/** Amounts in KES. */
export interface Total {
  count: number;
  amount: number;
}

/** The held money of a day. An item whose price was split is in `released`, `refunded` and `split`. */
export interface EscrowDay {
  held: Total;
  released: Total;
  refunded: Total;
  /** KES that we took as service fees. */
  fees: number;
  /** Items. */
  split: number;
}

/** The query for the held money of a day (YYYY-MM-DD, East Africa Time). It reads the escrow entries of that day. */
export function escrowOfDay(day: string) {
  const { account, kind, amount, orderItemId } = ledgerEntries;
  const sumOf = (kinds: (typeof kind.enumValues)[number][]) =>
    sql<number>`SUM(CASE WHEN ${inArray(kind, kinds)} THEN ${amount} ELSE 0 END)`;
  const item = build
    .select({
      held: sql<number>`-${sumOf(["charge", "hold"])}`.as("held"),
      released: sumOf(["release"]).as("released"),
      refunded: sumOf(["refund_due"]).as("refunded"),
      fees: sumOf(["fee"]).as("fees"),
    })
    .from(ledgerEntries)
    .where(and(eq(account, "escrow"), isBookedOn(day)))
    .groupBy(orderItemId)
    .as("item");
  const { held, released, refunded, fees } = item;
  return build
    .select({
      heldCount: countIf(sql`${held} > 0`).as("held_count"),
      held: sumOr0(held).as("held_amount"),
      releasedCount: countIf(sql`${released} > 0`).as("released_count"),
      released: sumOr0(released).as("released_amount"),
      refundedCount: countIf(sql`${refunded} > 0`).as("refunded_count"),
      refunded: sumOr0(refunded).as("refunded_amount"),
      fees: sumOr0(fees).as("fees_amount"),
      split: countIf(sql`${released} > 0 AND ${refunded} > 0`).as("split"),
    })
    .from(item);
}

function countIf(condition: SQL): SQL<number> {
  return sql<number>`COALESCE(SUM(${condition}), 0)`;
}

function sumOr0(amount: SQLWrapper): SQL<number> {
  return sql<number>`COALESCE(SUM(${amount}), 0)`;
}

export function readEscrowDay([row]: Awaited<ReturnType<typeof escrowOfDay>>): EscrowDay {
  return {
    held: { count: row?.heldCount ?? 0, amount: row?.held ?? 0 },
    released: { count: row?.releasedCount ?? 0, amount: row?.released ?? 0 },
    refunded: { count: row?.refundedCount ?? 0, amount: row?.refunded ?? 0 },
    fees: row?.fees ?? 0,
    split: row?.split ?? 0,
  };
}

/** The query for the refunds that reached their buyers on a day: a Total. */
export function refundsOfDay(day: string) {
  const { account, kind, amount } = ledgerEntries;
  return build
    .select({ count: count(), amount: sumOr0(amount).as("amount") })
    .from(ledgerEntries)
    .where(and(eq(account, "refunds_due"), eq(kind, "refund"), isBookedOn(day)));
}

export function readTotal([total]: Total[]): Total {
  return total ?? { count: 0, amount: 0 };
}

export interface OpenRefunds extends Total {
  state: TransferState;
}

/** The query for the open refunds, by state. */
export function openRefunds() {
  return (
    build
      // Drizzle takes no columns from a table that it doesn't know.
      .select({
        state: sql<TransferState>`${refunds.state}`.as("state"),
        count: count(),
        amount: sumOr0(refunds.amount).as("amount"),
      })
      .from(sql`${refunds} INDEXED BY refunds_open`)
      .where(stateIs(refunds.state, TRANSFER.isOpen))
      .groupBy(refunds.state)
  );
}

/** The query for how many items our team has to decide about: `n`. */
export function itemsInReview() {
  return build
    .select({ n: count() })
    .from(sql`${orderItems} INDEXED BY order_items_desk`)
    .where(and(stateIs(orderItems.status, ITEM.isHeld), stateIs(orderItems.status, ITEM.isInReview)));
}

function isBookedOn(day: string): SQL | undefined {
  const { from, until } = dayBounds(day);
  return and(gte(ledgerEntries.createdAt, from), lt(ledgerEntries.createdAt, until));
}
