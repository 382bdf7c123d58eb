import type { KindData } from "#app/notifications/kinds.ts";
import { formatDateTime } from "#app/ui/dates.ts";

// Emails never quote a review, so that nobody can send messages or links in our name.

/** The other side, at the start of a sentence. */
const OTHERS = { buyer: "The seller", seller: "The buyer" } as const;

function linkTo(orderItemId: string, label: string) {
  return { label, path: `/reviews/${orderItemId}` };
}

export function reviewWrittenMail(data: KindData["review_written"]) {
  const subject = `${OTHERS[data.role]} of ${data.productName} reviewed you`;
  return {
    subject,
    heading: subject,
    paragraphs: [
      "Write yours, and both reviews are published at once.",
      `You have until ${formatDateTime(data.until)}. After that, the review of you is published on its own, and you can only reply to it.`,
    ],
    action: linkTo(data.orderItemId, "Write your review"),
  };
}

export function reviewRepliedMail(data: KindData["review_replied"]) {
  const subject = `${OTHERS[data.role]} of ${data.productName} replied to your review`;
  return {
    subject,
    heading: subject,
    paragraphs: ["Everybody who reads your review can read the reply, too."],
    action: linkTo(data.orderItemId, "Read the reply"),
  };
}

export function reviewsPublishedMail(data: KindData["reviews_published"]) {
  const other = OTHERS[data.role];
  return data.both
    ? {
        subject: `Both reviews are published: ${data.productName}`,
        heading: "Both reviews are published",
        paragraphs: [
          `You and ${other.toLowerCase()} of ${data.productName} have reviewed each other.`,
          "You can reply once to the review of you.",
        ],
        action: linkTo(data.orderItemId, "Read the reviews"),
      }
    : {
        subject: `A review of you is published: ${data.productName}`,
        heading: "A review of you is published",
        paragraphs: [
          `${other} of ${data.productName} reviewed you a week ago, and the review is now published.`,
          "You can reply to it once.",
        ],
        action: linkTo(data.orderItemId, "Read the review"),
      };
}
