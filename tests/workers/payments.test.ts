import { env } from "cloudflare:workers";
import { eq, like, ne } from "drizzle-orm";
import { expect, test } from "vitest";
import { cartItems } from "#app/basket/tables.server.ts";
import { discrepancies, ledgerEntries, paymentCallbacks, payouts } from "#app/payments/tables.server.ts";
import { leases, outbox } from "#app/db/tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { acceptPayment } from "#app/admin/money/money-moves.server.ts";
import { receiveCallback } from "#tests/support/callbacks.ts";
import { deliverItem } from "#app/deals/fulfilment.server.ts";
import { deliveredPayout } from "#app/payments/payment-api.server.ts";
import { startPayout } from "#app/payments/transfers/start-payout.server.ts";
import { applyKept } from "#app/payments/answers/apply-kept.server.ts";
import { keep } from "#app/payments/answers/kept.server.ts";
import { advancePayments } from "#app/payments/advance-payments.server.ts";
import { FAILURE_TEXTS } from "#app/payments/payment-texts.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { REVIEW_TEXTS } from "#app/payments/payment-texts.ts";
import { ATTEMPT_WINDOW_MS } from "#app/payments/collect/attempt-rules.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { eventually } from "#tests/support/eventually.ts";
import {
  booksOff,
  type Deal,
  db,
  makeDeal,
  makeProduct,
  makeUser,
  putInCart,
  readAttempts,
  readItem,
  readOrder,
  readPayout,
  runSandbox,
  servicesAt,
  settleDeferred,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { makeAdmin } from "#tests/support/visit.ts";
import { asPayout, reportTransfer, retryBySeller } from "#tests/support/transfers.ts";
import { keysAfter } from "#tests/support/outbox.ts";
import { letTimePass } from "#tests/support/paid-deal.ts";

const MINUTE = 60_000;

async function pay(deal: Deal, ending: string) {
  return requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone(ending) });
}

async function paidDeal(input: Parameters<typeof makeDeal>[0] = {}): Promise<Deal> {
  const deal = await makeDeal(input);
  await pay(deal, "77");
  await letTimePass();
  expect((await readOrder(deal.orderId)).paymentStatus).toBe("completed");
  return deal;
}

test("a payment settles the order, its items, the ledger, the cart and the mails together", async () => {
  const deal = await makeDeal({ price: 2_500 });
  const other = await makeProduct(deal.sellerId);
  for (const productId of [deal.productId, other]) await putInCart(deal.buyerId, productId);

  const asked = await pay(deal, "77");
  expect(asked).toMatchObject({ ok: true, kind: "requested", checkoutRequestId: expect.stringMatching(/^ws_CO_/) });
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "processing" });
  await letTimePass();

  const order = await readOrder(deal.orderId);
  expect(order).toMatchObject({ paymentStatus: "completed", orderStatus: "processing", paymentFailure: null });
  expect(order.receipt).toMatch(/^[A-Z0-9]{10}$/);
  expect((await readItem(deal.itemId)).status).toBe("processing");
  const legs = await db.select().from(ledgerEntries).where(eq(ledgerEntries.orderId, deal.orderId));
  expect(legs.map(({ account, amount }) => [account, amount])).toEqual([
    ["mpesa_collection", 2_500],
    ["escrow", -2_500],
  ]);
  const mails = (await db.select().from(outbox)).filter(
    (entry) => entry.payload.includes(deal.orderId) || entry.payload.includes(deal.itemId),
  );
  expect(mails.map((entry) => entry.dedupeKey).toSorted()).toEqual([
    `new_sale:${deal.itemId}`,
    `payment_received:${deal.orderId}`,
  ]);
  // Bought with Buy Now, and what was bought leaves the cart.
  const left = await db.select().from(cartItems).where(eq(cartItems.userId, deal.buyerId));
  expect(left.map(({ productId }) => productId)).toEqual([other]);
  expect(await booksOff()).toEqual({});
});

test("payer ending 02: the order fails with its reason, and can be paid after all", async () => {
  const deal = await makeDeal();
  await pay(deal, "02");
  await letTimePass();
  expect(await readOrder(deal.orderId)).toMatchObject({
    paymentStatus: "failed",
    paymentFailure: "insufficient_funds",
  });

  expect(await pay(deal, "77")).toMatchObject({ ok: true, kind: "requested" });
  await letTimePass();
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed", paymentFailure: null });
  expect(await booksOff()).toEqual({});
});

