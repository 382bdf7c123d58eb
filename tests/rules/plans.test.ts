import fc from "fast-check";
import { expect, test } from "vitest";
import { unpaidText } from "#app/payments/payment-texts.ts";
import type { AttemptState } from "#app/db/states/attempt.ts";
import { ATTEMPT_TRANSITIONS, paymentStateOf } from "#app/payments/collect/attempt-rules.ts";
import { planLegs } from "#app/payments/books/ledger-rules.ts";
import { planReference } from "#app/payments/collect/prompt-rules.ts";
import { PLAN_IDS, planLengthMs, planPeriod, planPrice, readPlanId } from "#app/shops/plan-rules.ts";

test("the plans cost what the specification says, written as it writes them", () => {
  expect(PLAN_IDS.map(planPrice)).toEqual(["Kshs. 400", "Kshs. 700", "Kshs. 2,500"]);
  expect(readPlanId("monthly_premium")).toBe("monthly_premium");
  expect(readPlanId("yearly")).toBeNull();
});

test("paying again never loses a day that was paid for, and never grants one twice", () => {
  const day = 24 * 60 * 60_000;
  fc.assert(
    fc.property(
      fc.array(fc.record({ plan: fc.constantFrom(...PLAN_IDS), wait: fc.integer({ min: 0, max: 40 * day }) }), {
        maxLength: 12,
      }),
      (purchases) => {
        let now = 1_800_000_000_000;
        let until: number | null = null;
        for (const { plan, wait } of purchases) {
          now += wait;
          const { startsAt, endsAt } = planPeriod(plan, until, now);
          expect(endsAt - startsAt).toBe(planLengthMs(plan));
          expect(startsAt).toBe(until === null || until < now ? now : until);
          until = endsAt;
        }
      },
    ),
  );
});

test("a plan's payment is told from its latest attempt alone", () => {
  const shown = Object.fromEntries(
    (Object.keys(ATTEMPT_TRANSITIONS) as AttemptState[]).map((state) => [
      state,
      paymentStateOf(state, null).paymentStatus,
    ]),
  );
  expect(shown).toEqual({
    created: "processing",
    pushed: "processing",
    unknown: "processing",
    succeeded: "completed",
    failed: "failed",
    refused: "failed",
    expired: "failed",
    held: "processing",
  });
  expect(unpaidText(paymentStateOf("held", null))).toMatch(/don't pay again/);
  expect(unpaidText(paymentStateOf("failed", "wrong_pin"))).toMatch(/PIN was wrong/);
  expect(unpaidText(paymentStateOf("expired", "expired"))).toMatch(/haven't heard from M-Pesa/);
  expect(paymentStateOf("expired", "abandoned")).toMatchObject({ paymentStatus: "pending", paymentReview: null });
  expect(unpaidText(paymentStateOf("pushed", null))).toBeNull();
});

test("what a plan brings in is ours, and balances", () => {
  expect(planLegs(700)).toEqual([
    { account: "mpesa_collection", kind: "charge", amount: 700 },
    { account: "plans", kind: "charge", amount: -700 },
  ]);
  // Twelve letters and digits at most.
  expect(planReference("0a1b2c3d-0000-4000-8000-000000000000")).toBe("PLN0A1B2C3D");
});
