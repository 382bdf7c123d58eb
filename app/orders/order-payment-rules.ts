/** What a buyer is told about an order's payment, from the status of the order and of its payment. */
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
  /** M-Pesa has sent a prompt or is about to, and hasn't answered yet. */
  | "waiting"
  /** The payment doesn't match the order. Our team is checking it. */
  | "under_review"
  /** No payment was requested yet. */
  | "unpaid"
  | "failed"
  /** Closed. The refund is on its way. */
  | "refunding"
  /** Closed. The refund was sent. */
  | "refunded"
  /** Closed. A newer order of the same products replaced it. */
  | "replaced"
  /** Closed. It wasn't paid in time. */
  | "expired"
  /** Closed. The buyer or a seller deleted their account. */
  | "account_deleted";

/** What goes back to the buyer of an order: its whole payment, or the money of some items. */
export interface Refund {
  /** KES that M-Pesa hasn't sent yet. */
  open: number;
  /** KES of those that can't be sent now: our team must fix something first, or our account is empty. */
  delayedAmount: number;
  /** KES of which M-Pesa says that somebody else had sent them: our team is asked whether they came back. */
  inQuestion: number;
  /** KES that were sent. */
  sentBack: number;
  /** M-Pesa's receipts of what was sent; null when none is known. */
  receipt: string | null;
  /** When the last part was sent, ms since 1970. */
  sentAt: number | null;
}

interface OrderPayment {
  orderStatus: OrderStatus;
  paymentStatus: PaymentStatus;
  paymentReview: PaymentReview | null;
  closedReason: ClosedReason | null;
  refund: Refund | null;
}

/** A payment and an open prompt count even for a closed order, because paying reopens it. */
export function orderPaymentStatus(order: OrderPayment): OrderPaymentStatus {
  if (order.paymentStatus === "completed") return "paid";
  if (order.paymentStatus === "processing") return order.paymentReview ? "under_review" : "waiting";
  if (!ORDER.isClosed(order.orderStatus)) return order.paymentStatus === "failed" ? "failed" : "unpaid";
  const { closedReason } = order;
  if (closedReason && CLOSED.withRefund(closedReason))
    return order.refund?.open === 0 && order.refund.inQuestion === 0 ? "refunded" : "refunding";
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

/** The payment of an order in a few words, for a list. `amount` in KES. */
export function paymentNote(order: OrderPayment & { amount: number }): string {
  const status = orderPaymentStatus(order);
  if (status === "paid" && order.amount === 0) return "Free";
  if (status === "refunding" && order.refund && order.refund.delayedAmount > 0) return "Your money isn't back yet";
  return status === "refunding" && order.refund && order.refund.inQuestion > 0
    ? "Your refund is being checked"
    : NOTES[status];
}
