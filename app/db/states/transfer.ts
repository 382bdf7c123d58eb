import { FAILURE_REASONS } from "./failure-reason.ts";
import { predicates } from "./predicates.ts";

/** Money that leaves us: a payout to a seller, or a refund to a buyer. Each kind has a table of its own. */
export const TRANSFER_KINDS = ["payout", "refund"] as const;
export type TransferKind = (typeof TRANSFER_KINDS)[number];

/** `payouts.state` and `refunds.state`. The transitions are in `payments/transfers/transfer-rules.ts`. */
export const TRANSFER_STATES = ["due", "sending", "sent", "unknown", "parked", "done"] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

export const TRANSFER = predicates(TRANSFER_STATES, {
  isDue: ["due"],
  /** M-Pesa has sent the money. */
  isDone: ["done"],
  /** Who gets it still waits for the money. */
  isOpen: ["due", "sending", "sent", "unknown", "parked"],
  /** Nothing happens until a person fixes the cause. */
  isParked: ["parked"],
  /** It may change at any moment without a person. */
  isUnderWay: ["due", "sending", "sent", "unknown"],
  /** It isn't with M-Pesa now. A payout will go to the phone that is in the seller's profile when it is sent. */
  isUnsent: ["due", "parked"],
});

/** How the money leaves. It never changes once the transfer was sent. */
export const TRANSFER_METHODS = [
  /** M-Pesa sends a whole payment back, named by its receipt. */
  "reversal",
  /** M-Pesa sends it to a number. */
  "b2c",
] as const;
export type TransferMethod = (typeof TRANSFER_METHODS)[number];

/** Why a transfer waits or is parked. */
export const WAIT_REASONS = [
  ...FAILURE_REASONS,
  // Parked before it was sent.
  "no_phone",
  "unreadable_phone",
  "amount_too_small",
  "amount_too_large",
  /** The receipt isn't one that M-Pesa can reverse (R000002). */
  "receipt_invalid",
  /** An admin parked it and said why in `wait_detail`. */
  "parked_by_admin",
  /** An admin sends it in M-Pesa's portal, so nothing else may send it until they are done. */
  "sending_by_hand",
  // Waiting. It is sent or looked up later without a person.
  "channel_paused",
  "payment_unconfirmed",
  /** The buyer of an item reported something. Our team takes the item over before the rest is sent. */
  "reported",
  /** The seller's M-Pesa number changed. We wait a day or more, so that the owner can react. */
  "number_changed",
  /** The seller took the account back from somebody else, and hasn't chosen a new password yet. */
  "password_awaited",
  "answer_lost",
  "already_known",
  "result_overdue",
  "no_record",
  "queue_timed_out",
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];
