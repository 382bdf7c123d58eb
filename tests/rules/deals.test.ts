/** The process of a deal: its guards, its clock and its money. `states-document.test.ts` has every transition. */
import { HANDOVER_TERMS } from "#app/catalogue/types/handover-rules.ts";
import { HANDOVERS } from "#app/db/states/handover.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEAL_EVENTS, DEAL_REMINDERS, type DealEvent, type DealTimer, EVENT_ACTORS } from "#app/db/states/deal.ts";
import { ITEM, ITEM_STATUSES, type ItemStatus } from "#app/db/states/item.ts";
import {
  DEAL_READERS,
  DEAL_TRANSITIONS,
  type DealFacts,
  moneyEffect,
  nextItemStatus,
  problemFrom,
  refuseDealEvent,
  refusePart,
  WRONG_CODES_MAX,
} from "#app/deals/deal-rules.ts";
import { inspectionHours, timersOf } from "#app/orders/deal-timer-rules.ts";

const HOUR = 60 * 60_000;

test.each(ITEM_STATUSES)(
  "the first contact and the agreement count in %s exactly where the process takes them",
  (status) => {
    expect(ITEM.takesContact(status)).toBe(nextItemStatus(status, "buyer_contacted") !== null);
    expect(ITEM.isToShip(status)).toBe(nextItemStatus(status, "buyer_agreed") !== null);
  },
);

test.each(ITEM_STATUSES)("the code counts in %s exactly where the process takes it", (status) => {
  expect(ITEM.takesCode(status)).toBe(nextItemStatus(status, "code_entered") !== null);
});

describe("the process", () => {
  const edges = ITEM_STATUSES.flatMap((from) =>
    Object.entries(DEAL_TRANSITIONS[from]).map(([event, to]) => ({ from, to, event: event as DealEvent })),
  );

  function reachedFrom(start: ItemStatus, by: (event: DealEvent) => boolean): Set<ItemStatus> {
    const reached = new Set([start]);
    for (const status of reached) {
      for (const edge of edges) if (edge.from === status && by(edge.event)) reached.add(edge.to);
    }
    return reached;
  }

  test("has no status that an unpaid item can never get", () => {
    const reached = reachedFrom("pending_payment", () => true);
    // The clock closes an unpaid order, which isn't a deal yet.
    expect(ITEM_STATUSES.filter((status) => !reached.has(status))).toEqual(["expired"]);
  });

  test("has no event that can never happen, except for those that are only recorded", () => {
    const happening = new Set(edges.map(({ event }) => event));
    expect(DEAL_EVENTS.filter((event) => !happening.has(event))).toEqual([
      "report_lifted",
      "helper_asked",
      "helper_stopped",
      "buyer_missed",
      "seller_missed",
      "code_closed",
    ]);
  });

  test("ends by itself or with our team when both sides do nothing", () => {
    const isClock = (event: DealEvent) => EVENT_ACTORS[event] === "clock" && event !== "party_gone";
    const stuck = ITEM_STATUSES.filter(
      (status) =>
        ITEM.isHeld(status) &&
        ![...reachedFrom(status, isClock)].some((one) => ITEM.isOver(one) || ITEM.isInReview(one)),
    );
    expect(stuck).toEqual([]);
  });

  test("never leaves a final status, unless a report comes before the money was sent", () => {
    for (const status of ["cancelled", "refunded"] as const) expect(DEAL_TRANSITIONS[status]).toEqual({});
    expect(DEAL_TRANSITIONS.completed).toEqual({ payout_stopped: "in_review" });
  });

  test("emails nobody about what they did themselves", () => {
    const toThemselves = Object.entries(DEAL_READERS).filter(([step, roles]) =>
      roles.some((role) => role === EVENT_ACTORS[step as DealEvent]),
    );
    expect(toThemselves.map(([step]) => step)).toEqual(["code_closed"]);
  });
});

