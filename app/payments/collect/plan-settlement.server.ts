import { notify } from "#app/notifications/notify.server.ts";
import type { Party } from "#app/notifications/recipient-rules.ts";
import { expectThat, type Statement } from "#app/db/batch.ts";
import { hasRow } from "#app/db/build.ts";
import { isOpenAccount } from "#app/accounts/open-account.server.ts";
import { paymentAttempts } from "#app/payments/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT, type AttemptState } from "#app/db/states/attempt.ts";
import { PLAN } from "#app/db/states/plan.ts";
import type { RefundReason } from "#app/db/states/refund.ts";
import { and, eq, not } from "drizzle-orm";
import { type PlanId, PLANS } from "#app/shops/plan-rules.ts";
import { activateSubscription } from "#app/shops/subscriptions.server.ts";
import { tellChecked } from "./order-settlement.server.ts";
import { createRefund } from "#app/payments/transfers/refunds.server.ts";
import { bookTransaction } from "#app/payments/books/ledger.server.ts";
import { planLegs, refundDueLegs } from "#app/payments/books/ledger-rules.ts";

/** A subscription whose payment is being settled, and the earlier period that it extends. */
export interface PlanBeingPaid {
  id: string;
  userId: string;
  ownerName: string;
  plan: PlanId;
  status: "pending_payment" | "active" | "ended";
  proUntil: number | null;
  featuredUntil: number | null;
}

interface PlanPayment {
  /** Amount in KES. */
  attempt: { id: string; amount: number };
  buyer: Party;
  now: number;
}

/**
 * The payment that a plan was waiting for: its period, the ledger and what the owner is told, for the batch that
 * settles the attempt.
 */
export function firstPlanPayment(
  plan: PlanBeingPaid,
  { attempt, buyer, receipt, now }: PlanPayment & { receipt: string | null },
): Statement[] {
  const { endsAt, statements } = activateSubscription(plan, now);
  const data = { plan: PLANS[plan.plan].name, amount: attempt.amount, receipt, endsAt };
  return [
    expectThat(isOpenAccount(plan.userId)),
    ...statements,
    ...bookTransaction({
      transactionId: `charge:${attempt.id}`,
      legs: planLegs(attempt.amount),
      attemptId: attempt.id,
      now,
    }),
    ...notify(buyer, { kind: "plan_active", data }, `plan_active:${plan.id}`, now),
  ];
}

/** The plan was paid before, or its owner's account is closed. The payment must be refunded. */
export function refundPlanPayment(
  plan: PlanBeingPaid,
  { attempt, buyer, now, reason }: PlanPayment & { reason: RefundReason },
): Statement[] {
  const data = { plan: PLANS[plan.plan].name, amount: attempt.amount, reason };
  const refund = createRefund(
    { attemptId: attempt.id, orderId: null, orderItemId: null, amount: attempt.amount, reason },
    now,
  );
  return [
    refund.statement,
    ...bookTransaction({
      transactionId: `refund_due:${attempt.id}`,
      legs: refundDueLegs(attempt.amount),
      attemptId: attempt.id,
      refundId: refund.id,
      now,
    }),
    ...notify(buyer, { kind: "plan_refund_due", data }, `refund_due:${attempt.id}`, now),
  ];
}

/** Tells the owner of an unpaid plan that our team checks the payment (`next` is held), or that they can pay again. */
export function tellPlanChecked(
  { id, plan, status }: PlanBeingPaid,
  { attempt, buyer, now }: PlanPayment,
  next: AttemptState,
): Statement[] {
  if (!PLAN.awaitsPayment(status)) return [];
  const data = { plan: PLANS[plan].name, planId: plan, amount: attempt.amount };
  const { subscriptionId, state } = paymentAttempts;
  const isHeld = hasRow(paymentAttempts, and(eq(subscriptionId, id), stateIs(state, ATTEMPT.isHeld)));
  return tellChecked(buyer, { next, attemptId: attempt.id, canPay: not(isHeld), now }, data);
}
