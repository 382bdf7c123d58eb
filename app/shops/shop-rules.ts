/** Shops: pure rules. */
import { HOUR_MS } from "#app/platform/duration-rules.ts";

/** The title of a seller's page: the shop's name, or else the person's. */
export function sellerTitle(seller: { shopName: string | null; fullName: string | null }): string {
  return seller.shopName?.trim() || seller.fullName?.trim() || "Seller";
}

/** Followers are counted exactly up to here. Above it the page says "1,000+". */
export const EXACT_MAX = 1_000;

/** "1 follower", "12 followers", "1,000+ followers". */
export function countOf(count: number, one: string, many: string): string {
  if (count === 1) return `1 ${one}`;
  return `${count > EXACT_MAX ? "1,000+" : count.toLocaleString("en")} ${many}`;
}

/** The orders of the list of all shops. */
export type ShopOrder = "newest" | "rated";

/** A position in the list of all shops. */
export interface ShopPlace {
  /** The Bayesian average of its rating, in thousandths of a star. */
  score: number;
  createdAt: number;
  id: string;
}

/** The cursor of a position: its score stands in it only where the list is sorted by it. */
export function writeShopPlace({ score, createdAt, id }: ShopPlace, order: ShopOrder): string {
  return `${order === "rated" ? `${score}.` : ""}${createdAt}.${id}`;
}

/** Returns null for a cursor that is unreadable or of another order. */
export function readShopPlace(text: string | null, order: ShopOrder): ShopPlace | null {
  const place = /^(?:(?<score>\d{1,5})\.)?(?<createdAt>\d{1,15})\.(?<id>[0-9a-f-]{36})$/.exec(text ?? "");
  const { score, createdAt, id } = place?.groups ?? {};
  if (!createdAt || !id || (score === undefined) === (order === "rated")) return null;
  return { score: Number(score ?? 0), createdAt: Number(createdAt), id };
}

/** How many shops the home page shows, and how many products of each. */
export const FEATURED_SHOPS = 6;
export const FEATURED_PRODUCTS = 3;

/**
 * Where the home page starts in the list of featured shops, which is ordered by id. The start moves by six every hour
 * and wraps around, so that every featured shop is shown equally often in the long run.
 */
export function rotationTurn(now: number): number {
  return Math.floor(now / HOUR_MS) * FEATURED_SHOPS;
}

/** How many shops one person can follow. What they list is found by a look at each of them. */
export const FOLLOWED_MAX = 1_000;

export const FOLLOW_TEXTS = {
  too_many: "You follow 1,000 shops, which is the most. Unfollow one first.",
  not_found: "This shop no longer exists",
  own: "You can't follow your own shop",
  failed: "We couldn't save this. Please try again.",
} as const;
