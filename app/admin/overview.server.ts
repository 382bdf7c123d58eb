import { and, count, desc, eq, gte, isNull, min, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { runBatch } from "#app/db/batch.ts";
import { asBoolean, build, oneRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import {
  adminProposals,
  alarms,
  credentials,
  discrepancies,
  issueReports,
  moderationCases,
  orderItems,
  orders,
  paymentAttempts,
  problems,
  products,
  unmatchedLines,
  verificationDocuments,
} from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { ITEM } from "#app/db/states/item.ts";
import { CASE } from "#app/db/states/moderation.ts";
import { PAYMENT } from "#app/db/states/order.ts";
import { IS_OPEN_PROPOSAL } from "#app/db/void-proposal.ts";
import { adminCounts, readAdminCounts } from "./admin-pages.server.ts";
import { type FigureDays, type Figures, waitingDesks } from "./overview-rules.ts";

const DAY_MS = 24 * 60 * 60_000;

/** What waits for our team, and what happened in the last days. One round trip. */
export async function readOverview({ db, now }: Store, days: FigureDays) {
  const at = now();
  const since = at - days * DAY_MS;
  const [counts, [oldest], [placed], [sold], ends, [others], times] = await runBatch(db, [
    adminCounts(),
    oldestWaiting(),
    placedSince(since),
    soldSince(since),
    attemptsSince(since),
    joinedSince(since),
    timesSince(since),
  ]);
  const read = readAdminCounts(counts);
  const figures: Figures = {
    signUps: others?.signUps ?? 0,
    listings: others?.listings ?? 0,
    orders: placed?.orders ?? 0,
    paidOrders: placed?.paid ?? 0,
    volume: placed?.volume ?? 0,
    items: {
      paid: sold?.paid ?? 0,
      completed: sold?.completed ?? 0,
      returned: sold?.returned ?? 0,
      withProblem: sold?.withProblem ?? 0,
    },
    payments: ends,
    typicalMs: times[Math.floor(times.length / 2)]?.took ?? null,
  };
  return { counts: read, desks: oldest ? waitingDesks(read, oldest, at) : [], figures, days, now: at };
}

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
    money: earlier(discrepant, unmatched),
    proposals: first(
      sql`${build
        .select({ at: min(adminProposals.createdAt) })
        .from(adminProposals)
        .where(IS_OPEN_PROPOSAL)}`,
    ),
    operations: first(sql`${build.select({ at: min(alarms.since) }).from(alarms)}`),
  });
}

const countIf = (condition: SQL | undefined) => sql<number>`COUNT(CASE WHEN ${condition} THEN 1 END)`;

function placedSince(since: number) {
  const isPaid = stateIs(orders.paymentStatus, PAYMENT.isPaid);
  return build
    .select({
      orders: count(),
      paid: countIf(isPaid).as("paid"),
      volume: sql<number>`COALESCE(SUM(CASE WHEN ${isPaid} THEN ${orders.amount} END), 0)`.as("volume"),
    })
    .from(orders)
    .where(gte(orders.createdAt, since));
}

function soldSince(since: number) {
  return build
    .select({
      paid: count(),
      completed: countIf(stateIs(orderItems.status, ITEM.isCompleted)).as("completed"),
      returned: countIf(stateIs(orderItems.status, ITEM.isReturned)).as("returned"),
      withProblem: countIf(sql`${problems.orderItemId} IS NOT NULL`).as("withProblem"),
    })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .leftJoin(problems, eq(problems.orderItemId, orderItems.id))
    .where(and(gte(orders.createdAt, since), stateIs(orders.paymentStatus, PAYMENT.isPaid)));
}

/** How the requests to pay of these days ended, the most frequent end first. */
function attemptsSince(since: number) {
  const { state, failureReason, createdAt } = paymentAttempts;
  const hasEnded = or(
    stateIs(state, ATTEMPT.isPaid),
    stateIs(state, ATTEMPT.isFailed),
    stateIs(state, ATTEMPT.isExpired),
  );
  return build
    .select({ isPaid: asBoolean(stateIs(state, ATTEMPT.isPaid)).as("isPaid"), reason: failureReason, count: count() })
    .from(paymentAttempts)
    .where(and(gte(createdAt, since), hasEnded))
    .groupBy(sql`1`, failureReason)
    .orderBy(desc(count()));
}

/** These read every account and listing once: they have no index by time, which each new one would pay for. */
function joinedSince(since: number) {
  return oneRow({
    signUps: build.$count(credentials, gte(credentials.createdAt, since)),
    listings: build.$count(products, gte(products.createdAt, since)),
  });
}

/** So many deals tell what is typical. */
const TIMES_READ = 1_000;

/** How long deals took from the payment to the end, the shortest first. */
function timesSince(since: number) {
  const took = sql<number>`${orderItems.updatedAt} - ${orderItems.paidAt}`;
  return build
    .select({ took: took.as("took") })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .where(
      and(
        gte(orders.createdAt, since),
        stateIs(orderItems.status, ITEM.isCompleted),
        sql`${orderItems.paidAt} IS NOT NULL`,
      ),
    )
    .orderBy(took)
    .limit(TIMES_READ);
}
