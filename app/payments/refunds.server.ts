import { sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import type { RefundReason, RefundState } from "#app/db/states/refund.ts";
import { newCallbackToken } from "./payment-services.ts";

interface NewRefund {
  /** The payment that goes back, or a part of it. */
  attemptId: string;
  orderId: string | null;
  /** The item whose money goes back; null when the whole payment isn't kept. */
  orderItemId: string | null;
  /** KES. */
  amount: number;
  reason: RefundReason;
}

/** The statement that creates a refund, for the batch of its cause. The job sends it. `id` is for the ledger. */
export function createRefund(refund: NewRefund, now: number): { id: string; statement: Statement } {
  const id = crypto.randomUUID();
  return {
    id,
    statement: sql`INSERT INTO refunds (id, attempt_id, order_id, order_item_id, amount, reason, state, conversation_id, callback_token, next_action_at, created_at, updated_at)
      VALUES (${id}, ${refund.attemptId}, ${refund.orderId}, ${refund.orderItemId}, ${refund.amount}, ${refund.reason}, ${"due" satisfies RefundState},
        ${crypto.randomUUID()}, ${newCallbackToken()}, ${now}, ${now}, ${now})`,
  };
}
