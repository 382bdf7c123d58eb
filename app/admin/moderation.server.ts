import { sql } from "drizzle-orm";
import type { VerifiedLevel } from "#app/accounts/verified-rules.ts";
import { readCursor } from "#app/catalogue/catalogue-rules.ts";
import { expectThat, rowOf, rowsOf, runBatch } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { readThread, selectThread, type TeamPage, type ThreadQuery } from "#app/messaging/team-messages.server.ts";
import type { ProductImage } from "#app/db/schema.ts";
import { contentNow, type CopyContents, readCopy } from "#app/db/copies.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import {
  CASE,
  CASE_SUBJECTS,
  type CaseDecision,
  type CaseState,
  type CaseSubject,
  type ReportReason,
} from "#app/db/states/moderation.ts";
import { threadSql } from "#app/db/thread-sql.ts";
import { upheld } from "#app/db/upheld.ts";
import { caseTitle } from "#app/moderation/case-columns.server.ts";
import { type DecideRefusal, refuseDecider } from "#app/moderation/moderation-rules.ts";
import { type CopiedSubject, readCopied, type StoredCopy } from "./copied-subject.server.ts";
import { ADMINS, afterInQueue, QUEUE_ORDER, relatedAdmins } from "./case-decisions.server.ts";
import {
  type Admin,
  adminCounts,
  type AdminCounts,
  type ListPage,
  PAGE_SIZE,
  pageClause,
  performAdminAction,
  readAdminCounts,
  toListPage,
} from "./admin-pages.server.ts";

/** queue: cases to decide and appeals to answer. done: everything else. */
export type CaseFilter = "queue" | "done";

export interface CaseSummary {
  id: string;
  subject: CaseSubject;
  /** The name of the listing or person, or the words of the review, reply or message; null when it is gone. */
  title: string | null;
  reported: string | null;
  state: CaseState;
  decision: CaseDecision | null;
  appealGranted: boolean | null;
  /** Ms since 1970. */
  appealedAt: number | null;
  harm: number;
  reports: number;
  reasons: ReportReason[];
  /** Earlier cases against the same person that were upheld. */
  upheld: number;
  /** The prohibited term of a held listing; null for everything else. */
  heldFor: string | null;
  /** Ms since 1970: when it was opened, or for a case that is done, last changed. */
  createdAt: number;
}

/** SQL: how many other cases against the person of case `k` were upheld. */
const UPHELD = sql`(SELECT COUNT(*) FROM moderation_cases u WHERE u.reported_id = k.reported_id AND u.id <> k.id AND ${upheld("u")})`;
/** SQL: why a listing of case `k` is held. Its seller may have deleted it. */
const HELD_FOR = sql`(SELECT held_for FROM products q WHERE k.subject = 'listing' AND q.id = k.subject_id AND q.deleted_at IS NULL)`;

/**
 * One page of cases: those that wait for our team with the most harm first, or the others with the latest first. One
 * round trip.
 */
export async function listCases(
  db: Database,
  filter: CaseFilter,
  after: string | null,
): Promise<ListPage<CaseSummary> & { counts: AdminCounts }> {
  const place = readQueuePlace(after);
  const page =
    filter === "queue"
      ? sql`WHERE ${stateIs("k.state", CASE.awaitsTeam)} ${place ? sql`AND ${afterInQueue(place)}` : sql``} ${QUEUE_ORDER} LIMIT ${PAGE_SIZE + 1}`
      : pageClause(stateIs("k.state", CASE.isDone), sql`k.updated_at`, sql`k.id`, "newest", readCursor(after));
  const [cases, counts] = await runBatch(db, [
    sql`SELECT k.id, k.subject, ${caseTitle()} AS title, p.full_name AS reported, k.state, k.decision, k.appeal_granted AS appealGranted, k.appealed_at AS appealedAt, k.harm, k.reports,
        (SELECT json_group_array(DISTINCT reason) FROM reports r WHERE r.case_id = k.id) AS reasons, ${UPHELD} AS upheld, ${HELD_FOR} AS heldFor,
        ${filter === "queue" ? sql`k.created_at` : sql`k.updated_at`} AS createdAt
      FROM moderation_cases k LEFT JOIN profiles p ON p.id = k.reported_id ${page}`,
    adminCounts(),
  ]);
  const { rows, next } = toListPage<Omit<CaseSummary, "reasons" | "appealGranted"> & StoredCase>(
    cases,
    filter === "queue" ? ({ harm, createdAt, id }) => `${harm}.${createdAt}.${id}` : undefined,
  );
  return { rows: rows.map(readCase), next, counts: readAdminCounts(counts) };
}

