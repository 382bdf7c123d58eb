/** M-Pesa's own lists: Pull Transactions, and the statement that the portal for businesses gives. */
import { spacedTime } from "#app/platform/east-africa-time.ts";
import { type Counter, newRequestId, refuse } from "./counter.ts";
import { conversationId } from "./identifiers.ts";
import { dashedTimeOf } from "./kenya-time.ts";
import { registeredName } from "./people.ts";
import { type Fields, readPullQuery, readPullRegistration } from "./requests.ts";
import { answerJson, type WireAnswer } from "./wire-answer.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

/** Pull Transactions go back so far, ms. */
const PULLED_MS = 48 * HOUR_MS;
const PAGE = 100;

/** Handles the registration for Pull Transactions. 1001 means that it was done before. */
export function registerPull(counter: Counter, fields: Fields): WireAnswer {
  const reading = readPullRegistration(fields, counter.merchant);
  if (!reading.ok) return refuse(counter, reading.refusal);
  const { pullRegistered } = counter.settings;
  counter.change({ pullRegistered: true });
  return answerJson(200, {
    ResponseRefID: newRequestId(counter),
    ResponseStatus: pullRegistered ? "1001" : "1000",
    ShortCode: counter.merchant.shortcode,
    ResponseDescription: pullRegistered ? "ShortCode already registered" : "ShortCode registered successfully",
  });
}

/** Handles a query of Pull Transactions: customers' payments, the oldest first, in a list in a list. */
export function requestPull(counter: Counter, fields: Fields): WireAnswer {
  const { store, settings, merchant, chooser } = counter;
  const reading = readPullQuery(fields, merchant);
  if (!reading.ok) return refuse(counter, reading.refusal);
  const { from, until, offset } = reading.value;
  const ResponseRefID = newRequestId(counter);
  // What the real API answers then isn't documented.
  if (!settings.pullRegistered)
    return answerJson(200, { ResponseRefID, ResponseCode: "1002", ResponseMessage: "ShortCode is not registered" });
  const now = counter.now();
  const known = Math.min(until, now - chooser.listLagMs());
  const paid = store.listPaid(Math.max(from, now - PULLED_MS), known).slice(offset, offset + PAGE);
  const rows = paid.map((prompt) => ({
    transactionId: prompt.receipt,
    trxDate: spacedTime(prompt.settled_at ?? 0).replace(" ", "T") + "Z",
    msisdn: chooser.quirks(counter).maskPhone
      ? `${prompt.phone.slice(0, 4)}*****${prompt.phone.slice(-3)}`
      : prompt.phone,
    sender: "MPESA",
    transactiontype: "c2b-pay-bill-debit",
    billreference: prompt.account_reference,
    amount: `${prompt.amount}.00`,
    organizationname: merchant.name,
  }));
  return answerJson(200, {
    ResponseRefID,
    ResponseCode: rows.length > 0 ? "1000" : "1001",
    ResponseMessage: rows.length > 0 ? "Success" : "No transactions found",
    Response: [rows],
  });
}

const HEAD = [
  "Receipt No.",
  "Completion Time",
  "Initiation Time",
  "Details",
  "Transaction Status",
  "Paid In",
  "Withdrawn",
  "Balance",
  "Balance Confirmed",
  "Reason Type",
  "Other Party Info",
  "Linked Transaction ID",
  "A/C No.",
];

interface Movement {
  receipt: string;
  startedAt: number;
  at: number;
  /** KES. What left the account is below zero. */
  amount: number;
  reason: string;
  /** The other side's number; empty for a charge. */
  phone: string;
  linked?: string;
  reference?: string;
}

/** The statement of one of the merchant's accounts as a CSV file, the newest line first. `from` and `until` in ms. */
export function statementOf(
  { store, merchant }: Pick<Counter, "store" | "merchant">,
  { account, from, until }: { account: "collection" | "payouts"; from: number; until: number },
): string {
  const all = account === "collection" ? collected({ store }) : paidOut({ store });
  let balance = 0;
  const lines = all
    .toSorted((one, other) => one.at - other.at)
    .map((movement) => {
      balance += movement.amount;
      return { movement, balance };
    })
    .filter(({ movement: { at } }) => at >= from && at <= until)
    .map(({ movement, balance: after }) => lineOf(movement, after))
    .toReversed();
  const shortcode = account === "collection" ? merchant.shortcode : merchant.payoutShortcode;
  const rows = [
    ["Short Code:", `${shortcode} - ${merchant.name}`],
    ["Account:", account === "collection" ? "Working Account" : "Utility Account"],
    ["Time Period:", `From ${dashedTimeOf(from)} To ${dashedTimeOf(until)}`],
    [],
    HEAD,
    ...lines,
  ];
  return rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")).join("\r\n");
}

