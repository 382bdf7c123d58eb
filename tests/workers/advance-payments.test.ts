/** Which payments a run of the job asks M-Pesa about first, and when it leaves the rest to the next run. */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { discrepancies, paymentAttempts } from "#app/payments/tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { deliverItem } from "#app/deals/fulfilment.server.ts";
import { QUERY_SCHEDULE_MS } from "#app/payments/collect/attempt-rules.ts";
import type { PushOutcome } from "#app/payments/gateway.ts";
import { queryAttempt } from "#app/payments/collect/queries.server.ts";
import { advancePayments } from "#app/payments/advance-payments.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { gatewayTo } from "#tests/support/daraja-gateway.ts";
import { makeDeal, readAttempts, servicesAt, uniquePhone, db } from "#tests/support/fixtures.ts";

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;

beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare("UPDATE payment_attempts SET next_query_at = NULL"),
    env.DB.prepare("UPDATE payouts SET next_action_at = NULL"),
    env.DB.prepare("DELETE FROM leases"),
  ]);
});

/**
 * Services with their own clock, whose M-Pesa gives no final answer, after `answerMs`; and the queries it got, in
 * order.
 */
function slowMpesa(answerMs: number, querySpacingMs = 0) {
  const started = Date.now();
  let at = started;
  const asked: { what: string; after: number }[] = [];
  const ask = (what: string) => {
    asked.push({ what, after: at - started });
    at += answerMs;
  };
  const real = servicesAt();
  const services: PaymentServices = {
    ...real,
    now: () => at,
    pause: async (ms) => {
      at += ms;
    },
    payments: { ...real.payments, querySpacingMs },
    gateway: {
      ...real.gateway,
      queryPush: async (checkoutRequestId) => {
        ask(checkoutRequestId);
        return { kind: "pending" };
      },
      payOut: async () => {
        ask("payout");
        return { kind: "accepted", providerConversationId: crypto.randomUUID() };
      },
    },
  };
  return { services, asked };
}

/** An order whose payment M-Pesa has reported and no query has confirmed. */
async function paidDeal() {
  const deal = await makeDeal();
  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
  const [attempt] = await readAttempts(deal.orderId);
  if (!attempt?.checkoutRequestId) throw new Error("no attempt");
  const receipt = attempt.id.slice(0, 8).toUpperCase();
  await applyAttemptEvent(servicesAt(), attempt.id, {
    event: "paid",
    receipt,
    paidAt: null,
    checkoutRequestId: attempt.checkoutRequestId,
  });
  return { ...deal, attemptId: attempt.id, checkoutRequestId: attempt.checkoutRequestId };
}

/** A confirmed payment whose item was delivered: its payout is due. */
async function duePayout() {
  const deal = await paidDeal();
  await applyAttemptEvent(servicesAt(), deal.attemptId, { event: "confirmed" });
  await db.update(orderItems).set({ status: "shipped" }).where(eq(orderItems.id, deal.itemId));
  expect(await deliverItem(servicesAt(), { itemId: deal.itemId, sellerId: deal.sellerId })).toMatchObject({ ok: true });
}

/** Prompts that nobody answered. Their next query has been due for a minute. */
async function dueQueries(count: number): Promise<void> {
  const deal = await makeDeal();
  const due = Date.now() - 60 * SECOND;
  await env.DB.batch(
    Array.from({ length: count }, () =>
      env.DB.prepare(
        `INSERT INTO payment_attempts (id, purpose, order_id, user_id, phone, amount, state, callback_token,
          checkout_request_id, failure_reason, next_query_at, created_at, updated_at)
          VALUES (?1, 'order', ?2, ?3, '254722000020', 1900, 'failed', ?1, ?1, 'no_answer', ?4, ?4, ?4)`,
      ).bind(crypto.randomUUID(), deal.orderId, deal.buyerId, due),
    ),
  );
}

test("a payout that is due does not wait for the queries, and no query starts after 40 s", async () => {
  await duePayout();
  await dueQueries(15);
  const { services, asked } = slowMpesa(7 * SECOND);
  expect(await advancePayments(services)).toMatchObject({ payouts: 1, queried: 6 });
  expect(asked.map(({ what }) => (what === "payout" ? what : "query"))).toEqual([
    "payout",
    ...Array.from({ length: 6 }, () => "query"),
  ]);
  expect(asked.at(-1)?.after).toBe(42 * SECOND);
  // The next run continues with the rest.
  expect((await advancePayments(services)).queried).toBe(6);
  expect(new Set(asked.map(({ what }) => what)).size).toBe(13);
});