test("payer ending 05: a lost callback is made good by the query, the receipt stays open", async () => {
  const deal = await makeDeal();
  await pay(deal, "05");
  await letTimePass();
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "processing" });

  await advancePayments(servicesAt(31_000));
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed", receipt: null });
  expect(await booksOff()).toEqual({});
});

test("payer ending 06: two callbacks settle once", async () => {
  const deal = await makeDeal();
  await pay(deal, "06");
  await letTimePass();
  const legs = await db.select().from(ledgerEntries).where(eq(ledgerEntries.orderId, deal.orderId));
  expect(legs).toHaveLength(2);
  const [attempt] = await readAttempts(deal.orderId);
  const callbacks = await db
    .select()
    .from(paymentCallbacks)
    .where(eq(paymentCallbacks.token, attempt?.callbackToken ?? ""));
  expect(callbacks.map((callback) => callback.outcome).toSorted()).toEqual(["applied", "unchanged"]);
});

test("payer ending 07: a query that gave up is overruled by the later success", async () => {
  const deal = await makeDeal();
  await pay(deal, "07");
  await runSandbox(1);
  await advancePayments(servicesAt(31_000));
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "failed" });

  await letTimePass();
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed", paymentFailure: null });
  expect(await booksOff()).toEqual({});
});

test("payer ending 08: a wrong amount is held for a person, and nobody is asked to pay again", async () => {
  const deal = await makeDeal();
  await pay(deal, "08");
  await letTimePass();

  const [attempt] = await readAttempts(deal.orderId);
  expect(attempt?.state).toBe("held");
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "processing", paymentReview: "mismatch" });
  const raised = await db
    .select()
    .from(discrepancies)
    .where(eq(discrepancies.subject, attempt?.id ?? ""));
  expect(raised).toMatchObject([{ kind: "payment_mismatch", resolvedAt: null }]);
  expect(await pay(deal, "77")).toMatchObject({ ok: false, code: "in_progress", error: REVIEW_TEXTS.mismatch });
  // Neither the end of the window nor a query, which knows no amount, releases it.
  await advancePayments(servicesAt(2 * ATTEMPT_WINDOW_MS));
  expect((await readAttempts(deal.orderId))[0]?.state).toBe("held");
});

test("payer ending 08: M-Pesa confirms the held payment's receipt to an admin, and the order goes on", async () => {
  const deal = await makeDeal();
  await pay(deal, "08");
  await letTimePass();
  const [held] = await readAttempts(deal.orderId);
  expect(await acceptPayment(servicesAt(), await makeAdmin(), held?.id ?? "", held?.receipt ?? "")).toEqual({
    ok: true,
  });
  await runSandbox();
  await eventually(async () =>
    expect((await readAttempts(deal.orderId))[0]).toMatchObject({
      state: "succeeded",
      confirmedAt: expect.any(Number),
    }),
  );
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed", receipt: held?.receipt });
  expect(await booksOff()).toEqual({});
});

test("payer ending 09: the answer to the push is lost, the buyer waits, and the callback still finds its attempt", async () => {
  const deal = await makeDeal();
  expect(await pay(deal, "09")).toMatchObject({ ok: true, kind: "requested", checkoutRequestId: null });
  expect((await readAttempts(deal.orderId))[0]?.state).toBe("unknown");
  expect(await pay(deal, "77")).toMatchObject({ ok: false, code: "in_progress" });

  await letTimePass();
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed" });
  expect((await readAttempts(deal.orderId))[0]?.checkoutRequestId).toMatch(/^ws_CO_/);
  expect(await booksOff()).toEqual({});
});

test("a failure that a callback reports after a lost answer can still turn out to be paid", async () => {
  const deal = await makeDeal();
  await pay(deal, "09");
  const [attempt] = await readAttempts(deal.orderId);
  const failure = {
    MerchantRequestID: "m",
    CheckoutRequestID: "ws_CO_LOST",
    ResultCode: 1037,
    ResultDesc: "No response",
  };
  const body = JSON.stringify({ Body: { stkCallback: failure } });
  const token = attempt?.callbackToken ?? "";
  await receiveCallback(servicesAt(), { kind: "push", token, body });
  const [after] = await readAttempts(deal.orderId);
  expect(after).toMatchObject({ state: "failed", checkoutRequestId: "ws_CO_LOST", nextQueryAt: expect.any(Number) });
  await runSandbox();
});

