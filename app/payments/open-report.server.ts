/**
 * What a buyer's report stops. The conditions are SQL on an item `i`, its order `o`, a report `r` (an issue report, or in a
 * case), and a case `k`: queries that use them give their tables these names.
 */
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
import { alias } from "drizzle-orm/sqlite-core";
import type { Statement } from "#app/db/batch.ts";
import { build, fixed, hasRow } from "#app/db/build.ts";
import {
  dealEvents,
  issueReports,
  moderationCases,
  orderItems,
  orders,
  payoutItems,
  payouts,
  refunds,
  reports,
} from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import type { DealEvent } from "#app/db/states/deal.ts";
import { ITEM } from "#app/db/states/item.ts";
import type { CaseSubject } from "#app/db/states/moderation.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";

const i = alias(orderItems, "i");
const o = alias(orders, "o");
const k = alias(moderationCases, "k");
const issue = alias(issueReports, "r");
const report = alias(reports, "r");

/** The issue report is about the item, and its buyer's. */
const isIssueOf = and(
  eq(issue.orderId, i.orderId),
  eq(issue.userId, o.userId),
  or(isNull(issue.productId), eq(issue.productId, i.productId)),
);

/** The case is about the listing or the seller of the item, or about a message of the seller. */
function isCaseOf(about: Record<"subject" | "subjectId" | "reportedId", SQLWrapper>): SQL | undefined {
  const isAboutSeller = inArray(about.subject, ["person", "message"] satisfies CaseSubject[]);
  const isAboutListing = and(eq(about.subject, "listing" satisfies CaseSubject), eq(about.subjectId, i.productId));
  return and(eq(about.reportedId, i.sellerId), or(isAboutSeller, isAboutListing));
}

/** The report in the case is the buyer's, and about the item. */
const isReportOf = and(eq(report.caseId, k.id), eq(report.reporterId, o.userId), isCaseOf(k));

/** One of these events has happened to the item. */
function hasEvent(events: readonly DealEvent[], condition?: SQL): SQL {
  return hasRow(dealEvents, and(eq(dealEvents.orderItemId, i.id), inArray(dealEvents.event, [...events]), condition));
}

/** The buyer has taken the report back as far as it is about the item. It may be about others, too. */
function isTakenBack(of: typeof issue | typeof report): SQL {
  return hasEvent(["report_lifted", "problem_withdrawn"], gte(dealEvents.createdAt, of.createdAt));
}

/** SQL: the issue report stops the money of the item. */
export const issueStops: SQL = fixed(and(isIssueOf, eq(issue.status, "open"), not(isTakenBack(issue))));

/** A decided case is about what its reporter had bought by then. What they buy later from a seller who is back is another deal. */
const isInTime = or(isNull(k.decidedAt), lte(i.paidAt, k.decidedAt));

/** SQL: the report in the case stops the money of the item. */
export const reportStops: SQL = fixed(and(isReportOf, isNull(report.liftedAt), isInTime, not(isTakenBack(report))));

/** SQL: the buyer of the item has an open issue report about it or its order. Its seller may know. */
export const openIssue: SQL = fixed(hasRow(issue, issueStops));

/**
 * SQL: the buyer of the item has reported it, its order or its seller to our team, and nobody has decided yet. While this
 * holds, the item's money isn't released (docs/decisions/held-money.md).
 */
export const openReport: SQL = fixed(
  sql`${or(
    openIssue,
    exists(build.select({ id: k.id }).from(k).innerJoin(report, eq(report.caseId, k.id)).where(reportStops)),
  )}`,
);

/** SQL: what was done at `now` (ms) to the report in the case lets the money of the item go: no report stops it any more. */
export function reportFrees(now: number): SQL {
  return sql`${and(isReportOf, eq(report.liftedAt, now), not(isTakenBack(report)), not(openReport))}`;
}

/** SQL: the same of the issue report. */
export function issueFrees(now: number): SQL {
  return sql`${and(isIssueOf, eq(issue.closedAt, now), not(isTakenBack(issue)), not(openReport))}`;
}

/** SQL: our team has decided that the seller of the item is paid. No report stops that. */
export const isTeamsWish: SQL = fixed(hasEvent(["team_split", "team_released"]));

/**
 * SQL: a report can stop the item's payout. Where our team wants the seller to be paid, or a part has gone back, nothing is left
 * to decide.
 */
export const canStopPayout: SQL = sql`(NOT ${isTeamsWish} AND NOT ${hasRow(refunds, eq(refunds.orderItemId, i.id))})`;

