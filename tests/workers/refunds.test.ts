/** Refunds on real D1, against a gateway whose every answer and result the test decides. */
import { env } from "cloudflare:workers";
import { and, eq, inArray, isNull } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { discrepancies, ledgerEntries, refunds } from "#app/payments/tables.server.ts";
import { leases, outbox } from "#app/db/tables.server.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import type { CallbackKind } from "#app/payments/answers/callbacks.server.ts";
import { receiveCallback } from "#tests/support/callbacks.ts";
import type { PaymentGateway, PayoutAnswer, ReversalAnswer } from "#app/payments/gateway.ts";
import { raiseDiscrepancy, runRaising } from "#app/payments/books/discrepancies.server.ts";
import { compareWithRecords, type ListedPeriod } from "#app/payments/books/mpesa-lists.server.ts";
import { advancePayments } from "#app/payments/advance-payments.server.ts";
import { refundDelayedText } from "#app/payments/payment-texts.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import type { Mail } from "#app/notifications/mailer.ts";
import {
  booksOff,
  type Deal,
  db,
  makeDeal,
  quietServices,
  readAttempts,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { newReceipt, paidReport } from "#tests/support/paid-deal.ts";
import { makeAdmin, visit, wordsOf } from "#tests/support/visit.ts";
import { mpesaConfirms } from "#tests/support/receipts.ts";
import { recordTransfer, reserveTransfer, retryTransfer } from "#app/admin/money/transfer-moves.server.ts";
import { advanceTransfer } from "#app/payments/transfers/send-transfer.server.ts";
import { asRefund } from "#tests/support/transfers.ts";

const MINUTE = 60_000;
const PRICE = 1_900;

let deal: Deal;
let refundId: string;
let attemptId: string;
let paidReceipt: string;
let payerPhone: string;

/** A paid order, its payment confirmed unless told otherwise, and cancelled by its buyer. */
async function makeRefund({ confirmed = true, part = null as number | null, price = PRICE } = {}): Promise<void> {
  deal = await makeDeal({ price });
  payerPhone = uniquePhone("00");
  await requestOrderPayment(quietServices(), { orderId: deal.orderId, userId: deal.buyerId, phone: payerPhone });
  const [attempt] = await readAttempts(deal.orderId);
  attemptId = attempt?.id ?? "";
  const paid = paidReport();
  paidReceipt = paid.receipt;
  await applyAttemptEvent(servicesAt(), attemptId, paid);
  if (confirmed) await applyAttemptEvent(servicesAt(), attemptId, { event: "confirmed" });
  const services = { ...servicesAt(), deals: { inspectionHours: 48, codeKey: "test-key" } };
  if (part !== null) {
    await env.DB.prepare("UPDATE order_items SET status = 'in_review' WHERE id = ?").bind(deal.itemId).run();
    const split = { event: "team_split", by: await adminId(), refundAmount: part } as const;
    expect(await applyDealEvent(services, { itemId: deal.itemId, ...split })).toMatchObject({ ok: true });
  } else
    expect(
      await applyDealEvent(services, { itemId: deal.itemId, event: "cancelled_by_buyer", by: deal.buyerId }),
    ).toMatchObject({ ok: true });
  const [refund] = await db.select().from(refunds).where(eq(refunds.orderItemId, deal.itemId));
  refundId = refund?.id ?? "";
}

let admin: Awaited<ReturnType<typeof makeAdmin>>;
async function adminId(): Promise<string> {
  admin ??= await makeAdmin();
  return admin.id;
}

async function read() {
  const [refund] = await db.select().from(refunds).where(eq(refunds.id, refundId));
  if (!refund) throw new Error("no refund");
  return refund;
}

/** The order's page says so, and in no part of it that the money is on its way. */
async function buyerReadsThatItIsDelayed(amount: number): Promise<void> {
  const order = await (await visit(`/orders/${deal.orderId}`, { as: deal.buyerId })).text();
  expect(wordsOf(order)).toContain(refundDelayedText(amount));
  expect(order).toContain("Not sent back yet");
  expect(order).not.toMatch(/on its way back|about to send/i);
}

async function raised(): Promise<string[]> {
  const rows = await db
    .select({ kind: discrepancies.kind, resolvedAt: discrepancies.resolvedAt })
    .from(discrepancies)
    .where(eq(discrepancies.subject, refundId));
  return rows.filter(({ resolvedAt }) => resolvedAt === null).map(({ kind }) => kind);
}

async function emails(): Promise<(string | null)[]> {
  const rows = await db
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(eq(outbox.dedupeKey, `refund_sent:${refundId}`));
  return rows
    .map(({ payload }) => JSON.parse(payload) as Mail)
    .map((mail) => (mail.template === "refund_sent" ? mail.data.receipt : "another email"));
}

/** The legs that the refund has booked, by account. */
async function booked(): Promise<Record<string, number>> {
  const rows = await db
    .select()
    .from(ledgerEntries)
    .where(eq(ledgerEntries.transactionId, `refund:${refundId}`));
  expect(await booksOff()).toEqual({});
  return Object.fromEntries(rows.map(({ account, amount }) => [account, amount]));
}

interface Sent {
  reversals: { receipt: string; amount: number }[];
  transfers: { conversationId: string; phone: string; amount: number }[];
  lookups: string[];
}

/** The app `minutes` from now, with an M-Pesa that answers as told. */
function at(
  minutes: number,
  {
    reversal = { kind: "accepted", providerConversationId: "AG_1" } as ReversalAnswer,
    transfer = { kind: "accepted", providerConversationId: "AG_1" } as PayoutAnswer,
    sent = { reversals: [], transfers: [], lookups: [] } as Sent,
  } = {},
) {
  const services = servicesAt(minutes * MINUTE);
  const gateway: PaymentGateway = {
    ...services.gateway,
    async reverse({ receipt, amount }) {
      sent.reversals.push({ receipt, amount });
      await scheduler.wait(5);
      return reversal;
    },
    async payOut({ conversationId, phone, amount }) {
      sent.transfers.push({ conversationId, phone, amount });
      await scheduler.wait(5);
      return transfer;
    },
    async lookUpPayout({ conversationId }) {
      sent.lookups.push(conversationId);
      return { kind: "accepted" };
    },
    async queryPush() {
      return { kind: "pending" };
    },
  };
  return { sent, services: { ...services, gateway } };
}

/** M-Pesa calls back. */
async function callBack(kind: CallbackKind, body: unknown, token?: string) {
  const known = token ?? (await read()).callbackToken;
  return receiveCallback(servicesAt(), { kind, token: known, body: JSON.stringify(body) });
}

const reversed = (receipt: string, change: object = {}) => ({
  Result: {
    ResultType: 0,
    ResultCode: 0,
    ResultDesc: "The service request is processed successfully.",
    ConversationID: "AG_1",
    TransactionID: receipt,
    ResultParameters: {
      ResultParameter: [
        { Key: "Amount", Value: PRICE },
        { Key: "OriginalTransactionID", Value: paidReceipt },
        { Key: "CreditPartyPublicName", Value: "254722000000 - Jane Doe" },
      ],
    },
    ReferenceData: { ReferenceItem: { Key: "QueueTimeoutURL", Value: "x" } },
    ...change,
  },
});
const failedReversal = (code: number | string, conversation = "AG_1") => ({
  Result: { ResultCode: code, ResultDesc: "It failed", ConversationID: conversation, TransactionID: "SKE0000000" },
});
const transferred = async (receipt: string, change: object = {}) => ({
  Result: {
    ResultCode: 0,
    ResultDesc: "Done",
    OriginatorConversationID: (await read()).conversationId,
    TransactionID: receipt,
    ...change,
  },
});

beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare("DELETE FROM leases"),
    env.DB.prepare("UPDATE refunds SET next_action_at = NULL"),
    env.DB.prepare("UPDATE payouts SET next_action_at = NULL"),
  ]);
  await adminId();
});

