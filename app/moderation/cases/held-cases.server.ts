import { otherCaseRow } from "#app/moderation/table-rows.server.ts";
import { and, count, eq, inArray, isNotNull, isNull, type SQLWrapper, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { RANDOM_ID, build, insertEach } from "#app/db/build.ts";
import { upheld } from "./upheld-cases.server.ts";
import { copyCases } from "./copies.server.ts";
import { moderationCases } from "#app/moderation/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { CASE } from "#app/db/states/moderation.ts";
import { HELD_HARM, REPEAT_HARM } from "./case-rules.ts";

/**
 * Opens a case about each of these listings that is held: nobody can see it, and its seller waits. A case that is open
 * about it already is kept. They go into the batch that holds them. `ids`: SQL
 */
export function openHeldCases(ids: SQLWrapper, now: number): Statement[] {
  const { id, sellerId, heldFor, suspendedAt, deletedAt } = products;
  const earlier = build
    .select({ n: count() })
    .from(otherCaseRow)
    .where(and(eq(otherCaseRow.reportedId, sellerId), upheld(otherCaseRow)));
  const about = and(eq(moderationCases.subject, "listing"), inArray(moderationCases.subjectId, ids));
  const cases = build
    .select({ id: moderationCases.id })
    .from(moderationCases)
    .where(and(about, stateIs(moderationCases.state, CASE.isOpen)));
  return [
    insertEach(
      moderationCases,
      {
        id: RANDOM_ID,
        subject: "listing",
        subjectId: id,
        reportedId: sellerId,
        state: "open",
        harm: sql`${HELD_HARM} + MIN(${REPEAT_HARM.max}, ${REPEAT_HARM.each} * ${earlier})`,
        appealToken: RANDOM_ID,
        createdAt: suspendedAt,
        updatedAt: suspendedAt,
      },
      sql`FROM ${products} WHERE ${and(inArray(id, ids), isNotNull(heldFor), isNull(deletedAt))}`,
    ).onConflictDoNothing(),
    ...copyCases("listing", cases, now),
  ];
}
