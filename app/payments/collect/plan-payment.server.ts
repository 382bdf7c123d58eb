import { and, desc, eq, sql } from "drizzle-orm";
import { read } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { paymentAttempts } from "#app/payments/tables.server.ts";
import { subscriptions } from "#app/shops/tables.server.ts";
import { type OwnPlans, ownPlans, readOwnPlans } from "#app/shops/subscriptions.server.ts";
import type { PlanId } from "#app/shops/plan-rules.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { PLAN } from "#app/db/states/plan.ts";
import { type PaymentState, paymentStateOf } from "./attempt-rules.ts";

/** A plan's payment for its page. */
export interface PlanPayment extends PaymentState {
  subscriptionId: string;
  /** Ms; null until it is paid. */
  endsAt: number | null;
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
  const isWanted =
    subscriptionId === null ? stateIs(subscriptions.status, PLAN.awaitsPayment) : eq(subscriptions.id, subscriptionId);
  const {
    own,
    row: [row],
  } = await read(store.db, {
    own: ownPlans(userId, store.now()),
    row: build
      .select({
        subscriptionId: subscriptions.id,
        amount: paymentAttempts.amount,
        endsAt: subscriptions.endsAt,
        state: paymentAttempts.state,
        failureReason: paymentAttempts.failureReason,
        phoneNumber: paymentAttempts.phone,
        receipt: paymentAttempts.receipt,
      })
      .from(subscriptions)
      .innerJoin(paymentAttempts, eq(paymentAttempts.subscriptionId, subscriptions.id))
      .where(and(eq(subscriptions.userId, userId), plan === null ? sql`0` : eq(subscriptions.plan, plan), isWanted))
      .orderBy(desc(stateIs(paymentAttempts.state, ATTEMPT.isPaid)), desc(paymentAttempts.createdAt))
      .limit(1),
  });
  if (!row) return { own: readOwnPlans(own), payment: null };
  const { state, failureReason, ...payment } = row;
  return { own: readOwnPlans(own), payment: { ...payment, ...paymentStateOf(state, failureReason) } };
}
