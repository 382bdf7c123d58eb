/** One press that makes a listing cheaper (docs/product-rules.md, "Saved searches" and "Still available?"). */
import { PAYOUT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** How long a listing waits for the next press: those who saved it shouldn't be told every day. In ms. */
export const LOWER_EVERY_MS = 3 * DAY_MS;

/** What a press would do. */
export interface Lowering {
  /** KES: the price now, and after it. */
  from: number;
  to: number;
  /** How many people saved it, and would be told. */
  savers: number;
  /** What the seller gets at the lower price, in words; null where they pay no fee. */
  fee: string | null;
}

/**
 * A tenth less, in a round number of KES, so that everybody is told who knows the price (`isFall`); null where there is
 * no lower price worth a press.
 */
export function loweredPrice(price: number): number | null {
  const step = price >= 10_000 ? 500 : price >= 1_000 ? 50 : price >= 200 ? 10 : 5;
  const lower = Math.floor((price * 0.9) / step) * step;
  return lower >= PAYOUT_LIMITS.min && lower < price ? lower : null;
}

export const LOWERING_TEXTS = {
  failed: "We couldn't change the price. Please try again.",
  changed: "The price has changed meanwhile. Please look at it again.",
  too_soon: "You've lowered this price within the last three days. Please wait a little.",
  not_now:
    "The price can't be lowered right now: somebody is buying this, has made an offer, or it is at your lowest price.",
} as const;

export function loweredText(price: string, savers: number): string {
  const who = savers === 1 ? "the one who saved it" : `the ${savers} who saved it`;
  return savers === 0 ? `It costs ${price} now.` : `It costs ${price} now. We're telling ${who}.`;
}
