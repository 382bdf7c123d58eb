/**
 * Finds what a receipt, phone, id or person stands for, and reads everything about the money of one order or plan.
 * Reads only.
 */
import { asc, desc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { maskPhone } from "#app/accounts/profile/phone.ts";
import { runBatch } from "#app/db/batch.ts";
import { build, named, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import {
  auditLog,
  credentials,
  dealEvents,
  discrepancies,
  orderItems,
  orders,
  paymentAttempts,
  paymentCallbacks,
  payoutItems,
  payouts,
  profiles,
  receiptChecks,
  refunds,
  subscriptions,
  unmatchedLines,
} from "#app/db/schema.ts";
import type { PeopleSearch } from "#app/admin/admin-rules.ts";
import { isPerson } from "#app/admin/people/people.server.ts";
import { shortOrderId } from "#app/orders/order-rules.ts";
import { moneyTokens } from "#app/payments/answers/callback-tokens.server.ts";
import { PLANS } from "#app/shops/plan-rules.ts";
import { adminCounts, readAdminCounts } from "#app/admin/admin-pages.server.ts";
import {
  type ExplainSearch,
  FOUND_MAX,
  type MoneyFacts,
  placesOf,
  readExplainSearch,
  timelineOf,
  waitingNow,
} from "./explain-words.ts";

type Reads = Pick<Store, "db">;

/** The most people of one name whose orders are searched. */
const PEOPLE_MAX = 500;
/** How many characters of M-Pesa's words are shown. */
const BODY_SHOWN = 4_000;

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
    const [counts] = await runBatch(db, [adminCounts()]);
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
  const [counts, ofOrders, ofPlans, lines] = await runBatch(db, [
    adminCounts(),
    build
      .select({
        id: orders.id,
        amount: orders.amount,
        at: named(orders.createdAt, "at"),
        payer: profiles.fullName,
        sellers: sql<string | null>`${sellersOf(orders.id)}`.as("sellers"),
      })
      .from(orders)
      .leftJoin(profiles, eq(profiles.id, orders.userId))
      .where(isOrder)
      .orderBy(desc(orders.createdAt))
      .limit(FOUND_MAX),
    build
      .select({
        id: subscriptions.id,
        amount: subscriptions.amount,
        at: named(subscriptions.createdAt, "at"),
        payer: profiles.fullName,
      })
      .from(subscriptions)
      .leftJoin(profiles, eq(profiles.id, subscriptions.userId))
      .where(isPlan)
      .orderBy(desc(subscriptions.createdAt))
      .limit(FOUND_MAX),
    build
      .select({ id: unmatchedLines.id, finding: unmatchedLines.finding, closedAt: unmatchedLines.closedAt })
      .from(unmatchedLines)
      .where(search.receipt ? eq(unmatchedLines.receipt, search.receipt) : sql`0`),
  ]);
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

const admins = alias(profiles, "admins");

/** What happened to the money of one order or plan, in words; null if there is none. One round trip. */
export async function explainMoney(store: Reads, asked: Pick<FoundMoney, "kind" | "id">) {
  const found = await findMoneyFacts(store, asked);
  if (!found) return null;
  const { facts, ...rest } = found;
  // Only words leave the server, because the facts have tokens, and numbers that nobody needs.
  return { ...rest, places: placesOf(facts), waiting: waitingNow(facts), timeline: timelineOf(facts) };
}

export type ExplainedMoney = NonNullable<Awaited<ReturnType<typeof explainMoney>>>;

async function findMoneyFacts({ db }: Reads, { kind, id }: Pick<FoundMoney, "kind" | "id">) {
  const isOrder = kind === "order";
  const isOwn = isOrder ? eq(paymentAttempts.orderId, id) : eq(paymentAttempts.subscriptionId, id);
  const itemIds = build
    .select({ id: orderItems.id })
    .from(orderItems)
    .where(eq(orderItems.orderId, isOrder ? id : ""));
  const payoutIds = build
    .select({ id: payoutItems.payoutId })
    .from(payoutItems)
    .where(inArray(payoutItems.orderItemId, itemIds));
  const { tokens, attemptIds, refundIds, isCheck } = moneyTokens({
    attempts: isOwn,
    payouts: inArray(payouts.id, payoutIds),
  });
  const ids = sql`(SELECT id FROM (${attemptIds}) UNION ALL SELECT id FROM (${itemIds}) UNION ALL SELECT payout_id FROM (${payoutIds}) UNION ALL SELECT id FROM (${refundIds}))`;
  const subjects = sql`(SELECT 'attempt:' || id FROM (${attemptIds}) UNION ALL SELECT 'order_item:' || id FROM (${itemIds})
    UNION ALL SELECT 'payout:' || payout_id FROM (${payoutIds}) UNION ALL SELECT 'refund:' || id FROM (${refundIds}))`;
  const transfer = (t: typeof payouts | typeof refunds) => ({
    id: t.id,
    token: named(t.callbackToken, "token"),
    ...pick(t, "state", "phone", "receipt", "resultCode", "resultDesc", "waitReason", "waitDetail"),
    ...pick(t, "sendCount", "lookupCount", "nextActionAt", "doneBy", "createdAt", "sentAt", "doneAt"),
  });
  const [counts, [order], [plan], attempts, items, events, paidOut, refunded, callbacks, checks, told, acts] =
    await runBatch(db, [
      adminCounts(),
      build
        .select({ at: named(orders.createdAt, "at"), amount: orders.amount, payer: profiles.fullName })
        .from(orders)
        .leftJoin(profiles, eq(profiles.id, orders.userId))
        .where(eq(orders.id, isOrder ? id : "")),
      build
        .select({
          at: named(subscriptions.createdAt, "at"),
          amount: subscriptions.amount,
          plan: subscriptions.plan,
          payer: profiles.fullName,
        })
        .from(subscriptions)
        .leftJoin(profiles, eq(profiles.id, subscriptions.userId))
        .where(eq(subscriptions.id, isOrder ? "" : id)),
      build
        .select({
          id: paymentAttempts.id,
          token: named(paymentAttempts.callbackToken, "token"),
          ...pick(paymentAttempts, "state", "phone", "amount", "receipt", "resultCode"),
          ...pick(paymentAttempts, "resultDesc", "createdAt", "settledAt", "confirmedAt"),
        })
        .from(paymentAttempts)
        .where(isOwn)
        .orderBy(asc(paymentAttempts.createdAt)),
      build
        .select({
          id: orderItems.id,
          name: named(orderItems.productName, "name"),
          seller: profiles.fullName,
          subtotal: orderItems.subtotal,
          status: orderItems.status,
        })
        .from(orderItems)
        .leftJoin(profiles, eq(profiles.id, orderItems.sellerId))
        .where(eq(orderItems.orderId, isOrder ? id : "")),
      build
        .select({
          itemId: named(dealEvents.orderItemId, "item_id"),
          ...pick(dealEvents, "event", "reason", "amount"),
          at: named(dealEvents.createdAt, "at"),
        })
        .from(dealEvents)
        .where(inArray(dealEvents.orderItemId, itemIds))
        .orderBy(asc(dealEvents.createdAt)),
      build
        .select({
          ...transfer(payouts),
          amount: sql<number>`SUM(${payoutItems.amount})`.as("share"),
          whole: named(payouts.amount, "whole"),
          seller: sellers.fullName,
        })
        .from(payoutItems)
        .innerJoin(payouts, eq(payouts.id, payoutItems.payoutId))
        .leftJoin(sellers, eq(sellers.id, payouts.sellerId))
        .where(inArray(payoutItems.orderItemId, itemIds))
        .groupBy(payouts.id),
      build
        .select({ ...transfer(refunds), amount: refunds.amount, reason: refunds.reason, method: refunds.method })
        .from(refunds)
        .where(inArray(refunds.attemptId, attemptIds)),
      build
        .select({
          ...pick(paymentCallbacks, "id", "token", "kind", "outcome"),
          body: sql<string>`substr(${paymentCallbacks.body}, 1, ${BODY_SHOWN})`.as("body"),
          at: named(paymentCallbacks.receivedAt, "at"),
        })
        .from(paymentCallbacks)
        .where(inArray(paymentCallbacks.token, tokens))
        .orderBy(asc(paymentCallbacks.receivedAt))
        .limit(100),
      build
        .select({
          ...pick(receiptChecks, "receipt", "state", "detail"),
          of: sql<"payment" | "payout" | "refund">`iif(${receiptChecks.attemptId} IS NOT NULL, 'payment',
            iif(${receiptChecks.payoutId} IS NOT NULL, 'payout', 'refund'))`.as("of"),
          admin: admins.fullName,
          at: named(receiptChecks.createdAt, "at"),
          answeredAt: receiptChecks.answeredAt,
        })
        .from(receiptChecks)
        .leftJoin(admins, eq(admins.id, receiptChecks.askedBy))
        .where(isCheck),
      build
        .select({
          detail: discrepancies.detail,
          resolution: discrepancies.resolution,
          at: named(discrepancies.createdAt, "at"),
          resolvedAt: discrepancies.resolvedAt,
        })
        .from(discrepancies)
        .where(inArray(discrepancies.subject, ids)),
      build
        .select({
          action: auditLog.action,
          admin: admins.fullName,
          detail: auditLog.detail,
          at: named(auditLog.createdAt, "at"),
        })
        .from(auditLog)
        .leftJoin(admins, eq(admins.id, auditLog.actorId))
        .where(inArray(auditLog.subject, subjects)),
    ]);
  const placed = order ?? plan;
  if (!placed) return null;
  const hidden = <T extends { phone: string | null }>(rows: T[]) =>
    rows.map((row) => ({ ...row, phone: row.phone && maskPhone(row.phone) }));
  const facts: MoneyFacts = {
    placed: { at: placed.at, amount: placed.amount, of: kind },
    attempts: attempts.map((attempt) => ({ ...attempt, phone: maskPhone(attempt.phone) })),
    items,
    dealEvents: events,
    payouts: hidden(paidOut),
    refunds: hidden(refunded),
    callbacks,
    checks,
    discrepancies: told,
    adminActs: acts,
  };
  const title = plan ? PLANS[plan.plan].name : `Order ${shortOrderId(id)}`;
  return { counts: readAdminCounts(counts), title, payer: placed.payer, facts };
}
