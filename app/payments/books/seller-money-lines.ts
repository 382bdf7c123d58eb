/**
 * What a seller reads about the money of each sale: where it is, why, and until when. Amounts in KES, times in ms since
 * 1970.
 */
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import type { TransferState, WaitReason } from "#app/db/states/transfer.ts";
import { writeCsv } from "#app/platform/csv.ts";
import { formatDateTime } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import type { RefundPlace } from "#app/db/states/refund.ts";
import { REFUND_WORDS } from "#app/payments/transfers/refund-words.ts";
import { waitText } from "#app/payments/payment-texts.ts";
import { payoutSentence } from "#app/payments/transfers/payout-summary.ts";

/** Where the money of a sale is. */
export const MONEY_STATES = ["waiting", "on_its_way", "paid", "refunded"] as const;
export type MoneyState = (typeof MONEY_STATES)[number];

export const MONEY_LABELS: Record<MoneyState, string> = {
  waiting: "Waiting",
  on_its_way: "On its way",
  paid: "Paid",
  refunded: "Refunded",
};

/** Reads a filter of the address; null shows all. */
export function readMoneyState(text: string | null): MoneyState | null {
  return MONEY_STATES.find((state) => state === text) ?? null;
}

/** A paid item, with what became of its money. */
export interface Sale {
  id: string;
  orderId: string;
  name: string;
  status: ItemStatus;
  /** The seller's share as long as all of it is kept. */
  earned: number;
  /** When something happens by itself; null when nothing does. */
  until: number | null;
  soldAt: number;
  /** The seller's share, once it is released. */
  share: number | null;
  payoutState: TransferState | null;
  waitReason: WaitReason | null;
  waitDetail: string | null;
  receipt: string | null;
  doneAt: number | null;
  /** Until when payouts wait, because the M-Pesa number changed. */
  numberHeldUntil: number | null;
  /** What the buyer gets back; 0 where nothing does. */
  refunded: number;
  /** Where that is; null where nothing goes back. */
  refundPlace: RefundPlace | null;
}

/** A line of the seller's money. */
export interface MoneyLine {
  id: string;
  orderId: string;
  name: string;
  state: MoneyState;
  /** The word for where it is. */
  label: string;
  amount: number;
  reason: string;
  soldAt: number;
  /** M-Pesa's receipt of the payout. */
  receipt: string | null;
  paidAt: number | null;
  /** What this sale and all older ones of the list bring. Null in the list of refunds. */
  balance: number | null;
}

/** What a held item's money waits for, without a full stop. */
export function heldReason(status: ItemStatus, until: number | null): string {
  const time = until === null ? "" : formatDateTime(until);
  const by = time && ` by ${time}`;
  switch (status) {
    case "processing":
      return `Waiting for you to ship it or enter the buyer's code${by}`;
    case "cancel_requested":
      return `The buyer asked to cancel. Answer${by || " soon"}`;
    case "shipped":
      return `Waiting for the delivery${time && `. Our team will check it on ${time}`}`;
    case "delivered":
      return `Waiting for the buyer${time && ` until ${time}`}`;
    case "problem_reported":
      return `The buyer reported a problem. Answer${by || " soon"}`;
    case "offered":
      return `Waiting for the buyer to answer your offer${time && ` until ${time}`}`;
    case "in_review":
      return "Our team is deciding";
    case "cancelled":
    case "refunded":
      return "The money goes back to the buyer";
    case "pending_payment":
    case "expired":
      return "The buyer hasn't paid";
    case "completed":
      return "Your payout is next in line";
  }
}

/** Where the money of a sale is. */
function moneyStateOf({ status, payoutState }: Pick<Sale, "status" | "payoutState">): MoneyState {
  if (ITEM.isReturned(status)) return "refunded";
  if (ITEM.isHeld(status)) return "waiting";
  return payoutState === "done" ? "paid" : "on_its_way";
}

/** A sale's line. `balance` is that of the list after this sale. */
export function moneyLine(sale: Sale, balance: number | null): MoneyLine {
  const { id, orderId, name, soldAt, receipt, doneAt: paidAt } = sale;
  const state = moneyStateOf(sale);
  const refund = sale.refundPlace && REFUND_WORDS[sale.refundPlace];
  const part = refund && state !== "refunded" ? partWords(sale, refund.seller({ amount: sale.refunded })) : "";
  const reason = `${withStop(reasonOf(sale, state))}${part}`;
  const label = (state === "refunded" && refund?.label) || MONEY_LABELS[state];
  return {
    id,
    orderId,
    name,
    state,
    label,
    amount: sale.share ?? sale.earned,
    reason,
    soldAt,
    receipt,
    paidAt,
    balance,
  };
}

/** What is said of the part that the buyer of a kept sale gets back. */
function partWords({ refunded, refundPlace }: Sale, words: string): string {
  return refundPlace === "done" ? ` The buyer got ${formatKes(refunded)} back.` : ` ${words}`;
}

function reasonOf(sale: Sale, state: MoneyState): string {
  const { status, until, payoutState, doneAt } = sale;
  if (state === "paid") return `Paid${doneAt === null ? "" : ` on ${formatDateTime(doneAt)}`}, receipt ${sale.receipt}`;
  if (state === "refunded" && sale.refundPlace) return REFUND_WORDS[sale.refundPlace].seller({ amount: sale.refunded });
  if (state !== "on_its_way" || payoutState === null) return heldReason(status, until);
  const waits = payoutState === "parked" || payoutState === "due" ? waitText("payout", sale) : null;
  const sentence = payoutSentence({ ...sale, state: payoutState });
  if (waits === null || sale.waitReason === "number_changed") return sentence;
  return payoutState === "parked" ? `Not paid yet: ${waits}` : `${sentence} ${waits}`;
}

function withStop(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** What a line adds to the balance. Money that went back to the buyer adds nothing. */
export function balanceChange({ state, amount }: Pick<MoneyLine, "state" | "amount">): number {
  return state === "refunded" ? 0 : amount;
}

/** The lines as a CSV file, with a header row. A last row says that there are more. */
export function moneyAsCsv(lines: readonly MoneyLine[], hasMore = false): string {
  const head = [
    "Sold",
    "Item",
    "Order",
    "Amount (KES)",
    "Where it is",
    "Why",
    "M-Pesa receipt",
    "Paid",
    "Total so far (KES)",
  ];
  const rows = lines.map((line) => [
    formatDateTime(line.soldAt),
    line.name,
    line.orderId,
    String(line.amount),
    line.label,
    line.reason,
    line.receipt ?? "",
    line.paidAt === null ? "" : formatDateTime(line.paidAt),
    line.balance === null ? "" : String(line.balance),
  ]);
  const more = `Only the newest ${lines.length.toLocaleString("en-KE")} sales are here. My Money shows the older ones.`;
  return writeCsv([head, ...rows, ...(hasMore ? [[more]] : [])]);
}

/** Where a page of lines starts: after the sale of that time and id, with the balance before it. */
export interface MoneyPlace {
  at: number;
  id: string;
  balance: number;
}

export function writeMoneyPlace({ at, id, balance }: MoneyPlace): string {
  return `${at}.${id}.${balance}`;
}

/** Returns null for an unreadable place. */
export function readMoneyPlace(text: string | null): MoneyPlace | null {
  const place = /^(?<at>\d{1,15})\.(?<id>[0-9a-f-]{36})\.(?<balance>\d{1,15})$/.exec(text ?? "");
  const { at, id, balance } = place?.groups ?? {};
  return at && id && balance ? { at: Number(at), id, balance: Number(balance) } : null;
}
