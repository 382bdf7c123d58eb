/** What the database knows of the money of one order or plan. */
import { asc, eq, inArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { maskPhone } from "#app/accounts/profile/phone.ts";
import { type AnswersTo, read } from "#app/db/batch.ts";
import { build, named, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { auditLog } from "#app/team/tables.server.ts";
import { dealEvents, orderItems, orders } from "#app/orders/tables.server.ts";
import {
  discrepancies,
  paymentAttempts,
  paymentCallbacks,
  payoutItems,
  payouts,
  receiptChecks,
  refunds,
} from "#app/payments/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { subscriptions } from "#app/shops/tables.server.ts";
import { shortOrderId } from "#app/orders/order-rules.ts";
import { moneyTokens } from "#app/payments/answers/callback-tokens.server.ts";
import { PLANS } from "#app/shops/plan-rules.ts";
import { adminCounts, readAdminCounts } from "#app/team/admin-pages.server.ts";
import { type MoneyFacts } from "./explain-words.ts";

import type { FoundMoney } from "./explain.server.ts";

const sellers = alias(profiles, "sellers");
const admins = alias(profiles, "admins");

/** How many characters of M-Pesa's words are shown. */
const BODY_SHOWN = 4_000;

/** What is explained: the money of an order or plan, or of one item with the payments of its order. */
type Asked = Pick<FoundMoney, "kind" | "id"> | { kind: "item"; id: string };

/** What is explained, as its queries speak of it. */
function moneySql({ kind, id }: Asked) {
  const orderOfItem = sql`(SELECT ${orderItems.orderId} FROM ${orderItems} WHERE ${orderItems.id} = ${id})`;
  const orderId = kind === "order" ? sql`${id}` : kind === "item" ? orderOfItem : sql`''`;
  const isOwn = kind === "plan" ? eq(paymentAttempts.subscriptionId, id) : eq(paymentAttempts.orderId, orderId);
  const isItem = kind === "item" ? eq(orderItems.id, id) : eq(orderItems.orderId, orderId);
  const itemIds = build.select({ id: orderItems.id }).from(orderItems).where(isItem);
  const payoutIds = build
    .select({ id: payoutItems.payoutId })
    .from(payoutItems)
    .where(inArray(payoutItems.orderItemId, itemIds));
  const tokens = moneyTokens({ attempts: isOwn, payouts: inArray(payouts.id, payoutIds) });
  return { orderId, planId: kind === "plan" ? id : "", isOwn, isItem, itemIds, payoutIds, ...tokens };
}

type MoneySql = ReturnType<typeof moneySql>;

/** What a payout and a refund have in common. */
function transferColumns(table: typeof payouts | typeof refunds) {
  return {
    id: table.id,
    ...named({ token: table.callbackToken }),
    ...pick(table, "state", "phone", "receipt", "resultCode", "resultDesc", "waitReason", "waitDetail"),
    ...pick(table, "sendCount", "lookupCount", "nextActionAt", "doneBy", "createdAt", "sentAt", "doneAt"),
  };
}

/** What was bought and from whom: the order or the plan, its items, and what happened to them. */
function selectBought({ orderId, planId, isItem, itemIds }: MoneySql) {
  return {
    order: build
      .select({ ...named({ at: orders.createdAt }), amount: orders.amount, payer: profiles.fullName })
      .from(orders)
      .leftJoin(profiles, eq(profiles.id, orders.userId))
      .where(eq(orders.id, orderId)),
    plan: build
      .select({
        ...named({ at: subscriptions.createdAt }),
        amount: subscriptions.amount,
        plan: subscriptions.plan,
        payer: profiles.fullName,
      })
      .from(subscriptions)
      .leftJoin(profiles, eq(profiles.id, subscriptions.userId))
      .where(eq(subscriptions.id, planId)),
    items: build
      .select({
        id: orderItems.id,
        ...named({ name: orderItems.productName }),
        seller: profiles.fullName,
        ...pick(orderItems, "subtotal", "buyerFee", "sellerFee", "handover", "status"),
      })
      .from(orderItems)
      .leftJoin(profiles, eq(profiles.id, orderItems.sellerId))
      .where(isItem),
    events: build
      .select({
        ...named({ itemId: dealEvents.orderItemId }),
        ...pick(dealEvents, "event", "reason", "amount"),
        ...named({ at: dealEvents.createdAt }),
      })
      .from(dealEvents)
      .where(inArray(dealEvents.orderItemId, itemIds))
      .orderBy(asc(dealEvents.createdAt)),
  };
}

/** The money itself: paid in, paid out and paid back. */
function selectMoves({ isOwn, itemIds, attemptIds }: MoneySql) {
  return {
    attempts: build
      .select({
        id: paymentAttempts.id,
        ...named({ token: paymentAttempts.callbackToken }),
        ...pick(paymentAttempts, "state", "phone", "amount", "receipt", "resultCode"),
        ...pick(paymentAttempts, "resultDesc", "createdAt", "settledAt", "confirmedAt"),
      })
      .from(paymentAttempts)
      .where(isOwn)
      .orderBy(asc(paymentAttempts.createdAt)),
    payouts: build
      .select({
        ...transferColumns(payouts),
        amount: sql<number>`SUM(${payoutItems.amount})`.as("share"),
        ...named({ whole: payouts.amount }),
        feeTaken: sql<number>`SUM(${orderItems.feeTaken})`.as("fees_taken"),
        seller: sellers.fullName,
      })
      .from(payoutItems)
      .innerJoin(orderItems, eq(orderItems.id, payoutItems.orderItemId))
      .innerJoin(payouts, eq(payouts.id, payoutItems.payoutId))
      .leftJoin(sellers, eq(sellers.id, payouts.sellerId))
      .where(inArray(payoutItems.orderItemId, itemIds))
      .groupBy(payouts.id),
    refunds: build
      .select({
        ...transferColumns(refunds),
        amount: refunds.amount,
        ...pick(refunds, "orderItemId", "reason", "method"),
      })
      .from(refunds)
      .where(inArray(refunds.attemptId, attemptIds)),
  };
}

/**
 * What is known beside the money: M-Pesa's answers, receipts that were asked about, what disagrees, and what admins
 * did.
 */
function selectAround({ tokens, isCheck, attemptIds, itemIds, payoutIds, refundIds }: MoneySql) {
  const ids = sql`(SELECT id FROM (${attemptIds}) UNION ALL SELECT id FROM (${itemIds})
    UNION ALL SELECT payout_id FROM (${payoutIds}) UNION ALL SELECT id FROM (${refundIds}))`;
  const subjects = sql`(SELECT 'attempt:' || id FROM (${attemptIds})
    UNION ALL SELECT 'order_item:' || id FROM (${itemIds})
    UNION ALL SELECT 'payout:' || payout_id FROM (${payoutIds}) UNION ALL SELECT 'refund:' || id FROM (${refundIds}))`;
  return {
    callbacks: build
      .select({
        ...pick(paymentCallbacks, "id", "token", "kind", "outcome"),
        body: sql<string>`substr(${paymentCallbacks.body}, 1, ${BODY_SHOWN})`.as("body"),
        ...named({ at: paymentCallbacks.receivedAt }),
      })
      .from(paymentCallbacks)
      .where(inArray(paymentCallbacks.token, tokens))
      .orderBy(asc(paymentCallbacks.receivedAt))
      .limit(100),
    checks: build
      .select({
        ...pick(receiptChecks, "receipt", "state", "detail"),
        of: sql<"payment" | "payout" | "refund">`iif(${receiptChecks.attemptId} IS NOT NULL, 'payment',
          iif(${receiptChecks.payoutId} IS NOT NULL, 'payout', 'refund'))`.as("of"),
        admin: admins.fullName,
        ...named({ at: receiptChecks.createdAt }),
        answeredAt: receiptChecks.answeredAt,
      })
      .from(receiptChecks)
      .leftJoin(admins, eq(admins.id, receiptChecks.askedBy))
      .where(isCheck),
    discrepancies: build
      .select({
        detail: discrepancies.detail,
        resolution: discrepancies.resolution,
        ...named({ at: discrepancies.createdAt }),
        resolvedAt: discrepancies.resolvedAt,
      })
      .from(discrepancies)
      .where(inArray(discrepancies.subject, ids)),
    adminActs: build
      .select({
        action: auditLog.action,
        admin: admins.fullName,
        detail: auditLog.detail,
        ...named({ at: auditLog.createdAt }),
      })
      .from(auditLog)
      .leftJoin(admins, eq(admins.id, auditLog.actorId))
      .where(inArray(auditLog.subject, subjects)),
  };
}

/** The queries for the money of one item, for a batch. Read the answers with `readItemMoney`. */
export function selectItemMoney(itemId: string) {
  const money = moneySql({ kind: "item", id: itemId });
  return { ...selectBought(money), ...selectMoves(money) };
}

/** The money of an item; null if there is none. It has what neither side may know: give each side its `factsFor`. */
export function readItemMoney(found: AnswersTo<ReturnType<typeof selectItemMoney>>): MoneyFacts | null {
  return readMoves(found, "order", { callbacks: [], checks: [], discrepancies: [], adminActs: [] });
}

function readMoves(
  { order, plan, items, events, attempts, ...found }: AnswersTo<ReturnType<typeof selectItemMoney>>,
  of: "order" | "plan",
  around: Pick<MoneyFacts, "callbacks" | "checks" | "discrepancies" | "adminActs">,
): MoneyFacts | null {
  const [placed] = [...order, ...plan];
  if (!placed) return null;
  const hidden = <T extends { phone: string | null }>(rows: T[]) =>
    rows.map((row) => ({ ...row, phone: row.phone && maskPhone(row.phone) }));
  return {
    placed: { at: placed.at, amount: placed.amount, of },
    attempts: attempts.map((attempt) => ({ ...attempt, phone: maskPhone(attempt.phone) })),
    items,
    dealEvents: events,
    payouts: hidden(found.payouts),
    refunds: hidden(found.refunds),
    ...around,
  };
}

/** Everything about the money of one order or plan; null if there is none. One round trip. */
export async function findMoneyFacts({ db }: Pick<Store, "db">, asked: Pick<FoundMoney, "kind" | "id">) {
  const money = moneySql(asked);
  const {
    counts,
    callbacks,
    checks,
    discrepancies: found,
    adminActs,
    ...moves
  } = await read(db, {
    counts: adminCounts(),
    ...selectBought(money),
    ...selectMoves(money),
    ...selectAround(money),
  });
  const facts = readMoves(moves, asked.kind, { callbacks, checks, discrepancies: found, adminActs });
  if (!facts) return null;
  const { order, plan } = moves;
  const [placed] = [...order, ...plan];
  const title = plan[0] ? PLANS[plan[0].plan].name : `Order ${shortOrderId(asked.id)}`;
  return { counts: readAdminCounts(counts), title, payer: placed?.payer ?? null, facts };
}
