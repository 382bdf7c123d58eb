import fc from "fast-check";
import { expect, test } from "vitest";
import { type Kind, KINDS, mayDecline } from "#app/notifications/kinds.ts";
import {
  CHOICE_GROUPS,
  choiceGroupOf,
  isOn,
  OFFERED,
  OFFERED_CHOICES,
  readClock,
  readSettingsForm,
  SETTINGS_ERRORS,
  type SettingsForm,
  WAYS,
  writeClock,
} from "#app/notifications/settings-rules.ts";

const kinds = Object.keys(KINDS) as Kind[];
const form: SettingsForm = {
  ticked: [],
  opened: [],
  isQuiet: true,
  from: "22:00",
  until: "07:00",
  openedQuiet: null,
};
const someChoices = fc.subarray([...OFFERED_CHOICES]);

test("a kind that can be turned off stands under a group of the screen, and no other kind does", () => {
  for (const kind of kinds) {
    const group = choiceGroupOf(kind);
    expect(group !== null).toBe(mayDecline(kind));
    if (group === null) continue;
    const ways = WAYS.filter((way) => KINDS[kind][way] !== null);
    expect(OFFERED.find((offered) => offered.group === group)?.ways).toEqual(expect.arrayContaining(ways));
  }
});

test("the screen offers no way that nothing leaves by", () => {
  for (const { group, ways } of OFFERED) {
    expect(CHOICE_GROUPS[group].title).not.toBe("");
    for (const way of ways)
      expect(kinds.some((kind) => choiceGroupOf(kind) === group && KINDS[kind][way] !== null)).toBe(true);
  }
});

test("a clock is written and read back, and nothing else is a time", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 24 * 60 - 1 }), (minutes) => {
      expect(readClock(writeClock(minutes))).toBe(minutes);
    }),
  );
  expect(readClock("07:30:00")).toBe(450);
  for (const text of ["", "7", "24:00", "12:60", "noon", "-1:00", "12:00pm"]) expect(readClock(text)).toBeNull();
});

test("a form changes what was changed on it, and nothing else", () => {
  fc.assert(
    fc.property(someChoices, someChoices, someChoices, (atOpening, ticked, now) => {
      const read = readSettingsForm({ ...form, opened: atOpening, ticked });
      if (!read.ok) throw new Error("refused");
      const before = Object.fromEntries(OFFERED_CHOICES.map((choice) => [choice, now.includes(choice)]));
      const after = { ...before, ...read.changes };
      for (const choice of OFFERED_CHOICES) {
        const isChanged = atOpening.includes(choice) !== ticked.includes(choice);
        expect(isOn(after, choice)).toBe((isChanged ? ticked : now).includes(choice));
      }
    }),
  );
});

test("everything is on at first but the email of the weekly summary", () => {
  expect(OFFERED_CHOICES.filter((choice) => !isOn({}, choice))).toEqual(["digest.email"]);
  expect(isOn({ "digest.email": true }, "digest.email")).toBe(true);
});

test("choices that the screen doesn't offer are ignored", () => {
  const read = readSettingsForm({ ...form, ticked: ["money.email", "account.push", "x"], opened: ["money.push"] });
  expect(read).toMatchObject({ ok: true, changes: {} });
});

test.each([
  [
    { from: "22:00", until: "07:00" },
    { ok: true, changes: {}, quiet: { from: 1_320, until: 420 } },
  ],
  [
    { isQuiet: false, from: "", until: "x" },
    { ok: true, changes: {}, quiet: null },
  ],
  [
    { from: "", until: "07:00" },
    { ok: false, errors: { from: SETTINGS_ERRORS.time } },
  ],
  [
    { from: "25:00", until: "late" },
    { ok: false, errors: { from: SETTINGS_ERRORS.time, until: SETTINGS_ERRORS.time } },
  ],
  [
    { from: "08:00", until: "08:00" },
    { ok: false, errors: { until: SETTINGS_ERRORS.same } },
  ],
])("quiet hours %j", (typed, expected) => {
  expect(readSettingsForm({ ...form, ...typed })).toEqual(expected);
});
