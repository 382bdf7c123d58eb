import { and, eq, exists, inArray, isNotNull, or, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { paymentAttempts, paymentCallbacks, payouts, receiptChecks, refunds } from "./tables.server.ts";
import { sellerBuyers } from "#app/accounts/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { CALLBACK } from "#app/db/states/callback.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import { moneyTokens } from "#app/payments/answers/callback-tokens.server.ts";

/** SQL: money of this user is on its way, so that the account can't be deleted. */
export function paymentBlockers(userId: string) {
  // M-Pesa may still report a failed attempt as paid, for as long as we ask about it.
  const mayBePaid = or(
    stateIs(paymentAttempts.state, ATTEMPT.isUnderWay),
    and(stateIs(paymentAttempts.state, ATTEMPT.isUnpaid), isNotNull(paymentAttempts.nextQueryAt)),
  );
  const paysNow = build
    .select()
    .from(paymentAttempts)
    .where(and(mayBePaid, eq(paymentAttempts.userId, userId)));
  const isPaidNow = build
    .select()
    .from(orderItems)
    .innerJoin(paymentAttempts, eq(paymentAttempts.orderId, orderItems.orderId))
    .where(and(mayBePaid, eq(orderItems.sellerId, userId)));
  const openPayouts = build
    .select()
    .from(payouts)
    .where(and(eq(payouts.sellerId, userId), stateIs(payouts.state, TRANSFER.isOpen)));
  const openRefunds = build
    .select()
    .from(refunds)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, refunds.attemptId))
    .where(and(stateIs(refunds.state, TRANSFER.isOpen), eq(paymentAttempts.userId, userId)));
  return {
    payment_open: sql`(${exists(paysNow)} OR ${exists(isPaidNow)})`,
    payout_open: exists(openPayouts),
    refund_open: exists(openRefunds),
  };
}

/** The account is being deleted: payments, payouts and refunds lose its numbers, and what M-Pesa said about them. */
export function erasePayments(userId: string): Statement[] {
  const isOwnAttempt = eq(paymentAttempts.userId, userId);
  const isOwnPayout = eq(payouts.sellerId, userId);
  const { appliedAt, outcome } = paymentCallbacks;
  const { tokens, attemptIds, isCheck } = moneyTokens({ attempts: isOwnAttempt, payouts: isOwnPayout });
  const sellersToThem = build
    .select({ id: orderItems.sellerId })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .where(eq(orders.userId, userId));
  return [
    build
      .update(paymentCallbacks)
      .set({ body: "" })
      .where(
        and(or(isNotNull(appliedAt), stateIs(outcome, CALLBACK.hasFailed)), inArray(paymentCallbacks.token, tokens)),
      ),
    build.update(paymentAttempts).set({ phone: "" }).where(isOwnAttempt),
    build.update(payouts).set({ phone: null }).where(isOwnPayout),
    build
      .update(sellerBuyers)
      .set({ phone: null })
      .where(and(eq(sellerBuyers.buyerId, userId), inArray(sellerBuyers.sellerId, sellersToThem))),
    build.update(refunds).set({ phone: null }).where(inArray(refunds.attemptId, attemptIds)),
    build.update(receiptChecks).set({ phone: null }).where(isCheck),
  ];
}
