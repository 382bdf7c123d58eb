/** How many pieces of one product a buyer can order. */
import { piecesText, WHOLESALE_QUANTITY_MAX } from "#app/catalogue/selling/price-step-rules.ts";
import { QUANTITY_MAX } from "./basket-rules.ts";

const QUANTITY_MAX_WARNING = "Maximum quantity is 99";
const ONLY_ONE_WARNING = "Only one of this item is available";

/** How many of a product one buyer can order. `stock`: null means no limit. */
export function maxQuantity({ stock, wholesale }: { stock: number | null; wholesale: boolean }): number {
  const limit = wholesale ? WHOLESALE_QUANTITY_MAX : QUANTITY_MAX;
  return Math.max(1, Math.min(limit, stock ?? limit));
}

/** The smallest quantity that a buyer can order. The last pieces can be bought even if they are fewer. */
export function smallestOrder(product: { minQuantity: number; stock: number | null; wholesale: boolean }): number {
  return Math.min(product.minQuantity, maxQuantity(product));
}

/** What is wrong with a quantity that a buyer can't order. */
export function quantityError({ minimum, maximum }: { minimum: number; maximum: number }) {
  return (quantity: number): string =>
    quantity > maximum ? quantityWarning(maximum) : `The smallest order is ${piecesText(minimum)}`;
}

/** For a buyer who wants more pieces of one product than `max`, the most that can be ordered. */
export function quantityWarning(max: number): string {
  if (max === 1) return ONLY_ONE_WARNING;
  if (max === WHOLESALE_QUANTITY_MAX) return "Maximum quantity is 9,999";
  return max === QUANTITY_MAX ? QUANTITY_MAX_WARNING : `Only ${max} of this item are available`;
}
