/** What a buyer's report stops. The conditions are SQL on the rows of the `table-rows.server.ts`. */
// oxlint-disable-next-line eslint/no-restricted-imports -- a buyer's report to our team stops a release
import { caseRow, reportRow } from "#app/moderation/table-rows.server.ts";
import { issueRow, itemRow, orderRow } from "#app/orders/table-rows.server.ts";
import {
  and,
  eq,
  exists,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  not,
  or,
  type SQL,
  sql,
  type SQLWrapper,
} from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import { dealEvents, issueReports, orderItems } from "#app/orders/tables.server.ts";
import { payoutItems, payouts, refunds } from "./tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- a buyer's report to our team stops a release
import { reports } from "#app/moderation/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import type { DealEvent } from "#app/db/states/deal.ts";
import { ITEM } from "#app/db/states/item.ts";
import type { CaseSubject } from "#app/db/states/moderation.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";

/** The issue report is about the item, and its buyer's. */
const isIssueOf = and(
  eq(issueRow.orderId, itemRow.orderId),
  eq(issueRow.userId, orderRow.userId),
  or(isNull(issueRow.productId), eq(issueRow.productId, itemRow.productId)),
);

/** The case is about the listing or the seller of the item, or about a message of the seller. */
function isCaseOf(about: Record<"subject" | "subjectId" | "reportedId", SQLWrapper>): SQL | undefined {
  const isAboutSeller = inArray(about.subject, ["person", "message"] satisfies CaseSubject[]);
  const isAboutListing = and(
    eq(about.subject, "listing" satisfies CaseSubject),
    eq(about.subjectId, itemRow.productId),
  );
  return and(eq(about.reportedId, itemRow.sellerId), or(isAboutSeller, isAboutListing));
}

/** The report in the case is the buyer's, and about the item. */
const isReportOf = and(eq(reportRow.caseId, caseRow.id), eq(reportRow.reporterId, orderRow.userId), isCaseOf(caseRow));

/** One of these events has happened to the item. */
function hasEvent(events: readonly DealEvent[], condition?: SQL): SQL {
  return hasRow(
    dealEvents,
    and(eq(dealEvents.orderItemId, itemRow.id), inArray(dealEvents.event, [...events]), condition),
  );
}

/** The buyer has taken the report back as far as it is about the item. It may be about others, too. */
function isTakenBack(of: typeof issueRow | typeof reportRow): SQL {
  return hasEvent(["report_lifted", "problem_withdrawn"], gte(dealEvents.createdAt, of.createdAt));
}

/** SQL: the issue report stops the money of the item. */
export const issueStops: SQL =
  sql`${and(isIssueOf, eq(issueRow.status, "open"), not(isTakenBack(issueRow)))}`.inlineParams();

/**
 * A decided case is about what its reporter had bought by then. What they buy later from a seller who is back is
 * another deal.
 */
const isInTime = or(isNull(caseRow.decidedAt), lte(itemRow.paidAt, caseRow.decidedAt));

/** SQL: the report in the case stops the money of the item. */
export const reportStops: SQL =
  sql`${and(isReportOf, isNull(reportRow.liftedAt), isInTime, not(isTakenBack(reportRow)))}`.inlineParams();

/** SQL: the buyer of the item has an open issue report about it or its order. Its seller may know. */
export const openIssue: SQL = sql`${hasRow(issueRow, issueStops)}`.inlineParams();

/**
 * SQL: the buyer of the item has reported it, its order or its seller to our team, and nobody has decided yet. While
 * this holds, the item's money isn't released (docs/decisions/held-money.md).
 */
export const openReport: SQL = sql`${or(
  openIssue,
  exists(
    build
      .select({ id: caseRow.id })
      .from(caseRow)
      .innerJoin(reportRow, eq(reportRow.caseId, caseRow.id))
      .where(reportStops),
  ),
)}`.inlineParams();

/**
 * SQL: what was done at `now` (ms) to the report in the case lets the money of the item go: no report stops it any
 * more.
 */
export function reportFrees(now: number): SQL {
  return sql`${and(isReportOf, eq(reportRow.liftedAt, now), not(isTakenBack(reportRow)), not(openReport))}`;
}

/** SQL: the same of the issue report. */
export function issueFrees(now: number): SQL {
  return sql`${and(isIssueOf, eq(issueRow.closedAt, now), not(isTakenBack(issueRow)), not(openReport))}`;
}

/** SQL: our team has decided that the seller of the item is paid. No report stops that. */
export const isTeamsWish: SQL = sql`${hasEvent(["team_split", "team_released"])}`.inlineParams();

/**
 * SQL: a report can stop the item's payout. Where our team wants the seller to be paid, or a part has gone back,
 * nothing is left to decide.
 */
export const canStopPayout: SQL = sql`(NOT ${isTeamsWish}
  AND NOT ${hasRow(refunds, eq(refunds.orderItemId, itemRow.id))})`;

/** The money of the item is held, or in a payout that waits. */
const isStillHere = or(
  stateIs(itemRow.status, ITEM.isHeld),
  exists(
    build
      .select({ id: payouts.id })
      .from(payoutItems)
      .innerJoin(payouts, eq(payouts.id, payoutItems.payoutId))
      .where(and(eq(payoutItems.orderItemId, itemRow.id), stateIs(payouts.state, TRANSFER.isUnsent))),
  ),
);

/** SQL: a report of its buyer would stop the money of the item, which nothing stops yet. */
export const wouldStopMoney: SQL = sql`(${itemRow.subtotal} > 0 AND ${isStillHere} AND NOT ${openReport})`;

