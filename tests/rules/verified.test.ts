import fc from "fast-check";
import { expect, test } from "vitest";
import { endedText, ownLevelTitle } from "#app/accounts/components/own-level.ts";
import { STUDENT_TOLD_MS, studentStand, studentUntil } from "#app/accounts/trust/student-end-rules.ts";
import { dayName } from "#app/platform/east-africa-time.ts";
import { nextLevelStep, type Verification } from "#app/accounts/trust/next-level-rules.ts";
import { LEVELS, levelTitle } from "#app/accounts/trust/verified-rules.ts";
import { readDomain } from "#app/admin/people/university-rules.ts";
import { VERIFIED, VERIFIED_LEVELS } from "#app/db/states/verified.ts";

const DAY = 24 * 60 * 60_000;
const UNTIL = Date.UTC(2027, 9, 31, 21);
const HOLDS = { until: null, stand: "holds", byAddress: false } as const;
const ENDING = { level: "student", accountType: "student", document: null, until: UNTIL, stand: "ending" } as const;
const ENDED = { ...ENDING, level: "email", stand: "ended" } as const;

test.each<[Verification, string | null]>([
  [{ level: "none", accountType: "student", document: null, ...HOLDS }, "Open the link in our email"],
  [{ level: "email", accountType: "student", document: null, ...HOLDS }, "Upload your student ID to become a verified"],
  [{ level: "email", accountType: "student", document: "pending", ...HOLDS }, "We're checking your student ID"],
  [{ level: "email", accountType: "student", document: "rejected", ...HOLDS }, "We couldn't accept your student ID"],
  [{ level: "email", accountType: "wholesaler", document: null, ...HOLDS }, "Upload your business document"],
  [{ level: "student", accountType: "student", document: null, ...HOLDS }, null],
  [{ level: "business", accountType: "wholesaler", document: "approved", ...HOLDS }, null],
  [{ ...ENDING, byAddress: true }, "To stay verified, open the link that we send to your university address"],
  [{ ...ENDING, byAddress: false }, "To stay verified, upload your current student ID"],
  [{ ...ENDING, byAddress: true, document: "pending" }, "We're checking your student ID"],
  [{ ...ENDED, byAddress: true, document: "approved" }, "To be verified again, open the link"],
  [{ ...ENDED, byAddress: false, document: "approved" }, "To be verified again, upload your current"],
])("%j is told what to do next", (standing, words) => {
  const next = nextLevelStep(standing);
  if (words === null) expect(next).toBeNull();
  else expect(next).toContain(words);
});

test.each([
  ["2026-11-29T09:00:00Z", "2027-10-31"],
  ["2027-08-02T20:59:59Z", "2027-10-31"],
  ["2027-08-03T21:00:00Z", "2028-10-31"],
  ["2027-10-31T20:59:59Z", "2028-10-31"],
  ["2027-12-31T22:00:00Z", "2028-10-31"],
])("whoever proves it at %s is a verified student to the end of %s", (at, lastDay) => {
  expect(dayName(studentUntil(Date.parse(at)) - 1)).toBe(lastDay);
  expect(dayName(studentUntil(Date.parse(at)))).toBe(lastDay.replace("10-31", "11-01"));
});

test("a proof holds for 90 days to 15 months, a later one never ends earlier, and who renews isn't asked again", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2060, 0) }),
      fc.nat({ max: 500 * DAY }),
      (at, later) => {
        const until = studentUntil(at);
        expect(until - at).toBeGreaterThanOrEqual(90 * DAY);
        expect(until - at).toBeLessThanOrEqual(457 * DAY);
        expect(studentUntil(at + later)).toBeGreaterThanOrEqual(until);
        expect(studentStand(until, at)).toBe("holds");
        expect(studentStand(studentUntil(until - STUDENT_TOLD_MS), until)).toBe("holds");
      },
    ),
  );
});

test("it holds, ends soon, and has ended", () => {
  expect(
    [UNTIL - STUDENT_TOLD_MS - 1, UNTIL - STUDENT_TOLD_MS, UNTIL - 1, UNTIL].map((now) => studentStand(UNTIL, now)),
  ).toEqual(["holds", "ending", "ending", "ended"]);
  expect(ownLevelTitle({ level: "student", until: UNTIL })).toBe("Verified student until October 2027");
  expect(ownLevelTitle({ level: "email", until: UNTIL })).toBe("Email confirmed");
  expect(endedText(ENDED)).toBe("You were a verified student until October 2027.");
  expect(endedText(ENDING)).toBeNull();
});

test("each level has a title", () => {
  expect((["none", "email", "student", "business"] as const).map(levelTitle)).toEqual([
    "Email not confirmed",
    "Email confirmed",
    "Verified student",
    "Verified business",
  ]);
});

test("a name has a mark if somebody checked more than an email address", () => {
  for (const level of VERIFIED_LEVELS)
    expect(level !== "none" && LEVELS[level].isMarked).toBe(VERIFIED.isVerified(level));
});

test.each([
  ["uonbi.ac.ke", "uonbi.ac.ke"],
  [" @UoNBI.ac.ke ", "uonbi.ac.ke"],
  ["https://www.strathmore.edu/admissions", "strathmore.edu"],
  ["wanjiku@students.jkuat.ac.ke", "students.jkuat.ac.ke"],
  ["cuea.edu.", "cuea.edu"],
])("an admin who types %j adds %s", (typed, domain) => {
  expect(readDomain(typed)).toEqual({ ok: true, domain });
});

test.each([
  ["", "format"],
  ["uonbi", "format"],
  ["uonbi ac ke", "format"],
  ["uonbi..ac.ke", "format"],
  ["-uonbi.ac.ke", "format"],
  ["uonbi_.ac.ke", "format"],
  [`${"a".repeat(60)}.${"b".repeat(60)}.ke`, "format"],
  ["ac.ke", "shared"],
  ["co.ke", "shared"],
  ["ac.uk", "shared"],
  ["gmail.com", "public"],
  ["student@Gmail.com", "public"],
  ["mail.yahoo.com", "public"],
])("an admin can't add %j: %s", (typed, code) => {
  expect(readDomain(typed)).toEqual({ ok: false, code });
});
