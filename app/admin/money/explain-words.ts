/** Explaining a payment: its search, and what happened to its money as one timeline in words. Pure. */
import { type ItemPrice, paidFor } from "#app/orders/item-price-rules.ts";
import { capitalized } from "#app/platform/word-rules.ts";
import type { Handover } from "#app/db/states/handover.ts";
import type { AttemptState } from "#app/db/states/attempt.ts";
import type { DealEvent } from "#app/db/states/deal.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import type { RefundReason } from "#app/db/states/refund.ts";
import type { TransferMethod, TransferState, WaitReason } from "#app/db/states/transfer.ts";
import { type HistoryReader, historyWords } from "#app/deals/words/history-words.ts";
import { refundReasonText, waitText } from "#app/payments/payment-texts.ts";
import { canSellerRetry, isReserved } from "#app/payments/transfers/transfer-rules.ts";
import { formatKes } from "#app/ui/money.ts";
import { ACTION_WORDS } from "#app/moderation/cases/case-texts.ts";
import { type PeopleSearch, readPeopleSearch } from "#app/admin/people/people-search-rules.ts";
import { readMoneySearch, withoutPhones } from "./money-rules.ts";

/** What a search may mean. All of it is searched. */
export interface ExplainSearch {
  receipt: string | null;
  /** The whole number, 254XXXXXXXXX. */
  phone: string | null;
  /** At least three last digits of a number. */
  ending: string | null;
  /** The id of an order, plan, payment, payout or refund, or its beginning of at least eight characters. */
  id: string | null;
  person: PeopleSearch | null;
}

/** Reads a search; null for an empty one. */
export function readExplainSearch(typed: string): ExplainSearch | null {
  const money = readMoneySearch(typed);
  if (money === null) return null;
  const ending = /^[\d\s•*…]+$/.test(typed) ? (/(\d{3,8})$/.exec(typed.replaceAll(/\s/g, ""))?.[1] ?? null) : null;
  const plan = /^pln([0-9a-f]{8})$/i.exec(typed.trim())?.[1]?.toLowerCase() ?? null;
  const { receipt, phone, order } = money;
  // Ten letters are a receipt or a name, such as "Zuri Wekesa".
  const isWords = phone === null && order === null && plan === null && ending === null;
  return { receipt, phone, ending, id: order ?? plan, person: isWords ? readPeopleSearch(typed) : null };
}

/** Everything that is known about the money of an order or plan. Amounts in KES, times in ms since 1970. */
export interface MoneyFacts {
  placed: { at: number; amount: number; of: "order" | "plan" };
  attempts: {
    id: string;
    token: string;
    state: AttemptState;
    /** Masked. */
    phone: string;
    amount: number;
    receipt: string | null;
    resultCode: string | null;
    resultDesc: string | null;
    createdAt: number;
    settledAt: number | null;
    confirmedAt: number | null;
  }[];
  items: (ItemPrice & {
    id: string;
    name: string;
    seller: string | null;
    handover: Handover;
    status: ItemStatus;
  })[];
  dealEvents: { itemId: string; event: DealEvent; reason: string | null; amount: number | null; at: number }[];
  /**
   * `amount`: the part that is for this order; `whole`: all of the payout; `feeTaken`: what we took of these items.
   */
  payouts: (TransferFacts & { seller: string | null; whole: number; feeTaken: number })[];
  /** `orderItemId`: null where a whole payment goes back. */
  refunds: (TransferFacts & { orderItemId: string | null; reason: RefundReason; method: TransferMethod | null })[];
  callbacks: { id: string; token: string; kind: string; outcome: string | null; body: string; at: number }[];
  /**
   * M-Pesa was asked about the receipt of a payment that it didn't report, or of a transfer that an admin sent by hand.
   */
  checks: {
    of: "payment" | "payout" | "refund";
    receipt: string;
    state: string;
    detail: string | null;
    admin: string | null;
    at: number;
    answeredAt: number | null;
  }[];
  discrepancies: { detail: string; resolution: string | null; at: number; resolvedAt: number | null }[];
  adminActs: { action: string; admin: string | null; detail: string | null; at: number }[];
}

