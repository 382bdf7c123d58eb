import { and, count, desc, eq, gte, isNull, lt, min, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { read } from "#app/db/batch.ts";
import { asBoolean, build, named, oneRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { adminProposals, moderationCases } from "#app/moderation/tables.server.ts";
import { alarms } from "#app/admin/tables.server.ts";
import { campusLocations, credentials, profiles, verificationDocuments } from "#app/accounts/tables.server.ts";
import { discrepancies, paymentAttempts, payouts, refunds, unmatchedLines } from "#app/payments/tables.server.ts";
import { issueReports, orderItems, orders } from "#app/orders/tables.server.ts";
import { problems } from "#app/deals/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { ITEM } from "#app/db/states/item.ts";
import { CASE } from "#app/db/states/moderation.ts";
import { PAYMENT } from "#app/db/states/order.ts";
import { IS_OPEN_PROPOSAL } from "#app/moderation/second-admin/open-proposals.server.ts";
import { oldestTransfer } from "#app/payments/transfers/waiting-transfers.server.ts";
import { adminCounts, readAdminCounts } from "#app/team/admin-pages.server.ts";
import { dayOf, dayStart } from "#app/platform/east-africa-time.ts";
import { chartDays } from "#app/ui/charts/chart-rules.ts";
import { dayInSql } from "#app/upkeep/listing-days.server.ts";
import { type FigureDays, type FigureParts, figuresByCampus, sumFigures, waitingDesks } from "./overview-rules.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** What waits for our team, and what happened in the last days and in those before them, by campus. One round trip. */
export async function readOverview({ db, now }: Store, days: FigureDays) {
  const at = now();
  const since = at - days * DAY_MS;
  const earlier = partsOf({ from: since - days * DAY_MS, to: since });
  const {
    counts,
    oldest: [oldest],
    open,
    campuses,
    volumes,
    ...found
  } = await read(db, {
    counts: adminCounts(),
    oldest: oldestWaiting(),
    open: build.select({ name: alarms.name, since: alarms.since }).from(alarms).orderBy(alarms.since),
    campuses: build.select().from(campusLocations).orderBy(campusLocations.id),
    volumes: volumeByDay(dayStart(dayOf(at) - 2 * days + 1)),
    ...partsOf({ from: since, to: at + 1 }),
    signUpsBefore: earlier.signUps,
    listingsBefore: earlier.listings,
    ordersBefore: earlier.orders,
    itemsBefore: earlier.items,
    paymentsBefore: earlier.payments,
    timesBefore: earlier.times,
  });
  const waiting = readAdminCounts(counts);
  const { signUps, listings, orders: placed, items, payments, times } = found;
  const parts: FigureParts = { signUps, listings, orders: placed, items, payments, times };
  const before: FigureParts = {
    signUps: found.signUpsBefore,
    listings: found.listingsBefore,
    orders: found.ordersBefore,
    items: found.itemsBefore,
    payments: found.paymentsBefore,
    times: found.timesBefore,
  };
  return {
    counts: waiting,
    desks: oldest
      ? waitingDesks({ ...waiting, mismatches: waiting.discrepancies + waiting.lines }, oldest, at, open)
      : [],
    figures: sumFigures(parts),
    before: sumFigures(before),
    campuses: figuresByCampus(parts, campuses),
    volumes: chartDays(new Map(volumes.map(({ day, volume }) => [day, volume])), dayOf(at), days),
    days,
    now: at,
  };
}

/** Amounts in KES, times in ms since 1970. `before`: of as many days before these. */
export type Overview = Awaited<ReturnType<typeof readOverview>>;

function oldestWaiting() {
  const first = (of: SQL) => sql<number | null>`(${of})`;
  const earlier = (one: SQLWrapper, other: SQLWrapper) =>
    sql<number | null>`MIN(COALESCE(${one}, ${other}), COALESCE(${other}, ${one}))`;
  const { status, updatedAt } = orderItems;
  const reviewed = build
    .select({ at: min(updatedAt) })
    .from(orderItems)
    .where(and(stateIs(status, ITEM.hasOpenProblem), stateIs(status, ITEM.isInReview)));
  const reported = build
    .select({ at: min(issueReports.createdAt) })
    .from(issueReports)
    .where(eq(issueReports.status, "open"));
  const unmatched = build
    .select({ at: min(unmatchedLines.createdAt) })
    .from(unmatchedLines)
    .where(isNull(unmatchedLines.closedAt));
  const discrepant = build
    .select({ at: min(discrepancies.createdAt) })
    .from(discrepancies)
    .where(isNull(discrepancies.resolvedAt));
  return oneRow({
    verifications: first(
      sql`${build
        .select({ at: min(verificationDocuments.createdAt) })
        .from(verificationDocuments)
        .where(eq(verificationDocuments.verificationStatus, "pending"))}`,
    ),
    moderation: first(
      sql`${build
        .select({ at: min(moderationCases.createdAt) })
        .from(moderationCases)
        .where(stateIs(moderationCases.state, CASE.awaitsTeam))}`,
    ),
    problems: earlier(reviewed, reported),
    mismatches: earlier(discrepant, unmatched),
    refunds: oldestTransfer(refunds),
    payouts: oldestTransfer(payouts),
    proposals: first(
      sql`${build
        .select({ at: min(adminProposals.createdAt) })
        .from(adminProposals)
        .where(IS_OPEN_PROPOSAL)}`,
    ),
  });
}

const countIf = (condition: SQL | undefined) => sql<number>`COUNT(CASE WHEN ${condition} THEN 1 END)`;

/** The campus of the person to whom a query joins `profiles`. */
const CAMPUS = sql<number | null>`${profiles.campusLocationId}`.as("campus");

/** Ms since 1970, without `to`. */
interface Period {
  from: number;
  to: number;
}

function isIn(time: SQLWrapper, { from, to }: Period): SQL | undefined {
  return and(gte(time, from), lt(time, to));
}

/** Each query below finds its days by an index, so it reads what happened in them, and nothing older. */
function partsOf(period: Period) {
  return {
    signUps: signedUpIn(period),
    listings: listedIn(period),
    orders: placedIn(period),
    items: soldIn(period),
    payments: attemptsIn(period),
    times: timesIn(period),
  };
}

/** What was paid for the orders of each day, KES. `from`: ms since 1970. */
function volumeByDay(from: number) {
  return build
    .select({
      day: dayInSql(orders.createdAt).as("day"),
      volume: sql<number>`COALESCE(SUM(${orders.amount}), 0)`.as("volume"),
    })
    .from(orders)
    .where(and(gte(orders.createdAt, from), stateIs(orders.paymentStatus, PAYMENT.isPaid)))
    .groupBy(sql`day`);
}

function signedUpIn(period: Period) {
  return build
    .select({ campus: CAMPUS, count: count().as("count") })
    .from(credentials)
    .leftJoin(profiles, eq(profiles.id, credentials.id))
    .where(isIn(credentials.createdAt, period))
    .groupBy(profiles.campusLocationId);
}

function listedIn(period: Period) {
  return build
    .select({ campus: CAMPUS, count: count().as("count") })
    .from(products)
    .leftJoin(profiles, eq(profiles.id, products.sellerId))
    .where(isIn(products.createdAt, period))
    .groupBy(profiles.campusLocationId);
}

function placedIn(period: Period) {
  const isPaid = stateIs(orders.paymentStatus, PAYMENT.isPaid);
  return build
    .select({
      campus: CAMPUS,
      placed: count().as("placed"),
      paid: countIf(isPaid).as("paid"),
      volume: sql<number>`COALESCE(SUM(CASE WHEN ${isPaid} THEN ${orders.amount} END), 0)`.as("volume"),
    })
    .from(orders)
    .leftJoin(profiles, eq(profiles.id, orders.userId))
    .where(isIn(orders.createdAt, period))
    .groupBy(profiles.campusLocationId);
}

function soldIn(period: Period) {
  return build
    .select({
      campus: CAMPUS,
      paid: count().as("paid"),
      completed: countIf(stateIs(orderItems.status, ITEM.isCompleted)).as("completed"),
      returned: countIf(stateIs(orderItems.status, ITEM.isReturned)).as("returned"),
      withProblem: countIf(sql`${problems.orderItemId} IS NOT NULL`).as("withProblem"),
    })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .leftJoin(problems, eq(problems.orderItemId, orderItems.id))
    .leftJoin(profiles, eq(profiles.id, orders.userId))
    .where(and(isIn(orders.createdAt, period), stateIs(orders.paymentStatus, PAYMENT.isPaid)))
    .groupBy(profiles.campusLocationId);
}

/** How the requests to pay of these days ended. */
function attemptsIn(period: Period) {
  const { state, failureReason, createdAt, userId } = paymentAttempts;
  const hasEnded = or(
    stateIs(state, ATTEMPT.isPaid),
    stateIs(state, ATTEMPT.isFailed),
    stateIs(state, ATTEMPT.isExpired),
  );
  const isPaid = asBoolean(stateIs(state, ATTEMPT.isPaid));
  return build
    .select({
      campus: CAMPUS,
      isPaid: isPaid.as("isPaid"),
      ...named({ reason: failureReason }),
      count: count().as("count"),
    })
    .from(paymentAttempts)
    .leftJoin(profiles, eq(profiles.id, userId))
    .where(and(isIn(createdAt, period), hasEnded))
    .groupBy(profiles.campusLocationId, isPaid, failureReason);
}

/** So many deals tell what is typical. */
const TIMES_READ = 1_000;

/** How long the latest of the deals took from the payment to the end. */
function timesIn(period: Period) {
  return build
    .select({ campus: CAMPUS, took: sql<number>`${orderItems.updatedAt} - ${orderItems.paidAt}`.as("took") })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .leftJoin(profiles, eq(profiles.id, orders.userId))
    .where(
      and(
        isIn(orders.createdAt, period),
        stateIs(orderItems.status, ITEM.isCompleted),
        sql`${orderItems.paidAt} IS NOT NULL`,
      ),
    )
    .orderBy(desc(orders.createdAt))
    .limit(TIMES_READ);
}
