/**
 * Ratings: pure rules. A rating is the average of the stars that reviews give a person in one role: one review of each
 * author.
 */

/** How many of the reviews that count have 1, 2, 3, 4 and 5 stars, in this order. A row of `user_ratings`. */
export type StarCounts = readonly [number, number, number, number, number];

export interface Rating {
  /** 1 to 5, to one decimal. */
  average: number;
  /** People who gave a review. */
  count: number;
}

/** A person who was reviewed by fewer people has no rating: "New seller" is shown instead. */
export const RATED_FROM = 3;

/** The rating of a person; null with fewer than `RATED_FROM` authors, because one friend could make it. */
export function ratingOf(counts: StarCounts): Rating | null {
  const { count, stars } = totals(counts);
  return count < RATED_FROM ? null : { average: Math.round((10 * stars) / count) / 10, count };
}

export interface StarShare {
  /** 5 to 1. */
  stars: number;
  count: number;
  /** 0 to 100: its share of all reviews, rounded. */
  percent: number;
}

/** How the reviews are spread over the stars, 5 stars first. */
export function distributionOf(counts: StarCounts): StarShare[] {
  const { count: all } = totals(counts);
  return counts
    .map((count, at) => ({ stars: at + 1, count, percent: all === 0 ? 0 : Math.round((100 * count) / all) }))
    .toReversed();
}

function totals(counts: StarCounts): { count: number; stars: number } {
  let count = 0;
  let stars = 0;
  for (const [at, reviews] of counts.entries()) {
    count += reviews;
    stars += reviews * (at + 1);
  }
  return { count, stars };
}
