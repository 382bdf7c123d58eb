/** What happened to held money on a day, and what is open: queries for the ledger page and the daily summary. */
import { sql } from "drizzle-orm";
import { rowOf, type Statement } from "#app/db/batch.ts";
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
  /** Items. */
  split: number;
}

/** The query for the held money of a day (YYYY-MM-DD, East Africa Time). It reads the escrow entries of that day. */
export function escrowOfDay(day: string): Statement {
  return sql`SELECT SUM(held > 0) AS heldCount, SUM(held) AS held, SUM(released > 0) AS releasedCount, SUM(released) AS released,
      SUM(refunded > 0) AS refundedCount, SUM(refunded) AS refunded, SUM(released > 0 AND refunded > 0) AS split
    FROM (SELECT -SUM(CASE WHEN kind IN ('charge', 'hold') THEN amount ELSE 0 END) AS held, SUM(CASE kind WHEN 'release' THEN amount ELSE 0 END) AS released,
      SUM(CASE kind WHEN 'refund_due' THEN amount ELSE 0 END) AS refunded
      FROM ledger_entries WHERE account = 'escrow' AND ${bookedOn(day)} GROUP BY order_item_id)`;
}

export function readEscrowDay(answer: unknown): EscrowDay {
  const row = rowOf<Record<string, number | null>>(answer);
  const total = (name: string) => ({ count: row?.[`${name}Count`] ?? 0, amount: row?.[name] ?? 0 });
  return { held: total("held"), released: total("released"), refunded: total("refunded"), split: row?.split ?? 0 };
}

/** The query for the refunds that reached their buyers on a day: a Total. */
export function refundsOfDay(day: string): Statement {
  return sql`SELECT COUNT(*) AS count, COALESCE(SUM(amount), 0) AS amount
    FROM ledger_entries WHERE account = 'refunds_due' AND kind = 'refund' AND ${bookedOn(day)}`;
}

export function readTotal(answer: unknown): Total {
  return rowOf<Total>(answer) ?? { count: 0, amount: 0 };
}

export interface OpenRefunds extends Total {
  state: TransferState;
}

/** The query for the open refunds, by state. */
export function openRefunds(): Statement {
  return sql`SELECT state, COUNT(*) AS count, SUM(amount) AS amount FROM refunds INDEXED BY refunds_open WHERE ${stateIs("state", TRANSFER.isOpen)} GROUP BY state`;
}

/** The query for how many items our team has to decide about: `n`. */
export function itemsInReview(): Statement {
  return sql`SELECT COUNT(*) AS n FROM order_items INDEXED BY order_items_desk WHERE ${stateIs("status", ITEM.isHeld)} AND ${stateIs("status", ITEM.isInReview)}`;
}

function bookedOn(day: string) {
  const { from, until } = dayBounds(day);
  return sql`created_at >= ${from} AND created_at < ${until}`;
}
