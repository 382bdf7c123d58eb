import { FAILURE_REASONS } from "./failure-reason.ts";
import { predicates } from "./predicates.ts";

/** `refunds.state`. */
export const REFUND_STATES = ["due", "sending", "sent", "unknown", "parked", "done"] as const;
export type RefundState = (typeof REFUND_STATES)[number];

export const REFUND = predicates(REFUND_STATES, {
  isDone: ["done"],
  /** The buyer still waits for the money. */
  isOpen: ["due", "sending", "sent", "unknown", "parked"],
  /** Nothing happens until a person fixes the cause. */
  isParked: ["parked"],
});

/** How the money goes back. It never changes once the refund was sent. */
export const REFUND_METHODS = [
  /** M-Pesa reverses the whole payment, named by its receipt. */
  "reversal",
  /** A part, or a payment without a receipt: a transfer to the number that paid. */
  "transfer",
] as const;
export type RefundMethod = (typeof REFUND_METHODS)[number];

/** Why money is refunded. */
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

/** Why a refund waits or is parked. */
export const REFUND_WAIT_REASONS = [
  ...FAILURE_REASONS,
  "amount_too_small",
  "amount_too_large",
  /** The receipt isn't one that M-Pesa can reverse (R000002). */
  "receipt_invalid",
  /** An admin sends it in M-Pesa's portal, so nothing else may send it until they are done. */
  "sending_by_hand",
  // Waiting. It is sent or looked up later without a person.
  "refunds_paused",
  "payment_unconfirmed",
  "answer_lost",
  "already_known",
  "result_overdue",
  "no_record",
  "queue_timed_out",
] as const;
export type RefundWaitReason = (typeof REFUND_WAIT_REASONS)[number];
