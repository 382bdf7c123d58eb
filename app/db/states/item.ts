import { predicates } from "./predicates.ts";

/** `order_items.status`. */
export const ITEM_STATUSES = ["pending_payment", "processing", "shipped", "delivered", "expired"] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

export const ITEM = predicates(ITEM_STATUSES, {
  awaitsPayment: ["pending_payment"],
  /** Unpaid. A payment, however late, makes it `processing`. */
  isUnpaid: ["pending_payment", "expired"],
  /** Paid, but not yet shipped. */
  isToShip: ["processing"],
  isShipped: ["shipped"],
  /** Paid, and not yet delivered. */
  isOpen: ["processing", "shipped"],
  isDelivered: ["delivered"],
  isUndelivered: ["pending_payment", "processing", "shipped", "expired"],
  isSold: ["processing", "shipped", "delivered"],
});
