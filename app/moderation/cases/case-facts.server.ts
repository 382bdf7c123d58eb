/** What a decision needs to know about its case, and who may decide it. */
import { and, eq, exists, inArray, isNotNull, isNull, not, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { partyJson, readParty } from "#app/accounts/party.server.ts";
import type { Party } from "#app/notifications/recipient-rules.ts";
import { read } from "#app/db/batch.ts";
import { RANDOM_ID, asBoolean, build, hasRow, pick } from "#app/db/build.ts";
import type { Database, Logging, Store } from "#app/db/client.ts";
import { blocks, credentials, profiles } from "#app/accounts/tables.server.ts";
import { issueReports } from "#app/orders/tables.server.ts";
import { messages } from "#app/messaging/tables.server.ts";
import { moderationCases, reports } from "#app/moderation/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { CASE, type CaseDecision, type CaseState, type CaseSubject } from "#app/db/states/moderation.ts";
import { caseTitle } from "./case-columns.server.ts";
import { type DecideRefusal, refuseDecider } from "./case-rules.ts";
import type { Notifier } from "#app/live/live-events.ts";
import { rolesFor } from "#app/team/role-rules.ts";
import type { PhotoServices } from "#app/catalogue/photos/photos.server.ts";
import { type Admin } from "#app/team/perform-act.server.ts";

export interface ModerationServices extends Store {
  notifier: Notifier;
}

/** A decision also moves the photos of what it takes down. */
export interface CaseServices extends ModerationServices, PhotoServices, Logging {}

/** What a decision needs to know about its case. */
export interface CaseFacts {
  id: string;
  subject: CaseSubject;
  subjectId: string;
  title: string;
  state: CaseState;
  decision: CaseDecision | null;
  decidedBy: string | null;
  /** Ms since 1970. */
  decidedAt: number | null;
  appealToken: string;
  /** It isn't in the database yet: its decision opens it. */
  isNew: boolean;
  isHeld: boolean;
  /** The person concerned. */
  reported: Party & { isAdmin: boolean };
  /** Who got the message; null where the case is about something else. */
  recipientId: string | null;
  /** The ids of the admins among the reporters. */
  reporterIds: string[];
  /** The ids of the admins who have a quarrel of their own with the person concerned. */
  relatedIds: string[];
  /** The ids of all admins who can log in. */
  admins: string[];
}

/** The admins who can log in, and whose role includes deciding cases. */
export const ADMINS = build
  .select({ id: profiles.id })
  .from(profiles)
  .innerJoin(credentials, eq(credentials.id, profiles.id))
  .where(and(inArray(profiles.adminRole, rolesFor("case_noted")), isNull(credentials.suspendedAt)));

/** A stored case, as `readFacts` takes it. */
export function storedCase(where: SQL | undefined) {
  const { id, subject, subjectId, state, decision, decidedBy, decidedAt, appealToken, reportedId, copyId } =
    moderationCases;
  const isNew = asBoolean(sql`0`).as("is_new");
  return build
    .select({ id, subject, subjectId, state, decision, decidedBy, decidedAt, appealToken, reportedId, copyId, isNew })
    .from(moderationCases)
    .where(where);
}

/** The open case about a person or a listing; without one, a new case that its decision opens. */
export function caseByHand(subject: "person" | "listing", subjectId: string) {
  const isOpen = and(
    eq(moderationCases.subject, subject),
    eq(moderationCases.subjectId, subjectId),
    stateIs(moderationCases.state, CASE.isOpen),
  );
  const opened = (reportedId: SQLiteColumn) => ({
    id: sql<string>`${crypto.randomUUID()}`.as("id"),
    subject: sql<CaseSubject>`${subject}`.as("subject"),
    subjectId: sql<string>`${subjectId}`.as("subject_id"),
    state: sql<CaseState>`${"open" satisfies CaseState}`.as("state"),
    decision: sql<CaseDecision | null>`NULL`.as("decision"),
    decidedBy: sql<string | null>`NULL`.as("decided_by"),
    decidedAt: sql<number | null>`NULL`.as("decided_at"),
    appealToken: RANDOM_ID.as("appeal_token"),
    reportedId: sql<string>`${reportedId}`.as("reported_id"),
    copyId: sql<number | null>`NULL`.as("copy_id"),
    isNew: asBoolean(sql`1`).as("is_new"),
  });
  const isFirst = not(hasRow(moderationCases, isOpen));
  return storedCase(isOpen).unionAll(
    subject === "person"
      ? build
          .select(opened(credentials.id))
          .from(credentials)
          .where(and(eq(credentials.id, subjectId), isFirst))
      : build
          .select(opened(products.sellerId))
          .from(products)
          .where(and(eq(products.id, subjectId), isNull(products.deletedAt), isFirst)),
  );
}

/**
 * The admins who have a quarrel of their own with a person: one has blocked the other, or reported an order of theirs
 * and nobody has closed the report yet.
 */
export function relatedAdmins(personId: string | SQLWrapper) {
  const between = (one: SQLiteColumn, other: SQLiteColumn) =>
    or(and(eq(one, profiles.id), eq(other, personId)), and(eq(one, personId), eq(other, profiles.id)));
  return build
    .select({ id: profiles.id })
    .from(profiles)
    .where(
      and(
        isNotNull(profiles.adminRole),
        or(
          hasRow(blocks, between(blocks.userId, blocks.blockedId)),
          hasRow(
            issueReports,
            and(eq(issueReports.status, "open"), between(issueReports.userId, issueReports.sellerId)),
          ),
        ),
      ),
    );
}

/** The admins who have ever reported something of a person. */
function reportersOf(personId: string) {
  const reported = build
    .select({ id: reports.id })
    .from(moderationCases)
    .innerJoin(reports, eq(reports.caseId, moderationCases.id))
    .where(and(eq(moderationCases.reportedId, personId), eq(reports.reporterId, profiles.id)));
  return build
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(isNotNull(profiles.adminRole), exists(reported)));
}

