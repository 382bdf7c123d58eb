/** What buyers and sellers meet when M-Pesa, what stands in front of it, or our own settings are at fault. */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newMeter } from "#app/db/meter.ts";
import { discrepancies } from "#app/payments/tables.server.ts";
import { leases } from "#app/db/tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { PAYMENTS_DOWN_TEXT } from "#app/payments/payment-texts.ts";
import { queryAttempt } from "#app/payments/collect/queries.server.ts";
import { advancePayments } from "#app/payments/advance-payments.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { createServices } from "#workers/services.ts";
import { receiveCallback } from "#tests/support/callbacks.ts";
import {
  type Deal,
  db,
  makeDeal,
  readAttempts,
  readOrder,
  readPayout,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { agreeOn, payDeal } from "#tests/support/paid-deal.ts";

const sandbox = env.SANDBOX_OBJECT.getByName("sandbox");

beforeEach(async () => {
  await db.delete(discrepancies);
  await db.delete(leases);
  await env.DB.prepare("DELETE FROM daraja_tokens").run();
});
afterEach(async () => {
  await sandbox.changeSettings(null);
  await sandbox.changeSettings({ pace: 0 });
});

/** The app on a production site that lacks a setting. */
function misconfigured(offsetMs = 0) {
  const bindings = { ...env, DARAJA_MODE: "production", DARAJA_PASSKEY: "" };
  const now = () => Date.now() + offsetMs;
  return createServices(bindings, { waitUntil: () => {}, requestId: "test", meter: newMeter() }, now);
}

function pay(services: ReturnType<typeof servicesAt>, deal: Deal) {
  return requestOrderPayment(services, { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
}

const raised = async () => (await db.select().from(discrepancies)).map(({ kind }) => kind);

/** A deal that is over, so that its seller is to be paid. */
async function earnedDeal(): Promise<Deal> {
  const deal = await payDeal();
  await agreeOn(deal);
  await db.update(orderItems).set({ status: "delivered" }).where(eq(orderItems.id, deal.itemId));
  await applyDealEvent(servicesAt(), { itemId: deal.itemId, event: "accepted", by: deal.buyerId });
  return deal;
}

test("a missing setting refuses before anything is written, and our team is told once for all buyers", async () => {
  const deals = [await makeDeal(), await makeDeal()];
  for (const deal of deals) {
    const answer = await pay(misconfigured(), deal);
    expect(answer).toEqual({ ok: false, code: "refused", error: PAYMENTS_DOWN_TEXT, retryAfterMs: null });
    expect(await readAttempts(deal.orderId)).toEqual([]);
    expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "pending", paymentFailure: null });
  }
  const [told, ...others] = await db.select().from(discrepancies);
  expect(told).toMatchObject({ kind: "gateway_configuration" });
  expect(told?.detail).toContain("passkey");
  expect(others).toEqual([]);
  // Once it is mended, the same buyer pays.
  expect(await pay(servicesAt(), deals[0]!)).toMatchObject({ ok: true, kind: "requested" });
});

test("while a setting is missing, nothing is claimed, counted or looked up, and all of it goes on afterwards", async () => {
  const earned = await earnedDeal();
  const asked = await makeDeal();
  await pay(servicesAt(), asked);
  await advancePayments(misconfigured(2 * 60_000));
  expect(await readPayout(earned.itemId)).toMatchObject({ state: "due", sendCount: 0 });
  expect(await readAttempts(asked.orderId)).toMatchObject([{ state: "pushed", queryCount: 0 }]);
  expect(await raised()).toEqual(["gateway_configuration"]);
  await advancePayments(servicesAt(2 * 60_000));
  expect(await readPayout(earned.itemId)).toMatchObject({ state: "sent", sendCount: 1 });
  expect(await readAttempts(asked.orderId)).toMatchObject([{ queryCount: 1 }]);
});

test("a firewall in front of M-Pesa refuses the payment, and nobody waits for a prompt", async () => {
  await sandbox.changeSettings({ html403: 2 });
  for (const deal of [await makeDeal(), await makeDeal()]) {
    expect(await pay(servicesAt(), deal)).toMatchObject({ ok: false, code: "refused", error: PAYMENTS_DOWN_TEXT });
    expect(await readAttempts(deal.orderId)).toMatchObject([{ state: "refused", nextQueryAt: null }]);
    expect(await readOrder(deal.orderId)).toMatchObject({
      paymentStatus: "failed",
      paymentFailure: "provider_blocked",
    });
  }
  expect(await raised()).toEqual(["push_configuration"]);
  // The buyer may try again at once.
  await sandbox.changeSettings({ html403: 1 });
  const deal = await makeDeal();
  await pay(servicesAt(), deal);
  expect(await pay(servicesAt(), deal)).toMatchObject({ ok: true, kind: "requested" });
});

test("a page at the token endpoint stops no payouts, and neither does one refused remark", async () => {
  const first = await earnedDeal();
  await env.DB.prepare("DELETE FROM daraja_tokens").run();
  await sandbox.changeSettings({ tokenPage: 1 });
  await advancePayments(servicesAt(60_000));
  expect(await readPayout(first.itemId)).toMatchObject({ state: "due", waitReason: "provider_busy" });
  const second = await earnedDeal();
  await sandbox.changeSettings({ badRemarks: 1 });
  await advancePayments(servicesAt(4 * 60_000));
  const states = [(await readPayout(first.itemId))?.state, (await readPayout(second.itemId))?.state];
  expect(states.toSorted()).toEqual(["parked", "sent"]);
  expect(await raised()).toEqual(["payout_parked"]);
});

async function report(deal: Deal, ResultCode: number) {
  const [attempt] = await readAttempts(deal.orderId);
  const stkCallback = {
    MerchantRequestID: "1",
    CheckoutRequestID: attempt?.checkoutRequestId,
    ResultCode,
    ResultDesc: "said so",
  };
  const body = JSON.stringify({ Body: { stkCallback } });
  return receiveCallback(servicesAt(), { kind: "push", token: attempt?.callbackToken ?? "", body, requestId: "r" });
}

test("a code that nobody knows is asked about at once, and ends the payment when the query names it, too", async () => {
  const deal = await makeDeal();
  await pay(servicesAt(), deal);
  expect(await report(deal, 7777)).toBe("undecided");
  const [attempt] = await readAttempts(deal.orderId);
  expect(attempt).toMatchObject({ state: "pushed", resultCode: "7777" });
  expect(attempt?.nextQueryAt).toBeLessThanOrEqual(Date.now());

  const answering = (code: string) => {
    const services = servicesAt();
    const queryPush = async () => ({ kind: "unknown" as const, code, message: "said so" });
    return { ...services, gateway: { ...services.gateway, queryPush } };
  };
  await queryAttempt(answering("8888"), attempt?.id ?? "");
  expect((await readAttempts(deal.orderId))[0]?.state).toBe("pushed");
  await queryAttempt(answering("7777"), attempt?.id ?? "");
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "failed", paymentFailure: "other" });
  expect(await raised()).toEqual([]);
});