/** The query for people's items with their orders. */
function selectItems() {
  return build.select({ id: itemRow.id }).from(orderRow).innerJoin(itemRow, eq(itemRow.orderId, orderRow.id));
}

/** SQL: `wouldStopMoney` for an item of this person that a case about this subject would be about. */
export function caseNeedsReport(reporterId: string, subject: { kind: CaseSubject; id: string; reportedId: SQL }): SQL {
  const about = { subject: sql`${subject.kind}`, subjectId: sql`${subject.id}`, reportedId: subject.reportedId };
  return exists(selectItems().where(and(eq(orderRow.userId, reporterId), isCaseOf(about), wouldStopMoney)));
}

/**
 * SQL: the reporter stands by the report in the open case: they haven't taken it back, not even for one of their items.
 */
export const isStoodBy: SQL = sql`${and(
  isNull(reportRow.liftedAt),
  not(
    exists(
      selectItems().where(
        and(eq(orderRow.userId, reportRow.reporterId), isCaseOf(caseRow), isTakenBack(reportRow), isStillHere),
      ),
    ),
  ),
)}`;

/** The report stops the money of one of its reporter's items, besides the item with this id. */
function stopsMoney(exceptId?: string): SQL {
  return exists(
    build
      .select({ id: caseRow.id })
      .from(caseRow)
      .crossJoin(orderRow)
      .innerJoin(itemRow, eq(itemRow.orderId, orderRow.id))
      .where(
        and(
          eq(caseRow.id, reportRow.caseId),
          eq(orderRow.userId, reportRow.reporterId),
          exceptId === undefined ? undefined : ne(itemRow.id, exceptId),
          reportStops,
          isStillHere,
        ),
      ),
  );
}

/**
 * The buyer takes back what they have reported about an item. A report that stops other items of theirs, too, stays for
 * those. Write it with the event that says so.
 */
export function liftReports(itemId: string, now: number): Statement[] {
  const [theirs, others] = [eq(itemRow.id, itemId), ne(itemRow.id, itemId)];
  const order = build.select({ id: orderItems.orderId }).from(orderItems).where(eq(orderItems.id, itemId));
  const issues = build
    .select({ id: issueRow.id })
    .from(issueRow)
    .where(
      and(
        eq(issueRow.status, "open"),
        eq(issueRow.orderId, order),
        exists(selectItems().where(and(theirs, isIssueOf))),
        not(exists(selectItems().where(and(eq(itemRow.orderId, issueRow.orderId), others, issueStops, isStillHere)))),
      ),
    );
  const buyer = build
    .select({ id: orderRow.userId })
    .from(itemRow)
    .innerJoin(orderRow, eq(orderRow.id, itemRow.orderId))
    .where(theirs);
  const lifted = build
    .select({ id: reportRow.id })
    .from(reportRow)
    .innerJoin(caseRow, eq(caseRow.id, reportRow.caseId))
    .where(
      and(
        isNull(reportRow.liftedAt),
        eq(reportRow.reporterId, buyer),
        exists(selectItems().where(and(theirs, isReportOf))),
        not(stopsMoney(itemId)),
      ),
    );
  return [
    build
      .update(issueReports)
      .set({ status: "closed", closedAt: now, outcome: "The buyer took the report back." })
      .where(inArray(issueReports.id, issues)),
    build.update(reports).set({ liftedAt: now }).where(inArray(reports.id, lifted)),
  ];
}

/** Our team has decided a case: its reports stop no money any more. */
export function liftReportsOf(caseId: string, now: number): Statement {
  return build
    .update(reports)
    .set({ liftedAt: now })
    .where(and(eq(reports.caseId, caseId), isNull(reports.liftedAt)));
}

/**
 * The same where the decision ends deals: those that stop money stay, so that not even undoing the decision lets it go.
 */
export function liftIdleReportsOf(caseId: string, now: number): Statement {
  const idle = build
    .select({ id: reportRow.id })
    .from(reportRow)
    .where(and(eq(reportRow.caseId, caseId), isNull(reportRow.liftedAt), not(stopsMoney())));
  return build.update(reports).set({ liftedAt: now }).where(inArray(reports.id, idle));
}

/** The reports in decided cases that buyers of this payout's items made, as far as the condition holds. */
function decidedReports(payoutId: string, condition: SQL | undefined) {
  return build
    .select({ id: reportRow.id })
    .from(payoutItems)
    .innerJoin(itemRow, eq(itemRow.id, payoutItems.orderItemId))
    .innerJoin(orderRow, eq(orderRow.id, itemRow.orderId))
    .innerJoin(reportRow, eq(reportRow.reporterId, orderRow.userId))
    .innerJoin(caseRow, eq(caseRow.id, reportRow.caseId))
    .where(and(eq(payoutItems.payoutId, payoutId), isNotNull(caseRow.decidedAt), condition));
}

/** The reports in decided cases that stop an item of this payout. Nobody can decide them any more. */
export function decidedReportsOf(payoutId: string) {
  return decidedReports(payoutId, and(reportStops, canStopPayout));
}

/** Those that `liftDecidedReportsOf` lifted at `now`. */
export function liftedReportsOf(payoutId: string, now: number) {
  return decidedReports(payoutId, eq(reportRow.liftedAt, now));
}

/** Our team tries a payout again: the reports in decided cases that stop it stop nothing any more. */
export function liftDecidedReportsOf(payoutId: string, now: number): Statement {
  return build
    .update(reports)
    .set({ liftedAt: now })
    .where(inArray(reports.id, decidedReportsOf(payoutId)));
}
