/** A mistyped M-Pesa number can be changed while its prompt is open, and a payment from it still counts. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { outbox } from "#app/db/tables.server.ts";
import { refunds } from "#app/payments/tables.server.ts";
import { abandonPayment } from "#app/payments/collect/abandon-payment.server.ts";
import { ATTEMPT_WINDOW_MS } from "#app/payments/collect/attempt-rules.ts";
import { advancePayments } from "#app/payments/advance-payments.server.ts";
import { requestOrderPayment, requestPlanPayment } from "#app/payments/collect/request-payment.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { eventually } from "#tests/support/eventually.ts";
import {
  booksOff,
  type Deal,
  db,
  makeDeal,
  makeProduct,
  makeUser,
  readAttempts,
  readOrder,
  runSandbox,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { paidReport } from "#tests/support/paid-deal.ts";
import { visit, wordsOf } from "#tests/support/visit.ts";
import { classifyPush, readAnswer } from "#workers/daraja/classify.ts";

let deal: Deal;
let mistyped = "";
beforeEach(async () => {
  deal = await makeDeal({ price: 700 });
  mistyped = uniquePhone("00");
});

function ask(phone: string, offsetMs = 0) {
  return requestOrderPayment(servicesAt(offsetMs), { orderId: deal.orderId, userId: deal.buyerId, phone });
}

async function askFirst(): Promise<string> {
  const asked = await ask(mistyped);
  if (!asked.ok || asked.kind !== "requested") throw new Error("not asked");
  return asked.attemptId;
}

function abandon(phone = mistyped) {
  return abandonPayment(servicesAt(), { userId: deal.buyerId, orderId: deal.orderId, phone });
}

function paymentArrives(attemptId: string) {
  return applyAttemptEvent(servicesAt(), attemptId, paidReport());
}

const refunded = async () =>
  (await db.select().from(refunds).where(eq(refunds.orderId, deal.orderId))).map(({ attemptId }) => attemptId);
const mailsAbout = async (attemptId: string) =>
  (await db.select().from(outbox)).filter(({ dedupeKey }) => dedupeKey.endsWith(attemptId));

test("the checkout's button opens the form again with the number in it, without an email, and another phone can pay", async () => {
  const first = await askFirst();
  const path = `/checkout/${deal.orderId}`;
  const waiting = await (await visit(path, { as: deal.buyerId })).text();
  expect(waiting).toContain("Use a different number");
  expect(waiting).toContain(`name="asked" value="${mistyped}"`);

  const pressed = await visit(path, { as: deal.buyerId, form: { intent: "change-number", asked: mistyped } });
  expect([pressed.status, pressed.headers.get("location")]).toEqual([302, path]);
  const form = await (await visit(path, { as: deal.buyerId })).text();
  expect(wordsOf(form)).toContain("Enter a different M-Pesa number");
  expect(wordsOf(form)).toContain("Pay KES 700.00 with M-Pesa");
  expect(form).not.toContain("Payment failed");
  expect(await readOrder(deal.orderId)).toMatchObject({
    paymentStatus: "pending",
    paymentFailure: "abandoned",
    phoneNumber: mistyped,
  });
  expect(await mailsAbout(first)).toEqual([]);

  expect(await ask(uniquePhone("77"))).toMatchObject({ ok: true, kind: "requested" });
  await runSandbox();
  await eventually(async () =>
    expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed", paymentFailure: null }),
  );
});

test("the same phone is asked again only once its open prompt is over, and the time that is left is said", async () => {
  await askFirst();
  await abandon();
  const again = await ask(mistyped);
  expect(again).toMatchObject({ ok: false, code: "phone_busy" });
  if (again.ok || again.code === "not_found") throw new Error("not refused");
  expect(again.error).toContain("try this number again in 5 minutes.");
  expect(again.retryAfterMs).toBeLessThanOrEqual(ATTEMPT_WINDOW_MS);
  expect(await ask(mistyped, ATTEMPT_WINDOW_MS - 2_000)).toMatchObject({ code: "phone_busy" });
  expect(await readAttempts(deal.orderId)).toHaveLength(1);
  await ask(mistyped, ATTEMPT_WINDOW_MS + 1);
  expect(await readAttempts(deal.orderId)).toHaveLength(2);
});

test("the first phone pays after all: the order is paid, and a second payment comes back", async () => {
  const first = await askFirst();
  await abandon();
  const asked = await ask(uniquePhone("00"));
  if (!asked.ok || asked.kind !== "requested") throw new Error("not asked");
  expect(await paymentArrives(first)).toBe("applied");
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed", phoneNumber: mistyped });
  expect(await paymentArrives(asked.attemptId)).toBe("applied");
  expect(await refunded()).toEqual([asked.attemptId]);
  expect(await booksOff()).toEqual({});
});

test("the second phone pays first: what the first one pays later comes back", async () => {
  const first = await askFirst();
  await abandon();
  const asked = await ask(uniquePhone("00"));
  if (!asked.ok || asked.kind !== "requested") throw new Error("not asked");
  await paymentArrives(asked.attemptId);
  await paymentArrives(first);
  expect(await refunded()).toEqual([first]);
  expect(await booksOff()).toEqual({});
});

test("that the first phone declines later is nobody's news", async () => {
  const first = await askFirst();
  await abandon();
  const declined = { event: "declined", code: "1032", message: "", reason: "cancelled" } as const;
  await applyAttemptEvent(servicesAt(), first, declined);
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "pending", paymentFailure: "abandoned" });
  expect(await mailsAbout(first)).toEqual([]);
  // Its prompt is over, so it may be asked again.
  await ask(mistyped);
  expect(await readAttempts(deal.orderId)).toHaveLength(2);
});

test("an old tab abandons neither the newer request nor a payment, and nobody abandons another's", async () => {
  const first = await askFirst();
  const others = { userId: deal.sellerId, orderId: deal.orderId, phone: mistyped };
  expect(await abandonPayment(servicesAt(), others)).toBe(false);
  expect(await Promise.all([abandon(), abandon()])).toContain(true);
  const next = uniquePhone("00");
  await ask(next);
  expect(await abandon()).toBe(false);
  expect((await readAttempts(deal.orderId)).map(({ state }) => state)).toEqual(["expired", "pushed"]);
  await paymentArrives(first);
  await applyAttemptEvent(servicesAt(), first, { event: "abandoned" });
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed" });
});

test("once M-Pesa has reported a payment, even without proof, its phone is waited for", async () => {
  const first = await askFirst();
  const [attempt] = await readAttempts(deal.orderId);
  const body = {
    Body: {
      stkCallback: {
        MerchantRequestID: attempt?.merchantRequestId,
        CheckoutRequestID: attempt?.checkoutRequestId,
        ResultCode: 0,
        ResultDesc: "The service request is processed successfully.",
      },
    },
  };
  await visit(`/hooks/pay/s/${attempt?.callbackToken}`, { body: JSON.stringify(body), method: "POST" });
  expect(await abandon()).toBe(false);
  expect((await readAttempts(deal.orderId)).map(({ id, state }) => [id, state])).toEqual([[first, "pushed"]]);
});

test("a number can be changed after an answer that accepted the prompt without an id", async () => {
  const services = servicesAt();
  const push = async () => classifyPush(readAnswer(200, JSON.stringify({ ResponseCode: "0" })));
  await requestOrderPayment(
    { ...services, gateway: { ...services.gateway, push } },
    { orderId: deal.orderId, userId: deal.buyerId, phone: mistyped },
  );
  expect(await readAttempts(deal.orderId)).toMatchObject([{ state: "unknown", resultCode: null }]);
  expect(await abandon()).toBe(true);
  expect(await ask(uniquePhone("00"))).toMatchObject({ ok: true, kind: "requested" });
});

test("an abandoned attempt is still asked about, and a success that only a query tells counts", async () => {
  const phone = uniquePhone("05");
  await ask(phone);
  await abandon(phone);
  await runSandbox();
  await advancePayments(servicesAt(ATTEMPT_WINDOW_MS));
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed" });
});

test("the number of a plan's payment can be changed too", async () => {
  const userId = await makeUser();
  await makeProduct(userId);
  const asked = await requestPlanPayment(servicesAt(), { userId, plan: "weekly_featured", phone: mistyped });
  if (!asked.ok || asked.kind !== "requested") throw new Error("not asked");
  const path = `/subscription?plan=weekly_featured&payment=${asked.payableId}`;
  const pressed = await visit(path, { as: userId, form: { intent: "change-number", asked: mistyped } });
  expect([pressed.status, pressed.headers.get("location")]).toEqual([302, path]);
  const page = await (await visit(path, { as: userId })).text();
  expect(wordsOf(page)).toContain("Enter a different M-Pesa number");
  const phone = uniquePhone("00");
  expect(await requestPlanPayment(servicesAt(), { userId, plan: "weekly_featured", phone })).toMatchObject({
    ok: true,
  });
});
