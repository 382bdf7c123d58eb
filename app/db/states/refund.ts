/** Why money that came in goes back to its payer. */
export const REFUND_REASONS = [
  "order_already_paid",
  "plan_already_paid",
  /** Another order of the same products was paid instead. */
  "paid_in_another_order",
  /** Somebody else bought the one-off item first. */
  "sold_to_someone_else",
] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];
