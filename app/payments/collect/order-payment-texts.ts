/** What the buyer reads about an order and its payment: the badge, the confirmation page, and why it was closed. */
import { type OrderPaymentStatus, orderPaymentStatus, type Refund } from "#app/orders/order-payment-rules.ts";
import type { ClosedReason, OrderStatus } from "#app/db/states/order.ts";
import type { IconName } from "#app/ui/pictures/icon-names.ts";
import type { Tone } from "#app/ui/tone.ts";
import type { PaymentState } from "./attempt-rules.ts";
import {
  comingBackText,
  unpaidText,
  refundDelayedText,
  refundInQuestionText,
  sentBackText,
} from "#app/payments/payment-texts.ts";

export interface OrderState extends Pick<PaymentState, "paymentStatus" | "paymentReview" | "paymentFailure"> {
  id: string;
  orderStatus: OrderStatus;
  closedReason: ClosedReason | null;
  /** The id of the order that replaced it. */
  replacedBy: string | null;
  /** KES. */
  amount: number;
  refund: Refund | null;
  /** Where it was placed: from the cart, or on a product's page. */
  source?: "cart" | "buy_now";
}

export interface PaymentBadge {
  tone: Tone;
  label: string;
}

/** The badge of each status. */
export const PAYMENT_BADGES: Record<OrderPaymentStatus, PaymentBadge> = {
  paid: { tone: "green", label: "Paid" },
  waiting: { tone: "orange", label: "Pending" },
  under_review: { tone: "orange", label: "Pending" },
  unpaid: { tone: "orange", label: "Pending" },
  failed: { tone: "red", label: "Failed" },
  refunding: { tone: "blue", label: "Refund" },
  refunded: { tone: "green", label: "Refunded" },
  replaced: { tone: "gray", label: "Not paid" },
  expired: { tone: "gray", label: "Not paid" },
  account_deleted: { tone: "gray", label: "Not paid" },
};

export interface NextStep {
  to: string;
  label: string;
}

export interface ClosedOrder {
  icon: IconName;
  tone: Tone;
  title: string;
  sentence: string;
  next: NextStep;
}

/**
 * The message about an order that can't be paid any more, and the link to continue; null for any other order. `items`
 * are the order's, in order.
 */
export function closedOrder(
  order: Omit<OrderState, "amount">,
  items: readonly { productId: string }[],
): ClosedOrder | null {
  const status = orderPaymentStatus(order);
  const successor = order.replacedBy && { to: `/checkout/${order.replacedBy}`, label: "Go to that order" };
  const onward = successor || { to: "/studentmarketplace", label: "Continue Shopping" };
  if (status === "refunding" && order.refund && order.refund.delayedAmount > 0)
    return {
      icon: "refresh-cw",
      tone: "orange",
      title: "Your money isn't back yet",
      sentence: refundDelayedText(order.refund.delayedAmount),
      next: onward,
    };
  if (status === "refunding" && order.refund && order.refund.inQuestion > 0)
    return {
      icon: "refresh-cw",
      tone: "orange",
      title: "Your refund is being checked",
      sentence: refundInQuestionText(order.refund.inQuestion),
      next: onward,
    };
  if (status === "refunding")
    return {
      icon: "refresh-cw",
      tone: "blue",
      title: "Your money is coming back",
      sentence: comingBackText(order.closedReason),
      next: onward,
    };
  if (status === "refunded")
    return {
      icon: "circle-check",
      tone: "green",
      title: "Your money was sent back",
      sentence: sentBackText(order.closedReason, order.refund),
      next: onward,
    };
  if (status === "replaced" && successor) {
    return {
      icon: "clock",
      tone: "gray",
      title: "You have a newer order for this",
      sentence: "Your newer order replaced this one, so we closed it. You pay only once.",
      next: successor,
    };
  }
  if (status === "account_deleted") {
    return {
      icon: "x",
      tone: "gray",
      title: "This order is closed",
      sentence: "We closed it because an account was deleted. You haven't been charged.",
      next: onward,
    };
  }
  if (status !== "expired") return null;
  return {
    icon: "clock",
    tone: "gray",
    title: "This order has expired",
    sentence: "It wasn't paid within a day. You can order again at any time.",
    next: orderedFrom(order, items),
  };
}

