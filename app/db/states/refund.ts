/** `refunds.reason`: why money is refunded. */
export const REFUND_REASONS = [
  // The whole payment, because the order isn't kept.
  "order_already_paid",
  "plan_already_paid",
  /** Another order of the same products was paid instead. */
  "paid_in_another_order",
  /** Others bought the last pieces first. */
  "sold_to_someone_else",
  /** The buyer, or a seller of something in the order, was suspended or deleted their account. */
  "account_closed",
  /** Something in the order was deleted by its seller, or taken down by our team. */
  "listing_removed",
  // One item of a paid order.
  "cancelled_by_buyer",
  "cancelled_by_seller",
  /** The seller didn't ship in time. */
  "not_shipped",
  /** The seller refunded a reported problem. */
  "refunded_by_seller",
  /** The buyer accepted the part that the seller offered. */
  "part_agreed",
  /** Our team decided. */
  "decided_by_team",
] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

/**
 * Where a refund is for those whom it concerns: its state, but `delayed` where it can't be sent now, and `in_question`
 * where somebody else had reversed the payment and our team is asked whether the buyer got it.
 */
export const REFUND_PLACES = ["due", "sending", "sent", "unknown", "delayed", "in_question", "done"] as const;
export type RefundPlace = (typeof REFUND_PLACES)[number];