describe("a whole payment", () => {
  test("is reversed by its receipt and booked out of the paybill, and the buyer is told", async () => {
    await makeRefund();
    const { sent, services } = at(0);
    await advancePayments(services);
    expect(sent).toEqual({ reversals: [{ receipt: paidReceipt, amount: PRICE }], transfers: [], lookups: [] });
    expect(await read()).toMatchObject({ state: "sent", method: "reversal", phone: null, sendCount: 1 });
    const receipt = newReceipt();
    expect(await callBack("reversal", reversed(receipt))).toBe("done");
    expect(await read()).toMatchObject({ state: "done", receipt, nextActionAt: null, waitReason: null });
    expect(await booked()).toEqual({ refunds_due: PRICE, mpesa_collection: -PRICE });
    expect(await emails()).toEqual([receipt]);
    expect(await raised()).toEqual([]);
  });

  test("is not sent before a query has confirmed the payment", async () => {
    await makeRefund({ confirmed: false });
    const { sent, services } = at(0);
    await advanceTransfer(services, asRefund(refundId));
    expect(sent.reversals).toEqual([]);
    expect(await read()).toMatchObject({ state: "due", method: null, waitReason: "payment_unconfirmed" });
    await applyAttemptEvent(servicesAt(), attemptId, { event: "confirmed" });
    await advanceTransfer(at(2, { sent }).services, asRefund(refundId));
    expect(sent.reversals).toHaveLength(1);
  });

  test("is sent once by many workers at the same moment", async () => {
    await makeRefund();
    const { sent, services } = at(0);
    await Promise.all(Array.from({ length: 6 }, () => advanceTransfer(services, asRefund(refundId))));
    expect(sent.reversals).toHaveLength(1);
    expect(await read()).toMatchObject({ state: "sent", sendCount: 1 });
  });

  test("is done once, however often and at once M-Pesa reports it", async () => {
    await makeRefund();
    await advanceTransfer(at(0).services, asRefund(refundId));
    const receipt = newReceipt();
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        callBack("reversal", n % 2 === 0 ? reversed(receipt) : failedReversal("R000002")),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
    expect(await read()).toMatchObject({ state: "done", receipt });
    expect(await booked()).toEqual({ refunds_due: PRICE, mpesa_collection: -PRICE });
    expect(await emails()).toEqual([receipt]);
    expect(await raised()).toEqual([]);
  });

  test.each([
    ["the answer is lost", { kind: "unknown", code: "timeout", message: "No answer" } as const, 1],
    ["the result is lost", { kind: "accepted", providerConversationId: "AG_1" } as const, 6],
  ])("is asked for again when %s, and 'already reversed' then means done", async (_case, reversal, minutes) => {
    await makeRefund();
    const { sent } = at(0);
    await advanceTransfer(at(0, { sent, reversal }).services, asRefund(refundId));
    const again = at(minutes, { sent });
    await Promise.all(Array.from({ length: 6 }, () => advanceTransfer(again.services, asRefund(refundId))));
    expect(sent.reversals).toHaveLength(2);
    expect(await read()).toMatchObject({ state: "sent", sendCount: 2, lookupCount: 1 });
    expect(await callBack("reversal", failedReversal("R000001"))).toBe("done");
    expect(await read()).toMatchObject({ state: "done", receipt: null });
    expect(await booked()).toEqual({ refunds_due: PRICE, mpesa_collection: -PRICE });
    expect(await emails()).toEqual([null]);
    expect(await raised()).toEqual([]);
    // The result of the first request arrives after all, twice.
    const receipt = newReceipt();
    expect(await callBack("reversal", reversed(receipt, { ConversationID: "AG_0" }))).toBe("applied");
    expect(await callBack("reversal", reversed(receipt, { ConversationID: "AG_0" }))).toBe("unchanged");
    expect(await read()).toMatchObject({ state: "done", receipt });
    expect(await emails()).toEqual([null]);
  });

  test("that a worker claimed and never sent is asked for again", async () => {
    await makeRefund();
    await db
      .update(refunds)
      .set({ state: "sending", method: "reversal", sendCount: 1 })
      .where(eq(refunds.id, refundId));
    const { sent, services } = at(3);
    await advanceTransfer(services, asRefund(refundId));
    expect(await read()).toMatchObject({ state: "unknown", waitReason: "answer_lost" });
    await advanceTransfer(services, asRefund(refundId));
    expect(sent.reversals).toHaveLength(1);
    expect(await read()).toMatchObject({ state: "sent", sendCount: 2 });
  });

  test("that was already reversed when we first ask is done, and a person is told", async () => {
    await makeRefund();
    await advanceTransfer(at(0).services, asRefund(refundId));
    expect(await callBack("reversal", failedReversal("R000001"))).toBe("done");
    expect(await read()).toMatchObject({ state: "done", receipt: null });
    expect(await raised()).toEqual(["refund_already_reversed"]);
    expect(await booked()).toEqual({ refunds_due: PRICE, mpesa_collection: -PRICE });
    // Nobody says that we sent it.
    const told = await db
      .select()
      .from(outbox)
      .where(eq(outbox.dedupeKey, `refund_sent:${refundId}`));
    expect(told.map(({ payload }) => (JSON.parse(payload) as Mail).data)).toMatchObject([{ isInQuestion: true }]);
  });

  test("with a receipt that M-Pesa can't reverse is parked for a person, who sends and records it", async () => {
    await makeRefund();
    await advanceTransfer(at(0).services, asRefund(refundId));
    expect(await recordTransfer(servicesAt(), admin, asRefund(refundId), newReceipt())).toEqual({
      ok: false,
      code: "stale",
    });
    expect(await callBack("reversal", failedReversal("R000002"))).toBe("parked");
    expect(await read()).toMatchObject({ state: "parked", waitReason: "receipt_invalid", nextActionAt: null });
    expect(await raised()).toEqual(["refund_parked"]);
    expect(await recordTransfer(servicesAt(), admin, asRefund(refundId), newReceipt())).toEqual({
      ok: false,
      code: "stale",
    });
    const reservations = await Promise.all(
      Array.from({ length: 5 }, () => reserveTransfer(servicesAt(), admin, asRefund(refundId))),
    );
    expect(reservations.filter(Boolean)).toHaveLength(1);
    const receipt = newReceipt();
    const records = await Promise.all(
      Array.from({ length: 5 }, () => recordTransfer(servicesAt(), admin, asRefund(refundId), receipt)),
    );
    expect(records.filter(({ ok }) => ok).length).toBeGreaterThan(0);
    expect(await read()).toMatchObject({ state: "parked", receipt: null });
    expect(await mpesaConfirms(receipt)).toBe("receipt_confirmed");
    expect(await read()).toMatchObject({ state: "done", receipt, doneBy: admin.id });
    expect(await booked()).toEqual({ refunds_due: PRICE, mpesa_payout_float: -PRICE });
    expect(await emails()).toEqual([receipt]);
    expect(await raised()).toEqual([]);
    // M-Pesa did it after all: the buyer has the money twice.
    await callBack("reversal", reversed(newReceipt()));
    expect(await raised()).toEqual(["refund_paid_twice"]);
    expect(await booked()).toEqual({ refunds_due: PRICE, mpesa_payout_float: -PRICE });
  });

  test("that is parked is told to the buyer once, and every part of their pages says that it isn't on its way", async () => {
    await makeRefund();
    for (let time = 0; time < 2; time += 1) {
      await advanceTransfer(at(0).services, asRefund(refundId));
      expect(await callBack("reversal", failedReversal("R000002"))).toBe("parked");
      const mails = await db
        .select()
        .from(outbox)
        .where(eq(outbox.dedupeKey, `refund_parked:${refundId}`));
      expect(mails.map(({ payload }) => JSON.parse(payload) as Mail)).toMatchObject([
        {
          template: "refund_parked",
          to: `${deal.buyerId}@campus.test`,
          data: { amount: PRICE, orderId: deal.orderId },
        },
      ]);
      await buyerReadsThatItIsDelayed(PRICE);
      await db.update(refunds).set({ state: "due", nextActionAt: 0 }).where(eq(refunds.id, refundId));
    }
    const paying = await (await visit(`/orders/${deal.orderId}`, { as: deal.buyerId })).text();
    expect(paying).toContain("On its way back to you");
  });

  test("that M-Pesa refuses because of our configuration waits, and its buyer reads so", async () => {
    await makeRefund();
    const refused = { kind: "refused", code: "http_400", message: "Bad Request", retryAfterMs: null } as const;
    const reversal = { ...refused, reason: "our_configuration", pausesChannel: true } as const;
    await advanceTransfer(at(0, { reversal }).services, asRefund(refundId));
    expect(await read()).toMatchObject({ state: "due", waitReason: "our_configuration" });
    await buyerReadsThatItIsDelayed(PRICE);
  });

  test("that our account can't pay stops all reversals, but no transfer, and can be tried again", async () => {
    await makeRefund();
    await advanceTransfer(at(0).services, asRefund(refundId));
    expect(await callBack("reversal", failedReversal(1))).toBe("parked");
    const first = refundId;
    expect(await retryTransfer(servicesAt(), admin, asRefund(refundId))).toMatchObject({ id: refundId });
    expect(await retryTransfer(servicesAt(), admin, asRefund(refundId))).toBeNull();
    // Another one has met the empty account since.
    const until = Date.now() + 15 * MINUTE;
    await db.update(leases).set({ until }).where(eq(leases.name, "reversals_hold"));
    const { sent, services } = at(1);
    await advanceTransfer(services, asRefund(refundId));
    expect(await read()).toMatchObject({ state: "due", waitReason: "channel_paused" });
    await buyerReadsThatItIsDelayed(PRICE);
    await makeRefund({ part: 500 });
    await advanceTransfer(services, asRefund(refundId));
    expect(sent).toMatchObject({ reversals: [], transfers: [{ amount: 500 }] });
    refundId = first;
    await advanceTransfer(at(17, { sent }).services, asRefund(refundId));
    expect(sent.reversals).toHaveLength(1);
    expect(await read()).toMatchObject({ state: "sent", sendCount: 2 });
    // The payment was never reversed by us, so this is somebody else's doing.
    await callBack("reversal", failedReversal("R000001"));
    expect(await raised()).toEqual(["refund_already_reversed"]);
  });

  test("that our account can't pay stays parked while reversals are paused again, so an admin may send it by hand", async () => {
    await makeRefund();
    await advanceTransfer(at(0).services, asRefund(refundId));
    expect(await callBack("reversal", failedReversal(1))).toBe("parked");
    // Another refund has met the empty account since.
    const until = Date.now() + 30 * MINUTE;
    await db.update(leases).set({ until }).where(eq(leases.name, "reversals_hold"));
    const { sent, services } = at(16);
    await advanceTransfer(services, asRefund(refundId));
    expect(sent.reversals).toEqual([]);
    expect(await read()).toMatchObject({ state: "parked", waitReason: "our_float", nextActionAt: until, sendCount: 1 });
    const order = await (await visit(`/orders/${deal.orderId}`, { as: deal.buyerId })).text();
    expect(order).toContain("Not sent back yet");
    expect(order).not.toMatch(/on its way back|is coming back/i);
    // The pause is over.
    const logged: Record<string, unknown>[] = [];
    const log = (entry: Record<string, unknown>) => void logged.push(entry);
    await advanceTransfer({ ...at(31, { sent }).services, log }, asRefund(refundId));
    expect(sent.reversals).toHaveLength(1);
    expect(await read()).toMatchObject({ state: "sent", waitReason: null, sendCount: 2 });
    expect(logged).toContainEqual(
      expect.objectContaining({ event: "transfer_moved", id: refundId, from: "parked", to: "due", by: "retried" }),
    );
    expect(await callBack("reversal", failedReversal(1))).toBe("parked");
    expect(await reserveTransfer(servicesAt(), admin, asRefund(refundId))).toBe(true);
    expect(await read()).toMatchObject({ state: "parked", waitReason: "sending_by_hand", nextActionAt: null });
  });

  // An answer that is lost names no request, so nobody knows which of several a failure is about.
  test.each([
    { answers: ["AG_1"], failures: { AG_1: "parked" } },
    { answers: [null], failures: { AG_1: "parked" } },
    { answers: ["AG_1", "AG_2"], failures: { AG_1: "undecided", AG_2: "parked" } },
    { answers: [null, "AG_2"], failures: { AG_1: "undecided", AG_2: "parked" } },
    { answers: ["AG_1", null], failures: { AG_1: "undecided", AG_2: "undecided" } },
    { answers: [null, null], failures: { AG_1: "undecided", AG_2: "undecided" } },
  ])("fails only with the last request: $answers", async ({ answers, failures }) => {
    await makeRefund();
    for (const [n, id] of answers.entries()) {
      const reversal: ReversalAnswer =
        id === null
          ? { kind: "unknown", code: "timeout", message: "No answer" }
          : { kind: "accepted", providerConversationId: id };
      await advanceTransfer(at(n * 120, { reversal }).services, asRefund(refundId));
      expect(await read()).toMatchObject({ state: id === null ? "unknown" : "sent", sendCount: n + 1 });
    }
    const { state } = await read();
    for (const [id, outcome] of Object.entries(failures)) {
      expect(await callBack("reversal", failedReversal(1, id))).toBe(outcome);
      expect(await read()).toMatchObject({ state: outcome === "parked" ? "parked" : state });
    }
  });

  test.each([
    ["another payment's receipt", { Key: "OriginalTransactionID", Value: "TFOREIGN01" }, "foreign_id", "sent"],
    ["another amount", { Key: "Amount", Value: PRICE + 1 }, "done", "done"],
  ])("reported with %s is told to a person", async (_case, item, outcome, state) => {
    await makeRefund();
    await advanceTransfer(at(0).services, asRefund(refundId));
    const body = reversed(newReceipt(), { ResultParameters: { ResultParameter: [item] } });
    expect(await callBack("reversal", body)).toBe(outcome);
    expect(await read()).toMatchObject({ state });
    expect(await raised()).toEqual([outcome === "foreign_id" ? "callback_foreign_id" : "refund_amount"]);
  });

  test("waits when the time-out address is called, and is asked for again", async () => {
    await makeRefund();
    const { sent } = at(0);
    await advanceTransfer(at(0, { sent }).services, asRefund(refundId));
    expect(await callBack("reversal_timeout", {})).toBe("in_doubt");
    expect(await read()).toMatchObject({ state: "unknown", waitReason: "queue_timed_out" });
    await advanceTransfer(at(1, { sent }).services, asRefund(refundId));
    expect(sent.reversals).toHaveLength(2);
  });

  test("without any result is told to a person after five more requests", async () => {
    await makeRefund();
    const { sent } = at(0);
    for (let hours = 0; hours < 6; hours += 1)
      await advanceTransfer(at(hours * 120, { sent }).services, asRefund(refundId));
    expect(sent.reversals).toHaveLength(6);
    expect(await raised()).toEqual(["refund_in_doubt"]);
  });

  test("cannot have the receipt of another refund", async () => {
    await makeRefund();
    await advanceTransfer(at(0).services, asRefund(refundId));
    const receipt = newReceipt();
    await callBack("reversal", reversed(receipt));
    await makeRefund();
    await advanceTransfer(at(0).services, asRefund(refundId));
    await callBack("reversal", reversed(receipt));
    expect(await read()).toMatchObject({ state: "sent" });
    expect(await raised()).toEqual(["refund_receipt_reused"]);
  });
});

