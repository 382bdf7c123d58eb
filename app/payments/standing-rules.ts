/** Where an order stands with its payment, in words for its buyer: pure rules (commerce spec §2, order confirmation and checkout). */
import type { OrderStatus, Refund } from "#app/orders/rules.ts";
import type { IconName } from "#app/ui/icon-names.ts";
import type { Tone } from "#app/ui/tone.ts";
import type { ClosedReason } from "#app/db/states/order.ts";
import { comingBackText, paymentProblemText, sentBackText } from "./payment-texts.ts";
import type { PaymentState } from "./rules.ts";

export type Standing =
  | "paid"
  /** M-Pesa has been asked and has not answered yet. */
  | "waiting"
  /** A payment came in that does not fit; a person looks into it. */
  | "checked"
  /** Nobody has been asked to pay yet. */
  | "unpaid"
  | "failed"
  /** Closed: its money goes back. */
  | "refunding"
  /** Closed: its money was sent back. */
  | "refunded"
  /** Closed: a later order of the same things took its place. */
  | "replaced"
  /** Closed: nobody paid it in time. */
  | "expired";

export interface OrderState {
  id: string;
  orderStatus: OrderStatus;
  paymentStatus: PaymentState["paymentStatus"];
  paymentReview: PaymentState["paymentReview"];
  paymentFailure: PaymentState["paymentFailure"];
  closedReason: ClosedReason | null;
  /** The id of the order that took its place. */
  replacedBy: string | null;
  /** KES. */
  amount: number;
  /** What came in for it and goes back. */
  refund: Refund | null;
}

/** A payment, and money that is still under way, count even where the order was closed meanwhile: it is opened again when it is paid. */
export function standingOf(order: Omit<OrderState, "id" | "amount">): Standing {
  if (order.paymentStatus === "completed") return "paid";
  if (order.paymentStatus === "processing") return order.paymentReview ? "checked" : "waiting";
  if (order.orderStatus !== "expired") return order.paymentStatus === "failed" ? "failed" : "unpaid";
  switch (order.closedReason) {
    case "paid_in_another_order":
    case "sold_to_someone_else":
    case "account_closed":
    case "listing_removed":
      return order.refund?.receipt ? "refunded" : "refunding";
    case "replaced":
      return "replaced";
    default:
      return "expired";
  }
}

/** Standings that may change while somebody looks on, without anything they do. */
export function isUnderWay(standing: Standing): boolean {
  return standing === "waiting" || standing === "checked";
}

/** The badge of each standing; those of an open order are the spec's. */
export const PAYMENT_BADGES: Record<Standing, { tone: Tone; label: string }> = {
  paid: { tone: "green", label: "Paid" },
  waiting: { tone: "orange", label: "Pending" },
  checked: { tone: "orange", label: "Pending" },
  unpaid: { tone: "orange", label: "Pending" },
  failed: { tone: "red", label: "Failed" },
  refunding: { tone: "blue", label: "Refund" },
  refunded: { tone: "green", label: "Refunded" },
  replaced: { tone: "gray", label: "Not paid" },
  expired: { tone: "gray", label: "Not paid" },
};

interface NextStep {
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

/** What the buyer of an order reads that cannot be paid any more, and where they go from there; null of any other. */
export function closedOrder(order: Omit<OrderState, "amount">): ClosedOrder | null {
  const standing = standingOf(order);
  const successor = order.replacedBy && { to: `/checkout/${order.replacedBy}`, label: "Go to that order" };
  const onward = successor || { to: "/studentmarketplace", label: "Continue Shopping" };
  if (standing === "refunding")
    return {
      icon: "refresh-cw",
      tone: "blue",
      title: "Your money is coming back",
      sentence: comingBackText(order.closedReason),
      next: onward,
    };
  if (standing === "refunded")
    return {
      icon: "circle-check",
      tone: "green",
      title: "Your money was sent back",
      sentence: sentBackText(order.closedReason, order.refund),
      next: onward,
    };
  if (standing === "replaced" && successor) {
    return {
      icon: "clock",
      tone: "gray",
      title: "You have ordered this again",
      sentence: "Another order took the place of this one, so this one is closed. You pay only once.",
      next: successor,
    };
  }
  if (standing !== "expired") return null;
  return {
    icon: "clock",
    tone: "gray",
    title: "This order has expired",
    sentence: "It was not paid within a day. You can order again whenever you like.",
    next: { to: "/cart", label: "Return to Cart" },
  };
}

export interface Confirmation {
  standing: Standing;
  icon: IconName;
  /** The colour of the mark above the title. */
  mark: "done" | "waiting" | "failed" | "closed";
  title: string;
  lead: string;
  /** What is said of the payment besides. */
  note: { tone: Tone; title?: string; text: string } | null;
  /** Printed at the head of the paper. */
  paper: "Receipt" | "Not paid yet" | "Closed";
  next: NextStep;
}

const HANDOVER = "The seller has been told and will write to you about the handover.";

/** What follows for its buyer, by what has become of it since it was paid. */
const PAID_LEADS: Partial<Record<OrderStatus, string>> = {
  shipped: "It is on its way to you.",
  delivered: "It has been delivered. This stays here as your receipt.",
};

const PENDING_NOTE = "Your payment is still being processed. We will update the status once confirmed.";

/** What the confirmation page says of an order, and the one thing to do next (commerce spec §2). */
export function confirmationOf(order: OrderState): Confirmation {
  const standing = standingOf(order);
  const closed = closedOrder(order);
  if (closed) {
    return {
      standing,
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
  if (standing === "paid") {
    return {
      standing,
      icon: "check",
      mark: "done",
      title: "Order Confirmed!",
      lead: PAID_LEADS[order.orderStatus] ?? HANDOVER,
      note: null,
      paper: "Receipt",
      next: track,
    };
  }
  const open = { standing, icon: "clock", mark: "waiting", title: "Order Received", paper: "Not paid yet" } as const;
  if (standing === "checked") {
    return {
      ...open,
      icon: "shield-check",
      title: "We are checking your payment",
      lead: "There is nothing you need to do.",
      note: { tone: "orange", text: paymentProblemText(order) ?? "" },
      next: track,
    };
  }
  if (standing === "waiting") {
    return {
      ...open,
      lead: "It is confirmed as soon as your payment is through.",
      note: { tone: "orange", text: PENDING_NOTE },
      next: track,
    };
  }
  if (standing === "unpaid" && order.amount === 0) {
    return {
      ...open,
      lead: "There is nothing to pay: say how it reaches you, and it is confirmed.",
      note: null,
      next: { to: checkout, label: "Confirm Order" },
    };
  }
  if (standing === "unpaid") {
    return {
      ...open,
      lead: "It is kept for you, and confirmed as soon as you have paid.",
      note: null,
      next: { to: checkout, label: "Complete Your Payment" },
    };
  }
  return {
    ...open,
    icon: "x",
    mark: "failed",
    title: "Payment Failed",
    lead: "Your order is kept for you, and you can pay it again.",
    note: { tone: "red", title: "Payment failed", text: paymentProblemText(order) ?? "" },
    next: { to: checkout, label: "Try Payment Again" },
  };
}
