/** The money of one order item: what its buyer pays, and how it is divided when its deal ends. Pure, in whole KES. */
import { PAYOUT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";

/** The price of an item with its fees, as they were when it was ordered. */
export interface ItemPrice {
  subtotal: number;
  /** On top of the price. */
  buyerFee: number;
  /** Out of the price. */
  sellerFee: number;
}

/** What the buyer pays for an item, which is what we hold. */
export function paidFor({ subtotal, buyerFee }: Pick<ItemPrice, "subtotal" | "buyerFee">): number {
  return subtotal + buyerFee;
}

/** What the seller gets for an item that is kept as a whole. */
export function earnedFor({ subtotal, sellerFee }: Pick<ItemPrice, "subtotal" | "sellerFee">): number {
  return subtotal - sellerFee;
}

/** Who gets what of what the buyer paid. The three sum to it. */
export interface MoneyShares {
  buyer: number;
  seller: number;
  /** What we keep. */
  fee: number;
}

/**
 * Divides what the buyer paid, where `returned` of the price goes back to them. We take the fee for the part that the
 * seller earns, so nothing of a sale that is undone. A seller keeps at least what M-Pesa can pay out.
 */
export function divideMoney({ subtotal, buyerFee, sellerFee }: ItemPrice, returned: number): MoneyShares {
  const earned = subtotal - returned;
  if (earned <= 0) return { buyer: subtotal + buyerFee, seller: 0, fee: 0 };
  const ofBuyer = Math.floor((buyerFee * earned) / subtotal);
  const ofSeller = Math.max(0, Math.min(Math.floor((sellerFee * earned) / subtotal), earned - PAYOUT_LIMITS.min));
  return { buyer: returned + buyerFee - ofBuyer, seller: earned - ofSeller, fee: ofBuyer + ofSeller };
}
