/** Moderation: which reason fits what, which case comes first, and who may decide it. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CASE_DECISIONS, CASE_SUBJECTS, CASE_STATES, REPORT_REASONS } from "#app/db/states/moderation.ts";
import { APPEAL_DAYS, canAppeal, harmOf, HELD_HARM, refuseDecider } from "#app/moderation/cases/case-rules.ts";
import {
  reasonsFor,
  REASONS,
  refuseReportText,
  REPORT_TEXT_MAX,
  worstReason,
} from "#app/moderation/reports/report-rules.ts";

const reason = fc.constantFrom(...REPORT_REASONS);
const facts = fc.record({ reasons: fc.array(reason, { maxLength: 20 }), upheld: fc.nat(20) });

describe("harm", () => {
  test("another report and another upheld case never make a case less urgent", () => {
    fc.assert(
      fc.property(facts, reason, ({ reasons, upheld }, more) => {
        if (reasons.length > 0)
          expect(harmOf({ reasons: [...reasons, more], upheld })).toBeGreaterThanOrEqual(harmOf({ reasons, upheld }));
        expect(harmOf({ reasons, upheld: upheld + 1 })).toBeGreaterThanOrEqual(harmOf({ reasons, upheld }));
      }),
    );
  });

  test("the order of the reports doesn't matter", () => {
    fc.assert(
      fc.property(facts, ({ reasons, upheld }) => {
        expect(harmOf({ reasons: reasons.toReversed(), upheld })).toBe(harmOf({ reasons, upheld }));
      }),
    );
  });

  test("however many people report spam, one threat comes first", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("spam" as const, "other" as const), { minLength: 1, maxLength: 500 }),
        fc.nat(50),
        (reasons, upheld) => {
          expect(harmOf({ reasons, upheld })).toBeLessThan(harmOf({ reasons: ["danger"], upheld: 0 }));
        },
      ),
    );
  });

  test("a held listing has its own harm, which earlier cases raise", () => {
    expect(harmOf({ reasons: [], upheld: 0 })).toBe(HELD_HARM);
    expect(harmOf({ reasons: [], upheld: 2 })).toBeGreaterThan(HELD_HARM);
  });
});

test("reasons are listed from the worst to the least", () => {
  const severities = Object.values(REASONS).map(({ severity }) => severity);
  expect(severities).toEqual(severities.toSorted((a, b) => b - a));
  expect(worstReason(["spam", "scam", "other"])).toBe("scam");
  expect(worstReason([])).toBeNull();
});

test("everything can be reported for something else, and nothing for a reason that doesn't fit", () => {
  for (const subject of CASE_SUBJECTS) expect(reasonsFor(subject).at(-1)).toBe("other");
  expect(reasonsFor("review")).not.toContain("prohibited");
  expect(reasonsFor("message")).not.toContain("fake");
  expect(reasonsFor("person")).not.toContain("personal_data");
});

test("only something else needs words, and words have a limit", () => {
  expect(refuseReportText("other", " \n ")).toBe("empty");
  expect(refuseReportText("scam", "")).toBeNull();
  expect(refuseReportText("scam", "a".repeat(REPORT_TEXT_MAX + 1))).toBe("too_long");
});

describe("who may decide", () => {
  const id = fc.constantFrom("a", "b", "c", "d", "e");
  const cases = fc.record({
    reportedId: id,
    reporterIds: fc.uniqueArray(id, { maxLength: 5 }),
    relatedIds: fc.uniqueArray(id, { maxLength: 2 }),
    decidedBy: fc.option(id, { nil: null }),
  });

  test("never the person concerned, and a reporter only where every admin is involved", () => {
    fc.assert(
      fc.property(id, cases, fc.uniqueArray(id), (admin, parties, admins) => {
        const { reportedId, reporterIds, relatedIds, decidedBy } = parties;
        const involved: readonly (string | null)[] = [reportedId, decidedBy, ...reporterIds, ...relatedIds];
        const isInvolved = (one: string) => involved.includes(one);
        const refusal = refuseDecider(admin, parties, admins);
        if (admin === reportedId) expect(refusal).toBe("concerned");
        else if (!isInvolved(admin)) expect(refusal).toBeNull();
        else expect(refusal === null).toBe(admins.every(isInvolved));
      }),
    );
  });

  test("no case waits for ever, unless all admins are the person concerned", () => {
    fc.assert(
      fc.property(cases, fc.uniqueArray(id, { minLength: 1 }), (parties, admins) => {
        fc.pre(admins.some((admin) => admin !== parties.reportedId));
        expect(admins.some((admin) => refuseDecider(admin, parties, admins) === null)).toBe(true);
      }),
    );
  });

  test("another admin answers the appeal, unless there is no other", () => {
    const parties = { reportedId: "seller", reporterIds: ["buyer"], relatedIds: [], decidedBy: "asha" };
    expect(refuseDecider("asha", parties, ["asha", "brian"])).toBe("decided");
    expect(refuseDecider("brian", parties, ["asha", "brian"])).toBeNull();
    expect(refuseDecider("asha", parties, ["asha"])).toBeNull();
    expect(refuseDecider("asha", { ...parties, reporterIds: ["brian"] }, ["asha", "brian"])).toBeNull();
  });
});

test("an appeal is possible once, against a decision that did something, for 30 days", () => {
  const decidedAt = Date.UTC(2030, 0, 1);
  const end = decidedAt + APPEAL_DAYS * 24 * 60 * 60_000;
  for (const state of CASE_STATES)
    for (const decision of [...CASE_DECISIONS, null]) {
      const possible = state === "decided" && decision !== null && decision !== "dismissed";
      expect(canAppeal({ state, decision, decidedAt }, end - 1)).toBe(possible);
      expect(canAppeal({ state, decision, decidedAt }, end)).toBe(false);
    }
});
