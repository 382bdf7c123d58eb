import { and, asc, desc, eq, exists, gt, lte, not, or, sql } from "drizzle-orm";
import {
  PreconditionFailed,
  type Statement,
  UniqueViolation,
  expectOneChange,
  expectThat,
  write,
} from "#app/db/batch.ts";
import { asBoolean, build, hasRow, oneRow, pick } from "#app/db/build.ts";
import { type Allowance, countIn, countOne, isWithin, uncountOne } from "#app/db/rate-counters.ts";
import { orders } from "#app/orders/tables.server.ts";
import { paymentAttempts } from "#app/payments/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { subscriptions } from "#app/shops/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { PAYMENT } from "#app/db/states/order.ts";
import { PLAN } from "#app/db/states/plan.ts";
import { RESERVATION_MS, reservedText } from "#app/catalogue/stock/stock-rules.ts";
import { afterReservationsChanged, endWaits } from "#app/catalogue/stock/stock-effects.server.ts";
import { orderedListings } from "#app/payments/collect/availability.server.ts";
import { type PlanId, PLANS } from "#app/shops/plan-rules.ts";
import { openSubscription } from "#app/shops/subscriptions.server.ts";
import { isAway } from "#app/db/patience.ts";
import { type PushAnswer, UNSENT } from "#app/payments/gateway.ts";
import { applyOrKeep, keepOrLog } from "#app/payments/answers/kept.server.ts";
import { openGateway } from "#app/payments/open-gateway.server.ts";
import {
  AMOUNT_ERROR,
  AMOUNT_TOO_LARGE_ERROR,
  ASKED_TOO_OFTEN_TEXT,
  FAILURE_TEXTS,
  PAYMENTS_DOWN_TEXT,
  promptStillOpenText,
  REVIEW_TEXTS,
  PROMPTED_TOO_OFTEN_TEXT,
  STRANGER_PROMPTED_TOO_OFTEN_TEXT,
  UNSENT_TEXT,
} from "#app/payments/payment-texts.ts";
import { abandonedPromptLeft, ATTEMPT_WINDOW_MS, nextQueryAt } from "./attempt-rules.ts";
import {
  accountReference,
  OWNERS_MAX,
  planReference,
  promptAllowances,
  refusePromptAmount,
  requestAllowance,
  SAME_AMOUNT_PAUSE_MS,
} from "./prompt-rules.ts";
import { newCallbackToken, type PaymentServices } from "#app/payments/payment-services.ts";
import { findOrderObstacle, isPayable } from "./order-obstacles.server.ts";
import { applyAttemptEvent } from "./settlement.server.ts";

export type PaymentRequestResult =
  /** `payableId`: the id of the order or the subscription. */
  | { ok: true; kind: "requested"; attemptId: string; payableId: string; checkoutRequestId: string | null }
  /** Already paid, so nothing is requested. */
  | { ok: true; kind: "already_paid" }
  | { ok: false; code: "not_found" }
  /** `error` is a sentence for the buyer. `retryAfterMs`: how long to wait; null when waiting doesn't help. */
  | {
      ok: false;
      /** "unsent": the database was away before anything was sent. */
      code: "in_progress" | "phone_busy" | "too_often" | "bad_amount" | "refused" | "closed" | "unsent";
      error: string;
      retryAfterMs: number | null;
    };

type Requested = Extract<PaymentRequestResult, { kind: "requested" } | { error: string }>;

interface OrderRequest {
  orderId: string;
  userId: string;
  /** 254XXXXXXXXX */
  phone: string;
  /** False where the buyer's choices could not be saved: no new prompt is sent for the earlier ones. */
  isSaved?: boolean;
}

/**
 * Sends a prompt for an order to the buyer's phone. The attempt's row is written before Safaricom is called, and
 * reserves the pieces of the order. While one is live for the order or the phone, no second prompt is sent. `phone` is
 * 254XXXXXXXXX; the amount comes from the order.
 */
export function requestOrderPayment(services: PaymentServices, input: OrderRequest): Promise<PaymentRequestResult> {
  return orUnsent(services, UNSENT_RESULT, () => requestUnlessChanged(services, input));
}

/**
 * Does `work`, which asks for a payment. Every read and write before the prompt may find the database away, and then
 * nothing was sent: the result is `unsent`. After the prompt nothing of this kind is thrown (`concludePush`).
 */
