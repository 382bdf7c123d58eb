import { FAILURE_REASONS } from "./failure-reason.ts";
import { predicates } from "./predicates.ts";

/** `orders.order_status`. */
export const ORDER_STATUSES = [
  "pending_payment",
  "pending",
  "processing",
  "shipped",
  "delivered",
  "expired",
  /** Paid, and every item was cancelled or refunded. */
  "cancelled",
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const ORDER = predicates(ORDER_STATUSES, {
  awaitsPayment: ["pending_payment"],
  isNotClosed: ["pending_payment", "pending", "processing", "shipped", "delivered", "cancelled"],
  /** Closed unpaid. Money that comes in late may still open it again. */
  isClosed: ["expired"],
});

/** `orders.payment_status`. */
export const PAYMENT_STATUSES = ["pending", "processing", "completed", "failed"] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export const PAYMENT = predicates(PAYMENT_STATUSES, {
  isPaid: ["completed"],
  isUnpaid: ["pending", "processing", "failed"],
  /** A prompt was sent, or our team is checking a payment. */
  isUnderWay: ["processing"],
  /** The buyer may request a prompt. */
  isPayable: ["pending", "failed"],
});

/** Why an order was closed unpaid. */
export const CLOSED_REASONS = [
  /** Nobody paid within a day. */
  "expired_unpaid",
  /** The buyer ordered the same products again, or paid for another order of them. */
  "replaced",
  /** Money came in although another order of the same products was paid. It is refunded. */
  "paid_in_another_order",
  /** Money came in after others had bought the last pieces. It is refunded. */
  "sold_to_someone_else",
  /** Money came in after the buyer or a seller was suspended or deleted their account. It is refunded. */
  "account_closed",
  /** Money came in after a listing was deleted or taken down. It is refunded. */
  "listing_removed",
  /** The buyer, or a seller of something in the order, deleted their account. */
  "account_deleted",
] as const;
export type ClosedReason = (typeof CLOSED_REASONS)[number];

/** Why our team is checking a payment before the order counts as paid. */
export const PAYMENT_REVIEWS = [
  /**
   * The amount differs from the order's, the receipt was seen on another payment, or M-Pesa's reports contradict each
   * other.
   */
  "mismatch",
] as const;
export type PaymentReview = (typeof PAYMENT_REVIEWS)[number];

/** Why the latest payment of an order failed. */
export const PAYMENT_FAILURES = [
  ...FAILURE_REASONS,
  /** M-Pesa reported nothing within the time we wait. */
  "no_result",
  /** Our team found that the payment wasn't made or was sent back. */
  "dismissed",
  /** The buyer stopped waiting for this phone, to pay from another. A payment from it still counts. */
  "abandoned",
] as const;
export type PaymentFailure = (typeof PAYMENT_FAILURES)[number];

/** Orders that were closed because a payment must be refunded. */
export const CLOSED = predicates(CLOSED_REASONS, {
  withRefund: ["paid_in_another_order", "sold_to_someone_else", "account_closed", "listing_removed"],
});