/** The money of the item is held, or in a payout that waits. */
const isStillHere = or(
  stateIs(i.status, ITEM.isHeld),
  exists(
    build
      .select({ id: payouts.id })
      .from(payoutItems)
      .innerJoin(payouts, eq(payouts.id, payoutItems.payoutId))
      .where(and(eq(payoutItems.orderItemId, i.id), stateIs(payouts.state, TRANSFER.isUnsent))),
  ),
);

/** SQL: a report of its buyer would stop the money of the item, which nothing stops yet. */
export const needsReport: SQL = sql`(${i.subtotal} > 0 AND ${isStillHere} AND NOT ${openReport})`;

/** The query for people's items with their orders. */
function selectItems() {
  return build.select({ id: i.id }).from(o).innerJoin(i, eq(i.orderId, o.id));
}

/** SQL: `needsReport` for an item of this person that a case about this subject would be about. */
export function caseNeedsReport(reporterId: string, subject: { kind: CaseSubject; id: string; reportedId: SQL }): SQL {
  const about = { subject: sql`${subject.kind}`, subjectId: sql`${subject.id}`, reportedId: subject.reportedId };
  return exists(selectItems().where(and(eq(o.userId, reporterId), isCaseOf(about), needsReport)));
}

/** SQL: the reporter stands by the report in the open case: they haven't taken it back, not even for one of their items. */
export const isStoodBy: SQL = sql`${and(
  isNull(report.liftedAt),
  not(exists(selectItems().where(and(eq(o.userId, report.reporterId), isCaseOf(k), isTakenBack(report), isStillHere)))),
)}`;

/** The report stops the money of one of its reporter's items, besides the item with this id. */
function stopsMoney(exceptId?: string): SQL {
  return exists(
    build
      .select({ id: k.id })
      .from(k)
      .crossJoin(o)
      .innerJoin(i, eq(i.orderId, o.id))
      .where(
        and(
          eq(k.id, report.caseId),
          eq(o.userId, report.reporterId),
          exceptId === undefined ? undefined : ne(i.id, exceptId),
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
  const [theirs, others] = [eq(i.id, itemId), ne(i.id, itemId)];
  const order = build.select({ id: orderItems.orderId }).from(orderItems).where(eq(orderItems.id, itemId));
  const issues = build
    .select({ id: issue.id })
    .from(issue)
    .where(
      and(
        eq(issue.status, "open"),
        eq(issue.orderId, order),
        exists(selectItems().where(and(theirs, isIssueOf))),
        not(exists(selectItems().where(and(eq(i.orderId, issue.orderId), others, issueStops, isStillHere)))),
      ),
    );
  const buyer = build.select({ id: o.userId }).from(i).innerJoin(o, eq(o.id, i.orderId)).where(theirs);
  const lifted = build
    .select({ id: report.id })
    .from(report)
    .innerJoin(k, eq(k.id, report.caseId))
    .where(
      and(
        isNull(report.liftedAt),
        eq(report.reporterId, buyer),
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

/** The same where the decision ends deals: those that stop money stay, so that not even undoing the decision lets it go. */
export function liftIdleReportsOf(caseId: string, now: number): Statement {
  const idle = build
    .select({ id: report.id })
    .from(report)
    .where(and(eq(report.caseId, caseId), isNull(report.liftedAt), not(stopsMoney())));
  return build.update(reports).set({ liftedAt: now }).where(inArray(reports.id, idle));
}

/** The reports in decided cases that buyers of this payout's items made, as far as the condition holds. */
function decidedReports(payoutId: string, condition: SQL | undefined) {
  return build
    .select({ id: report.id })
    .from(payoutItems)
    .innerJoin(i, eq(i.id, payoutItems.orderItemId))
    .innerJoin(o, eq(o.id, i.orderId))
    .innerJoin(report, eq(report.reporterId, o.userId))
    .innerJoin(k, eq(k.id, report.caseId))
    .where(and(eq(payoutItems.payoutId, payoutId), isNotNull(k.decidedAt), condition));
}

/** The reports in decided cases that stop an item of this payout. Nobody can decide them any more. */
export function decidedReportsOf(payoutId: string) {
  return decidedReports(payoutId, and(reportStops, canStopPayout));
}

/** Those that `liftDecidedReportsOf` lifted at `now`. */
export function liftedReportsOf(payoutId: string, now: number) {
  return decidedReports(payoutId, eq(report.liftedAt, now));
}

/** Our team tries a payout again: the reports in decided cases that stop it stop nothing any more. */
export function liftDecidedReportsOf(payoutId: string, now: number): Statement {
  return build
    .update(reports)
    .set({ liftedAt: now })
    .where(inArray(reports.id, decidedReportsOf(payoutId)));
}