export async function orUnsent<Result, Unsent>(
  services: Pick<PaymentServices, "log">,
  unsent: Unsent,
  work: () => Promise<Result>,
): Promise<Result | Unsent> {
  try {
    return await work();
  } catch (error) {
    if (!isAway(error)) throw error;
    services.log({ event: "payment_not_requested", level: "error", error: String(error) });
    return unsent;
  }
}

const UNSENT_RESULT = {
  ok: false,
  code: "unsent",
  error: UNSENT_TEXT,
  retryAfterMs: 60_000,
} as const satisfies Refused;

async function requestUnlessChanged(services: PaymentServices, input: OrderRequest): Promise<PaymentRequestResult> {
  for (let race = 0; race < MAX_RACES; race += 1) {
    const asked = await askForOrder(services, input);
    // The order was paid or closed, or its pieces were sold or reserved, since it was read. The next round finds out.
    if (asked !== "changed") return asked;
  }
  return { ok: false, code: "in_progress", error: reservedText(null, null), retryAfterMs: RESERVATION_MS };
}

/** How often to look again when somebody else was faster. */
const MAX_RACES = 6;

async function askForOrder(services: PaymentServices, input: OrderRequest): Promise<PaymentRequestResult | "changed"> {
  const [order] = await services.db
    .select()
    .from(orders)
    .where(and(eq(orders.id, input.orderId), eq(orders.userId, input.userId)));
  if (!order) return { ok: false, code: "not_found" };
  if (PAYMENT.isPaid(order.paymentStatus)) return { ok: true, kind: "already_paid" };
  const obstacle = await findOrderObstacle(services, order);
  if (obstacle) return obstacle;
  const payable: Payable = {
    purpose: "order",
    payableId: order.id,
    userId: order.userId,
    amount: order.amount,
    phone: input.phone,
    reference: accountReference(order.id),
    description: "Chuoni order",
    inProgress: "A payment request for this order is already on its way. Please check your phone.",
    markPaying: (now) =>
      build
        .update(orders)
        .set({
          paymentStatus: "processing",
          phoneNumber: input.phone,
          checkoutRequestId: null,
          paymentReview: null,
          paymentFailure: null,
          updatedAt: now,
        })
        .where(and(eq(orders.id, order.id), stateIs(orders.paymentStatus, PAYMENT.isUnpaid), isPayable(order, now))),
  };
  if (input.isSaved !== false) return requestPayment(services, payable);
  // What kept the choices from being saved has ended since, so the buyer presses again.
  const busy = await findPromptObstacle(services, payable);
  return busy ?? { ok: false, code: "in_progress", error: "", retryAfterMs: null };
}

type Refused = Extract<PaymentRequestResult, { error: string }>;

/**
 * Ends a payment of the order whose window is over. The job does the same, but whoever pays again needs the order free
 * before their choices are saved.
 */
export async function endOverduePayment(
  services: PaymentServices,
  { orderId, userId }: { orderId: string; userId: string },
): Promise<void> {
  const overdue = await services.db
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .where(
      and(
        eq(paymentAttempts.orderId, orderId),
        eq(paymentAttempts.userId, userId),
        stateIs(paymentAttempts.state, ATTEMPT.isLive),
        lte(paymentAttempts.createdAt, services.now() - ATTEMPT_WINDOW_MS),
      ),
    );
  try {
    await timeOut(services, overdue);
  } catch (error) {
    if (isAway(error)) throw error;
    // The order counts as being paid, so nothing is saved and nothing is sent.
    services.log({ event: "overdue_payment_not_ended", level: "error", orderId, error: String(error) });
  }
}

async function timeOut(services: PaymentServices, attempts: readonly { id: string }[]): Promise<void> {
  for (const { id } of attempts) await applyAttemptEvent(services, id, { event: "timed_out" });
}

/**
 * Sends a prompt for a plan to the seller's phone, like `requestOrderPayment`, with the plan's price. While a request
 * for the same plan is open, asking again changes nothing.
 */
export function requestPlanPayment(
  services: PaymentServices,
  input: { userId: string; plan: PlanId; phone: string },
): Promise<Requested> {
  return orUnsent(services, UNSENT_RESULT, () => requestForPlan(services, input));
}

