import { refunds } from "#app/payments/tables.server.ts";
import { and, count, eq, gte, inArray, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { listCampuses } from "#app/accounts/profile/campuses.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { stolenSerials } from "#app/catalogue/tables.server.ts";
import { read } from "#app/db/batch.ts";
import { build, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { PAYMENT } from "#app/db/states/order.ts";
import { IS_PROTECTED, IS_REFUNDED } from "#app/deals/protected-deals.server.ts";
import { problems } from "#app/deals/tables.server.ts";
import { moderationCases, reports } from "#app/moderation/tables.server.ts";
import { dealEvents, issueReports, orderItems, orders } from "#app/orders/tables.server.ts";
import { monthBounds } from "#app/platform/east-africa-time.ts";
import { adminCounts, readAdminCounts } from "#app/team/admin-pages.server.ts";
import type { CampusMonth } from "./campus-month-rules.ts";

/**
 * The figures of a campus's month, of the first campus where `campusId` is none. Two round trips. They read the orders
 * of the month on all campuses, by an index: about six rows for each. Null without any campus.
 */
export async function readCampusMonth(store: Store, campusId: number | null, month: string) {
  const campuses = await listCampuses(store.db);
  const campus = campuses.find(({ id }) => id === campusId) ?? campuses[0];
  if (!campus) return null;
  const isHere = (person: SQLWrapper) => inCampus(person, campus.id);
  const { from, until } = monthBounds(month);
  const inMonth = (time: SQLWrapper) => and(gte(time, from), lt(time, until));
  const found = await read(store.db, {
    counts: adminCounts(),
    deals: dealsWhere(and(inMonth(orders.createdAt), isHere(orders.userId))),
    problems: problemsWhere(and(inMonth(problems.openedAt), isHere(orders.userId))),
    issues: build
      .select({ took: took(issueReports.closedAt, issueReports.createdAt) })
      .from(issueReports)
      // Both, so that the index is used.
      .where(
        and(
          inArray(issueReports.status, ["open", "closed"]),
          inMonth(issueReports.createdAt),
          isHere(issueReports.userId),
        ),
      ),
    reports: build
      .select({ ...pick(reports, "reason"), took: took(moderationCases.decidedAt, reports.createdAt) })
      .from(reports)
      .innerJoin(moderationCases, eq(moderationCases.id, reports.caseId))
      .where(and(inMonth(reports.createdAt), isHere(reports.reporterId))),
    serials: build
      .select({ count: count().as("count") })
      .from(stolenSerials)
      .where(and(inMonth(stolenSerials.createdAt), isHere(stolenSerials.reporterId))),
  });
  const [deals] = found.deals;
  const times = (rows: readonly { took: number | null }[]) => rows.flatMap((row) => row.took ?? []);
  const figures: CampusMonth = {
    deals: deals ?? { paid: 0, protected: 0, protectedAmount: 0, refunded: 0, refundedAmount: 0 },
    problems: countBy(found.problems.map(({ kind }) => kind)),
    issues: found.issues.length,
    reports: countBy(found.reports.map(({ reason }) => reason)),
    stolenSerials: found.serials[0]?.count ?? 0,
    times: {
      problemAnswered: found.problems.flatMap(({ answered }) => answered ?? []),
      problemSettled: times(found.problems),
      issueClosed: times(found.issues),
      reportDecided: times(found.reports),
    },
  };
  return { campus, campuses, month, figures, counts: readAdminCounts(found.counts) };
}

export type CampusMonthPage = NonNullable<Awaited<ReturnType<typeof readCampusMonth>>>;

/** SQL: this person's campus is the one with this id. */
function inCampus(person: SQLWrapper, campusId: number): SQL {
  const own = build
    .select({ id: profiles.campusLocationId })
    .from(profiles)
    .where(eq(profiles.id, sql`${person}`));
  return sql`${own} = ${campusId}`;
}

function took(until: SQLWrapper, from: SQLWrapper): SQL<number | null> {
  return sql<number | null>`${until} - ${from}`;
}

function dealsWhere(condition: SQL | undefined) {
  const sumIf = (isOne: SQL, amount: SQLWrapper) =>
    sql<number>`COALESCE(SUM(CASE WHEN ${isOne} THEN ${amount} END), 0)`;
  const one = sql`1`;
  const isKept = stateIs(orderItems.status, ITEM.isCompleted);
  const part = build.select({ amount: refunds.amount }).from(refunds).where(eq(refunds.orderItemId, orderItems.id));
  const back = sql`CASE WHEN ${isKept} THEN (${part}) ELSE ${orderItems.subtotal} END`;
  return build
    .select({
      paid: count().as("paid"),
      protected: sumIf(IS_PROTECTED, one).as("protected"),
      protectedAmount: sumIf(IS_PROTECTED, orderItems.subtotal).as("protectedAmount"),
      refunded: sumIf(IS_REFUNDED, one).as("refunded"),
      refundedAmount: sumIf(IS_REFUNDED, back).as("refundedAmount"),
    })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .where(and(condition, stateIs(orders.paymentStatus, PAYMENT.isPaid), sql`${orderItems.subtotal} > 0`));
}

function problemsWhere(condition: SQL | undefined) {
  const isAnswer = and(
    eq(dealEvents.orderItemId, problems.orderItemId),
    gte(dealEvents.createdAt, problems.openedAt),
    inArray(dealEvents.actor, ["seller", "admin"]),
  );
  const answered = sql<number | null>`(SELECT MIN(${dealEvents.createdAt}) FROM ${dealEvents} WHERE ${isAnswer})
    - ${problems.openedAt}`;
  return build
    .select({ ...pick(problems, "kind"), answered, took: took(problems.settledAt, problems.openedAt) })
    .from(problems)
    .innerJoin(orderItems, eq(orderItems.id, problems.orderItemId))
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .where(condition);
}

function countBy<Name extends string>(names: readonly Name[]): Partial<Record<Name, number>> {
  const counts: Partial<Record<Name, number>> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
