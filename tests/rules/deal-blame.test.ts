/** Whose record the ending of a deal counts against: every ending, and whoever had to act next. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type MissedFacts, NOTHING_MISSED, refuseMissed, withSaid } from "#app/accounts/trust/missed-meeting-rules.ts";
import { DEAL_EVENTS, type DealEvent } from "#app/db/states/deal.ts";
import { ITEM, ITEM_STATUSES } from "#app/db/states/item.ts";
import {
  against,
  type BlameFacts,
  ENDINGS_AGAINST,
  hasComeInVain,
  REVIEW_CAUSES,
  type TurnFacts,
  whoseTurn,
} from "#app/deals/deal-blame-rules.ts";
import { DEAL_TRANSITIONS, nextItemStatus } from "#app/deals/deal-rules.ts";

const HOUR = 60 * 60_000;
const NOW = 1_000 * HOUR;
const silent: TurnFacts = {
  buyerContacted: false,
  buyerAgreed: false,
  isDelivery: false,
  lastWriter: null,
  lastWroteAt: null,
  agreedAt: null,
  blockedBy: null,
  missed: NOTHING_MISSED,
};
const wrote = (lastWriter: "buyer" | "seller", hoursAgo: number) =>
  ({ ...silent, buyerContacted: true, lastWriter, lastWroteAt: NOW - hoursAgo * HOUR }) as const;

const pickup = (hoursAgo: number) => ({ buyerAgreed: true, agreedAt: NOW - hoursAgo * HOUR });
const delivery = (hoursAgo: number) => ({ ...pickup(hoursAgo), isDelivery: true });

describe("whose turn it is before shipping", () => {
  test.each<[string, TurnFacts, "buyer" | "seller"]>([
    ["nobody has written", silent, "seller"],
    ["only the buyer has written", { ...silent, lastWriter: "buyer", lastWroteAt: NOW }, "seller"],
    ["the seller wrote last", wrote("seller", 1), "buyer"],
    ["the seller wrote about something else of the two", { ...wrote("seller", 1), buyerContacted: false }, "buyer"],
    ["the buyer wrote last", wrote("buyer", 1), "seller"],
    ["the seller was marked as having written", { ...silent, buyerContacted: true }, "buyer"],
    ["the buyer agreed", { ...wrote("seller", 1), buyerAgreed: true }, "seller"],
    ["the buyer blocked the seller", { ...silent, blockedBy: "buyer" }, "buyer"],
    ["the buyer agreed to a pickup and blocked", { ...silent, buyerAgreed: true, blockedBy: "buyer" }, "buyer"],
    [
      "the buyer blocked, but agreed to a delivery",
      { ...silent, buyerAgreed: true, isDelivery: true, blockedBy: "buyer" },
      "seller",
    ],
    ["the seller blocked the buyer", { ...wrote("seller", 1), blockedBy: "seller" }, "seller"],
  ])("%s", (_name, facts, turn) => {
    expect(whoseTurn(facts)).toBe(turn);
  });
});

describe("against whom each ending counts", () => {
  const facts = (turn: TurnFacts, reviewCause: BlameFacts["reviewCause"] = null): BlameFacts => ({
    ...turn,
    reviewCause,
    now: NOW,
  });

  test.each<[DealEvent, string, BlameFacts, "seller" | null]>([
    ["not_shipped", "a seller who never wrote", facts(silent), "seller"],
    ["not_shipped", "a seller who was never answered", facts(wrote("seller", 160)), null],
    ["not_shipped", "a seller who didn't answer", facts(wrote("buyer", 160)), "seller"],
    ["not_shipped", "a seller whom the buyer blocked", facts({ ...silent, blockedBy: "buyer" }), null],
    ["not_shipped", "a seller who had the buyer's yes", facts({ ...wrote("buyer", 160), ...delivery(160) }), "seller"],
    ["not_shipped", "a pickup, and silence since the yes", facts({ ...wrote("buyer", 160), ...pickup(160) }), null],
    ["not_shipped", "a pickup, and the seller wrote since", facts({ ...wrote("seller", 5), ...pickup(160) }), null],
    [
      "not_shipped",
      "a pickup, and a buyer who got no answer",
      facts({ ...wrote("buyer", 5), ...pickup(160) }),
      "seller",
    ],
    ["not_shipped", "a seller who blocked the buyer", facts({ ...silent, blockedBy: "seller" }), null],
    ["cancelled_by_seller", "a seller who blocked the buyer", facts({ ...silent, blockedBy: "seller" }), null],
    [
      "cancelled_by_seller",
      "at once after the yes to a pickup",
      facts({ ...wrote("buyer", 1), ...pickup(1) }),
      "seller",
    ],
    ["cancelled_by_seller", "three days after that", facts({ ...wrote("buyer", 72), ...pickup(72) }), null],
    [
      "cancelled_by_seller",
      "a delivery, three days after the yes",
      facts({ ...wrote("buyer", 72), ...delivery(72) }),
      "seller",
    ],
    ["cancelled_by_seller", "at once", facts(silent), "seller"],
    ["cancelled_by_seller", "an hour after the seller wrote", facts(wrote("seller", 1)), "seller"],
    ["cancelled_by_seller", "after three days without an answer", facts(wrote("seller", 72)), null],
    ["cancelled_by_seller", "a buyer who blocked the seller", facts({ ...silent, blockedBy: "buyer" }), null],
    ["cancelled_by_buyer", "any", facts(silent), null],
    ["cancel_accepted", "any", facts(silent), null],
    ["cancel_unanswered", "any", facts(silent), null],
    ["party_gone", "any", facts(silent), null],
    ["refunded_by_seller", "any", facts(wrote("seller", 160)), "seller"],
    ...REVIEW_CAUSES.map((cause): [DealEvent, string, BlameFacts, "seller" | null] => [
      "team_refunded",
      cause,
      facts(silent, cause),
      cause === "party_gone" ? null : "seller",
    ]),
  ])("%s: %s", (event, _name, given, expected) => {
    expect(against(event, given)).toBe(expected);
  });

  test("has a rule for each event that gives everything back, and for no other", () => {
    const endings = new Set(
      ITEM_STATUSES.flatMap((status) => Object.entries(DEAL_TRANSITIONS[status]))
        .filter(([, next]) => ITEM.isReturned(next))
        .map(([event]) => event),
    );
    expect(Object.keys(ENDINGS_AGAINST).toSorted()).toEqual([...endings].toSorted());
  });

  test("names each event that makes our team decide", () => {
    const causes = DEAL_EVENTS.filter((event) =>
      ITEM_STATUSES.some((status) => nextItemStatus(status, event) === "in_review"),
    );
    expect([...REVIEW_CAUSES].toSorted()).toEqual(causes.toSorted());
  });

  test("who first says that the buyer didn't come is never marked for ending it, and who answers isn't freed", () => {
    const press = fc.record({ side: fc.constantFrom("buyer" as const, "seller" as const), after: fc.nat(2) });
    const given = fc.record({
      // Two presses may have the same time.
      presses: fc.array(press, { maxLength: 4 }),
      lastWriter: fc.constantFrom("buyer" as const, "seller" as const, null),
      event: fc.constantFrom("cancelled_by_seller" as const, "not_shipped" as const),
    });
    fc.assert(
      fc.property(given, ({ presses, event, lastWriter }) => {
        let missed: MissedFacts = { ...NOTHING_MISSED, agreedFor: NOW - 5 * HOUR };
        let now = NOW - HOUR;
        for (const { side, after } of presses) {
          now += after;
          const deal = { status: "processing", subtotal: 900, isOnHold: false, missed } as const;
          if (refuseMissed(side, deal, now) === null) missed = withSaid(missed, side, now);
        }
        const turn = { ...silent, ...pickup(50), lastWriter, lastWroteAt: lastWriter && NOW - 5 * HOUR };
        const isFreed = presses[0]?.side === "seller";
        expect(hasComeInVain({ missed })).toBe(isFreed);
        expect(against(event, facts({ ...turn, missed }))).toBe(
          isFreed ? null : against(event, facts({ ...turn, missed: NOTHING_MISSED })),
        );
      }),
    );
  });

  test("a seller who stayed away and answers the buyer is marked for cancelling", () => {
    const heard = withSaid({ ...NOTHING_MISSED, agreedFor: NOW - 5 * HOUR }, "buyer", NOW);
    for (const missed of [heard, withSaid(heard, "seller", NOW)])
      expect(against("cancelled_by_seller", facts({ ...silent, missed }))).toBe("seller");
  });

  test("no clock ever counts against a seller while it is the buyer's turn", () => {
    const role = fc.constantFrom("buyer" as const, "seller" as const, null);
    const turn = fc.record({
      buyerContacted: fc.boolean(),
      buyerAgreed: fc.boolean(),
      isDelivery: fc.boolean(),
      lastWriter: role,
      lastWroteAt: fc.constantFrom(null, NOW - HOUR, NOW - 100 * HOUR),
      agreedAt: fc.constantFrom(null, NOW - 50 * HOUR),
      blockedBy: role,
      missed: fc.constant(NOTHING_MISSED),
    });
    fc.assert(
      fc.property(turn, (given) => {
        if (whoseTurn(given) === "buyer" || given.blockedBy !== null)
          expect(against("not_shipped", facts(given))).toBeNull();
      }),
    );
  });
});
