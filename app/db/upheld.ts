import { and, gt, inArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { moderationCases } from "./schema.ts";
import { stateIs } from "./state-is.ts";
import { CASE, type CaseDecision } from "./states/moderation.ts";

const CASES = { u: alias(moderationCases, "u"), k: alias(moderationCases, "k") };

/** SQL: a case of this alias counts against the person (`isUpheld`). */
export function upheld(name: "u" | "k"): SQL {
  const { decision, appealGranted } = CASES[name];
  const done = ["removed", "warned", "suspended"] satisfies CaseDecision[];
  return sql`${inArray(decision, done).inlineParams()} AND ${appealGranted} IS NOT 1`;
}

/** How long evidence stays after a decision, in ms: as long as the person can appeal (`APPEAL_DAYS`). */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** SQL: case `k` still needs its evidence: our team has to decide, or its decision can be appealed. */
export function needsEvidence(now: number): SQL {
  const { state, decidedAt } = CASES.k;
  const mayBeAppealed = and(stateIs(state, CASE.isDecided), upheld("k"), gt(decidedAt, now - KEPT_MS));
  return sql`(${stateIs(state, CASE.awaitsTeam)} OR ${mayBeAppealed})`;
}
