import { type SQL, sql } from "drizzle-orm";
import { firstName } from "#app/accounts/name-rules.ts";
import { commitBatch, type Statement } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { copyNow, newestCopy } from "#app/db/copies.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { stateIs } from "#app/db/state-is.ts";
import { CASE, type CaseSubject, type CopyKind, type ReportReason } from "#app/db/states/moderation.ts";
import { threadSql } from "#app/db/thread-sql.ts";
import { caseNeedsReport, isStoodBy } from "#app/orders/open-report.server.ts";
import { harm } from "./case-columns.server.ts";
import { reasonsFor, refuseReportText, REPORTS_A_DAY } from "./moderation-rules.ts";

/** Something that the viewer can see and report. */
export interface Reportable {
  subject: CaseSubject;
  subjectId: string;
  /** The seller, author or sender. */
  reportedId: string;
  /** Their name. */
  name: string;
  /** The name of the listing, or the words of the review, reply or message; empty for a person. */
  quote: string;
  /** The screen where the viewer saw it. */
  seenAt: string;
  /** The viewer has reported it and not taken that back, and our team hasn't decided yet. */
  isReported: boolean;
  /** A report of the viewer would stop the money of an item that they paid for, which nothing stops yet. */
  stopsMoney: boolean;
}

/** SQL: what the viewer can report: nothing of their own, and only what they can see. No row for anything else. */
const SEEN: Record<CaseSubject, (id: string, viewerId: string) => SQL> = {
  listing: (
    id,
    viewerId,
  ) => sql`SELECT seller_id AS reportedId, name AS quote, '/product/' || id AS seenAt FROM products
    WHERE id = ${id} AND seller_id <> ${viewerId} AND deleted_at IS NULL AND suspended_at IS NULL`,
  review: (
    id,
    viewerId,
  ) => sql`SELECT author_id AS reportedId, text AS quote, '/people/' || subject_id || '/reviews' || CASE subject_role WHEN 'buyer' THEN '?as=buyer' ELSE '' END AS seenAt FROM reviews
    WHERE id = ${id} AND author_id <> ${viewerId} AND published_at IS NOT NULL AND removed_at IS NULL`,
  // A reply has the id of its review.
  reply: (
    id,
    viewerId,
  ) => sql`SELECT subject_id AS reportedId, reply AS quote, '/people/' || subject_id || '/reviews' || CASE subject_role WHEN 'buyer' THEN '?as=buyer' ELSE '' END AS seenAt FROM reviews
    WHERE id = ${id} AND subject_id <> ${viewerId} AND reply IS NOT NULL AND reply_removed_at IS NULL AND published_at IS NOT NULL AND removed_at IS NULL`,
  person: (id, viewerId) => sql`SELECT c.id AS reportedId, '' AS quote,
      CASE WHEN v.user_id IS NULL THEN '/seller/' || c.id ELSE '/profile?tab=messages&with=' || c.id END AS seenAt
    FROM credentials c JOIN profiles p ON p.id = c.id LEFT JOIN conversations v ON v.user_id = ${viewerId} AND v.other_id = c.id
    WHERE c.id = ${id} AND c.id <> ${viewerId} AND p.deleted_at IS NULL AND (v.user_id IS NOT NULL OR c.suspended_at IS NULL AND (p.is_seller = 1
      OR EXISTS (SELECT 1 FROM shops WHERE id = c.id) OR EXISTS (SELECT 1 FROM products l WHERE l.seller_id = c.id AND l.deleted_at IS NULL)))`,
  message: (
    id,
    viewerId,
  ) => sql`SELECT sender_id AS reportedId, message AS quote, '/profile?tab=messages&with=' || sender_id AS seenAt FROM messages
    WHERE id = ${id} AND recipient_id = ${viewerId} AND sender_id <> ${viewerId} AND removed_at IS NULL`,
};

interface ReportableInput {
  subject: CaseSubject;
  subjectId: string;
  viewerId: string;
}

/** What the viewer wants to report; null when there is no such thing, or it isn't theirs to report. One round trip. */
export async function findReportable(
  db: Database,
  { subject, subjectId, viewerId }: ReportableInput,
): Promise<Reportable | null> {
  const [row] = await db.all<
    Omit<Reportable, "subject" | "subjectId" | "isReported" | "stopsMoney"> &
      Record<"isReported" | "stopsMoney", number>
  >(
    sql`SELECT s.reportedId, COALESCE(p.full_name, '') AS name, s.quote, s.seenAt,
        EXISTS (SELECT 1 FROM moderation_cases k JOIN reports r ON r.case_id = k.id
          WHERE k.subject = ${subject} AND k.subject_id = ${subjectId} AND ${stateIs("k.state", CASE.isOpen)} AND r.reporter_id = ${viewerId} AND ${isStoodBy}) AS isReported,
        ${caseNeedsReport(viewerId, { kind: subject, id: subjectId, reportedId: sql`s.reportedId` })} AS stopsMoney
      FROM (${SEEN[subject](subjectId, viewerId)}) s LEFT JOIN profiles p ON p.id = s.reportedId`,
  );
  if (!row) return null;
  // Of the authors of a review and its reply, readers know the first name only.
  const name = subject === "review" || subject === "reply" ? firstName(row.name) : row.name;
  return { ...row, name, subject, subjectId, isReported: row.isReported === 1, stopsMoney: row.stopsMoney === 1 };
}

