/** The link by which somebody else hands an item over: for one day, and only while the code could be entered anyway. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { HANDOVER_WORDS } from "#app/catalogue/types/handover-word-rules.ts";
import { HANDOVERS } from "#app/db/states/handover.ts";
import { ITEM, ITEM_STATUSES } from "#app/db/states/item.ts";
import {
  type HandoverLinkFacts,
  type HandoverLinkState,
  handoverLinkState,
  isLive,
  linkDay,
} from "#app/deals/code/handover-link-rules.ts";
import { linkWords } from "#app/deals/code/handover-link-texts.ts";
import { refuseDealEvent, WRONG_CODES_MAX } from "#app/deals/deal-rules.ts";
import { dayBounds, dayName } from "#app/platform/east-africa-time.ts";

const HOUR = 60 * 60_000;
const NOW = Date.parse("2026-11-28T09:00:00Z");
const TODAY = dayName(NOW);
const times = fc.integer({ min: -60, max: 60 }).map((hours) => NOW + hours * HOUR);
const facts: fc.Arbitrary<HandoverLinkFacts> = fc.record({
  handover: fc.constantFrom(...HANDOVERS),
  status: fc.constantFrom(...ITEM_STATUSES),
  wrongCodes: fc.integer({ min: 0, max: WRONG_CODES_MAX }),
  isOnHold: fc.boolean(),
  agreedFor: fc.option(times, { nil: null }),
});
const days = times.map(dayName);

test("it is open only on its day, which is the meeting's, and where the seller could enter the code", () => {
  fc.assert(
    fc.property(days, facts, (day, given) => {
      if (handoverLinkState({ day }, given, NOW) !== "open") return;
      expect([day, dayName(given.agreedFor ?? 0)]).toEqual([TODAY, TODAY]);
      const deal = { ...given, buyerAgreed: true, shippedAt: null, subtotal: 900, hasOpenReport: false };
      expect(refuseDealEvent("code_entered", { ...deal, isSellerGone: false }, NOW)).toBeNull();
    }),
  );
});

test("it opens and ends with its day in East Africa", () => {
  const given = { handover: "thing", status: "processing", wrongCodes: 0, isOnHold: false, agreedFor: NOW } as const;
  const { from, until } = dayBounds(TODAY);
  const at = (now: number) => handoverLinkState({ day: TODAY }, given, now);
  expect([at(from - 1), at(from), at(until - 1), at(until)]).toEqual(["early", "open", "open", "ended"]);
});

test("a link can be made exactly where it would lead to a handover", () => {
  fc.assert(
    fc.property(facts, (given) => {
      const day = linkDay(given, NOW);
      if (day !== null) expect(isLive(handoverLinkState({ day }, given, NOW))).toBe(true);
      else if (
        given.agreedFor !== null &&
        ITEM.takesCode(given.status) &&
        !given.isOnHold &&
        given.handover === "thing"
      )
        expect(given.wrongCodes >= WRONG_CODES_MAX || dayName(given.agreedFor) < TODAY).toBe(true);
    }),
  );
});

test("nothing but an open link tells anybody to hand it over", () => {
  const { thing, ticket } = HANDOVER_WORDS;
  const names = { name: "Kettle", buyer: "Nduku", seller: "Esther", day: "Sat 28 Nov 2026" };
  const titles: Record<HandoverLinkState, string> = {
    open: "Hand over Kettle",
    early: "Not yet: Sat 28 Nov 2026",
    done: "It's handed over",
    code_closed: "Don't hand it over",
    ended: "Don't hand it over",
  };
  for (const [state, title] of Object.entries(titles) as [HandoverLinkState, string][]) {
    expect(linkWords(state, thing, names).title).toBe(title);
    if (state !== "open") expect(title).not.toMatch(/^hand over/i);
  }
  expect(linkWords("open", thing, names).sentence).toContain("only when the code is accepted");
  expect(linkWords("open", ticket, names).title).toBe("Kettle: bring Nduku inside the gate");
  expect(linkWords("ended", ticket, names).title).toBe("Don't hand over the ticket");
});
