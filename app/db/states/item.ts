import { predicates } from "./predicates.ts";

/** `order_items.status`: the whole life of one order item. The transitions are in `deals/deal-rules.ts`. */
export const ITEM_STATUSES = [
  "pending_payment",
  /** The order was closed unpaid. */
  "expired",
  /** Paid. The seller has to contact the buyer and ship. */
  "processing",
  /** Paid, and the buyer asked to cancel after agreeing. The seller has to answer. */
  "cancel_requested",
  "shipped",
  /** The seller says that the buyer has it. The buyer has some time to report a problem. */
  "delivered",
  /** The buyer reported a problem. The seller has to answer. */
  "problem_reported",
  /** The seller offered to refund a part. The buyer has to answer. */
  "offered",
  /** Our team decides who gets the money. */
  "in_review",
  /** The seller has earned the money, or the part of it that isn't refunded. */
  "completed",
  /** Refunded before the item was handed over. */
  "cancelled",
  /** Refunded after a problem. */
  "refunded",
] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

export const ITEM = predicates(ITEM_STATUSES, {
  awaitsPayment: ["pending_payment"],
  /** Unpaid. A payment, however late, makes it `processing`. */
  isUnpaid: ["pending_payment", "expired"],
  /** Paid, but not yet shipped. The buyer and the seller may still agree on the handover. */
  isToShip: ["processing"],
  isShipped: ["shipped"],
  /** The seller's first message counts as contacting the buyer. An order may still be paid late. */
  takesContact: ["pending_payment", "expired", "processing"],
  /** The handover code counts: whoever has it can be paid. */
  takesCode: ["processing", "cancel_requested", "shipped", "delivered"],
  /** Paid, and not handed over yet. The buyer and the seller may arrange to meet. */
  isMeetable: ["processing", "shipped"],
  /** Paid, and the money is held: neither earned by the seller nor refunded. The glossary says what else is held. */
  isHeld: ["processing", "cancel_requested", "shipped", "delivered", "problem_reported", "offered", "in_review"],
  /** The seller can cancel, and so can the clock. */
  isCancellable: ["processing", "cancel_requested"],
  /** Handed over, as far as we know. */
  isDelivered: ["delivered", "completed"],
  /** A problem was reported, and it isn't settled. */
  hasOpenProblem: ["problem_reported", "offered", "in_review"],
  isInReview: ["in_review"],
  /** The seller has to answer. */
  awaitsSeller: ["cancel_requested", "problem_reported"],
  /** The buyer has to answer, or lets the time pass. */
  awaitsBuyer: ["delivered", "offered"],
  /** Money is held, and no admin is asked to decide. */
  isRunning: ["processing", "cancel_requested", "shipped", "delivered", "problem_reported", "offered"],
  isCompleted: ["completed"],
  /** Its buyer and its seller may review each other. A cancelled one was never handed over. */
  isReviewable: ["completed", "refunded"],
  /** Refunded after a problem. */
  isRefunded: ["refunded"],
  /** The buyer gets all the money back. */
  isReturned: ["cancelled", "refunded"],
  /** Nothing happens any more. */
  isOver: ["expired", "completed", "cancelled", "refunded"],
  /** Paid, and not returned: it counts as a sale. */
  isSold: [
    "processing",
    "cancel_requested",
    "shipped",
    "delivered",
    "problem_reported",
    "offered",
    "in_review",
    "completed",
  ],
});
