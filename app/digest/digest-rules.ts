/** What the weekly digest has for whom, and when it is sent. Pure rules. */
import { dayOf, inEastAfrica } from "#app/platform/east-africa-time.ts";

/** The hours of the day, in East Africa, in which digests are sent: from 9:00 until before 20:00. */
const HOURS = { from: 9, until: 20 };
/** Day 2 of 1970 was a Saturday: 3 January. */
const SATURDAY = 2;

/**
 * Whose turn it is at `now` (ms): the number of the week, which begins on Saturday in East Africa. Null at hours at
 * which nobody is told. What Saturday doesn't finish goes on the next day.
 */
export function digestWeek(now: number): number | null {
  const hour = inEastAfrica(now).getUTCHours();
  if (hour < HOURS.from || hour >= HOURS.until) return null;
  return Math.floor((dayOf(now) - SATURDAY) / 7);
}

/** How many listings a digest names. */
export const DIGEST_MAX = 5;

/** Why something may interest somebody, and how much. */
const WEIGHTS = { followed: 3, wished: 2, bought: 1 } as const;

export interface Interests {
  readerId: string;
  /** Types of what they have on their wishlist or in their cart. */
  wishedTypes: readonly string[];
  /** Types of what they bought lately. */
  boughtTypes: readonly string[];
  /** The sellers whose shops they follow. */
  followed: readonly string[];
  /** Products that they have saved. */
  known: readonly string[];
  /** People with whom they don't deal, because one has blocked the other. */
  blocked: readonly string[];
}

export interface NewListing {
  id: string;
  name: string;
  sellerId: string;
  /** Null where nobody knows what kind of thing it is. */
  type: string | null;
}

/** What of a campus's new listings, newest first, interests somebody most. Empty when nothing does. */
export function pickListings(of: Interests, listings: readonly NewListing[]): NewListing[] {
  const weighed = listings
    .filter(({ id, sellerId }) => sellerId !== of.readerId && !of.known.includes(id) && !of.blocked.includes(sellerId))
    .map((listing) => ({ listing, weight: weightOf(of, listing) }))
    .filter(({ weight }) => weight > 0);
  return weighed
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, DIGEST_MAX)
    .map(({ listing }) => listing);
}

function weightOf({ wishedTypes, boughtTypes, followed }: Interests, { sellerId, type }: NewListing): number {
  return (
    (followed.includes(sellerId) ? WEIGHTS.followed : 0) +
    (type !== null && wishedTypes.includes(type) ? WEIGHTS.wished : 0) +
    (type !== null && boughtTypes.includes(type) ? WEIGHTS.bought : 0)
  );
}
