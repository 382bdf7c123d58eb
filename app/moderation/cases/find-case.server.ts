/** A case with everything that a decision needs. */
import { COPIED, type TalkCopy } from "./copies.server.ts";
import { caseRow } from "#app/moderation/table-rows.server.ts";
import { and, desc, eq, gte, isNotNull, isNull, min, ne, or, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { read } from "#app/db/batch.ts";
import { asBoolean, build, hasRow, oneRow, pick } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import {
  readThread,
  type TeamPage,
  threadPart,
  type ThreadQuery,
} from "#app/messaging/conversations/team-messages.server.ts";
import { copies } from "#app/db/tables.server.ts";
import { credentials, profiles, shops, uploads } from "#app/accounts/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { messages } from "#app/messaging/tables.server.ts";
import { moderationCases, reports } from "#app/moderation/tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { STANDS } from "#app/catalogue/serials/serials.server.ts";
import { listingSerials, products, stolenSerials } from "#app/catalogue/tables.server.ts";
import { reviews } from "#app/reviews/tables.server.ts";
import { contentNow, readCopy } from "#app/db/copies.ts";
import { CASE_SUBJECTS, type CaseSubject } from "#app/db/states/moderation.ts";
import { threadSql } from "#app/messaging/thread-sql.server.ts";
import { suggestedStatement } from "./decision-words.ts";
import { worstReason } from "#app/moderation/reports/report-rules.ts";
import { refuseDecider } from "./case-rules.ts";
import { readCopied } from "./copied-subject.server.ts";
import { ADMINS, relatedAdmins } from "./case-facts.server.ts";
import { selectHistory } from "#app/team/audit-log.server.ts";
import { type Admin } from "#app/team/perform-act.server.ts";
import { PERSON, SALES_COMPLETED } from "#app/team/person-columns.server.ts";

import { SUMMARY } from "./list-cases.server.ts";

const deciders = alias(profiles, "deciders");
const answerers = alias(profiles, "answerers");
const authors = alias(profiles, "authors");

/**
 * SQL: the conversation that was copied with a report, each time that its reporter sent it. Not built, because of
 * `json_each`.
 */
const TALK = sql`(SELECT json_object('messages', json_group_array(json(talk.value)))
  FROM (SELECT DISTINCT message.value FROM ${copies}, json_each(${copies.content}, '$.messages') message
    WHERE ${copies.kind} = 'talk' AND ${copies.subjectId} = ${reports.id} ORDER BY ${copies.id}, message.id) talk)`;
/** How many messages are shown before and after a reported one, and on a page of a conversation. */
const MESSAGES_AROUND = 10;
const MESSAGES_SHOWN = 40;
/** How many copies of a subject are read, from the first on. */
const COPIES_SHOWN = 50;

/** SQL: a value of a case. */
function valueOf(caseId: string, value: SQLiteColumn) {
  return build.select({ value }).from(moderationCases).where(eq(moderationCases.id, caseId));
}

/** A case as its queries speak of it. */
function caseSql(caseId: string) {
  const subject = valueOf(caseId, moderationCases.subject);
  const reportedId = valueOf(caseId, moderationCases.reportedId);
  const earliest = build
    .select({ id: min(reports.copyId) })
    .from(reports)
    .where(eq(reports.caseId, caseId));
  return {
    id: caseId,
    subject,
    subjectId: valueOf(caseId, moderationCases.subjectId),
    reportedId,
    subjectIs: (kind: CaseSubject) => sql`${subject} = ${kind}`,
    /**
     * The first copy that belongs to the case: what it was opened with, or for an older case what was reported first
     * since.
     */
    firstCopy: sql`COALESCE(${valueOf(caseId, moderationCases.copyId)}, ${earliest})`,
    /** The account of the person concerned was deleted. */
    isDeleted: hasRow(profiles, and(eq(profiles.id, reportedId), isNotNull(profiles.deletedAt))),
  };
}

type CaseSql = ReturnType<typeof caseSql>;

function selectCase({ id }: CaseSql) {
  return build
    .select({
      ...SUMMARY,
      ...pick(caseRow, "createdAt", "updatedAt", "subjectId", "statement"),
      decidedBy: sql<string | null>`${deciders.fullName}`.as("decider"),
      decidedById: caseRow.decidedBy,
      ...pick(caseRow, "decidedAt", "appeal", "appealAnswer"),
      appealDecidedBy: sql<string | null>`${answerers.fullName}`.as("answerer"),
      closedAt: caseRow.closedAt,
    })
    .from(caseRow)
    .leftJoin(profiles, eq(profiles.id, caseRow.reportedId))
    .leftJoin(deciders, eq(deciders.id, caseRow.decidedBy))
    .leftJoin(answerers, eq(answerers.id, caseRow.appealDecidedBy))
    .where(eq(caseRow.id, id));
}

function selectReports({ id, isDeleted, firstCopy }: CaseSql) {
  const talk = sql<string | null>`CASE WHEN ${profiles.deletedAt} IS NOT NULL OR ${isDeleted} THEN ${TALK} END`;
  return build
    .select({
      id: reports.id,
      reporter: profiles.fullName,
      ...pick(reports, "reporterId", "reason", "text", "createdAt"),
      editedAt: sql<number | null>`${copies.createdAt}`.as("edited_at"),
      talk: talk.as("talk"),
    })
    .from(reports)
    .leftJoin(profiles, eq(profiles.id, reports.reporterId))
    .leftJoin(copies, and(eq(copies.id, reports.copyId), sql`${reports.copyId} > ${firstCopy}`))
    .where(eq(reports.caseId, id))
    .orderBy(reports.createdAt, reports.id)
    .limit(200);
}

/** The person concerned. */
function selectPerson({ reportedId }: CaseSql) {
  return build
    .select({
      ...PERSON,
      photoUrl: profiles.photoUrl,
      ...pick(shops, "logoUrl", "bannerUrl"),
      listings: build.$count(products, and(eq(products.sellerId, credentials.id), isNull(products.deletedAt))),
      salesCompleted: SALES_COMPLETED,
    })
    .from(credentials)
    .leftJoin(profiles, eq(profiles.id, credentials.id))
    .leftJoin(shops, eq(shops.id, credentials.id))
    .where(eq(credentials.id, reportedId));
}

function selectListing({ subjectId, subjectIs }: CaseSql) {
  return build
    .select({
      ...pick(products, "id", "name", "description", "price", "category"),
      ...pick(products, "images", "updatedAt", "suspendedAt", "deletedAt"),
    })
    .from(products)
    .where(and(subjectIs("listing"), eq(products.id, subjectId)));
}

/** Who reported the serial number of the listing as stolen, first what still counts. */
function selectThefts({ subjectId, subjectIs }: CaseSql) {
  return build
    .select({
      ...pick(stolenSerials, "id", "ending", "text", "createdAt", "endedAt"),
      reporter: profiles.fullName,
      images: sql<ProductImage[]>`(SELECT json_group_array(json(${uploads.image}))
        FROM json_each(${stolenSerials.photos}) proof JOIN ${uploads} ON ${uploads.key} = proof.value
        WHERE ${uploads.image} IS NOT NULL)`
        .mapWith(products.images)
        .as("images"),
    })
    .from(listingSerials)
    .innerJoin(stolenSerials, eq(stolenSerials.hash, listingSerials.hash))
    .leftJoin(profiles, eq(profiles.id, stolenSerials.reporterId))
    .where(and(subjectIs("listing"), eq(listingSerials.productId, subjectId)))
    .orderBy(desc(STANDS), stolenSerials.createdAt)
    .limit(20);
}

function selectReview({ subjectId, subjectIs }: CaseSql) {
  return build
    .select({
      ...pick(reviews, "rating", "text", "photos", "reply"),
      author: sql<string | null>`${authors.fullName}`.as("author"),
      about: sql<string | null>`${profiles.fullName}`.as("about"),
      productName: orderItems.productName,
      removedAt: reviews.removedAt,
      replyRemovedAt: reviews.replyRemovedAt,
    })
    .from(reviews)
    .innerJoin(orderItems, eq(orderItems.id, reviews.orderItemId))
    .leftJoin(authors, eq(authors.id, reviews.authorId))
    .leftJoin(profiles, eq(profiles.id, reviews.subjectId))
    .where(and(or(subjectIs("review"), subjectIs("reply")), eq(reviews.id, subjectId)));
}

/** Other cases against the same person, the latest first. */
function selectEarlier({ id, reportedId }: CaseSql) {
  return build
    .select(pick(caseRow, "id", "subject", "state", "decision", "appealGranted", "appealedAt", "createdAt"))
    .from(caseRow)
    .where(and(eq(caseRow.reportedId, reportedId), ne(caseRow.id, id)))
    .orderBy(desc(caseRow.createdAt))
    .limit(20);
}

function selectCopies({ subject, subjectId, firstCopy }: CaseSql) {
  return build
    .select({ id: copies.id, content: copies.content, createdAt: copies.createdAt })
    .from(copies)
    .where(and(eq(copies.kind, subject), eq(copies.subjectId, subjectId), gte(copies.id, firstCopy)))
    .orderBy(copies.id)
    .limit(COPIES_SHOWN);
}

/** The subject as it is now. */
function selectNow({ subject, subjectId, isDeleted }: CaseSql) {
  const contents = CASE_SUBJECTS.map((kind) => sql`WHEN ${kind} THEN ${contentNow(COPIED[kind], sql`${subjectId}`)}`);
  return oneRow({
    content: sql<string | null>`CASE ${subject} ${sql.join(contents, sql` `)} END`,
    isDeleted: asBoolean(isDeleted),
  });
}

type Around = Omit<ThreadQuery, "limit">;

/**
 * The reported message, and what was written before and after it; without one, what the person and the first reporter
 * wrote.
 */
function selectConversation({ id, subjectId, subjectIs, reportedId }: CaseSql, { before, after }: Around) {
  const reporter = build
    .select({ id: reports.reporterId })
    .from(reports)
    .where(eq(reports.caseId, id))
    .orderBy(reports.createdAt, reports.id)
    .limit(1);
  const message = build
    .select({ id: moderationCases.subjectId })
    .from(moderationCases)
    .where(and(eq(moderationCases.id, id), eq(moderationCases.subject, "message")));
  const ofMessage = (value: SQLiteColumn) => build.select({ value }).from(messages).where(eq(messages.id, message));
  const talked = sql`CASE WHEN ${subjectIs("person")} THEN ${threadSql(reporter, reportedId)} END`;
  const thread = sql`COALESCE(${ofMessage(messages.thread)}, ${talked})`;
  const messageAt = { createdAt: ofMessage(messages.createdAt), id: ofMessage(messages.id) };
  // The first page shows what is around a reported message, or without one the newest messages.
  const older = before ?? {
    createdAt: sql`COALESCE(${messageAt.createdAt}, ${Number.MAX_SAFE_INTEGER})`,
    id: sql`COALESCE(${messageAt.id}, '')`,
  };
  const columns = {
    ...pick(messages, "id", "senderName", "message", "images", "createdAt"),
    isSubject: asBoolean(sql`${messages.id} = ${subjectId}`),
  };
  const selectMessages = (query: Parameters<typeof threadPart>[1]) => {
    const { where, sorted, limit } = threadPart(thread, query);
    return build
      .select(columns)
      .from(messages)
      .where(where)
      .orderBy(...sorted)
      .limit(limit);
  };
  return {
    reported: build.select(columns).from(messages).where(eq(messages.id, message)),
    older: selectMessages({ before: older, limit: MESSAGES_SHOWN }),
    newer: selectMessages({ after: after ?? messageAt, limit: MESSAGES_SHOWN }),
  };
}

/** The messages around the reported one, or a page of the conversation. */
function readConversation(
  { before, after }: Around,
  reported: CaseMessage | null,
  found: Record<"older" | "newer", CaseMessage[]>,
): TeamPage<CaseMessage> {
  const readPage = (query: ThreadQuery) => readThread(query.after ? found.newer : found.older, query);
  if (!reported || before || after) return readPage({ before, after, limit: MESSAGES_SHOWN });
  const preceding = readPage({ before: reported, limit: MESSAGES_AROUND });
  const following = readPage({ after: reported, limit: MESSAGES_AROUND });
  return {
    messages: [...preceding.messages, reported, ...following.messages],
    older: preceding.older,
    newer: following.newer,
    direction: null,
  };
}

/**
 * A case with everything that a decision needs; null when there is none. One round trip.
 * `before` is the cursor of older messages, `after` that of newer ones.
 */
export async function findCasePage(db: Database, admin: Admin, caseId: string, around: Around = {}) {
  const of = caseSql(caseId);
  const conversation = selectConversation(of, around);
  const answers = await read(db, {
    case: selectCase(of),
    reports: selectReports(of),
    person: selectPerson(of),
    listing: selectListing(of),
    review: selectReview(of),
    thefts: selectThefts(of),
    reported: conversation.reported,
    older: conversation.older,
    newer: conversation.newer,
    earlier: selectEarlier(of),
    // Notes on a report that is now a case are still in the audit log under its earlier name.
    history: selectHistory(sql`${`case:${caseId}`}, ${`message_report:${caseId}`}, 'user:' || ${of.reportedId},
      CASE WHEN ${of.subjectIs("listing")} THEN 'product:' || ${of.subjectId} END`),
    copies: selectCopies(of),
    now: selectNow(of),
    related: relatedAdmins(of.reportedId),
    admins: ADMINS,
  });
  const [found, person, now] = [answers.case[0], answers.person[0], answers.now[0]];
  if (!found || !person) return null;
  const { decidedById, updatedAt, ...summary } = found;
  const [listing = null, review = null, reported = null] = [answers.listing[0], answers.review[0], answers.reported[0]];
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  const reporterIds = answers.reports.map(({ reporterId }) => reporterId);
  const parties = { reportedId: person.id, reporterIds, relatedIds: idsOf(answers.related), decidedBy: decidedById };
  const refusal = refuseDecider(admin.id, parties, idsOf(answers.admins));
  // The person concerned never learns who reported them, nor which of their words.
  const isConcerned = refusal === "concerned";
  const isGone = now?.content == null || now.isDeleted || (listing?.deletedAt ?? null) !== null;
  return {
    case: isConcerned ? { ...summary, title: null, reasons: [] } : summary,
    /** What the person concerned reads, unless the admin changes it. From here, because the texts are long. */
    suggested: suggestedStatement(summary.subject, worstReason(isConcerned ? [] : summary.reasons)),
    /** When the case or its listing was last changed: a decision is about what its admin has seen. */
    seenAt: Math.max(updatedAt, listing?.updatedAt ?? 0),
    /** Why the viewer can't decide; null when they can. */
    refusal,
    /**
     * `editedAt`: when what they saw had last been edited; null when they saw what the case began with. `talk`: the
     * conversation as it was when they reported it, where somebody has deleted their account since; else empty.
     */
    reports: isConcerned
      ? []
      : answers.reports.map((row) => ({ ...row, talk: readCopy<TalkCopy>(row.talk)?.messages ?? [] })),
    /** What was reported as it was then; null where the copy was erased. */
    copied: isConcerned ? null : readCopied(summary.subject, answers.copies, isGone ? null : (now?.content ?? null)),
    /** What was reported can't be seen any more: it was deleted, or its account. */
    isGone,
    person,
    listing,
    review,
    /** Who reported its serial number as stolen, with the proofs. */
    thefts: isConcerned ? [] : answers.thefts,
    reported: isConcerned ? null : reported,
    /** What is around a message, or between a reported person and the first reporter. */
    conversation: isConcerned
      ? { messages: [], older: null, newer: null, direction: null }
      : readConversation(around, reported, answers),
    /** Other cases against the same person, the latest first. */
    earlier: answers.earlier,
    history: answers.history,
  };
}

/** Amounts in KES, times in ms since 1970. */
export type CasePage = NonNullable<Awaited<ReturnType<typeof findCasePage>>>;

/** `isSubject`: it is the message that was reported. */
export interface CaseMessage extends Pick<
  typeof messages.$inferSelect,
  "id" | "senderName" | "message" | "images" | "createdAt"
> {
  isSubject: boolean;
}
