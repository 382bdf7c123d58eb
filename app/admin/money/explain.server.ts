/**
 * Finds what a receipt, phone, id or person stands for, and reads everything about the money of one order or plan.
 * Reads only.
 */
import { desc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { read } from "#app/db/batch.ts";
import { build, named } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import {
  paymentAttempts,
  payoutItems,
  payouts,
  receiptChecks,
  refunds,
  unmatchedLines,
} from "#app/payments/tables.server.ts";
import { subscriptions } from "#app/shops/tables.server.ts";
import type { PeopleSearch } from "#app/admin/people/people-search-rules.ts";
import { isPerson } from "#app/admin/people/people.server.ts";
import { adminCounts, readAdminCounts } from "#app/team/admin-pages.server.ts";
import { type ExplainSearch, placesOf, readExplainSearch, timelineOf, waitingNow } from "./explain-words.ts";
import { findMoneyFacts } from "./money-facts.server.ts";
import { FOUND_MAX } from "./money-rules.ts";

type Reads = Pick<Store, "db">;

/** The most people of one name whose orders are searched. */
const PEOPLE_MAX = 500;

/** An order or plan that a search found. Amounts in KES, times in ms since 1970. */
export interface FoundMoney {
  kind: "order" | "plan";
  id: string;
  amount: number;
  at: number;
  /** Who pays. */
  payer: string | null;
  /** Who sold the items of an order, each once. */
  sellers: string | null;
}

/** SQL that uses an index: the column's value begins with the text. */
function begins(column: SQLiteColumn, typed: string): SQL {
  return sql`(${column} >= ${typed} AND ${column} < ${`${typed}~`})`;
}

/** A refund's receipt, or one that an admin entered for it. */
function isRefundReceipt(receipt: string): SQL {
  const entered = build
    .select({ id: receiptChecks.refundId })
    .from(receiptChecks)
    .where(eq(receiptChecks.receipt, receipt));
  return sql`(${eq(refunds.receipt, receipt)} OR ${inArray(refunds.id, entered)})`;
}

/** Payments whose order or plan is meant. The ending of a phone is compared with every payment. */
function attemptsMeant({ receipt, phone, ending, id }: ExplainSearch): SQL {
  const ofRefund = (where: SQL) => build.select({ id: refunds.attemptId }).from(refunds).where(where);
  const isMeant = or(
    receipt
      ? or(eq(paymentAttempts.receipt, receipt), inArray(paymentAttempts.id, ofRefund(isRefundReceipt(receipt))))
      : undefined,
    receipt
      ? inArray(
          paymentAttempts.id,
          build.select({ id: receiptChecks.attemptId }).from(receiptChecks).where(eq(receiptChecks.receipt, receipt)),
        )
      : undefined,
    phone ? eq(paymentAttempts.phone, phone) : undefined,
    ending ? sql`substr(${paymentAttempts.phone}, ${-ending.length}) = ${ending}` : undefined,
    id
      ? or(
          begins(paymentAttempts.id, id),
          begins(paymentAttempts.subscriptionId, id),
          inArray(paymentAttempts.id, ofRefund(begins(refunds.id, id))),
        )
      : undefined,
  );
  return sql`${isMeant ?? sql`0`}`;
}

/** Order items whose payout is meant. */
function itemsMeant({ receipt, phone, ending, id }: ExplainSearch) {
  const entered = build
    .select({ id: receiptChecks.payoutId })
    .from(receiptChecks)
    .where(eq(receiptChecks.receipt, receipt ?? ""));
  const isMeant = or(
    receipt ? or(eq(payouts.receipt, receipt), inArray(payouts.id, entered)) : undefined,
    phone ? eq(payouts.phone, phone) : undefined,
    ending ? sql`substr(${payouts.phone}, ${-ending.length}) = ${ending}` : undefined,
    id ? begins(payouts.id, id) : undefined,
  );
  return build
    .select({ id: payoutItems.orderItemId })
    .from(payouts)
    .innerJoin(payoutItems, eq(payoutItems.payoutId, payouts.id))
    .where(isMeant ?? sql`0`);
}

const sellers = alias(profiles, "sellers");

/** SQL: the names of an order's sellers. */
function sellersOf(orderId: SQLiteColumn) {
  return build
    .select({ names: sql`group_concat(DISTINCT ${sellers.fullName})` })
    .from(orderItems)
    .innerJoin(sellers, eq(sellers.id, orderItems.sellerId))
    .where(eq(orderItems.orderId, orderId));
}

/** People who are meant. */
function peopleMeant(person: PeopleSearch) {
  return build
    .select({ id: credentials.id })
    .from(credentials)
    .innerJoin(profiles, eq(profiles.id, credentials.id))
    .where(isPerson(person))
    .limit(PEOPLE_MAX);
}

/** The order items that they sold. */
function soldBy(person: PeopleSearch) {
  return inArray(orderItems.sellerId, peopleMeant(person));
}

/**
 * The orders and plans that a search means, the latest first, and lines of M-Pesa's lists with its receipt. One round
 * trip.
 */
export async function searchMoney({ db }: Reads, typed: string) {
  const search = readExplainSearch(typed);
  if (search === null) {
    const counts = await read(db, adminCounts());
    return { counts: readAdminCounts(counts), found: [], lines: [] };
  }
  const attempted = (column: SQLiteColumn) =>
    build
      .select({ id: sql`${column}` })
      .from(paymentAttempts)
      .where(attemptsMeant(search));
  const isOrder = or(
    inArray(orders.id, attempted(paymentAttempts.orderId)),
    inArray(
      orders.id,
      build
        .select({ id: orderItems.orderId })
        .from(orderItems)
        .where(
          or(
            inArray(orderItems.id, itemsMeant(search)),
            search.id ? begins(orderItems.id, search.id) : undefined,
            search.person ? soldBy(search.person) : undefined,
          ),
        ),
    ),
    search.id ? begins(orders.id, search.id) : undefined,
    search.person ? inArray(orders.userId, peopleMeant(search.person)) : undefined,
  );
  const isPlan = or(
    inArray(subscriptions.id, attempted(paymentAttempts.subscriptionId)),
    search.id ? begins(subscriptions.id, search.id) : undefined,
    search.person ? inArray(subscriptions.userId, peopleMeant(search.person)) : undefined,
  );
  const { counts, ofOrders, ofPlans, lines } = await read(db, {
    counts: adminCounts(),
    ofOrders: build
      .select({
        id: orders.id,
        amount: orders.amount,
        ...named({ at: orders.createdAt }),
        payer: profiles.fullName,
        sellers: sql<string | null>`${sellersOf(orders.id)}`.as("sellers"),
      })
      .from(orders)
      .leftJoin(profiles, eq(profiles.id, orders.userId))
      .where(isOrder)
      .orderBy(desc(orders.createdAt))
      .limit(FOUND_MAX),
    ofPlans: build
      .select({
        id: subscriptions.id,
        amount: subscriptions.amount,
        ...named({ at: subscriptions.createdAt }),
        payer: profiles.fullName,
      })
      .from(subscriptions)
      .leftJoin(profiles, eq(profiles.id, subscriptions.userId))
      .where(isPlan)
      .orderBy(desc(subscriptions.createdAt))
      .limit(FOUND_MAX),
    lines: build
      .select({ id: unmatchedLines.id, finding: unmatchedLines.finding, closedAt: unmatchedLines.closedAt })
      .from(unmatchedLines)
      .where(search.receipt ? eq(unmatchedLines.receipt, search.receipt) : sql`0`),
  });
  const found: FoundMoney[] = [
    ...ofOrders.map((order) => ({ kind: "order" as const, ...order })),
    ...ofPlans.map((plan) => ({ kind: "plan" as const, sellers: null, ...plan })),
  ];
  return {
    counts: readAdminCounts(counts),
    found: found.toSorted((one, other) => other.at - one.at).slice(0, FOUND_MAX),
    lines,
  };
}

export type SearchedMoney = Awaited<ReturnType<typeof searchMoney>>;

/** What happened to the money of one order or plan, in words; null if there is none. One round trip. */
export async function explainMoney(store: Reads, asked: Pick<FoundMoney, "kind" | "id">) {
  const found = await findMoneyFacts(store, asked);
  if (!found) return null;
  const { facts, ...rest } = found;
  // Only words leave the server, because the facts have tokens, and numbers that nobody needs.
  return { ...rest, places: placesOf(facts), waiting: waitingNow(facts), timeline: timelineOf(facts) };
}

export type ExplainedMoney = NonNullable<Awaited<ReturnType<typeof explainMoney>>>;