test("an attempt nobody answers is closed when its window ends, and a success days later still counts", async () => {
  const deal = await makeDeal();
  await pay(deal, "00");
  const [attempt] = await readAttempts(deal.orderId);
  await advancePayments(servicesAt(ATTEMPT_WINDOW_MS + 1));
  const [after] = await readAttempts(deal.orderId);
  expect(["expired", "failed"]).toContain(after?.state);
  expect((await readOrder(deal.orderId)).paymentStatus).toBe("failed");

  await applyAttemptEvent(servicesAt(48 * 60 * MINUTE), attempt?.id ?? "", {
    event: "paid",
    receipt: "TLATE00001",
    paidAt: null,
    checkoutRequestId: attempt?.checkoutRequestId ?? "",
  });
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed", receipt: "TLATE00001" });
  await runSandbox();
});

test("a receipt that was seen before settles nothing and is held", async () => {
  const paid = await paidDeal();
  const { receipt } = await readOrder(paid.orderId);
  const other = await makeDeal();
  await pay(other, "00");
  const [attempt] = await readAttempts(other.orderId);

  await applyAttemptEvent(servicesAt(), attempt?.id ?? "", {
    event: "paid",
    receipt: receipt ?? "",
    paidAt: null,
    checkoutRequestId: attempt?.checkoutRequestId ?? "",
  });

  expect((await readAttempts(other.orderId))[0]).toMatchObject({ state: "held", receipt: null });
  expect((await readOrder(other.orderId)).paymentStatus).toBe("processing");
  await runSandbox();
});

test("a second receipt for a payment that has settled changes nothing, and a person is told", async () => {
  const deal = await paidDeal();
  const [before] = await readAttempts(deal.orderId);
  const report = {
    event: "paid",
    receipt: `${deal.orderId.slice(0, 8).toUpperCase()}ZZ`,
    paidAt: null,
    checkoutRequestId: before?.checkoutRequestId ?? null,
  } as const;
  expect(await applyAttemptEvent(servicesAt(), before?.id ?? "", report)).toBe("unchanged");
  expect((await readAttempts(deal.orderId))[0]).toEqual(before);
  const told = await db
    .select()
    .from(discrepancies)
    .where(eq(discrepancies.subject, before?.id ?? ""));
  expect(told).toMatchObject([
    { kind: "payment_mismatch", detail: `paid as ${before?.receipt}, and again as ${report.receipt}` },
  ]);
});

test("ten presses of Pay at once send one prompt", async () => {
  const deal = await makeDeal();
  const phone = uniquePhone("77");
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone }),
    ),
  );
  expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
  expect(await readAttempts(deal.orderId)).toHaveLength(1);
  await letTimePass();
});