/** What SQL answers for a list and for a boolean. */
interface StoredCase {
  /** JSON. */
  reasons: string;
  appealGranted: number | null;
}

function readCase<Row extends StoredCase>(row: Row) {
  return {
    ...row,
    reasons: JSON.parse(row.reasons) as ReportReason[],
    appealGranted: row.appealGranted === null ? null : row.appealGranted === 1,
  };
}

function readQueuePlace(text: string | null): { harm: number; createdAt: number; id: string } | null {
  const [, harm, createdAt, id] = /^(\d{1,6})\.(\d{1,15})\.([0-9a-f-]{32,36})$/.exec(text ?? "") ?? [];
  return id ? { harm: Number(harm), createdAt: Number(createdAt), id } : null;
}

interface CaseListing {
  id: string;
  name: string;
  description: string;
  /** KES. */
  price: number;
  category: string;
  images: ProductImage[];
  /** Ms since 1970. */
  updatedAt: number;
  suspendedAt: number | null;
  deletedAt: number | null;
}

interface CaseReview {
  rating: number;
  text: string;
  photos: ProductImage[];
  reply: string | null;
  author: string | null;
  /** The person it is about. */
  about: string | null;
  productName: string;
  removedAt: number | null;
  replyRemovedAt: number | null;
}

export interface CaseMessage {
  id: string;
  senderName: string;
  message: string;
  images: ProductImage[];
  createdAt: number;
  /** It is the message that was reported. */
  isSubject: boolean;
}

interface CasePerson {
  id: string;
  fullName: string | null;
  email: string;
  campusLocation: string | null;
  isSeller: number;
  isAdmin: number;
  verifiedLevel: VerifiedLevel | null;
  /** Ms since 1970. */
  memberSince: number;
  suspendedAt: number | null;
  deletedAt: number | null;
  /** How many of their listings aren't deleted. */
  listings: number;
  salesCompleted: number;
}

export interface CasePage {
  case: CaseSummary & {
    subjectId: string;
    statement: string | null;
    decidedBy: string | null;
    decidedAt: number | null;
    appeal: string | null;
    appealAnswer: string | null;
    appealDecidedBy: string | null;
    closedAt: number | null;
  };
  /** Why the viewer can't decide; null when they can. */
  refusal: DecideRefusal | null;
  /** Empty for the person concerned: they never learn who reported them. */
  reports: {
    id: string;
    reporter: string | null;
    reporterId: string;
    reason: ReportReason;
    text: string;
    createdAt: number;
    /** When what they saw had last been edited, ms; null when they saw what the case began with. */
    editedAt: number | null;
    /** The conversation as it was when they reported it, where somebody has deleted their account since; else empty. */
    talk: CopyContents["talk"]["messages"];
  }[];
  /** What was reported as it was then; null for cases from before there were copies. */
  copied: CopiedSubject | null;
  /** What was reported can't be seen any more: it was deleted, or its account. */
  isGone: boolean;
  person: CasePerson;
  listing: CaseListing | null;
  review: CaseReview | null;
  /** Null for the person concerned. */
  reported: CaseMessage | null;
  /**
   * The conversation around a message, or between a reported person and the first reporter. Empty for the person
   * concerned.
   */
  conversation: TeamPage<CaseMessage>;
  /** Other cases against the same person, the latest first. */
  earlier: {
    id: string;
    subject: CaseSubject;
    state: CaseState;
    decision: CaseDecision | null;
    appealGranted: boolean | null;
    appealedAt: number | null;
    createdAt: number;
  }[];
  history: { id: string; actor: string | null; action: string; detail: string | null; createdAt: number }[];
  counts: AdminCounts;
}

