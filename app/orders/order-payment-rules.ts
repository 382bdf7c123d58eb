/** What an order's buyer is told about its payment: the order's status and its payment's, taken together. */
import {
  CLOSED,
  type ClosedReason,
  ORDER,
  type OrderStatus,
  type PaymentReview,
  type PaymentStatus,
} from "#app/db/states/order.ts";

export type OrderPaymentStatus =
  | "paid"
  /** M-Pesa has been asked and has not answered yet. */
  | "waiting"
  /** A payment came in that does not match the order: our team checks it. */
  | "under_review"
  /** Nobody has been asked to pay yet. */
  | "unpaid"
  | "failed"
  /** Closed: its money is on its way back. */
  | "refunding"
  /** Closed: its money was sent back. */
  | "refunded"
  /** Closed: a newer order of the same products took its place. */
  | "replaced"
  /** Closed: nobody paid it in time. */
  | "expired"
  /** Closed: the buyer or a seller deleted their account. */
  | "account_deleted";

/** Money that came in for an order and goes back, or went. */
export interface Refund {
  /** KES. */
  amount: number;
  /** M-Pesa's; null until all of it has been sent back. */
  receipt: string | null;
  /** Ms since 1970. */
  sentAt: number | null;
}

interface OrderPayment {
  orderStatus: OrderStatus;
  paymentStatus: PaymentStatus;
  paymentReview: PaymentReview | null;
  closedReason: ClosedReason | null;
  refund: Refund | null;
}

/** A payment, and a prompt that is still open, count in a closed order too: paying opens it again. */
export function orderPaymentStatus(order: OrderPayment): OrderPaymentStatus {
  if (order.paymentStatus === "completed") return "paid";
  if (order.paymentStatus === "processing") return order.paymentReview ? "under_review" : "waiting";
  if (!ORDER.isClosed(order.orderStatus)) return order.paymentStatus === "failed" ? "failed" : "unpaid";
  const { closedReason } = order;
  if (closedReason && CLOSED.withRefund(closedReason)) return order.refund?.receipt ? "refunded" : "refunding";
  return closedReason === "replaced" || closedReason === "account_deleted" ? closedReason : "expired";
}

/** Whether the status may change by itself while somebody looks at it. */
export function isUnderWay(status: OrderPaymentStatus): boolean {
  return status === "waiting" || status === "under_review";
}

const NOTES: Record<OrderPaymentStatus, string> = {
  paid: "Paid",
  waiting: "Waiting for M-Pesa",
  under_review: "We are checking your payment",
  unpaid: "Not paid yet",
  failed: "Payment failed",
  refunding: "Your money is coming back",
  refunded: "Your money was sent back",
  replaced: "Replaced by a newer order",
  expired: "Not paid in time",
  account_deleted: "Closed",
};

/** The payment of an order in a few words, for a list. `amount`: KES. */
export function paymentNote(order: OrderPayment & { amount: number }): string {
  const status = orderPaymentStatus(order);
  return status === "paid" && order.amount === 0 ? "Free" : NOTES[status];
}
