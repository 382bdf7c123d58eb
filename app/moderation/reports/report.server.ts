import { caseRow, reportRow } from "#app/moderation/table-rows.server.ts";
import { and, asc, desc, eq, exists, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { firstName } from "#app/accounts/trust/name-rules.ts";
import { type Statement, write } from "#app/db/batch.ts";
import { RANDOM_ID, asBoolean, build, hasRow, idList, insertEach, named } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { copyOf, newestCopy } from "#app/db/copies.ts";
import { COPIED, copyCases } from "#app/moderation/cases/copies.server.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { conversations, messages } from "#app/messaging/tables.server.ts";
import { copies } from "#app/db/tables.server.ts";
import { credentials, profiles, shops } from "#app/accounts/tables.server.ts";
import { moderationCases, reports } from "#app/moderation/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { reviews } from "#app/reviews/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { CASE, type CaseSubject, type ReportReason } from "#app/db/states/moderation.ts";
import { threadSql } from "#app/messaging/thread-sql.server.ts";
import { caseNeedsReport, isStoodBy } from "#app/payments/reports-stop-money.server.ts";
import { harm } from "#app/moderation/cases/case-columns.server.ts";
import { reasonsFor, refuseReportText, REPORTS_A_DAY } from "./report-rules.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

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

/** The screen of a person's reviews. */
const REVIEWS_SCREEN = sql`'/people/' || ${reviews.subjectId} || '/reviews' || CASE ${reviews.subjectRole}
  WHEN 'buyer' THEN '?as=buyer' ELSE '' END`;
const isPublished = and(isNotNull(reviews.publishedAt), isNull(reviews.removedAt));

/** What people see of something that they can report. */
function seen(reportedId: SQLiteColumn, quote: SQLiteColumn | SQL, seenAt: SQL) {
  return named({
    reportedId: sql<string>`${reportedId}`,
    quote: sql<string>`${quote}`,
    seenAt: sql<string>`${seenAt}`,
  });
}

/** What the viewer can report: nothing of their own, and only what they can see. No row for anything else. */
function selectSeen({ subject, subjectId, viewerId }: ReportableInput) {
  switch (subject) {
    case "listing": {
      const { id, sellerId, name, deletedAt, suspendedAt } = products;
      return build
        .select(seen(sellerId, name, sql`'/product/' || ${id}`))
        .from(products)
        .where(and(eq(id, subjectId), ne(sellerId, viewerId), isNull(deletedAt), isNull(suspendedAt)));
    }
    case "review":
      return build
        .select(seen(reviews.authorId, reviews.text, REVIEWS_SCREEN))
        .from(reviews)
        .where(and(eq(reviews.id, subjectId), ne(reviews.authorId, viewerId), isPublished));
    // A reply has the id of its review.
    case "reply":
      return build
        .select(seen(reviews.subjectId, reviews.reply, REVIEWS_SCREEN))
        .from(reviews)
        .where(
          and(
            eq(reviews.id, subjectId),
            ne(reviews.subjectId, viewerId),
            isNotNull(reviews.reply),
            isNull(reviews.replyRemovedAt),
            isPublished,
          ),
        );
    case "person": {
      const { id } = credentials;
      const { userId, otherId } = conversations;
      const sells = or(
        eq(profiles.isSeller, true),
        hasRow(shops, eq(shops.id, id)),
        hasRow(products, and(eq(products.sellerId, id), isNull(products.deletedAt))),
      );
      return build
        .select(
          seen(
            id,
            sql`''`,
            sql`CASE WHEN ${userId} IS NULL THEN '/seller/' ELSE '/profile?tab=messages&with=' END || ${id}`,
          ),
        )
        .from(credentials)
        .innerJoin(profiles, eq(profiles.id, id))
        .leftJoin(conversations, and(eq(userId, viewerId), eq(otherId, id)))
        .where(
          and(
            eq(id, subjectId),
            ne(id, viewerId),
            isNull(profiles.deletedAt),
            or(isNotNull(userId), and(isNull(credentials.suspendedAt), sells)),
          ),
        );
    }
    case "message": {
      const { id, senderId, recipientId, message, removedAt } = messages;
      return build
        .select(seen(senderId, message, sql`'/profile?tab=messages&with=' || ${senderId}`))
        .from(messages)
        .where(and(eq(id, subjectId), eq(recipientId, viewerId), ne(senderId, viewerId), isNull(removedAt)));
    }
  }
}

interface ReportableInput {
  subject: CaseSubject;
  subjectId: string;
  viewerId: string;
}

/** What the viewer wants to report; null when there is no such thing, or it isn't theirs to report. One round trip. */
export async function findReportable(db: Database, input: ReportableInput): Promise<Reportable | null> {
  const { subject, subjectId, viewerId } = input;
  const reported = selectSeen(input).as("reported");
  const standing = build
    .select({ id: reportRow.id })
    .from(caseRow)
    .innerJoin(reportRow, eq(reportRow.caseId, caseRow.id))
    .where(
      and(
        eq(caseRow.subject, subject),
        eq(caseRow.subjectId, subjectId),
        stateIs(caseRow.state, CASE.isOpen),
        eq(reportRow.reporterId, viewerId),
        isStoodBy,
      ),
    );
  const about = { kind: subject, id: subjectId, reportedId: sql`${reported.reportedId}` };
  const [row] = await db
    .select({
      reportedId: reported.reportedId,
      fullName: profiles.fullName,
      quote: reported.quote,
      seenAt: reported.seenAt,
      isReported: asBoolean(exists(standing)),
      stopsMoney: asBoolean(caseNeedsReport(viewerId, about)),
    })
    .from(reported)
    .leftJoin(profiles, eq(profiles.id, reported.reportedId));
  if (!row) return null;
  const { fullName, ...found } = row;
  // Of the authors of a review and its reply, readers know the first name only.
  const name = subject === "review" || subject === "reply" ? firstName(fullName ?? "") : (fullName ?? "");
  return { ...found, name, subject, subjectId };
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
 * case adds nothing, and doesn't count towards the reports of the day, unless they took the first one back: then it
 * counts from now on, as they say it now. A report that stops money needs no allowance: nobody has more of those than
 * items that they paid for.
 */
export async function sendReport(store: Store, input: ReportInput): Promise<ReportResult> {
  const { subject, subjectId, reporterId, reason } = input;
  if (!reasonsFor(subject).includes(reason)) return { ok: false, code: "reason" };
  const refused = refuseReportText(reason, input.text);
  if (refused) return { ok: false, code: refused };
  const found = await findReportable(store.db, { subject, subjectId, viewerId: reporterId });
  if (!found) return { ok: false, code: "not_found" };
  if (found.isReported) return { ok: true, seenAt: found.seenAt };
  const allowance = { key: `reports:${reporterId}`, max: REPORTS_A_DAY, windowMs: DAY_MS };
  if (!found.stopsMoney && !(await takeAllowance(store, [allowance]))) return { ok: false, code: "too_many" };
  await addReport(store, input, found.reportedId);
  return { ok: true, seenAt: found.seenAt };
}

/** The report keeps what was reported as it is now, with the words around it. */
async function addReport(store: Store, input: ReportInput, reportedId: string): Promise<void> {
  const { subject, subjectId, reporterId, reason } = input;
  const now = store.now();
  const open = build
    .select({ id: moderationCases.id })
    .from(moderationCases)
    .where(
      and(
        eq(moderationCases.subject, subject),
        eq(moderationCases.subjectId, subjectId),
        stateIs(moderationCases.state, CASE.isOpen),
      ),
    );
  const report = {
    copyId: newestCopy(subject, sql`${subjectId}`),
    reason,
    text: input.text.trim(),
    createdAt: now,
  };
  await write(store.db, [
    copyOf(COPIED[subject], idList(subjectId), now),
    build
      .insert(moderationCases)
      .values({
        id: crypto.randomUUID(),
        subject,
        subjectId,
        reportedId,
        appealToken: RANDOM_ID,
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing(),
    ...copyCases(subject, sql`(${open})`, now),
    build
      .insert(reports)
      .values({ id: crypto.randomUUID(), caseId: sql`${open}`, reporterId, ...report })
      .onConflictDoUpdate({ target: [reports.caseId, reports.reporterId], set: { ...report, liftedAt: null } }),
    ...copyTalk(and(eq(reports.reporterId, reporterId), eq(reports.caseId, open)), input, reportedId, now),
    build
      .update(moderationCases)
      .set({
        reports: build.$count(reports, eq(reports.caseId, moderationCases.id)),
        harm: harm(),
        updatedAt: now,
      })
      .where(eq(moderationCases.id, open)),
  ]);
}

/** How many messages are copied before and after a reported one, and of the conversation with a reported person. */
const TALK_AROUND = 10;
const TALK_LATEST = 40;

/** Copies the conversation around a reported message, or with a reported person. `isReport`: SQL. */
function copyTalk(
  isReport: SQL | undefined,
  { subject, subjectId, reporterId }: ReportInput,
  reportedId: string,
  now: number,
): Statement[] {
  if (subject !== "message" && subject !== "person") return [];
  const { id, senderName, message, images, createdAt, thread, removedAt } = messages;
  const isTalk = and(eq(thread, threadSql(sql`${reporterId}`, sql`${reportedId}`)), isNull(removedAt));
  const place = build.select({ createdAt, id }).from(messages).where(eq(id, subjectId));
  const written = (direction: typeof asc | typeof desc, condition: SQL | undefined, limit: number) =>
    sql`SELECT * FROM ${build
      .select(named({ id, senderName, message, images, createdAt }))
      .from(messages)
      .where(and(isTalk, condition))
      .orderBy(direction(createdAt), direction(id))
      .limit(limit)}`;
  const talk =
    subject === "person"
      ? written(desc, undefined, TALK_LATEST)
      : sql`${written(desc, sql`(${createdAt}, ${id}) <= ${place}`, TALK_AROUND + 1)}
        UNION ALL ${written(asc, sql`(${createdAt}, ${id}) > ${place}`, TALK_AROUND)}`;
  // Not built, because of a common table and `json_each`.
  const copy = sql`WITH talk AS MATERIALIZED (SELECT * FROM (${talk}) ORDER BY createdAt, id)
    SELECT json_object('messages', (SELECT json_group_array(json_object('id', id, 'senderName', senderName,
        'message', message, 'images', json(images), 'createdAt', createdAt)) FROM talk)) AS content,
      (SELECT json_group_array(DISTINCT image.value ->> 'key') FROM talk, json_each(talk.images) image) AS photos
    WHERE EXISTS (SELECT 1 FROM talk)`;
  return [
    insertEach(
      copies,
      {
        kind: "talk",
        subjectId: reports.id,
        ownerId: reportedId,
        content: sql`copy.content`,
        photos: sql`copy.photos`,
        createdAt: now,
      },
      sql`FROM ${reports} CROSS JOIN (${copy}) copy WHERE ${isReport}`,
    ),
  ];
}