describe("guards", () => {
  const item: DealFacts = {
    handover: "thing",
    status: "processing",
    buyerAgreed: false,
    shippedAt: null,
    wrongCodes: 0,
    subtotal: 500,
    hasOpenReport: false,
    isSellerGone: false,
  };
  const now = 1_000_000 * HOUR;

  test.each([
    ["shipped", item, "not_agreed"],
    ["shipped", { ...item, buyerAgreed: true }, null],
    ["cancelled_by_buyer", item, null],
    ["cancelled_by_buyer", { ...item, buyerAgreed: true }, "already_agreed"],
    ["cancel_requested", item, "not_agreed"],
    ["cancel_requested", { ...item, buyerAgreed: true }, null],
    ["code_entered", { ...item, wrongCodes: WRONG_CODES_MAX - 1 }, null],
    ["code_entered", { ...item, wrongCodes: WRONG_CODES_MAX }, "code_closed"],
    ["accepted", item, "wrong_state"],
    ["inspection_ended", { ...item, status: "delivered" }, null],
    ["inspection_ended", { ...item, status: "delivered", hasOpenReport: true }, "reported"],
    ["inspection_ended", { ...item, status: "delivered", hasOpenReport: true, subtotal: 0 }, null],
    ["delivered_without_inspection", { ...item, status: "shipped", hasOpenReport: true }, "reported"],
    ["accepted", { ...item, status: "delivered", hasOpenReport: true }, "reported"],
    ["code_entered", { ...item, hasOpenReport: true }, "reported"],
    ["code_held", { ...item, hasOpenReport: true }, null],
    ["code_held", item, "wrong_state"],
    ["code_held", { ...item, hasOpenReport: true, subtotal: 0 }, "wrong_state"],
    ["code_held", { ...item, hasOpenReport: true, wrongCodes: WRONG_CODES_MAX }, "code_closed"],
    ["problem_withdrawn", { ...item, status: "in_review", hasOpenReport: true }, null],
    ["problem_withdrawn", { ...item, status: "in_review", isSellerGone: true }, "team_only"],
    ["payout_stopped", { ...item, status: "completed", hasOpenReport: true }, null],
    ["payout_stopped", { ...item, status: "completed" }, "wrong_state"],
  ] as const)("%s of %o: %s", (event, facts, refusal) => {
    expect(refuseDealEvent(event, facts, now)).toBe(refusal);
  });

  test("a shipped item can be reported after a week, a delivered one at once", () => {
    const shipped: DealFacts = { ...item, status: "shipped", shippedAt: now };
    const from = now + HANDOVER_TERMS.thing.arrival * HOUR;
    expect(problemFrom(shipped)).toBe(from);
    expect(refuseDealEvent("problem_reported", shipped, from - 1)).toBe("too_early");
    expect(refuseDealEvent("problem_reported", shipped, from)).toBeNull();
    expect(refuseDealEvent("problem_reported", { ...shipped, status: "delivered" }, now)).toBeNull();
  });
});

describe("money", () => {
  test.each(ITEM_STATUSES.flatMap((from) => Object.entries(DEAL_TRANSITIONS[from])))(
    "%s, which leads to %s, moves it as that says",
    (event, next) => {
      const effect = moneyEffect(event as DealEvent, next);
      if (ITEM.isReturned(next)) expect(effect).toBe("refund");
      else if (event === "payout_stopped") expect(effect).toBe("reclaim");
      else if (next === "completed")
        expect(effect).toBe(event === "part_accepted" || event === "team_split" ? "split" : "release");
      else expect(effect).toBe("hold");
    },
  );

  test("a part leaves both sides an amount that M-Pesa can send", () => {
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 300 }), fc.integer({ min: 1, max: 300 }), (amount, subtotal) => {
        const isPossible = amount >= 10 && subtotal - amount >= 10;
        expect(refusePart(amount, subtotal) === null).toBe(isPossible);
      }),
    );
    expect(refusePart(99.5, 500)).not.toBeNull();
  });
});

