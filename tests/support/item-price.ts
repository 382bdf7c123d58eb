import type { ItemPrice } from "#app/orders/item-price-rules.ts";

/** The price of an item of which nobody takes a fee. KES. */
export function withoutFees(subtotal: number): ItemPrice {
  return { subtotal, buyerFee: 0, sellerFee: 0 };
}
