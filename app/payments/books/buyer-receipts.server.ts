import { and, asc, eq, gte, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import { read } from "#app/db/batch.ts";
import { asJson, build, named } from "#app/db/build.ts";
import { HANDOVER_WORDS } from "#app/catalogue/types/handover-word-rules.ts";
import { HANDOVERS } from "#app/db/states/handover.ts";
import type { Store } from "#app/db/client.ts";
import { buyerFeeBack } from "#app/orders/item-price.server.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { paymentAttempts, refunds } from "#app/payments/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { subscriptions } from "#app/shops/tables.server.ts";
import { refundPlace } from "#app/payments/transfers/refund-place.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { inEastAfrica, yearBounds } from "#app/platform/east-africa-time.ts";
import { PLANS } from "#app/shops/plan-rules.ts";

/** A payment that M-Pesa took from a person, or sent back to them. Amounts in KES, times in ms since 1970. */
export interface BuyerReceipt {
  id: string;
  kind: "paid" | "returned";
  at: number;
  amount: number;
  /** The service fee in it. */
  fee: number;
  /** M-Pesa's; null while it isn't known. */
  receipt: string | null;
  /** Null for a plan. */
  orderId: string | null;
  /** What it was for. */
  names: string[];
}

export interface YearOfReceipts {
  year: number;
  buyer: string;
  /** Oldest first. */
  receipts: BuyerReceipt[];
  paid: number;
  /** The service fees in what was paid. */
  fees: number;
  returned: number;
}

const BEFORE_NAMES = JSON.stringify(
  Object.fromEntries(HANDOVERS.map((handover) => [handover, HANDOVER_WORDS[handover].receiptName])),
);

/** SQL on an item: "Deposit: Single room". */
const RECEIPT_NAME = sql`((${BEFORE_NAMES} ->> ${orderItems.handover}) || ${orderItems.productName})`;

/** SQL on an order: `value` of all its items. */
function ofItems(value: SQL): SQL {
  return sql`(${build.select({ value }).from(orderItems).where(eq(orderItems.orderId, orders.id))})`;
}

/** All that a person paid in a year of East Africa Time, and what came back. One round trip. */
export async function openBuyerReceipts(
  { db }: Pick<Store, "db">,
  { userId, year }: { userId: string; year: number },
): Promise<YearOfReceipts> {
  const { from, until } = yearBounds(year);
  const isPaid = and(
    stateIs(paymentAttempts.state, ATTEMPT.isPaid),
    gte(paymentAttempts.settledAt, from),
    lt(paymentAttempts.settledAt, until),
  );
  const isBack = and(eq(refundPlace(), "done"), gte(refunds.doneAt, from), lt(refunds.doneAt, until));
  const items = ofItems(sql`json_group_array(${RECEIPT_NAME})`);
  const fees = ofItems(sql`SUM(${orderItems.buyerFee})`);
  const payment = {
    id: paymentAttempts.id,
    at: sql<number>`${paymentAttempts.settledAt}`.as("at"),
    amount: paymentAttempts.amount,
    receipt: paymentAttempts.receipt,
  };
  const back = {
    id: refunds.id,
    at: sql<number>`${refunds.doneAt}`.as("at"),
    amount: refunds.amount,
    receipt: refunds.receipt,
  };
  const {
    buyer: [buyer],
    paid,
    plans,
    returned,
    plansReturned,
  } = await read(db, {
    buyer: build.select({ name: profiles.fullName }).from(profiles).where(eq(profiles.id, userId)),
    paid: build
      .select({
        ...payment,
        orderId: paymentAttempts.orderId,
        fee: sql<number>`${fees}`.as("fee"),
        names: asJson<string[]>(items).as("names"),
      })
      .from(orders)
      .innerJoin(paymentAttempts, eq(paymentAttempts.orderId, orders.id))
      .where(and(eq(orders.userId, userId), isPaid))
      .orderBy(asc(paymentAttempts.settledAt)),
    plans: build
      .select({ ...payment, plan: subscriptions.plan })
      .from(subscriptions)
      .innerJoin(
        paymentAttempts,
        and(eq(paymentAttempts.subscriptionId, subscriptions.id), isNotNull(paymentAttempts.subscriptionId)),
      )
      .where(and(eq(subscriptions.userId, userId), isPaid)),
    returned: build
      .select({
        ...back,
        ...named({ orderId: orders.id }),
        // A payment that nobody needed goes back with all of its fees.
        fee: sql<number>`IIF(${refunds.orderItemId} IS NULL, ${fees}, ${buyerFeeBack()})`.as("fee"),
        names: asJson<string[]>(
          sql`CASE WHEN ${refunds.orderItemId} IS NULL THEN ${items} ELSE json_array(${RECEIPT_NAME}) END`,
        ).as("names"),
      })
      .from(orders)
      .innerJoin(paymentAttempts, eq(paymentAttempts.orderId, orders.id))
      .innerJoin(refunds, eq(refunds.attemptId, paymentAttempts.id))
      .leftJoin(orderItems, eq(orderItems.id, refunds.orderItemId))
      .where(and(eq(orders.userId, userId), isBack)),
    plansReturned: build
      .select({ ...back, plan: subscriptions.plan })
      .from(subscriptions)
      .innerJoin(
        paymentAttempts,
        and(eq(paymentAttempts.subscriptionId, subscriptions.id), isNotNull(paymentAttempts.subscriptionId)),
      )
      .innerJoin(refunds, eq(refunds.attemptId, paymentAttempts.id))
      .where(and(eq(subscriptions.userId, userId), isBack)),
  });
  const ofPlan = ({ plan, ...rest }: (typeof plans)[number]) => ({
    ...rest,
    orderId: null,
    fee: 0,
    names: [PLANS[plan].name],
  });
  const receipts: BuyerReceipt[] = [
    ...[...paid, ...plans.map(ofPlan)].map((row) => ({ kind: "paid" as const, ...row })),
    ...[...returned, ...plansReturned.map(ofPlan)].map((row) => ({ kind: "returned" as const, ...row })),
  ];
  return {
    year,
    buyer: buyer?.name ?? "",
    receipts: receipts.toSorted((one, other) => one.at - other.at || (one.kind < other.kind ? 1 : -1)),
    paid: totalOf(receipts, "paid"),
    fees: receipts.filter(({ kind }) => kind === "paid").reduce((sum, { fee }) => sum + fee, 0),
    returned: totalOf(receipts, "returned"),
  };
}

function totalOf(receipts: readonly BuyerReceipt[], kind: BuyerReceipt["kind"]): number {
  return receipts.filter((receipt) => receipt.kind === kind).reduce((sum, { amount }) => sum + amount, 0);
}

/** A year from 2020 until that of `now` (ms since 1970). Anything else is the current one. */
export function readYear(text: string | null, now: number): number {
  const current = inEastAfrica(now).getUTCFullYear();
  const year = /^20\d\d$/.test(text ?? "") ? Number(text) : current;
  return year >= 2020 && year <= current ? year : current;
}
