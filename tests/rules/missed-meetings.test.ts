/** "They didn't come": who can say it, for how long, and what it counts. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  attendanceOf,
  answerUntil,
  MEETING_LASTS_MS,
  meetingRecordText,
  MEETINGS_SHOWN_FROM,
  type MissedFacts,
  NOTHING_MISSED,
  otherSide,
  refuseMissed,
} from "#app/accounts/trust/missed-meeting-rules.ts";
import { ITEM, ITEM_STATUSES } from "#app/db/states/item.ts";

const HOUR = 60 * 60_000;
const NOW = 1_000 * HOUR;
const times = fc.option(fc.integer({ min: NOW - 400 * HOUR, max: NOW + 100 * HOUR }), { nil: null });
const past = fc.option(fc.integer({ min: NOW - 400 * HOUR, max: NOW }), { nil: null });
const missed: fc.Arbitrary<MissedFacts> = fc.record({
  agreedFor: times,
  saidAt: fc.record({ buyer: past, seller: past }),
  saidFirst: fc.constant(null),
});
const side = fc.constantFrom("buyer" as const, "seller" as const);
const deal = fc.record({
  status: fc.constantFrom(...ITEM_STATUSES),
  subtotal: fc.constantFrom(0, 900),
  isOnHold: fc.boolean(),
  missed,
});

describe("who can say it", () => {
  test("nobody says it twice, or before the meeting's end, or when a week is over", () => {
    fc.assert(
      fc.property(side, deal, (who, given) => {
        if (refuseMissed(who, given, NOW) !== null) return;
        const heardAt = given.missed.saidAt[otherSide(who)];
        expect(given.missed.saidAt[who]).toBeNull();
        if (heardAt !== null) {
          expect(NOW).toBeLessThan(answerUntil(heardAt));
          return;
        }
        expect(NOW).toBeGreaterThanOrEqual((given.missed.agreedFor ?? Infinity) + MEETING_LASTS_MS);
        expect(NOW).toBeLessThan((given.missed.agreedFor ?? 0) + 7 * 24 * HOUR);
        expect([ITEM.isMeetable(given.status), given.isOnHold]).toEqual([true, false]);
        expect(given.subtotal).toBeGreaterThan(0);
      }),
    );
  });

  test("who hears it can answer for a week, whatever became of the deal", () => {
    fc.assert(
      fc.property(side, deal, fc.integer({ min: 0, max: 200 * HOUR }), (who, given, ago) => {
        const saidAt = { [who]: null, [otherSide(who)]: NOW - ago } as MissedFacts["saidAt"];
        const answer = refuseMissed(who, { ...given, missed: { ...given.missed, saidAt } }, NOW);
        expect(answer).toBe(ago < 7 * 24 * HOUR ? null : "too_late");
      }),
    );
  });

  test.each([
    ["no_meeting", { agreedFor: null }],
    ["too_early", { agreedFor: NOW - MEETING_LASTS_MS + 1 }],
    [null, { agreedFor: NOW - MEETING_LASTS_MS }],
    ["too_late", { agreedFor: NOW - 7 * 24 * HOUR }],
    ["not_to_meet", { agreedFor: NOW - 5 * HOUR, status: "completed" as const }],
    ["not_to_meet", { agreedFor: NOW - 5 * HOUR, status: "in_review" as const }],
    ["not_to_meet", { agreedFor: NOW - 5 * HOUR, status: "cancelled" as const }],
    ["not_to_meet", { agreedFor: NOW - 5 * HOUR, status: "expired" as const }],
    [null, { agreedFor: NOW - 5 * HOUR, status: "shipped" as const }],
    ["free", { agreedFor: NOW - 5 * HOUR, subtotal: 0 }],
    ["on_hold", { agreedFor: NOW - 5 * HOUR, isOnHold: true }],
  ] as const)("%s: %j", (refusal, { agreedFor, ...change }) => {
    const given = { status: "processing", subtotal: 900, isOnHold: false, ...change } as const;
    expect(refuseMissed("seller", { ...given, missed: { ...NOTHING_MISSED, agreedFor } }, NOW)).toBe(refusal);
  });
});

describe("how it counts", () => {
  const statuses = fc.constantFrom(...ITEM_STATUSES);

  test("where both say it, it counts for neither, and nobody is counted for what they say of the other", () => {
    fc.assert(
      fc.property(statuses, fc.boolean(), missed, (status, isCodeEntered, facts) => {
        const { buyer, seller } = facts.saidAt;
        const known = attendanceOf({ status, isCodeEntered }, facts);
        if (buyer !== null && seller !== null) expect(known).toBeNull();
        if (known?.missedBy) expect(facts.saidAt[known.missedBy]).toBeNull();
        if (buyer === null && seller === null && known) expect(isCodeEntered || ITEM.isCompleted(status)).toBe(true);
      }),
    );
  });

  test("once the code was entered, nothing that becomes of the deal changes how the meeting counts", () => {
    fc.assert(
      fc.property(statuses, missed, (status, facts) => {
        const known = attendanceOf({ status, isCodeEntered: true }, facts);
        expect(known).toEqual(attendanceOf({ status: "completed", isCodeEntered: true }, facts));
        if (facts.saidAt.buyer === null && facts.saidAt.seller === null && facts.agreedFor !== null)
          expect(known).toEqual({ missedBy: null });
      }),
    );
  });

  test.each([
    ["nobody says anything, and it is handed over", "completed", NOW, null, { missedBy: null }],
    ["nobody says anything, and it is cancelled", "cancelled", NOW, null, null],
    ["it is handed over without a meeting", "completed", null, null, null],
    ["the seller says it", "processing", NOW - HOUR, NOW, { missedBy: "buyer" }],
    ["the seller says it and cancels", "cancelled", NOW - HOUR, NOW, { missedBy: "buyer" }],
    ["the buyer came late", "completed", NOW - HOUR, NOW, { missedBy: null }],
    ["they met another time", "completed", NOW + HOUR, NOW, { missedBy: "buyer" }],
  ] as const)("%s", (_name, status, agreedFor, seller, known) => {
    const facts = {
      agreedFor,
      saidAt: { buyer: null, seller },
      saidFirst: seller === null ? null : ("seller" as const),
    };
    expect(attendanceOf({ status, isCodeEntered: false }, facts)).toEqual(known);
  });

  test("a page says it from five meetings on", () => {
    expect(meetingRecordText({ meetings: MEETINGS_SHOWN_FROM - 1, missed: 4 })).toBeNull();
    expect(meetingRecordText({ meetings: 9, missed: 2 })).toBe("Missed 2 of 9 meetings");
    expect(meetingRecordText({ meetings: 5, missed: 0 })).toBe("Came to all 5 meetings");
  });
});
