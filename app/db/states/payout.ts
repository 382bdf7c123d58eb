import { FAILURE_REASONS } from "./failure-reason.ts";

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
  // Waiting: it is sent or looked up later without anybody's help.
  "payouts_paused",
  "payment_unconfirmed",
  /** The seller's M-Pesa number changed while money was coming: we wait a day, so that its owner can react. */
  "number_changed",
  "answer_lost",
  "already_known",
  "result_overdue",
  "no_record",
  "queue_timed_out",
] as const;
export type PayoutReason = (typeof PAYOUT_REASONS)[number];
