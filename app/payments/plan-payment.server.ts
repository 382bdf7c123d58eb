import { sql } from "drizzle-orm";
import { rowOf, runBatch } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { type OwnPlans, ownPlans, readOwnPlans } from "#app/shops/subscriptions.server.ts";
import type { PlanId } from "#app/shops/plan-rules.ts";
import type { PaymentFailure } from "#app/db/states/order.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT, type AttemptState } from "#app/db/states/attempt.ts";
import { PLAN } from "#app/db/states/plan.ts";
import { type PaymentState, paymentStateOf } from "./attempt-rules.ts";

/** A plan's payment for its page. */
export interface PlanPayment extends PaymentState {
  subscriptionId: string;
  /** Ms; null until it is paid. */
  endsAt: number | null;
}

interface Row {
  subscriptionId: string;
  amount: number;
  endsAt: number | null;
  state: AttemptState;
  failureReason: PaymentFailure | null;
  phoneNumber: string;
  mpesaReceipt: string | null;
}

/**
 * A user's plans, and the latest payment of `plan`: that of `subscriptionId`, or else one that is still in progress;
 * null when there is none. One round trip.
 */
export async function findPlans(
  store: Store,
  userId: string,
  plan: PlanId | null,
  subscriptionId: string | null,
): Promise<{ own: OwnPlans; payment: PlanPayment | null }> {
  const which = subscriptionId === null ? stateIs("s.status", PLAN.awaitsPayment) : sql`s.id = ${subscriptionId}`;
  const [own, payments] = await runBatch(store.db, [
    ownPlans(userId, store.now()),
    sql`SELECT s.id AS subscriptionId, a.amount, s.ends_at AS endsAt, a.state, a.failure_reason AS failureReason, a.phone AS phoneNumber, a.receipt AS mpesaReceipt
      FROM subscriptions s JOIN payment_attempts a ON a.subscription_id = s.id
      WHERE s.user_id = ${userId} AND s.plan = ${plan} AND ${which}
      ORDER BY ${stateIs("a.state", ATTEMPT.isPaid)} DESC, a.created_at DESC LIMIT 1`,
  ]);
  const row = rowOf<Row>(payments);
  if (!row) return { own: readOwnPlans(own), payment: null };
  const { state, failureReason, ...payment } = row;
  return { own: readOwnPlans(own), payment: { ...payment, ...paymentStateOf(state, failureReason) } };
}
