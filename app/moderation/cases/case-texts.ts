import type { CaseDecision, CaseState, CaseSubject } from "#app/db/states/moderation.ts";
import type { Tone } from "#app/ui/tone.ts";

export const SUBJECT_LABELS: Record<CaseSubject, string> = {
  listing: "Listing",
  review: "Review",
  reply: "Reply",
  person: "Person",
  message: "Message",
};

/** The labels of the buttons that decide a case. */
export function decisionLabel(subject: CaseSubject, decision: CaseDecision, isHeld: boolean): string {
  const removals: Partial<Record<CaseSubject, string>> = {
    listing: isHeld ? "Reject" : "Take Down",
    person: "Remove Pictures",
  };
  const remove = removals[subject] ?? "Remove";
  switch (decision) {
    case "dismissed":
      return isHeld ? "Publish" : "Nothing Wrong";
    case "removed":
      return remove;
    case "warned":
      return subject === "person" ? "Warn" : `${remove} and Warn`;
    case "suspended":
      return subject === "person" ? "Suspend" : `${remove} and Suspend`;
  }
}

const DECIDED: Record<CaseDecision, string> = {
  dismissed: "Nothing wrong",
  removed: "Removed",
  warned: "Warned",
  suspended: "Suspended",
};

/** The status of a case, for its badge. */
export function caseStatus({
  state,
  decision,
  appealGranted,
  appealedAt,
}: {
  state: CaseState;
  decision: CaseDecision | null;
  appealGranted: boolean | null;
  /** Ms since 1970. */
  appealedAt: number | null;
}): { label: string; tone: Tone } {
  if (state === "open") return { label: "Open", tone: "orange" };
  if (state === "appealed") return { label: "Appealed", tone: "orange" };
  if (appealGranted) return { label: appealedAt === null ? "Taken back" : "Undone after an appeal", tone: "gray" };
  return { label: DECIDED[decision ?? "dismissed"], tone: decision === "dismissed" ? "green" : "red" };
}

/** What admins did, in the history of a case or an issue report. */
export const ACTION_WORDS: Record<string, string> = {
  case_dismissed: "found nothing wrong",
  case_removed: "removed it",
  case_warned: "warned the person",
  case_suspended: "decided to suspend the account",
  case_noted: "added a note",
  case_taken_back: "took the decision back",
  act_proposed: "proposed it to a second admin",
  act_declined: "declined what another admin proposed",
  deals_ended: "confirmed that the deals end",
  appeal_granted: "undid the decision",
  appeal_declined: "kept the decision",
  issue_noted: "added a note",
  issue_closed: "closed the issue report",
  user_suspended: "suspended the account",
  user_restored: "restored the account",
  listing_suspended: "took the listing down",
  pictures_removed: "removed the photo, the logo and the banner",
  pictures_restored: "restored the photo, the logo and the banner",
  listing_restored: "restored the listing",
};
