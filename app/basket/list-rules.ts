/**
 * Rules of the cart's and the wishlist's own screens. They aren't in basket-rules.ts, because every screen loads that file.
 */
import { type BasketChange, QUANTITY_MAX } from "./basket-rules.ts";

export const QUANTITY_MAX_WARNING = "Maximum quantity is 99";
export const ONLY_ONE_WARNING = "Only one of this item is available";

/** How many of a product one buyer can order. `stock` is null without a limit. */
export function maxQuantity({ stock }: { stock: number | null }): number {
  return Math.max(1, Math.min(QUANTITY_MAX, stock ?? QUANTITY_MAX));
}

/** For a buyer who wants more than `max` pieces of one product, the most that can be ordered. */
export function quantityWarning(max: number): string {
  if (max === 1) return ONLY_ONE_WARNING;
  return max === QUANTITY_MAX ? QUANTITY_MAX_WARNING : `Only ${max} of this item are available`;
}

export interface CartTotals {
  /** KES. */
  total: number;
  /** Lines. */
  items: number;
  /** Pieces. */
  quantity: number;
}

/** Totals of the lines that can be bought. A missing price counts as 0. */
export function cartTotals(
  lines: readonly { price: number | null; quantity: number; available: boolean }[],
): CartTotals {
  const bought = lines.filter((line) => line.available);
  return {
    total: bought.reduce((sum, line) => sum + (line.price ?? 0) * line.quantity, 0),
    items: bought.length,
    quantity: bought.reduce((sum, line) => sum + line.quantity, 0),
  };
}

/** Whether a line can be ordered as it is: the product is for sale at the price that the buyer accepted. */
export function isSettled(line: { price: number; priceWhenAdded: number; available: boolean }): boolean {
  return line.available && line.price === line.priceWhenAdded;
}

interface Line {
  productId: string;
  quantity: number;
  price: number;
  priceWhenAdded: number;
}

/** The cart's lines after `changes`. */
export function cartAfter<L extends Line>(lines: readonly L[], changes: Iterable<BasketChange>): L[] {
  let after = [...lines];
  for (const change of changes) {
    if (change.intent === "clear-cart") after = [];
    if (change.intent === "remove-from-cart" || change.intent === "move-to-wishlist")
      after = after.filter((line) => line.productId !== change.productId);
    if (change.intent === "set-quantity")
      after = after.map((line) =>
        line.productId === change.productId ? { ...line, quantity: change.quantity } : line,
      );
    if (change.intent === "accept-price")
      after = after.map((line) =>
        line.productId === change.productId ? { ...line, priceWhenAdded: change.price } : line,
      );
  }
  return after.filter((line) => line.quantity > 0);
}

/** The wishlist's items after `changes`. */
export function wishlistAfter<I extends { productId: string }>(
  items: readonly I[],
  changes: Iterable<BasketChange>,
): I[] {
  let after = [...items];
  for (const change of changes) {
    if (change.intent === "clear-wishlist") after = [];
    if (change.intent === "remove-from-wishlist" || change.intent === "move-to-cart")
      after = after.filter((item) => item.productId !== change.productId);
  }
  return after;
}