describe("a part of a payment", () => {
  test("goes to the number that paid, under one id, and out of the payout account", async () => {
    await makeRefund({ part: 500 });
    const { sent, services } = at(0);
    await advanceTransfer(services, asRefund(refundId));
    const { conversationId } = await read();
    expect(sent).toEqual({
      reversals: [],
      transfers: [{ conversationId, phone: payerPhone, amount: 500 }],
      lookups: [],
    });
    const receipt = newReceipt();
    expect(await callBack("payout", await transferred(receipt))).toBe("done");
    expect(await read()).toMatchObject({ state: "done", method: "b2c", phone: payerPhone, receipt });
    expect(await booked()).toEqual({ refunds_due: 500, mpesa_payout_float: -500 });
    expect(await emails()).toEqual([receipt]);
  });

  test("whose answer is lost is looked up, and never sent again", async () => {
    await makeRefund({ part: 500 });
    const { sent } = at(0);
    const transfer = { kind: "unknown", code: "timeout", message: "No answer" } as const;
    await advanceTransfer(at(0, { sent, transfer }).services, asRefund(refundId));
    const { conversationId } = await read();
    for (const minutes of [1, 5, 20]) {
      const { services } = at(minutes, { sent });
      await Promise.all(Array.from({ length: 6 }, () => advanceTransfer(services, asRefund(refundId))));
    }
    expect(sent.transfers).toHaveLength(1);
    expect(sent.lookups).toEqual([conversationId, conversationId, conversationId]);
    // The third answer without a record parks it, and only a person sends it again, under the same id.
    const nothing = { Result: { ResultCode: 2032, ResultDesc: "Not found", TransactionID: "SKE0000000" } };
    for (const _ of [1, 2]) expect(await callBack("lookup", nothing)).toBe("no_record");
    expect(await callBack("lookup", nothing)).toBe("parked");
    expect(await read()).toMatchObject({ state: "parked", waitReason: "no_record" });
    await retryTransfer(servicesAt(), admin, asRefund(refundId));
    await advanceTransfer(at(30, { sent }).services, asRefund(refundId));
    expect(sent.transfers.map((transferOf) => transferOf.conversationId)).toEqual([conversationId, conversationId]);
  });

  test("that M-Pesa reported as failed is tried again under a new id, and a late success of the old one is told", async () => {
    await makeRefund({ part: 500 });
    await advanceTransfer(at(0).services, asRefund(refundId));
    const before = await read();
    expect(await callBack("payout", await transferred("SKE0000000", { ResultCode: 2040 }))).toBe("parked");
    expect(await raised()).toEqual(["refund_parked"]);
    await retryTransfer(servicesAt(), admin, asRefund(refundId));
    expect((await read()).conversationId).not.toBe(before.conversationId);
    const late = await transferred(newReceipt(), { OriginatorConversationID: before.conversationId });
    expect(await callBack("payout", late)).toBe("foreign_id");
    expect(await raised()).toEqual(["callback_foreign_id"]);
  });

  test("pauses with payouts when the payout account is empty", async () => {
    await makeRefund({ part: 500 });
    await advanceTransfer(at(0).services, asRefund(refundId));
    expect(await callBack("payout", await transferred("SKE0000000", { ResultCode: 1 }))).toBe("parked");
    const stopped = await db
      .select()
      .from(discrepancies)
      .where(and(eq(discrepancies.kind, "payouts_stopped"), eq(discrepancies.subject, "1")));
    expect(stopped).toHaveLength(1);
    const { sent, services } = at(0);
    await makeRefund({ part: 500 });
    await advanceTransfer(services, asRefund(refundId));
    expect(await read()).toMatchObject({ state: "due", waitReason: "channel_paused" });
    expect(await (await visit(`/orders/${deal.orderId}`, { as: deal.buyerId })).text()).toContain("Not sent back yet");
    await makeRefund();
    await advanceTransfer(services, asRefund(refundId));
    expect(sent).toMatchObject({ reversals: [{ amount: PRICE }], transfers: [] });
  });

  test("that is too small for M-Pesa is parked, and a person sends and records it", async () => {
    await makeRefund({ price: 9 });
    await env.DB.prepare("UPDATE payment_attempts SET receipt = NULL WHERE id = ?").bind(attemptId).run();
    const { sent, services } = at(0);
    await advanceTransfer(services, asRefund(refundId));
    expect(await read()).toMatchObject({ state: "parked", waitReason: "amount_too_small" });
    expect(sent.transfers).toEqual([]);
    expect(await raised()).toEqual(["refund_parked"]);
    expect(await reserveTransfer(servicesAt(), admin, asRefund(refundId))).toBe(true);
    const byHand = newReceipt();
    expect(await recordTransfer(servicesAt(), admin, asRefund(refundId), byHand)).toEqual({ ok: true });
    expect(await mpesaConfirms(byHand)).toBe("receipt_confirmed");
    expect(await booked()).toEqual({ refunds_due: 9, mpesa_payout_float: -9 });
  });
});

