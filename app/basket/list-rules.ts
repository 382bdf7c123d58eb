/**
 * Rules of the cart's and the wishlist's own screens. They aren't in basket-rules.ts, because every screen loads that
 * file.
 */
import { type FeeRule, feesOf } from "#app/catalogue/fees/fee-rules.ts";
import { piecesText, type Pricing, unitPrice } from "#app/catalogue/selling/price-step-rules.ts";
import { SOLD_OUT } from "#app/catalogue/selling/listing-stock-rules.ts";
import { PAYMENT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";
import { formatKes } from "#app/ui/money.ts";
import type { BasketChange } from "./basket-rules.ts";

export interface CartTotals {
  /** KES, without fees. */
  total: number;
  /** KES that come on top. */
  fees: number;
  /** Lines. */
  items: number;
  /** Pieces. */
  quantity: number;
}

/** What decides whether the cart's order takes a line. */
interface Buyable {
  available: boolean;
  /** Its seller's holiday ends then; null when they aren't on holiday. */
  awayUntil?: number | null;
  /** The buyer's accepted offer. */
  offer?: object | null;
  /** No piece is left. */
  soldOut?: boolean;
}

/** Whether the cart's order takes a line: it can be bought now, and has no accepted offer, which is paid by itself. */
export function isOrdered({ available, awayUntil, offer }: Buyable): boolean {
  return available && !awayUntil && !offer;
}

/**
 * What the cart's order leaves out, because nobody, or this buyer, can buy it now: it is sold or gone, its seller is on
 * holiday, or one of the two has blocked the other. Null when it takes everything.
 */
export function leftOutText(lines: readonly (Buyable & { name: string })[]): string | null {
  const leftOut = lines.filter((line) => !line.offer && !isOrdered(line));
  const [first, second, ...more] = leftOut.map(({ name }) => name);
  if (first === undefined) return null;
  const left = [first, second, more.length > 0 ? `${more.length} more` : undefined].filter(
    (name) => name !== undefined,
  );
  const rest = lines.filter(isOrdered).length;
  const then = rest === 0 ? "" : ` Pay for the other ${rest === 1 ? "one" : rest}.`;
  const names = new Intl.ListFormat("en").format(left);
  return `${leftOut.every(({ soldOut }) => soldOut) ? `${SOLD_OUT}: ${names}.` : `You can't buy ${names} now.`}${then}`;
}

/** Totals of the lines that the cart's order takes. A missing price counts as 0. */
export function cartTotals(
  lines: readonly (Buyable & { price: number | null; quantity: number; feeRule?: FeeRule | null })[],
): CartTotals {
  const bought = lines.filter(isOrdered);
  const priceOf = ({ price, quantity }: { price: number | null; quantity: number }) => (price ?? 0) * quantity;
  return {
    total: bought.reduce((sum, line) => sum + priceOf(line), 0),
    fees: bought.reduce((sum, line) => sum + feesOf(line.feeRule ?? null, priceOf(line)).buyerFee, 0),
    items: bought.length,
    quantity: bought.reduce((sum, line) => sum + line.quantity, 0),
  };
}

interface Settled extends Buyable {
  price: number;
  priceWhenAdded: number;
  revision: number;
  revisionWhenAdded: number;
  quantity: number;
  minQuantity: number;
}

/**
 * Whether a line stops no order: accepted by the buyer, and enough pieces. What the order doesn't take stops nothing.
 */
export function isSettled(line: Settled): boolean {
  return !isOrdered(line) || (isAccepted(line) && line.quantity >= line.minQuantity);
}

/** Whether the buyer has accepted the price and the listing as they are now. */
export function isAccepted(
  line: Pick<Settled, "price" | "priceWhenAdded" | "revision" | "revisionWhenAdded">,
): boolean {
  return line.price === line.priceWhenAdded && line.revision === line.revisionWhenAdded;
}

/** For a cart in which every line has an accepted offer. */
export const ONLY_OFFERS_TEXT = "Pay each accepted offer by itself.";

/** What a buyer does about a line below the smallest order. */
export function belowMinimumText(name: string, minQuantity: number): string {
  return `The smallest order of ${name} is ${piecesText(minQuantity)}. Please raise the quantity.`;
}

/** For an order that costs more than M-Pesa takes in one payment. `amount` in KES. */
export function tooLargeText(amount: number): string {
  return `This order comes to ${formatKes(amount)}, and M-Pesa takes at most ${formatKes(PAYMENT_LIMITS.max)} in one payment. Please order fewer at a time.`;
}

interface Line {
  productId: string;
  quantity: number;
  price: number;
  priceWhenAdded: number;
  pricing: Pricing;
  accepted: Pricing;
  revision: number;
  revisionWhenAdded: number;
}

/**
 * The line with another quantity, and with the prices of that quantity: today's, and the one that its buyer accepted.
 */
export function atQuantity<L extends Pick<Line, "pricing" | "accepted">>(line: L, quantity: number) {
  return {
    ...line,
    quantity,
    price: unitPrice(line.pricing, quantity),
    priceWhenAdded: unitPrice(line.accepted, quantity),
  };
}

/** The cart's lines after `changes`. */
export function cartAfter<L extends Line>(lines: readonly L[], changes: Iterable<BasketChange>): L[] {
  let after = [...lines];
  for (const change of changes) {
    if (change.intent === "clear-cart") after = [];
    if (change.intent === "remove-from-cart" || change.intent === "move-to-wishlist")
      after = after.filter((line) => line.productId !== change.productId);
    if (change.intent === "set-quantity")
      after = after.map((line) => (line.productId === change.productId ? atQuantity(line, change.quantity) : line));
    if (change.intent === "accept-price")
      after = after.map((line) =>
        line.productId === change.productId
          ? {
              ...line,
              priceWhenAdded: change.price,
              accepted: line.pricing,
              revisionWhenAdded: change.revision ?? line.revisionWhenAdded,
            }
          : line,
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
