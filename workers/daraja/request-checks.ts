/**
 * Checks before a request is sent, for what Safaricom would refuse anyway. Then nothing is sent and no money can move.
 */
import type {
  FailureReason,
  PayoutRequest,
  PushRequest,
  ReversalFailure,
  ReversalRequest,
} from "#app/payments/gateway.ts";
import { PAYMENT_LIMITS, PAYOUT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";
import { isCallbackToken } from "./callback-urls.ts";

const PHONE = /^254[17]\d{8}$/;
const ACCOUNT_REFERENCE = /^[A-Za-z0-9]{1,12}$/;
const RECEIPT = /^[A-Z0-9]{10}$/i;
const CONVERSATION_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** Why a request wasn't sent. */
export interface LocalFault<Reason = FailureReason> {
  code: string;
  message: string;
  reason: Reason;
}

export const badToken: LocalFault = {
  code: "local.token",
  message: "The callback token is not hexadecimal",
  reason: "our_configuration",
};
const badPhone: LocalFault = { code: "local.phone", message: "Invalid PhoneNumber", reason: "invalid_phone" };
const badAmount: LocalFault = { code: "local.amount", message: "Invalid Amount", reason: "amount_limit" };

/** Checks a prompt request for what Safaricom would refuse (docs/m-pesa.md, "Prompts"). */
export function findPushFault(request: PushRequest): LocalFault | null {
  if (!isCallbackToken(request.callbackToken)) return badToken;
  if (!PHONE.test(request.phone)) return badPhone;
  if (!isWholeWithin(request.amount, PAYMENT_LIMITS)) return badAmount;
  if (ACCOUNT_REFERENCE.test(request.accountReference)) return null;
  return {
    code: "local.reference",
    message: "The account reference is not 1 to 12 letters and digits",
    reason: "our_configuration",
  };
}

/** The same for payouts (docs/m-pesa.md, "Payouts"). */
export function findPayoutFault(request: PayoutRequest): LocalFault | null {
  if (!isCallbackToken(request.callbackToken)) return badToken;
  if (!PHONE.test(request.phone)) return badPhone;
  if (!isWholeWithin(request.amount, PAYOUT_LIMITS)) return badAmount;
  if (CONVERSATION_ID.test(request.conversationId)) return null;
  return {
    code: "local.conversation",
    message: "The conversation id is not 1 to 128 plain characters",
    reason: "our_configuration",
  };
}

/** The same for reversals (docs/m-pesa.md, "Reversals"). */
export function findReversalFault(request: ReversalRequest): LocalFault<ReversalFailure> | null {
  if (!isCallbackToken(request.callbackToken)) return badToken;
  if (!isWholeWithin(request.amount, PAYMENT_LIMITS)) return badAmount;
  if (RECEIPT.test(request.receipt)) return null;
  return { code: "local.receipt", message: "The receipt is not 10 letters and digits", reason: "receipt_invalid" };
}

function isWholeWithin(amount: number, limits: { min: number; max: number }): boolean {
  return Number.isSafeInteger(amount) && amount >= limits.min && amount <= limits.max;
}

/** Letters, digits and single spaces, cut to `max`. Returns `fallback` if fewer than two characters are left. */
export function plainWords(text: string, max: number, fallback: string): string {
  const words = text
    .replace(/[^A-Za-z0-9]+/g, " ")
    .trim()
    .slice(0, max)
    .trim();
  return words.length >= 2 ? words : fallback;
}
