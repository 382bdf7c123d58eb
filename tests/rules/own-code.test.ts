/** A buyer's own handover code in what they are about to send, in any spelling. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasDigits, revealsCode } from "#app/deals/code/own-code-rules.ts";
import { readHandoverCode } from "#app/deals/code/handover-code-rules.ts";

const CODE = "320577";
const REVEALING = [
  "320577",
  "my code is 320577.",
  "320 577",
  "320-577",
  "3 2 0 5 7 7",
  "3.2.0.5.7.7",
  "3,2,0,5,7,7",
  "3️⃣2️⃣0️⃣5️⃣7️⃣7️⃣",
  "③②⓪⑤⑦⑦",
  "❸❷⓿❺❼❼",
  "➂➁🄋➄➆➆",
  "３２０５７７",
  "٣٢٠٥٧٧",
  "३२०५७७",
  "320​577",
  "32O577",
  "32o 577",
  "three two zero five seven seven",
  "Three-two-oh-five-seven-seven",
  "three two zero five double seven",
  "threetwozerofivesevenseven",
  "thirty two zero five seventy seven",
  "three twenty, five seventy seven",
  "three hundred and twenty, five hundred and seventy seven",
  "three hundred twenty thousand five hundred seventy seven",
  "tatu mbili sifuri tano saba saba",
  "mia tatu ishirini, mia tano sabini na saba",
  "3 two 0 tano 7 saba",
  "first half 320 second half 577",
  "CHUONI:1B2C:320577",
  "code320577ok",
];

test.each(REVEALING)("finds it in: %s", (text) => {
  expect(revealsCode(text, ["000000", CODE])).toBe(true);
});

test.each([
  "320578",
  "KES 320",
  "I pay 57,732",
  "0712 345 678",
  "room 320, at 5",
  "three pieces and two more",
  "see you at five",
  "",
  "no number at all",
])("says nothing about: %s", (text) => {
  expect(revealsCode(text, [CODE])).toBe(false);
});

test("says nothing where there is no code", () => {
  expect(revealsCode(CODE, [])).toBe(false);
});

describe("over several messages", () => {
  const asked = (texts: string[]) => texts.map((text, at) => revealsCode(text, [CODE], texts.slice(0, at)));

  test.each([
    [["3", "2", "0", "5", "7", "7"]],
    [["320", "577"]],
    [["hi, three two", "zero five", "seven", "and 7"]],
    [["are you at gate 4?", "3", "2", "0", "5", "7", "7"]],
    [["32", "I come at 9 am with my friend", "05", "77"]],
  ])("asks at the last part: %j", (texts) => {
    expect(asked(texts)).toEqual(texts.map((_, at) => at === texts.length - 1));
  });

  test("doesn't ask about what has been sent already", () => {
    expect(asked(["320577", "see you at 4"])).toEqual([true, false]);
  });
});

describe("for any code", () => {
  const code = fc.stringMatching(/^\d{6}$/);
  const UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
  const SWAHILI = ["sifuri", "moja", "mbili", "tatu", "nne", "tano", "sita", "saba", "nane", "tisa"];
  const spellings = [
    (digit: number) => String(digit),
    (digit: number) => UNITS[digit] ?? "",
    (digit: number) => SWAHILI[digit] ?? "",
    (digit: number) => String.fromCodePoint(0x660 + digit),
    (digit: number) => String.fromCodePoint(0xff10 + digit),
    (digit: number) => String.fromCodePoint(0x966 + digit),
    (digit: number) => String.fromCodePoint(0x1d7ce + digit),
  ];
  const spelling = fc.array(fc.constantFrom(...spellings), { minLength: 6, maxLength: 6 });
  const separator = fc.constantFrom(" ", "-", ", ", " . ", "\n", " 😀 ", "  ", "_", "/");

  test("every spelling of every digit is found, in one message and in six", () => {
    fc.assert(
      fc.property(code, spelling, separator, (own, spell, between) => {
        const parts = [...own].map((digit, at) => spell[at]?.(Number(digit)) ?? "");
        expect(revealsCode(`it is ${parts.join(between)} ok`, [own])).toBe(true);
        expect(revealsCode(parts[5] ?? "", [own], parts.slice(0, 5))).toBe(true);
      }),
    );
  });

  test("numbers in words that aren't the code don't ask", () => {
    fc.assert(
      fc.property(code, fc.array(fc.constantFrom(...UNITS), { maxLength: 5 }), (own, words) => {
        expect(revealsCode(words.join(" "), [own])).toBe(false);
      }),
    );
  });

  test("a text without digits never needs the codes", () => {
    fc.assert(
      fc.property(fc.string(), code, (text, own) => {
        if (!hasDigits(text)) expect(revealsCode(text, [own], ["12345"])).toBe(false);
      }),
    );
  });

  test("the seller can type it in any of the spellings with digits", () => {
    const typed = fc.array(fc.constantFrom(0, 3, 4, 5, 6), { minLength: 6, maxLength: 6 });
    const marks = fc.constantFrom("", " ", "-", ".", "​", "⁠", " ", "­");
    fc.assert(
      fc.property(code, typed, marks, (own, spell, between) => {
        const text = [...own].map((digit, at) => spellings[spell[at] ?? 0]?.(Number(digit)) ?? "").join(between);
        expect(readHandoverCode(text, "an-item")).toEqual({ ok: true, code: own });
      }),
    );
  });
});