test.each([
  ["an unknown token", () => "f".repeat(64), (body: string) => body, "unknown_token"],
  ["garbage", (token: string) => token, () => "<html>no</html>", "unreadable"],
  ["a body of a megabyte", (token: string) => token, () => "x".repeat(1_000_000), "unreadable"],
  [
    "another payment's id",
    (token: string) => token,
    (body: string) => body.replace(/ws_CO_[^"]+/, "ws_CO_01012026000000000000000000"),
    "foreign_id",
  ],
])("a forged callback with %s is kept and changes nothing", async (_case, tokenOf, bodyOf, outcome) => {
  const deal = await makeDeal();
  await pay(deal, "00");
  const [attempt] = await readAttempts(deal.orderId);
  const success = JSON.stringify({
    Body: {
      stkCallback: {
        MerchantRequestID: "1",
        CheckoutRequestID: attempt?.checkoutRequestId,
        ResultCode: 0,
        ResultDesc: "ok",
        CallbackMetadata: {
          Item: [
            { Name: "Amount", Value: deal.amount },
            { Name: "MpesaReceiptNumber", Value: "TFORGED001" },
          ],
        },
      },
    },
  });
  const token = tokenOf(attempt?.callbackToken ?? "");

  const answer = await env.APP.fetch(`https://chuoni.test/hooks/pay/s/${token}`, {
    method: "POST",
    body: bodyOf(success),
  });

  // A body that is announced as too large isn't read at all.
  expect(answer.status).toBe(outcome === "unreadable" && bodyOf(success).length > 64 * 1024 ? 413 : 200);
  await eventually(async () => {
    const kept = await db.select().from(paymentCallbacks).where(eq(paymentCallbacks.token, token));
    expect(kept.map((callback) => callback.outcome)).toContain(outcome);
  });
  expect((await readOrder(deal.orderId)).paymentStatus).toBe("processing");
  await runSandbox();
});

test("without the index of unpaid orders, only closing them fails, and our team is told", async () => {
  const deal = await makeDeal();
  await pay(deal, "77");
  await letTimePass();
  const [attempt] = await readAttempts(deal.orderId);
  await db
    .update(paymentCallbacks)
    .set({ appliedAt: null, outcome: null })
    .where(eq(paymentCallbacks.token, attempt?.callbackToken ?? ""));
  const index = await env.DB.prepare("SELECT sql FROM sqlite_master WHERE name = 'orders_unpaid'").first<string>("sql");
  await env.DB.prepare("DROP INDEX orders_unpaid").run();
  try {
    expect((await advancePayments(servicesAt(6_000))).callbacks).toBe(1);
  } finally {
    await env.DB.prepare(index ?? "").run();
  }
  const [raised] = await db.select().from(discrepancies).where(eq(discrepancies.subject, "unpaid_orders"));
  expect(raised).toMatchObject({ kind: "job_failed", resolvedAt: null });
  await db.delete(discrepancies).where(eq(discrepancies.subject, "unpaid_orders"));
});

test("a kept answer that can't be applied waits for a release that can, and our team is told", async () => {
  const DAY = 24 * 60 * MINUTE;
  const { documents } = servicesAt();
  const readRaised = () => db.select().from(discrepancies).where(eq(discrepancies.kind, "job_failed"));
  const unreadable = await keep(servicesAt(), {
    kind: "query",
    attemptId: "none",
    outcome: { kind: "failed", code: "1032", message: "Cancelled", reason: "cancelled" },
  });
  const content = (await (await documents.get(unreadable))?.text()) ?? "";
  await documents.put(unreadable, `?${content}`);
  await applyKept(servicesAt());
  await applyKept(servicesAt(29 * DAY));
  expect(await readRaised()).toMatchObject([{ subject: unreadable, resolvedAt: null }]);
  expect(await documents.head(unreadable)).not.toBeNull();

  // However many there are, what came after them is applied.
  const others = Array.from({ length: 100 }, (_, at) => `${unreadable}-${at}`);
  await Promise.all(others.map((key) => documents.put(key, "?")));
  const later = await keep(servicesAt(MINUTE), JSON.parse(content));
  await applyKept(servicesAt(MINUTE));
  expect(await documents.head(later)).toBeNull();
  await documents.delete(others);
  await db.delete(discrepancies).where(ne(discrepancies.subject, unreadable));

  await documents.put(unreadable, content);
  await applyKept(servicesAt(29 * DAY));
  expect(await readRaised()).toMatchObject([{ subject: unreadable, resolution: "applied after all" }]);
  expect(await documents.head(unreadable)).toBeNull();

  await documents.put(unreadable, `?${content}`);
  await applyKept(servicesAt(31 * DAY));
  expect(await documents.head(unreadable)).toBeNull();
});

test.each(["status = 'sold'", "deleted_at = 1", "suspended_at = 1"])(
  "nobody is asked to pay for a product that has come to %s since it was ordered",
  async (change) => {
    const deal = await makeDeal();
    await env.DB.prepare(`UPDATE products SET ${change} WHERE id = ?`).bind(deal.productId).run();
    expect(await pay(deal, "77")).toMatchObject({
      ok: false,
      code: "closed",
      error: expect.stringContaining(" is no longer available. Please order again without it."),
    });
    expect(await readAttempts(deal.orderId)).toEqual([]);
  },
);

test("an order nobody pays for a day is closed, can be ordered again, and a late payment still reaches it", async () => {
  const deal = await makeDeal();
  const day = 24 * 60 * MINUTE;
  await pay(deal, "01");
  await letTimePass();
  await advancePayments(servicesAt(day + 1));
  expect(await readOrder(deal.orderId)).toMatchObject({ orderStatus: "expired" });
  expect((await readItem(deal.itemId)).status).toBe("expired");
  expect(await pay(deal, "77")).toMatchObject({ ok: false, code: "closed" });

  const [attempt] = await readAttempts(deal.orderId);
  await applyAttemptEvent(servicesAt(day + 2), attempt?.id ?? "", {
    event: "paid",
    receipt: "TCLOSED001",
    paidAt: null,
    checkoutRequestId: attempt?.checkoutRequestId ?? "",
  });
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed", orderStatus: "processing" });
  expect((await readItem(deal.itemId)).status).toBe("processing");
  expect(await booksOff()).toEqual({});
});

test("an order whose payment our team has dismissed can be paid for a day from then on", async () => {
  const deal = await makeDeal();
  const day = 24 * 60 * MINUTE;
  await pay(deal, "01");
  await letTimePass();
  const [attempt] = await readAttempts(deal.orderId);
  await applyAttemptEvent(servicesAt(), attempt?.id ?? "", { event: "mismatched", detail: "KES 1" });
  await applyAttemptEvent(servicesAt(2 * day), attempt?.id ?? "", { event: "dismissed" });
  await advancePayments(servicesAt(2 * day + MINUTE));
  expect(await readOrder(deal.orderId)).toMatchObject({ orderStatus: "pending_payment" });
  // Also after they have tried in vain.
  await pay(deal, "02");
  const [, tried] = (await readAttempts(deal.orderId)).toSorted((one, other) => one.createdAt - other.createdAt);
  const declined = { event: "declined", code: "2001", message: "Wrong PIN", reason: "wrong_pin" } as const;
  await applyAttemptEvent(servicesAt(2 * day + 2 * MINUTE), tried?.id ?? "", declined);
  expect(await readOrder(deal.orderId)).toMatchObject({ paymentFailure: "wrong_pin" });
  await advancePayments(servicesAt(2 * day + 3 * MINUTE));
  expect(await readOrder(deal.orderId)).toMatchObject({ orderStatus: "pending_payment" });
  await advancePayments(servicesAt(3 * day + MINUTE));
  expect(await readOrder(deal.orderId)).toMatchObject({ orderStatus: "expired" });
});

test("a buyer is told that they can pay again only when nothing else of the order is checked and it is open", async () => {
  const deal = await makeDeal();
  await pay(deal, "01");
  await letTimePass();
  const [one] = await readAttempts(deal.orderId);
  const other = crypto.randomUUID();
  await env.DB.prepare(
    `INSERT INTO payment_attempts (id, purpose, order_id, user_id, phone, amount, state, callback_token, created_at,
      updated_at) SELECT ?1, purpose, order_id, user_id, phone, amount, 'failed', ?1, created_at, updated_at
        FROM payment_attempts WHERE id = ?2`,
  )
    .bind(other, one?.id)
    .run();
  const hold = (id = "", after = 0) =>
    applyAttemptEvent(servicesAt(after), id, { event: "mismatched", detail: "KES 1" });
  const dismiss = (id = "", after = 0) => applyAttemptEvent(servicesAt(after), id, { event: "dismissed" });
  const keys = async (id = "") => (await keysAfter("payment_dismissed:")).filter((key) => key.startsWith(id)).length;
  await hold(one?.id);
  await hold(other);
  expect(await dismiss(one?.id)).toBe("applied");
  expect(await keys(one?.id)).toBe(0);
  expect(await dismiss(other)).toBe("applied");
  expect(await keys(other)).toBe(1);

  await hold(other, 1_000);
  await env.DB.prepare("UPDATE orders SET order_status = 'expired' WHERE id = ?").bind(deal.orderId).run();
  expect(await dismiss(other, 2_000)).toBe("applied");
  expect(await keys(other)).toBe(1);
});

// ------------------------------------------------------------------ payouts

async function deliveredDeal(sellerEnding: string, price = 1_800): Promise<Deal> {
  const deal = await paidDeal({ price, sellerPhone: uniquePhone(sellerEnding) });
  await db.update(orderItems).set({ status: "shipped" }).where(eq(orderItems.id, deal.itemId));
  const delivered = await deliverItem(servicesAt(), { itemId: deal.itemId, sellerId: deal.sellerId });
  if (!delivered.ok || !delivered.payoutId) throw new Error("not delivered");
  await startPayout(servicesAt(), delivered.payoutId, deal.itemId);
  await settleDeferred();
  return deal;
}

async function payoutBecomes(itemId: string, state: string): Promise<void> {
  await eventually(async () => expect((await readPayout(itemId))?.state).toBe(state));
}

test("a delivered item is paid out once the buyer's payment is confirmed, and the books close", async () => {
  const deal = await deliveredDeal("60");
  await runSandbox();
  await payoutBecomes(deal.itemId, "done");

  expect(await readPayout(deal.itemId)).toMatchObject({
    amount: 1_800,
    receipt: expect.stringMatching(/^[A-Z0-9]{10}$/),
    sendCount: 1,
  });
  expect((await readAttempts(deal.orderId))[0]?.confirmedAt).not.toBeNull();
  expect(await booksOff()).toEqual({});
});

test("seller ending 11: our float is empty, the whole line stops, and all of it is sent once there is money", async () => {
  const deal = await deliveredDeal("11");
  await runSandbox();
  await payoutBecomes(deal.itemId, "parked");
  expect(await readPayout(deal.itemId)).toMatchObject({ resultCode: "1", waitReason: "our_float" });

  const next = await deliveredDeal("61", 1_200);
  expect(await readPayout(next.itemId)).toMatchObject({ state: "due", sendCount: 0, waitReason: "channel_paused" });
  // The pause ends by itself.
  await advancePayments(servicesAt(20 * MINUTE));
  await runSandbox();
  await payoutBecomes(next.itemId, "done");
  // What met the empty account is tried again, too, with nobody's doing. Its seller was told the first time only.
  await advancePayments(servicesAt(23 * MINUTE));
  await runSandbox();
  await eventually(async () =>
    expect(await readPayout(deal.itemId)).toMatchObject({ state: "parked", waitReason: "our_float", sendCount: 2 }),
  );
  const told = await db.select().from(outbox).where(like(outbox.dedupeKey, `payout_parked:%`));
  const { id } = (await readPayout(deal.itemId)) ?? { id: "" };
  expect(told.filter(({ dedupeKey }) => dedupeKey.includes(id))).toHaveLength(1);
  await db
    .update(profiles)
    .set({ phone: uniquePhone("63") })
    .where(eq(profiles.id, deal.sellerId));
  await advancePayments(servicesAt(40 * MINUTE));
  await runSandbox();
  await payoutBecomes(deal.itemId, "done");
  expect(await booksOff()).toEqual({});
  // The clock goes back, and these leases run from minute 40.
  await db.delete(leases);
});

test.each([
  ["12", "its result is lost"],
  ["13", "the time-out URL is called instead"],
])("seller ending %s: the payout was made though %s, and the look-up finds it", async (ending) => {
  const deal = await deliveredDeal(ending);
  await runSandbox();
  for (let minutes = 6; minutes < 40 && (await readPayout(deal.itemId))?.state !== "done"; minutes += 6) {
    await advancePayments(servicesAt(minutes * MINUTE));
    await runSandbox();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await payoutBecomes(deal.itemId, "done");
  expect((await readPayout(deal.itemId))?.sendCount).toBe(1);
  expect(await booksOff()).toEqual({});
});

test("seller ending 14: a number without M-Pesa parks the payout with its reason", async () => {
  const deal = await deliveredDeal("14");
  await runSandbox();
  await payoutBecomes(deal.itemId, "parked");
  expect(await readPayout(deal.itemId)).toMatchObject({
    resultCode: "2040",
    waitReason: "not_registered",
  });
});

test("seller ending 15: a lost answer never sends twice", async () => {
  const deal = await deliveredDeal("15");
  expect((await readPayout(deal.itemId))?.state).toBe("unknown");
  await runSandbox();
  await payoutBecomes(deal.itemId, "done");
  await advancePayments(servicesAt(60 * MINUTE));
  expect((await readPayout(deal.itemId))?.sendCount).toBe(1);
  expect(await booksOff()).toEqual({});
});

test("a seller without a phone is told so, and is paid once there is one", async () => {
  const deal = await paidDeal({ sellerPhone: null });
  await db.update(orderItems).set({ status: "shipped" }).where(eq(orderItems.id, deal.itemId));
  const delivered = await deliverItem(servicesAt(), { itemId: deal.itemId, sellerId: deal.sellerId });
  if (!delivered.ok || !delivered.payoutId) throw new Error("not delivered");
  await startPayout(servicesAt(), delivered.payoutId, deal.itemId);
  expect(await readPayout(deal.itemId)).toMatchObject({
    state: "parked",
    waitReason: "no_phone",
  });
  const input = { orderItemId: deal.itemId, sellerId: deal.sellerId };
  expect(await deliveredPayout(servicesAt(), input)).toMatchObject({
    ok: false,
    error: "Seller phone number not found in profile",
  });

  await db
    .update(profiles)
    .set({ phone: uniquePhone("63") })
    .where(eq(profiles.id, deal.sellerId));
  expect(await deliveredPayout(servicesAt(), input)).toMatchObject({ ok: true });
  await runSandbox();
  await payoutBecomes(deal.itemId, "done");
});

test("delivering twice at once delivers and pays once", async () => {
  const deal = await paidDeal();
  await db.update(orderItems).set({ status: "shipped" }).where(eq(orderItems.id, deal.itemId));
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => deliverItem(servicesAt(), { itemId: deal.itemId, sellerId: deal.sellerId })),
  );
  expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
  expect(answers.filter((answer) => !answer.ok && answer.code === "wrong_state")).toHaveLength(4);
  expect(await booksOff()).toEqual({});
});

test("a failure that is reported late of an earlier conversation id leaves the payout alone that goes by another", async () => {
  const refused = await deliveredDeal("14");
  await runSandbox();
  await payoutBecomes(refused.itemId, "parked");
  const failed = await readPayout(refused.itemId);
  await retryBySeller(servicesAt(), { orderItemId: refused.itemId, sellerId: refused.sellerId });
  await db.update(payouts).set({ state: "sent", sendCount: 2 }).where(eq(payouts.orderItemId, refused.itemId));
  const before = await readPayout(refused.itemId);

  // Like a worker that was delayed between reading the payout and changing it.
  const outcome = {
    kind: "failed",
    code: "2040",
    message: "No M-Pesa",
    reason: "not_registered",
    pausesChannel: false,
  } as const;
  const report = {
    conversationId: failed?.conversationId ?? "",
    outcome,
    code: "2040",
    message: "No M-Pesa",
    amountCents: null,
    receipt: null,
  };
  expect(await reportTransfer(servicesAt(), asPayout(before?.id ?? ""), report)).toBe("foreign_id");
  expect(await readPayout(refused.itemId)).toEqual(before);
  await runSandbox();
});

// -------------------------------------------------------- strangers' phones

test("a stranger's phone rings four times in ten minutes and twelve in a day, however many accounts ask; a payer's own goes on", async () => {
  const phone = uniquePhone("01");
  /** A new buyer requests payment, `minutes` from now, and the phone cancels at once. */
  async function requestFromNewBuyer(minutes: number) {
    const deal = await makeDeal();
    const result = await requestOrderPayment(servicesAt(minutes * MINUTE), {
      orderId: deal.orderId,
      userId: deal.buyerId,
      phone,
    });
    await letTimePass();
    return { deal, result };
  }
  for (let n = 0; n < 4; n += 1) expect((await requestFromNewBuyer(0)).result).not.toHaveProperty("error");
  const refused = await requestFromNewBuyer(1);
  expect(refused.result).toEqual({
    ok: false,
    code: "phone_busy",
    error:
      "This number has already received several payment requests. Please use another number, or try again later. If it's yours, save it in Settings and try again.",
    retryAfterMs: 10 * MINUTE,
  });
  expect(await readAttempts(refused.deal.orderId)).toEqual([]);
  expect(await readOrder(refused.deal.orderId)).toMatchObject({ paymentStatus: "pending" });
  expect(
    await requestOrderPayment(servicesAt(MINUTE), {
      orderId: refused.deal.orderId,
      userId: refused.deal.buyerId,
      phone: uniquePhone("01"),
    }),
  ).toMatchObject({ ok: true });

  for (const minutes of [11, 22]) for (let n = 0; n < 4; n += 1) await requestFromNewBuyer(minutes);
  expect((await requestFromNewBuyer(33)).result).toMatchObject({ ok: false, code: "phone_busy" });
  expect((await requestFromNewBuyer(24 * 60 + 1)).result).toMatchObject({ ok: true });

  // A phone that has paid before can be asked as often as its account allows.
  const own = uniquePhone("01");
  const buyer = await paidDeal();
  await env.DB.prepare("UPDATE payment_attempts SET phone = ? WHERE order_id = ?").bind(own, buyer.orderId).run();
  for (let n = 0; n < 5; n += 1) {
    const deal = await makeDeal({ price: 100 + n });
    await env.DB.prepare("UPDATE orders SET user_id = ? WHERE id = ?").bind(buyer.buyerId, deal.orderId).run();
    expect(
      await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: buyer.buyerId, phone: own }),
    ).toMatchObject({ ok: true });
    await letTimePass();
  }
  await env.DB.prepare("UPDATE rate_counters SET count = 60 WHERE key = ?")
    .bind(`payment-requests:${buyer.buyerId}`)
    .run();
  const deal = await makeDeal({ price: 107 });
  await env.DB.prepare("UPDATE orders SET user_id = ? WHERE id = ?").bind(buyer.buyerId, deal.orderId).run();
  const ask = (hours: number) =>
    requestOrderPayment(servicesAt(hours * 60 * MINUTE), { orderId: deal.orderId, userId: buyer.buyerId, phone: own });
  expect(await ask(0)).toMatchObject({
    ok: false,
    code: "too_often",
    error: "You've started too many payments today. Please try again tomorrow.",
  });
  expect(await readAttempts(deal.orderId)).toEqual([]);
  expect(await ask(24.1)).toMatchObject({ ok: true });
});

