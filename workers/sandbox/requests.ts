/** Reads and checks requests as Daraja does: field by field, naming the first bad one in the refusal. Pure. */
import { readCompactTime } from "#app/platform/east-africa-time.ts";
import type { Merchant } from "./merchant.ts";
import { invalid, REFUSALS, type Refusal } from "./wire-answer.ts";

export type Fields = Readonly<Record<string, unknown>>;

export type Reading<T> = { ok: true; value: T } | { ok: false; refusal: Refusal };

const PHONE = /^254[17]\d{8}$/;
const SHORTCODE = /^\d{5,7}$/;
const MAX_AMOUNT = 250_000;
const MAX_ID = 128;
/** The real sandbox accepts longer texts than documented. Its limit isn't known. */
const MAX_TEXT = 300;
/** Words that Safaricom forbids in a callback URL, in upper or lower case. */
const FORBIDDEN_IN_URL = /m-?pesa|safaricom|exec?|cmd|sql|query|ngrok|mockbin|requestbin/i;

/** A field as text. Both strings and numbers are common; anything else counts as missing. */
function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : "";
}

/** Whole KES from 1 to 250,000, as a number or text; null for anything else. */
function wholeAmount(text: string): number | null {
  if (!/^[1-9]\d{0,8}$/.test(text)) return null;
  return Number(text);
}

/**
 * Whether Safaricom would accept the URL. The real sandbox requires a public host. Here loopback is the normal case.
 */
function isCallbackUrl(text: string): boolean {
  if (!URL.canParse(text) || FORBIDDEN_IN_URL.test(text)) return false;
  const { protocol } = new URL(text);
  return protocol === "http:" || protocol === "https:";
}

/** The fields of a body; null when it isn't a JSON object. */
export function readFields(contentType: string | undefined, body: string): Fields | null {
  if (!contentType?.toLowerCase().startsWith("application/json")) return null;
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null;
  } catch {
    return null;
  }
}

type Check = readonly [field: string, passes: boolean];

function firstFailure(checks: readonly Check[]): Refusal | null {
  const failed = checks.find(([, passes]) => !passes);
  return failed ? invalid(failed[0]) : null;
}

function passwordFor(shortcode: string, passkey: string, timestamp: string): string {
  return btoa(shortcode + passkey + timestamp);
}

function credentialsRefusal(fields: Fields, merchant: Merchant): Refusal | null {
  const shortcode = textOf(fields, "BusinessShortCode");
  if (shortcode !== merchant.shortcode) return REFUSALS.unknownMerchant;
  const expected = passwordFor(shortcode, merchant.passkey, textOf(fields, "Timestamp"));
  return textOf(fields, "Password") === expected ? null : REFUSALS.wrongCredentials;
}

export interface PushInput {
  shortcode: string;
  /** Whole KES. */
  amount: number;
  /** 254XXXXXXXXX: where the prompt goes. */
  phone: string;
  callbackUrl: string;
  accountReference: string;
  description: string;
  /**
   * Set if the request is well formed but M-PESA will end it with this code, for example for a till's transaction
   * type on a paybill.
   */
  failureCode: string | null;
}

const TRANSACTION_TYPES = ["CustomerPayBillOnline", "CustomerBuyGoodsOnline"];

/** Reads an STK push request. */
export function readPush(fields: Fields, merchant: Merchant): Reading<PushInput> {
  const shortcode = textOf(fields, "BusinessShortCode");
  const type = textOf(fields, "TransactionType");
  const partyB = textOf(fields, "PartyB");
  const amount = wholeAmount(textOf(fields, "Amount"));
  const reference = textOf(fields, "AccountReference");
  const description = textOf(fields, "TransactionDesc");
  const refusal =
    firstFailure([
      ["BusinessShortCode", SHORTCODE.test(shortcode)],
      ["Password", /^[A-Za-z0-9+/]+=*$/.test(textOf(fields, "Password"))],
      ["Timestamp", readCompactTime(textOf(fields, "Timestamp")) !== null],
      ["TransactionType", TRANSACTION_TYPES.includes(type)],
      ["Amount", amount !== null && amount <= MAX_AMOUNT],
      ["PartyA", PHONE.test(textOf(fields, "PartyA"))],
      ["PartyB", SHORTCODE.test(partyB)],
      ["PhoneNumber", PHONE.test(textOf(fields, "PhoneNumber"))],
      ["CallBackURL", isCallbackUrl(textOf(fields, "CallBackURL"))],
      ["AccountReference", reference !== "" && reference.length <= MAX_TEXT],
      ["Remarks", description !== "" && description.length <= MAX_TEXT],
    ]) ?? credentialsRefusal(fields, merchant);
  if (refusal) return { ok: false, refusal };
  return {
    ok: true,
    value: {
      shortcode,
      amount: amount!,
      phone: textOf(fields, "PhoneNumber"),
      callbackUrl: textOf(fields, "CallBackURL"),
      accountReference: reference,
      description,
      failureCode: type === "CustomerPayBillOnline" && partyB !== shortcode ? "2028" : null,
    },
  };
}

