import type { ReviewRole } from "./review-rules.ts";

/** The address of all published reviews of a person in one role. */
export function personReviewsPath(personId: string, as: ReviewRole): string {
  return `/people/${personId}/reviews?as=${as}`;
}
