import type { FailureReason } from "#app/db/states/failure-reason.ts";

/**
 * What Chuoni needs from a mobile-money provider. `payments` owns the interface, and `workers/daraja` implements it
 * with Safaricom's protocol. Every answer is one of three cases: the provider accepted, the provider refused before any
 * money could move, or the result is unknown.
 */

export type { FailureReason };

/** Asks a customer to pay. `amount` in whole KES, 1 to 250,000; `phone` as 254XXXXXXXXX. */
export interface PushRequest {
  /**
   * The attempt's secret for the callback path: 16 to 64 lower-case hexadecimal digits and hyphens. Other letters could
   * spell a word that the provider refuses.
   */
  callbackToken: string;
  phone: string;
  amount: number;
  /** At most 12 letters and digits, shown on the customer's prompt. */
  accountReference: string;
  /** Cut to 13 letters, digits and spaces. */
  description: string;
}

export type PushAnswer =
  /** The prompt is queued. This says nothing about money. */
  | { kind: "accepted"; checkoutRequestId: string; merchantRequestId: string }
  /**
   * Refused before the customer could be asked. `retryAfterMs`: when the same request may be tried again; null means
   * never.
   */
  | { kind: "refused"; code: string; message: string; reason: FailureReason; retryAfterMs: number | null }
  /** The answer was lost or unreadable. The customer may or may not see a prompt. */
  | { kind: "unknown"; code: string; message: string };

/**
 * The answer to a request that we did not send, because the database was away when it was about to be. The same request
 * may be sent later.
 */
export const UNSENT = {
  kind: "refused",
  code: "unsent",
  message: "Nothing was sent, because our records were away",
  reason: "provider_busy",
  pausesChannel: false,
  retryAfterMs: 0,
} as const satisfies PushAnswer & PayoutAnswer & ReversalAnswer;

/**
 * The provider's answer to a request, as `resultDesc` keeps it. `resultCode` is kept for its result, which alone is
 * final: the code "0" of an answer says that something is queued.
 */
export function answerText({ code, message }: { code: string; message: string }): string {
  return `${code}: ${message}`.slice(0, 300);
}

/** What is known about one prompt. `unknown` never decides anything. */
export type PushOutcome =
  | { kind: "done" }
  | { kind: "failed"; code: string; message: string; reason: FailureReason }
  | { kind: "pending" }
  | { kind: "unknown"; code: string; message: string };

/**
 * An amount in hundredths of a shilling, so that 1.00 and 1 compare equal. Null when the provider sent none,
 * "unreadable" when it isn't an amount.
 */
export type AmountCents = number | "unreadable" | null;

/** A callback of a prompt, parsed. Nothing in it is trusted until it matches the stored attempt. */
export interface PushReport {
  checkoutRequestId: string;
  merchantRequestId: string;
  outcome: PushOutcome;
  /** As sent by the provider, "0" for success. */
  code: string;
  message: string;
  amountCents: AmountCents;
  receipt: string | null;
  /** Milliseconds since 1970 (UTC); null when missing or unreadable. */
  paidAt: number | null;
}

/** Pays a seller. `conversationId` is ours and never reused: the provider refuses to pay the same one twice. */
export interface PayoutRequest {
  conversationId: string;
  /** As in `PushRequest`. */
  callbackToken: string;
  phone: string;
  /** Whole KES, 10 to 250,000. */
  amount: number;
  remarks: string;
}

export type PayoutAnswer =
  | { kind: "accepted"; providerConversationId: string }
  /**
   * Refused before any money moved. `pausesChannel`: our configuration or float is the cause, so every payout would
   * fail.
   */
  | {
      kind: "refused";
      code: string;
      message: string;
      reason: FailureReason;
      pausesChannel: boolean;
      retryAfterMs: number | null;
    }
  /** The provider knows this conversation id already, so the first request may have paid. Look it up. */
  | { kind: "duplicate" }
  | { kind: "unknown"; code: string; message: string };

export type PayoutOutcome =
  | { kind: "done"; receipt: string }
  | { kind: "failed"; code: string; message: string; reason: FailureReason; pausesChannel: boolean }
  | { kind: "pending" }
  /** Only in answers to look-ups: the provider has no such payout, or not yet. */
  | { kind: "not_found" }
  | { kind: "unknown"; code: string; message: string };

/** A parsed result of a payout, or a parsed answer to its look-up. */
export interface PayoutReport {
  /** Our id, as the provider repeats it; null when it doesn't, as in every look-up that found nothing. */
  conversationId: string | null;
  /** `unknown`: a look-up that found nothing (code 2032) or failed. It says nothing about the payout. */
  outcome: PayoutOutcome;
  code: string;
  message: string;
  amountCents: AmountCents;
  receipt: string | null;
}

/** Asks for the result of a payout. The answer arrives later at the look-up callback. */
export interface PayoutLookupRequest {
  conversationId: string;
  callbackToken: string;
}

export type PayoutLookupAnswer =
  | { kind: "accepted" }
  | { kind: "refused"; code: string; message: string; retryAfterMs: number | null }
  | { kind: "unknown"; code: string; message: string };

