/** Who is told what, live and by email. Each is told once, however often the cause is repeated. */
import { eq, or, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { LiveEvent } from "#app/live/live-events.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import { deliverItem, shipItem } from "#app/deals/fulfilment.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { applyAttemptEvent, type AttemptReport } from "#app/payments/collect/settlement.server.ts";
import {
  type Deal,
  db,
  makeDeal,
  readAttempts,
  readOrder,
  readPayout,
  runSandbox,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { advanceTransfer } from "#app/payments/transfers/send-transfer.server.ts";
import { asPayout, reportTransfer } from "#tests/support/transfers.ts";

/** The services, with a notifier that records its events. */
function listening(): {
  services: DealServices;
  heard: (userId: string) => (string | undefined)[];
  types: (userId: string) => string[];
} {
  const told: { userId: string; event: LiveEvent }[] = [];
  const services = {
    ...servicesAt(),
    notifier: {
      send: async (userId: string, event: LiveEvent) => void told.push({ userId, event }),
      endSessions: async () => {},
    },
  };
  const heard = (userId: string) =>
    told
      .filter((entry) => entry.userId === userId && "notice" in entry.event && entry.event.notice)
      .map(({ event }) => ("notice" in event ? event.notice : undefined));
  const types = (userId: string) => told.filter((entry) => entry.userId === userId).map(({ event }) => event.type);
  return { services, heard, types };
}

async function mailsAbout(...keys: string[]): Promise<string[]> {
  const rows = await db
    .select({ key: outbox.dedupeKey, payload: outbox.payload })
    .from(outbox)
    .where(or(...keys.map((key) => sql`instr(${outbox.dedupeKey}, ${key}) > 0`)));
  return rows.map(({ key }) => key.split(":")[0] ?? "").toSorted();
}

async function askedDeal(): Promise<{ deal: Deal; attemptId: string; report: (receipt: string) => AttemptReport }> {
  const deal = await makeDeal({ price: 720 });
  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
  const [attempt] = await readAttempts(deal.orderId);
  if (!attempt) throw new Error("no attempt");
  return {
    deal,
    attemptId: attempt.id,
    report: (receipt) => ({ event: "paid", receipt, paidAt: null, checkoutRequestId: attempt.checkoutRequestId ?? "" }),
  };
}

test("paid, shipped, delivered and paid out: buyer and seller are told of each once", async () => {
  const { deal, attemptId, report } = await askedDeal();
  const { services, heard } = listening();
  const name = "Casio fx-991ES";
  await Promise.all([1, 2, 3].map(() => applyAttemptEvent(services, attemptId, report("TNOTICE001"))));
  await applyAttemptEvent(services, attemptId, { event: "confirmed" });
  expect(heard(deal.buyerId)).toEqual([`Paid: KES 720 for ${name}`]);
  expect(heard(deal.sellerId)).toEqual(["New order: Casio fx-991ES"]);
  expect(await mailsAbout(deal.orderId, deal.itemId, attemptId)).toEqual(["new_sale", "payment_received"]);

  await db.update(orderItems).set({ buyerContacted: true, buyerAgreed: true }).where(eq(orderItems.id, deal.itemId));
  const item = { itemId: deal.itemId, sellerId: deal.sellerId };
  await Promise.all([shipItem(services, item), shipItem(services, item)]);
  expect(await mailsAbout(deal.itemId)).toEqual(["deal", "new_sale"]);
  // The email "Shipped" still waits, and "Delivered" overtakes it (seen-in-time.test.ts).
  await Promise.all([deliverItem(services, item), deliverItem(services, item)]);
  expect(heard(deal.buyerId).slice(1)).toEqual(["Casio fx-991ES is on its way", "Casio fx-991ES was delivered"]);

  const payout = await readPayout(deal.itemId);
  const paid = {
    conversationId: payout?.conversationId ?? "",
    outcome: { kind: "done", receipt: "TPAIDOUT01" },
    code: "0",
    message: "",
    amountCents: 72_000,
    receipt: "TPAIDOUT01",
  } as const;
  await Promise.all([
    reportTransfer(services, asPayout(payout?.id ?? ""), paid),
    reportTransfer(services, asPayout(payout?.id ?? ""), paid),
  ]);
  expect(heard(deal.sellerId).slice(1)).toEqual(["KES 720 is on your M-Pesa"]);
  expect(await mailsAbout(deal.orderId, deal.itemId, attemptId, payout?.id ?? "")).toEqual([
    "deal",
    "deal",
    "new_sale",
    "payment_received",
    "payout_sent",
  ]);
  await runSandbox();
});

test("a payment that fails is told to its buyer once, with the reason, and to nobody else", async () => {
  const { deal, attemptId } = await askedDeal();
  const { services, heard } = listening();
  const declined = { event: "declined", code: "2001", message: "", reason: "wrong_pin" } as const;
  await Promise.all([
    applyAttemptEvent(services, attemptId, declined),
    applyAttemptEvent(services, attemptId, declined),
  ]);
  expect(heard(deal.buyerId)).toEqual([
    `The payment for Casio fx-991ES did not go through. The M-Pesa PIN was wrong. Try again with the right PIN.`,
  ]);
  expect(heard(deal.sellerId)).toEqual([]);
  expect(await mailsAbout(deal.orderId, attemptId)).toEqual(["payment_failed"]);
  await runSandbox();
});

test("the buyer of a held payment is told once that we are checking it and not to pay again, and never that it failed", async () => {
  const { deal, attemptId } = await askedDeal();
  const { services, heard } = listening();
  const mismatched = { event: "mismatched", detail: "the callback says KES 721, the order is KES 720" } as const;
  await Promise.all([
    applyAttemptEvent(services, attemptId, mismatched),
    applyAttemptEvent(services, attemptId, mismatched),
  ]);
  expect(heard(deal.buyerId)).toEqual([
    `About Casio fx-991ES: We couldn't match what M-Pesa reported to your payment. Please don't pay again. Our team is checking it and will contact you.`,
  ]);
  expect(heard(deal.sellerId)).toEqual([]);
  expect(await mailsAbout(deal.orderId, attemptId)).toEqual(["payment_held"]);
  await runSandbox();
});

test.each(["timed_out", "abandoned"] as const)(
  "a buyer whose payment was %s, came after all and was held is told how our check ended, and can pay again",
  async (event) => {
    const { deal, attemptId } = await askedDeal();
    const { services, heard } = listening();
    await applyAttemptEvent(services, attemptId, { event });
    await applyAttemptEvent(services, attemptId, { event: "mismatched", detail: "the callback says KES 721" });
    await applyAttemptEvent(services, attemptId, { event: "dismissed" });
    await applyAttemptEvent(services, attemptId, { event: "dismissed" });
    expect(heard(deal.buyerId).at(-1)).toContain("You can pay again.");
    const failed = event === "timed_out" ? ["payment_failed"] : [];
    expect(await mailsAbout(attemptId)).toEqual(["payment_dismissed", ...failed, "payment_held"]);
    expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "failed", paymentFailure: "dismissed" });
    await runSandbox();
  },
);

