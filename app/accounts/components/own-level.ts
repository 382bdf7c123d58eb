import { type Verification } from "#app/accounts/trust/next-level-rules.ts";
import { levelTitle } from "#app/accounts/trust/verified-rules.ts";
import { VERIFIED } from "#app/db/states/verified.ts";
import { formatMonth } from "#app/ui/dates.ts";

/** Somebody's own level, and until when: "Verified student until October 2027". Others see the mark alone. */
export function ownLevelTitle({ level, until }: Pick<Verification, "level" | "until">): string {
  const isDated = VERIFIED.isStudent(level) && until !== null;
  return isDated ? `${levelTitle(level)} until ${formatMonth(until - 1)}` : levelTitle(level);
}

/** What a student reads whose proof has ended; null for everybody else. */
export function endedText({ accountType, stand, until }: Pick<Verification, "accountType" | "stand" | "until">) {
  if (accountType !== "student" || stand !== "ended" || until === null) return null;
  return `You were a verified student until ${formatMonth(until - 1)}.`;
}
