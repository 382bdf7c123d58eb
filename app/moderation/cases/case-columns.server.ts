import { caseRow, otherCaseRow } from "#app/moderation/table-rows.server.ts";
import { and, count, eq, ne, type SQL, sql } from "drizzle-orm";
import { build } from "#app/db/build.ts";
import { copies } from "#app/db/tables.server.ts";
import { messages } from "#app/messaging/tables.server.ts";
import { moderationCases, reports } from "#app/moderation/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { reviews } from "#app/reviews/tables.server.ts";
import type { CaseSubject } from "#app/db/states/moderation.ts";
import { upheld } from "./upheld-cases.server.ts";
import { HELD_HARM, REPEAT_HARM, REPORT_HARM } from "./case-rules.ts";
import { REASONS } from "#app/moderation/reports/report-rules.ts";

/** SQL: how many other cases against the person of this case were upheld. */
export function otherUpheld({ id, reportedId }: typeof moderationCases | typeof caseRow): SQL<number> {
  const isOther = and(eq(otherCaseRow.reportedId, reportedId), ne(otherCaseRow.id, id), upheld(otherCaseRow));
  return sql`${build.select({ n: count() }).from(otherCaseRow).where(isOther)}`;
}

/** SQL: `harmOf` for the row of moderation_cases that a statement changes. */
export function harm(): SQL<number> {
  const severities = Object.entries(REASONS).map(([reason, { severity }]) => `WHEN '${reason}' THEN ${severity}`);
  const severity = sql`MAX(CASE ${reports.reason} ${sql.raw(severities.join(" "))} END)`;
  const more = sql`MIN(${REPORT_HARM.max}, ${REPORT_HARM.each} * MAX(0, COUNT(*) - 1))`;
  const reported = build
    .select({ harm: sql`COALESCE(${severity}, ${HELD_HARM}) + ${more}` })
    .from(reports)
    .where(eq(reports.caseId, moderationCases.id));
  return sql`${reported} + MIN(${REPEAT_HARM.max}, ${REPEAT_HARM.each} * ${otherUpheld(moderationCases)})`;
}

/**
 * What people call the subject of a case: the listing's name, the words of a review, reply or message, or a person's
 * name.
 */
export function caseTitle(): SQL<string | null> {
  // Reviews of a deleted account are deleted.
  const copied = build
    .select({ text: sql`${copies.content} ->> 'text'` })
    .from(copies)
    .where(eq(copies.id, caseRow.copyId));
  const review = (text: typeof reviews.text | typeof reviews.reply) =>
    sql`COALESCE(${build.select({ text }).from(reviews).where(eq(reviews.id, caseRow.subjectId))}, ${copied})`;
  return sql`CASE ${caseRow.subject}
    WHEN ${"listing" satisfies CaseSubject}
      THEN ${build.select({ name: products.name }).from(products).where(eq(products.id, caseRow.subjectId))}
    WHEN ${"review" satisfies CaseSubject} THEN ${review(reviews.text)}
    WHEN ${"reply" satisfies CaseSubject} THEN ${review(reviews.reply)}
    WHEN ${"message" satisfies CaseSubject}
      THEN ${build.select({ message: messages.message }).from(messages).where(eq(messages.id, caseRow.subjectId))}
    ELSE ${build.select({ name: profiles.fullName }).from(profiles).where(eq(profiles.id, caseRow.subjectId))} END`;
}
