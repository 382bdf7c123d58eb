/** The texts of the waiting list (docs/product-rules.md, "Waiting list"). */

/** How many waiting lists one person can be on. */
export const WAITS_MAX = 50;

export const WAIT_TEXTS = {
  joined: "We'll tell you when you can buy it",
  left: "You're off the waiting list",
  available: "You can buy this now",
  not_found: "You can't join the waiting list of this product",
  blocked: "You can't buy from this seller, so there is nothing to wait for. Others may have something like it.",
  full: `You're on ${WAITS_MAX} waiting lists already. Leave one of them first.`,
  failed: "We couldn't change the waiting list. Please try again.",
} as const;

/** The toast for a person on the waiting list. */
export function availableAgainText(productName: string): string {
  return `${productName} is available again`;
}
