/** One press that makes a listing cheaper for those who saved it (docs/product-rules.md, "Around a product"). */
import { PAYOUT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";

/** How much it takes off, in percent. Enough that everybody is told who saved it at the price before (`isFall`). */
export const LOWER_PERCENT = 10;

/** How long a listing waits for the next press: those who saved it shouldn't be told every day. In ms. */
export const LOWER_EVERY_MS = 3 * 24 * 60 * 60_000;

/** What a press would do. */
export interface Lowering {
  /** KES: the price now, and after it. */
  from: number;
  to: number;
  /** How many people saved it, and would be told. */
  savers: number;
}

/** The lower price, in KES; null where M-Pesa couldn't pay it out. */
export function loweredPrice(price: number): number | null {
  const lower = Math.floor((price * (100 - LOWER_PERCENT)) / 100);
  const even = lower < 100 ? lower : lower - (lower % 10);
  return even < PAYOUT_LIMITS.min ? null : even;
}

export const LOWERING_TEXTS = {
  failed: "We couldn't change the price. Please try again.",
  changed: "The price has changed meanwhile. Please look at it again.",
  too_soon: "You've lowered this price within the last three days. Please wait a little.",
  not_now: "Somebody is buying this or has made an offer, so its price stays for now.",
} as const;

export function loweredText(price: string, savers: number): string {
  const who = savers === 1 ? "the one who saved it" : `the ${savers} who saved it`;
  return savers === 0 ? `It costs ${price} now.` : `It costs ${price} now. We're telling ${who}.`;
}