/** Where the buyer placed the order. Buy Now doesn't use the cart. */
export function orderedFrom(order: Pick<OrderState, "source">, items: readonly { productId: string }[]): NextStep {
  return order.source === "buy_now" && items[0]
    ? { to: `/product/${items[0].productId}`, label: "Return to Product" }
    : { to: "/cart", label: "Return to Cart" };
}

export interface Confirmation {
  status: OrderPaymentStatus;
  icon: IconName;
  /** The colour of the mark above the title. */
  mark: "done" | "waiting" | "failed" | "closed";
  title: string;
  lead: string;
  /** A note about the payment. */
  note: { tone: Tone; title?: string; text: string } | null;
  /** The heading of the printed receipt. */
  paper: "Receipt" | "Not paid yet" | "Being checked" | "Closed";
  next: NextStep;
}

/** What an order's items are called: when the code is given, and how they end. */
interface CalledItem {
  productId: string;
  called?: { lead: string; ended: string; isParcel: boolean };
}

const LATER = "You can come back to this receipt at any time.";

/** The first sentence about a paid order, by its status. */
const PAID_LEADS: Partial<Record<OrderStatus, string>> = {
  shipped: "Your order is on its way.",
  delivered: `Your order was delivered. ${LATER}`,
};

/** Several kinds are told together. */
function paidLead({ orderStatus }: OrderState, items: readonly CalledItem[]): string {
  const leads = new Set(items.map(({ called }) => called?.lead));
  const only = leads.size === 1 ? items[0]?.called : undefined;
  if (only && !only.isParcel) return orderStatus === "delivered" ? `${only.ended}. ${LATER}` : only.lead;
  const lead =
    only?.lead ?? "We've told the sellers, who will message you. Your order page has the codes to give them.";
  return PAID_LEADS[orderStatus] ?? lead;
}

const PENDING_NOTE = "Your payment is still being processed. We will update the status once confirmed.";

/** The texts of an order's confirmation page, and the one next step. */
export function confirmationOf(order: OrderState, items: readonly CalledItem[] = []): Confirmation {
  const status = orderPaymentStatus(order);
  const closed = closedOrder(order, items);
  if (closed) {
    return {
      status,
      icon: closed.icon,
      mark: "closed",
      title: closed.title,
      lead: closed.sentence,
      note: null,
      paper: "Closed",
      next: closed.next,
    };
  }
  const track = { to: `/orders/${order.id}`, label: "Track Order" };
  const checkout = `/checkout/${order.id}`;
  if (status === "paid") {
    return {
      status,
      icon: "check",
      mark: "done",
      title: "Order Confirmed!",
      lead: paidLead(order, items),
      note: null,
      paper: "Receipt",
      next: track,
    };
  }
  const open = { status, icon: "clock", mark: "waiting", title: "Order Received", paper: "Not paid yet" } as const;
  if (status === "under_review") {
    return {
      ...open,
      icon: "shield-check",
      title: "We are checking your payment",
      lead: "You don't need to do anything.",
      paper: "Being checked",
      note: { tone: "orange", text: unpaidText(order) ?? "" },
      next: track,
    };
  }
  if (status === "waiting") {
    return {
      ...open,
      lead: "We'll confirm your order once M-Pesa confirms your payment.",
      note: { tone: "orange", text: PENDING_NOTE },
      next: track,
    };
  }
  if (status === "unpaid" && order.amount === 0) {
    return {
      ...open,
      lead: "It's free. Choose pickup or delivery to confirm.",
      note: null,
      next: { to: checkout, label: "Confirm Order" },
    };
  }
  if (status === "unpaid") {
    return {
      ...open,
      lead: "We'll confirm your order once you pay.",
      note: null,
      next: { to: checkout, label: "Complete Your Payment" },
    };
  }
  return {
    ...open,
    icon: "x",
    mark: "failed",
    title: "Payment Failed",
    lead: "Your order is saved. You can try to pay again.",
    note: { tone: "red", title: "Payment failed", text: unpaidText(order) ?? "" },
    next: { to: checkout, label: "Try Payment Again" },
  };
}
