/** The order of open cases. */
import { caseRow } from "#app/moderation/table-rows.server.ts";
import { and, asc, desc, eq, ne, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { hasRow } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { moderationCases, reports } from "#app/moderation/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { CASE } from "#app/db/states/moderation.ts";

/** The order of the queue: the most harm first, then the oldest. */
export const QUEUE_ORDER = [desc(caseRow.harm), asc(caseRow.createdAt), asc(caseRow.id)];

type Value<T> = T | SQLWrapper;

/** SQL: cases after a place in the queue. */
export function afterInQueue({
  harm,
  createdAt,
  id,
}: Record<"harm" | "createdAt", Value<number>> & { id: Value<string> }): SQL {
  return sql`(${caseRow.harm} < ${harm} OR ${caseRow.harm} = ${harm}
    AND (${caseRow.createdAt}, ${caseRow.id}) > (${createdAt}, ${id}))`;
}

/** The next case in the queue in which this admin isn't involved, after the one with `caseId`; null at the end. */
export async function findNextCase(db: Database, adminId: string, caseId: string): Promise<string | null> {
  const done = moderationCases;
  const [next] = await db
    .select({ id: caseRow.id })
    .from(caseRow)
    .innerJoin(done, eq(done.id, caseId))
    .where(
      and(
        stateIs(caseRow.state, CASE.awaitsTeam),
        ne(caseRow.reportedId, adminId),
        sql`${caseRow.decidedBy} IS NOT ${adminId}`,
        not(hasRow(reports, and(eq(reports.caseId, caseRow.id), eq(reports.reporterId, adminId)))),
        afterInQueue(done),
      ),
    )
    .orderBy(...QUEUE_ORDER)
    .limit(1);
  return next?.id ?? null;
}
