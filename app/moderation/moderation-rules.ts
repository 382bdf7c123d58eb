/**
 * Moderation: what people can report and why, how urgent a case is, what our team can decide, and who may decide it.
 * See docs/states.md, "Moderation cases".
 */
import type { CaseDecision, CaseEvent, CaseState, CaseSubject, ReportReason } from "#app/db/states/moderation.ts";

/**
 * From each state, the events that can happen there and the state that follows. A decision is appealed at most once.
 */
export const CASE_TRANSITIONS: Record<CaseState, Partial<Record<CaseEvent, CaseState>>> = {
  open: { decided: "decided" },
  decided: { appealed: "appealed", taken_back: "closed" },
  appealed: { appeal_granted: "closed", appeal_declined: "closed" },
  closed: {},
};

interface Reason {
  label: string;
  hint: string;
  /** How much harm one report with this reason suggests. */
  severity: number;
  subjects: readonly CaseSubject[];
}

/** Why somebody can report something, the worst reason first. */
export const REASONS: Record<ReportReason, Reason> = {
  danger: {
    label: "Someone is in danger",
    hint: "A threat, violence, or something unsafe",
    severity: 100,
    subjects: ["listing", "review", "reply", "person", "message"],
  },
  scam: {
    label: "Scam",
    hint: "Asks for money outside Chuoni, or doesn't have the item",
    severity: 70,
    subjects: ["listing", "person", "message"],
  },
  harassment: {
    label: "Insults or harassment",
    hint: "Bullying, hate, or unwanted sexual messages",
    severity: 60,
    subjects: ["listing", "review", "reply", "person", "message"],
  },
  prohibited: {
    label: "Not allowed on Chuoni",
    hint: "For example weapons, drugs, stolen goods or exam papers",
    severity: 50,
    subjects: ["listing", "person", "message"],
  },
  personal_data: {
    label: "Private information",
    hint: "Somebody's phone number, address or document",
    severity: 40,
    subjects: ["listing", "review", "reply", "message"],
  },
  fake: {
    label: "Fake or misleading",
    hint: "A copy, wrong photos, an invented review, or a false name",
    severity: 30,
    subjects: ["listing", "review", "reply", "person"],
  },
  spam: {
    label: "Spam",
    hint: "Advertising, or the same thing again and again",
    severity: 15,
    subjects: ["listing", "review", "reply", "person", "message"],
  },
  other: {
    label: "Something else",
    hint: "Tell us in your own words",
    severity: 10,
    subjects: ["listing", "review", "reply", "person", "message"],
  },
};

/** The reasons that fit a subject, the worst first. */
export function reasonsFor(subject: CaseSubject): ReportReason[] {
  return (Object.keys(REASONS) as ReportReason[]).filter((reason) => REASONS[reason].subjects.includes(subject));
}

/** The worst of these reasons; null when there is none, as for a held listing. */
export function worstReason(reasons: readonly ReportReason[]): ReportReason | null {
  return (Object.keys(REASONS) as ReportReason[]).find((reason) => reasons.includes(reason)) ?? null;
}

/** The harm of a held listing: nobody can see it, but its seller waits. */
export const HELD_HARM = 20;
/** What each further report adds, up to a limit, so that many reports of spam don't hide a threat. */
export const REPORT_HARM = { each: 5, max: 30 } as const;
/** What each earlier case that was upheld adds, up to a limit. */
export const REPEAT_HARM = { each: 10, max: 30 } as const;

/** Facts that decide how urgent a case is. */
export interface HarmFacts {
  reasons: readonly ReportReason[];
  /** How many earlier cases against the same person were upheld. */
  upheld: number;
}

/** How urgent a case is. Cases with more harm come first in the queue. */
export function harmOf({ reasons, upheld }: HarmFacts): number {
  const worst = worstReason(reasons);
  const severity = worst ? REASONS[worst].severity : HELD_HARM;
  const further = Math.min(REPORT_HARM.max, REPORT_HARM.each * Math.max(0, reasons.length - 1));
  return severity + further + Math.min(REPEAT_HARM.max, REPEAT_HARM.each * upheld);
}

/** Those who have to do with a case. */
export interface CaseParties {
  reportedId: string;
  reporterIds: readonly string[];
  /** Admins who have a quarrel of their own with the person concerned: a block, or an open issue report. */
  relatedIds: readonly string[];
  /** Who made the decision; null before it. */
  decidedBy: string | null;
}

/**
 * concerned: it is about them. reporter: they reported it. related: they have a quarrel of their own with the person.
 * decided: they made the decision that is appealed.
 */
export type DecideRefusal = "concerned" | "reporter" | "related" | "decided";

/**
 * Why an admin can't decide a case or answer its appeal; null when they can. Nobody decides about themselves. Whoever
 * reported it, made the decision or has a quarrel with the person steps in only when every admin is involved, or else
 * the case would wait for ever.
 */
export function refuseDecider(
  adminId: string,
  { reportedId, reporterIds, relatedIds, decidedBy }: CaseParties,
  admins: readonly string[],
): DecideRefusal | null {
  const isInvolved = (id: string) =>
    id === reportedId || id === decidedBy || reporterIds.includes(id) || relatedIds.includes(id);
  if (adminId === reportedId) return "concerned";
  if (!isInvolved(adminId) || admins.every(isInvolved)) return null;
  if (reporterIds.includes(adminId)) return "reporter";
  return adminId === decidedBy ? "decided" : "related";
}

const DAY_MS = 24 * 60 * 60_000;
/** How long a decision can be appealed, in days. */
export const APPEAL_DAYS = 30;

/** The time after which a decision can't be appealed, in ms. */
export function appealEnds(decidedAt: number): number {
  return decidedAt + APPEAL_DAYS * DAY_MS;
}

/** Whether the person concerned can appeal now. */
export function canAppeal(
  { state, decision, decidedAt }: { state: CaseState; decision: CaseDecision | null; decidedAt: number | null },
  now: number,
): boolean {
  if (!CASE_TRANSITIONS[state].appealed || decision === null || decision === "dismissed") return false;
  return decidedAt !== null && now < appealEnds(decidedAt);
}

/** How many reports one person can send in a day. */
export const REPORTS_A_DAY = 10;
/** Characters of a report's and an appeal's text. */
export const REPORT_TEXT_MAX = 1_000;
export const APPEAL_MAX = 1_000;

/** What is wrong with the words of a report; null when nothing is. "Something else" needs words. */
export function refuseReportText(reason: ReportReason, text: string): "empty" | "too_long" | null {
  if (text.trim().length > REPORT_TEXT_MAX) return "too_long";
  return reason === "other" && text.trim() === "" ? "empty" : null;
}