describe("the clock", () => {
  const now = 1_000_000 * HOUR;
  const facts = { handover: "thing" as const, now, paidAt: now, problemOpenedAt: null, inspectionHours: 48 };
  const hoursOf = (status: ItemStatus, more: Partial<Parameters<typeof timersOf>[1]> = {}) =>
    timersOf(status, { ...facts, ...more }).map(({ kind, dueAt }) => [kind, (dueAt - now) / HOUR]);

  test("has a timer in every status where money is held and no person is asked to decide, and in no other", () => {
    expect(ITEM_STATUSES.filter((status) => timersOf(status, facts).length > 0)).toEqual(
      ITEM_STATUSES.filter((status) => ITEM.isRunning(status)),
    );
  });

  test("starts only what can happen in the status", () => {
    const reminders: readonly DealTimer[] = DEAL_REMINDERS;
    const impossible = ITEM_STATUSES.flatMap((status) =>
      timersOf(status, facts).filter(
        ({ kind }) => !reminders.includes(kind) && nextItemStatus(status, kind as DealEvent) === null,
      ),
    );
    expect(impossible).toEqual([]);
  });

  test("reminds a seller after 1, 3 and 6 days, and gives the money back after 7", () => {
    expect(hoursOf("processing")).toEqual([
      ["ship_reminder_1", 24],
      ["ship_reminder_2", 72],
      ["ship_reminder_3", 144],
      ["not_shipped", 168],
    ]);
  });

  test("gives a seller who declined a cancellation at least a day, and sends no old reminder", () => {
    expect(hoursOf("processing", { paidAt: now - 100 * HOUR })).toEqual([
      ["ship_reminder_3", 44],
      ["not_shipped", 68],
    ]);
    expect(hoursOf("processing", { paidAt: now - 165 * HOUR })).toEqual([["not_shipped", 24]]);
  });

  test("knows the other periods", () => {
    expect(hoursOf("cancel_requested")).toEqual([["cancel_unanswered", 72]]);
    expect(hoursOf("shipped")).toEqual([["shipment_overdue", 336]]);
    expect(hoursOf("delivered")).toEqual([
      ["inspection_reminder", 24],
      ["inspection_ended", 48],
    ]);
    expect(hoursOf("problem_reported")).toEqual([
      ["problem_unanswered", 48],
      ["no_agreement", 120],
    ]);
    expect(hoursOf("offered", { problemOpenedAt: now - 40 * HOUR })).toEqual([["no_agreement", 80]]);
  });

  const usual = { handover: "thing" as const, subtotal: 500, soldTo: 3, isVerified: true, numberChanged: false };

  test.each([
    [{}, 48],
    [{ soldTo: 2 }, 96],
    [{ isVerified: false }, 48],
    [{ isVerified: false, subtotal: 20_000 }, 48],
    [{ isVerified: false, subtotal: 20_001 }, 96],
    [{ subtotal: 20_001 }, 48],
    [{ numberChanged: true }, 96],
    [{ subtotal: 0, soldTo: 0 }, 0],
    [{ handover: "food" as const }, 24],
    [{ handover: "service" as const, soldTo: 0 }, 48],
    [{ handover: "room" as const }, 48],
    // A type is the seller's own word, so it shortens nothing of value.
    [{ handover: "food" as const, subtotal: 5_000 }, 24],
    [{ handover: "food" as const, subtotal: 5_001 }, 48],
    [{ handover: "service" as const, subtotal: 38_000 }, 48],
    [{ handover: "ticket" as const, subtotal: 5_001 }, 48],
    // They agreed on no time, so nothing says that the gate is open.
    [{ handover: "ticket" as const }, 48],
  ])("gives a buyer of %o an inspection of %i hours", (seller, hours) => {
    expect(inspectionHours(48, { ...usual, ...seller }, { now, agreedFor: null })).toBe(hours);
  });

  test("has no inspection where the operator turned it off", () => {
    for (const handover of HANDOVERS)
      expect(inspectionHours(0, { ...usual, handover, soldTo: 0 }, { now, agreedFor: now + HOUR })).toBe(0);
  });
});