describe("a refund without a result that an admin sends by hand", () => {
  async function unknownReversal(): Promise<Sent> {
    await makeRefund();
    const { sent } = at(0);
    const reversal = { kind: "unknown", code: "timeout", message: "No answer" } as const;
    await advanceTransfer(at(0, { sent, reversal }).services, asRefund(refundId));
    expect(await read()).toMatchObject({ state: "unknown" });
    expect(sent.reversals).toHaveLength(1);
    return sent;
  }

  test("is reserved by one of two admins, and never asked for again", async () => {
    const sent = await unknownReversal();
    expect(await recordTransfer(servicesAt(), admin, asRefund(refundId), newReceipt())).toEqual({
      ok: false,
      code: "stale",
    });
    const other = await makeAdmin();
    const reservations = await Promise.all(
      [admin, other].map((by) => reserveTransfer(servicesAt(), by, asRefund(refundId))),
    );
    expect(reservations.filter(Boolean)).toHaveLength(1);
    expect(await read()).toMatchObject({ state: "parked", waitReason: "sending_by_hand", nextActionAt: null });
    expect(await raised()).toEqual(["refund_parked"]);
    for (const minutes of [1, 6, 30, 120]) {
      await advancePayments(at(minutes, { sent }).services);
      await advanceTransfer(at(minutes, { sent }).services, asRefund(refundId));
    }
    // A page that was opened before the reservation.
    expect(await retryTransfer(servicesAt(), admin, asRefund(refundId))).toBeNull();
    expect(sent.reversals).toHaveLength(1);
    const receipt = newReceipt();
    expect(await recordTransfer(servicesAt(), other, asRefund(refundId), receipt)).toEqual({ ok: true });
    expect(await mpesaConfirms(receipt)).toBe("receipt_confirmed");
    expect(await read()).toMatchObject({ state: "done", receipt, doneBy: other.id });
    // It left the payout account, not the paybill as a reversal would have.
    expect(await booked()).toEqual({ refunds_due: PRICE, mpesa_payout_float: -PRICE });
    expect(await booksOff()).toEqual({});
    expect(await raised()).toEqual([]);
  });

  test.each([
    ["did it", reversed, "by hand and again as"],
    ["had done it before", () => failedReversal("R000001"), "by hand and the payment was reversed, too"],
  ])("is told to a person where M-Pesa says afterwards that a reversal %s", async (_, said, words) => {
    await unknownReversal();
    expect(await reserveTransfer(servicesAt(), admin, asRefund(refundId))).toBe(true);
    const receipt = newReceipt();
    expect(await recordTransfer(servicesAt(), admin, asRefund(refundId), receipt)).toEqual({ ok: true });
    expect(await mpesaConfirms(receipt)).toBe("receipt_confirmed");
    expect(await callBack("reversal", said(newReceipt()))).toBe("unchanged");
    expect(await raised()).toEqual(["refund_paid_twice"]);
    const about = await db.select().from(discrepancies).where(eq(discrepancies.subject, refundId));
    expect(about.find(({ kind }) => kind === "refund_paid_twice")?.detail).toContain(words);
    expect(await booked()).toEqual({ refunds_due: PRICE, mpesa_payout_float: -PRICE });
  });

  test("is looked for in the statement of the account that it left", async () => {
    await unknownReversal();
    expect(await reserveTransfer(servicesAt(), admin, asRefund(refundId))).toBe(true);
    const receipt = newReceipt();
    expect(await recordTransfer(servicesAt(), admin, asRefund(refundId), receipt)).toEqual({ ok: true });
    expect(await mpesaConfirms(receipt)).toBe("receipt_confirmed");
    const now = Date.now();
    const missingIn = async (account: "collection" | "payouts") => {
      const period: ListedPeriod = { source: "statement", account, lines: [], from: 0, until: now + 60_000 };
      const { unmatched } = await compareWithRecords({ db }, period);
      return unmatched.some(({ record }) => record?.id === refundId);
    };
    expect([await missingIn("collection"), await missingIn("payouts")]).toEqual([false, true]);
  });

  test("is asked for again once the admin takes it back, and then takes no receipt", async () => {
    const sent = await unknownReversal();
    expect(await reserveTransfer(servicesAt(), admin, asRefund(refundId))).toBe(true);
    expect(await retryTransfer(servicesAt(), admin, asRefund(refundId), { reserved: true })).toMatchObject({
      id: refundId,
    });
    expect(await retryTransfer(servicesAt(), admin, asRefund(refundId), { reserved: true })).toBeNull();
    expect(await recordTransfer(servicesAt(), admin, asRefund(refundId), newReceipt())).toEqual({
      ok: false,
      code: "stale",
    });
    await advanceTransfer(at(1, { sent }).services, asRefund(refundId));
    expect(sent.reversals).toHaveLength(2);
    expect(await reserveTransfer(servicesAt(), admin, asRefund(refundId))).toBe(false);
  });

  test("and that M-Pesa sent, too, is told to a person when its receipt is entered", async () => {
    await unknownReversal();
    expect(await reserveTransfer(servicesAt(), admin, asRefund(refundId))).toBe(true);
    expect(await callBack("reversal", reversed(newReceipt()))).toBe("done");
    expect(await recordTransfer(servicesAt(), admin, asRefund(refundId), newReceipt())).toEqual({
      ok: false,
      code: "sent_twice",
    });
    expect(await raised()).toEqual(["refund_paid_twice"]);
    expect(await booked()).toEqual({ refunds_due: PRICE, mpesa_collection: -PRICE });
  });
});

