import { globSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { HANDOVERS } from "#app/db/states/handover.ts";
import { linkDay } from "#app/deals/code/handover-link-rules.ts";
import { checkContact, CONTACT_MAX } from "#app/screens/help/contact-rules.ts";
import { searchHelp } from "#app/screens/help/help-rules.ts";
import { HELP_GROUPS, helpQuestions } from "#app/screens/help/questions.ts";
import { SCREENS } from "#app/screen-rules.ts";

const QUESTIONS = helpQuestions({ inspectionHours: 48 });
const IDS = new Set(QUESTIONS.map(({ id }) => id));

test("each question has an address of its own, an answer, and links that lead somewhere", () => {
  expect(IDS.size).toBe(QUESTIONS.length);
  expect(QUESTIONS.length).toBeGreaterThanOrEqual(30);
  expect(IDS.has("contact")).toBe(false);
  expect(HELP_GROUPS.filter((group) => !QUESTIONS.some((each) => each.group === group))).toEqual([]);
  expect(QUESTIONS.filter(({ id, answer }) => !/^[a-z-]+$/.test(id) || answer.some((text) => text === ""))).toEqual([]);
  const links = QUESTIONS.flatMap((each) => each.links).map(({ to }) => to.replace(/\?.*/, ""));
  const screens = new Set(Object.keys(SCREENS).filter((path) => SCREENS[path]?.shape));
  expect(links.filter((to) => !screens.has(to) && !IDS.has(to.replace("/help/", "")))).toEqual([]);
});

test("every screen links to answers that exist", () => {
  const linked = globSync("app/**/*.{ts,tsx}").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/"\/help\/([a-z-]+)"/g)].map(([, id = ""]) => ({ file, id })),
  );
  expect(linked.length).toBeGreaterThan(5);
  expect(linked.filter(({ id }) => id !== "contact" && !IDS.has(id))).toEqual([]);
});

test("an answer says the periods that hold, also where there is no time to inspect", () => {
  const text = (inspectionHours: number) =>
    helpQuestions({ inspectionHours })
      .flatMap(({ answer }) => answer)
      .join("\n");
  expect(text(48)).toContain("at least 48 hours");
  expect(text(24)).toContain("at least 24 hours");
  expect(text(0)).not.toMatch(/\b0 hours|at least \d+ hours to check/);
  expect(text(0)).not.toContain("time to report a problem");
});

test("what somebody says of the time to report a problem says it of things, and leads to the other kinds", () => {
  const without = QUESTIONS.filter(({ answer }) => answer.some((text) => /(at least|is over:) 48 hours/.test(text)));
  expect(without.map(({ id }) => id)).toEqual(expect.arrayContaining(["no-code", "kinds", "problem", "paid"]));
  for (const { id, answer, links } of without.filter((each) => each.id !== "kinds")) {
    expect([id, answer.join(" ")]).toEqual([id, expect.stringContaining("a thing")]);
    expect(links.map(({ to }) => to)).toContain("/help/kinds");
  }
});

test("somebody else hands over what a link can be made for, and nothing else", () => {
  const now = Date.parse("2026-11-28T09:00:00Z");
  const deal = { status: "processing", wrongCodes: 0, isOnHold: false, agreedFor: now } as const;
  const answer = QUESTIONS.find(({ id }) => id === "helper")?.answer[0] ?? "";
  for (const handover of HANDOVERS)
    expect([handover, answer.includes(handover)]).toEqual([handover, linkDay({ ...deal, handover }, now) !== null]);
});

test.each([
  ["refund", "refunds"],
  ["how do I get a refund?", "refunds"],
  ["rudisha pesa", "refunds"],
  ["handover code", "code"],
  ["what is the code", "code"],
  ["can I cancel my order", "cancel"],
  ["scammer", "scams"],
  ["am I protected", "protection"],
  ["is it safe to pay", "protection"],
  ["when do i get paid", "paid"],
  ["payout", "paid"],
  ["how much can I pay", "limits"],
  ["seller not responding", "seller-silent"],
  ["item not arrived", "not-arrived"],
  ["broken item", "problem"],
  ["what can I sell", "allowed"],
  ["forgot password", "login"],
  ["confirmation email", "confirmation-email"],
  ["delete my account", "delete-account"],
  ["stk push failed", "no-prompt"],
  ["how do offers work", "offers"],
  ["bargain", "offers"],
  ["where do we meet", "meeting"],
  ["going home", "leaving"],
  ["clear out", "leaving"],
  ["end of semester", "leaving"],
  ["appeal suspended", "taken-down"],
  ["report a person", "report"],
])("“%s” finds %s among the first three", (query, id) => {
  expect(
    searchHelp(QUESTIONS, query)
      .slice(0, 3)
      .map((each) => each.id),
  ).toContain(id);
});

test("a search finds each question by its own title, and nothing for words that nobody wrote", () => {
  const lost = QUESTIONS.filter((each) => !searchHelp(QUESTIONS, each.question).slice(0, 3).includes(each));
  expect(lost.map(({ id }) => id)).toEqual([]);
  expect(searchHelp(QUESTIONS, "zzzxq")).toEqual([]);
  expect(searchHelp(QUESTIONS, "")).toEqual([]);
  fc.assert(
    fc.property(fc.string({ maxLength: 100, unit: "grapheme" }), (query) => {
      const found = searchHelp(QUESTIONS, query);
      expect(new Set(found).size).toBe(found.length);
      expect(found.length).toBeLessThanOrEqual(8);
    }),
  );
});

test("a question to our team needs words, and a visitor's an address to answer to", () => {
  expect(checkContact({ email: null, text: " \n" })).toHaveProperty("text");
  expect(checkContact({ email: null, text: "Hi" })).toEqual({});
  expect(checkContact({ email: " ", text: "Hi" })).toHaveProperty("email");
  expect(checkContact({ email: "a@b", text: "Hi" })).toHaveProperty("email");
  expect(checkContact({ email: " a@b.test ", text: "x".repeat(CONTACT_MAX) })).toEqual({});
  expect(checkContact({ email: null, text: "x".repeat(CONTACT_MAX + 1) })).toHaveProperty("text");
});
