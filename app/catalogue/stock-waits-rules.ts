/** The texts of the waiting list (docs/product-rules.md, "Waiting list"). */

/** How many products one person can wait for. */
export const WAITS_MAX = 50;

export const WAIT_TEXTS = {
  joined: "We'll tell you when it can be bought",
  left: "You're off the waiting list",
  available: "You can buy this now",
  not_found: "You can't wait for this product",
  full: `You're waiting for ${WAITS_MAX} products already. Leave one of them first.`,
  failed: "We couldn't change the waiting list. Please try again.",
} as const;

/** The toast for who waited. */
export function freeAgainText(productName: string): string {
  return `${productName} can be bought again`;
}
