/** Every kind of result, with the ids of its own request, with none, and with those of another. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { CallbackOutcome } from "#app/db/states/callback.ts";
import { discrepancies, payouts, refunds } from "#app/payments/tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import type { CallbackKind } from "#app/payments/answers/callbacks.server.ts";
import type { PaymentGateway, PayoutOutcome, PushOutcome, ReversalOutcome } from "#app/payments/gateway.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { receiveCallback } from "#tests/support/callbacks.ts";
import {
  db,
  makeDeal,
  quietServices,
  readAttempts,
  readPayout,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { newReceipt, payDeal } from "#tests/support/paid-deal.ts";
import { makeAdmin } from "#tests/support/visit.ts";
import { advanceTransfer } from "#app/payments/transfers/send-transfer.server.ts";
import { asPayout, asRefund } from "#tests/support/transfers.ts";

type Ids = "own" | "none" | "foreign";
/** What becomes of a result of each kind. A foreign one is never applied, whatever it says. */
type Expected<Kind extends string> = Record<Kind, Record<Exclude<Ids, "foreign">, CallbackOutcome>>;

const SAID = { code: "1", message: "said so" };
const failed = { kind: "failed", ...SAID, reason: "other", pausesChannel: false } as const;
const unknown = { kind: "unknown", ...SAID } as const;

const PUSH: Record<PushOutcome["kind"], CallbackOutcome> = {
  done: "applied",
  failed: "applied",
  pending: "undecided",
  unknown: "undecided",
};
const TRANSFER: Expected<PayoutOutcome["kind"]> = {
  done: { own: "done", none: "done" },
  failed: { own: "parked", none: "undecided" },
  pending: { own: "undecided", none: "undecided" },
  not_found: { own: "no_record", none: "no_record" },
  unknown: { own: "undecided", none: "undecided" },
};
const REVERSAL: Expected<ReversalOutcome["kind"]> = {
  done: { own: "done", none: "done" },
  already_reversed: { own: "done", none: "done" },
  failed: { own: "parked", none: "parked" },
  unknown: { own: "undecided", none: "undecided" },
};

/** Each kind with the ids of its own request and with none, and what would change something with those of another. */
function cases<Kind extends string>(expected: Expected<Kind>): [Kind, Ids, CallbackOutcome][] {
  return (Object.keys(expected) as Kind[]).flatMap((kind): [Kind, Ids, CallbackOutcome][] => [
    [kind, "own", expected[kind].own],
    [kind, "none", expected[kind].none],
    ...(expected[kind].own === "undecided" ? [] : [[kind, "foreign", "foreign_id"] as [Kind, Ids, CallbackOutcome]]),
  ]);
}

function idFor(ids: Ids, own: string | null): string | null {
  return ids === "own" ? own : ids === "none" ? null : crypto.randomUUID();
}

async function receive(
  kind: CallbackKind,
  token: string,
  reading: Partial<PaymentGateway>,
): Promise<CallbackOutcome | "kept"> {
  const services = servicesAt();
  const gateway = { ...services.gateway, ...reading };
  return receiveCallback({ ...services, gateway }, { kind, token, body: "{}" });
}

/** The result was told to a person, and changed nothing else. */
async function expectIgnored(subject: string, before: unknown, after: unknown, receipt: string | null): Promise<void> {
  expect(after).toEqual(before);
  const told = await db.select().from(discrepancies).where(eq(discrepancies.subject, subject));
  expect(told.map(({ kind }) => kind)).toEqual(["callback_foreign_id"]);
  if (receipt !== null) expect(told[0]?.detail).toContain(receipt);
}

beforeEach(async () => {
  await db.delete(discrepancies);
});

function transferOutcome(kind: PayoutOutcome["kind"], receipt: string): PayoutOutcome {
  const outcomes: Record<PayoutOutcome["kind"], PayoutOutcome> = {
    done: { kind: "done", receipt },
    failed,
    pending: { kind: "pending" },
    not_found: { kind: "not_found" },
    unknown,
  };
  return outcomes[kind];
}

test.each(cases(TRANSFER))("a payout's result that is %s, with %s ids, is %s", async (kind, ids, expected) => {
  const deal = await payDeal();
  await db.update(orderItems).set({ status: "delivered" }).where(eq(orderItems.id, deal.itemId));
  await applyDealEvent(servicesAt(), { itemId: deal.itemId, event: "accepted", by: deal.buyerId });
  const payoutId = (await readPayout(deal.itemId))?.id ?? "";
  await advanceTransfer(servicesAt(60_000), asPayout(payoutId));
  const read = async () => (await db.select().from(payouts).where(eq(payouts.id, payoutId)))[0];
  const before = await read();
  expect(before?.state).toBe("sent");
  const receipt = newReceipt();
  for (const callback of ["payout", "lookup"] as const) {
    const report = () => ({
      conversationId: idFor(ids, before?.conversationId ?? null),
      outcome: transferOutcome(kind, receipt),
      ...SAID,
      amountCents: null,
      receipt: null,
    });
    const reading = { readPayoutResult: report, readPayoutLookup: report };
    const outcome = await receive(callback, before?.callbackToken ?? "", reading);
    // The look-up repeats what the result said.
    const isRepeated = callback === "lookup" && (expected === "done" || expected === "parked");
    expect(outcome).toBe(isRepeated ? "unchanged" : expected);
  }
  if (ids === "foreign") await expectIgnored(payoutId, before, await read(), kind === "done" ? receipt : null);
});

