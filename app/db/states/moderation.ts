import { predicates } from "./predicates.ts";

/** `moderation_cases.subject`: what a case is about. */
export const CASE_SUBJECTS = ["listing", "review", "reply", "person", "message"] as const;
export type CaseSubject = (typeof CASE_SUBJECTS)[number];

/** `copies.kind`. A talk is the conversation around a reported message or person. */
export const COPY_KINDS = [...CASE_SUBJECTS, "talk"] as const;
export type CopyKind = (typeof COPY_KINDS)[number];

/** `moderation_cases.state`. The transitions are in `moderation/cases/case-rules.ts`. */
export const CASE_STATES = [
  /** Our team must decide. */
  "open",
  "decided",
  /** The person concerned asks for another look. Our team must answer. */
  "appealed",
  /** The appeal is answered, or the decision was undone without one. */
  "closed",
] as const;
export type CaseState = (typeof CASE_STATES)[number];

export const CASE = predicates(CASE_STATES, {
  isOpen: ["open"],
  isDecided: ["decided"],
  isAppealed: ["appealed"],
  awaitsTeam: ["open", "appealed"],
  isDone: ["decided", "closed"],
});

/** `moderation_cases.decision`, in the order of the keys 1 to 4 on the page of a case. */
export const CASE_DECISIONS = [
  /** Nothing is wrong. A held listing is published. */
  "dismissed",
  /**
   * The listing is taken down, or the review, reply or message removed. A person: their photo, and their shop's logo
   * and banner.
   */
  "removed",
  /** The same, and the person concerned is warned. A person: only warned. */
  "warned",
  /** The same, and the account is suspended. */
  "suspended",
] as const;
export type CaseDecision = (typeof CASE_DECISIONS)[number];

/** What can happen to a case. The transitions are in `moderation/cases/case-rules.ts`. */
export type CaseEvent = "decided" | "appealed" | "taken_back" | "appeal_granted" | "appeal_declined";

/** `reports.reason`. */
export const REPORT_REASONS = [
  "danger",
  "scam",
  "prohibited",
  "harassment",
  "fake",
  "personal_data",
  "spam",
  "other",
] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];
