import { predicates } from "./predicates.ts";

/** The outcome of a stored callback. */
export const CALLBACK_OUTCOMES = [
  "applied",
  /** It contained nothing new. */
  "unchanged",
  /** A transfer is done or parked. */
  "done",
  "parked",
  /** A transfer without a result is looked up, or asked for again. */
  "in_doubt",
  /** A success without an amount or receipt. A query has to confirm it. */
  "awaiting_query",
  "undecided",
  /** M-Pesa has no record of the transfer that was looked up, or not yet. */
  "no_record",
  /** M-Pesa confirmed a receipt that an admin asked about, or did not. */
  "receipt_confirmed",
  "receipt_rejected",
  "lookup_timed_out",
  "unreadable",
  /** No payment, payout or refund of ours has the token in the callback's path. */
  "unknown_token",
  /** The callback names another request, payout or refund than the one its token belongs to. */
  "foreign_id",
  "unknown_attempt",
  /** Applying it threw an error. */
  "failed",
] as const;
export type CallbackOutcome = (typeof CALLBACK_OUTCOMES)[number];

export const CALLBACK = predicates(CALLBACK_OUTCOMES, {
  /** The job tries it again for a day. */
  hasFailed: ["failed"],
});
