/** What a reviewed person was in the deal: `reviews.subject_role`, `user_ratings.role`. */
export const REVIEW_ROLES = ["buyer", "seller"] as const;

/** `reviews.tags`: what a reviewer can tick. `reviews/review-rules.ts` says which fits which role. */
export const REVIEW_TAGS = [
  "as_described",
  "friendly",
  "on_time",
  "good_packaging",
  "quick_answers",
  "paid_promptly",
  "not_as_described",
  "unfriendly",
  "late",
  "slow_answers",
] as const;
export type ReviewTag = (typeof REVIEW_TAGS)[number];
