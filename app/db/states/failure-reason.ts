/** Why M-Pesa did not take a payment or make a payout, in our own codes. */
export const FAILURE_REASONS = [
  "cancelled",
  "wrong_pin",
  "insufficient_funds",
  "no_answer",
  "expired",
  "pin_locked",
  "payer_limit",
  "amount_limit",
  "duplicate_request",
  "payer_busy",
  "invalid_phone",
  "not_registered",
  "receiver_limit",
  /** The payer's M-Pesa account can't pay: suspended or not active. */
  "account_inactive",
  "provider_busy",
  /** Something in front of M-Pesa turned our request away, as it would any other. Nothing was sent. */
  "provider_blocked",
  "our_configuration",
  "our_float",
  /** Our paybill or till holds as much money as M-Pesa allows. */
  "our_limit",
  "other",
] as const;

export type FailureReason = (typeof FAILURE_REASONS)[number];
