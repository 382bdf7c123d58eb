import { predicates } from "./predicates.ts";

/** `refunds.state`. */
export const REFUND_STATES = ["due", "done"] as const;
export type RefundState = (typeof REFUND_STATES)[number];

export const REFUND = predicates(REFUND_STATES, {
  isDue: ["due"],
  isDone: ["done"],
});

/** Why a payment is refunded. */
export const REFUND_REASONS = [
  "order_already_paid",
  "plan_already_paid",
  /** Another order of the same products was paid instead. */
  "paid_in_another_order",
  /** Somebody else bought the used item first. */
  "sold_to_someone_else",
  /** The buyer, or a seller of something in the order, was suspended or deleted their account. */
  "account_closed",
  /** Something in the order was deleted by its seller, or taken down by our team. */
  "listing_removed",
] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];
