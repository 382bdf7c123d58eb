/**
 * Readers of Safaricom's callbacks. Values are found by name, never by position, because the order, number and types of
 * items vary. Phone numbers are read only in answers about a receipt that a person typed: they may be masked, and
 * nothing else depends on them. See docs/m-pesa.md, "Callbacks of a prompt".
 */
import { readCompactTime } from "#app/platform/east-africa-time.ts";
import type {
  AmountCents,
  PayoutOutcome,
  PayoutReport,
  PushReport,
  ReceiptReport,
  ReversalOutcome,
  ReversalReport,
} from "#app/payments/gateway.ts";
import { pushOutcome } from "./classify.ts";
import { isJsonObject, readJsonObject, readText, type JsonObject } from "./json-reading.ts";
import { scrubCode, scrubMessage } from "./privacy.ts";
import {
  isPassingLookup,
  payoutResult,
  reversalResult,
  transactionStatus,
  type ResultMeaning,
} from "./result-codes.ts";

/** No known callback is a tenth of this. */
const MAX_BODY = 64 * 1024;
const MAX_ITEMS = 100;
const MAX_ID = 128;
const MAX_CODE = 32;
const MAX_PROSE = 1000;

/** Reads a callback of a prompt (docs/m-pesa.md, "Callbacks of a prompt"). Null for anything else. */
export function readPushCallback(text: string): PushReport | null {
  const callback = readObjectAt(text, ["Body", "stkCallback"]);
  if (callback === null) return null;
  const checkoutRequestId = readText(callback.CheckoutRequestID, MAX_ID);
  const code = readText(callback.ResultCode, MAX_CODE);
  if (checkoutRequestId === null || code === null) return null;
  const metadata = isJsonObject(callback.CallbackMetadata) ? callback.CallbackMetadata : {};
  const items = readItems(metadata.Item, "Name");
  const prose = readText(callback.ResultDesc, MAX_PROSE) ?? "";
  return {
    checkoutRequestId,
    merchantRequestId: readText(callback.MerchantRequestID, MAX_ID) ?? "",
    outcome: pushOutcome(code, prose),
    code: scrubCode(code),
    message: scrubMessage(prose),
    amountCents: readCents(items.get("Amount")),
    receipt: readText(items.get("MpesaReceiptNumber"), 64),
    paidAt: readCompactTime(readText(items.get("TransactionDate"), 14) ?? ""),
  };
}

/** Reads a payout's result (docs/m-pesa.md, "Results of a payout"). Null for anything else. */
export function readPayoutResult(text: string): PayoutReport | null {
  const result = readObjectAt(text, ["Result"]);
  if (result === null) return null;
  const code = readText(result.ResultCode, MAX_CODE);
  if (code === null) return null;
  const parameters = readParameters(result);
  const message = scrubMessage(readText(result.ResultDesc, MAX_PROSE) ?? "");
  const receipt = readText(result.TransactionID, 64) ?? readText(parameters.get("TransactionReceipt"), 64);
  return {
    conversationId: readText(result.OriginatorConversationID, MAX_ID),
    outcome: payoutOutcome(payoutResult(code), scrubCode(code), message, receipt),
    code: scrubCode(code),
    message,
    amountCents: readCents(parameters.get("TransactionAmount")),
    receipt,
  };
}

/**
 * Reads a reversal's result (docs/m-pesa.md, "Reversals"). Null for anything else. The result also names both parties,
 * which are never read.
 */
export function readReversalResult(text: string): ReversalReport | null {
  const result = readObjectAt(text, ["Result"]);
  const code = readText(result?.ResultCode, MAX_CODE);
  if (result === null || code === null) return null;
  const parameters = readParameters(result);
  const message = scrubMessage(readText(result.ResultDesc, MAX_PROSE) ?? "");
  return {
    providerConversationId: readText(result.ConversationID, MAX_ID),
    originalReceipt: readText(parameters.get("OriginalTransactionID"), 64),
    outcome: reversalOutcome(code, message, readText(result.TransactionID, 64)),
    code: scrubCode(code),
    message,
    amountCents: readCents(parameters.get("Amount")),
  };
}

/** `receipt`: of the reversal itself. A success without one is unknown, and asking again then tells that it is done. */
function reversalOutcome(resultCode: string, message: string, receipt: string | null): ReversalOutcome {
  const meaning = reversalResult(resultCode);
  const code = scrubCode(resultCode);
  if (meaning.kind === "already_reversed") return meaning;
  if (meaning.kind === "failed")
    return { kind: "failed", code, message, reason: meaning.reason, pausesChannel: meaning.pausesChannel };
  if (meaning.kind === "done" && receipt !== null) return { kind: "done", receipt };
  return { kind: "unknown", code, message };
}

const NO_SUCH_TRANSACTION = "2032";

interface Lookup {
  result: JsonObject;
  parameters: Map<string, unknown>;
  /** What became of the transaction. A failed look-up says nothing about it. */
  meaning: ResultMeaning | { kind: "not_found" };
  /** The status of a transaction that was found, else the result code. */
  code: string;
}

