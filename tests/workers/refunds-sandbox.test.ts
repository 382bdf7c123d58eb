/** Refunds from the cancelled order to the payer's phone, with the real Daraja client against the sandbox. */
import { env } from "cloudflare:workers";
import { eq, isNull } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { discrepancies, paymentCallbacks, refunds } from "#app/payments/tables.server.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { advancePayments } from "#app/payments/advance-payments.server.ts";
import { eventually } from "#tests/support/eventually.ts";
import { booksOff, type Deal, db, makeDeal, runSandbox, servicesAt, uniquePhone } from "#tests/support/fixtures.ts";
import { payInSandbox } from "#tests/support/paid-deal.ts";
import { makeAdmin } from "#tests/support/visit.ts";

const MINUTE = 60_000;

let deal: Deal;
let phone: string;

beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare("DELETE FROM leases"),
    env.DB.prepare("DELETE FROM discrepancies"),
    env.DB.prepare("UPDATE refunds SET next_action_at = NULL"),
    env.DB.prepare("UPDATE payouts SET next_action_at = NULL"),
  ]);
});

async function pay(ending: string): Promise<void> {
  deal = await makeDeal();
  phone = uniquePhone(ending);
  await payInSandbox(deal, phone);
}

const dealServices = () => ({ ...servicesAt(), deals: { inspectionHours: 48, codeKey: "test-key" } });

async function cancel(): Promise<void> {
  const cancelled = { itemId: deal.itemId, event: "cancelled_by_buyer", by: deal.buyerId } as const;
  expect(await applyDealEvent(dealServices(), cancelled)).toMatchObject({ ok: true });
}

async function splitPart(refundAmount: number): Promise<void> {
  await env.DB.prepare("UPDATE order_items SET status = 'in_review' WHERE id = ?").bind(deal.itemId).run();
  const split = { itemId: deal.itemId, event: "team_split", by: (await makeAdmin()).id, refundAmount } as const;
  expect(await applyDealEvent(dealServices(), split)).toMatchObject({ ok: true });
  await env.DB.prepare("UPDATE payouts SET next_action_at = NULL").run();
}

/** The job runs at each of these minutes. In between M-Pesa acts, and all its callbacks are applied. */
async function run(minutes: number[]): Promise<void> {
  for (const minute of minutes) {
    await advancePayments(servicesAt(minute * MINUTE));
    await runSandbox();
    await eventually(async () => {
      const waiting = await db.select().from(paymentCallbacks).where(isNull(paymentCallbacks.appliedAt));
      expect(waiting).toEqual([]);
    });
  }
}

async function found() {
  const [refund] = await db.select().from(refunds).where(eq(refunds.orderItemId, deal.itemId));
  const open = await db.select({ kind: discrepancies.kind }).from(discrepancies);
  const activity = await env.SANDBOX_OBJECT.getByName("sandbox").activity();
  const reversals = activity.messages.filter((message) => message.phone === phone && message.text.includes("reversed"));
  const transfers = activity.payouts.filter((payout) => payout.phone === phone && payout.state === "paid");
  expect(await booksOff()).toEqual({});
  return {
    state: refund?.state,
    receipt: refund?.receipt,
    waitReason: refund?.waitReason,
    told: open.map(({ kind }) => kind).toSorted(),
    timesSentBack: reversals.length + transfers.length,
    payment: activity.prompts.find((prompt) => prompt.phone === phone)?.state,
  };
}

const RECEIPT: unknown = expect.stringMatching(/^[A-Z0-9]{10}$/);

test.each([
  ["77", [0], { state: "done", receipt: RECEIPT, told: [], timesSentBack: 1, payment: "reversed" }],
  [
    "21",
    [0, 1],
    { state: "parked", waitReason: "our_float", told: ["refund_parked", "reversals_stopped"], timesSentBack: 0 },
  ],
  ["22", [0, 6], { state: "done", receipt: null, told: [], timesSentBack: 1 }],
  ["24", [0, 1], { state: "parked", waitReason: "receipt_invalid", told: ["refund_parked"], timesSentBack: 0 }],
])("a whole payment by a phone that ends in %s", async (ending, minutes, outcome) => {
  await pay(ending);
  await cancel();
  await run(minutes);
  await eventually(async () => expect(await found()).toMatchObject(outcome));
});

test.each([
  ["77", [0], { state: "done", receipt: RECEIPT, told: [], timesSentBack: 1, payment: "paid" }],
  ["25", [0, 1], { state: "done", receipt: RECEIPT, told: [], timesSentBack: 1 }],
])("a part of a payment by a phone that ends in %s", async (ending, minutes, outcome) => {
  await pay(ending);
  await splitPart(500);
  await run(minutes);
  await eventually(async () => expect(await found()).toMatchObject(outcome));
});
