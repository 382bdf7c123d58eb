/** Every field that takes a code takes it in any digits, with any spaces and dashes, and in any case. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ACCESS_CODE_ALPHABET } from "#app/accounts/login/access-code-rules.ts";
import { RECOVERY_ALPHABET, RECOVERY_LENGTH, readStepCode } from "#app/accounts/two-step/two-step-rules.ts";
import { readReceipt } from "#app/admin/money/money-rules.ts";
import { readHandoverCode } from "#app/deals/code/handover-code-rules.ts";
import { DIGITS, LETTERS_AND_DIGITS, readCode } from "#app/platform/digit-rules.ts";

interface CodeField {
  alphabet: string;
  length: number;
  read(typed: string): unknown;
  /** What `read` returns for a code in the alphabet. */
  means?(code: string): unknown;
}

const FIELDS: Record<string, CodeField> = {
  "handover code": {
    alphabet: DIGITS,
    length: 6,
    read: (typed) => readHandoverCode(typed, "i1"),
    means: (code) => ({ ok: true, code }),
  },
  "code of an app": { alphabet: DIGITS, length: 6, read: readStepCode, means: (code) => ({ kind: "app", code }) },
  "recovery code": {
    alphabet: RECOVERY_ALPHABET,
    length: RECOVERY_LENGTH,
    read: readStepCode,
    means: (code) => ({ kind: "recovery", code }),
  },
  "access code of a wholesaler": {
    alphabet: ACCESS_CODE_ALPHABET,
    length: 8,
    read: (typed) => readCode(typed, ACCESS_CODE_ALPHABET),
  },
  "receipt of M-Pesa": { alphabet: LETTERS_AND_DIGITS, length: 10, read: readReceipt },
};

/**
 * Zeros of scripts in which keyboards write digits: ours, Arabic, Persian, Devanagari, Bengali, full width,
 * mathematical.
 */
const ZEROS = ["0", "٠", "۰", "०", "০", "０", "𝟎"];
/** What people and programs put between: nothing, spaces, dashes, dots, marks that nobody sees. */
const BETWEEN = [
  "",
  "",
  " ",
  "-",
  "\u2013",
  "\u2014",
  "\u2212",
  "\u2011",
  "\u00a0",
  "\u202f",
  "\t",
  "\n",
  ".",
  "\u200b",
  "\u200e",
  "\ufeff",
];

function inScript(zero: string, character: string): string {
  return /[0-9]/.test(character) ? String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(character)) : character;
}

describe.each(Object.entries(FIELDS))("%s", (_name, { alphabet, length, read, means = (code) => code }) => {
  const character = fc.constantFrom(...alphabet);
  const typed = fc.record({
    character,
    between: fc.constantFrom(...BETWEEN),
    isCapital: fc.boolean(),
    isWide: fc.boolean(),
  });

  test("is read in any form", () => {
    const property = fc.property(
      fc.array(typed, { minLength: length, maxLength: length }),
      fc.constantFrom(...ZEROS),
      (parts, zero) => {
        const text = parts.map(({ character: letter, between, isCapital, isWide }) => {
          const cased = isCapital ? letter.toUpperCase() : letter.toLowerCase();
          const isLatin = /[A-Za-z]/.test(cased);
          const wide = isWide && isLatin ? String.fromCodePoint((cased.codePointAt(0) ?? 0) + 0xfee0) : cased;
          return between + inScript(zero, wide);
        });
        const code = parts.map(({ character: letter }) => letter).join("");
        expect(read(` ${text.join("")} `)).toEqual(means(code));
      },
    );
    fc.assert(property, { numRuns: 300 });
  });
});