test("a buyer who pays twice is told that the second payment comes back; the seller is told of one sale", async () => {
  const { deal, attemptId, report } = await askedDeal();
  const { services, heard } = listening();
  await applyAttemptEvent(services, attemptId, { event: "timed_out" });
  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
  const second = (await readAttempts(deal.orderId)).find(({ id }) => id !== attemptId);
  await applyAttemptEvent(services, second?.id ?? "", {
    event: "paid",
    receipt: "TNOTICE002",
    paidAt: null,
    checkoutRequestId: second?.checkoutRequestId ?? "",
  });
  await applyAttemptEvent(services, attemptId, report("TNOTICE003"));
  expect(heard(deal.buyerId).at(-1)).toBe(`You paid for Casio fx-991ES twice. We are sending KES 720 back to you.`);
  expect(heard(deal.sellerId)).toEqual(["New order: Casio fx-991ES"]);
  expect(await mailsAbout(deal.orderId, deal.itemId, attemptId)).toEqual([
    "new_sale",
    "payment_failed",
    "payment_received",
    "refund_due",
  ]);
  await runSandbox();
});

test("a payout that fails is told to its seller once", async () => {
  const { deal, attemptId, report } = await askedDeal();
  await applyAttemptEvent(servicesAt(), attemptId, report("TNOTICE004"));
  await db.update(orderItems).set({ status: "shipped" }).where(eq(orderItems.id, deal.itemId));
  await deliverItem(servicesAt(), { itemId: deal.itemId, sellerId: deal.sellerId });
  const payout = await readPayout(deal.itemId);
  const { services, heard } = listening();
  const failed = {
    conversationId: payout?.conversationId ?? "",
    outcome: { kind: "failed", code: "2040", message: "", reason: "not_registered", pausesChannel: false },
    code: "2040",
    message: "",
    amountCents: null,
    receipt: null,
  } as const;
  await Promise.all([
    reportTransfer(services, asPayout(payout?.id ?? ""), failed),
    reportTransfer(services, asPayout(payout?.id ?? ""), failed),
  ]);
  expect(heard(deal.sellerId)).toEqual(["A payout needs attention"]);
  expect(await mailsAbout(payout?.id ?? "")).toEqual(["payout_parked"]);
  await runSandbox();
});

test("a payout that meets our empty account again is told to its seller the first time only", async () => {
  const { deal, attemptId, report } = await askedDeal();
  await applyAttemptEvent(servicesAt(), attemptId, report("TNOTICE005"));
  await applyAttemptEvent(servicesAt(), attemptId, { event: "confirmed" });
  await db.update(orderItems).set({ status: "shipped" }).where(eq(orderItems.id, deal.itemId));
  await deliverItem(servicesAt(), { itemId: deal.itemId, sellerId: deal.sellerId });
  const id = asPayout((await readPayout(deal.itemId))?.id ?? "");
  const { services, heard, types } = listening();
  for (const minutes of [1, 20, 40]) {
    await advanceTransfer(servicesAt(minutes * 60_000), id);
    const payout = await readPayout(deal.itemId);
    expect(payout).toMatchObject({ state: "sent" });
    await reportTransfer({ ...services, now: servicesAt(minutes * 60_000).now }, id, {
      conversationId: payout?.conversationId ?? "",
      outcome: { kind: "failed", code: "1", message: "", reason: "our_float", pausesChannel: false },
      code: "1",
      message: "",
      amountCents: null,
      receipt: null,
    });
    expect(await readPayout(deal.itemId)).toMatchObject({ state: "parked", waitReason: "our_float" });
  }
  expect(heard(deal.sellerId)).toEqual(["A payout needs attention"]);
  // An open page shows each time that it waits again.
  expect(types(deal.sellerId)).toEqual(["payout", "payout", "payout"]);
  expect(await mailsAbout(id.id)).toEqual(["payout_parked"]);
  await runSandbox();
});
