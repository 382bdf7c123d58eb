import { FAILURE_REASONS } from "./failure-reason.ts";
import { predicates } from "./predicates.ts";

/** `payouts.state`. */
export const PAYOUT_STATES = ["due", "sending", "sent", "unknown", "paid", "parked"] as const;
export type PayoutState = (typeof PAYOUT_STATES)[number];

export const PAYOUT = predicates(PAYOUT_STATES, {
  isDue: ["due"],
  isPaid: ["paid"],
  /** The seller still waits for the money. */
  isOpen: ["due", "sending", "sent", "unknown", "parked"],
  /** Nothing happens until a person fixes the cause. */
  isParked: ["parked"],
  /** It may change at any moment without a person. */
  isUnderWay: ["due", "sending", "sent", "unknown"],
  /** It hasn't been sent. It will go to the phone in the seller's profile at that time. */
  isUnsent: ["due", "parked"],
});

/** Why a payout waits or is parked. */
export const PAYOUT_REASONS = [
  ...FAILURE_REASONS,
  // Parked before it was sent.
  "no_phone",
  "unreadable_phone",
  "amount_too_small",
  "amount_too_large",
  /** An admin parked it and said why in `payouts.reason`. */
  "parked_by_admin",
  /** An admin sends it in M-Pesa's portal, so nothing else may send it until they are done. */
  "sending_by_hand",
  // Waiting. It is sent or looked up later without a person.
  "payouts_paused",
  "payment_unconfirmed",
  /** The buyer of an item reported something. Our team takes the item over before the rest is sent. */
  "reported",
  /** The seller's M-Pesa number changed while money was coming. We wait a day, so that the owner can react. */
  "number_changed",
  "answer_lost",
  "already_known",
  "result_overdue",
  "no_record",
  "queue_timed_out",
] as const;
export type PayoutReason = (typeof PAYOUT_REASONS)[number];