/** The admins who reported a case. */
function reportersIn(caseId: string) {
  return build
    .select({ id: profiles.id })
    .from(reports)
    .innerJoin(profiles, eq(profiles.id, reports.reporterId))
    .where(and(eq(reports.caseId, caseId), isNotNull(profiles.adminRole)));
}

/**
 * The facts of a case. `isByHand`: whoever has reported anything of this person counts as a reporter, because they
 * chose the way around the case of their report.
 */
export async function readFacts(
  db: Database,
  source: ReturnType<typeof storedCase> | ReturnType<typeof caseByHand>,
  { isByHand = false } = {},
): Promise<CaseFacts | null> {
  const caseRow = source.as("case_row");
  const recipient = build.select({ id: messages.recipientId }).from(messages).where(eq(messages.id, caseRow.subjectId));
  const isHeld = hasRow(
    products,
    and(
      eq(caseRow.subject, "listing"),
      eq(products.id, caseRow.subjectId),
      isNotNull(products.heldFor),
      isNull(products.deletedAt),
    ),
  );
  const [row] = await db
    .select({
      ...pick(caseRow, "id", "subject", "subjectId"),
      title: caseTitle(),
      ...pick(caseRow, "state", "decision", "decidedBy", "decidedAt", "appealToken", "isNew"),
      isHeld: asBoolean(isHeld),
      recipientId: sql<string | null>`CASE WHEN ${caseRow.subject} = 'message' THEN ${recipient} END`,
      reported: partyJson(sql`${caseRow.reportedId}`).mapWith(readParty),
      adminRole: profiles.adminRole,
    })
    .from(caseRow)
    .leftJoin(profiles, eq(profiles.id, caseRow.reportedId));
  if (!row) return null;
  const { reported, adminRole, title, ...facts } = row;
  const { reporters, related, admins } = await read(db, {
    reporters: isByHand ? reportersOf(reported.id) : reportersIn(facts.id),
    related: relatedAdmins(reported.id),
    admins: ADMINS,
  });
  return {
    ...facts,
    title: title ?? "",
    reported: { ...reported, isAdmin: adminRole !== null },
    reporterIds: reporters.map(({ id }) => id),
    relatedIds: related.map(({ id }) => id),
    admins: admins.map(({ id }) => id),
  };
}

export function findCaseFacts(db: Database, caseId: string): Promise<CaseFacts | null> {
  return readFacts(db, storedCase(eq(moderationCases.id, caseId)));
}

export function refusalFor(admin: Admin, { reported, admins, ...parties }: CaseFacts): DecideRefusal | null {
  return refuseDecider(admin.id, { ...parties, reportedId: reported.id }, admins);
}

export type CaseResult =
  /**
   * `nextId`: the case to decide next; null when none is left. `waits`: the end of the deals, or the whole decision,
   * waits for a second admin.
   */
  | { ok: true; nextId: string | null; waits?: "deals_wait" | "proposed" | undefined }
  /**
   * protected: an admin can't be suspended. own_money: it would end a deal of the admin. stale: another admin was
   * faster, somebody has reported it since, or the person has deleted their account.
   */
  | { ok: false; code: DecideRefusal | "not_found" | "protected" | "own_money" | "stale" };

export function isStill({ id }: CaseFacts, state: Parameters<typeof stateIs>[1]): SQL | undefined {
  return and(eq(moderationCases.id, id), stateIs(moderationCases.state, state));
}
