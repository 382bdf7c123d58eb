/** What is special about refunds among the transfers. */
import { eq, sql } from "drizzle-orm";
import { partyJson, readParty } from "#app/accounts/party.server.ts";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { paymentAttempts, refunds } from "#app/payments/tables.server.ts";
import type { RefundReason } from "#app/db/states/refund.ts";
import { formatKes } from "#app/ui/money.ts";
import { resolveDiscrepancies } from "#app/payments/books/discrepancies.server.ts";
import { refundLegs } from "#app/payments/books/ledger-rules.ts";
import { bookTransaction } from "#app/payments/books/ledger.server.ts";
import { pauseOf } from "./paused-channels.server.ts";
import { newCallbackToken } from "#app/payments/payment-services.ts";
import type { Kind } from "./transfer-kinds.server.ts";
import { CONDITION_PAUSE_MS, isReversedByOthers, refuseTransferAmount } from "./transfer-rules.ts";
import { methodOf, type Refund } from "./transfers.server.ts";

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
    statement: build.insert(refunds).values({
      id,
      ...refund,
      conversationId: crypto.randomUUID(),
      callbackToken: newCallbackToken(),
      nextActionAt: now,
      createdAt: now,
      updatedAt: now,
    }),
  };
}

/** The buyer gets back a payment, or a part of it. */
export const REFUND: Kind<Refund> = {
  async checkReadiness({ db, now }, refund) {
    const { id, orderId, amount, payment } = refund;
    if (payment.confirmedAt === null)
      return { kind: "waits", reason: "payment_unconfirmed", until: now() + CONDITION_PAUSE_MS };
    const method = methodOf(refund);
    const refusal = refuseTransferAmount(method, amount);
    if (refusal !== null) return { kind: "blocked", reason: refusal };
    const [pause] = await pauseOf(db, method);
    if (pause && pause.until > now()) return { kind: "waits", reason: "channel_paused", until: pause.until };
    return {
      kind: "ready",
      phone: method === "reversal" ? null : (refund.phone ?? payment.phone),
      remarks: `Chuoni refund ${(orderId ?? id).slice(0, 8)}`,
      guard: [],
    };
  },
  isStopped: () => sql`0`,
  async findReceiver({ db }, { attemptId }) {
    const [row] = await db
      .select({ buyer: partyJson(sql`${paymentAttempts.userId}`).mapWith(readParty) })
      .from(paymentAttempts)
      .where(eq(paymentAttempts.id, attemptId));
    return row ? { ...row.buyer, items: 1 } : null;
  },
  receiverId: ({ payment }) => payment.userId,
  whenParked: ({ id, orderId, amount }) => ({
    key: `refund_parked:${id}`,
    told: { kind: "refund_parked", data: { orderId, amount } },
  }),
  parkedEvent: ({ orderId }) => (orderId === null ? { type: "plan" } : { type: "payment", orderId }),
  tellDone: ({ orderId, amount, ...refund }, _receiver, receipt) => ({
    kind: "refund_sent",
    data: { orderId, amount, receipt, isInQuestion: isReversedByOthers(refund, receipt) },
  }),
  doneEvent: (refund, receipt) =>
    refund.orderId === null
      ? { type: "plan" }
      : {
          type: "payment",
          orderId: refund.orderId,
          ...(!isReversedByOthers(refund, receipt) && { notice: `${formatKes(refund.amount)} is back on your M-Pesa` }),
        },
  whenDone: (refund, now) => [
    ...bookTransaction({
      transactionId: `refund:${refund.id}`,
      legs: refundLegs(methodOf(refund), refund.amount),
      orderId: refund.orderId,
      ...(refund.orderItemId && { orderItemId: refund.orderItemId }),
      attemptId: refund.attemptId,
      refundId: refund.id,
      now,
    }),
    resolveDiscrepancies(["payment_for_closed_deal"], refund.attemptId, "refunded", now),
  ],
};
