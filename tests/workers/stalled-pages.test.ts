/**
 * What people read about a payment while the database is away: that we don't know, and that they must not pay twice.
 */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { PAGE_PATIENCE } from "#app/db/patience.ts";
import { UNSENT_TEXT } from "#app/payments/payment-texts.ts";
import { databaseThrough } from "#tests/support/faults.ts";
import { type Deal, makeDeal, readAttempts, settleDeferred, uniquePhone } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

vi.setConfig({ testTimeout: 120_000 });
// Files of tests share their modules, so the next one must find it as it was.
const usual = PAGE_PATIENCE.repeatForMs;
beforeAll(() => {
  PAGE_PATIENCE.repeatForMs = 20;
});
afterAll(() => {
  PAGE_PATIENCE.repeatForMs = usual;
});

/** The database is away from its `nth` call on, and `calls` counts them. */
function awayFrom(nth: number) {
  const seen = { calls: 0 };
  const DB = databaseThrough(env.DB, async (call) => {
    seen.calls += 1;
    if (seen.calls >= nth) throw new Error("D1_ERROR: Network connection lost. (secret detail)");
    return call();
  });
  return { bindings: { DB }, seen };
}

interface Case {
  ask(deal: Deal, bindings: Partial<Cloudflare.Env>): Promise<Response>;
}

const payForm = (phone: string) => ({
  intent: "pay",
  option: "pickup",
  pickupConfirmed: "on",
  phone,
  address: "",
  instructions: "",
});

const CASES: Record<string, Case> = {
  "pressing Pay": {
    ask: (deal, bindings) =>
      visit(`/checkout/${deal.orderId}`, { as: deal.buyerId, form: payForm(uniquePhone("00")), bindings }),
  },
  "the checkout": { ask: (deal, bindings) => visit(`/checkout/${deal.orderId}`, { as: deal.buyerId, bindings }) },
  "the confirmation": {
    ask: (deal, bindings) => visit(`/order-confirmation/${deal.orderId}`, { as: deal.buyerId, bindings }),
  },
  "the order": { ask: (deal, bindings) => visit(`/orders/${deal.orderId}`, { as: deal.buyerId, bindings }) },
  "the plan": {
    ask: (deal, bindings) => visit("/subscription?plan=weekly_featured", { as: deal.sellerId, bindings }),
  },
  "the API's prompt": {
    ask: (deal, bindings) =>
      visit("/api/mpesa/stkpush", {
        as: deal.buyerId,
        body: JSON.stringify({ phoneNumber: uniquePhone("00"), amount: deal.amount, orderId: deal.orderId }),
        headers: { "Content-Type": "application/json" },
        bindings,
      }),
  },
  "the API's status": {
    ask: (deal, bindings) => visit("/api/mpesa/status/ws_CO_1", { as: deal.buyerId, bindings }),
  },
};

test.each(Object.keys(CASES))("%s: at no step does anybody read that they should just try again", async (name) => {
  const { ask } = CASES[name]!;
  const seen = new Set<number>();
  for (let nth = 1; nth < 60; nth += 1) {
    const deal = await makeDeal();
    // Whoever was fetching an access token when the database went away still holds its lease, and others would wait for
    // that.
    await env.DB.prepare("DELETE FROM daraja_tokens").run();
    const away = awayFrom(nth);
    const answer = await ask(deal, away.bindings);
    const text = (await answer.text()).replaceAll(/&#x27;|\\u0027/g, "'");
    seen.add(answer.status);
    expect(text).not.toMatch(/secret|D1_ERROR/);
    if (answer.status >= 500) {
      expect([nth, /[Dd]on't pay again/.test(text)]).toEqual([nth, true]);
      expect(text).not.toMatch(/Failed to initiate payment|Please try again|try again later/);
    }
    await settleDeferred();
    if (away.seen.calls < nth) break;
    // Whoever is told that nothing was sent got no prompt.
    if (text.includes(UNSENT_TEXT)) {
      const attempts = await readAttempts(deal.orderId);
      expect(attempts.every(({ checkoutRequestId }) => checkoutRequestId === null)).toBe(true);
    }
  }
  expect([...seen].some((status) => status >= 500)).toBe(true);
});