async function requestForPlan(
  services: PaymentServices,
  input: { userId: string; plan: PlanId; phone: string },
): Promise<Requested> {
  const id = await openSubscription(services, input.userId, input.plan);
  const inProgress = "A payment request for this plan is already on its way. Please check your phone.";
  const asked = await requestPayment(services, {
    purpose: "subscription",
    payableId: id,
    userId: input.userId,
    amount: PLANS[input.plan].price,
    phone: input.phone,
    reference: planReference(id),
    description: "Chuoni plan",
    inProgress,
    markPaying: (now) =>
      build
        .update(subscriptions)
        .set({ updatedAt: now })
        .where(and(eq(subscriptions.id, id), stateIs(subscriptions.status, PLAN.awaitsPayment))),
  });
  // Another request was paid at this very moment.
  return asked === "changed" ? { ok: false, code: "in_progress", error: inProgress, retryAfterMs: null } : asked;
}

/** An order or a plan that can be paid. */
interface Payable {
  purpose: "order" | "subscription";
  /** The id of the order or of the subscription. */
  payableId: string;
  userId: string;
  /** KES. */
  amount: number;
  /** 254XXXXXXXXX */
  phone: string;
  reference: string;
  description: string;
  /** The message while a request is open. */
  inProgress: string;
  /** Changes exactly one row while it may be paid. */
  markPaying(now: number): Statement;
}

/** "changed": the order or plan is no longer what was read. */
async function requestPayment(services: PaymentServices, payable: Payable): Promise<Requested | "changed"> {
  const refusal = refusePromptAmount(payable.amount);
  if (refusal) {
    const error = refusal === "too_large" ? AMOUNT_TOO_LARGE_ERROR : AMOUNT_ERROR;
    return { ok: false, code: "bad_amount", error, retryAfterMs: null };
  }

  const gateway = await openGateway(services);
  if (!gateway) return { ok: false, code: "refused", error: PAYMENTS_DOWN_TEXT, retryAfterMs: null };

  const busy = await findPromptObstacle(services, payable);
  if (busy) return busy;
  const counted = await countPrompt(services, payable);
  if ("error" in counted) return counted;

  const attempt = await openAttempt(services, payable);
  if (attempt === "changed" || attempt === "live") await uncountPrompt(services, counted);
  if (attempt === "changed") return "changed";
  if (attempt === "live") return { ok: false, code: "in_progress", error: payable.inProgress, retryAfterMs: null };

  const answer = await gateway.push({
    callbackToken: attempt.callbackToken,
    phone: payable.phone,
    amount: payable.amount,
    accountReference: payable.reference,
    description: payable.description,
  });
  const concluded = await concludePush(services, attempt.id, payable.payableId, answer);
  if (answer.kind === "refused") await uncountPrompt(services, counted);
  return concluded;
}

/**
 * Why M-Pesa would refuse a prompt or send a second one: a live attempt for the same order or plan or on the same
 * phone, an abandoned one whose prompt may still be open there, or a recent success of the same amount. Null when
 * nothing prevents it.
 */
