import type { CaseSubject } from "#app/db/states/moderation.ts";
import { REPORT_TEXT_MAX } from "./report-rules.ts";

/** What a case is about, in a sentence. */
export const SUBJECT_WORDS: Record<CaseSubject, string> = {
  listing: "listing",
  review: "review",
  reply: "reply",
  person: "account",
  message: "message",
};

export const REPORT_TEXTS = {
  sent: "Thank you. Our team will review it.",
  reason: "Please choose what's wrong",
  empty: "Please tell us what is wrong",
  too_long: `Please use at most ${REPORT_TEXT_MAX.toLocaleString("en")} characters`,
  too_many: "You've sent too many reports today. Please try again tomorrow.",
  failed: "That didn't work. Please try again.",
} as const;

/** The words on the form of a report. `name`: who wrote or sells it. */
export function reportWords(subject: CaseSubject, name: string): { title: string; lead: string } {
  const who = name || "the person";
  const title = subject === "person" ? `Report ${name || "this person"}` : `Report this ${SUBJECT_WORDS[subject]}`;
  return { title, lead: `Our team will look at it. We won't tell ${who} who reported it.` };
}
