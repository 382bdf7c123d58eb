/**
 * A seller's month: what we hold for them or owe them at its beginning, each change, and the same at its end. Pure. The
 * balance is what the ledger has for the seller's items in escrow and owed to sellers (docs/product-rules.md,
 * "Statements and receipts").
 */
import { writeCsv } from "#app/platform/csv.ts";
import { monthBounds, monthName } from "#app/platform/east-africa-time.ts";
import type { RefundPlace } from "#app/db/states/refund.ts";
import { REFUND_WORDS } from "#app/payments/transfers/refund-words.ts";
import { formatDateTime } from "#app/ui/dates.ts";

export const STATEMENT_KINDS = ["sale", "refund", "fee", "payout"] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];

/** Something that changes what we have for a seller. */
export interface MoneyChange {
  kind: StatementKind;
  /** Ms since 1970. */
  at: number;
  /** Of the order item, the refund, the fee's entry in the ledger, or the payout. */
  id: string;
  /**
   * KES. A sale adds it; a refund to the buyer, our fee and a payout take it away. Above zero, but for a fee that we
   * gave back, because the money is held again.
   */
  amount: number;
  /** The item's name; null for a payout. */
  name: string | null;
  /** Null for a payout, which may be for several orders. */
  orderId: string | null;
  /** M-Pesa's, of a payout. */
  receipt: string | null;
  /** Where a refund is; null for the others. */
  place: RefundPlace | null;
}

export interface StatementLine extends MoneyChange {
  /** KES after it. */
  balance: number;
}

export interface SellerStatement {
  /** YYYY-MM in East Africa Time. */
  month: string;
  /** KES. */
  opening: number;
  lines: StatementLine[];
  totals: Record<StatementKind, number>;
  closing: number;
}

/** The statement of a month, from all changes before its end. Later ones are left out. */
export function sellerStatement(changes: readonly MoneyChange[], month: string): SellerStatement {
  const { from, until } = monthBounds(month);
  const opening = changes.filter(({ at }) => at < from).reduce((sum, change) => sum + signed(change), 0);
  let balance = opening;
  const lines = changes
    .filter(({ at }) => at >= from && at < until)
    .toSorted((one, other) => one.at - other.at || order(one) - order(other) || (one.id < other.id ? -1 : 1))
    .map((change) => {
      balance += signed(change);
      return { ...change, balance };
    });
  const total = (kind: StatementKind) =>
    lines.filter((line) => line.kind === kind).reduce((sum, { amount }) => sum + amount, 0);
  const totals = { sale: total("sale"), refund: total("refund"), fee: total("fee"), payout: total("payout") };
  return { month, opening, lines, totals, closing: balance };
}

/** KES that a change adds to the balance. */
export function signed({ kind, amount }: Pick<MoneyChange, "kind" | "amount">): number {
  return kind === "sale" ? amount : -amount;
}

function order({ kind }: MoneyChange): number {
  return STATEMENT_KINDS.indexOf(kind);
}

/** A month that has begun by `now` (ms since 1970), as YYYY-MM. Anything else is the current one. */
export function readMonth(text: string | null, now: number): string {
  const current = monthName(now);
  const isMonth = /^20\d\d-(0[1-9]|1[0-2])$/.test(text ?? "");
  return text !== null && isMonth && text <= current ? text : current;
}

/** The month before or after, as YYYY-MM. */
export function monthBeside(month: string, by: -1 | 1): string {
  const { from, until } = monthBounds(month);
  return monthName(by === -1 ? from - 1 : until);
}

/** What a line says. */
export function lineWords({
  kind,
  name,
  place,
  amount,
}: Pick<MoneyChange, "kind" | "name" | "place" | "amount">): string {
  switch (kind) {
    case "sale":
      return `Sold: ${name ?? ""}`;
    case "refund":
      // The sum isn't ours any more, wherever it is.
      return `Back to the buyer: ${name ?? ""}${place === null || place === "done" ? "" : `. ${REFUND_WORDS[place].seller({ amount })}`}`;
    case "fee":
      return `Service fee${amount < 0 ? " back" : ""}: ${name ?? ""}`;
    case "payout":
      return "Paid to your M-Pesa";
  }
}

/** The statement as a CSV file, with a header row. */
export function statementAsCsv({ month, opening, lines, closing }: SellerStatement): string {
  const { from, until } = monthBounds(month);
  const row = (at: number, words: string, balance: number) => [
    formatDateTime(at),
    words,
    "",
    "",
    "",
    "",
    String(balance),
  ];
  return writeCsv([
    ["Time", "What", "Order", "M-Pesa receipt", "In (KES)", "Out (KES)", "Balance (KES)"],
    row(from, "Opening balance", opening),
    ...lines.map((line) => [
      formatDateTime(line.at),
      lineWords(line),
      line.orderId ?? "",
      line.receipt ?? "",
      signed(line) > 0 ? String(signed(line)) : "",
      signed(line) > 0 ? "" : String(-signed(line)),
      String(line.balance),
    ]),
    row(until - 60_000, "Closing balance", closing),
  ]);
}