/** A refund that was sent: the whole payment by reversal, or a part as a transfer. */
async function sendRefund(method: "reversal" | "b2c") {
  const deal = await payDeal();
  if (method === "b2c") {
    await db.update(orderItems).set({ status: "in_review" }).where(eq(orderItems.id, deal.itemId));
    const split = { event: "team_split", by: (await makeAdmin()).id, refundAmount: 500 } as const;
    await applyDealEvent(servicesAt(), { itemId: deal.itemId, ...split });
  } else await applyDealEvent(servicesAt(), { itemId: deal.itemId, event: "cancelled_by_buyer", by: deal.buyerId });
  const [owed] = await db.select().from(refunds).where(eq(refunds.orderItemId, deal.itemId));
  await advanceTransfer(servicesAt(60_000), asRefund(owed?.id ?? ""));
  const read = async () =>
    (
      await db
        .select()
        .from(refunds)
        .where(eq(refunds.id, owed?.id ?? ""))
    )[0];
  const before = await read();
  expect(before).toMatchObject({ state: "sent", method });
  if (!before) throw new Error("no refund");
  const [attempt] = await readAttempts(deal.orderId);
  return { before, read, paidReceipt: attempt?.receipt ?? null };
}

// What else it may be is read as a payout's.
test.each(cases({ done: TRANSFER.done, failed: TRANSFER.failed }))(
  "a transfer's result that is %s, with %s ids, is %s",
  async (kind, ids, expected) => {
    const { before, read } = await sendRefund("b2c");
    const receipt = newReceipt();
    const report = () => ({
      conversationId: idFor(ids, before.conversationId),
      outcome: transferOutcome(kind, receipt),
      ...SAID,
      amountCents: null,
      receipt: null,
    });
    expect(await receive("payout", before.callbackToken, { readPayoutResult: report })).toBe(expected);
    if (ids === "foreign") await expectIgnored(before.id, before, await read(), kind === "done" ? receipt : null);
  },
);

test.each(cases(REVERSAL))("a reversal's result that is %s, of %s payment, is %s", async (kind, ids, expected) => {
  const { before, read, paidReceipt } = await sendRefund("reversal");
  const outcomes: Record<ReversalOutcome["kind"], ReversalOutcome> = {
    done: { kind: "done", receipt: newReceipt() },
    already_reversed: { kind: "already_reversed" },
    failed,
    unknown,
  };
  const report = () => ({
    providerConversationId: before.providerConversationId,
    originalReceipt: idFor(ids, paidReceipt),
    outcome: outcomes[kind],
    ...SAID,
    amountCents: null,
  });
  expect(await receive("reversal", before.callbackToken, { readReversalResult: report })).toBe(expected);
  if (ids === "foreign") await expectIgnored(before.id, before, await read(), null);
});

const pushCases = (Object.keys(PUSH) as PushOutcome["kind"][]).flatMap((kind) => [
  [kind, "own", PUSH[kind]] as const,
  ...(PUSH[kind] === "undecided" ? [] : [[kind, "foreign", "foreign_id"] as const]),
]);

test.each(pushCases)("a prompt's result that is %s, with %s ids, is %s", async (kind, ids, expected) => {
  const deal = await makeDeal();
  await requestOrderPayment(quietServices(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
  const [before] = await readAttempts(deal.orderId);
  const outcomes: Record<PushOutcome["kind"], PushOutcome> = {
    done: { kind: "done" },
    failed: { kind: "failed", ...SAID, reason: "other" },
    pending: { kind: "pending" },
    unknown,
  };
  const report = () => ({
    checkoutRequestId: idFor(ids, before?.checkoutRequestId ?? null) ?? "",
    merchantRequestId: "1",
    outcome: outcomes[kind],
    ...SAID,
    amountCents: deal.amount * 100,
    receipt: newReceipt(),
    paidAt: null,
  });
  expect(await receive("push", before?.callbackToken ?? "", { readPushCallback: report })).toBe(expected);
  if (ids === "foreign") await expectIgnored(before?.id ?? "", before, (await readAttempts(deal.orderId))[0], null);
});