/** The real client. Its M-Pesa never answers the first query, and says of every other that the prompt was refused. */
function hangingMpesa(timeoutMs: number) {
  const asked: string[] = [];
  const gateway = gatewayTo(
    {
      fetch: async (_url, { body, signal }) => {
        const { CheckoutRequestID } = JSON.parse(String(body)) as { CheckoutRequestID: string };
        asked.push(CheckoutRequestID);
        if (asked.length === 1)
          await new Promise((_, fail) => {
            signal?.addEventListener("abort", () => fail(new Error("ended")));
          });
        return Response.json({
          ResponseCode: "0",
          ResultCode: "1032",
          ResultDesc: "Request canceled",
          CheckoutRequestID,
        });
      },
      tokens: {
        current: async () => ({ kind: "token", accessToken: "token", generation: 1 }),
        renew: async () => ({ kind: "token", accessToken: "token", generation: 2 }),
      },
    },
    timeoutMs,
  );
  return { gateway, asked };
}

test("a query that hangs ends at its time limit, and the others are asked in the same run", async () => {
  await dueQueries(3);
  const { gateway, asked } = hangingMpesa(50);
  const outcomes: unknown[] = [];
  const log: PaymentServices["log"] = (event) => {
    if (event.event === "attempt_queried") outcomes.push("outcome" in event && event.outcome);
  };
  const startedAt = Date.now();
  expect(await advancePayments({ ...servicesAt(), gateway, log })).toMatchObject({ queried: 3 });
  expect(outcomes).toEqual(["unknown", "failed", "failed"]);
  expect(new Set(asked).size).toBe(3);
  // It is asked again later.
  const [hung] = await db
    .select()
    .from(paymentAttempts)
    .where(eq(paymentAttempts.id, asked[0] ?? ""));
  expect(hung?.nextQueryAt).toBeGreaterThan(startedAt);
});

test("when M-Pesa needs 30 s for each payout, a run sends two, and the next run goes on", async () => {
  for (let n = 0; n < 3; n += 1) await duePayout();
  const { services, asked } = slowMpesa(30 * SECOND);
  expect((await advancePayments(services)).payouts).toBe(2);
  expect(asked).toHaveLength(2);
  expect((await advancePayments(services)).payouts).toBe(1);
  expect(asked).toHaveLength(3);
});

test("a payment that waits for its confirmation is asked about before the prompts that nobody answered", async () => {
  await dueQueries(30);
  const paid = await paidDeal();
  await db.update(paymentAttempts).set({ nextQueryAt: Date.now() }).where(eq(paymentAttempts.id, paid.attemptId));
  const { services, asked } = slowMpesa(SECOND, 12 * SECOND);
  await advancePayments(services);
  expect(asked[0]?.what).toBe(paid.checkoutRequestId);
  expect(asked.length).toBeLessThan(6);
});

/** A phone that didn't answer, at its last scheduled query; `answers` are what M-Pesa then says, one a day. */
async function askDaily(answers: ("pending" | "failed" | "done")[]) {
  const deal = await makeDeal();
  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
  const [attempt] = await readAttempts(deal.orderId);
  if (!attempt) throw new Error("no attempt");
  const message = "No response from user.";
  await applyAttemptEvent(servicesAt(), attempt.id, { event: "declined", code: "1037", message, reason: "no_answer" });
  const asked = QUERY_SCHEDULE_MS.length - 1;
  await db.update(paymentAttempts).set({ queryCount: asked }).where(eq(paymentAttempts.id, attempt.id));
  for (const [day, kind] of answers.entries()) {
    const real = servicesAt();
    const answer: PushOutcome = kind === "failed" ? { kind, code: "1037", message, reason: "no_answer" } : { kind };
    await queryAttempt(
      {
        ...real,
        now: () => attempt.createdAt + (day + 1) * DAY,
        gateway: { ...real.gateway, queryPush: async () => answer },
      },
      attempt.id,
    );
  }
  const [after] = await readAttempts(deal.orderId);
  const doubts = await db.select().from(discrepancies).where(eq(discrepancies.subject, attempt.id));
  return { state: after?.state, asksAgain: after?.nextQueryAt !== null, doubts: doubts.map(({ kind }) => kind) };
}

test("a phone that didn't answer is asked about each day until M-Pesa gives a final answer", async () => {
  expect(await askDaily(["pending"])).toEqual({ state: "failed", asksAgain: true, doubts: [] });
  expect(await askDaily(["failed"])).toEqual({ state: "failed", asksAgain: false, doubts: [] });
  expect(await askDaily(["pending", "pending", "failed"])).toEqual({ state: "failed", asksAgain: false, doubts: [] });
  expect(await askDaily(["pending", "pending", "done"])).toMatchObject({ state: "succeeded" });
  // After a week without a final answer, a person looks.
  const week = Array.from({ length: 7 }, () => "pending" as const);
  expect(await askDaily(week)).toEqual({ state: "failed", asksAgain: false, doubts: ["payment_in_doubt"] });
});
