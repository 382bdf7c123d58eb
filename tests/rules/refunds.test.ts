/** Refunds: every state with every event, how the money goes back, and its entries in the books. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { REFUND_METHODS, REFUND_STATES, REFUND_WAIT_REASONS } from "#app/db/states/refund.ts";
import { refundLegs } from "#app/payments/ledger-rules.ts";
import { refundWaitText } from "#app/payments/payment-texts.ts";
import { PAYOUT_TRANSITIONS } from "#app/payments/payout-rules.ts";
import {
  nextRefundState,
  REFUND_TRANSITIONS,
  type RefundEvent,
  refundMethod,
  refuseRefundAmount,
} from "#app/payments/refund-rules.ts";

const EVENTS: RefundEvent[] = [
  "claimed",
  "accepted",
  "postponed",
  "blocked",
  "lost",
  "asked_again",
  "not_found",
  "done",
  "retried",
  "reserved",
];

/** The state after each event, in the order of EVENTS. "-" where the event changes nothing. */
const TABLE: Record<string, string> = {
  due: "sending - - parked - - - done - -",
  sending: "- sent due parked unknown - - done - -",
  sent: "- - - parked unknown - - done - -",
  unknown: "- sent - parked unknown due parked done - parked",
  parked: "- - - - - - - done due parked",
  done: "- - - - - - - - - -",
};

describe("the states", () => {
  test.each([...REFUND_STATES])("%s, with every event", (state) => {
    expect(EVENTS.map((event) => nextRefundState(state, event) ?? "-").join(" ")).toBe(TABLE[state]);
  });

  test("are those of payouts, except that a reversal may be asked for again", () => {
    const named = (state: string) => (state === "paid" ? "done" : state);
    for (const [state, events] of Object.entries(PAYOUT_TRANSITIONS)) {
      const expected = Object.entries(events).map(([event, next]) => [named(event), named(next)]);
      const { asked_again: _again, ...found } = REFUND_TRANSITIONS[named(state) as keyof typeof REFUND_TRANSITIONS];
      expect(Object.fromEntries(expected)).toEqual(found);
    }
  });

  test("a success ends a refund in every state, and nothing follows it", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...EVENTS)), (events) => {
        let state: (typeof REFUND_STATES)[number] = "due";
        for (const event of events) state = nextRefundState(state, event) ?? state;
        expect(nextRefundState(state, "done") ?? state).toBe("done");
        if (events.includes("done")) expect(state).toBe("done");
      }),
    );
  });

  test("nothing is sent without a claim, and no claim follows a request but through a pause", () => {
    for (const [state, events] of Object.entries(REFUND_TRANSITIONS)) {
      for (const [event, next] of Object.entries(events)) {
        if (next === "sending") expect([state, event]).toEqual(["due", "claimed"]);
        if (next === "due") expect(["postponed", "asked_again", "retried"]).toContain(event);
      }
    }
  });
});

describe("the method", () => {
  test.each([
    ["the whole payment", 900, { amount: 900, receipt: "TAB1234567" }, "reversal"],
    ["a part", 300, { amount: 900, receipt: "TAB1234567" }, "transfer"],
    ["a payment whose receipt we don't know", 900, { amount: 900, receipt: null }, "transfer"],
  ])("of %s", (_what, amount, payment, method) => {
    expect(refundMethod(amount, payment)).toBe(method);
  });

  test.each([
    ["reversal", 1, null],
    ["reversal", 250_000, null],
    ["transfer", 9, "amount_too_small"],
    ["transfer", 10, null],
    ["transfer", 250_000, null],
    ["transfer", 250_001, "amount_too_large"],
  ] as const)("a %s of KES %i: %s", (method, amount, refusal) => {
    expect(refuseRefundAmount(method, amount)).toBe(refusal);
  });
});

test("a reversal leaves our paybill, a transfer the payout account, and both settle what is owed", () => {
  expect(refundLegs("reversal", 900)).toEqual([
    { account: "refunds_due", kind: "refund", amount: 900 },
    { account: "mpesa_collection", kind: "refund", amount: -900 },
  ]);
  expect(refundLegs("transfer", 300)).toEqual([
    { account: "refunds_due", kind: "refund", amount: 300 },
    { account: "mpesa_payout_float", kind: "refund", amount: -300 },
  ]);
  for (const method of REFUND_METHODS)
    expect(refundLegs(method, 700).reduce((sum, leg) => sum + leg.amount, 0)).toBe(0);
});

test("every reason to wait or to be parked is put into words, M-Pesa's own where we have none", () => {
  for (const waitReason of REFUND_WAIT_REASONS)
    expect(refundWaitText({ waitReason, waitDetail: "M-Pesa's words" })).toMatch(/\w/);
  expect(refundWaitText({ waitReason: "other", waitDetail: "The service failed." })).toBe("The service failed.");
  expect(refundWaitText({ waitReason: null, waitDetail: null })).toBeNull();
});
