/** A campus's month in figures that one can show to anybody: pure rules. Nobody is named, and few are no number. */
import { PROBLEM_NAMES, type ProblemKind } from "#app/deals/problems/problem-rules.ts";
import { REASONS } from "#app/moderation/reports/report-rules.ts";
import { REPORT_REASONS, type ReportReason } from "#app/db/states/moderation.ts";
import { PROBLEM_KINDS } from "#app/db/states/deal.ts";
import { formatCount, formatKes } from "#app/ui/money.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

/** What happened on a campus in a month. Amounts in KES, times in ms. */
export interface CampusMonth {
  deals: {
    paid: number;
    protected: number;
    protectedAmount: number;
    refunded: number;
    refundedAmount: number;
  };
  problems: Partial<Record<ProblemKind, number>>;
  /** Issue reports about orders. */
  issues: number;
  reports: Partial<Record<ReportReason, number>>;
  stolenSerials: number;
  /** How long each answer took. */
  times: Record<keyof typeof TIMES, readonly number[]>;
}

/** What is answered, in words. */
const TIMES = {
  problemAnswered: "A problem, until the first answer",
  problemSettled: "A problem, until it was settled",
  issueClosed: "A report about an order, until it was closed",
  reportDecided: "Any other report, until our team decided",
} as const;

/** With fewer, a number could tell of whom it speaks. */
export const FEWEST = 5;
const FEW = `fewer than ${FEWEST}`;

export function shownCount(count: number): string {
  return count > 0 && count < FEWEST ? FEW : formatCount(count);
}

/** A sum of `count` things, KES. */
export function shownSum(amount: number, count: number): string {
  return count > 0 && count < FEWEST ? "–" : formatKes(amount);
}

/** The middle of times (ms), in whole hours. */
export function shownHours(times: readonly number[]): string {
  if (times.length < FEWEST) return "–";
  const middle = times.toSorted((one, other) => one - other)[Math.ceil(times.length / 2) - 1] ?? 0;
  const hours = Math.round(middle / HOUR_MS);
  if (hours === 0) return "less than 1 hour";
  return hours === 1 ? "1 hour" : `${formatCount(hours)} hours`;
}

export interface MonthSection {
  title: string;
  /** What is counted. */
  note?: string;
  rows: [name: string, value: string][];
}

/** The month as the page and the file show it. No row is the sum of others, so none tells another. */
export function monthSections({ deals, problems, issues, reports, stolenSerials, times }: CampusMonth): MonthSection[] {
  return [
    {
      title: "Deals",
      note: "Items that students of this campus ordered in this month and paid for, as they stand now.",
      rows: [
        ["Paid for", shownCount(deals.paid)],
        ["Protected: handed over with the buyer's code, or refunded", shownCount(deals.protected)],
        ["Money protected", shownSum(deals.protectedAmount, deals.protected)],
        ["Refunded, all or a part", shownCount(deals.refunded)],
        ["Money refunded", shownSum(deals.refundedAmount, deals.refunded)],
      ],
    },
    {
      title: "Problems with orders",
      note: "Reported by buyers of this campus.",
      rows: [
        ...PROBLEM_KINDS.map((kind): [string, string] => [PROBLEM_NAMES[kind], shownCount(problems[kind] ?? 0)]),
        ["Reported to our team", shownCount(issues)],
      ],
    },
    {
      title: "Reports of listings, people and messages",
      note: "Written by people of this campus.",
      rows: [
        ...REPORT_REASONS.map((reason): [string, string] => [REASONS[reason].label, shownCount(reports[reason] ?? 0)]),
        ["Serial numbers reported as stolen", shownCount(stolenSerials)],
      ],
    },
    {
      title: "How long it took",
      note: `The middle value: half of them took this long or less. No value where there were ${FEW}.`,
      rows: (Object.keys(TIMES) as (keyof typeof TIMES)[]).map((name) => [TIMES[name], shownHours(times[name])]),
    },
  ];
}

/** The file: a row for each figure. `month` in words. */
export function monthTable(campus: string, month: string, figures: CampusMonth): string[][] {
  return [
    ["Campus", "Month", "Part", "Figure", "Value"],
    ...monthSections(figures).flatMap(({ title, rows }) =>
      rows.map(([name, value]) => [campus, month, title, name, value]),
    ),
  ];
}
