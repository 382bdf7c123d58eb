import { caseRow } from "#app/db/table-rows.ts";
import { and, desc, eq, gte, isNotNull, isNull, min, ne, or, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { readCursor } from "#app/catalogue/catalogue-rules.ts";
import { expectThat, runBatch } from "#app/db/batch.ts";
import { asBoolean, asJson, build, hasRow, oneRow, pick } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { readThread, type TeamPage, threadPart, type ThreadQuery } from "#app/messaging/team-messages.server.ts";
import {
  copies,
  credentials,
  messages,
  moderationCases,
  orderItems,
  products,
  profiles,
  reports,
  reviews,
  shops,
} from "#app/db/schema.ts";
import { contentNow, readCopy } from "#app/db/copies.ts";
import { stateIs } from "#app/db/state-is.ts";
import { CASE, CASE_SUBJECTS, type CaseSubject, type ReportReason } from "#app/db/states/moderation.ts";
import { threadSql } from "#app/db/thread-sql.ts";
import { caseTitle, otherUpheld } from "#app/moderation/case-columns.server.ts";
import { refuseDecider } from "#app/moderation/moderation-rules.ts";
import { readCopied } from "./copied-subject.server.ts";
import { afterInQueue, QUEUE_ORDER } from "./case-queue.server.ts";
import { ADMINS, relatedAdmins } from "./case-facts.server.ts";
import {
  type Admin,
  adminCounts,
  PAGE_SIZE,
  pageOf,
  performAdminAction,
  readAdminCounts,
  selectHistory,
  toListPage,
} from "./admin-pages.server.ts";
import { PERSON, SALES_COMPLETED } from "./person-columns.server.ts";

/** queue: cases to decide and appeals to answer. done: everything else. */
export type CaseFilter = "queue" | "done";

const deciders = alias(profiles, "deciders");
const answerers = alias(profiles, "answerers");
const authors = alias(profiles, "authors");

/** Why a listing of the case is held. Its seller may have deleted it. */
const heldFor = build
  .select({ heldFor: products.heldFor })
  .from(products)
  .where(and(eq(caseRow.subject, "listing"), eq(products.id, caseRow.subjectId), isNull(products.deletedAt)));
const reasons = build
  .select({ reasons: sql`json_group_array(DISTINCT ${reports.reason})` })
  .from(reports)
  .where(eq(reports.caseId, caseRow.id));

const SUMMARY = {
  id: caseRow.id,
  subject: caseRow.subject,
  title: caseTitle().as("title"),
  reported: profiles.fullName,
  ...pick(caseRow, "state", "decision", "appealGranted", "appealedAt", "harm", "reports"),
  reasons: asJson<ReportReason[]>(sql`${reasons}`).as("reasons"),
  upheld: otherUpheld(caseRow).as("upheld"),
  heldFor: sql<string | null>`${heldFor}`.as("held_for"),
};

/**
 * One page of cases: those that wait for our team with the most harm first, or the others with the latest first. One
 * round trip.
 */
export async function listCases(db: Database, filter: CaseFilter, after: string | null) {
  const place = readQueuePlace(after);
  const done = pageOf(caseRow.updatedAt, caseRow.id, "newest", readCursor(after));
  const { where, sorted, createdAt } =
    filter === "queue"
      ? {
          where: and(stateIs(caseRow.state, CASE.awaitsTeam), place ? afterInQueue(place) : undefined),
          sorted: QUEUE_ORDER,
          createdAt: caseRow.createdAt,
        }
      : {
          where: and(stateIs(caseRow.state, CASE.isDone), done.beyond),
          sorted: done.sorted,
          createdAt: caseRow.updatedAt,
        };
  const [cases, counts] = await runBatch(db, [
    build
      .select({ ...SUMMARY, createdAt })
      .from(caseRow)
      .leftJoin(profiles, eq(profiles.id, caseRow.reportedId))
      .where(where)
      .orderBy(...sorted)
      .limit(PAGE_SIZE + 1),
    adminCounts(),
  ]);
  const page = toListPage(
    cases,
    filter === "queue" ? ({ harm, createdAt: at, id }) => `${harm}.${at}.${id}` : undefined,
  );
  return { ...page, counts: readAdminCounts(counts) };
}

/**
 * `title`: the name of the listing or person, or the words of the review, reply or message; null when it is gone. `upheld`:
 * earlier cases against the same person. `heldFor`: the prohibited term of a held listing. `createdAt`: when it was opened, or for
 * a case that is done, last changed, ms since 1970.
 */
export type CaseSummary = Awaited<ReturnType<typeof listCases>>["rows"][number];

function readQueuePlace(text: string | null): { harm: number; createdAt: number; id: string } | null {
  const [, harm, createdAt, id] = /^(\d{1,6})\.(\d{1,15})\.([0-9a-f-]{32,36})$/.exec(text ?? "") ?? [];
  return id ? { harm: Number(harm), createdAt: Number(createdAt), id } : null;
}

/** SQL: the conversation that was copied with a report, each time that its reporter sent it. Not built, because of `json_each`. */
const TALK = sql`(SELECT json_object('messages', json_group_array(json(t.value))) FROM (SELECT DISTINCT m.value FROM ${copies}, json_each(${copies.content}, '$.messages') m
  WHERE ${copies.kind} = 'talk' AND ${copies.subjectId} = ${reports.id} ORDER BY ${copies.id}, m.id) t)`;
/** How many messages are shown before and after a reported one, and on a page of a conversation. */
const MESSAGES_AROUND = 10;
const MESSAGES_SHOWN = 40;
/** How many copies of a subject are read, from the first on. */
const COPIES_SHOWN = 50;

/**
 * A case with everything that a decision needs; null when there is none. One round trip.
 * `before` is the cursor of older messages, `after` that of newer ones.
 */
export async function findCase(
  db: Database,
  admin: Admin,
  caseId: string,
  { before, after }: Omit<ThreadQuery, "limit"> = {},
) {
  const of = (value: SQLiteColumn) =>
    build.select({ value }).from(moderationCases).where(eq(moderationCases.id, caseId));
  const [subject, subjectId, reportedId] = [
    of(moderationCases.subject),
    of(moderationCases.subjectId),
    of(moderationCases.reportedId),
  ];
  const subjectIs = (kind: CaseSubject) => sql`${subject} = ${kind}`;
  const earliest = build
    .select({ id: min(reports.copyId) })
    .from(reports)
    .where(eq(reports.caseId, caseId));
  // The first copy that belongs to the case: what it was opened with, or for an older case what was reported first since.
  const first = sql`COALESCE(${of(moderationCases.copyId)}, ${earliest})`;
  const isDeleted = hasRow(profiles, and(eq(profiles.id, reportedId), isNotNull(profiles.deletedAt)));
  const reporter = build
    .select({ id: reports.reporterId })
    .from(reports)
    .where(eq(reports.caseId, caseId))
    .orderBy(reports.createdAt, reports.id)
    .limit(1);
  const message = build
    .select({ id: moderationCases.subjectId })
    .from(moderationCases)
    .where(and(eq(moderationCases.id, caseId), eq(moderationCases.subject, "message")));
  const messageColumns = {
    ...pick(messages, "id", "senderName", "message", "images", "createdAt"),
    isSubject: asBoolean(sql`${messages.id} = ${subjectId}`),
  };
  const ofMessage = (value: SQLiteColumn) => build.select({ value }).from(messages).where(eq(messages.id, message));
  const thread = sql`COALESCE(${ofMessage(messages.thread)}, CASE WHEN ${subjectIs("person")} THEN ${threadSql(reporter, reportedId)} END)`;
  const messageAt = { createdAt: ofMessage(messages.createdAt), id: ofMessage(messages.id) };
  // The first page shows what is around a reported message, or without one the newest messages.
  const older = before ?? {
    createdAt: sql`COALESCE(${messageAt.createdAt}, ${Number.MAX_SAFE_INTEGER})`,
    id: sql`COALESCE(${messageAt.id}, '')`,
  };
  const selectMessages = (query: Parameters<typeof threadPart>[1]) => {
    const { where, sorted, limit } = threadPart(thread, query);
    return build
      .select(messageColumns)
      .from(messages)
      .where(where)
      .orderBy(...sorted)
      .limit(limit);
  };
  const [
    [found],
    written,
    [person],
    [listing = null],
    [review = null],
    [reported = null],
    olderRows,
    newerRows,
    earlier,
    history,
    copied,
    [now],
    related,
    admins,
    counts,
  ] = await runBatch(db, [
    build
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
      .where(eq(caseRow.id, caseId)),
    build
      .select({
        id: reports.id,
        reporter: profiles.fullName,
        ...pick(reports, "reporterId", "reason", "text", "createdAt"),
        editedAt: sql<number | null>`${copies.createdAt}`.as("edited_at"),
        talk: sql<string | null>`CASE WHEN ${profiles.deletedAt} IS NOT NULL OR ${isDeleted} THEN ${TALK} END`.as(
          "talk",
        ),
      })
      .from(reports)
      .leftJoin(profiles, eq(profiles.id, reports.reporterId))
      .leftJoin(copies, and(eq(copies.id, reports.copyId), sql`${reports.copyId} > ${first}`))
      .where(eq(reports.caseId, caseId))
      .orderBy(reports.createdAt, reports.id)
      .limit(200),
    build
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
      .where(eq(credentials.id, reportedId)),
    build
      .select({
        ...pick(products, "id", "name", "description", "price", "category"),
        ...pick(products, "images", "updatedAt", "suspendedAt", "deletedAt"),
      })
      .from(products)
      .where(and(subjectIs("listing"), eq(products.id, subjectId))),
    build
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
      .where(and(or(subjectIs("review"), subjectIs("reply")), eq(reviews.id, subjectId))),
    build.select(messageColumns).from(messages).where(eq(messages.id, message)),
    selectMessages({ before: older, limit: MESSAGES_SHOWN }),
    selectMessages({ after: after ?? messageAt, limit: MESSAGES_SHOWN }),
    build
      .select(pick(caseRow, "id", "subject", "state", "decision", "appealGranted", "appealedAt", "createdAt"))
      .from(caseRow)
      .where(and(eq(caseRow.reportedId, reportedId), ne(caseRow.id, caseId)))
      .orderBy(desc(caseRow.createdAt))
      .limit(20),
    // Notes on a report that is now a case are still in the audit log under its earlier name.
    selectHistory(sql`${`case:${caseId}`}, ${`message_report:${caseId}`}, 'user:' || ${reportedId},
      CASE WHEN ${subjectIs("listing")} THEN 'product:' || ${subjectId} END`),
    build
      .select({ id: copies.id, content: copies.content, createdAt: copies.createdAt })
      .from(copies)
      .where(and(eq(copies.kind, subject), eq(copies.subjectId, subjectId), gte(copies.id, first)))
      .orderBy(copies.id)
      .limit(COPIES_SHOWN),
    oneRow({
      content: sql<string | null>`CASE ${subject} ${sql.join(
        CASE_SUBJECTS.map((kind) => sql`WHEN ${kind} THEN ${contentNow(kind, sql`${subjectId}`)}`),
        sql` `,
      )} END`,
      isDeleted: asBoolean(isDeleted),
    }),
    relatedAdmins(reportedId),
    ADMINS,
    adminCounts(),
  ]);
  if (!found || !person) return null;
  const { decidedById, updatedAt, ...summary } = found;
  const refusal = refuseDecider(
    admin.id,
    {
      reportedId: person.id,
      reporterIds: written.map(({ reporterId }) => reporterId),
      relatedIds: related.map(({ id }) => id),
      decidedBy: decidedById,
    },
    admins.map(({ id }) => id),
  );
  // The person concerned never learns who reported them.
  const isConcerned = refusal === "concerned";
  const isGone = now?.content == null || now.isDeleted || (listing?.deletedAt ?? null) !== null;
  return {
    case: summary,
    /** When the case or its listing was last changed: a decision is about what its admin has seen. */
    seen: Math.max(updatedAt, listing?.updatedAt ?? 0),
    /** Why the viewer can't decide; null when they can. */
    refusal,
    /** `editedAt`: when what they saw had last been edited; null when they saw what the case began with. */
    reports: isConcerned
      ? []
      : written.map((row) => ({
          ...row,
          /** The conversation as it was when they reported it, where somebody has deleted their account since; else empty. */
          talk: readCopy("talk", row.talk)?.messages ?? [],
        })),
    /** What was reported as it was then; null where the copy was erased. */
    copied: readCopied(summary.subject, copied, isGone ? null : (now?.content ?? null)),
    /** What was reported can't be seen any more: it was deleted, or its account. */
    isGone,
    person,
    listing,
    review,
    reported: isConcerned ? null : reported,
    /** What is around a message, or between a reported person and the first reporter. */
    conversation: isConcerned ? { messages: [], older: null, newer: null, direction: null } : readConversation(),
    /** Other cases against the same person, the latest first. */
    earlier,
    history,
    counts: readAdminCounts(counts),
  };

  /** The messages around the reported one, or a page of the conversation. */
  function readConversation(): TeamPage<CaseMessage> {
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

  function readPage(query: ThreadQuery): TeamPage<CaseMessage> {
    return readThread(query.after ? newerRows : olderRows, query);
  }
}

/** Amounts in KES, times in ms since 1970. */
export type CasePage = NonNullable<Awaited<ReturnType<typeof findCase>>>;

/** `isSubject`: it is the message that was reported. */
export interface CaseMessage extends Pick<
  typeof messages.$inferSelect,
  "id" | "senderName" | "message" | "images" | "createdAt"
> {
  isSubject: boolean;
}

/** Adds a note to a case, which only admins can read. Returns false if there is no such case. */
export function addCaseNote(store: Store, admin: Admin, caseId: string, note: string): Promise<boolean> {
  return performAdminAction(store, admin, { action: "case_noted", subject: `case:${caseId}`, detail: note }, [
    expectThat(hasRow(moderationCases, eq(moderationCases.id, caseId))),
  ]);
}
