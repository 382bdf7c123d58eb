import { and, asc, desc, eq, gt, lte, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { read, write } from "#app/db/batch.ts";
import { hasRow } from "#app/db/build.ts";
import { oneByOne } from "#app/db/one-by-one.ts";
import { orders } from "#app/orders/tables.server.ts";
import { paymentAttempts } from "#app/payments/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { ORDER, PAYMENT } from "#app/db/states/order.ts";
import type { TransferKind } from "#app/db/states/transfer.ts";
import { closeOrders } from "#app/orders/close-orders.server.ts";
import { UNPAID_ORDER_LIFE_MS } from "#app/orders/order-limit-rules.ts";
import { applyLeftoverCallback, leftoverCallbacks } from "#app/payments/answers/callbacks.server.ts";
import { recordDiscrepancy } from "#app/payments/books/discrepancies.server.ts";
import { applyKept } from "#app/payments/answers/apply-kept.server.ts";
import { queryAttempt } from "#app/payments/collect/queries.server.ts";
import { ATTEMPT_WINDOW_MS } from "#app/payments/collect/attempt-rules.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { advanceTransfer } from "#app/payments/transfers/send-transfer.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { dueTransfers } from "#app/payments/transfers/transfers.server.ts";

/** The most that one run does. The next run is a minute later. */
const LIMITS = { callbacks: 50, queries: 20, expiries: 50, payouts: 20, refunds: 20 };
/** How long one run keeps asking M-Pesa, in ms: for payouts, and again for refunds and for queries. */
const ASKING_LIMIT_MS = 40_000;

export interface PaymentsReport {
  /** What was kept while the database was away. */
  kept: number;
  callbacks: number;
  queried: number;
  timedOut: number;
  payouts: number;
  refunds: number;
  ordersClosed: number;
}

/**
 * One bounded pass over everything that is open. Each step is guarded, so two runs at once and a stop at any point are
 * safe. A failed step raises a discrepancy, and the rest continues. With nothing to do it costs two round trips.
 * @throws while the database is away; everything stays due for the next run
 */
export async function advancePayments(services: PaymentServices): Promise<PaymentsReport> {
  // First, because it says what became of what is due: for what was never sent, and for what M-Pesa has answered.
  let kept = 0;
  await inTurn(services, ["kept"], async () => {
    kept = await applyKept(services);
  });
  const due = await readDue(services);
  for (const callback of due.callbacks) await applyLeftoverCallback(services, callback);
  // Payouts and refunds come before the queries, which may take long. What a query releases is sent in the next run.
  const advance = (kind: TransferKind) => (id: string) => advanceTransfer(services, { kind, id });
  const sent = await inTurn(services, due.payouts, advance("payout"), askingEnd(services));
  const refunded = await inTurn(services, due.refunds, advance("refund"), askingEnd(services));
  await inTurn(services, due.expired, (id) => applyAttemptEvent(services, id, { event: "timed_out" }));
  let ordersClosed = 0;
  await inTurn(services, ["unpaid_orders"], async () => {
    ordersClosed = await closeUnpaidOrders(services);
  });
  const queried = due.queries.length > 0 ? await queryDueAttempts(services, due.queries) : 0;
  return {
    kept,
    callbacks: due.callbacks.length,
    queried,
    timedOut: due.expired.length,
    payouts: sent,
    refunds: refunded,
    ordersClosed,
  };
}

/**
 * The work to do now, each kind oldest first. Queries about paid attempts come first, because payouts and refunds wait
 * for them.
 * One round trip.
 */
async function readDue({ db, now }: PaymentServices) {
  const at = now();
  const { callbacks, expired, queries, payouts, refunds } = await read(db, {
    callbacks: leftoverCallbacks(db, at, LIMITS.callbacks),
    expired: db
      .select({ id: paymentAttempts.id })
      .from(paymentAttempts)
      .where(
        and(stateIs(paymentAttempts.state, ATTEMPT.isLive), lte(paymentAttempts.createdAt, at - ATTEMPT_WINDOW_MS)),
      )
      .orderBy(asc(paymentAttempts.createdAt))
      .limit(LIMITS.expiries),
    queries: db
      .select({ id: paymentAttempts.id })
      .from(paymentAttempts)
      .where(lte(paymentAttempts.nextQueryAt, at))
      .orderBy(desc(stateIs(paymentAttempts.state, ATTEMPT.isPaid)), asc(paymentAttempts.nextQueryAt))
      .limit(LIMITS.queries),
    payouts: dueTransfers(db, "payout", at, LIMITS.payouts),
    refunds: dueTransfers(db, "refund", at, LIMITS.refunds),
  });
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
  return {
    callbacks,
    expired: ids(expired),
    queries: ids(queries),
    payouts: ids(payouts),
    refunds: ids(refunds),
  };
}

/**
 * Runs the steps one after the other, starting none at or after `until` (ms since 1970). Returns how many it started. A
 * failure raises a discrepancy and doesn't stop the rest.
 */
async function inTurn(
  services: PaymentServices,
  ids: string[],
  work: (id: string) => Promise<unknown>,
  until = Infinity,
): Promise<number> {
  let started = 0;
  await oneByOne(
    ids,
    async (id) => {
      if (services.now() >= until) return;
      started += 1;
      await work(id);
    },
    (id, error) => recordDiscrepancy(services, "job_failed", id, String(error)),
  );
  return started;
}

/** When a run that starts asking M-Pesa now leaves the rest to the next run, ms since 1970. */
function askingEnd(services: PaymentServices): number {
  return services.now() + ASKING_LIMIT_MS;
}

/** Asks about attempts until the time is up, or until waiting for the next turn would exceed it. */
async function queryDueAttempts(services: PaymentServices, ids: string[]): Promise<number> {
  const until = askingEnd(services);
  let asked = 0;
  const ask = async (id: string) => {
    while (!(await queryAttempt(services, id))) {
      if (services.now() + services.payments.querySpacingMs > until) return;
      await services.pause(services.payments.querySpacingMs);
    }
    asked += 1;
  };
  await inTurn(services, ids, ask, until);
  return asked;
}

/**
 * SQL: the ids of orders that weren't paid within a day and have no open prompt. It names the index, which the builder
 * can't.
 */
function unpaidOrders(now: number) {
  const orderRow = alias(orders, "order_row");
  const isUnpaid = and(
    stateIs(orderRow.paymentStatus, PAYMENT.isPayable),
    stateIs(orderRow.orderStatus, ORDER.awaitsPayment),
  );
  const isAsked = and(eq(paymentAttempts.orderId, orderRow.id), stateIs(paymentAttempts.state, ATTEMPT.isUnderWay));
  const dayAgo = now - UNPAID_ORDER_LIFE_MS;
  // Its buyer couldn't pay while our team checked the payment, and has a day from then on, however often they try
  // meanwhile.
  const isDismissed = and(
    eq(paymentAttempts.orderId, orderRow.id),
    eq(paymentAttempts.failureReason, "dismissed"),
    gt(paymentAttempts.settledAt, dayAgo),
  );
  const isKept = or(hasRow(paymentAttempts, isAsked), hasRow(paymentAttempts, isDismissed));
  return sql`SELECT ${orderRow.id} FROM ${orders} order_row INDEXED BY orders_unpaid
    WHERE ${and(isUnpaid, lte(orderRow.createdAt, dayAgo), sql`NOT ${isKept}`)}
    ORDER BY ${orderRow.createdAt} LIMIT ${CLOSED_AT_ONCE}`;
}

const CLOSED_AT_ONCE = 100;

/**
 * Closes orders that nobody paid within a day, and returns how many. `readDue` doesn't look for them: SQLite refuses
 * this query if its index is missing, and that must not stop payouts.
 */
async function closeUnpaidOrders(services: PaymentServices): Promise<number> {
  const now = services.now();
  const {
    closed: [, closed],
  } = await write(services.db, { closed: closeOrders(unpaidOrders(now), { closedReason: "expired_unpaid" }, now) });
  return (closed as D1Result).meta.changes;
}