interface TransferFacts {
  id: string;
  token: string;
  amount: number;
  state: TransferState;
  /** Masked. */
  phone: string | null;
  receipt: string | null;
  resultCode: string | null;
  resultDesc: string | null;
  waitReason: WaitReason | null;
  waitDetail: string | null;
  sendCount: number;
  lookupCount: number;
  /** When the job acts on it next, ms since 1970; null where nothing but a person does. */
  nextActionAt: number | null;
  /** The admin who sent it by hand; null where M-Pesa was asked to. */
  doneBy: string | null;
  createdAt: number;
  sentAt: number | null;
  doneAt: number | null;
}

export interface TimelineEntry {
  at: number;
  words: string;
  /** What M-Pesa said about it, without phone numbers; null where it said nothing. */
  body: string | null;
}

/** Steps of a deal that change nothing about its money. */
const NO_MONEY: readonly DealEvent[] = ["buyer_contacted", "buyer_agreed"];

const NO_PRICE: ItemPrice & { name?: string; handover?: Handover } = { subtotal: 0, buyerFee: 0, sellerFee: 0 };

/** What the two sides are called in the middle of a sentence. */
const CALLED: Record<HistoryReader, Record<"buyer" | "seller", string>> = {
  admin: { buyer: "the buyer", seller: "the seller" },
  buyer: { buyer: "you", seller: "the seller" },
  seller: { buyer: "the buyer", seller: "you" },
};

/**
 * The history of the money, oldest first. What happened at the same time stays in the order of the steps. Of a side
 * that reads it, the facts must be its own (`factsFor`).
 */
export function timelineOf(facts: MoneyFacts, reader: HistoryReader = "admin"): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  const add = (at: number | null, words: string, body: string | null = null) => {
    if (at !== null) entries.push({ at, words: withoutPhones(words), body: body && withoutPhones(body) });
  };
  const { placed } = facts;
  add(
    placed.at,
    placed.of === "order"
      ? `${capitalized(CALLED[reader].buyer)} ordered for ${formatKes(placed.amount)}.`
      : `The seller chose a plan for ${formatKes(placed.amount)}.`,
  );
  for (const attempt of facts.attempts) {
    add(attempt.createdAt, `We asked ${attempt.phone} to pay ${formatKes(attempt.amount)}.`);
    add(attempt.settledAt, settledWords(attempt));
    add(attempt.confirmedAt, "M-Pesa confirmed the payment when we asked, so payouts may leave.");
  }
  const itemOf = new Map(facts.items.map((item) => [item.id, item]));
  for (const { itemId, at, ...step } of facts.dealEvents.filter(({ event }) => !NO_MONEY.includes(event))) {
    // The attempts tell the payment to whoever knows of them.
    if (step.event === "paid" && reader !== "seller") continue;
    const { name = "An item", handover = "thing", ...price } = itemOf.get(itemId) ?? NO_PRICE;
    const words = historyWords({ ...step, handover, price }, reader);
    add(at, reader === "admin" ? `${name}: ${lowerFirst(words)}.` : `${words}.`);
  }
  for (const payout of facts.payouts) {
    const to = payout.seller || CALLED[reader].seller;
    const part = payout.whole === payout.amount ? "" : `, in a payout of ${formatKes(payout.whole)} with other sales`;
    const kept = payout.feeTaken === 0 ? "" : ` We keep a service fee of ${formatKes(payout.feeTaken)}.`;
    add(payout.createdAt, `We owe ${to} ${formatKes(payout.amount)}${part}.${kept}`);
    addTransfer(
      payout,
      `the payout to ${to}`,
      `${to} ${to === "you" ? "were" : "was"} paid ${formatKes(payout.amount)}`,
    );
  }
  for (const refund of facts.refunds) {
    const why = refundReasonText(refund.reason, null).replace(/\.$/, "");
    add(refund.createdAt, `We owe ${CALLED[reader].buyer} ${formatKes(refund.amount)} back. ${why}.`);
    const how = refund.method === "reversal" ? "the reversal of the payment" : "the refund";
    // Without a receipt it wasn't this request that sent it.
    const isOthers = refund.method === "reversal" && refund.receipt === null;
    const done = isOthers ? "M-Pesa says that the payment had been reversed before" : null;
    addTransfer(refund, how, done ?? `${CALLED[reader].buyer} got ${formatKes(refund.amount)} back`);
  }
  for (const { kind, outcome, body, at } of facts.callbacks)
    add(at, `M-Pesa reported about ${CALLBACKS[kind] ?? kind}: ${OUTCOMES[outcome ?? ""] ?? "not applied yet"}.`, body);
  for (const { of, receipt, state, detail, admin, at, answeredAt } of facts.checks) {
    const who = admin ?? "An admin";
    const sent = of === "payment" ? "" : `${who} sent the ${of} by hand, and entered receipt ${receipt}. `;
    add(at, sent === "" ? `${who} asked M-Pesa about receipt ${receipt}.` : `${sent}We asked M-Pesa about it.`);
    const answer = state === "confirmed" ? "confirmed it" : `didn't confirm it${detail ? ` (${detail})` : ""}`;
    add(answeredAt, `M-Pesa ${answer}: ${receipt}.`);
  }
  for (const { detail, resolution, at, resolvedAt } of facts.discrepancies) {
    add(at, `Our team was told: ${detail.replace(/\.$/, "")}.`);
    add(resolvedAt, `That was resolved: ${(resolution ?? "").replace(/\.$/, "") || "by itself"}.`);
  }
  for (const { action, admin, detail, at } of facts.adminActs.filter((act) => !TOLD_BY_CHECKS.includes(act.action)))
    add(at, `${admin ?? "An admin"} ${ACTS[action] ?? action.replaceAll("_", " ")}${detail ? `: “${detail}”` : ""}.`);
  return entries.toSorted((one, other) => one.at - other.at);

  function addTransfer(transfer: TransferFacts, what: string, done: string): void {
    const { sendCount, lookupCount, receipt, state, doneBy } = transfer;
    const tries = sendCount > 1 ? `, ${sendCount} times in all` : "";
    add(transfer.sentAt, `We asked M-Pesa for ${what}${tries}.`);
    if (state === "done") {
      const looked = lookupCount > 0 ? ` We had to ask again ${times(lookupCount)}.` : "";
      const proof = receipt === null && reader === "buyer" ? "" : `, receipt ${receipt ?? "not known"}`;
      add(transfer.doneAt, `${capitalized(done)}${doneBy === null ? "" : " by hand"}${proof}.${looked}`);
    }
  }
}

