/** Reported problems: pure rules. */
import type { PROBLEM_KINDS } from "#app/db/states/deal.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** What is wrong, as the buyer chooses it. */
export const PROBLEM_LABELS: Record<ProblemKind, string> = {
  not_received: "I don't have it",
  not_as_described: "It isn't as described",
  damaged: "It's damaged or doesn't work",
  other: "Something else",
};

/** The same, as others read it. */
export const PROBLEM_NAMES: Record<ProblemKind, string> = {
  not_received: "Not received",
  not_as_described: "Not as described",
  damaged: "Damaged or not working",
  other: "Something else",
};

/** In a report about an order: what the seller can't mend, so our team reads it. */
export const TO_OUR_TEAM = "team";

/** The same words about the same items within this time count as one report that was sent twice, in ms. */
export const REPEAT_MS = HOUR_MS;

/** How many photos a problem can have. */
export const PROBLEM_PHOTOS_MAX = 6;
/** Characters of what the buyer writes. */
export const PROBLEM_TEXT_MAX = 2000;
/** Characters of a note to the other side. */
export const PROBLEM_NOTE_MAX = 1000;
