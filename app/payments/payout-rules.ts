/** A payout to a seller: its states, times and limits. See docs/states.md and docs/m-pesa.md, "Payouts". */
import { PAYOUT_LIMITS } from "#app/platform/m-pesa-rules.ts";
import type { PayoutReason, PayoutState } from "#app/db/states/payout.ts";

export type PayoutEvent =
  /** One worker is sending it. */
  | "claimed"
  | "accepted"
  /** Refused before money moved. It is sent again later. */
  | "postponed"
  /** Refused or failed for good. Somebody must fix the cause. */
  | "blocked"
  /** The answer or the result was lost, or M-Pesa has this payout already. */
  | "lost"
  /** M-Pesa has no record of it. A person checks before it is sent again. */
  | "not_found"
  | "paid"
  | "retried"
  /** An admin will send it by hand. */
  | "reserved";

/** An uncertain payout is looked up, and never sent again under a new id. A success overrides everything. */
export const PAYOUT_TRANSITIONS: Record<PayoutState, Partial<Record<PayoutEvent, PayoutState>>> = {
  due: { claimed: "sending", blocked: "parked", paid: "paid" },
  sending: { accepted: "sent", postponed: "due", blocked: "parked", lost: "unknown", paid: "paid" },
  sent: { lost: "unknown", blocked: "parked", paid: "paid" },
  unknown: {
    lost: "unknown",
    accepted: "sent",
    blocked: "parked",
    not_found: "parked",
    paid: "paid",
    // A failure that M-Pesa reports later would let the seller retry it while the admin sends it.
    reserved: "parked",
  },
  parked: { retried: "due", paid: "paid", reserved: "parked" },
  paid: {},
};

/** The state after `event`; null when the event changes nothing. */
export function nextPayoutState(state: PayoutState, event: PayoutEvent): PayoutState | null {
  return PAYOUT_TRANSITIONS[state][event] ?? null;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** How long we wait for a result before looking the payout up, in ms. */
export const PAYOUT_RESULT_WAIT_MS = 5 * MINUTE;
/** How long a worker may take to send a payout before its answer counts as lost, in ms. */
export const PAYOUT_SEND_WAIT_MS = 2 * MINUTE;
/**
 * Pauses before each look-up of an uncertain payout, in ms. After the last one our team is told, and look-ups continue
 * every hour.
 */
const PAYOUT_LOOKUP_SCHEDULE_MS = [15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE];
/** How long all payouts pause when our float or configuration is the cause, in ms. */
export const PAYOUT_HOLD_MS = 15 * MINUTE;

/** The least time between the creation of two payouts to one seller, in ms. */
export const PAYOUT_SPACING_MS = MINUTE;
/** The most items that one payout pays for. */
export const PAYOUT_ITEMS_MAX = 100;

/** The pause before look-up number `asked` (from 0), in ms. */
export function payoutLookupDelay(asked: number): number {
  return PAYOUT_LOOKUP_SCHEDULE_MS[Math.min(asked, PAYOUT_LOOKUP_SCHEDULE_MS.length - 1)] ?? 60 * MINUTE;
}

export type AmountRefusal = Extract<PayoutReason, "amount_too_small" | "amount_too_large">;

/** Why `amount` (KES) can't be paid out; null when it can. */
export function refusePayoutAmount(amount: number): AmountRefusal | null {
  if (amount < PAYOUT_LIMITS.min) return "amount_too_small";
  return amount > PAYOUT_LIMITS.max ? "amount_too_large" : null;
}

/** Whether an admin sends this payout by hand. Then only that admin's receipt, or M-Pesa's own success, ends it. */
export function isReservedPayout({
  state,
  reasonCode,
}: {
  state: PayoutState;
  reasonCode: PayoutReason | null;
}): boolean {
  return state === "parked" && reasonCode === "sending_by_hand";
}

/** Reasons that the seller of a parked payout can fix: with another number, or by making room on this one. */
const SELLER_CAN_REMOVE: PayoutReason[] = [
  "no_phone",
  "unreadable_phone",
  "not_registered",
  "invalid_phone",
  "receiver_limit",
  "payer_limit",
];

/** Whether the seller may retry a payout that was parked for this reason. */
export function canSellerRetry(reason: PayoutReason | null): boolean {
  return reason !== null && SELLER_CAN_REMOVE.includes(reason);
}
