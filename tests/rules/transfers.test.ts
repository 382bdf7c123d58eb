/** Transfers: what follows what, how the money leaves, and a refund's entries in the books. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TRANSFER_METHODS, TRANSFER_STATES, type TransferState, WAIT_REASONS } from "#app/db/states/transfer.ts";
import { refundLegs } from "#app/payments/books/ledger-rules.ts";
import { waitText } from "#app/payments/payment-texts.ts";
import {
  lookupDelay,
  nextTransferState,
  refundMethod,
  refuseTransferAmount,
  TRANSFER_TRANSITIONS,
  type TransferEvent,
} from "#app/payments/transfers/transfer-rules.ts";

const EVENTS: TransferEvent[] = [
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

const METHODS = [null, ...TRANSFER_METHODS];

describe("the states", () => {
  test("only a reversal is asked for again; all else is the same for every method", () => {
    for (const state of TRANSFER_STATES)
      for (const event of EVENTS)
        for (const method of [null, "b2c"] as const) {
          const reversed = event === "asked_again" ? null : nextTransferState({ state, method: "reversal" }, event);
          expect(nextTransferState({ state, method }, event)).toBe(reversed);
        }
    expect(nextTransferState({ state: "unknown", method: "reversal" }, "asked_again")).toBe("due");
  });

  test("a success ends a transfer in every state, and nothing follows it", () => {
    fc.assert(
      fc.property(fc.constantFrom(...METHODS), fc.array(fc.constantFrom(...EVENTS)), (method, events) => {
        let state: TransferState = "due";
        for (const event of events) state = nextTransferState({ state, method }, event) ?? state;
        expect(nextTransferState({ state, method }, "done") ?? state).toBe("done");
        if (events.includes("done")) expect(state).toBe("done");
      }),
    );
  });

  test("whatever happens, what may have left goes to a number again only once M-Pesa has refused it or a person retries it", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...EVENTS), { maxLength: 14 }), (events) => {
        let state: TransferState = "due";
        let mayHaveLeft = false;
        for (const event of events) {
          const next = nextTransferState({ state, method: "b2c" }, event);
          if (next === null) continue;
          if (next === "sending") expect(mayHaveLeft).toBe(false);
          if (["sending", "sent", "unknown"].includes(next)) mayHaveLeft = true;
          if (next === "due") {
            expect(["postponed", "retried"]).toContain(event);
            mayHaveLeft = false;
          }
          state = next;
        }
      }),
    );
  });

  test("nothing is sent without a claim, and no claim follows a request but through a pause", () => {
    for (const [state, events] of Object.entries(TRANSFER_TRANSITIONS)) {
      for (const [event, next] of Object.entries(events)) {
        if (next === "sending") expect([state, event]).toEqual(["due", "claimed"]);
        if (next === "due") expect(["postponed", "asked_again", "retried"]).toContain(event);
      }
    }
  });

  test("every state can be reached", () => {
    const seen = new Set<TransferState>(["due"]);
    for (const state of seen) for (const next of Object.values(TRANSFER_TRANSITIONS[state])) seen.add(next);
    expect(seen).toEqual(new Set(TRANSFER_STATES));
  });
});

test("look-ups come ever more rarely and never stop", () => {
  const delays = Array.from({ length: 20 }, (_, n) => lookupDelay(n));
  expect(delays).toEqual(delays.toSorted((a, b) => a - b));
  expect(delays.at(-1)).toBe(60 * 60_000);
});

describe("the method", () => {
  test.each([
    ["the whole payment", 900, { amount: 900, receipt: "TAB1234567" }, "reversal"],
    ["a part", 300, { amount: 900, receipt: "TAB1234567" }, "b2c"],
    ["a payment whose receipt we don't know", 900, { amount: 900, receipt: null }, "b2c"],
  ])("of %s", (_what, amount, payment, method) => {
    expect(refundMethod(amount, payment)).toBe(method);
  });

  test.each([
    ["reversal", 1, null],
    ["reversal", 250_000, null],
    ["b2c", 9, "amount_too_small"],
    ["b2c", 10, null],
    ["b2c", 250_000, null],
    ["b2c", 250_001, "amount_too_large"],
  ] as const)("%s of KES %i: %s", (method, amount, refusal) => {
    expect(refuseTransferAmount(method, amount)).toBe(refusal);
  });
});

test("a reversal leaves our paybill, any other refund the payout account, and both settle what is owed", () => {
  expect(refundLegs("reversal", 900)).toEqual([
    { account: "refunds_due", kind: "refund", amount: 900 },
    { account: "mpesa_collection", kind: "refund", amount: -900 },
  ]);
  expect(refundLegs("b2c", 300)).toEqual([
    { account: "refunds_due", kind: "refund", amount: 300 },
    { account: "mpesa_payout_float", kind: "refund", amount: -300 },
  ]);
  for (const method of TRANSFER_METHODS)
    expect(refundLegs(method, 700).reduce((sum, leg) => sum + leg.amount, 0)).toBe(0);
});

test.each(["payout", "refund"] as const)(
  "every reason why a %s waits or is parked is put into words, M-Pesa's own where we have none",
  (kind) => {
    for (const waitReason of WAIT_REASONS)
      expect(waitText(kind, { waitReason, waitDetail: "M-Pesa's words" })).toMatch(/\w/);
    expect(waitText(kind, { waitReason: "other", waitDetail: "The service failed." })).toBe("The service failed.");
    expect(waitText(kind, { waitReason: null, waitDetail: null })).toBeNull();
  },
);
