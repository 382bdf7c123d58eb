/** How the money is monitored: forged callbacks, the books, the daily summary, and who is told when something fails. */
import { env } from "cloudflare:workers";
import { and, eq, isNull, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { expectThat, PreconditionFailed, type Statement } from "#app/db/batch.ts";
import { discrepancies, ledgerEntries, paymentCallbacks } from "#app/payments/tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { outbox, passes } from "#app/db/tables.server.ts";
import { takeCallback } from "#app/payments/answers/callbacks.server.ts";
import type { DailySummary } from "#app/payments/books/daily-summary.server.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { deliverItem } from "#app/deals/fulfilment.server.ts";
import { raiseDiscrepancy, runRaising } from "#app/payments/books/discrepancies.server.ts";
import { deliveredPayout } from "#app/payments/payment-api.server.ts";
import { dayName } from "#app/platform/east-africa-time.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { runBooksJob, runDealsJob, runPaymentsJob } from "#workers/jobs/payments.ts";
import { receiveCallback } from "#tests/support/callbacks.ts";
import { eventually } from "#tests/support/eventually.ts";
import { db, makeDeal, readAttempts, readOrder, readPayout, servicesAt, uniquePhone } from "#tests/support/fixtures.ts";
import { paidReport } from "#tests/support/paid-deal.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";
import { meteredServices } from "#tests/support/metered.ts";

const DAY = 24 * 60 * 60_000;

/** Collects the daily summaries that are logged. */
function summaryLog() {
  const logged: (DailySummary & { day: string })[] = [];
  const log = (line: { event: string }) => {
    if (line.event === "daily_summary") logged.push(line as unknown as DailySummary & { day: string });
  };
  return { logged, log };
}

async function openAttempt() {
  const deal = await makeDeal({ price: 640 });
  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
  const [attempt] = await readAttempts(deal.orderId);
  if (!attempt) throw new Error("no attempt");
  return { deal, attempt };
}

async function settledDeal() {
  const { deal, attempt } = await openAttempt();
  await applyAttemptEvent(servicesAt(), attempt.id, {
    event: "paid",
    receipt: `T${attempt.id.slice(0, 8).toUpperCase()}`,
    paidAt: null,
    checkoutRequestId: attempt.checkoutRequestId ?? "",
  });
  return deal;
}

function postCallback(token: string, body: BodyInit, headers: Record<string, string> = {}) {
  return env.APP.fetch(`https://chuoni.test/hooks/pay/s/${token}`, { method: "POST", body, headers });
}

function randomToken(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function strangersToday(): Promise<number | undefined> {
  const counted = await env.DB.prepare("SELECT count FROM rate_counters WHERE key = ?")
    .bind(`stranger_callbacks:${dayName(Date.now())}`)
    .first<{ count: number }>();
  return counted?.count;
}

test("strangers with made-up tokens are counted, and only the first of a day are kept, cut short", async () => {
  for (let n = 0; n < 60; n += 1) await (await postCallback(randomToken(), "x".repeat(5_000))).arrayBuffer();

  const kept = await db.select().from(paymentCallbacks).where(eq(paymentCallbacks.outcome, "unknown_token"));
  expect(kept).toHaveLength(50);
  expect(kept.every(({ body, appliedAt }) => body.length === 2_000 && appliedAt !== null)).toBe(true);
  expect(await strangersToday()).toBe(60);
});

test("one round trip stores a callback with a known token, and only that", async () => {
  const { attempt } = await openAttempt();
  const { meter, ...metered } = meteredServices();
  const store = (token: string) =>
    takeCallback(
      metered,
      { kind: "push", token, body: "{}", sourceAddress: null, requestId: "test" },
      async () => false,
    );
  expect(await store(randomToken())).toEqual({ kind: "unknown" });
  expect(await store(attempt.callbackToken)).toMatchObject({ kind: "stored", stored: { body: "{}" } });
  expect(meter.trips).toBe(2);
  const kept = await db.select().from(paymentCallbacks).where(eq(paymentCallbacks.body, "{}"));
  expect(kept.map(({ token }) => token)).toEqual([attempt.callbackToken]);
});

test("a body that is too large is read no further, and noted", async () => {
  const { deal, attempt } = await openAttempt();
  const answer = await postCallback(attempt.callbackToken, "x".repeat(1_000_000));
  expect(answer.status).toBe(413);
  const [kept] = await db.select().from(paymentCallbacks).where(eq(paymentCallbacks.token, attempt.callbackToken));
  expect(kept?.body).toBe("refused: more than 65536 bytes");
  expect((await readOrder(deal.orderId)).paymentStatus).toBe("processing");
});

test("the summary of a day is written once it is over, once, with what the day came to", async () => {
  const accepted = await settledDeal();
  const split = await settledDeal();
  await settledDeal();
  await db.update(orderItems).set({ status: "shipped" }).where(eq(orderItems.id, accepted.itemId));
  await db.update(orderItems).set({ status: "in_review" }).where(eq(orderItems.id, split.itemId));
  await applyDealEvent(servicesAt(), { itemId: accepted.itemId, event: "accepted", by: accepted.buyerId });
  const { id: admin } = await makeAdmin();
  await applyDealEvent(servicesAt(), { itemId: split.itemId, event: "team_split", by: admin, refundAmount: 140 });
  const today = dayName(Date.now());
  const { logged, log } = summaryLog();
  for (const job of [runDealsJob, runPaymentsJob, runBooksJob])
    await Promise.all([job({ ...servicesAt(DAY), log }), job({ ...servicesAt(DAY), log })]);
  await runBooksJob({ ...servicesAt(DAY + 11 * 60_000), log });

  const [summary, ...others] = logged.filter(({ day }) => day === today);
  if (!summary) throw new Error("no summary");
  expect(others).toEqual([]);
  expect(summary).toMatchObject({ orders: { paid: 3, paidAmount: 1_920 }, books: { balanced: true } });
  expect(summary.escrow).toEqual({
    held: { count: 3, amount: 1_920 },
    fees: 0,
    released: { count: 2, amount: 1_140 },
    refunded: { count: 1, amount: 140 },
    split: 1,
  });
  expect(summary).toMatchObject({ attempts: { succeeded: 3 }, payouts: { created: 2 }, inReview: 0 });
  expect(summary.callbacks.strangers).toBe(60);
});

test("a stranger whose token can't be one of ours is refused and counted, and nothing of the body is read", async () => {
  const before = await strangersToday();
  for (const token of ["abc", "A".repeat(64), "0".repeat(65), "%00"]) {
    // A body that never ends: whoever reads it waits for ever.
    const body = new ReadableStream({ start: (sender) => sender.enqueue(new TextEncoder().encode("x")) });
    const answer = await postCallback(token, body);
    expect({ token, status: answer.status }).toEqual({ token, status: 404 });
    await answer.arrayBuffer();
  }
  expect(await strangersToday()).toBe((before ?? 0) + 4);
});

test("books that are off are put before a person", async () => {
  await db.insert(ledgerEntries).values({
    id: crypto.randomUUID(),
    transactionId: "forged",
    account: "escrow",
    kind: "charge",
    amount: 5,
    createdAt: Date.now(),
  });
  await runBooksJob(servicesAt(5 * DAY));
  const raised = await db.select().from(discrepancies).where(eq(discrepancies.kind, "books"));
  expect(raised).toMatchObject([{ subject: "ledger", resolvedAt: null }]);
});

test("a day whose summary is missing gets it within a week, also while the books are off and nobody can be told", async () => {
  await db.delete(passes).where(eq(passes.job, "summaries"));
  await db.update(discrepancies).set({ resolvedAt: 1 });
  const services = servicesAt(8 * DAY);
  const { logged, log: logSummary } = summaryLog();
  const log = (line: { event: string }) => {
    if (line.event === "discrepancy") throw new Error("nobody can be told");
    logSummary(line);
  };
  await expect(runBooksJob({ ...services, log })).rejects.toThrow("nobody can be told");
  // What is open now says nothing about an earlier day.
  const openThen = logged.map(({ openDiscrepancies }) => openDiscrepancies);
  expect(openThen).toEqual([null, null, null, null, null, null, expect.any(Number)]);
  const week = Array.from({ length: 7 }, (_, n) => dayName(Date.now() + (n + 1) * DAY));
  expect(logged.map(({ day }) => day)).toEqual(week);
});

test("a buyer whose payment fails is told why by mail, once, and not when the order is paid already", async () => {
  const { deal, attempt } = await openAttempt();
  const declined = {
    event: "declined",
    code: "1032",
    message: "Request cancelled by user",
    reason: "cancelled",
  } as const;
  await Promise.all([
    applyAttemptEvent(servicesAt(), attempt.id, declined),
    applyAttemptEvent(servicesAt(), attempt.id, { event: "timed_out" }),
  ]);
  await applyAttemptEvent(servicesAt(), attempt.id, declined);
  const mails = await db
    .select()
    .from(outbox)
    .where(eq(outbox.dedupeKey, `payment_failed:${attempt.id}`));
  expect(mails).toHaveLength(1);
  // A code, and no sentence that a later release may word in another way.
  expect(mails[0]?.payload).toContain(`"orderId":"${deal.orderId}"`);
  expect(mails[0]?.payload).toContain('"failure":"cancelled"');
});

test("a success that no query confirms is asked about again and again, and a person is told after an hour", async () => {
  const { attempt } = await openAttempt();
  await applyAttemptEvent(servicesAt(), attempt.id, {
    event: "paid",
    receipt: "TUNCONFIRM",
    paidAt: null,
    checkoutRequestId: attempt.checkoutRequestId ?? "",
  });
  // The sandbox's payer hasn't answered yet, so the query still says that it is in progress.
  for (const hours of [0, 1, 2, 30]) await runPaymentsJob(servicesAt(hours * 60 * 60_000 + 60_000));
  const [after] = (await readAttempts(attempt.orderId ?? "")).filter(({ id }) => id === attempt.id);
  expect(after).toMatchObject({ state: "succeeded", confirmedAt: null, nextQueryAt: expect.any(Number) });
  const told = await db.select().from(discrepancies).where(eq(discrepancies.subject, attempt.id));
  expect(told).toMatchObject([{ kind: "payment_unconfirmed", resolvedAt: null }]);

  await applyAttemptEvent(servicesAt(), attempt.id, { event: "confirmed" });
  expect(
    await db
      .select()
      .from(discrepancies)
      .where(isNull(discrepancies.resolvedAt))
      .then((open) => open.filter(({ subject }) => subject === attempt.id)),
  ).toEqual([]);
});

/** The errors that were logged while `work` ran, oldest first. */
async function errorsDuring(work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  try {
    await work();
    return errors.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
  } finally {
    errors.mockRestore();
  }
}

test("a seller who presses again and again has M-Pesa asked about the payment as often as its schedule says", async () => {
  const deal = await settledDeal();
  await db.run(sql`UPDATE order_items SET status = 'shipped' WHERE id = ${deal.itemId}`);
  await deliverItem(servicesAt(), { itemId: deal.itemId, sellerId: deal.sellerId });
  const press = (offsetMs: number) =>
    deliveredPayout(servicesAt(offsetMs), { orderItemId: deal.itemId, sellerId: deal.sellerId });
  for (let n = 0; n < 6; n += 1)
    expect(await press(n * 1_000)).toMatchObject({ ok: false, code: "not_ready", waitReason: "payment_unconfirmed" });
  expect((await readAttempts(deal.orderId))[0]).toMatchObject({ queryCount: 1, confirmedAt: null });
  expect(await readPayout(deal.itemId)).toMatchObject({ state: "due", sendCount: 0 });
  await press(61_000);
  expect((await readAttempts(deal.orderId))[0]).toMatchObject({ queryCount: 2 });
});

test("a paybill that is full alerts once for all orders that fail of it, and again only once it was dealt with", async () => {
  const fail = async () => {
    const { deal, attempt } = await openAttempt();
    const body = {
      Body: {
        stkCallback: {
          CheckoutRequestID: attempt.checkoutRequestId,
          MerchantRequestID: attempt.merchantRequestId,
          ResultCode: 8,
          ResultDesc: "would exceed the maximum balance",
        },
      },
    };
    await receiveCallback(servicesAt(), {
      kind: "push",
      token: attempt.callbackToken,
      body: JSON.stringify(body),
      requestId: "r",
    });
    expect(await readOrder(deal.orderId)).toMatchObject({
      paymentStatus: "failed",
      paymentFailure: "our_limit",
    });
  };
  const callback = { event: "daraja.callback", level: "error", code: "8" };
  const alert = {
    event: "discrepancy",
    level: "error",
    kind: "push_limit",
    subject: "8",
    detail: "would exceed the maximum balance",
  };
  const open = () =>
    db
      .select()
      .from(discrepancies)
      .where(and(eq(discrepancies.kind, "push_limit"), isNull(discrepancies.resolvedAt)));

  expect(await errorsDuring(fail)).toMatchObject([callback, alert]);
  expect(await errorsDuring(fail)).toMatchObject([callback]);
  expect(await open()).toHaveLength(1);

  const { id: admin } = await makeAdmin();
  await db.update(discrepancies).set({ resolvedAt: 1, resolvedBy: admin }).where(eq(discrepancies.kind, "push_limit"));
  const { attempt: earlier } = await openAttempt();
  expect(await errorsDuring(fail)).toMatchObject([callback, alert]);
  expect(await open()).toHaveLength(1);

  // Its buyer was asked before the paybill was full.
  await applyAttemptEvent(servicesAt(), earlier.id, paidReport());
  expect(await open()).toHaveLength(1);
  await eventually(async () => expect(Date.now()).toBeGreaterThan((await open())[0]?.createdAt ?? 0));
  await applyAttemptEvent(servicesAt(), (await openAttempt()).attempt.id, paidReport());
  const [closed] = await db.select().from(discrepancies).where(eq(discrepancies.kind, "push_limit"));
  expect(closed).toMatchObject({ resolution: "money moves again", resolvedBy: null });
  expect(closed?.resolvedAt).toBeGreaterThan(closed?.createdAt ?? 0);
});

test("what is put before a person is logged as an error once, with the batch of its cause, and not where that fails", async () => {
  const { attempt } = await openAttempt();
  const hold = (detail: string) => applyAttemptEvent(servicesAt(), attempt.id, { event: "mismatched", detail });
  expect(await errorsDuring(() => Promise.all([hold("KES 1"), hold("KES 1"), hold("KES 1")]))).toMatchObject([
    { event: "discrepancy", kind: "payment_mismatch", subject: attempt.id },
  ]);

  const raise = (detail: string, ...others: Statement[]) =>
    runRaising(servicesAt(), [...raiseDiscrepancy("payout_in_doubt", attempt.id, detail, 1), ...others]);
  expect(
    await errorsDuring(() => expect(raise("first", expectThat(sql`0`))).rejects.toThrow(PreconditionFailed)),
  ).toEqual([]);
  expect(await errorsDuring(() => raise("first"))).toMatchObject([{ kind: "payout_in_doubt", detail: "first" }]);
  expect(await errorsDuring(() => raise("second"))).toEqual([]);
  expect(await db.select().from(discrepancies).where(eq(discrepancies.kind, "payout_in_doubt"))).toMatchObject([
    { detail: "second", resolvedAt: null },
  ]);
});

test("a callback from a foreign address still counts, and is flagged in the log and on the money page", async () => {
  const admin = await makeAdmin();
  const paidFrom = async (address: string) => {
    const { deal, attempt } = await openAttempt();
    const metadata = [
      { Name: "Amount", Value: 640 },
      { Name: "MpesaReceiptNumber", Value: attempt.id.slice(0, 8).toUpperCase() },
    ];
    const body = {
      Body: {
        stkCallback: {
          CheckoutRequestID: attempt.checkoutRequestId,
          MerchantRequestID: attempt.merchantRequestId,
          ResultCode: 0,
          ResultDesc: "Done",
          CallbackMetadata: { Item: metadata },
        },
      },
    };
    const lines = vi.spyOn(console, "log").mockImplementation(() => {});
    await (
      await postCallback(attempt.callbackToken, JSON.stringify(body), { "CF-Connecting-IP": address })
    ).arrayBuffer();
    await eventually(async () => expect((await readOrder(deal.orderId)).paymentStatus).toBe("completed"));
    const flagged = lines.mock.calls.some(([line]) => String(line).includes('"callback_from_elsewhere"'));
    lines.mockRestore();
    const desk = await visit(`/admin/money?show=callbacks&only=all&q=${deal.orderId.slice(0, 8)}`, { as: admin.id });
    return { flagged, text: (await desk.text()).replaceAll("&#x27;", "'") };
  };
  const theirs = await paidFrom("196.201.214.200");
  expect(theirs.flagged).toBe(false);
  expect(theirs.text).toContain("196.201.214.200");
  expect(theirs.text).not.toContain("not a Safaricom address");
  const another = await paidFrom("203.0.113.9");
  expect(another.flagged).toBe(true);
  expect(another.text).toContain("203.0.113.9 (not a Safaricom address)");
});
