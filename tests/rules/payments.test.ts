import fc from "fast-check";
import { comparePhone } from "#app/payments/receipt-rules.ts";
import { describe, expect, test } from "vitest";
import { FAILURE_TEXTS, promptStillOpenText } from "#app/payments/payment-texts.ts";
import { ATTEMPT_STATES, type AttemptState } from "#app/db/states/attempt.ts";
import { PAYMENT_FAILURES } from "#app/db/states/order.ts";
import {
  abandonedPromptLeft,
  ATTEMPT_TRANSITIONS,
  ATTEMPT_WINDOW_MS,
  type AttemptEvent,
  nextAttemptState,
  nextQueryAt,
  QUERY_SCHEDULE_MS,
} from "#app/payments/collect/attempt-rules.ts";
import { chargeLegs, payoutLegs, refundDueLegs, releaseLegs } from "#app/payments/books/ledger-rules.ts";
import { accountReference, refusePromptAmount } from "#app/payments/collect/prompt-rules.ts";

describe("amounts", () => {
  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("%j is refused as an amount", (amount) => {
    expect(refusePromptAmount(amount)).toBe("not_positive");
  });
  test("one payment takes KES 1 to 250,000", () => {
    expect([refusePromptAmount(1), refusePromptAmount(250_000), refusePromptAmount(250_001)]).toEqual([
      null,
      null,
      "too_large",
    ]);
  });
  test("the account reference is 11 letters and digits, whatever the order", () => {
    fc.assert(fc.property(fc.uuid(), (id) => /^ORD[0-9A-F]{8}$/.test(accountReference(id))));
  });
});

const ATTEMPT_EVENTS: AttemptEvent[] = [
  "accepted",
  "refused",
  "lost",
  "paid",
  "confirmed",
  "declined",
  "mismatched",
  "timed_out",
  "dismissed",
  "abandoned",
];

describe("payment attempts", () => {
  test("whatever happens in whatever order, a success is never taken back and never lost", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ATTEMPT_EVENTS), { maxLength: 12 }), (events) => {
        let state: AttemptState = "created";
        for (const event of events) state = nextAttemptState(state, event) ?? state;
        if (events.includes("paid")) expect(state).toBe("succeeded");
        if (state === "succeeded") expect(events.some((event) => event === "paid" || event === "confirmed")).toBe(true);
      }),
    );
  });

  test("every state can be reached, and every state but success can still end in success", () => {
    expect(reachable("created", ATTEMPT_TRANSITIONS)).toEqual(new Set(Object.keys(ATTEMPT_TRANSITIONS)));
    for (const state of Object.keys(ATTEMPT_TRANSITIONS) as AttemptState[])
      expect(reachable(state, ATTEMPT_TRANSITIONS)).toContain("succeeded");
  });

  test("an abandoned attempt keeps its phone from being asked again until its window is over, and no other attempt does", () => {
    const at = { state: "expired", failureReason: "abandoned", createdAt: 1_000 } as const;
    expect(abandonedPromptLeft(at, 1_000)).toBe(ATTEMPT_WINDOW_MS);
    expect(abandonedPromptLeft(at, 1_000 + ATTEMPT_WINDOW_MS - 1)).toBe(1);
    expect(abandonedPromptLeft(at, 1_000 + ATTEMPT_WINDOW_MS)).toBe(0);
    fc.assert(
      fc.property(
        fc.constantFrom(...ATTEMPT_STATES),
        fc.constantFrom(null, ...PAYMENT_FAILURES),
        fc.nat(2 * ATTEMPT_WINDOW_MS),
        (state, failureReason, age) => {
          const left = abandonedPromptLeft({ state, failureReason, createdAt: 1_000 }, 1_000 + age);
          const isOpen = state === "expired" && failureReason === "abandoned" && age < ATTEMPT_WINDOW_MS;
          expect(left).toBe(isOpen ? ATTEMPT_WINDOW_MS - age : 0);
        },
      ),
    );
    expect(promptStillOpenText(60_000)).toMatch(/in 1 minute\.$/);
    expect(promptStillOpenText(60_001)).toMatch(/in 2 minutes\.$/);
  });

  test("whatever came before, an abandoned attempt that is paid after all has succeeded", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ATTEMPT_EVENTS), { maxLength: 8 }), (events) => {
        let state: AttemptState = "created";
        for (const event of ["abandoned", ...events, "paid"] as const) state = nextAttemptState(state, event) ?? state;
        expect(state).toBe("succeeded");
      }),
    );
  });

  test("queries follow the schedule, never lie in the past, and end", () => {
    const asked = QUERY_SCHEDULE_MS.map((_, n) => nextQueryAt(1_000, n, 0));
    expect(asked).toEqual(QUERY_SCHEDULE_MS.map((after) => 1_000 + after));
    expect(nextQueryAt(1_000, 0, 999_999)).toBe(999_999);
    expect(nextQueryAt(1_000, QUERY_SCHEDULE_MS.length, 0)).toBeNull();
  });

  test("every reason has a sentence for the buyer that says what to do or what we do", () => {
    for (const text of Object.values(FAILURE_TEXTS)) expect(text).toMatch(/^[A-Z].{20,}\.$/);
  });
});

test("every booking sums to zero, and what a buyer paid ends with the seller", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 250_000 }), (amount) => {
      const booked = [...chargeLegs(amount), ...releaseLegs(amount), ...payoutLegs(amount)];
      for (const legs of [chargeLegs(amount), releaseLegs(amount), payoutLegs(amount), refundDueLegs(amount)]) {
        expect(legs.reduce((sum, leg) => sum + leg.amount, 0)).toBe(0);
      }
      const balance = (account: string) =>
        booked.filter((leg) => leg.account === account).reduce((sum, leg) => sum + leg.amount, 0);
      expect([
        balance("mpesa_collection"),
        balance("escrow"),
        balance("seller_payable"),
        balance("mpesa_payout_float"),
      ]).toEqual([amount, 0, 0, -amount]);
    }),
  );
});

function reachable<S extends string>(from: S, transitions: Record<S, Partial<Record<string, S>>>): Set<S> {
  const seen = new Set<S>([from]);
  for (const state of seen) for (const next of Object.values(transitions[state])) if (next) seen.add(next as S);
  return seen;
}

test("a number that M-Pesa shows in full, masked or hashed is compared with what shows of it", async () => {
  const phone = "254712345349";
  const hash = "61f6ecb2d5f8cd1d5ab8c5bbb8e1f8e7ac8d4ec9be2a2b1c8cbb1f0a0c5d2f11";
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(phone)));
  const own = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const cases: [string | null, string][] = [
    ["254712345349", "same"],
    ["+254 712 345 349", "same"],
    ["0712345349", "same"],
    ["2547 ***** 349", "same"],
    ["2547xxxxx349", "same"],
    ["07** *** 349", "same"],
    [own, "same"],
    ["254712345348", "other"],
    ["2547 ***** 348", "other"],
    ["2541 ***** 349", "other"],
    [hash, "hidden"],
    ["*** 349", "hidden"],
    ["************", "hidden"],
    ["JOHN DOE", "hidden"],
    ["", "hidden"],
    [null, "hidden"],
  ];
  for (const [shown, is] of cases) expect([shown, await comparePhone(shown, phone)]).toEqual([shown, is]);
});
