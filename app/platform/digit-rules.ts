/** Digits and codes as people type them, in any script and with any marks between them. */
import { letterLike } from "./look-alike-rules.ts";

/** The text with every digit of Unicode as one of 0 to 9: "３", "٣", "3️⃣" and "❸" are 3. */
export function asciiDigits(text: string): string {
  return plainDigits(text.normalize("NFKC"));
}

/** Digits in circles that Unicode doesn't take apart, each row from 0 to 9. */
const CIRCLED = ["⓿❶❷❸❹❺❻❼❽❾", "🄋➀➁➂➃➄➅➆➇➈", "🄌➊➋➌➍➎➏➐➑➒", "⓪⓵⓶⓷⓸⓹⓺⓻⓼⓽"].map((row) => [...row]);
const OTHER_DIGIT = new RegExp(`(?![0-9])\\p{Nd}|[${CIRCLED.flat().join("")}]`, "gu");

/** The same for a text in Unicode's plain characters. */
export function plainDigits(text: string): string {
  return text.replaceAll(OTHER_DIGIT, (digit) => {
    const circled = CIRCLED.find((row) => row.includes(digit));
    return String(circled ? circled.indexOf(digit) : valueOf(digit.codePointAt(0) ?? 0));
  });
}

/** Unicode keeps the digits of a script together, from 0 to 9. */
function valueOf(codePoint: number): number {
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(codePoint - before - 1))) before += 1;
  return before % 10;
}

/** Letters that pass for digits where a code has digits only. */
const DIGIT_TWINS: Readonly<Record<string, string>> = { O: "0", I: "1", L: "1" };

/**
 * A code as people type or paste it, in the characters of `alphabet` (capitals and digits): in any case, with the
 * letters and digits of other scripts read as ours, and without spaces, dashes (a minus, too), dots and invisible
 * marks. What else isn't in the alphabet stays, so the code is wrong.
 */
export function readCode(typed: string, alphabet: string): string {
  const plain = asciiDigits(typed).replaceAll(/[\s\p{Z}\p{P}\p{Sm}\p{C}\p{M}]/gu, "");
  return plain.replaceAll(/\p{L}/gu, (letter) => {
    const capital = letterLike(letter).toUpperCase();
    return alphabet.includes(capital) ? capital : (DIGIT_TWINS[capital] ?? capital);
  });
}

export const DIGITS = "0123456789";
export const LETTERS_AND_DIGITS = `ABCDEFGHIJKLMNOPQRSTUVWXYZ${DIGITS}`;
