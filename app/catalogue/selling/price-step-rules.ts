/**
 * The price of a quantity, for products with price steps (docs/product-rules.md, "Wholesale"). The product page and the
 * cart load this file, so the rules of the form are in wholesale-rules.ts.
 */

/** A lower price for larger orders. */
export interface PriceStep {
  /** Pieces in one order. */
  fromQuantity: number;
  /** KES for one piece. */
  price: number;
}

/** What decides the price of a quantity. */
export interface Pricing {
  /** KES for one piece. */
  price: number;
  /** In rising order of `fromQuantity`. */
  steps: readonly PriceStep[];
}

/** Pieces of a wholesale listing in one order. Other listings have a lower limit. */
export const WHOLESALE_QUANTITY_MAX = 9_999;

/** "6 pieces". */
export function piecesText(quantity: number): string {
  return quantity === 1 ? "1 piece" : `${quantity.toLocaleString("en")} pieces`;
}

/** "3 products", or "3 products, 5 pieces" where there is more than one of something. */
export function productsText(products: number, pieces: number): string {
  const counted = products === 1 ? "1 product" : `${products} products`;
  return pieces > products ? `${counted}, ${piecesText(pieces)}` : counted;
}

/**
 * The price of one piece, in KES, in an order of `quantity` pieces. A step that isn't below the listing's own price has
 * no effect. `unitPriceOf` in wholesale.server.ts is the same in SQL.
 */
export function unitPrice({ price, steps }: Pricing, quantity: number): number {
  const step = steps.findLast(({ fromQuantity }) => fromQuantity <= quantity);
  return step ? Math.min(price, step.price) : price;
}

/** Reads price steps as pages send them back (JSON). Anything else is no steps. */
export function readSteps(text: string | null | undefined): PriceStep[] {
  try {
    const steps: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(steps) ? steps.filter(isStep) : [];
  } catch {
    return [];
  }
}

function isStep(step: unknown): step is PriceStep {
  return typeof step === "object" && step !== null && "fromQuantity" in step && "price" in step;
}

/** The steps that make a larger order cheaper than the listing's own price. */
export function shownSteps({ price, steps }: Pricing): PriceStep[] {
  return steps.filter((step) => step.price < price);
}

/**
 * The next step, if an order of `quantity` pieces can still get cheaper: how many more pieces, and their price (KES).
 */
export function nextPriceStep(pricing: Pricing, quantity: number): { more: number; price: number } | null {
  const now = unitPrice(pricing, quantity);
  const next = pricing.steps.find((step) => step.fromQuantity > quantity && step.price < now);
  return next ? { more: next.fromQuantity - quantity, price: next.price } : null;
}
