/** The bodies that Safaricom posts later: payment callbacks, payout results and answers to look-ups. Pure. */
import { compactTime } from "#app/platform/east-africa-time.ts";
import { dottedTimeOf } from "./kenya-time.ts";
import { paymentProse, payoutProse } from "./result-codes.ts";
import type { Settings } from "./settings.ts";

const RESULT_REFERENCE = "https://internalsandbox.safaricom.co.ke/mpesa/b2cresults/v1/submit";
/** How much earlier than the request some payments are dated, in ms. */
const EARLY_DATE_MS = 179_000;

/** Numeric codes are JSON numbers in a callback; others are strings. */
function wireCode(code: string): number | string {
  return /^\d+$/.test(code) ? Number(code) : code;
}

/** "KES 1,500.00" without the currency: "1500.00". */
function cents(amount: number): string {
  return amount.toFixed(2);
}

export interface PaymentNews {
  merchantRequestId: string;
  checkoutRequestId: string;
  code: string;
  /** Whole KES, as reported. */
  amount: number;
  receipt: string | null;
  /** ms. */
  paidAt: number;
  phone: string;
}

export type CallbackQuirks = Pick<
  Settings,
  "omitBalance" | "omitReceipt" | "maskPhone" | "earlyDate" | "integerAmount"
>;

interface MetadataItem {
  Name: string;
  Value?: number | string;
}

function metadataOf(news: PaymentNews, quirks: CallbackQuirks): MetadataItem[] {
  const date = compactTime(quirks.earlyDate ? news.paidAt - EARLY_DATE_MS : news.paidAt);
  const phone = quirks.maskPhone ? `${news.phone.slice(0, 4)} ***** ${news.phone.slice(-3)}` : Number(news.phone);
  const items: MetadataItem[] = [{ Name: "Amount", Value: news.amount }];
  if (!quirks.omitReceipt) items.push({ Name: "MpesaReceiptNumber", Value: news.receipt ?? "" });
  if (!quirks.omitBalance) items.push({ Name: "Balance" });
  items.push({ Name: "TransactionDate", Value: Number(date) }, { Name: "PhoneNumber", Value: phone });
  return items;
}

/**
 * The payment callback as text, because JSON.stringify can't write the literal 1500.00 of Amount. A failure has no
 * CallbackMetadata, and Balance has no Value.
 */
export function paymentCallback(news: PaymentNews, quirks: CallbackQuirks): string {
  const metadata = news.code === "0" ? { CallbackMetadata: { Item: metadataOf(news, quirks) } } : {};
  const text = JSON.stringify({
    Body: {
      stkCallback: {
        MerchantRequestID: news.merchantRequestId,
        CheckoutRequestID: news.checkoutRequestId,
        ResultCode: wireCode(news.code),
        ResultDesc: paymentProse(news.code, "callback"),
        ...metadata,
      },
    },
  });
  if (quirks.integerAmount) return text;
  return text.replace(`{"Name":"Amount","Value":${news.amount}}`, `{"Name":"Amount","Value":${cents(news.amount)}}`);
}

interface Parameter {
  Key: string;
  Value?: number | string;
}

/** One of the known shapes of ReferenceItem: an object, a list, or without a Value. */
function referenceItem(turn: number): Parameter | Parameter[] {
  const item = { Key: "QueueTimeoutURL", Value: RESULT_REFERENCE };
  const shapes = [item, [item], { Key: "QueueTimeoutURL" }];
  return shapes[turn % shapes.length]!;
}