function settledWords({ state, receipt, resultCode, resultDesc }: MoneyFacts["attempts"][number]): string {
  const result =
    resultCode !== null && resultCode !== "0" ? ` M-Pesa's result: ${resultCode}, ${resultDesc ?? ""}.` : "";
  switch (state) {
    case "succeeded":
      return `Paid, receipt ${receipt ?? "not known yet"}.`;
    case "failed":
      return `Not paid.${result}`;
    case "refused":
      return `M-Pesa refused to ask.${resultDesc ? ` It said: ${resultDesc}.` : ""}`;
    case "expired":
      return "No answer came in time. M-Pesa may still report a payment.";
    case "held":
      return `Held for our team: ${resultDesc ?? "it doesn't match"}.`;
    case "created":
    case "pushed":
    case "unknown":
      return "Under way.";
  }
}

/** The entries about receipts say the same, and what M-Pesa answered. */
const TOLD_BY_CHECKS = ["payout_recorded", "refund_recorded"];

/** What admins did to the money. */
const ACTS: Record<string, string> = {
  ...ACTION_WORDS,
  team_refunded: "refunded the buyer",
  team_split: "refunded a part",
  team_released: "let the money go to the seller",
  payout_retried: "tried the payout again",
  payout_parked: "stopped the payout",
  payout_reserved: "took over the payout, to send it by hand",
  payout_paid_twice: "entered another receipt of the payout, which was sent twice",
  refund_retried: "tried the refund again",
  refund_reserved: "took over the refund, to send it by hand",
  refund_paid_twice: "entered another receipt of the refund, which was sent twice",
  payment_accepted: "accepted the payment by its receipt",
  payment_dismissed: "dismissed the payment",
};

