import { and, count, eq, inArray, isNotNull, isNull, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Statement } from "#app/db/batch.ts";
import { build, insertEach } from "#app/db/build.ts";
import { upheld } from "#app/db/cases.ts";
import { moderationCases, products } from "#app/db/schema.ts";
import { HELD_HARM, REPEAT_HARM } from "./moderation-rules.ts";

const u = alias(moderationCases, "u");

/**
 * Opens a case about each of these listings that is held: nobody can see it, and its seller waits. A case that is open
 * about it already is kept. It goes into the batch that holds them. `ids`: SQL
 */
export function openHeldCases(ids: SQLWrapper): Statement {
  const { id, sellerId, heldFor, suspendedAt, deletedAt } = products;
  const earlier = build
    .select({ n: count() })
    .from(u)
    .where(and(eq(u.reportedId, sellerId), upheld(u)));
  const unguessable = sql`lower(hex(randomblob(16)))`;
  return insertEach(
    moderationCases,
    {
      id: unguessable,
      subject: "listing",
      subjectId: id,
      reportedId: sellerId,
      state: "open",
      harm: sql`${HELD_HARM} + MIN(${REPEAT_HARM.max}, ${REPEAT_HARM.each} * ${earlier})`,
      appealToken: unguessable,
      createdAt: suspendedAt,
      updatedAt: suspendedAt,
    },
    sql`FROM ${products} WHERE ${and(inArray(id, ids), isNotNull(heldFor), isNull(deletedAt))}`,
  ).onConflictDoNothing();
}
