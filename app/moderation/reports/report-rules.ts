/** What people can report, and why: pure rules. */
import type { CaseSubject, ReportReason } from "#app/db/states/moderation.ts";

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

/** How many reports one person can send in a day. */
export const REPORTS_A_DAY = 10;

/** Characters of a report's and an appeal's text. */
export const REPORT_TEXT_MAX = 1_000;

/** What is wrong with the words of a report; null when nothing is. "Something else" needs words. */
export function refuseReportText(reason: ReportReason, text: string): "empty" | "too_long" | null {
  if (text.trim().length > REPORT_TEXT_MAX) return "too_long";
  return reason === "other" && text.trim() === "" ? "empty" : null;
}
