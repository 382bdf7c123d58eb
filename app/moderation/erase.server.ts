import { caseRow } from "./table-rows.server.ts";
import { and, eq, inArray, isNotNull, ne, not, or, type SQLWrapper, sql } from "drizzle-orm";
import { DELETED_MESSAGE } from "#app/accounts/login/account-rules.ts";
import { forgetEmails, keptAccounts } from "#app/accounts/login/remembered-emails.server.ts";
import { type Statement, write } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { eraseCopies } from "#app/moderation/cases/copies.server.ts";
import { copies } from "#app/db/tables.server.ts";
import { moderationCases, reports } from "./tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { CASE } from "#app/db/states/moderation.ts";
import { needsEvidence } from "#app/moderation/cases/upheld-cases.server.ts";

// The name that `needsEvidence` expects.

/** The ids of accounts. */
type Ids = string[] | SQLWrapper;

/**
 * Erases what these deleted accounts wrote and what only evidence needed: copies, reports and appeals. A case that
 * waits for our team or can be appealed keeps its part. The copies of paid items stay, because the buyer was promised
 * them. Safe to repeat.
 */
export function eraseEvidence(userIds: Ids, now: number): Statement[] {
  const { kind, subjectId } = copies;
  const reported = build.select({ id: reports.id }).from(reports).where(inArray(reports.reporterId, userIds));
  const isTheirs = or(inArray(copies.ownerId, userIds), and(eq(kind, "talk"), inArray(subjectId, reported)));
  const theirs = build
    .select({ id: copies.id })
    .from(copies)
    .where(and(isTheirs, ne(copies.content, "{}")));
  const wasPaid = and(
    eq(orderItems.productId, subjectId),
    eq(orderItems.copyId, copies.id),
    isNotNull(orderItems.paidAt),
  );
  const isPaid = sql`(${eq(kind, "listing")} AND ${hasRow(orderItems, wasPaid)})`;
  const isAbout = or(
    and(eq(caseRow.subject, kind), eq(caseRow.subjectId, subjectId)),
    and(eq(kind, "talk"), hasRow(reports, and(eq(reports.id, subjectId), eq(reports.caseId, caseRow.id)))),
  );
  const isNeeded = hasRow(caseRow, and(eq(caseRow.reportedId, copies.ownerId), needsEvidence(now), isAbout));
  const reportIsNeeded = hasRow(caseRow, and(eq(caseRow.id, reports.caseId), needsEvidence(now)));
  const isClosed = not(stateIs(moderationCases.state, CASE.awaitsTeam));
  return [
    ...eraseCopies(and(inArray(copies.id, theirs), not(isPaid), not(isNeeded))),
    build
      .update(reports)
      .set({ text: "" })
      .where(and(inArray(reports.reporterId, userIds), ne(reports.text, ""), not(reportIsNeeded))),
    build
      .update(moderationCases)
      .set({ appeal: DELETED_MESSAGE })
      .where(and(inArray(moderationCases.reportedId, userIds), ne(moderationCases.appeal, DELETED_MESSAGE), isClosed)),
  ];
}

/**
 * Erases the evidence that no case needs any more, and forgets the accounts of which nothing is kept. Returns how many
 * rows that changed.
 */
export async function sweepDeletedAccounts(store: Store): Promise<number> {
  const now = store.now();
  const deleted = keptAccounts();
  const { evidence, emails } = await write(store.db, {
    evidence: eraseEvidence(deleted, now),
    emails: forgetEmails(deleted, now),
  });
  return [...evidence, emails].reduce<number>((sum, answer) => sum + (answer as D1Result).meta.changes, 0);
}
