/** Payments: pure rules (commerce spec §4, §6, §8, §9; Daraja facts §3 to §5). */
import type { PaymentFailure, PaymentReview } from "#app/db/states/order.ts";
import type { PayoutReason } from "#app/db/states/payout.ts";
import { PAYMENT_LIMITS, PAYOUT_LIMITS } from "#app/platform/m-pesa-rules.ts";
import type { FailureReason } from "./gateway.ts";

// ------------------------------------------------------------------ amounts

/** Which limit refuses `amount` (KES) as a payment request, or null where it may be asked for. */
export function refuseAmount(amount: number): "not_positive" | "too_large" | null {
  if (!Number.isInteger(amount) || amount < PAYMENT_LIMITS.min) return "not_positive";
  return amount > PAYMENT_LIMITS.max ? "too_large" : null;
}

/** What the payer sees as account: "ORD" and the order id's first 8 hex digits; Daraja takes 12 letters and digits at most. */
export function accountReference(orderId: string): string {
  return reference("ORD", orderId);
}

/** The same for a plan. */
export function planReference(subscriptionId: string): string {
  return reference("PLN", subscriptionId);
}

function reference(prefix: string, id: string): string {
  return `${prefix}${id.replaceAll("-", "").slice(0, 8).toUpperCase()}`;
}

const EAT_AHEAD_MS = 3 * 60 * 60_000;

/** The day in East Africa (UTC+3, no daylight saving) of `at` (ms since 1970), as YYYY-MM-DD. */
export function eatDay(at: number): string {
  return new Date(at + EAT_AHEAD_MS).toISOString().slice(0, 10);
}

/** When a day in East Africa begins and ends (ms since 1970); `day` as YYYY-MM-DD. */
export function eatDayBounds(day: string): { from: number; until: number } {
  const from = Date.parse(`${day}T00:00:00Z`) - EAT_AHEAD_MS;
  return { from, until: from + 24 * 60 * 60_000 };
}

// ----------------------------------------------------------------- attempts

export type AttemptState = "created" | "pushed" | "unknown" | "succeeded" | "failed" | "refused" | "expired" | "held";
export type AttemptEvent =
  /** Safaricom queued the prompt. */
  | "accepted"
  /** Safaricom said no before anyone was asked. */
  | "refused"
  /** The answer to the push was lost. */
  | "lost"
  /** A callback reported success with the right amount and a receipt. */
  | "paid"
  /** A query reported success; queries carry neither amount nor receipt. */
  | "confirmed"
  | "declined"
  /** A callback reported success with another amount, or with a receipt seen before. */
  | "mismatched"
  /** The window in which the customer could answer is over. */
  | "timed_out"
  /** A person has looked into it: it was not paid, or has been sent back. */
  | "dismissed";

/**
 * Payment attempts (design §5): success beats an earlier failure, failure never beats success, and an amount that does not
 * match is held for a person. An event without an entry changes nothing.
 */
export const ATTEMPT_TRANSITIONS: Record<AttemptState, Partial<Record<AttemptEvent, AttemptState>>> = {
  created: {
    accepted: "pushed",
    refused: "refused",
    lost: "unknown",
    paid: "succeeded",
    confirmed: "succeeded",
    declined: "failed",
    mismatched: "held",
    timed_out: "expired",
  },
  pushed: { paid: "succeeded", confirmed: "succeeded", declined: "failed", mismatched: "held", timed_out: "expired" },
  unknown: {
    accepted: "pushed",
    paid: "succeeded",
    confirmed: "succeeded",
    declined: "failed",
    mismatched: "held",
    timed_out: "expired",
  },
  refused: { paid: "succeeded", confirmed: "succeeded", mismatched: "held" },
  failed: { paid: "succeeded", confirmed: "succeeded", mismatched: "held" },
  expired: { paid: "succeeded", confirmed: "succeeded", declined: "failed", mismatched: "held" },
  held: { paid: "succeeded", dismissed: "failed" },
  succeeded: {},
};

/** States in which a customer may still be about to pay: a second prompt must not go out. */
export const LIVE_ATTEMPT_STATES = ["created", "pushed", "unknown"] as const satisfies AttemptState[];

/** Where `event` takes an attempt, or null where it changes nothing. */
export function nextAttemptState(state: AttemptState, event: AttemptEvent): AttemptState | null {
  return ATTEMPT_TRANSITIONS[state][event] ?? null;
}