/** Reads an STK query: the CheckoutRequestID that it asks about. */
export function readQuery(fields: Fields, merchant: Merchant): Reading<string> {
  const id = textOf(fields, "CheckoutRequestID");
  const refusal =
    firstFailure([
      ["BusinessShortCode", SHORTCODE.test(textOf(fields, "BusinessShortCode"))],
      ["Password", textOf(fields, "Password") !== ""],
      ["Timestamp", readCompactTime(textOf(fields, "Timestamp")) !== null],
      ["CheckoutRequestID", id !== "" && id.length <= MAX_ID],
    ]) ?? credentialsRefusal(fields, merchant);
  return refusal ? { ok: false, refusal } : { ok: true, value: id };
}

/** The fields of every request in the initiator's name. */
interface InitiatorInput {
  resultUrl: string;
  timeoutUrl: string;
  /** Set when M-PESA will end it with this code: 2001 for a wrong initiator or credential. */
  failureCode: string | null;
}

function urlChecks(fields: Fields): Check[] {
  return [
    ["QueueTimeOutURL", isCallbackUrl(textOf(fields, "QueueTimeOutURL"))],
    ["ResultURL", isCallbackUrl(textOf(fields, "ResultURL"))],
  ];
}

function hasRemarks(fields: Fields): boolean {
  const { length } = textOf(fields, "Remarks");
  return length >= 2 && length <= 100;
}

function initiatorInput(fields: Fields, name: string, merchant: Merchant): InitiatorInput {
  const known = name === merchant.initiator && textOf(fields, "SecurityCredential") === merchant.securityCredential;
  return {
    resultUrl: textOf(fields, "ResultURL"),
    timeoutUrl: textOf(fields, "QueueTimeOutURL"),
    failureCode: known ? null : "2001",
  };
}

export interface PayoutInput extends InitiatorInput {
  originatorConversationId: string;
  commandId: string;
  /** Whole KES. */
  amount: number;
  shortcode: string;
  /** 254XXXXXXXXX. */
  phone: string;
  remarks: string;
  occasion: string;
}

const PAYOUT_COMMANDS = ["BusinessPayment", "SalaryPayment", "PromotionPayment"];
const MIN_PAYOUT = 10;

function payoutAmountCode(amount: number): string | null {
  if (amount < MIN_PAYOUT) return "2";
  return amount > MAX_AMOUNT ? "3" : null;
}

/** Reads a B2C v3 request. Amounts outside 10 to 250,000 are accepted, and fail later with code 2 or 3. */
export function readPayout(fields: Fields, merchant: Merchant): Reading<PayoutInput> {
  const id = textOf(fields, "OriginatorConversationID");
  const initiator = textOf(fields, "InitiatorName");
  const commandId = textOf(fields, "CommandID");
  const amount = wholeAmount(textOf(fields, "Amount"));
  const occasion = textOf(fields, "Occassion") || textOf(fields, "Occasion");
  const refusal = firstFailure([
    ["OriginatorConversationID", id !== "" && id.length <= MAX_ID],
    ["InitiatorName", initiator !== ""],
    ["SecurityCredential", textOf(fields, "SecurityCredential") !== ""],
    ["CommandID", PAYOUT_COMMANDS.includes(commandId)],
    ["Amount", amount !== null],
    ["PartyA", textOf(fields, "PartyA") === merchant.payoutShortcode],
    ["PartyB", PHONE.test(textOf(fields, "PartyB"))],
    ["Remarks", hasRemarks(fields)],
    ...urlChecks(fields),
    ["Occassion", occasion.length <= 100],
  ]);
  if (refusal) return { ok: false, refusal };
  const common = initiatorInput(fields, initiator, merchant);
  return {
    ok: true,
    value: {
      ...common,
      failureCode: common.failureCode ?? payoutAmountCode(amount!),
      originatorConversationId: id,
      commandId,
      amount: amount!,
      shortcode: textOf(fields, "PartyA"),
      phone: textOf(fields, "PartyB"),
      remarks: textOf(fields, "Remarks"),
      occasion,
    },
  };
}

export interface ReversalInput extends InitiatorInput {
  /** Of the payment that goes back. */
  originalReceipt: string;
  /** Whole KES. */
  amount: number;
}

