import type { BasketChange } from "./basket-rules.ts";

/** The error message of a failed change. */
export const FAILED_TEXTS = {
  "add-to-cart": "Failed to add to cart",
  "set-quantity": "Failed to update cart",
  "accept-price": "Failed to update cart",
  "remove-from-cart": "Failed to remove item from cart",
  "clear-cart": "Failed to clear cart",
  "move-to-wishlist": "Failed to move item to wishlist",
  "add-to-wishlist": "Failed to add to wishlist",
  "remove-from-wishlist": "Failed to remove from wishlist",
  "clear-wishlist": "Failed to clear wishlist",
  "move-to-cart": "Failed to move item to cart",
} as const satisfies Record<BasketChange["intent"], string>;

/** The error message of an unreadable request. */
export function unreadableText(intent: string): string {
  const known = Object.entries(FAILED_TEXTS).find(([name]) => name === intent);
  return known?.[1] ?? (intent.includes("wishlist") ? "Failed to update wishlist" : "Failed to update cart");
}
