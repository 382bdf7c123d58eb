import { type SQL, sql } from "drizzle-orm";
import type { CaseSubject } from "#app/db/states/moderation.ts";
import { upheld } from "#app/db/upheld.ts";
import { HELD_HARM, REASONS, REPEAT_HARM, REPORT_HARM } from "./moderation-rules.ts";

/** SQL: `harmOf` for the row of moderation_cases that a statement changes. */
export function harm(): SQL {
  const severities = Object.entries(REASONS).map(([reason, { severity }]) => `WHEN '${reason}' THEN ${severity}`);
  const severity = sql.raw(`CASE r.reason ${severities.join(" ")} END`);
  return sql`(SELECT COALESCE(MAX(${severity}), ${HELD_HARM}) + MIN(${REPORT_HARM.max}, ${REPORT_HARM.each} * MAX(0, COUNT(*) - 1))
      FROM reports r WHERE r.case_id = moderation_cases.id)
    + MIN(${REPEAT_HARM.max}, ${REPEAT_HARM.each} * (SELECT COUNT(*) FROM moderation_cases u
      WHERE u.reported_id = moderation_cases.reported_id AND u.id <> moderation_cases.id AND ${upheld("u")}))`;
}

/** What people call the subject of a case: the listing's name, the words of a review, reply or message, or a person's name. */
export function caseTitle(): SQL {
  // Reviews of a deleted account are deleted.
  const copied = sql`(SELECT content ->> 'text' FROM copies WHERE id = k.copy_id)`;
  return sql`CASE k.subject
    WHEN ${"listing" satisfies CaseSubject} THEN (SELECT name FROM products WHERE id = k.subject_id)
    WHEN ${"review" satisfies CaseSubject} THEN COALESCE((SELECT text FROM reviews WHERE id = k.subject_id), ${copied})
    WHEN ${"reply" satisfies CaseSubject} THEN COALESCE((SELECT reply FROM reviews WHERE id = k.subject_id), ${copied})
    WHEN ${"message" satisfies CaseSubject} THEN (SELECT message FROM messages WHERE id = k.subject_id)
    ELSE (SELECT full_name FROM profiles WHERE id = k.subject_id) END`;
}
