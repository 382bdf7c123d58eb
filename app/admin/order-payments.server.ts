import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { orderItems, paymentAttempts, payoutItems, payouts, refunds } from "#app/db/schema.ts";

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
  const [a, y, f] = [paymentAttempts, payouts, refunds];
  return sql<OrderPayment>`SELECT * FROM (
      SELECT ${a.id}, 'payment' AS what, ${a.state}, ${a.amount}, ${a.receipt}, ${a.createdAt} AS at FROM ${a} WHERE ${a.orderId} = ${orderId}
      UNION ALL SELECT ${y.id}, 'payout', ${y.state}, SUM(${payoutItems.amount}), ${y.receipt}, ${y.createdAt} FROM ${orderItems}
        JOIN ${payoutItems} ON ${payoutItems.orderItemId} = ${orderItems.id} JOIN ${y} ON ${y.id} = ${payoutItems.payoutId}
        WHERE ${orderItems.orderId} = ${orderId} GROUP BY ${y.id}
      UNION ALL SELECT ${f.id}, 'refund', ${f.state}, ${f.amount}, ${f.receipt}, ${f.createdAt} FROM ${a} JOIN ${f} ON ${f.attemptId} = ${a.id} WHERE ${a.orderId} = ${orderId}
    ) ORDER BY at LIMIT 100`;
}
