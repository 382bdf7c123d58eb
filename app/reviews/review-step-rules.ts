/** What a side of a deal can do about reviews next. Apart from the other rules, because browsers don't need it. */
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import { type ReviewFacts, writeUntil } from "./review-rules.ts";

/** The deal was finished, so its two sides may review each other. Times in ms since 1970. */
interface ReviewedDeal {
  status: ItemStatus;
  endedAt: number;
  /** It cost nothing, and the person who asks has reviewed the other side for another deal. */
  isFreeAgain: boolean;
}

export type WriteRefusal =
  /** The deal is still running, or nothing was handed over. */
  | "not_finished"
  | "already_written"
  /** The other side's review is published, and nobody answers a review with a review. */
  | "other_published"
  /** The deal ended too long ago. */
  | "too_late"
  /** The other person has deleted their account. */
  | "gone"
  /** Friends could give each other free items again and again, so those are reviewed once. */
  | "free_again";

/** Why a side of the deal can't write a review now; null when they can. `other` is the other side's review. */
export function refuseReview(
  deal: ReviewedDeal,
  { own, other, otherIsGone }: { own: ReviewFacts | null; other: ReviewFacts | null; otherIsGone: boolean },
  now: number,
): WriteRefusal | null {
  if (!ITEM.isReviewable(deal.status)) return "not_finished";
  if (own) return "already_written";
  if (otherIsGone) return "gone";
  if (deal.isFreeAgain) return "free_again";
  if (other && other.publishedAt !== null) return "other_published";
  return now > writeUntil(deal.endedAt) ? "too_late" : null;
}

/** What a side of a deal can do about reviews next. */
export type ReviewStep =
  | "write"
  /** The other side has written already. */
  | "write_too"
  /** The other side hasn't written yet. */
  | "wait"
  /** At least one review is published. */
  | "read";

/** The next step about reviews; null when there is nothing to do or to read. */
export function reviewStep(
  deal: ReviewedDeal,
  reviews: Parameters<typeof refuseReview>[1],
  now: number,
): ReviewStep | null {
  const { own, other } = reviews;
  if (refuseReview(deal, reviews, now) === null) return other ? "write_too" : "write";
  const isReadable = [own, other].some((review) => review && review.publishedAt !== null && review.removedAt === null);
  return isReadable ? "read" : own && "wait";
}
