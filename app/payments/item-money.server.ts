/** What happens to the held money of one order item: statements for the batch that decides it. Amounts in KES. */
import { sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { payoutItems, payouts } from "#app/db/schema.ts";
import type { RefundReason } from "#app/db/states/refund.ts";
import { bookTransaction } from "./ledger.server.ts";
import { heldRefundLegs, releaseLegs } from "./ledger-rules.ts";
import { createRefund } from "./refunds.server.ts";
import { newCallbackToken, type PaymentServices } from "./payment-services.ts";

/** An item whose money is held. */
export interface HeldItem {
  id: string;
  orderId: string;
  sellerId: string;
}

/**
 * The seller has earned `amount`: books it and creates the payout. Returns the payout's id; null when there is nothing
 * to pay.
 */
export async function releaseStatements(
  services: PaymentServices,
  item: HeldItem,
  amount: number,
): Promise<{ payoutId: string | null; statements: Statement[] }> {
  if (amount === 0) return { payoutId: null, statements: [] };
  const now = services.now();
  const payoutId = crypto.randomUUID();
  return {
    payoutId,
    statements: [
      services.db.insert(payouts).values({
        id: payoutId,
        orderItemId: item.id,
        sellerId: item.sellerId,
        amount,
        conversationId: crypto.randomUUID(),
        callbackToken: newCallbackToken(),
        nextActionAt: now,
        createdAt: now,
        updatedAt: now,
      }),
      services.db.insert(payoutItems).values({ orderItemId: item.id, payoutId, amount, createdAt: now }),
      ...bookTransaction({
        transactionId: `release:${item.id}`,
        legs: releaseLegs(amount),
        orderId: item.orderId,
        orderItemId: item.id,
        payoutId,
        now,
      }),
    ],
  };
}

/** `amount` of an item's held money goes back to the buyer: books it and creates the refund. */
export function refundStatements(
  services: PaymentServices,
  item: HeldItem,
  { attemptId, amount, reason }: { attemptId: string; amount: number; reason: RefundReason },
): Statement[] {
  if (amount === 0) return [];
  const now = services.now();
  const refund = createRefund({ attemptId, orderId: item.orderId, orderItemId: item.id, amount, reason }, now);
  return [
    refund.statement,
    ...bookTransaction({
      transactionId: `refund_due:${item.id}`,
      legs: heldRefundLegs(amount),
      orderId: item.orderId,
      orderItemId: item.id,
      attemptId,
      refundId: refund.id,
      now,
    }),
  ];
}

/**
 * SQL: the payment that an order is kept for. A payment that goes back as a whole doesn't count. `orderId` as a column.
 */
export function keptPayment(orderId: string) {
  return sql`(SELECT a.id FROM payment_attempts a WHERE a.order_id = ${sql.raw(orderId)} AND ${stateIs("a.state", ATTEMPT.isPaid)}
    AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.attempt_id = a.id AND r.order_item_id IS NULL) LIMIT 1)`;
}