test("a payment whose receipt we never learned goes back to the number that paid", async () => {
  await makeRefund();
  await env.DB.prepare("UPDATE payment_attempts SET receipt = NULL WHERE id = ?").bind(attemptId).run();
  const { sent, services } = at(0);
  await advanceTransfer(services, asRefund(refundId));
  expect(sent.transfers).toMatchObject([{ phone: payerPhone, amount: PRICE }]);
  // The method stays, although the receipt arrives now.
  await env.DB.prepare("UPDATE payment_attempts SET receipt = ? WHERE id = ?").bind(paidReceipt, attemptId).run();
  expect(await callBack("reversal", reversed(newReceipt()))).toBe("foreign_id");
  await callBack("payout", await transferred(newReceipt()));
  expect(await booked()).toEqual({ refunds_due: PRICE, mpesa_payout_float: -PRICE });
});

test("a callback with a token that isn't a refund's changes nothing", async () => {
  await makeRefund();
  await advanceTransfer(at(0).services, asRefund(refundId));
  const token = "0".repeat(64);
  for (const kind of ["reversal", "payout", "reversal_timeout", "payout_timeout"] as const)
    expect(await callBack(kind, reversed(newReceipt()), token)).toBe("unknown_token");
  expect(await callBack("reversal", "nonsense")).toBe("unreadable");
  expect(await read()).toMatchObject({ state: "sent" });
});

