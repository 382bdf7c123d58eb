/** "Where is my money?": each side reads what is theirs, and nothing of the other's, whatever happened. */
import { withoutFees } from "#tests/support/item-price.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MoneyFacts } from "#app/admin/money/explain-words.ts";
import { ATTEMPT_STATES } from "#app/db/states/attempt.ts";
import { DEAL_EVENTS } from "#app/db/states/deal.ts";
import { HANDOVERS } from "#app/db/states/handover.ts";
import { ITEM, ITEM_STATUSES } from "#app/db/states/item.ts";
import { REFUND_PLACES, REFUND_REASONS } from "#app/db/states/refund.ts";
import { TRANSFER_METHODS, TRANSFER_STATES } from "#app/db/states/transfer.ts";
import type { DealRole } from "#app/deals/deal-rules.ts";
import { PAYOUT_WORDS } from "#app/payments/transfers/payout-summary.ts";
import { factsFor, itemTimeline, moneyNow } from "#app/screens/item-money/item-money-words.ts";

const NOW = Date.UTC(2026, 4, 3, 9, 0);
const PRICE = 1_900;
const SIDES: DealRole[] = ["buyer", "seller"];

/** Words that stand for what must not be seen, so that a text which has one says whose it was. */
const SECRET = {
  payerPhone: "0711•••111",
  payoutPhone: "0722•••222",
  paymentReceipt: "PAYMENTRCT",
  payoutReceipt: "PAYOUTRCPT",
  refundReceipt: "REFUNDRCPT",
  otherItem: "OTHERITEM",
  otherSeller: "OTHERSELLER",
  seller: "SELLERNAME",
  admin: "ADMINNAME",
  note: "INTERNALNOTE",
  mpesa: "MPESAWORDS",
  token: "TOKEN",
};

const at = fc.integer({ min: NOW - 10_000_000, max: NOW });
const maybe = fc.option(at);

const transfer = fc.record({
  id: fc.uuid(),
  token: fc.constant(SECRET.token),
  amount: fc.integer({ min: 10, max: PRICE }),
  state: fc.constantFrom(...TRANSFER_STATES),
  resultCode: fc.constantFrom(null, "0", "2001"),
  resultDesc: fc.constantFrom(null, SECRET.mpesa),
  waitReason: fc.constantFrom(null, "our_float" as const, "not_registered" as const, "sending_by_hand" as const),
  waitDetail: fc.constantFrom(null, SECRET.note),
  sendCount: fc.integer({ min: 0, max: 4 }),
  lookupCount: fc.integer({ min: 0, max: 4 }),
  nextActionAt: maybe,
  doneBy: fc.constantFrom(null, SECRET.admin),
  createdAt: at,
  sentAt: maybe,
  doneAt: maybe,
});

const facts: fc.Arbitrary<MoneyFacts> = fc.record({
  placed: fc.record({ at, amount: fc.constant(98_765), of: fc.constant("order" as const) }),
  attempts: fc.array(
    fc.record({
      id: fc.uuid(),
      token: fc.constant(SECRET.token),
      state: fc.constantFrom(...ATTEMPT_STATES),
      phone: fc.constant(SECRET.payerPhone),
      amount: fc.constant(98_765),
      receipt: fc.constantFrom(null, SECRET.paymentReceipt),
      resultCode: fc.constantFrom(null, "1032"),
      resultDesc: fc.constantFrom(null, SECRET.mpesa),
      createdAt: at,
      settledAt: maybe,
      confirmedAt: maybe,
    }),
    { maxLength: 3 },
  ),
  items: fc
    .record({ status: fc.constantFrom(...ITEM_STATUSES), handover: fc.constantFrom(...HANDOVERS) })
    .map(({ status, handover }) => [
      { id: "item", name: "Lamp", seller: SECRET.seller, ...withoutFees(PRICE), handover, status },
      {
        id: "other",
        name: SECRET.otherItem,
        seller: SECRET.otherSeller,
        ...withoutFees(96_865),
        handover: "thing" as const,
        status,
      },
    ]),
  dealEvents: fc.array(
    fc.record({
      itemId: fc.constantFrom("item", "other"),
      event: fc.constantFrom(...DEAL_EVENTS),
      reason: fc.constant(null),
      amount: fc.constantFrom(null, 400),
      at,
    }),
    { maxLength: 6 },
  ),
  payouts: fc.array(
    transfer.map((one) => ({
      ...one,
      feeTaken: 0,
      phone: SECRET.payoutPhone,
      receipt: SECRET.payoutReceipt,
      seller: SECRET.seller,
      whole: 76_543,
    })),
    { maxLength: 1 },
  ),
  refunds: fc.array(
    fc
      .record({
        one: transfer,
        orderItemId: fc.constantFrom(null, "item", "other"),
        reason: fc.constantFrom(...REFUND_REASONS),
        method: fc.constantFrom(null, ...TRANSFER_METHODS),
      })
      .map(({ one, ...rest }) => ({
        ...one,
        ...rest,
        amount: rest.orderItemId === "other" ? 65_432 : one.amount,
        phone: SECRET.payerPhone,
        receipt: SECRET.refundReceipt,
      })),
    { maxLength: 2 },
  ),
  callbacks: fc.constant([
    { id: "c", token: SECRET.token, kind: "push", outcome: "applied", body: SECRET.mpesa, at: NOW },
  ]),
  checks: fc.constant([
    {
      of: "payout" as const,
      receipt: SECRET.payoutReceipt,
      state: "confirmed",
      detail: SECRET.note,
      admin: SECRET.admin,
      at: NOW,
      answeredAt: NOW,
    },
  ]),
  discrepancies: fc.constant([{ detail: SECRET.note, resolution: SECRET.note, at: NOW, resolvedAt: NOW }]),
  adminActs: fc.constant([{ action: "payout_parked", admin: SECRET.admin, detail: SECRET.note, at: NOW }]),
});

