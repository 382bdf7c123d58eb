/**
 * Reviews: what the buyer and the seller of a finished deal say about each other. Neither sees the other's review
 * before both have written, or before a week has passed.
 */
import type { REVIEW_ROLES, ReviewTag } from "#app/db/states/review.ts";
import { HOUR_MS, DAY_MS } from "#app/platform/duration-rules.ts";

/** What a person was in a deal. */
export type ReviewRole = (typeof REVIEW_ROLES)[number];

/** How many characters a review and a reply may have. */
export const REVIEW_TEXT_MAX = 500;
/** How many photos a buyer can add. Sellers add none. */
export const REVIEW_PHOTOS_MAX = 3;
/** How many reviews a page of a person's reviews has. */
export const REVIEWS_A_PAGE = 20;
/** How many of the newest reviews a seller's page shows. */
export const REVIEWS_ON_SELLER_PAGE = 3;

/** How long a review can be written after its deal has ended. */
export const WRITE_DAYS = 30;
/** A review is published so long after it was written and its deal ended, even if the other side hasn't written. */
export const PUBLISH_DAYS = 7;
/** How long its author can change a review after writing it. */
export const EDIT_HOURS = 24;

/** What can be ticked about somebody, by what they were in the deal. */
export const TAGS_ABOUT: Record<ReviewRole, readonly ReviewTag[]> = {
  seller: [
    "as_described",
    "friendly",
    "on_time",
    "quick_answers",
    "good_packaging",
    "not_as_described",
    "unfriendly",
    "late",
    "slow_answers",
  ],
  buyer: ["friendly", "on_time", "quick_answers", "paid_promptly", "unfriendly", "late", "slow_answers"],
};

/** Tags that say the contrary of each other. */
const CONTRARY_TAGS: readonly (readonly [ReviewTag, ReviewTag])[] = [
  ["as_described", "not_as_described"],
  ["friendly", "unfriendly"],
  ["on_time", "late"],
  ["quick_answers", "slow_answers"],
];

/** Two ticked tags that can't both be true; null when there are none. */
export function contraryTags(tags: readonly ReviewTag[]): readonly [ReviewTag, ReviewTag] | null {
  return CONTRARY_TAGS.find((pair) => pair.every((tag) => tags.includes(tag))) ?? null;
}

/** What the rules must know about a review. Times in ms since 1970. */
export interface ReviewFacts {
  createdAt: number;
  publishAt: number;
  publishedAt: number | null;
  removedAt: number | null;
}

/** The other side of a deal. */
export function otherRole(role: ReviewRole): ReviewRole {
  return role === "buyer" ? "seller" : "buyer";
}

/** Until when a review can be written, ms, if the other side's isn't published before. */
export function writeUntil(endedAt: number): number {
  return endedAt + WRITE_DAYS * DAY_MS;
}

/** When a review is published at the latest, ms. */
export function publishAtOf(createdAt: number): number {
  return createdAt + PUBLISH_DAYS * DAY_MS;
}

/** Until when its author can change a review, ms. */
export function editUntil(createdAt: number): number {
  return createdAt + EDIT_HOURS * HOUR_MS;
}

/** What its author can change now: everything; all but the stars, once it is published; nothing (null). */
export function editableParts(own: ReviewFacts, now: number): "all" | "words" | null {
  if (own.removedAt !== null || now > editUntil(own.createdAt)) return null;
  return own.publishedAt === null ? "all" : "words";
}

export type ReplyRefusal = "not_published" | "removed" | "already_replied";

/** Why the reviewed person can't reply; null when they can. There is one reply for each review. */
export function refuseReply(review: ReviewFacts & { reply: string | null }): ReplyRefusal | null {
  if (review.publishedAt === null) return "not_published";
  if (review.removedAt !== null) return "removed";
  return review.reply === null ? null : "already_replied";
}

/** What a review's form shows. It is merged with a change made meanwhile. */
export interface ReviewValues {
  /** 1 to 5 stars. */
  rating: number;
  tags: readonly ReviewTag[];
  text: string;
  photoKeys: readonly string[];
}

export function reviewTexts({ rating, tags, text, photoKeys }: ReviewValues) {
  return { rating: String(rating), tags: tags.toSorted().join(" "), text, photos: photoKeys.join(" ") };
}

export type ReviewField = keyof ReturnType<typeof reviewTexts>;