test.each([
  ["a reversal", null, ["payouts_stopped", "push_limit"], (receipt: string) => callBack("reversal", reversed(receipt))],
  [
    "a transfer to a number",
    500,
    ["push_limit", "reversals_stopped"],
    async (receipt: string) => callBack("payout", await transferred(receipt)),
  ],
])(
  "%s that M-Pesa makes closes what had stopped its way, unless it was sent before",
  async (_, part, others, succeed) => {
    const kinds = ["gateway_configuration", "payouts_stopped", "push_limit", "reversals_stopped"] as const;
    const ofStops = inArray(discrepancies.kind, [...kinds]);
    const open = async () =>
      (
        await db
          .select()
          .from(discrepancies)
          .where(and(ofStops, isNull(discrepancies.resolvedAt)))
      )
        .map(({ kind }) => kind)
        .toSorted();
    await db.delete(discrepancies).where(ofStops);
    await makeRefund({ part });
    await advanceTransfer(at(0).services, asRefund(refundId));
    const stopped = Date.now() + MINUTE;
    await runRaising(
      servicesAt(),
      kinds.flatMap((kind) => raiseDiscrepancy(kind, "1", "M-Pesa refuses", stopped)),
    );
    expect(await succeed(newReceipt())).toBe("done");
    expect(await open()).toEqual(kinds);
    await makeRefund({ part });
    await advanceTransfer(at(2).services, asRefund(refundId));
    expect(await succeed(newReceipt())).toBe("done");
    expect(await open()).toEqual(others);
  },
);