test("a prompt that M-Pesa refused rang nowhere, so it counts for no phone", async () => {
  const [phone, buyerId] = [uniquePhone("01"), await makeUser()];
  const busy = { kind: "refused", code: "26", message: "busy", reason: "provider_busy", retryAfterMs: null } as const;
  const services = servicesAt();
  const gateway = { ...services.gateway, push: async () => busy };
  const ask = async (as: string, price: number) => {
    const deal = await makeDeal({ price, buyerId: as });
    return requestOrderPayment({ ...services, gateway }, { orderId: deal.orderId, userId: as, phone });
  };
  for (let n = 0; n < 6; n += 1)
    expect(await ask(buyerId, 300 + n)).toMatchObject({ code: "refused", error: FAILURE_TEXTS.provider_busy });
  expect(await ask(await makeUser(), 310)).toMatchObject({ code: "refused" });
  const counts = await env.DB.prepare("SELECT count FROM rate_counters WHERE key LIKE ?")
    .bind(`prompts%:${phone}%`)
    .all<{ count: number }>();
  expect(counts.results.map(({ count }) => count)).toEqual(Array.from({ length: 6 }, () => 0));
});

test("strangers use up their own allowance, and not that of the phone's owner, whatever they claim", async () => {
  const [phone, attackerId] = [uniquePhone("01"), await makeUser({ createdAt: 5_000 })];
  let price = 200;
  async function ask(userId: string, minutes: number) {
    price += 1;
    const deal = await makeDeal({ price, buyerId: userId });
    const result = await requestOrderPayment(servicesAt(minutes * MINUTE), { orderId: deal.orderId, userId, phone });
    await letTimePass();
    return result.ok;
  }
  // One account asks again and again. Its refused requests use up nothing of others.
  for (let n = 0; n < 6; n += 1) expect(await ask(attackerId, n * 11)).toBe(n < 4);
  for (let n = 0; n < 4; n += 1) expect(await ask(await makeUser(), 200)).toBe(true);
  for (let n = 0; n < 4; n += 1) expect(await ask(await makeUser(), 220)).toBe(true);
  expect(await ask(await makeUser(), 240)).toBe(false);
  // The owner, who has it in the profile, can pay. Somebody who shares the phone can, too.
  const [ownerId, shareId] = [await makeUser({ phone, createdAt: 1_000 }), await makeUser({ phone, createdAt: 2_000 })];
  // Later claims make nobody an owner.
  const claims = [await makeUser({ phone, createdAt: 3_000 }), await makeUser({ phone, createdAt: 4_000 })];
  for (const userId of claims) expect(await ask(userId, 240)).toBe(false);
  expect(await ask(ownerId, 240)).toBe(true);
  expect(await ask(shareId, 240)).toBe(true);
  for (let n = 0; n < 12; n += 1) expect([n, await ask(ownerId, 260 + 11 * n)]).toEqual([n, n < 11]);
});

test("a dozen accounts that ask one phone at the same moment make it ring four times at most", async () => {
  const phone = uniquePhone("00");
  const deals = await Promise.all(Array.from({ length: 12 }, () => makeDeal()));
  const answers = await Promise.all(
    deals.map(({ orderId, buyerId }) => requestOrderPayment(servicesAt(), { orderId, userId: buyerId, phone })),
  );
  expect(answers.filter(({ ok }) => ok).length).toBeLessThanOrEqual(4);
});
