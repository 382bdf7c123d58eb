/**
 * What a callback must prove before a payment counts, and what happens to one that proves too little or contradicts
 * itself.
 */
import { eq } from "drizzle-orm";
import { DrizzleQueryError } from "drizzle-orm/errors";
import { beforeEach, expect, test } from "vitest";
import { discrepancies, paymentCallbacks } from "#app/payments/tables.server.ts";
import { applyLeftoverCallback, leftoverCallbacks, takeCallback } from "#app/payments/answers/callbacks.server.ts";
import { receiveCallback } from "#tests/support/callbacks.ts";
import type { PaymentGateway, PushOutcome } from "#app/payments/gateway.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { queryAttempt } from "#app/payments/collect/queries.server.ts";
import { advancePayments } from "#app/payments/advance-payments.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { REVIEW_TEXTS } from "#app/payments/payment-texts.ts";
import { ATTEMPT_WINDOW_MS } from "#app/payments/collect/attempt-rules.ts";
import {
  booksOff,
  type Deal,
  db,
  makeDeal,
  readAttempts,
  quietServices,
  readOrder,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { newReceipt } from "#tests/support/paid-deal.ts";

const HOUR = 60 * 60_000;

let deal: Deal;
beforeEach(async () => {
  deal = await makeDeal();
  await requestOrderPayment(quietServices(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
});

async function attemptNow() {
  const [attempt] = await readAttempts(deal.orderId);
  if (!attempt) throw new Error("no attempt");
  return attempt;
}

/** M-Pesa's callback with this result and these metadata items, as it arrives. */
async function callbackOf(resultCode: number, items?: { Name: string; Value: unknown }[]) {
  const attempt = await attemptNow();
  const stkCallback = {
    MerchantRequestID: "1",
    CheckoutRequestID: attempt.checkoutRequestId ?? `ws_CO_${attempt.id}`,
    ResultCode: resultCode,
    ResultDesc: "said so",
    ...(items && { CallbackMetadata: { Item: items } }),
  };
  const body = JSON.stringify({ Body: { stkCallback } });
  return { kind: "push", token: attempt.callbackToken, body } as const;
}

/** The same callback, stored and applied. Returns the outcome. */
async function callback(...report: Parameters<typeof callbackOf>): Promise<string> {
  return receiveCallback(servicesAt(), await callbackOf(...report));
}

/** The same callback, stored by a worker that was stopped before it applied it. Returns its id. */
async function storeOnly(...report: Parameters<typeof callbackOf>): Promise<string> {
  const incoming = { ...(await callbackOf(...report)), sourceAddress: null, requestId: "r" };
  const taken = await takeCallback(servicesAt(), incoming, async () => false);
  return taken.kind === "stored" ? taken.stored.id : "";
}

/** Applies what is left over, as the job does. */
async function applyLeftovers(services: PaymentServices): Promise<void> {
  for (const leftover of await leftoverCallbacks(db, services.now(), 50))
    await applyLeftoverCallback(services, leftover);
}

const amountItem = (value: unknown) => ({ Name: "Amount", Value: value });
const receiptItem = (value = newReceipt()) => ({ Name: "MpesaReceiptNumber", Value: value });

/** Sets the answer to the next query. */
async function query(outcome: PushOutcome): Promise<void> {
  const services = servicesAt();
  const queryPush: PaymentGateway["queryPush"] = async () => outcome;
  await queryAttempt({ ...services, gateway: { ...services.gateway, queryPush } }, (await attemptNow()).id);
}

const FAILED = (code: string): PushOutcome => ({ kind: "failed", code, message: "x", reason: "cancelled" });

async function openKinds(): Promise<string[]> {
  const rows = await db
    .select()
    .from(discrepancies)
    .where(eq(discrepancies.subject, (await attemptNow()).id));
  return rows.filter(({ resolvedAt }) => resolvedAt === null).map(({ kind }) => kind);
}

async function expectHeld(): Promise<void> {
  expect(await attemptNow()).toMatchObject({ state: "held", confirmedAt: null });
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "processing", paymentReview: "mismatch" });
  expect(await openKinds()).toEqual(["payment_mismatch"]);
  expect(await booksOff()).toEqual({});
}

test.each([
  ["one shilling less", (amount: number) => amount - 1],
  ["one shilling more", (amount: number) => amount + 1],
  ["one shilling", () => 1],
  ["nothing", () => 0],
  ["one cent less", (amount: number) => amount - 0.01],
  ["a negative amount", (amount: number) => -amount],
  ["a third decimal", (amount: number) => amount + 0.001],
  ["an exponent", () => 1e21],
  ["true", () => true],
  ["an object", () => ({})],
  ["an empty text", () => ""],
])("a success with %s is held, keeps its receipt, and no query settles it", async (_case, amountOf) => {
  const receipt = newReceipt();
  expect(await callback(0, [amountItem(amountOf(deal.amount)), receiptItem(receipt)])).toBe("applied");
  await expectHeld();
  expect((await attemptNow()).receipt).toBe(receipt);
  await query({ kind: "done" });
  await expectHeld();
});

test("an amount that is given twice with different values is held", async () => {
  await callback(0, [amountItem(deal.amount), receiptItem(), amountItem(1)]);
  await expectHeld();
});

test.each([
  ["without metadata", () => undefined],
  ["without an amount", () => [receiptItem()]],
  ["without a receipt", () => [amountItem(deal.amount)]],
])("a success %s settles nothing, and a person is told until a query confirms it", async (_case, items) => {
  const given = items();
  expect(await callback(0, given)).toBe("awaiting_query");
  expect((await attemptNow()).state).toBe("pushed");
  expect(await openKinds()).toEqual(["payment_in_doubt"]);

  await query({ kind: "done" });
  const receipt = given?.find(({ Name }) => Name === "MpesaReceiptNumber")?.Value ?? null;
  expect(await attemptNow()).toMatchObject({ state: "succeeded", receipt });
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed", receipt });
  expect(await openKinds()).toEqual([]);
  expect(await booksOff()).toEqual({});
});

test.each(["1032", "1037"])("a success without metadata, and then a query that says %s, is held", async (code) => {
  await callback(0);
  await query(FAILED(code));
  await expectHeld();
});

test("a failure, then a success without metadata, and then the failure again is held", async () => {
  await callback(1032);
  expect((await readOrder(deal.orderId)).paymentStatus).toBe("failed");
  await callback(0);
  await query(FAILED("1032"));
  await expectHeld();
});

test("a success without metadata that no query answers is held when its window ends", async () => {
  await callback(0);
  const services = servicesAt(ATTEMPT_WINDOW_MS + 1_000);
  const queryPush: PaymentGateway["queryPush"] = async () => ({ kind: "pending" });
  await advancePayments({ ...services, gateway: { ...services.gateway, queryPush } });
  await expectHeld();
});

test("a buyer who presses Pay before the job has held such a payment is told not to pay again", async () => {
  await callback(0);
  const pressed = await requestOrderPayment(servicesAt(ATTEMPT_WINDOW_MS + 1_000), {
    orderId: deal.orderId,
    userId: deal.buyerId,
    phone: uniquePhone("00"),
  });
  expect(pressed).toMatchObject({ ok: false, code: "in_progress", error: REVIEW_TEXTS.mismatch });
  expect(await readAttempts(deal.orderId)).toHaveLength(1);
  await expectHeld();
});

/** Asks for a new order, with a lost answer. `beforeAnswer` happens after the request and before its answer. */
async function askWithLostAnswer(code: string, beforeAnswer = async () => {}): Promise<void> {
  deal = await makeDeal();
  const services = servicesAt();
  const push: PaymentGateway["push"] = async () => {
    await beforeAnswer();
    return { kind: "unknown", code, message: "Success" };
  };
  await requestOrderPayment(
    { ...services, gateway: { ...services.gateway, push } },
    { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") },
  );
}

test("the code 0 of an answer that was lost is no report of a payment", async () => {
  await askWithLostAnswer("0");
  expect(await attemptNow()).toMatchObject({ state: "unknown", resultCode: null, resultDesc: "0: Success" });
  await advancePayments(servicesAt(ATTEMPT_WINDOW_MS + 1_000));
  expect((await attemptNow()).state).toBe("expired");
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "failed", paymentReview: null });
});

