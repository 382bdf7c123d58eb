import { predicates } from "./predicates.ts";

/** `order_items.status`. */
export const ITEM_STATUSES = ["pending_payment", "processing", "shipped", "delivered", "expired"] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

export const ITEM = predicates(ITEM_STATUSES, {
  awaitsPayment: ["pending_payment"],
  /** Unpaid: a payment, however late, makes it `processing`. */
  isUnpaid: ["pending_payment", "expired"],
  /** Paid; the seller has not handed it over for transport. */
  isToShip: ["processing"],
  isShipped: ["shipped"],
  /** Paid, and the seller still has something to do. */
  isOpen: ["processing", "shipped"],
  isDelivered: ["delivered"],
  isUndelivered: ["pending_payment", "processing", "shipped", "expired"],
  isSold: ["processing", "shipped", "delivered"],
});