/** How long a customer's answer is waited for before the buyer may try again, ms (Daraja facts §3.4). */
export const ATTEMPT_WINDOW_MS = 5 * 60_000;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** When a push is asked about, counted from when it was made, ms (Daraja facts §4.2). */
export const QUERY_SCHEDULE_MS = [
  30 * SECOND,
  60 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  60 * MINUTE,
  24 * 60 * MINUTE,
];

/** When to ask about an attempt next (ms since 1970) after `asked` queries; null: never again. */
export function nextQueryAt(createdAt: number, asked: number, now: number): number | null {
  const step = QUERY_SCHEDULE_MS[asked];
  return step === undefined ? null : Math.max(createdAt + step, now);
}

/** Pauses between the queries for a success that none has confirmed yet, ms; the last one goes on for ever: sellers wait for it. */
const CONFIRMATION_PAUSES_MS = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 60 * MINUTE, 24 * 60 * MINUTE];
/** How long after a success a person is told that no query confirms it, ms. */
export const CONFIRMATION_PATIENCE_MS = 60 * MINUTE;

/** Pause before a paid attempt is asked about again, ms; `waited`: since it was paid, ms. */
export function confirmationPause(waited: number): number {
  return CONFIRMATION_PAUSES_MS.find((pause) => waited < 2 * pause) ?? 24 * 60 * MINUTE;
}

/** Two successes of the same amount within this time are refused by M-Pesa (code 17), so a retry waits, ms. */
export const SAME_AMOUNT_PAUSE_MS = 2 * MINUTE;

/** How long the prompts to one phone are counted together, ms. */
export const PROMPT_WINDOW_MS = 10 * MINUTE;

/** How often one phone may ring, whoever asks it: as often as it takes to get a PIN right, and not all day. */
export function promptAllowances(phone: string): { key: string; max: number; windowMs: number }[] {
  return [
    { key: `prompts:${phone}`, max: 4, windowMs: PROMPT_WINDOW_MS },
    { key: `prompts-day:${phone}`, max: 12, windowMs: 24 * 60 * MINUTE },
  ];
}

/** How often one account may have any phone asked, its owner's as well: each request keeps what was there once from all others for a while. */
export function requestAllowance(userId: string): { key: string; max: number; windowMs: number } {
  return { key: `payment-requests:${userId}`, max: 60, windowMs: 24 * 60 * MINUTE };
}

/** How a payment stands, as the one who pays sees it. */
export interface PaymentState {
  paymentStatus: "pending" | "processing" | "completed" | "failed";
  /** Why our team looks into it; null while it does not. */
  paymentReview: PaymentReview | null;
  paymentFailure: PaymentFailure | null;
  phoneNumber: string | null;
  /** KES. */
  amount: number;
  mpesaReceipt: string | null;
}

/** How a payment stands of which there is nothing but its latest attempt. */
export function paymentStateOf(
  state: AttemptState,
  failure: FailureReason | null,
): Pick<PaymentState, "paymentStatus" | "paymentReview" | "paymentFailure"> {
  const open = { paymentReview: null, paymentFailure: null };
  if (state === "succeeded") return { ...open, paymentStatus: "completed" };
  if (state === "held") return { ...open, paymentStatus: "processing", paymentReview: "mismatch" };
  if (LIVE_ATTEMPT_STATES.some((live) => live === state)) return { ...open, paymentStatus: "processing" };
  return { ...open, paymentStatus: "failed", paymentFailure: state === "expired" ? "no_result" : (failure ?? "other") };
}

// ------------------------------------------------------------------ payouts

export type PayoutState = "due" | "sending" | "sent" | "unknown" | "paid" | "parked";
export type PayoutEvent =
  /** One worker took it in hand. */
  | "claimed"
  | "accepted"
  /** Refused before money moved; may be sent again later. */
  | "postponed"
  /** Refused or failed for good: a person must act. */
  | "blocked"
  /** The answer or the result was lost, or M-Pesa says it knows this payout already. */
  | "lost"
  /** M-Pesa has never heard of it: it may be sent again under the same id. */
  | "not_found"
  | "paid"
  | "retried";

/**
 * Payouts (design §5): one row an order item. What is not certain is looked up, never sent again; success beats everything.
 */