test("a success without metadata that comes before a lost answer is still held when its window ends", async () => {
  await askWithLostAnswer("http_504", async () => {
    expect(await callback(0)).toBe("awaiting_query");
  });
  await advancePayments(servicesAt(ATTEMPT_WINDOW_MS + 1_000));
  await expectHeld();
});

test("a receipt without an amount that belongs to another payment is held", async () => {
  const receipt = newReceipt();
  await callback(0, [amountItem(deal.amount), receiptItem(receipt)]);
  deal = await makeDeal();
  await requestOrderPayment(quietServices(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
  await callback(0, [receiptItem(receipt)]);
  await expectHeld();
  expect((await attemptNow()).receipt).toBeNull();
});

test("a payment that a query has confirmed takes its receipt from a callback without an amount", async () => {
  await query({ kind: "done" });
  expect(await attemptNow()).toMatchObject({ state: "succeeded", receipt: null });
  const receipt = newReceipt();
  await callback(0, [receiptItem(receipt)]);
  expect((await attemptNow()).receipt).toBe(receipt);
  expect((await readOrder(deal.orderId)).receipt).toBe(receipt);
});

test("a payer has five minutes to the millisecond: the prompt stays open until then, and the next one may go out at once", async () => {
  const { createdAt } = await attemptNow();
  const after = (ms: number) => ({ ...servicesAt(), now: () => createdAt + ms });
  const payAgain = (ms: number) =>
    requestOrderPayment(after(ms), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
  await advancePayments(after(ATTEMPT_WINDOW_MS - 1));
  expect(await payAgain(ATTEMPT_WINDOW_MS - 1)).toMatchObject({ ok: false, code: "in_progress" });
  expect((await attemptNow()).state).toBe("pushed");
  expect(await payAgain(ATTEMPT_WINDOW_MS)).toMatchObject({ ok: true, kind: "requested" });
  expect((await attemptNow()).state).toBe("expired");
});

test("a run of the job closes a prompt in the millisecond in which its five minutes are over", async () => {
  const { createdAt } = await attemptNow();
  await advancePayments({ ...servicesAt(), now: () => createdAt + ATTEMPT_WINDOW_MS });
  expect((await attemptNow()).state).toBe("expired");
});

test("a stored callback that nobody has tried to apply is applied days later", async () => {
  const receipt = newReceipt();
  await storeOnly(0, [amountItem(deal.amount), receiptItem(receipt)]);
  await applyLeftovers(servicesAt(48 * HOUR));
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed", receipt });
});

test("a stored callback that fails is tried again for a day, and then left to the person who was told", async () => {
  const id = await storeOnly(0, [amountItem(deal.amount), receiptItem()]);
  let tries = 0;
  const readPushCallback: PaymentGateway["readPushCallback"] = () => {
    tries += 1;
    throw new DrizzleQueryError("select ? from t", ["a token"], new Error("no such table"));
  };
  for (const hours of [1, 23, 25]) {
    const services = servicesAt(hours * HOUR);
    await applyLeftovers({ ...services, gateway: { ...services.gateway, readPushCallback } });
  }
  expect(tries).toBe(2);
  expect(await db.select().from(paymentCallbacks).where(eq(paymentCallbacks.id, id))).toMatchObject([
    { outcome: "failed", appliedAt: null },
  ]);
  expect(await db.select().from(discrepancies).where(eq(discrepancies.subject, id))).toMatchObject([
    { kind: "callback_failed", resolvedAt: null, detail: expect.stringMatching(/select \? from t$/) },
  ]);
});
