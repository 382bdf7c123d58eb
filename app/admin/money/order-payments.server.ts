import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { orderItems } from "#app/orders/tables.server.ts";
import { paymentAttempts, payoutItems, payouts, refunds } from "#app/payments/tables.server.ts";

export interface OrderPayment {
  id: string;
  what: "payment" | "payout" | "refund";
  state: string;
  /** KES. */
  amount: number;
  /** M-Pesa's. */
  receipt: string | null;
  /** Ms since 1970. */
  at: number;
}

/** What was paid, paid out and refunded for an order. Not built, because it unites three tables. */
export function orderPayments(orderId: SQLWrapper): SQL<OrderPayment> {
  return sql<OrderPayment>`SELECT * FROM (
      SELECT ${paymentAttempts.id}, 'payment' AS what, ${paymentAttempts.state}, ${paymentAttempts.amount},
        ${paymentAttempts.receipt}, ${paymentAttempts.createdAt} AS at
        FROM ${paymentAttempts} WHERE ${paymentAttempts.orderId} = ${orderId}
      UNION ALL SELECT ${payouts.id}, 'payout', ${payouts.state}, SUM(${payoutItems.amount}), ${payouts.receipt},
        ${payouts.createdAt}
        FROM ${orderItems} JOIN ${payoutItems} ON ${payoutItems.orderItemId} = ${orderItems.id}
        JOIN ${payouts} ON ${payouts.id} = ${payoutItems.payoutId}
        WHERE ${orderItems.orderId} = ${orderId} GROUP BY ${payouts.id}
      UNION ALL SELECT ${refunds.id}, 'refund', ${refunds.state}, ${refunds.amount}, ${refunds.receipt},
        ${refunds.createdAt}
        FROM ${paymentAttempts} JOIN ${refunds} ON ${refunds.attemptId} = ${paymentAttempts.id}
        WHERE ${paymentAttempts.orderId} = ${orderId}
    ) ORDER BY at LIMIT 100`;
}