async function findPromptObstacle(
  services: PaymentServices,
  payable: Payable,
): Promise<Extract<Requested, { ok: false }> | null> {
  const { purpose, payableId, phone, amount, inProgress } = payable;
  const now = services.now();
  const payableColumn = purpose === "order" ? paymentAttempts.orderId : paymentAttempts.subscriptionId;
  const recent = await services.db
    .select({
      id: paymentAttempts.id,
      payableId: payableColumn,
      ...pick(paymentAttempts, "phone", "state", "failureReason", "amount", "createdAt", "settledAt"),
    })
    .from(paymentAttempts)
    .where(
      or(
        eq(payableColumn, payableId),
        and(eq(paymentAttempts.phone, phone), gt(paymentAttempts.createdAt, now - 2 * ATTEMPT_WINDOW_MS)),
      ),
    )
    .orderBy(desc(paymentAttempts.createdAt))
    .limit(20);

  if (recent.some((attempt) => attempt.payableId === payableId && ATTEMPT.isHeld(attempt.state))) {
    return { ok: false, code: "in_progress", error: REVIEW_TEXTS.mismatch, retryAfterMs: null };
  }
  const live = recent.filter((attempt) => ATTEMPT.isLive(attempt.state));
  const open = live.find((attempt) => attempt.createdAt + ATTEMPT_WINDOW_MS > now);
  if (open) {
    return open.payableId === payableId
      ? { ok: false, code: "in_progress", error: inProgress, retryAfterMs: null }
      : { ok: false, code: "phone_busy", error: FAILURE_TEXTS.payer_busy, retryAfterMs: 60_000 };
  }
  if (live.length > 0) {
    // Their windows are over, but the job hasn't run yet. The buyer doesn't have to wait for the job.
    await timeOut(services, live);
    // A payment that M-Pesa has reported without proof is held now. None of these is live any more.
    return findPromptObstacle(services, payable);
  }
  const promptLeft = Math.max(
    0,
    ...recent.filter((attempt) => attempt.phone === phone).map((attempt) => abandonedPromptLeft(attempt, now)),
  );
  if (promptLeft > 0)
    return { ok: false, code: "phone_busy", error: promptStillOpenText(promptLeft), retryAfterMs: promptLeft };
  const samePayment = recent.find(
    (attempt) =>
      ATTEMPT.isPaid(attempt.state) &&
      attempt.phone === phone &&
      attempt.amount === amount &&
      (attempt.settledAt ?? 0) > now - SAME_AMOUNT_PAUSE_MS,
  );
  if (!samePayment) return null;
  return {
    ok: false,
    code: "phone_busy",
    error: FAILURE_TEXTS.duplicate_request,
    retryAfterMs: (samePayment.settledAt ?? now) + SAME_AMOUNT_PAUSE_MS - now,
  };
}

/**
 * Counts one more prompt to a phone, and answers where. Refuses if the phone has rung too often, because anyone may
 * type a stranger's number. If the phone has paid for this account before, it is the buyer's, and only the account's
 * own requests count.
 */
async function countPrompt(
  { db, now: clock }: PaymentServices,
  { phone, userId }: Payable,
): Promise<Refused | Allowance[]> {
  const now = clock();
  const byAccount = requestAllowance(userId);
  const { phone: from, userId: payer, state } = paymentAttempts;
  const hasPaid = hasRow(paymentAttempts, and(eq(from, phone), eq(payer, userId), stateIs(state, ATTEMPT.isPaid)));
  const owners = build
    .select({ id: profiles.id })
    .from(profiles)
    .where(eq(profiles.phone, phone))
    .orderBy(asc(profiles.createdAt), asc(profiles.id))
    .limit(OWNERS_MAX)
    .as("owners");
  const isOwner = build.select({ id: owners.id }).from(owners).where(eq(owners.id, userId));
  const {
    asked,
    is: [is],
  } = await write(db, {
    asked: countOne(byAccount, now),
    is: oneRow({ hasPaid: asBoolean(hasPaid), isOwn: asBoolean(exists(isOwner)) }),
  });
  if (countIn(asked) > byAccount.max)
    return { ok: false, code: "too_often", error: ASKED_TOO_OFTEN_TEXT, retryAfterMs: null };
  if (is?.hasPaid) return [];
  const as = is?.isOwn ? "profile" : "stranger";
  const { own, shared } = promptAllowances(phone, userId, as);
  const within = sql.join(own.map(isWithin), sql` AND `);
  const { rung } = await write(db, {
    rung: [
      ...own.map((allowance) => countOne(allowance, now)),
      ...shared.map((allowance) => countOne(allowance, now, within)),
    ],
  });
  const counted = [...own, ...shared];
  const usedUp = counted.filter(({ max }, n) => countIn(rung[n]) > max);
  if (usedUp.length === 0) return counted;
  const error = as === "profile" ? PROMPTED_TOO_OFTEN_TEXT : STRANGER_PROMPTED_TOO_OFTEN_TEXT;
  return {
    ok: false,
    code: "phone_busy",
    error,
    retryAfterMs: Math.max(...usedUp.map(({ windowMs }) => windowMs)),
  };
}

/**
 * The phone didn't ring after all: M-Pesa refused the prompt, or somebody was faster. If this fails the count stays,
 * which only makes the phone's allowance smaller.
 */