/** SQL: the conversation that was copied with the report `r`, each time that its reporter sent it. */
const TALK = sql`(SELECT json_object('messages', json_group_array(json(t.value))) FROM (SELECT DISTINCT m.value FROM copies c, json_each(c.content, '$.messages') m
  WHERE c.kind = 'talk' AND c.subject_id = r.id ORDER BY c.id, m.id) t)`;
/** How many messages are shown before and after a reported one, and on a page of a conversation. */
const MESSAGES_AROUND = 10;
const MESSAGES_SHOWN = 40;
/** How many copies of a subject are read, from the first on. */
const COPIES_SHOWN = 50;
/** How many of a person's sales are counted, so that a big shop doesn't make the page slow. */
const SALES_COUNTED = 1000;

/**
 * A case with everything that a decision needs; null when there is none. One round trip.
 * `before` is the cursor of older messages, `after` that of newer ones.
 */
export async function findCase(
  db: Database,
  admin: Admin,
  caseId: string,
  { before, after }: Omit<ThreadQuery, "limit"> = {},
): Promise<CasePage | null> {
  const of = (column: "subject" | "subject_id" | "reported_id") =>
    sql`(SELECT ${sql.raw(column)} FROM moderation_cases WHERE id = ${caseId})`;
  const subjectIs = (subject: CaseSubject) => sql`${of("subject")} = ${subject}`;
  // The first copy that belongs to the case: what it was opened with, or for an older case what was reported first since.
  const first = sql`COALESCE((SELECT copy_id FROM moderation_cases WHERE id = ${caseId}), (SELECT MIN(copy_id) FROM reports WHERE case_id = ${caseId}))`;
  const isDeleted = sql`EXISTS (SELECT 1 FROM profiles d WHERE d.id = ${of("reported_id")} AND d.deleted_at IS NOT NULL)`;
  const reporter = sql`(SELECT reporter_id FROM reports WHERE case_id = ${caseId} ORDER BY created_at, id LIMIT 1)`;
  const name = (id: string) => sql`(SELECT full_name FROM profiles WHERE id = ${sql.raw(id)})`;
  const messageColumns = sql`m.id, m.sender_name AS senderName, m.message, m.images, m.created_at AS createdAt, m.id = ${of("subject_id")} AS isSubject`;
  const reported = sql`(SELECT subject_id FROM moderation_cases WHERE id = ${caseId} AND subject = 'message')`;
  const ofReported = (column: "thread" | "created_at" | "id") =>
    sql`(SELECT ${sql.raw(column)} FROM messages WHERE id = ${reported})`;
  const thread = sql`COALESCE(${ofReported("thread")}, CASE WHEN ${subjectIs("person")} THEN ${threadSql(reporter, of("reported_id"))} END)`;
  const reportedAt = { createdAt: ofReported("created_at"), id: ofReported("id") };
  // The first page shows what is around a reported message, or without one the newest messages.
  const older = before ?? {
    createdAt: sql`COALESCE(${reportedAt.createdAt}, ${Number.MAX_SAFE_INTEGER})`,
    id: sql`COALESCE(${reportedAt.id}, '')`,
  };
  const newer = after ?? reportedAt;
  const [
    cases,
    reports,
    people,
    listings,
    reviews,
    subjects,
    olderRows,
    newerRows,
    earlier,
    history,
    copies,
    present,
    related,
    admins,
    counts,
  ] = await runBatch(db, [
    sql`SELECT k.id, k.subject, k.subject_id AS subjectId, ${caseTitle()} AS title, p.full_name AS reported, k.state, k.decision, k.appeal_granted AS appealGranted,
        k.harm, k.reports, (SELECT json_group_array(DISTINCT reason) FROM reports r WHERE r.case_id = k.id) AS reasons, ${UPHELD} AS upheld, ${HELD_FOR} AS heldFor,
        k.created_at AS createdAt, k.statement, ${name("k.decided_by")} AS decidedBy, k.decided_by AS decidedById, k.decided_at AS decidedAt, k.appeal, k.appealed_at AS appealedAt,
        k.appeal_answer AS appealAnswer, ${name("k.appeal_decided_by")} AS appealDecidedBy, k.closed_at AS closedAt
      FROM moderation_cases k LEFT JOIN profiles p ON p.id = k.reported_id WHERE k.id = ${caseId}`,
    sql`SELECT r.id, p.full_name AS reporter, r.reporter_id AS reporterId, r.reason, r.text, r.created_at AS createdAt,
        (SELECT c.created_at FROM copies c WHERE c.id = r.copy_id AND r.copy_id > ${first}) AS editedAt,
        CASE WHEN p.deleted_at IS NOT NULL OR ${isDeleted} THEN ${TALK} END AS talk
      FROM reports r LEFT JOIN profiles p ON p.id = r.reporter_id WHERE r.case_id = ${caseId} ORDER BY r.created_at, r.id LIMIT 200`,
    sql`SELECT c.id, p.full_name AS fullName, c.email, p.campus_location AS campusLocation, COALESCE(p.is_seller, 0) AS isSeller, COALESCE(p.is_admin, 0) AS isAdmin,
        p.verified_level AS verifiedLevel, c.created_at AS memberSince, c.suspended_at AS suspendedAt, p.deleted_at AS deletedAt,
        (SELECT COUNT(*) FROM products q WHERE q.seller_id = c.id AND q.deleted_at IS NULL) AS listings,
        (SELECT COUNT(*) FROM (SELECT status FROM order_items WHERE seller_id = c.id LIMIT ${SALES_COUNTED}) i WHERE ${stateIs("i.status", ITEM.isCompleted)}) AS salesCompleted
      FROM credentials c LEFT JOIN profiles p ON p.id = c.id WHERE c.id = ${of("reported_id")}`,
    sql`SELECT id, name, description, price, category, images, updated_at AS updatedAt, suspended_at AS suspendedAt, deleted_at AS deletedAt
      FROM products WHERE ${subjectIs("listing")} AND id = ${of("subject_id")}`,
    sql`SELECT v.rating, v.text, v.photos, v.reply, ${name("v.author_id")} AS author, ${name("v.subject_id")} AS about, i.product_name AS productName, v.removed_at AS removedAt, v.reply_removed_at AS replyRemovedAt
      FROM reviews v JOIN order_items i ON i.id = v.order_item_id WHERE (${subjectIs("review")} OR ${subjectIs("reply")}) AND v.id = ${of("subject_id")}`,
    sql`SELECT ${messageColumns} FROM messages m WHERE m.id = ${reported}`,
    selectThread(thread, { before: older, limit: MESSAGES_SHOWN }, messageColumns),
    selectThread(thread, { after: newer, limit: MESSAGES_SHOWN }, messageColumns),
    sql`SELECT k.id, k.subject, k.state, k.decision, k.appeal_granted AS appealGranted, k.appealed_at AS appealedAt, k.created_at AS createdAt, '[]' AS reasons FROM moderation_cases k
      WHERE k.reported_id = ${of("reported_id")} AND k.id <> ${caseId} ORDER BY k.created_at DESC LIMIT 20`,
    // Notes on a report that is now a case are still in the audit log under its earlier name.
    sql`SELECT l.id, (SELECT full_name FROM profiles WHERE id = l.actor_id) AS actor, l.action, l.detail, l.created_at AS createdAt FROM audit_log l
      WHERE l.subject IN ('case:' || ${caseId}, 'message_report:' || ${caseId}, 'user:' || ${of("reported_id")},
        CASE WHEN ${subjectIs("listing")} THEN 'product:' || ${of("subject_id")} END) ORDER BY l.created_at DESC, l.id DESC LIMIT 50`,
    sql`SELECT c.id, c.content, c.created_at AS createdAt FROM copies c
      WHERE c.kind = ${of("subject")} AND c.subject_id = ${of("subject_id")} AND c.id >= ${first} ORDER BY c.id LIMIT ${COPIES_SHOWN}`,
    sql`SELECT CASE ${of("subject")} ${sql.join(
      CASE_SUBJECTS.map((kind) => sql`WHEN ${kind} THEN ${contentNow(kind, of("subject_id"))}`),
      sql` `,
    )} END AS content, ${isDeleted} AS isDeleted`,
    relatedAdmins(of("reported_id")),
    ADMINS,
    adminCounts(),
  ]);
  const found = rowOf<
    Omit<CasePage["case"], "reasons" | "appealGranted"> & StoredCase & { decidedById: string | null }
  >(cases);
  const person = rowOf<CasePerson>(people);
  if (!found || !person) return null;
  const { decidedById, ...summary } = readCase(found);
  const written = rowsOf<Omit<CasePage["reports"][number], "talk"> & { talk: string | null }>(reports).map((row) => ({
    ...row,
    talk: readCopy("talk", row.talk)?.messages ?? [],
  }));
  const listing = rowOf<Omit<CaseListing, "images"> & { images: string }>(listings);
  const review = rowOf<Omit<CaseReview, "photos"> & { photos: string }>(reviews);
  const refusal = refuseDecider(
    admin.id,
    {
      reportedId: person.id,
      reporterIds: written.map(({ reporterId }) => reporterId),
      relatedIds: rowsOf<{ id: string }>(related).map(({ id }) => id),
      decidedBy: decidedById,
    },
    rowsOf<{ id: string }>(admins).map(({ id }) => id),
  );
  const isConcerned = refusal === "concerned";
  const now = rowOf<{ content: string | null; isDeleted: number }>(present);
  const isGone = now?.content == null || now.isDeleted === 1 || (listing?.deletedAt ?? null) !== null;
  const subject = rowsOf<StoredMessage>(subjects).map(readMessage)[0] ?? null;
  return {
    case: summary,
    refusal,
    reports: isConcerned ? [] : written,
    copied: readCopied(summary.subject, rowsOf<StoredCopy>(copies), isGone ? null : (now?.content ?? null)),
    isGone,
    person,
    listing: listing ? { ...listing, images: readImages(listing.images) } : null,
    review: review ? { ...review, photos: readImages(review.photos) } : null,
    reported: isConcerned ? null : subject,
    conversation: isConcerned ? { messages: [], older: null, newer: null, direction: null } : readConversation(),
    earlier: rowsOf<Omit<CasePage["earlier"][number], "appealGranted"> & StoredCase>(earlier).map(readCase),
    history: rowsOf<CasePage["history"][number]>(history),
    counts: readAdminCounts(counts),
  };

  /** The messages around the reported one, or a page of the conversation. */
  function readConversation(): TeamPage<CaseMessage> {
    if (!subject || before || after) return readPage({ before, after, limit: MESSAGES_SHOWN });
    const preceding = readPage({ before: subject, limit: MESSAGES_AROUND });
    const following = readPage({ after: subject, limit: MESSAGES_AROUND });
    return {
      messages: [...preceding.messages, subject, ...following.messages],
      older: preceding.older,
      newer: following.newer,
      direction: null,
    };
  }

  function readPage(query: ThreadQuery): TeamPage<CaseMessage> {
    return readThread(rowsOf<StoredMessage>(query.after ? newerRows : olderRows).map(readMessage), query);
  }
}

type StoredMessage = Omit<CaseMessage, "images" | "isSubject"> & { images: string; isSubject: number };

function readMessage(row: StoredMessage): CaseMessage {
  return { ...row, images: readImages(row.images), isSubject: row.isSubject === 1 };
}

function readImages(json: string): ProductImage[] {
  return JSON.parse(json) as ProductImage[];
}

/** Adds a note to a case, which only admins can read. Returns false if there is no such case. */
export function addCaseNote(store: Store, admin: Admin, caseId: string, note: string): Promise<boolean> {
  return performAdminAction(store, admin, { action: "case_noted", subject: `case:${caseId}`, detail: note }, [
    expectThat(sql`EXISTS (SELECT 1 FROM moderation_cases WHERE id = ${caseId})`),
  ]);
}
