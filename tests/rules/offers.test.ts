import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OFFER, OFFER_STATES, type OfferEvent, type OfferState } from "#app/db/states/offer.ts";
import {
  agreedAmount,
  amountDue,
  nextOfferState,
  OFFER_ACTORS,
  OFFER_READERS,
  OFFER_HOURS,
  OFFER_MIN,
  offerExpiry,
  quickAmounts,
  refuseOfferAmount,
  refuseCounter,
  timeLeft,
} from "#app/offers/offer-rules.ts";

describe.each(OFFER_STATES)("an offer that is %s", (state) => {
  test("expires exactly while somebody must still act", () => {
    expect(offerExpiry(state, 1_000) !== null).toBe(OFFER.isActive(state));
    expect(nextOfferState(state, "expired") !== null).toBe(OFFER.isActive(state));
    expect(nextOfferState(state, "ended") !== null).toBe(OFFER.isActive(state));
  });
});

test("answers may take 48 hours, the payment 24", () => {
  expect(OFFER_HOURS).toEqual({ open: 48, countered: 48, accepted: 24 });
  expect(offerExpiry("accepted", 0)).toBe(24 * 60 * 60_000);
});

test("nobody gets an email about what they did", () => {
  for (const [step, roles] of Object.entries(OFFER_READERS))
    expect(roles).not.toContain(step === "offered" ? "buyer" : OFFER_ACTORS[step as OfferEvent]);
});

test.each([
  [9, "below_minimum"],
  [10, null],
  [99, null],
  [100, "not_below_price"],
  [101, "not_below_price"],
  [50.5, "not_whole"],
  [NaN, "not_whole"],
  [Infinity, "not_whole"],
  [-50, "below_minimum"],
] as const)("an offer of %d for something that costs 100: %s", (amount, refusal) => {
  expect(refuseOfferAmount(amount, 100)).toBe(refusal);
});

test("nothing can be offered for what is free or costs the least that M-Pesa pays out", () => {
  fc.assert(
    fc.property(
      fc.integer(),
      (amount) => refuseOfferAmount(amount, 0) !== null && refuseOfferAmount(amount, 10) !== null,
    ),
  );
});

test("a counter-offer is above the offer and below the price", () => {
  fc.assert(
    fc.property(fc.integer({ min: 11, max: 250_000 }), fc.integer(), fc.nat(250_000), (price, amount, offered) => {
      const allowed = refuseCounter(amount, { amount: offered, price }) === null;
      expect(allowed).toBe(amount > offered && amount < price && amount >= OFFER_MIN);
    }),
  );
});

test("the quick choices are 5, 10 and 15 % off in whole shillings, and all can be offered", () => {
  expect(quickAmounts(1_900)).toEqual([
    { percent: 5, amount: 1_805 },
    { percent: 10, amount: 1_710 },
    { percent: 15, amount: 1_615 },
  ]);
  fc.assert(
    fc.property(fc.nat(250_000), (price) =>
      quickAmounts(price).every(({ amount }) => refuseOfferAmount(amount, price) === null),
    ),
  );
  // Nothing that was just refused is suggested again.
  expect(quickAmounts(1_900, 1_614)).toHaveLength(3);
  expect(quickAmounts(1_900, 1_710)).toEqual([{ percent: 5, amount: 1_805 }]);
});

test("the buyer pays the counter-offer where there is one", () => {
  expect(agreedAmount({ amount: 100, counterAmount: null })).toBe(100);
  expect(agreedAmount({ amount: 100, counterAmount: 120 })).toBe(120);
});

test("the buyer of an accepted offer pays what the listing costs, if that is less than agreed", () => {
  const due = (state: OfferState, price: number) => amountDue({ state, amount: 100, counterAmount: 120, price });
  expect([150, 120, 90].map((price) => due("accepted", price))).toEqual([120, 120, 90]);
  // An offer that was paid keeps the price that was paid, and one that ended the price that was named.
  expect([due("paid", 90), due("ended", 90)]).toEqual([120, 120]);
});

test.each([
  [-1, "less than a minute"],
  [59_999, "less than a minute"],
  [60_000, "1 min"],
  [60 * 60_000, "1 h"],
  [(5 * 60 + 12) * 60_000, "5 h 12 min"],
  [48 * 60 * 60_000 - 1, "1 d 23 h"],
  [48 * 60 * 60_000, "2 d"],
])("%d ms left: %s", (ms, text) => {
  expect(timeLeft(ms)).toBe(text);
});
