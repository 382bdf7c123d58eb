/**
 * Moderation: what people can report and why, how urgent a case is, what our team can decide, and who may decide it.
 * See docs/states.md, "Moderation cases".
 */
import type { CaseDecision, CaseEvent, CaseState, ReportReason } from "#app/db/states/moderation.ts";
import { REASONS, worstReason } from "#app/moderation/reports/report-rules.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/**
 * From each state, the events that can happen there and the state that follows. A decision is appealed at most once.
 */
export const CASE_TRANSITIONS: Record<CaseState, Partial<Record<CaseEvent, CaseState>>> = {
  open: { decided: "decided" },
  decided: { appealed: "appealed", taken_back: "closed" },
  appealed: { appeal_granted: "closed", appeal_declined: "closed" },
  closed: {},
};

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

export const APPEAL_MAX = 1_000;
