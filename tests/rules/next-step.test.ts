/** The next step of a deal: one for every state, side, meeting and conversation, with its words and its button. */
import { withoutFees } from "#tests/support/item-price.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NOTHING_MISSED } from "#app/accounts/trust/missed-meeting-rules.ts";
import { HANDOVERS } from "#app/db/states/handover.ts";
import { PROBLEM_KINDS } from "#app/db/states/deal.ts";
import { ITEM, ITEM_STATUSES } from "#app/db/states/item.ts";
import { MEETING_STATES } from "#app/db/states/meeting.ts";
import { dealActions, summarizeDeal } from "#app/deals/words/deal-summary.server.ts";
import type { DealView } from "#app/deals/words/deal-view.ts";
import {
  isMeetingStep,
  isReported,
  nextStep,
  pickupProgress,
  STEP_ACTIONS,
  type StepCode,
  type StepFacts,
} from "#app/deals/words/next-step-rules.ts";
import { shortStep, stepWords } from "#app/deals/words/next-step-texts.ts";
import { type DealRole, refuseDealEvent, WRONG_CODES_MAX } from "#app/deals/deal-rules.ts";
import { pickupStep } from "#app/orders/order-rules.ts";

const HOUR = 60 * 60_000;
/** 3 May 2026, 12:00 in Nairobi. */
const NOW = Date.UTC(2026, 4, 3, 9, 0);
const SIDES: DealRole[] = ["buyer", "seller"];

const meetings = fc.option(
  fc.record({
    state: fc.constantFrom(...MEETING_STATES),
    startsAt: fc.constantFrom(NOW - 5 * HOUR, NOW - HOUR, NOW, NOW + HOUR, NOW + 30 * HOUR),
    isOwn: fc.boolean(),
    place: fc.constant("Main library"),
  }),
);

const deals: fc.Arbitrary<DealView> = fc
  .record({
    status: fc.constantFrom(...ITEM_STATUSES),
    buyerContacted: fc.boolean(),
    agrees: fc.boolean(),
    isDelivery: fc.boolean(),
    lastWriter: fc.constantFrom(null, "buyer", "seller"),
    blockedBy: fc.constantFrom(null, "buyer", "seller"),
    missed: fc.record({
      agreedFor: fc.constantFrom(null, NOW - 5 * HOUR),
      saidAt: fc.record({ buyer: fc.constantFrom(null, NOW - HOUR), seller: fc.constantFrom(null, NOW - HOUR) }),
      saidFirst: fc.constantFrom(null, "buyer" as const, "seller" as const),
    }),
    isOnHold: fc.boolean(),
    hasOpenReport: fc.boolean(),
    wrongCodes: fc.constantFrom(0, 1, WRONG_CODES_MAX),
    subtotal: fc.constantFrom(0, 1_900),
    buyerFee: fc.constant(0),
    sellerFee: fc.constant(0),
    handover: fc.constantFrom(...HANDOVERS),
  })
  .map(({ agrees, buyerContacted, isDelivery, lastWriter, blockedBy, missed, ...rest }) => {
    const buyerAgreed = agrees && buyerContacted;
    return {
      ...rest,
      id: "item",
      name: "Lamp",
      buyerContacted,
      buyerAgreed,
      shippedAt: NOW - HOUR,
      dueAt: NOW + HOUR,
      hasOpenIssue: false,
      isSellerGone: false,
      handoverLink: null,
      turn: {
        buyerContacted,
        buyerAgreed,
        isDelivery,
        lastWriter,
        lastWroteAt: null,
        agreedAt: null,
        blockedBy,
        missed,
      },
      offeredRefund: rest.status === "offered" ? 400 : null,
      latest: null,
      refund: null,
    };
  });

const sides = fc.constantFrom(...SIDES);
const NAMES = { buyer: { buyer: "you", seller: "Achieng" }, seller: { buyer: "Brian", seller: "you" } };

test("every deal has one step on each side, in whole sentences about the other side", () => {
  fc.assert(
    fc.property(deals, meetings, sides, (deal, meeting, side) => {
      const { code } = nextStep(side, deal, meeting, NOW);
      const { title, sentences } = stepWords(code, side, { deal, names: NAMES[side], meeting, now: NOW });
      const text = [title, ...sentences].join(" ");
      expect(title).toMatch(/^[A-Z].*[^.]$/);
      for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*[.?”]$/);
      expect(text).not.toMatch(/undefined|null|NaN|, \.|you (gets|has|says)\b/);
      expect(shortStep(code, side, { ...deal, meeting }, NOW) ?? "Fine").toMatch(/^[A-Z][^.]*$/);
    }),
    { numRuns: 2_000 },
  );
});