/** Neither side may see these. */
const NOBODYS = [
  SECRET.payoutPhone,
  SECRET.otherItem,
  SECRET.otherSeller,
  SECRET.seller,
  SECRET.admin,
  SECRET.note,
  SECRET.mpesa,
  SECRET.token,
  "65,432",
];
const HIDDEN: Record<DealRole, string[]> = {
  // How much else its seller is paid for.
  buyer: [...NOBODYS, SECRET.payoutReceipt, "76,543"],
  // How it was paid, and how much else was ordered.
  seller: [...NOBODYS, SECRET.payerPhone, SECRET.paymentReceipt, SECRET.refundReceipt, "98,765"],
};

describe.each(SIDES)("the %s", (side) => {
  test("reads nothing that isn't theirs", () => {
    fc.assert(
      fc.property(facts, (known) => {
        const text = itemTimeline(side, "item", known)
          .map(({ words, body }) => `${words} ${body ?? ""}`)
          .join(" ");
        for (const secret of HIDDEN[side]) expect(text).not.toContain(secret);
        expect(text).not.toMatch(/undefined|null|NaN|by hand|, \d+ times in all|you was\b/);
      }),
      { numRuns: 1_000 },
    );
  });

  test("is given nothing that isn't theirs", () => {
    fc.assert(
      fc.property(facts, (known) => {
        const given = JSON.stringify(factsFor(side, "item", known));
        for (const secret of HIDDEN[side]) expect(given).not.toContain(secret.replace(",", ""));
      }),
    );
  });

  test("reads the times of what happened in order, and each of their own events", () => {
    fc.assert(
      fc.property(facts, (known) => {
        const timeline = itemTimeline(side, "item", known);
        expect(timeline.map((entry) => entry.at)).toEqual(timeline.map((entry) => entry.at).toSorted((a, b) => a - b));
        if (side === "buyer")
          for (const attempt of known.attempts.filter(({ state }) => state === "succeeded"))
            if (attempt.settledAt !== null && attempt.receipt !== null)
              expect(timeline.some(({ words }) => words.includes(SECRET.paymentReceipt))).toBe(true);
        if (side === "seller")
          for (const payout of known.payouts.filter(({ state }) => state === "done"))
            if (payout.doneAt !== null)
              expect(timeline.some(({ words }) => words.includes(SECRET.payoutReceipt))).toBe(true);
      }),
    );
  });

  test("is told where the money is in whole sentences, and never that it is where it isn't", () => {
    const refunds = fc.option(
      fc
        .constantFrom(...REFUND_PLACES)
        .map((place) => ({ amount: 400, place, receipt: SECRET.refundReceipt, doneAt: NOW })),
    );
    fc.assert(
      fc.property(
        facts,
        fc.constantFrom(...ITEM_STATUSES),
        refunds,
        fc.option(fc.constantFrom(...TRANSFER_STATES)),
        (known, status, refund, state) => {
          const { tone, label, sentence } = PAYOUT_WORDS[state ?? "due"];
          const payout = state && {
            state,
            share: PRICE,
            amount: 76_543,
            items: 2,
            receipt: SECRET.payoutReceipt,
            doneAt: NOW,
            badge: { tone, label },
            sentence,
            reason: null,
            failed: null,
          };
          const { title, sentences } = moneyNow({
            side,
            deal: { status, ...withoutFees(PRICE), latest: null, refund },
            facts: factsFor(side, "item", known),
            payout,
          });
          const text = [title, ...sentences].join(" ");
          expect(title).toMatch(/^[A-Z0-9].*[^.]$/);
          for (const one of sentences) expect(one).toMatch(/^[A-Z].*[.?]$/);
          for (const secret of HIDDEN[side]) expect(text).not.toContain(secret);
          expect(/We hold/.test(text)).toBe(ITEM.isHeld(status));
          if (side === "seller")
            expect(/is in your M-Pesa/.test(title)).toBe(ITEM.isCompleted(status) && state === "done");
          if (side === "buyer" && state !== "done") expect(text).not.toMatch(/The seller has KES/);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

test("whoever hasn't paid for sure is told not to pay again, or that nothing has left", () => {
  const now = (state: (typeof ATTEMPT_STATES)[number]) =>
    moneyNow({
      side: "buyer",
      deal: { status: "pending_payment", ...withoutFees(PRICE), latest: null, refund: null },
      facts: {
        placed: { at: NOW, amount: PRICE, of: "order" },
        attempts: [
          {
            id: "one",
            token: "",
            state,
            phone: SECRET.payerPhone,
            amount: PRICE,
            receipt: null,
            resultCode: null,
            resultDesc: null,
            createdAt: NOW,
            settledAt: null,
            confirmedAt: null,
          },
        ],
        items: [],
        dealEvents: [],
        payouts: [],
        refunds: [],
        callbacks: [],
        checks: [],
        discrepancies: [],
        adminActs: [],
      },
      payout: null,
    });
  for (const state of ["created", "pushed", "unknown", "held"] as const)
    expect(now(state).sentences.join(" ")).toContain("Please don't pay again.");
  for (const state of ["failed", "refused", "expired"] as const) expect(now(state).title).toBe("You haven't paid yet");
});