const CALLBACKS: Record<string, string> = {
  push: "the payment",
  payout: "a payout or refund",
  payout_timeout: "a payout or refund that waits in its queue",
  lookup: "a payout or refund that we asked about",
  lookup_timeout: "our question, which waits in its queue",
  receipt: "a receipt that an admin entered",
  reversal: "a reversal",
  reversal_timeout: "a reversal that waits in its queue",
};

const OUTCOMES: Record<string, string> = {
  applied: "applied",
  unchanged: "nothing new",
  done: "done",
  parked: "it failed, so it is stopped",
  in_doubt: "not certain, so we ask",
  awaiting_query: "paid, without proof, so we ask",
  undecided: "undecided, so we ask",
  no_record: "no record of it, so we ask again",
  receipt_confirmed: "confirmed",
  receipt_rejected: "not confirmed",
  lookup_timed_out: "no answer",
  unreadable: "unreadable",
  foreign_id: "about another request",
  failed: "it couldn't be applied",
};

/** Where the money is now. The lines sum to what was paid, plus what was never charged. */
export interface MoneyPlaces {
  paid: number;
  held: number;
  toSellers: number;
  /** Service fees. */
  kept: number;
  toBuyer: number;
  /** KES of `toSellers` and `toBuyer` that M-Pesa hasn't confirmed yet. */
  unconfirmed: number;
}

export function placesOf({ attempts, items, payouts, refunds, placed }: MoneyFacts): MoneyPlaces {
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const open = [...payouts, ...refunds].filter(({ state }) => state !== "done");
  return {
    paid: sum(attempts.filter(({ state }) => state === "succeeded").map(({ amount }) => amount)),
    held: sum(items.filter(({ status }) => ITEM.isHeld(status)).map(paidFor)),
    toSellers: placed.of === "order" ? sum(payouts.map(({ amount }) => amount)) : 0,
    kept: placed.of === "order" ? sum(payouts.map(({ feeTaken }) => feeTaken)) : 0,
    toBuyer: sum(refunds.map(({ amount }) => amount)),
    unconfirmed: sum(open.map(({ amount }) => amount)),
  };
}

/** Why something waits now, for the page's top: each open payout and refund in a sentence. */
export function waitingNow({
  payouts,
  refunds,
}: Pick<MoneyFacts, "payouts" | "refunds">): { id: string; words: string }[] {
  const sentence = (kind: "payout" | "refund", transfer: TransferFacts) => {
    if (transfer.state === "done") return [];
    const said = waitText(kind, transfer)?.replace(/\.$/, "");
    const why =
      said === undefined ? STATES[transfer.state] : kind === "payout" ? `the seller reads “${said}”` : lowerFirst(said);
    const what = `${kind === "payout" ? "Payout" : "Refund"} of ${formatKes(transfer.amount)}`;
    return [{ id: transfer.id, words: `${what}: ${why}.${parkedUntil(kind, transfer)}` }];
  };
  return [...payouts.flatMap((one) => sentence("payout", one)), ...refunds.flatMap((one) => sentence("refund", one))];
}

/** What ends the wait of a parked transfer, after a space; nothing for any other. */
function parkedUntil(kind: "payout" | "refund", transfer: TransferFacts): string {
  if (transfer.state !== "parked" || isReserved(transfer)) return "";
  if (transfer.nextActionAt !== null) return " We try again every 15 minutes, until our M-Pesa account has the money.";
  const who = kind === "payout" && canSellerRetry(transfer.waitReason) ? "an admin or the seller" : "an admin";
  return ` It waits until ${who} presses "Try Again". Admins do so under Money, ${kind === "payout" ? "Payouts" : "Refunds"}.`;
}

const STATES: Record<TransferState, string> = {
  due: "it will be sent within a minute or two",
  sending: "it is being sent",
  sent: "M-Pesa has it, and hasn't told the result",
  unknown: "the result isn't known, so we ask M-Pesa",
  parked: "it is stopped",
  done: "done",
};

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function lowerFirst(words: string): string {
  return /^(M-Pesa|[A-Z]{2})/.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1);
}
