import { SUBJECT_LABELS } from "./case-texts.ts";
import type { CaseSummary } from "./list-cases.server.ts";
import { heldBecause } from "#app/catalogue/selling/held-rules.ts";
import { REASONS } from "#app/moderation/reports/report-rules.ts";

/** What a case is about, in one line. */
export function titleOf({ subject, title }: Pick<CaseSummary, "subject" | "title">): string {
  const text = title?.trim() || `A ${SUBJECT_LABELS[subject].toLowerCase()} without words`;
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

/** Why there is a case. */
export function reasonsOf({ reasons, heldFor }: Pick<CaseSummary, "reasons" | "heldFor">): string {
  const labels = reasons.map((reason) => REASONS[reason].label);
  return [...(heldFor === null ? [] : [`Held ${heldBecause(heldFor)}`]), ...labels].join(", ");
}