export const PAYOUT_TRANSITIONS: Record<PayoutState, Partial<Record<PayoutEvent, PayoutState>>> = {
  due: { claimed: "sending", blocked: "parked", paid: "paid" },
  sending: { accepted: "sent", postponed: "due", blocked: "parked", lost: "unknown", paid: "paid" },
  sent: { lost: "unknown", blocked: "parked", paid: "paid" },
  unknown: { lost: "unknown", accepted: "sent", blocked: "parked", not_found: "due", paid: "paid" },
  parked: { retried: "due", paid: "paid" },
  paid: {},
};

/** Where `event` takes a payout, or null where it changes nothing. */
export function nextPayoutState(state: PayoutState, event: PayoutEvent): PayoutState | null {
  return PAYOUT_TRANSITIONS[state][event] ?? null;
}

/** How long a result is waited for before the payout is looked up, ms. */
export const PAYOUT_RESULT_WAIT_MS = 5 * MINUTE;
/** How long a worker may take over one send before the payout counts as lost, ms. */
export const PAYOUT_SEND_WAIT_MS = 2 * MINUTE;
/** Pauses before each look-up of a payout in doubt, ms; after the last a person is told, and it goes on hourly. */
const PAYOUT_LOOKUP_SCHEDULE_MS = [15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE];
/** How long the whole queue pauses when our float or configuration is at fault, ms. */
export const PAYOUT_HOLD_MS = 15 * MINUTE;

/** Pause before look-up number `asked` (0 first), ms. */
export function payoutLookupDelay(asked: number): number {
  return PAYOUT_LOOKUP_SCHEDULE_MS[Math.min(asked, PAYOUT_LOOKUP_SCHEDULE_MS.length - 1)] ?? 60 * MINUTE;
}

/** Why `amount` (KES) cannot be paid out alone, or null where it can. */
export function refusePayoutAmount(amount: number): PayoutReason | null {
  if (amount < PAYOUT_LIMITS.min) return "amount_too_small";
  return amount > PAYOUT_LIMITS.max ? "amount_too_large" : null;
}

/** Reasons for which a payout is parked that its seller can remove: another number, or room on it. */
const SELLER_CAN_REMOVE: PayoutReason[] = [
  "no_phone",
  "unreadable_phone",
  "not_registered",
  "invalid_phone",
  "receiver_limit",
  "payer_limit",
];

/** Whether the seller may have a parked payout tried again by themselves. */
export function canSellerRetry(reason: PayoutReason | null): boolean {
  return reason !== null && SELLER_CAN_REMOVE.includes(reason);
}

// ------------------------------------------------------------------- ledger

export type LedgerAccount =
  /** Our paybill: what customers paid in. */
  | "mpesa_collection"
  /** The account payouts leave from. */
  | "mpesa_payout_float"
  /** Paid by buyers, not yet earned by sellers. */
  | "escrow"
  /** Earned by sellers, not yet paid out. */
  | "seller_payable"
  | "refunds_due"
  | "fees"
  /** Came in, but nobody knows yet what for. */
  | "suspense"
  /** Earned by us: what sellers paid for their plans. */
  | "plans";
export type LedgerKind = "charge" | "release" | "payout" | "fee" | "refund_due" | "refund" | "suspense";

/** One leg of a transaction, KES; debit above zero. */
export interface LedgerLeg {
  account: LedgerAccount;
  kind: LedgerKind;
  amount: number;
}

/** A buyer paid `amount` for an order. */
export function chargeLegs(amount: number): LedgerLeg[] {
  return transfer("charge", "mpesa_collection", "escrow", amount);
}
/** A seller paid `amount` for a plan: it is ours at once. */
export function planLegs(amount: number): LedgerLeg[] {
  return transfer("charge", "mpesa_collection", "plans", amount);
}
/** An item of `amount` was delivered: the seller has earned it. */
export function releaseLegs(amount: number): LedgerLeg[] {
  return transfer("release", "escrow", "seller_payable", amount);
}
/** The seller was paid `amount`. */
export function payoutLegs(amount: number): LedgerLeg[] {
  return transfer("payout", "seller_payable", "mpesa_payout_float", amount);
}
/** A second payment of `amount` came in for something already paid. */
export function refundDueLegs(amount: number): LedgerLeg[] {
  return transfer("refund_due", "mpesa_collection", "refunds_due", amount);
}

function transfer(kind: LedgerKind, debit: LedgerAccount, credit: LedgerAccount, amount: number): LedgerLeg[] {
  if (amount === 0) return [];
  return [
    { account: debit, kind, amount },
    { account: credit, kind, amount: -amount },
  ];
}
