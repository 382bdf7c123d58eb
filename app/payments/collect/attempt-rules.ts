/**
 * The states of a payment attempt, and the times of the queries about it. See docs/states.md and docs/m-pesa.md,
 * "Prompts".
 */
import { RESERVATION_MS } from "#app/catalogue/stock/stock-rules.ts";
import { ATTEMPT, type AttemptState } from "#app/db/states/attempt.ts";
import type { PaymentFailure, PaymentReview, PaymentStatus } from "#app/db/states/order.ts";
import { MINUTE_MS, DAY_MS } from "#app/platform/duration-rules.ts";

export type AttemptEvent =
  /** M-Pesa queued the prompt. */
  | "accepted"
  /** M-Pesa refused before anybody was asked. */
  | "refused"
  /** The answer to our request was lost. */
  | "lost"
  /** A callback reported success with the right amount and a receipt. */
  | "paid"
  /** A query reported success. Queries report neither the amount nor the receipt. */
  | "confirmed"
  | "declined"
  /** A callback reported success with another amount, or with a receipt seen before. */
  | "mismatched"
  /** The payer did not answer in time. */
  | "timed_out"
  /** The buyer stopped waiting, to pay from another phone. M-Pesa is not told: the prompt can still be paid. */
  | "abandoned"
  /** An admin found that the payment was not made, or sent it back. */
  | "dismissed";

/**
 * The transitions of an attempt. A success overrides an earlier failure, and no failure overrides a success. A payment
 * that does not match is held for an admin. An event without an entry changes nothing.
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
    abandoned: "expired",
  },
  pushed: {
    paid: "succeeded",
    confirmed: "succeeded",
    declined: "failed",
    mismatched: "held",
    timed_out: "expired",
    abandoned: "expired",
  },
  unknown: {
    accepted: "pushed",
    paid: "succeeded",
    confirmed: "succeeded",
    declined: "failed",
    mismatched: "held",
    timed_out: "expired",
    abandoned: "expired",
  },
  refused: { paid: "succeeded", confirmed: "succeeded", mismatched: "held" },
  failed: { paid: "succeeded", confirmed: "succeeded", mismatched: "held" },
  expired: { paid: "succeeded", confirmed: "succeeded", declined: "failed", mismatched: "held" },
  held: { paid: "succeeded", dismissed: "failed" },
  succeeded: {},
};

/** The state after `event`; null when the event changes nothing. */
export function nextAttemptState(state: AttemptState, event: AttemptEvent): AttemptState | null {
  return ATTEMPT_TRANSITIONS[state][event] ?? null;
}

/** How long we wait for the payer's answer before the buyer may try again, in ms. */
export const ATTEMPT_WINDOW_MS = RESERVATION_MS;

/**
 * How long the phone of an abandoned attempt gets no other prompt, in ms; 0 for any other attempt. M-Pesa may still
 * show the first prompt, and both could be paid.
 */
export function abandonedPromptLeft(
  attempt: { state: AttemptState; failureReason: PaymentFailure | null; createdAt: number },
  now: number,
): number {
  if (!ATTEMPT.isExpired(attempt.state) || attempt.failureReason !== "abandoned") return 0;
  return Math.max(0, attempt.createdAt + ATTEMPT_WINDOW_MS - now);
}

const SECOND = 1000;

/** When to ask M-Pesa about an attempt, in ms after it was made. */
export const QUERY_SCHEDULE_MS = [
  30 * SECOND,
  MINUTE_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  60 * MINUTE_MS,
  DAY_MS,
];

/** When to ask about an attempt next (ms since 1970), after `asked` queries; null means never again. */
export function nextQueryAt(createdAt: number, asked: number, now: number): number | null {
  const step = QUERY_SCHEDULE_MS[asked];
  return step === undefined ? null : Math.max(createdAt + step, now);
}

/** For how long M-Pesa is asked about a phone that didn't answer, while no query brings a final answer, in ms. */
const DOUBT_LIMIT_MS = 7 * DAY_MS;

/**
 * When to ask again about a phone that didn't answer, after the schedule's last query (ms since 1970); null means never
 * again. The payment may have come after the first answer, so only a final answer ends the queries.
 */
export function nextDoubtfulQueryAt(createdAt: number, now: number): number | null {
  return now + DAY_MS <= createdAt + DOUBT_LIMIT_MS ? now + DAY_MS : null;
}

/**
 * Pauses between queries about a success that no query has confirmed, in ms. The last one repeats, because the seller's
 * payout waits for the confirmation.
 */
const CONFIRMATION_PAUSES_MS = [30 * SECOND, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS, DAY_MS];
/** How long after an unconfirmed success our team is told, in ms. */
export const UNCONFIRMED_ALERT_MS = 60 * MINUTE_MS;

/** The pause before the next query about a paid attempt, in ms. `waited`: ms since it was paid. */
export function confirmationPause(waited: number): number {
  return CONFIRMATION_PAUSES_MS.find((pause) => waited < 2 * pause) ?? DAY_MS;
}

/** A payment as its payer sees it. */
export interface PaymentState {
  paymentStatus: PaymentStatus;
  /** Why our team is checking it; null when it isn't. */
  paymentReview: PaymentReview | null;
  paymentFailure: PaymentFailure | null;
  phoneNumber: string | null;
  /** KES. */
  amount: number;
  receipt: string | null;
}

/** The payment's state, judging only by its latest attempt. */
export function paymentStateOf(
  state: AttemptState,
  failure: PaymentFailure | null,
): Pick<PaymentState, "paymentStatus" | "paymentReview" | "paymentFailure"> {
  const open = { paymentReview: null, paymentFailure: null };
  if (ATTEMPT.isPaid(state)) return { ...open, paymentStatus: "completed" };
  if (ATTEMPT.isHeld(state)) return { ...open, paymentStatus: "processing", paymentReview: "mismatch" };
  if (ATTEMPT.isLive(state)) return { ...open, paymentStatus: "processing" };
  if (state === "expired" && failure === "abandoned")
    return { ...open, paymentStatus: "pending", paymentFailure: "abandoned" };
  return { ...open, paymentStatus: "failed", paymentFailure: state === "expired" ? "no_result" : (failure ?? "other") };
}
