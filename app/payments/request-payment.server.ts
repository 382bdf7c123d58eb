import { and, desc, eq, gt, or, sql } from "drizzle-orm";
import { expectOneChange, PreconditionFailed, runBatch, UniqueViolation } from "#app/db/batch.ts";
import { orders, paymentAttempts } from "#app/db/schema.ts";
import type { PushAnswer } from "./gateway.ts";
import {
  ATTEMPT_WINDOW_MS,
  accountReference,
  FAILURE_TEXTS,
  HELD_TEXT,
  LIVE_ATTEMPT_STATES,
  nextQueryAt,
  refuseAmount,
  SAME_AMOUNT_PAUSE_MS,
} from "./rules.ts";
import { newCallbackToken, type PaymentServices } from "./services.ts";
import { applyAttemptEvent } from "./settlement.server.ts";

export type PaymentRequestResult =
  | { ok: true; kind: "requested"; attemptId: string; checkoutRequestId: string | null }
  /** Nothing to ask for: already paid. */
  | { ok: true; kind: "already_paid" }
  | { ok: false; code: "not_found" }
  /** `error` is for the buyer. `retryAfterMs`: how long to wait, null where waiting does not help. */
  | { ok: false; code: "in_progress" | "phone_busy" | "bad_amount" | "refused" | "closed"; error: string; retryAfterMs: number | null };

/**
 * Asks the buyer's phone to pay an order. The attempt's row is written before Safaricom is called; while one is live for the
 * order or the phone no second prompt goes out. `phone` is 254XXXXXXXXX; the amount comes from the order.
 */
export async function requestOrderPayment(
  services: PaymentServices,
  input: { orderId: string; userId: string; phone: string },
): Promise<PaymentRequestResult> {
  const [order] = await services.db
    .select()
    .from(orders)
    .where(and(eq(orders.id, input.orderId), eq(orders.userId, input.userId)));
  if (!order) return { ok: false, code: "not_found" };
  if (order.paymentStatus === "completed") return { ok: true, kind: "already_paid" };
  if (order.orderStatus === "expired") {
    return { ok: false, code: "closed", error: "This order expired before it was paid. Please order again.", retryAfterMs: null };
  }
  const refusal = refuseAmount(order.amount);
  if (refusal) return { ok: false, code: "bad_amount", error: refusal, retryAfterMs: null };

  const busy = await findObstacle(services, order.id, input.phone, order.amount);
  if (busy) return busy;

  const attempt = await openAttempt(services, order, input.phone);
  if (!attempt) return { ok: false, code: "in_progress", error: IN_PROGRESS_TEXT, retryAfterMs: null };

  const answer = await services.gateway.push({
    token: attempt.token,
    phone: input.phone,
    amount: order.amount,
    accountReference: accountReference(order.id),
    description: "Chuoni order",
  });
  return concludePush(services, attempt.id, answer);
}

const IN_PROGRESS_TEXT = "A payment request for this order is already on its way. Please check your phone.";

/** A live attempt of the order or the phone, or a success of the same amount moments ago: M-Pesa would refuse or ask twice. */
async function findObstacle(
  services: PaymentServices,
  orderId: string,
  phone: string,
  amount: number,
): Promise<Extract<PaymentRequestResult, { ok: false }> | null> {
  const now = services.now();
  const recent = await services.db
    .select({
      id: paymentAttempts.id,
      orderId: paymentAttempts.orderId,
      phone: paymentAttempts.phone,
      state: paymentAttempts.state,
      amount: paymentAttempts.amount,
      createdAt: paymentAttempts.createdAt,
      settledAt: paymentAttempts.settledAt,
    })
    .from(paymentAttempts)
    .where(or(eq(paymentAttempts.orderId, orderId), and(eq(paymentAttempts.phone, phone), gt(paymentAttempts.createdAt, now - 2 * ATTEMPT_WINDOW_MS))))
    .orderBy(desc(paymentAttempts.createdAt))
    .limit(20);

  if (recent.some((attempt) => attempt.orderId === orderId && attempt.state === "held")) {
    return { ok: false, code: "in_progress", error: HELD_TEXT, retryAfterMs: null };
  }
  const live = recent.filter((attempt) => LIVE_ATTEMPT_STATES.some((state) => state === attempt.state));
  for (const attempt of live) {
    if (attempt.createdAt + ATTEMPT_WINDOW_MS > now) {
      return attempt.orderId === orderId
        ? { ok: false, code: "in_progress", error: IN_PROGRESS_TEXT, retryAfterMs: null }
        : { ok: false, code: "phone_busy", error: FAILURE_TEXTS.payer_busy, retryAfterMs: 60_000 };
    }
    // Its window is over but the job has not come by yet: the buyer need not wait for the job.
    await applyAttemptEvent(services, attempt.id, { event: "timed_out" });
  }
  const twin = recent.find(
    (attempt) => attempt.state === "succeeded" && attempt.phone === phone && attempt.amount === amount && (attempt.settledAt ?? 0) > now - SAME_AMOUNT_PAUSE_MS,
  );
  if (!twin) return null;
  return { ok: false, code: "phone_busy", error: FAILURE_TEXTS.duplicate_request, retryAfterMs: (twin.settledAt ?? now) + SAME_AMOUNT_PAUSE_MS - now };
}

/** Writes the attempt and marks the order as being paid; null where another request was faster. */
async function openAttempt(services: PaymentServices, order: typeof orders.$inferSelect, phone: string) {
  const now = services.now();
  const attempt = { id: crypto.randomUUID(), token: newCallbackToken() };
  try {
    await runBatch(services.db, [
      services.db.insert(paymentAttempts).values({
        id: attempt.id,
        purpose: "order",
        orderId: order.id,
        userId: order.userId,
        phone,
        amount: order.amount,
        callbackToken: attempt.token,
        nextQueryAt: nextQueryAt(now, 0, now),
        createdAt: now,
        updatedAt: now,
      }),
      services.db
        .update(orders)
        .set({ paymentStatus: "processing", phoneNumber: phone, checkoutRequestId: null, paymentError: null, updatedAt: now })
        .where(and(eq(orders.id, order.id), sql`${orders.paymentStatus} <> 'completed' AND ${orders.orderStatus} <> 'expired'`)),
      expectOneChange(),
    ]);
    return attempt;
  } catch (error) {
    if (error instanceof UniqueViolation || error instanceof PreconditionFailed) return null;
    throw error;
  }
}

async function concludePush(services: PaymentServices, attemptId: string, answer: PushAnswer): Promise<PaymentRequestResult> {
  switch (answer.kind) {
    case "accepted":
      await applyAttemptEvent(services, attemptId, { event: "accepted", checkoutRequestId: answer.checkoutRequestId, merchantRequestId: answer.merchantRequestId });
      return { ok: true, kind: "requested", attemptId, checkoutRequestId: answer.checkoutRequestId };
    case "unknown":
      // The prompt may well be on the phone: the buyer waits as if it were, and only a callback can tell.
      await applyAttemptEvent(services, attemptId, { event: "lost", code: answer.code, message: answer.message });
      return { ok: true, kind: "requested", attemptId, checkoutRequestId: null };
    case "refused":
      await applyAttemptEvent(services, attemptId, { event: "refused", code: answer.code, message: answer.message, reason: answer.reason });
      return { ok: false, code: "refused", error: FAILURE_TEXTS[answer.reason], retryAfterMs: answer.retryAfterMs };
  }
}