async function uncountPrompt({ db, log }: PaymentServices, counted: readonly Allowance[]): Promise<void> {
  if (counted.length === 0) return;
  try {
    await write(db, counted.map(uncountOne));
  } catch (error) {
    log({ event: "prompt_not_uncounted", level: "warn", error: String(error) });
  }
}

/** The attempt reserves the pieces of its order, which its buyer waits for no more. */
function reservePieces({ payableId, userId }: Payable, now: number): Statement[] {
  const ordered = orderedListings(payableId);
  return [endWaits(userId, ordered), ...afterReservationsChanged(ordered, now)];
}

/**
 * Writes the attempt and marks its order or plan as being paid. "live" if another request for it was faster; "changed"
 * also if the pieces of the order could not be reserved.
 */
async function openAttempt(services: PaymentServices, payable: Payable) {
  const now = services.now();
  const attempt = { id: crypto.randomUUID(), callbackToken: newCallbackToken() };
  try {
    await write(services.db, [
      build.insert(paymentAttempts).values({
        id: attempt.id,
        purpose: payable.purpose,
        ...(payable.purpose === "order"
          ? { orderId: payable.payableId, reservesStock: true }
          : { subscriptionId: payable.payableId }),
        userId: payable.userId,
        phone: payable.phone,
        amount: payable.amount,
        callbackToken: attempt.callbackToken,
        nextQueryAt: nextQueryAt(now, 0, now),
        createdAt: now,
        updatedAt: now,
      }),
      ...(payable.purpose === "order" ? reservePieces(payable, now) : []),
      payable.markPaying(now),
      expectOneChange(),
      // Abandoned after `findPromptObstacle` looked. The prompt on this phone may still be open.
      expectThat(
        not(
          hasRow(
            paymentAttempts,
            and(
              eq(paymentAttempts.phone, payable.phone),
              gt(paymentAttempts.createdAt, now - ATTEMPT_WINDOW_MS),
              stateIs(paymentAttempts.state, ATTEMPT.isExpired),
              eq(paymentAttempts.failureReason, "abandoned"),
            ),
          ),
        ),
      ),
    ]);
    return attempt;
  } catch (error) {
    if (error instanceof UniqueViolation) return "live";
    if (error instanceof PreconditionFailed) return "changed";
    // The attempt may have been written, and nothing was sent for it. So the buyer need not wait for its end.
    if (isAway(error)) await keepOrLog(services, { kind: "push", attemptId: attempt.id, answer: UNSENT });
    throw error;
  }
}

/**
 * Applies M-Pesa's answer. While the database is away, the answer is kept for the job. The buyer then reads that the
 * prompt is on its way, or that nothing was sent. Until the job runs, the row of this attempt holds off a second
 * prompt.
 */
async function concludePush(
  services: PaymentServices,
  attemptId: string,
  payableId: string,
  answer: PushAnswer,
): Promise<Requested> {
  const applied = await applyOrKeep(services, { kind: "push", attemptId, answer }, async () => {
    await applyPushAnswer(services, attemptId, answer);
    return true;
  });
  // Perhaps it was our own token that could not be read. In any case nobody was asked.
  if (answer.kind === "refused" && !applied) return UNSENT_RESULT;
  if (answer.kind === "refused")
    return { ok: false, code: "refused", error: FAILURE_TEXTS[answer.reason], retryAfterMs: answer.retryAfterMs };
  const checkoutRequestId = answer.kind === "accepted" ? answer.checkoutRequestId : null;
  return { ok: true, kind: "requested", attemptId, payableId, checkoutRequestId };
}

/** Applies M-Pesa's answer to a prompt. Safe to repeat. */
export async function applyPushAnswer(services: PaymentServices, attemptId: string, answer: PushAnswer): Promise<void> {
  switch (answer.kind) {
    case "accepted": {
      const { checkoutRequestId, merchantRequestId } = answer;
      await applyAttemptEvent(services, attemptId, { event: "accepted", checkoutRequestId, merchantRequestId });
      return;
    }
    case "unknown":
      // The prompt may be on the phone. The buyer waits as if it were, and only a callback can tell.
      await applyAttemptEvent(services, attemptId, { event: "lost", code: answer.code, message: answer.message });
      return;
    case "refused": {
      const { code, message, reason } = answer;
      await applyAttemptEvent(services, attemptId, { event: "refused", code, message, reason });
    }
  }
}
