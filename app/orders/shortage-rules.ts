import { fewerLeftText, RESERVATION_MS, reservedText } from "#app/catalogue/stock/stock-rules.ts";
import { MINUTE_MS } from "#app/platform/duration-rules.ts";

/** A product of which an order can't get enough pieces. */
export interface Shortage {
  name: string;
  /** Pieces that the seller has, including the reserved ones. */
  stock: number;
  /** 1: others have reserved what is missing. 0: the seller has fewer than were ordered. */
  reserved: number;
  /** When the first of their reservations may end, ms since 1970; null when nobody knows. */
  reservedUntil: number | null;
  /** Lines of the order. */
  lines: number;
  /** The buyer has an accepted offer for it, which keeps a piece for them at another price. */
  hasOffer: boolean;
}

/**
 * Why an order can't be paid now, for its buyer. "closed": waiting doesn't help. `retryAfterMs`: how long to wait, at
 * least a minute.
 */
export function refuseShortage(
  shortage: Shortage,
  now: number,
):
  | { code: "closed"; error: string; retryAfterMs: null }
  | { code: "in_progress"; error: string; retryAfterMs: number } {
  const { name, stock, reserved, reservedUntil, lines, hasOffer } = shortage;
  if (hasOffer) return { code: "closed", error: ownOfferText(name), retryAfterMs: null };
  if (reserved === 0) return { code: "closed", error: fewerLeftText(name, stock), retryAfterMs: null };
  const wait = reservedUntil === null ? null : Math.max(MINUTE_MS, reservedUntil - now);
  return {
    code: "in_progress",
    error: reservedText(lines > 1 ? name : null, wait),
    retryAfterMs: wait ?? RESERVATION_MS,
  };
}

/** For a buyer who pays the full price, although their offer was accepted. */
function ownOfferText(name: string): string {
  return `Your offer for ${name} was accepted, and we keep it for you at that price. Please pay the offer instead of this order.`;
}
