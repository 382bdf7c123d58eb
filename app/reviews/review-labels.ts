/** What a review shows: its stars and its tags. Apart from the rules, because screens with reviews need no more. */
import type { ReviewTag } from "#app/db/states/review.ts";

export const STARS = [1, 2, 3, 4, 5] as const;
export type Stars = (typeof STARS)[number];

export const TAG_LABELS: Record<ReviewTag, string> = {
  as_described: "As described",
  friendly: "Friendly",
  on_time: "On time",
  good_packaging: "Well packed",
  quick_answers: "Quick answers",
  paid_promptly: "Paid quickly",
  not_as_described: "Not as described",
  unfriendly: "Unfriendly",
  late: "Late",
  slow_answers: "Slow answers",
};

export function countOfStars(stars: number): string {
  return stars === 1 ? "1 star" : `${stars} stars`;
}
