/** Transfers to sellers and buyers: their states, times and limits. See docs/states.md and docs/m-pesa.md. */
import type { TransferMethod, TransferState, WaitReason } from "#app/db/states/transfer.ts";
import { PAYOUT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";
import { MINUTE_MS } from "#app/platform/duration-rules.ts";

export type TransferEvent =
  /** One worker is sending it. */
  | "claimed"
  | "accepted"
  /** Refused before money moved. It is sent again later. */
  | "postponed"
  /** Refused or failed, and nothing left. The cause must be fixed first. */
  | "blocked"
  /** The answer or the result was lost, or M-Pesa has this transfer already. */
  | "lost"
  /** A reversal without a result is asked for again, because M-Pesa reverses a payment only once. */
  | "asked_again"
  /** M-Pesa has no record of it. A person checks before it is sent again. */
  | "not_found"
  /** M-Pesa has sent the money. */
  | "done"
  | "retried"
  /** An admin will send it by hand. */
  | "reserved";

/**
 * An uncertain transfer never goes out twice: it is looked up under its id, and a reversal is asked for again. A
 * success overrides everything.
 */
export const TRANSFER_TRANSITIONS: Record<TransferState, Partial<Record<TransferEvent, TransferState>>> = {
  due: { claimed: "sending", blocked: "parked", done: "done", reserved: "parked" },
  sending: { accepted: "sent", postponed: "due", blocked: "parked", lost: "unknown", done: "done" },
  sent: { lost: "unknown", blocked: "parked", done: "done" },
  unknown: {
    lost: "unknown",
    accepted: "sent",
    asked_again: "due",
    blocked: "parked",
    not_found: "parked",
    done: "done",
    // A failure that M-Pesa reports later would let it be retried while the admin sends it.
    reserved: "parked",
  },
  parked: { retried: "due", done: "done", reserved: "parked" },
  done: {},
};

/**
 * The state after `event`; null when the event changes nothing. `method`: null before it is first sent. Only a reversal
 * is asked for again.
 */
export function nextTransferState(
  { state, method }: { state: TransferState; method: TransferMethod | null },
  event: TransferEvent,
): TransferState | null {
  if (event === "asked_again" && method !== "reversal") return null;
  return TRANSFER_TRANSITIONS[state][event] ?? null;
}

const SECOND = 1000;

/** How long a worker may take to send a transfer before its answer counts as lost, in ms. */
export const SEND_WAIT_MS = 2 * MINUTE_MS;
/** How long we wait for a result before looking the transfer up, in ms. */
export const RESULT_WAIT_MS = 5 * MINUTE_MS;
/**
 * How long everything of a channel pauses when our float or configuration is the cause, in ms. A wrong password is
 * tried less often, because too many tries lock our initiator.
 */
export function channelPause(reason: WaitReason): number {
  return reason === "our_configuration" ? CONFIGURATION_PAUSE_MS : 15 * MINUTE_MS;
}

export const CONFIGURATION_PAUSE_MS = 60 * MINUTE_MS;
/** How long the transfer that is tried after a stop has for its result before the next one is tried, in ms. */
export const TRIAL_MS = 2 * MINUTE_MS;
/** The pause before something that may not be sent yet is checked again, in ms. */
export const CONDITION_PAUSE_MS = MINUTE_MS;

/** Pauses before each look-up of an uncertain transfer, in ms. After the last one, look-ups continue every hour. */
const LOOKUP_SCHEDULE_MS = [15 * SECOND, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS];
/**
 * M-Pesa may answer a look-up before it has recorded the transfer, so only this many answers without a record count.
 */
export const LOOKUPS_BEFORE_PARKING = 3;
/** Our team is told each time that so many look-ups brought no answer. */
export const LOOKUPS_BEFORE_DOUBT = 5;

/** The least time between the creation of two payouts to one seller, in ms. */
export const PAYOUT_SPACING_MS = MINUTE_MS;
/** The most items that one payout pays for. */
export const PAYOUT_ITEMS_MAX = 100;

/** The pause before look-up number `asked` (from 0), in ms. */
export function lookupDelay(asked: number): number {
  return LOOKUP_SCHEDULE_MS[Math.min(asked, LOOKUP_SCHEDULE_MS.length - 1)] ?? 60 * MINUTE_MS;
}

/**
 * How a refund of `amount` KES is sent: M-Pesa reverses only whole payments, and finds them by their receipt. It is
 * chosen when the refund is first sent, and never changes.
 */
export function refundMethod(amount: number, payment: { amount: number; receipt: string | null }): TransferMethod {
  return payment.receipt !== null && amount === payment.amount ? "reversal" : "b2c";
}

/** Why `amount` (KES) can't be sent by this method; null when it can. A payment of any size can be reversed. */
export function refuseTransferAmount(
  method: TransferMethod,
  amount: number,
): Extract<WaitReason, "amount_too_small" | "amount_too_large"> | null {
  if (method === "reversal") return null;
  if (amount < PAYOUT_LIMITS.min) return "amount_too_small";
  return amount > PAYOUT_LIMITS.max ? "amount_too_large" : null;
}

/**
 * Whether the job tries a parked transfer again, each time that the pause of its channel is over: M-Pesa reported that
 * nothing left, because our account was empty or our configuration is wrong.
 */
export function waitsForUs(reason: WaitReason): boolean {
  return reason === "our_float" || reason === "our_configuration";
}

/** Why a transfer is parked while an admin sends it by hand. */
export const SENDING_BY_HAND = "sending_by_hand" satisfies WaitReason;

/** Reasons to wait that are part of our rules. Everything else is due. */
export const ORDINARY_WAITS: WaitReason[] = ["number_changed", "password_awaited", "reported"];

/** Whether an admin sends it by hand. Then only that admin's receipt, or M-Pesa's own success, ends it. */
export function isReserved({ state, waitReason }: { state: TransferState; waitReason: WaitReason | null }): boolean {
  return state === "parked" && waitReason === SENDING_BY_HAND;
}

/** Whether an admin may begin to send it by hand. What is due is about to be sent, unless its channel is paused. */
export function canReserve(
  transfer: Parameters<typeof nextTransferState>[0] & { waitReason: WaitReason | null },
): boolean {
  const { state, waitReason } = transfer;
  const isPaused = waitReason !== null && (waitReason === "channel_paused" || waitsForUs(waitReason));
  return nextTransferState(transfer, "reserved") !== null && !isReserved(transfer) && (state !== "due" || isPaused);
}

/** Reasons that the seller of a parked payout can fix: with another number, or by making room on this one. */
export const SELLER_CAN_REMOVE: WaitReason[] = [
  "no_phone",
  "unreadable_phone",
  "not_registered",
  "invalid_phone",
  "receiver_limit",
  "payer_limit",
];

/** Whether the seller may retry a payout that was parked for this reason. */
export function canSellerRetry(reason: WaitReason | null): boolean {
  return reason !== null && SELLER_CAN_REMOVE.includes(reason);
}

/**
 * A refund that is done without a receipt, before we had asked for it twice: M-Pesa says that somebody else had
 * reversed the payment. A person must look whether the buyer got it.
 */
export function isReversedByOthers({ lookupCount }: { lookupCount: number }, receipt: string | null): boolean {
  return receipt === null && lookupCount === 0;
}