test("the main button is one that the process allows this side now", () => {
  const event = {
    accept: "accepted",
    ship: "shipped",
    deliver: "delivered",
    enter_code: "code_entered",
    accept_cancellation: "cancel_accepted",
  } as const;
  fc.assert(
    fc.property(deals, meetings, sides, (deal, meeting, side) => {
      const { action } = nextStep(side, deal, meeting, NOW);
      const free = { ...deal, hasOpenReport: false };
      if (action !== null && action in event)
        expect(dealActions(side, free, NOW)).toContain(event[action as keyof typeof event]);
      if (action === "see_problem") expect(ITEM.hasOpenProblem(deal.status)).toBe(true);
      if (action === "agree")
        expect(deal).toMatchObject({ status: "processing", buyerContacted: true, buyerAgreed: false });
      if (action === "accept_meeting") expect(meeting).toMatchObject({ state: "proposed", isOwn: false });
    }),
    { numRuns: 2_000 },
  );
});

test("a meeting leads only while the item can still be handed over, and only one of the two answers it", () => {
  fc.assert(
    fc.property(deals, meetings, (deal, meeting) => {
      const steps = SIDES.map((side) =>
        nextStep(side, deal, meeting && { ...meeting, isOwn: (side === "buyer") === meeting.isOwn }, NOW),
      );
      for (const { code } of steps) if (isMeetingStep(code)) expect(ITEM.isMeetable(deal.status)).toBe(true);
      expect(steps.filter(({ code }) => code === "answer_meeting").length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 1_000 },
  );
});

test("every step is reached by somebody", () => {
  const reached = new Set<StepCode>();
  fc.assert(
    fc.property(deals, meetings, sides, (deal, meeting, side) => {
      reached.add(nextStep(side, deal, meeting, NOW).code);
    }),
    { numRuns: 20_000, seed: 1 },
  );
  expect(Object.keys(STEP_ACTIONS).filter((code) => !reached.has(code as StepCode))).toEqual([]);
});

describe("before the handover", () => {
  const deal = (change: Partial<StepFacts> & { isDelivery?: boolean; lastWriter?: DealRole } = {}): StepFacts => ({
    status: "processing",
    buyerContacted: false,
    buyerAgreed: false,
    wrongCodes: 0,
    isOnHold: false,
    hasOpenReport: false,
    ...withoutFees(900),
    dueAt: NOW + HOUR,
    ...change,
    turn: {
      buyerContacted: change.buyerContacted ?? false,
      buyerAgreed: change.buyerAgreed ?? false,
      isDelivery: change.isDelivery ?? false,
      lastWriter: change.lastWriter ?? null,
      lastWroteAt: null,
      agreedAt: null,
      blockedBy: null,
      missed: NOTHING_MISSED,
    },
  });
  const contacted = { buyerContacted: true };
  const agreed = { buyerContacted: true, buyerAgreed: true };
  const tomorrow = { startsAt: NOW + 28 * HOUR, isOwn: false };

  test.each([
    ["nobody has written", deal(), null, "await_contact suggest_meeting", "contact write"],
    ["for a delivery", deal({ isDelivery: true }), null, "await_bringing -", "contact write"],
    ["the seller has written", deal(contacted), null, "agree agree", "await_agreement -"],
    ["the buyer wrote last", deal({ ...contacted, lastWriter: "buyer" }), null, "await_reply -", "reply write"],
    ["they agreed", deal(agreed), null, "collect -", "hand_over enter_code"],
    ["they agreed on a delivery", deal({ ...agreed, isDelivery: true }), null, "await_delivery -", "send enter_code"],
    [
      "they agreed on a delivery, and the code is closed",
      deal({ ...agreed, isDelivery: true, wrongCodes: WRONG_CODES_MAX }),
      null,
      "await_delivery -",
      "send ship",
    ],
    [
      "the meeting was cancelled",
      deal(agreed),
      { ...tomorrow, state: "cancelled" as const },
      "arrange_again suggest_meeting",
      "arrange_again suggest_meeting",
    ],
    [
      "the buyer has reported it",
      deal({ ...agreed, hasOpenReport: true }),
      { ...tomorrow, state: "accepted" as const },
      "reported -",
      "meet enter_code",
    ],
    ["they meet", deal(agreed), { ...tomorrow, state: "accepted" as const }, "meet -", "meet enter_code"],
    [
      "they meet, and the code is closed",
      deal({ ...agreed, wrongCodes: WRONG_CODES_MAX }),
      { ...tomorrow, state: "accepted" as const },
      "meet -",
      "meet ship",
    ],
    [
      "somebody suggested to meet",
      deal(contacted),
      { ...tomorrow, state: "proposed" as const },
      "answer_meeting accept_meeting",
      "answer_meeting accept_meeting",
    ],
    [
      "the suggested time has passed",
      deal(contacted),
      { startsAt: NOW, isOwn: false, state: "proposed" as const },
      "agree agree",
      "await_agreement -",
    ],
    [
      "the meeting is over",
      deal(agreed),
      { startsAt: NOW - 2 * HOUR, isOwn: false, state: "accepted" as const },
      "missed_meeting -",
      "missed_meeting enter_code",
    ],
  ])("%s", (_, facts, meeting, buyer, seller) => {
    const steps = SIDES.map((side) => nextStep(side, facts, meeting, NOW));
    expect(steps.map(({ code, action }) => `${code} ${action ?? "-"}`)).toEqual([buyer, seller]);
    expect(steps.map(({ until }) => until)).toEqual([NOW + HOUR, NOW + HOUR]);
  });

  test("says with whom, when and where they meet", () => {
    const view = { ...deal(agreed), handover: "thing", subtotal: 900 } as DealView;
    const say = (startsAt: number) =>
      stepWords("meet", "seller", {
        deal: view,
        names: NAMES.seller,
        meeting: { state: "accepted", startsAt, isOwn: true, place: "Main gate, security desk" },
        now: NOW,
      }).title;
    expect(say(NOW + 2 * HOUR)).toBe("Meet Brian today at 14:00, Main gate, security desk");
    expect(say(NOW + 28 * HOUR)).toBe("Meet Brian tomorrow at 16:00, Main gate, security desk");
    expect(say(NOW + 50 * HOUR)).toBe("Meet Brian on Tue 5 May at 14:00, Main gate, security desk");
    expect(shortStep("meet", "buyer", { handover: "thing", meeting: { startsAt: NOW + 28 * HOUR } }, NOW)).toBe(
      "Meet tomorrow at 16:00",
    );
  });
});

test("an order that is collected is as far as its slowest item, and returned items don't count", () => {
  const item = (status: (typeof ITEM_STATUSES)[number], isPlanned = true, isPaidOut = false) => ({
    status,
    isPlanned,
    isHandedOver: ITEM.isDelivered(status),
    isPaidOut,
  });
  expect(pickupStep([item("processing", false)])).toBe(1);
  expect(pickupStep([item("processing")])).toBe(2);
  expect(pickupStep([item("shipped")])).toBe(2);
  expect(pickupStep([item("completed", true, true), item("delivered")])).toBe(3);
  expect(pickupStep([item("completed"), item("cancelled", false)])).toBe(3);
  expect(pickupStep([item("completed", true, true), item("refunded")])).toBe(4);
});

test("progress, steps and code of an item that is collected tell the same story, whatever was reported or cancelled", () => {
  const more = fc.record({
    problemKind: fc.constantFrom(null, ...PROBLEM_KINDS),
    deliveredAt: fc.constantFrom(null, NOW - HOUR),
    isCodeHeld: fc.boolean(),
    isPaidOut: fc.boolean(),
  });
  fc.assert(
    fc.property(deals, meetings, more, (deal, meeting, { isCodeHeld, problemKind, deliveredAt, ...rest }) => {
      fc.pre(!deal.turn.isDelivery && ITEM.isSold(deal.status) && !deal.isOnHold);
      const problem = ITEM.hasOpenProblem(deal.status) ? problemKind : null;
      const isHeld = isCodeHeld && deal.status === "in_review" && problem === null;
      const latest = isHeld ? ({ event: "code_held", reason: null, note: null, amount: null } as const) : null;
      const isBefore = ITEM.isMeetable(deal.status) || deal.status === "cancel_requested";
      const facts = {
        ...deal,
        ...rest,
        latest,
        problemKind: problem,
        deliveredAt: ITEM.isDelivered(deal.status) ? NOW - HOUR : isBefore ? null : deliveredAt,
      };
      const done = pickupStep([pickupProgress(facts, meeting)]);
      const [buyer, seller] = SIDES.map((side) => {
        const summary = summarizeDeal(side, facts, NAMES[side], meeting, NOW);
        return { ...summary, text: [summary.words.title, ...summary.words.sentences].join(" ") };
      });
      const both = `${buyer?.text} ${seller?.text}`;
      if (done >= 3) expect(both).not.toMatch(/Collect it|Bring it|Hand it over to|Meet |another time and place/);
      if (problem === "not_received") expect(done).toBeLessThan(3);
      if (both.includes("Agree with")) expect(done).toBeLessThan(2);
      if (/Collect it/.test(both)) expect(done).toBe(2);
      const isCodeShown = refuseDealEvent("code_entered", facts, NOW) === null;
      if (!isCodeShown) expect(buyer?.text).not.toMatch(/give (them|the seller|[A-Z]\w+) your (handover )?code/);
      if (isReported(facts) && ITEM.isMeetable(facts.status)) {
        expect(buyer?.step.action).toBeNull();
        expect(buyer?.text).not.toMatch(/Meet |Collect it/);
        expect(buyer?.words.warning).toContain("your handover code is hidden");
      }
    }),
    { numRuns: 5_000 },
  );
});
