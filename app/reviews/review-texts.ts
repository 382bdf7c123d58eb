/** What people read about reviews. */
import type { ReviewTag } from "#app/db/states/review.ts";
import { formatDateTime } from "#app/ui/dates.ts";
import { countOfStars, type Stars, TAG_LABELS } from "./review-labels.ts";
import { PHOTO_TEXTS } from "#app/catalogue/photos/photo-rules.ts";
import { conflictErrors, conflictText, type Merged } from "#app/platform/edit-rules.ts";
import type { EditRefusal } from "./write-review.server.ts";
import { PUBLISH_DAYS, type ReplyRefusal, type ReviewField, type ReviewRole, WRITE_DAYS } from "./review-rules.ts";
import type { ReviewStep, WriteRefusal } from "./review-step-rules.ts";

const STAR_WORDS: Record<Stars, string> = { 1: "very bad", 2: "bad", 3: "OK", 4: "good", 5: "very good" };

/** "4 stars: good". */
export function starText(stars: Stars): string {
  return `${countOfStars(stars)}: ${STAR_WORDS[stars]}`;
}

/** What the open pages of the other side say. `name` is the first name of who did it. */
export const REVIEW_NOTICES = {
  written: (name: string) => `${name} reviewed you. Write your review, and you both see them.`,
  published: (name: string) => `${name} reviewed you, too. You can now read both reviews.`,
  /** After a week without the reader's review. */
  alone: (name: string) => `${name}'s review of you is published`,
  replied: (name: string) => `${name} replied to your review`,
} as const;

export function personReviewsTitle(name: string, as: ReviewRole): string {
  return as === "seller" ? `Reviews of ${name}` : `Reviews of ${name} as a buyer`;
}

export const REVIEW_TEXTS = {
  rating: "Choose how many stars",
  tags: "Please choose from the list",
  photos: "A photo is no longer available. Please add it again.",
  reply: "Write your reply",
  failed: "We couldn't save this. Please try again.",
  /** Something has changed since the page was loaded. */
  stale: "Something changed while you were looking at this page. Here is the latest.",
  written: "Thanks! We'll publish your review when the other side has written, too.",
  published: "Thanks! Both reviews are now published.",
  edited: "Your changes are saved",
  replied: "Your reply is published",
} as const;

/** The error at each field of a review that was changed on both sides. */
export function reviewConflicts(merged: Merged<ReviewField>): Partial<Record<ReviewField, string>> {
  const errors = conflictErrors(merged);
  for (const { field, now } of merged.conflicts) {
    const mine = merged.values[field];
    if (field === "rating") errors.rating = conflictText(countOfStars(Number(now)), countOfStars(Number(mine)));
    if (field === "tags") errors.tags = conflictText(tagWords(now), tagWords(mine));
    if (field === "photos") errors.photos = PHOTO_TEXTS.changed;
  }
  return errors;
}

function tagWords(tags: string): string {
  const labels = tags.split(" ").flatMap((tag) => TAG_LABELS[tag as ReviewTag] ?? []);
  return labels.length > 0 ? `“${labels.join("”, “")}”` : "none";
}

/** Two ticked tags that can't both be true. */
export function contraryText([one, other]: readonly [ReviewTag, ReviewTag]): string {
  return `Choose either “${TAG_LABELS[one]}” or “${TAG_LABELS[other]}”`;
}

/** Why no review can be written. `name` is the first name of the other side. */
export function refusalText(code: WriteRefusal, name: string): string {
  switch (code) {
    case "not_finished":
      return "You can review each other once the item is completed or refunded after a problem.";
    case "already_written":
      return "You have already written your review. Here it is.";
    case "other_published":
      return `${name}'s review is published, so you can't write one any more, but you can reply to it.`;
    case "too_late":
      return `Reviews can be written for ${WRITE_DAYS} days after a deal. That time is over.`;
    case "gone":
      return `${name} has closed their account, so there is nobody to review.`;
    case "free_again":
      return `You've reviewed ${name} before. After that, only items that cost something can be reviewed.`;
  }
}

export function editRefusalText(code: Exclude<EditRefusal, "not_found" | "tags" | "photos">): string {
  switch (code) {
    case "removed":
      return "Our team removed this review, so it can't be changed.";
    case "too_late":
      return "A review can be changed for 24 hours after it was written. That time is over.";
    case "stars_fixed":
      return "The reviews were published in the meantime, so your stars stay as they are. You can still change the rest.";
  }
}

export function replyRefusalText(code: ReplyRefusal): string {
  switch (code) {
    case "not_published":
      return REVIEW_TEXTS.stale;
    case "removed":
      return "Our team removed this review, so you can't reply to it.";
    case "already_replied":
      return "You have already replied to this review.";
  }
}

/** Before the form: who sees the review, and when. */
export function blindText(name: string, othersHasWritten: boolean): string {
  return othersHasWritten
    ? `${name} has already reviewed you. When you send yours, both are published at once.`
    : `${name} sees your review only after writing one about you, or after ${PUBLISH_DAYS} days. Then it's public.`;
}

/** The other side's review was published while the reader wrote theirs. */
export function lateText(name: string): string {
  return `${name}'s review was published before you sent yours, so you can't send it any more. You can copy your words into a reply.`;
}

/**
 * After writing, while the other side hasn't. `publishAt` in ms since 1970; null while our team decides about the deal.
 */
export function waitingText(name: string, publishAt: number | null): string {
  return publishAt === null
    ? `Only you can see it now. Our team decides about the deal first. Then ${name} has ${PUBLISH_DAYS} days to review you, too.`
    : `Only you can see it now. It's published when ${name} has reviewed you, too, or on ${formatDateTime(publishAt)}.`;
}

/** What an order's page says about the next step. */
export interface Invitation {
  /** A review can be written now. */
  isOpen: boolean;
  title: string;
  sentence: string;
  button: string;
}

/** The invitation for a step; null where there is none. `otherName` is the first name of the other side. */
export function inviteTo(next: { step: ReviewStep; otherName: string } | null | undefined): Invitation | null {
  if (!next) return null;
  return { isOpen: next.step === "write" || next.step === "write_too", ...stepText(next.step, next.otherName) };
}

function stepText(step: ReviewStep, name: string): Omit<Invitation, "isOpen"> {
  switch (step) {
    case "write":
      return {
        title: "How was it?",
        sentence: `Your review helps other students. ${name} can review you, too.`,
        button: `Review ${name}`,
      };
    case "write_too":
      return {
        title: `${name} reviewed you`,
        sentence: "Write your review, and you both see them at once.",
        button: `Review ${name}`,
      };
    case "wait":
      return {
        title: `You reviewed ${name}`,
        sentence: `Both reviews are published when ${name} has written one, too.`,
        button: "See Your Review",
      };
    case "read":
      return {
        title: "Reviews",
        sentence: "The reviews are published.",
        button: "Read Reviews",
      };
  }
}