export interface ReportInput {
  subject: CaseSubject;
  subjectId: string;
  reporterId: string;
  reason: ReportReason;
  /** Up to REPORT_TEXT_MAX characters. */
  text: string;
}

export type ReportResult =
  | { ok: true; seenAt: string }
  | { ok: false; code: "not_found" | "reason" | "empty" | "too_long" | "too_many" };

/**
 * Reports something to our team. All reports about one thing join its open case. A person's second report about an open
 * case adds nothing, and doesn't count towards the reports of the day, unless they took the first one back: then it counts
 * from now on, as they say it now. A report that stops money needs no allowance: nobody has more of those than items that they
 * paid for.
 */
export async function sendReport(store: Store, input: ReportInput): Promise<ReportResult> {
  const { subject, subjectId, reporterId, reason } = input;
  if (!reasonsFor(subject).includes(reason)) return { ok: false, code: "reason" };
  const refused = refuseReportText(reason, input.text);
  if (refused) return { ok: false, code: refused };
  const found = await findReportable(store.db, { subject, subjectId, viewerId: reporterId });
  if (!found) return { ok: false, code: "not_found" };
  if (found.isReported) return { ok: true, seenAt: found.seenAt };
  const allowance = { key: `reports:${reporterId}`, max: REPORTS_A_DAY, windowMs: 24 * 60 * 60_000 };
  if (!found.stopsMoney && !(await takeAllowance(store, [allowance]))) return { ok: false, code: "too_many" };
  await addReport(store, input, found.reportedId);
  return { ok: true, seenAt: found.seenAt };
}

/** The report keeps what was reported as it is now, with the words around it. */
async function addReport(store: Store, input: ReportInput, reportedId: string): Promise<void> {
  const { subject, subjectId, reporterId, reason } = input;
  const now = store.now();
  const isCase = sql`subject = ${subject} AND subject_id = ${subjectId} AND ${stateIs("state", CASE.isOpen)}`;
  await commitBatch(store.db, [
    copyNow(subject, sql`SELECT ${subjectId}`, now),
    sql`INSERT INTO moderation_cases (id, subject, subject_id, reported_id, state, appeal_token, created_at, updated_at)
      VALUES (${crypto.randomUUID()}, ${subject}, ${subjectId}, ${reportedId}, 'open', lower(hex(randomblob(16))), ${now}, ${now})
      ON CONFLICT DO NOTHING`,
    sql`INSERT INTO reports (id, case_id, reporter_id, copy_id, reason, text, created_at)
      SELECT ${crypto.randomUUID()}, id, ${reporterId}, ${newestCopy(subject, sql`${subjectId}`)}, ${reason}, ${input.text.trim()}, ${now} FROM moderation_cases WHERE ${isCase}
      ON CONFLICT (case_id, reporter_id) DO UPDATE SET copy_id = excluded.copy_id, reason = excluded.reason, text = excluded.text, lifted_at = NULL, created_at = excluded.created_at`,
    ...copyTalk(
      sql`SELECT id FROM reports WHERE reporter_id = ${reporterId} AND case_id = (SELECT id FROM moderation_cases WHERE ${isCase})`,
      input,
      reportedId,
      now,
    ),
    sql`UPDATE moderation_cases SET reports = (SELECT COUNT(*) FROM reports r WHERE r.case_id = moderation_cases.id), harm = ${harm()}, updated_at = ${now}
      WHERE ${isCase}`,
  ]);
}

/** How many messages are copied before and after a reported one, and of the conversation with a reported person. */
const TALK_AROUND = 10;
const TALK_LATEST = 40;

/** Copies the conversation around a reported message, or with a reported person. `report`: SQL of the report's id. */
function copyTalk(
  report: SQL,
  { subject, subjectId, reporterId }: ReportInput,
  reportedId: string,
  now: number,
): Statement[] {
  if (subject !== "message" && subject !== "person") return [];
  const place = sql`(SELECT created_at, id FROM messages WHERE id = ${subjectId})`;
  const inThread = (order: SQL, condition: SQL, limit: number) =>
    sql`SELECT * FROM (SELECT m.id, m.sender_name, m.message, m.images, m.created_at FROM messages m
      WHERE m.thread = ${threadSql(sql`${reporterId}`, sql`${reportedId}`)} AND m.removed_at IS NULL ${condition} ORDER BY m.created_at ${order}, m.id ${order} LIMIT ${limit})`;
  const talk =
    subject === "person"
      ? inThread(sql`DESC`, sql``, TALK_LATEST)
      : sql`${inThread(sql`DESC`, sql`AND (m.created_at, m.id) <= ${place}`, TALK_AROUND + 1)}
        UNION ALL ${inThread(sql`ASC`, sql`AND (m.created_at, m.id) > ${place}`, TALK_AROUND)}`;
  return [
    sql`INSERT INTO copies (kind, subject_id, owner_id, content, photos, created_at)
      WITH talk AS MATERIALIZED (SELECT * FROM (${talk}) ORDER BY created_at, id)
      SELECT ${"talk" satisfies CopyKind}, r.id, ${reportedId},
        json_object('messages', (SELECT json_group_array(json_object('id', t.id, 'senderName', t.sender_name, 'message', t.message, 'images', json(t.images), 'createdAt', t.created_at)) FROM talk t)),
        (SELECT json_group_array(DISTINCT i.value ->> 'key') FROM talk t, json_each(t.images) i), ${now}
      FROM reports r WHERE r.id = (${report}) AND EXISTS (SELECT 1 FROM talk)`,
  ];
}
