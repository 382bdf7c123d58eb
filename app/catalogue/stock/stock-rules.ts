/** Rules of stock (docs/product-rules.md, "Stock"). */
import { MINUTE_MS } from "#app/platform/duration-rules.ts";

/**
 * How long a payment under way reserves the pieces of its order, in ms. It is also how long we wait for the payer's
 * answer.
 */
export const RESERVATION_MS = 5 * MINUTE_MS;

/** How many unpaid attempts a buyer may make for one product in a day. It holds for products with a limited stock. */
export const UNPAID_RESERVATIONS_MAX = 5;

/**
 * For a buyer who wants what is reserved for others. `name`: the product, where it isn't clear from the page. `leftMs`:
 * until the first of the reservations may end; null when nobody knows. Only an accepted offer reserves for longer than
 * a payment.
 */
export function reservedText(name: string | null, leftMs: number | null): string {
  const when = leftMs === null ? "later" : `in ${waitText(leftMs)}`;
  if (leftMs !== null && leftMs > RESERVATION_MS) {
    // That may be a day, and the rest of an order needn't wait so long.
    const next = name === null ? "Try again" : "Take it out of your cart to order the rest now, or try again";
    return `${name ?? "This"} is kept for a buyer with an accepted offer. ${next} ${when}`;
  }
  return `Somebody is paying for ${name ?? "this"} right now. Try again ${when}`;
}

/** A time to wait, rounded up: "30 s", "4 min", "3 h". At least a second. */
function waitText(leftMs: number): string {
  if (leftMs < MINUTE_MS) return `${Math.max(1, Math.ceil(leftMs / 1000))} s`;
  const minutes = Math.ceil(leftMs / MINUTE_MS);
  return minutes < 60 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}

/** For a buyer who ordered more pieces than there are. */
export function fewerLeftText(name: string, left: number): string {
  return `Only ${left} of ${name} ${left === 1 ? "is" : "are"} left. Please order again with fewer.`;
}

/** For a buyer who asked to pay for a product too often without paying. */
export function reservedTooOftenText(name: string): string {
  return `You've asked to pay for ${name} ${UNPAID_RESERVATIONS_MAX} times today without paying, so others can buy it first. You can try again tomorrow.`;
}
