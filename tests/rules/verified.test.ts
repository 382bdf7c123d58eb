import { expect, test } from "vitest";
import { nextLevelStep, type Verification } from "#app/accounts/trust/next-level-rules.ts";
import { LEVELS, levelTitle } from "#app/accounts/trust/verified-rules.ts";
import { readDomain } from "#app/admin/people/university-rules.ts";
import { VERIFIED, VERIFIED_LEVELS } from "#app/db/states/verified.ts";

test.each<[Verification, string | null]>([
  [{ level: "none", accountType: "student", document: null }, "Open the link in our email"],
  [{ level: "email", accountType: "student", document: null }, "Upload your student ID to become a verified student"],
  [{ level: "email", accountType: "student", document: "pending" }, "We're checking your student ID"],
  [{ level: "email", accountType: "student", document: "rejected" }, "We couldn't accept your student ID"],
  [{ level: "email", accountType: "wholesaler", document: null }, "Upload your business document"],
  [{ level: "student", accountType: "student", document: null }, null],
  [{ level: "business", accountType: "wholesaler", document: "approved" }, null],
])("%j is told what to do next", (standing, words) => {
  const next = nextLevelStep(standing);
  if (words === null) expect(next).toBeNull();
  else expect(next).toContain(words);
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