/** Reads the answer to a look-up (docs/m-pesa.md, "Transaction Status"). Null for anything else. */
function readLookup(text: string): Lookup | null {
  const result = readObjectAt(text, ["Result"]);
  if (result === null) return null;
  const parameters = readParameters(result);
  const resultCode = readText(result.ResultCode, MAX_CODE);
  const status = readText(parameters.get("TransactionStatus"), MAX_CODE);
  // The portal's example of a found transaction has no result code.
  if (status !== null && (resultCode === null || resultCode === "0"))
    return { result, parameters, meaning: transactionStatus(status), code: scrubCode(status) };
  if (resultCode === null) return null;
  const kind = resultCode === NO_SUCH_TRANSACTION ? "not_found" : "unknown";
  return { result, parameters, meaning: { kind }, code: scrubCode(resultCode) };
}

/**
 * Reads the answer to a look-up of a payout. Null for anything else. The ids at the top belong to the look-up itself;
 * those of the payout are among the parameters.
 */
export function readPayoutLookup(text: string): PayoutReport | null {
  const lookup = readLookup(text);
  if (lookup === null) return null;
  const { result, parameters, meaning, code } = lookup;
  const message = scrubMessage(readText(result.ResultDesc, MAX_PROSE) ?? "");
  const receipt = readText(parameters.get("ReceiptNo"), 64);
  return {
    conversationId: readText(parameters.get("OriginatorConversationID"), MAX_ID),
    outcome: meaning.kind === "not_found" ? meaning : payoutOutcome(meaning, code, message, receipt),
    code,
    message,
    amountCents: readCents(parameters.get("Amount")),
    receipt,
  };
}

/**
 * Reads the answer to a look-up by receipt. Null for anything else. `collecting`: the shortcodes that receive our
 * customers' payments. `own`: all of ours.
 */
export function readReceiptLookup(
  text: string,
  { collecting, own }: { collecting: string[]; own: string[] },
): ReceiptReport | null {
  const lookup = readLookup(text);
  if (lookup === null) return null;
  const { result, parameters, meaning, code } = lookup;
  const { payer, receiver } = readParties(result);
  return {
    outcome: meaning.kind === "unknown" && isPassingLookup(code) ? "busy" : meaning.kind,
    receipt: readText(parameters.get("ReceiptNo"), 64),
    amountCents: readCents(parameters.get("Amount")),
    isToUs: receiver !== null && collecting.includes(receiver),
    isFromUs: payer !== null && own.includes(payer),
    payer,
    receiver,
    code,
  };
}

/**
 * The numbers of both sides, without their names. M-Pesa names both parties DebitPartyName, the payer first. A single
 * one is the payer's.
 */
function readParties(result: JsonObject): { payer: string | null; receiver: string | null } {
  const parameters = isJsonObject(result.ResultParameters) ? result.ResultParameters.ResultParameter : [];
  const list: unknown[] = Array.isArray(parameters) ? parameters.slice(0, MAX_ITEMS) : [];
  const named = (key: string) => list.filter(isJsonObject).filter((item) => item.Key === key);
  const debited = named("DebitPartyName");
  const receiver = named("CreditPartyName").at(-1) ?? (debited.length > 1 ? debited.at(-1) : undefined);
  return { payer: partyNumber(debited[0]?.Value), receiver: partyNumber(receiver?.Value) };
}

/** "600992 - Chuoni" is "600992", and "2547 ***** 349 - JOHN DOE" is "2547 ***** 349". */
function partyNumber(value: unknown): string | null {
  const text = readText(value, 200) ?? "";
  const [number = ""] = text.includes(" - ") ? text.split(" - ") : (/^[\d+*]+/.exec(text) ?? text.split(" "));
  return number.trim() || null;
}

/** A completed payout needs a transaction id for the books. Without one, a person or a look-up must find it. */
function payoutOutcome(meaning: ResultMeaning, code: string, message: string, receipt: string | null): PayoutOutcome {
  if (meaning.kind === "pending") return { kind: "pending" };
  if (meaning.kind === "failed")
    return { kind: "failed", code, message, reason: meaning.reason, pausesChannel: meaning.pausesChannel };
  if (meaning.kind === "done" && receipt !== null) return { kind: "done", receipt };
  return { kind: "unknown", code, message };
}

function readObjectAt(text: string, path: readonly string[]): JsonObject | null {
  if (text.length > MAX_BODY) return null;
  let found = readJsonObject(text);
  for (const key of path) {
    const next: unknown = found?.[key];
    found = isJsonObject(next) ? next : null;
  }
  return found;
}

function readParameters(result: JsonObject): Map<string, unknown> {
  const parameters = isJsonObject(result.ResultParameters) ? result.ResultParameters : {};
  return readItems(parameters.ResultParameter, "Key");
}

/** The value of a name that occurs twice with different values. Every reader treats it as unreadable. */
const CONTRADICTION = Object.freeze({});

/** Items by name, from a list or a single object. Items without a value are left out. */
function readItems(list: unknown, nameKey: "Name" | "Key"): Map<string, unknown> {
  const items = new Map<string, unknown>();
  for (const item of (Array.isArray(list) ? list : [list]).slice(0, MAX_ITEMS)) {
    if (!isJsonObject(item)) continue;
    const name = readText(item[nameKey], 64);
    if (name === null || item.Value === undefined || item.Value === null) continue;
    items.set(name, items.has(name) && items.get(name) !== item.Value ? CONTRADICTION : item.Value);
  }
  return items;
}

/**
 * Shillings as hundredths: 1, 1.00 and "1.00" are all 100. Null when there is none. A negative amount, a third decimal
 * and anything that isn't a number are "unreadable".
 */
function readCents(value: unknown): AmountCents {
  if (value === undefined) return null;
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(readText(value, 16) ?? "");
  if (match === null) return "unreadable";
  return Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}
