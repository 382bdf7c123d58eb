import { and, count, eq, ne, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { build } from "#app/db/build.ts";
import { copies, messages, moderationCases, products, profiles, reports, reviews } from "#app/db/schema.ts";
import type { CaseSubject } from "#app/db/states/moderation.ts";
import { upheld } from "#app/db/cases.ts";
import { HELD_HARM, REASONS, REPEAT_HARM, REPORT_HARM } from "./moderation-rules.ts";

const k = alias(moderationCases, "k");
const u = alias(moderationCases, "u");

/** SQL: how many other cases against the person of this case were upheld. */
export function otherUpheld({ id, reportedId }: typeof moderationCases | typeof k): SQL<number> {
  const isOther = and(eq(u.reportedId, reportedId), ne(u.id, id), upheld(u));
  return sql`${build.select({ n: count() }).from(u).where(isOther)}`;
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

/** What people call the subject of a case: the listing's name, the words of a review, reply or message, or a person's name. */
export function caseTitle(): SQL<string | null> {
  // Reviews of a deleted account are deleted.
  const copied = build
    .select({ text: sql`${copies.content} ->> 'text'` })
    .from(copies)
    .where(eq(copies.id, k.copyId));
  const review = (text: typeof reviews.text | typeof reviews.reply) =>
    sql`COALESCE(${build.select({ text }).from(reviews).where(eq(reviews.id, k.subjectId))}, ${copied})`;
  return sql`CASE ${k.subject}
    WHEN ${"listing" satisfies CaseSubject} THEN ${build.select({ name: products.name }).from(products).where(eq(products.id, k.subjectId))}
    WHEN ${"review" satisfies CaseSubject} THEN ${review(reviews.text)}
    WHEN ${"reply" satisfies CaseSubject} THEN ${review(reviews.reply)}
    WHEN ${"message" satisfies CaseSubject} THEN ${build.select({ message: messages.message }).from(messages).where(eq(messages.id, k.subjectId))}
    ELSE ${build.select({ name: profiles.fullName }).from(profiles).where(eq(profiles.id, k.subjectId))} END`;
}
