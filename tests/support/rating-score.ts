import type { StarCounts } from "#app/accounts/trust/rating-rules.ts";

/** The Bayesian average begins as if a shop already had this many reviews with this many stars. */
const PRIOR_REVIEWS = 5;
const PRIOR_STARS = 4;

/** What `shops.rating_score` must be: the Bayesian average, in thousandths of a star. */
export function ratingScore(counts: StarCounts): number {
  const reviews = counts.reduce((sum, count) => sum + count, 0);
  const stars = counts.reduce((sum, count, at) => sum + count * (at + 1), 0);
  return Math.floor((1_000 * (PRIOR_REVIEWS * PRIOR_STARS + stars)) / (PRIOR_REVIEWS + reviews));
}
