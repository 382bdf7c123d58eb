import type { CaseDecision, CaseSubject, ReportReason } from "#app/db/states/moderation.ts";
import { APPEAL_DAYS, APPEAL_MAX } from "./case-rules.ts";

/** Why we decided against something, as the person concerned reads it. An admin can change the words. */
const STATEMENTS: Record<ReportReason | "held", { thing: string; person: string }> = {
  danger: {
    thing: "It can put people in danger.",
    person: "You put somebody in danger, or threatened them.",
  },
  scam: {
    thing:
      "It looks like an attempt to get money for something that buyers don't receive, or to be paid outside Chuoni.",
    person: "You asked for money outside Chuoni, or for something that buyers didn't receive.",
  },
  harassment: {
    thing: "It insults or harasses somebody.",
    person: "You insulted or harassed somebody.",
  },
  prohibited: {
    thing: "It offers something that can't be sold on Chuoni.",
    person: "You offered something that can't be sold on Chuoni.",
  },
  personal_data: {
    thing: "It shows private information about somebody.",
    person: "You shared private information about somebody.",
  },
  fake: {
    thing: "It is misleading: the words or the photos aren't true.",
    person: "Your account gives a false picture of who you are.",
  },
  spam: {
    thing: "It is advertising, or repeats what you've posted before.",
    person: "You sent advertising, or the same thing again and again.",
  },
  other: {
    thing: "It breaks our rules.",
    person: "You broke our rules.",
  },
  held: {
    thing: "It offers something that can't be sold on Chuoni.",
    person: "You offered something that can't be sold on Chuoni.",
  },
};

/** The words that an admin begins with. `worst`: null for a held listing. */
export function suggestedStatement(subject: CaseSubject, worst: ReportReason | null): string {
  return STATEMENTS[worst ?? "held"][subject === "person" ? "person" : "thing"];
}

/** What was decided, as the person concerned reads it. */
export function decisionWords(subject: CaseSubject, decision: CaseDecision): string {
  const removed = {
    // True of a listing that was held, too: it was never published.
    listing: "We don't allow your listing on Chuoni",
    review: "We removed your review",
    reply: "We removed your reply to a review",
    message: "We removed your message",
  };
  const done = subject === "person" ? null : removed[subject];
  switch (decision) {
    case "dismissed":
      return "We didn't change anything.";
    case "removed":
      return `${done ?? "We removed your photo, and your shop's logo and banner"}.`;
    case "warned":
      return done ? `${done}. Please take this as a warning.` : "Please take this as a warning.";
    case "suspended":
      return done ? `${done}, and suspended your account.` : "We suspended your account.";
  }
}

/** What was decided, as somebody who reported it reads it. */
export function outcomeWords(subject: CaseSubject, decision: CaseDecision): string {
  const removed = {
    listing: "We took the listing down",
    review: "We removed the review",
    reply: "We removed the reply",
    message: "We removed the message",
  };
  const done = subject === "person" ? null : removed[subject];
  switch (decision) {
    case "dismissed":
      return "We looked at it carefully, and found that it doesn't break our rules.";
    case "removed":
      return `${done ?? "We removed their photo, and their shop's logo and banner"}.`;
    case "warned":
      return done ? `${done}, and warned the person.` : "We warned the person.";
    case "suspended":
      return done ? `${done}, and suspended the account.` : "We suspended the account.";
  }
}

export const APPEAL_TEXTS = {
  sent: "Thank you. Our team will look at it again, and we'll email you the answer.",
  empty: "Please tell us why you disagree",
  too_long: `Please use at most ${APPEAL_MAX.toLocaleString("en")} characters`,
  over: `Decisions can be appealed once, within ${APPEAL_DAYS} days.`,
  failed: "That didn't work. Please try again.",
} as const;
