/** What our team's cases mean for other folders: which count against a person, and which still need their evidence. */
import { caseRow } from "#app/moderation/table-rows.server.ts";
import { and, eq, gt, inArray, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { RETENTION } from "#app/platform/retention-rules.ts";
import { build, hasRow } from "#app/db/build.ts";
import { moderationCases, reports } from "#app/moderation/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { CASE, type CaseDecision } from "#app/db/states/moderation.ts";

/** SQL: the case counts against the person: something was done, and no appeal undid it. */
export function upheld({ decision, appealGranted }: Record<"decision" | "appealGranted", SQLWrapper>): SQL {
  const done = ["removed", "warned", "suspended"] satisfies CaseDecision[];
  return sql`${inArray(decision, done).inlineParams()} AND ${appealGranted} IS NOT 1`;
}

/** SQL: `caseRow` still needs its evidence: our team has to decide, or its decision can be appealed. */
export function needsEvidence(now: number): SQL {
  const mayBeAppealed = and(
    stateIs(caseRow.state, CASE.isDecided),
    upheld(caseRow),
    gt(caseRow.decidedAt, now - RETENTION.evidence.keptMs),
  );
  return sql`(${stateIs(caseRow.state, CASE.awaitsTeam)} OR ${mayBeAppealed})`;
}

/** SQL: a case about this account still needs its evidence. */
export function isInCase(userId: string | SQLWrapper, now: number): SQL {
  return hasRow(caseRow, and(eq(caseRow.reportedId, userId), needsEvidence(now)));
}

/** SQL: a case about this account, or one that it reported in, still needs its evidence. */
export function hasEvidence(userId: string | SQLWrapper, now: number): SQL {
  const cases = build
    .select({ id: moderationCases.id })
    .from(moderationCases)
    .where(eq(moderationCases.reportedId, userId))
    .union(build.select({ id: reports.caseId }).from(reports).where(eq(reports.reporterId, userId)));
  return hasRow(caseRow, and(inArray(caseRow.id, cases), needsEvidence(now)));
}

/** SQL: a case was upheld against this account. */
export function hasUpheld(userId: string | SQLWrapper): SQL {
  return hasRow(caseRow, and(eq(caseRow.reportedId, userId), upheld(caseRow)));
}

/** SQL: our team has to decide about one of these accounts, or has upheld a case against it. `userIds`: a query. */
export function isSuspect(userIds: SQLWrapper): SQL {
  return hasRow(
    caseRow,
    and(inArray(caseRow.reportedId, userIds), sql`(${stateIs(caseRow.state, CASE.awaitsTeam)} OR ${upheld(caseRow)})`),
  );
}