/** Reads a reversal request. `RecieverIdentifierType` is spelt as in Safaricom's documentation. */
export function readReversal(fields: Fields, merchant: Merchant): Reading<ReversalInput> {
  const initiator = textOf(fields, "Initiator");
  const originalReceipt = textOf(fields, "TransactionID");
  const amount = wholeAmount(textOf(fields, "Amount"));
  const refusal = firstFailure([
    ["Initiator", initiator !== ""],
    ["SecurityCredential", textOf(fields, "SecurityCredential") !== ""],
    ["CommandID", textOf(fields, "CommandID") === "TransactionReversal"],
    ["TransactionID", /^[A-Z0-9]{10}$/.test(originalReceipt)],
    ["Amount", amount !== null],
    ["ReceiverParty", textOf(fields, "ReceiverParty") === merchant.shortcode],
    ["RecieverIdentifierType", textOf(fields, "RecieverIdentifierType") === "11"],
    ["Remarks", hasRemarks(fields)],
    ...urlChecks(fields),
  ]);
  if (refusal) return { ok: false, refusal };
  return { ok: true, value: { ...initiatorInput(fields, initiator, merchant), originalReceipt, amount: amount! } };
}

export interface StatusInput extends InitiatorInput {
  /** Or empty. */
  receipt: string;
  /** The caller's own id of a payout, or empty. */
  originalConversationId: string;
}

/** Reads a Transaction Status request: by receipt, by the payout's own id, or both. */
export function readStatus(fields: Fields, merchant: Merchant): Reading<StatusInput> {
  const initiator = textOf(fields, "Initiator");
  const receipt = textOf(fields, "TransactionID");
  const original = textOf(fields, "OriginalConversationID") || textOf(fields, "OriginatorConversationID");
  const refusal = firstFailure([
    ["Initiator", initiator !== ""],
    ["SecurityCredential", textOf(fields, "SecurityCredential") !== ""],
    ["CommandID", textOf(fields, "CommandID") === "TransactionStatusQuery"],
    ["TransactionID", receipt + original !== "" && receipt.length <= MAX_ID && original.length <= MAX_ID],
    ["PartyA", SHORTCODE.test(textOf(fields, "PartyA"))],
    ["IdentifierType", textOf(fields, "IdentifierType") === "4"],
    ["Remarks", hasRemarks(fields)],
    ...urlChecks(fields),
  ]);
  if (refusal) return { ok: false, refusal };
  const common = initiatorInput(fields, initiator, merchant);
  return { ok: true, value: { ...common, receipt, originalConversationId: original } };
}

/** Reads the registration for Pull Transactions. */
export function readPullRegistration(fields: Fields, merchant: Merchant): Reading<null> {
  const refusal = firstFailure([
    ["ShortCode", textOf(fields, "ShortCode") === merchant.shortcode],
    ["RequestType", textOf(fields, "RequestType") === "Pull"],
    ["NominatedNumber", PHONE.test(textOf(fields, "NominatedNumber"))],
    ["CallBackURL", isCallbackUrl(textOf(fields, "CallBackURL"))],
  ]);
  return refusal ? { ok: false, refusal } : { ok: true, value: null };
}

/** A period in ms since 1970, and how many payments to skip. */
export interface PullQuery {
  from: number;
  until: number;
  offset: number;
}

/** "2026-11-26 8:36:00", in East Africa Time. */
function spacedTime(text: string): number | null {
  return readCompactTime(text.replace(/ (\d):/, " 0$1:").replaceAll(/\D/g, ""));
}

/** Reads a query of Pull Transactions. */
export function readPullQuery(fields: Fields, merchant: Merchant): Reading<PullQuery> {
  const [from, until] = [spacedTime(textOf(fields, "StartDate")), spacedTime(textOf(fields, "EndDate"))];
  const offset = /^\d{1,9}$/.test(textOf(fields, "OffSetValue")) ? Number(textOf(fields, "OffSetValue")) : null;
  const refusal = firstFailure([
    ["ShortCode", textOf(fields, "ShortCode") === merchant.shortcode],
    ["StartDate", from !== null],
    ["EndDate", until !== null],
    ["OffSetValue", offset !== null],
  ]);
  if (refusal) return { ok: false, refusal };
  return { ok: true, value: { from: from!, until: until!, offset: offset! } };
}

/** Whether an Authorization header is Basic with the merchant's key and secret. */
export function isBasicFor(header: string | undefined, merchant: Merchant): boolean {
  return header === `Basic ${btoa(`${merchant.consumerKey}:${merchant.consumerSecret}`)}`;
}

/** The token of a Bearer header, or empty. */
export function bearerToken(header: string | undefined): string {
  return /^Bearer (\S+)$/.exec(header ?? "")?.[1] ?? "";
}