/**
 * Sends a customer's whole payment back. The request has no id of ours, so a second one for the same receipt is refused
 * by the provider as already reversed.
 */
export interface ReversalRequest {
  /** Of the payment that goes back. */
  receipt: string;
  /** As in `PushRequest`. */
  callbackToken: string;
  /** Whole KES: all of the payment. */
  amount: number;
  remarks: string;
}

/** `receipt_invalid`: the receipt isn't one that the provider can reverse. */
export type ReversalFailure = FailureReason | "receipt_invalid";

export type ReversalAnswer =
  | { kind: "accepted"; providerConversationId: string }
  /** The money went back before, by an earlier request or because a person reversed it. */
  | { kind: "already_reversed" }
  /** As in `PayoutAnswer`. */
  | {
      kind: "refused";
      code: string;
      message: string;
      reason: ReversalFailure;
      pausesChannel: boolean;
      retryAfterMs: number | null;
    }
  | { kind: "unknown"; code: string; message: string };

export type ReversalOutcome =
  | { kind: "done"; receipt: string }
  | { kind: "already_reversed" }
  | { kind: "failed"; code: string; message: string; reason: ReversalFailure; pausesChannel: boolean }
  | { kind: "unknown"; code: string; message: string };

/** A parsed result of a reversal. */
export interface ReversalReport {
  /** The id that the provider gave to the request; null when it is missing. */
  providerConversationId: string | null;
  /** The receipt of the payment that went back; null when it is missing, as in every failure. */
  originalReceipt: string | null;
  outcome: ReversalOutcome;
  code: string;
  message: string;
  amountCents: AmountCents;
}

/** Asks about a transaction by its receipt. The answer arrives later at the receipt callback. */
export interface ReceiptLookupRequest {
  receipt: string;
  /** Our account that took part in it: the one that customers pay to, or the one that pays sellers and buyers. */
  account: "collection" | "payouts";
  /** As in `PushRequest`. */
  callbackToken: string;
}

/** What the provider reports about a receipt, parsed. */
export interface ReceiptReport {
  /**
   * `failed`: it came to nothing, or went back. `pending`: it isn't final yet. `busy` and `unknown`: the look-up
   * failed, for now or for an unknown reason. That says nothing about the receipt.
   */
  outcome: "done" | "failed" | "pending" | "not_found" | "busy" | "unknown";
  receipt: string | null;
  amountCents: AmountCents;
  /** Whether the money went to the shortcode that takes our customers' payments. */
  isToUs: boolean;
  /** Whether it left one of our shortcodes. */
  isFromUs: boolean;
  /**
   * The numbers of both sides as M-Pesa shows them, perhaps masked; null when it shows none. Never log or store them.
   */
  payer: string | null;
  receiver: string | null;
  /** As sent by the provider: the status of a transaction that was found, else the result code. */
  code: string;
}

/** A page of the provider's own list of customers' payments. Times in ms since 1970. */
export interface PullRequest {
  from: number;
  until: number;
  /** How many payments of that time to skip. */
  offset: number;
}

/** A payment of a customer to our account, as the provider lists it. */
export interface PulledPayment {
  receipt: string;
  /** Ms since 1970. */
  at: number;
  amountCents: number;
  /** The account reference that the payer gave. */
  reference: string | null;
  /** Perhaps masked. Never log or store it. */
  phone: string | null;
  reason: string | null;
}

export type PullAnswer =
  /**
   * No payments where nothing was paid, or nothing more. `unreadable`: how many more rows it has that can't be read.
   */
  | { kind: "listed"; payments: PulledPayment[]; unreadable: number }
  | { kind: "refused" | "unknown"; code: string; message: string };

/** How many payments a page of the list has. */
export const PULL_PAGE = 100;

/**
 * The provider. Methods that use the network never throw because of the network or the provider; they return `unknown`.
 * Readers take the raw body and return null for anything that isn't such a callback.
 */
export interface PaymentGateway {
  push(request: PushRequest): Promise<PushAnswer>;
  queryPush(checkoutRequestId: string): Promise<PushOutcome>;
  readPushCallback(body: string): PushReport | null;
  payOut(request: PayoutRequest): Promise<PayoutAnswer>;
  lookUpPayout(request: PayoutLookupRequest): Promise<PayoutLookupAnswer>;
  lookUpReceipt(request: ReceiptLookupRequest): Promise<PayoutLookupAnswer>;
  readReceiptLookup(body: string): ReceiptReport | null;
  readPayoutResult(body: string): PayoutReport | null;
  readPayoutLookup(body: string): PayoutReport | null;
  reverse(request: ReversalRequest): Promise<ReversalAnswer>;
  readReversalResult(body: string): ReversalReport | null;
  /**
   * Allows `pull` for our account. Done again, it changes nothing. `phone`: the number that the provider knows us by.
   */
  registerPull(phone: string): Promise<{ kind: "accepted" } | Exclude<PullAnswer, { kind: "listed" }>>;
  /** At most `PULL_PAGE` payments of the last 48 hours. */
  pull(request: PullRequest): Promise<PullAnswer>;
}