function lineOf({ receipt, startedAt, at, amount, reason, phone, linked, reference }: Movement, balance: number) {
  const party = phone === "" ? "" : `${phone} - ${registeredName(phone)}`;
  const details = party === "" ? reason : `${reason} ${amount > 0 ? "from" : "to"} ${party}`;
  return [
    receipt,
    dashedTimeOf(at),
    dashedTimeOf(startedAt),
    reference === undefined ? details : `${details} Acc. ${reference}`,
    "Completed",
    amount > 0 ? money(amount) : "",
    amount < 0 ? money(amount) : "",
    money(balance),
    "true",
    reason,
    party,
    linked ?? "",
    reference ?? "",
  ];
}

function money(amount: number): string {
  return `${amount.toLocaleString("en")}.00`;
}

function collected({ store }: Pick<Counter, "store">): Movement[] {
  const paid = store.listPaid(0, Number.MAX_SAFE_INTEGER);
  const payments = paid.map((prompt) => ({
    receipt: prompt.receipt ?? "",
    startedAt: prompt.created_at,
    at: prompt.settled_at ?? 0,
    amount: prompt.amount,
    reason: "Pay Bill Online",
    phone: prompt.phone,
    reference: prompt.account_reference,
  }));
  const phones = new Map(paid.map(({ receipt, phone }) => [receipt, phone]));
  const reversals = store.listReversed().map((reversal) => ({
    receipt: reversal.receipt ?? "",
    startedAt: reversal.created_at,
    at: reversal.settled_at ?? 0,
    amount: -reversal.amount,
    reason: "Transaction Reversal",
    phone: phones.get(reversal.original_receipt) ?? "",
    linked: reversal.original_receipt,
  }));
  return [...payments, ...reversals];
}

function paidOut({ store }: Pick<Counter, "store">): Movement[] {
  return store.listPaidOut().flatMap((payout) => {
    const sent = {
      receipt: payout.receipt ?? "",
      startedAt: payout.created_at,
      at: payout.settled_at ?? 0,
      amount: -payout.amount,
      reason: "Business Payment to Customer via API",
      phone: payout.phone,
    };
    const charge = { ...sent, amount: -payout.charge, reason: "Business Payment Charge", phone: "" };
    return payout.charge > 0 ? [sent, charge] : [sent];
  });
}

/** Payments and payouts of a time before there was this sandbox, such as those of the demo campus. */
export interface EarlierPayments {
  payments: {
    receipt: string;
    phone: string;
    amount: number;
    reference: string;
    checkoutRequestId: string;
    merchantRequestId: string;
    startedAt: number;
    paidAt: number;
  }[];
  payouts: {
    receipt: string;
    phone: string;
    amount: number;
    conversationId: string;
    startedAt: number;
    paidAt: number;
  }[];
}

/** Lets M-Pesa know of them, as if it had made them. Those that it knows stay as they are. */
export function addEarlier(
  { store, random }: Pick<Counter, "store" | "random">,
  { payments, payouts }: EarlierPayments,
): void {
  for (const payment of payments) {
    if (store.findPromptByReceipt(payment.receipt)) continue;
    store.addPrompt({
      checkout_request_id: payment.checkoutRequestId,
      merchant_request_id: payment.merchantRequestId,
      phone: payment.phone,
      amount: payment.amount,
      account_reference: payment.reference,
      description: "Earlier",
      callback_url: "",
      waits_for_handset: 0,
      created_at: payment.startedAt,
      expires_at: payment.paidAt,
    });
    store.settlePrompt(payment.checkoutRequestId, "0", payment.receipt, payment.paidAt);
  }
  for (const payout of payouts) {
    if (store.findPayout(payout.conversationId)) continue;
    store.addPayout({
      originator_conversation_id: payout.conversationId,
      conversation_id: conversationId(payout.startedAt, random),
      command_id: "BusinessPayment",
      phone: payout.phone,
      amount: payout.amount,
      remarks: "Earlier",
      occasion: "",
      result_url: "",
      timeout_url: "",
      created_at: payout.startedAt,
      visible_from: payout.startedAt,
    });
    const paid = { code: "0", receipt: payout.receipt, charge: 0, at: payout.paidAt };
    store.settlePayout(payout.conversationId, paid);
  }
}