function rotated<T>(items: T[], turn: number): T[] {
  const at = turn % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

export interface Funds {
  /** KES in the account that pays the payouts. */
  utility: number;
  /** KES that customers have paid in. */
  working: number;
  /** KES paid in charges so far. Zero or negative. */
  charges: number;
}

export interface PayoutNews {
  originatorConversationId: string;
  conversationId: string;
  receipt: string;
  code: string;
  /** Whole KES. */
  amount: number;
  phone: string;
  customer: string;
  /** ms. */
  settledAt: number;
  funds: Funds;
}

function fundsParameters(funds: Funds): Parameter[] {
  return [
    { Key: "B2CUtilityAccountAvailableFunds", Value: funds.utility },
    { Key: "B2CWorkingAccountAvailableFunds", Value: funds.working },
    { Key: "B2CChargesPaidAccountAvailableFunds", Value: funds.charges },
  ];
}

/** Failures carry no parameters, except for an empty float. */
function payoutParameters(news: PayoutNews): Parameter[] {
  if (news.code === "1") return fundsParameters(news.funds);
  if (news.code !== "0") return [];
  return [
    { Key: "TransactionAmount", Value: news.amount },
    { Key: "TransactionReceipt", Value: news.receipt },
    { Key: "ReceiverPartyPublicName", Value: `${news.phone} - ${news.customer}` },
    { Key: "TransactionCompletedDateTime", Value: dottedTimeOf(news.settledAt) },
    ...fundsParameters(news.funds),
    { Key: "B2CRecipientIsRegisteredCustomer", Value: "Y" },
  ];
}

interface ResultNews {
  code: string;
  originatorConversationId: string;
  conversationId: string;
  receipt: string;
  parameters: Parameter[];
  reference: object;
}

function resultBody(news: ResultNews): string {
  const parameters = news.parameters.length > 0 ? { ResultParameters: { ResultParameter: news.parameters } } : {};
  return JSON.stringify({
    Result: {
      ResultType: 0,
      ResultCode: wireCode(news.code),
      ResultDesc: payoutProse(news.code),
      OriginatorConversationID: news.originatorConversationId,
      ConversationID: news.conversationId,
      TransactionID: news.receipt,
      ...parameters,
      ReferenceData: { ReferenceItem: news.reference },
    },
  });
}

/** A payout's result. `turn` varies the order of keys and the shape of ReferenceItem, as Safaricom does. */
export function payoutResult(news: PayoutNews, turn: number): string {
  const parameters = payoutParameters(news);
  return resultBody({
    ...news,
    parameters: parameters.length > 0 ? rotated(parameters, turn) : [],
    reference: referenceItem(turn),
  });
}

/** The body for the time-out URL. No real one is known, so this says as little as possible. */
export function payoutTimeout(originatorConversationId: string, conversationId: string): string {
  return JSON.stringify({
    OriginatorConversationID: originatorConversationId,
    ConversationID: conversationId,
    ResultDesc: "The request timed out in the queue.",
  });
}

export interface ReversalNews extends RequestIds {
  code: string;
  /** Whole KES. */
  amount: number;
  /** Of the payment that goes back. */
  originalReceipt: string;
  /** "254… - NAME" */
  customer: string;
  business: string;
  /** KES left on our account. */
  balance: number;
  /** ms. */
  settledAt: number;
}

/** A reversal's result. A failure carries no parameters. */
export function reversalResult(news: ReversalNews): string {
  return resultBody({
    ...news,
    parameters:
      news.code === "0"
        ? [
            { Key: "DebitAccountBalance", Value: `Utility Account|KES|${cents(news.balance)}` },
            { Key: "Amount", Value: news.amount },
            { Key: "TransCompletedTime", Value: Number(compactTime(news.settledAt)) },
            { Key: "OriginalTransactionID", Value: news.originalReceipt },
            { Key: "Charge", Value: 0 },
            { Key: "CreditPartyPublicName", Value: news.customer },
            { Key: "DebitPartyPublicName", Value: news.business },
          ]
        : [],
    reference: { Key: "QueueTimeoutURL", Value: RESULT_REFERENCE },
  });
}

/** The same for the time-out URL of a reversal. */
export function reversalTimeout({ originatorConversationId, conversationId }: RequestIds): string {
  return payoutTimeout(originatorConversationId, conversationId);
}

/** The ids that Safaricom gives to a look-up or a reversal. */
export interface RequestIds {
  originatorConversationId: string;
  conversationId: string;
  receipt: string;
}

/** A transaction as a look-up finds it. */
export interface FoundTransaction {
  originatorConversationId: string;
  conversationId: string;
  receipt: string | null;
  /** Completed, Declined, Authorized … */
  status: string;
  reason: string;
  /** Whole KES. */
  amount: number;
  debitParty: string;
  creditParty: string;
  account: string;
  /** KES, with its name. */
  charge: { name: string; amount: number };
  /** ms. */
  initiatedAt: number;
  finalisedAt: number | null;
}

function statusParameters(found: FoundTransaction): Parameter[] {
  const finalised = found.finalisedAt === null ? {} : { Value: Number(compactTime(found.finalisedAt)) };
  const receipt = found.receipt === null ? {} : { Value: found.receipt };
  return [
    { Key: "DebitPartyName", Value: found.debitParty },
    { Key: "DebitPartyName", Value: found.creditParty },
    { Key: "OriginatorConversationID", Value: found.originatorConversationId },
    { Key: "InitiatedTime", Value: Number(compactTime(found.initiatedAt)) },
    { Key: "DebitAccountType", Value: found.account },
    { Key: "DebitPartyCharges", Value: `${found.charge.name}|KES|${cents(found.charge.amount)}` },
    { Key: "TransactionReason" },
    { Key: "ReasonType", Value: found.reason },
    { Key: "TransactionStatus", Value: found.status },
    { Key: "FinalisedTime", ...finalised },
    { Key: "Amount", Value: found.amount },
    { Key: "ConversationID", Value: found.conversationId },
    { Key: "ReceiptNo", ...receipt },
  ];
}

/**
 * The answer to a Transaction Status request. The outer ids belong to the look-up; those of the transaction are among
 * the parameters, where DebitPartyName occurs twice. 2032 means nothing found.
 */
export function statusResult(ids: RequestIds, code: string, found: FoundTransaction | null): string {
  return resultBody({
    ...ids,
    code,
    parameters: code === "0" && found ? statusParameters(found) : [],
    reference: { Key: "Occasion" },
  });
}

/** The answer to an STK query of a settled payment. ResultCode is a string here. */
export function queryAnswer(
  merchantRequestId: string,
  checkoutRequestId: string,
  code: string,
  description: string,
): object {
  return {
    ResponseCode: "0",
    ResponseDescription: "The service request has been accepted successfully",
    MerchantRequestID: merchantRequestId,
    CheckoutRequestID: checkoutRequestId,
    ResultCode: code,
    ResultDesc: description,
  };
}
