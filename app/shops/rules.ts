/** Shops: pure rules (accounts spec §2, §8; commerce spec §3, §7, §9). */

/** Shown while a shop has no review of its own (commerce spec §9). */
export const DISPLAY_RATING: Rating = { average: 4.5, count: 10 };

export interface Rating {
  /** 1 to 5. */
  average: number;
  count: number;
}

/** A shop's own rating, to one decimal; the display default where nobody has reviewed it. */
export function ratingOf(own: { average: number | null; count: number }): Rating {
  if (own.count === 0 || own.average === null) return DISPLAY_RATING;
  return { average: Math.round(own.average * 10) / 10, count: own.count };
}

/** What a seller's page is called: by the shop, then the person (accounts spec §2). */
export function sellerTitle(seller: { shopName: string | null; fullName: string | null }): string {
  return seller.shopName?.trim() || seller.fullName?.trim() || "Seller";
}

/** A number of followers or reviews is exact up to here; beyond it reads "1,000+". */
export const EXACT_MAX = 1_000;

/** "1 follower", "12 followers", "1,000+ followers". */
export function countOf(count: number, one: string, many: string): string {
  if (count === 1) return `1 ${one}`;
  return `${count > EXACT_MAX ? "1,000+" : count.toLocaleString("en")} ${many}`;
}

/** Shops on the home page, and products of each (commerce spec §9). */
export const FEATURED_SHOPS = 6;
export const FEATURED_PRODUCTS = 3;

const HOUR_MS = 60 * 60 * 1000;

/**
 * How far the home page has gone round the featured shops, which stand in a circle by id: six further with every hour. So over
 * as many hours in a row as there are featured shops, each is shown just as often as every other.
 */
export function rotationTurn(now: number): number {
  return Math.floor(now / HOUR_MS) * FEATURED_SHOPS;
}

export const FOLLOW_TEXTS = {
  not_found: "This shop does not exist any more",
  own: "This is your own shop",
  failed: "The change could not be saved. Please try again.",
  too_many: "Too many requests. Please try again later.",
} as const;
