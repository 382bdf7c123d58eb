import { plainDigits } from "./digit-rules.ts";

/** Text without the differences that hide a phone number or an email from a pattern, but not from a reader. */
export interface FoldedText {
  /** Lower case, with single spaces, plain hyphens, and digits of ours, and no accents or invisible characters. */
  plain: string;
  /** Where each character of `plain` begins in the text, and one more: the text's length. */
  positions: number[];
}

/** Takes time, and is long, in proportion to the text's length. */
export function foldText(text: string): FoldedText {
  let plain = "";
  const positions: number[] = [];
  let afterSpace = false;
  let position = 0;
  for (const character of text) {
    const folded = foldCharacter(character);
    if (folded !== " " || !afterSpace) {
      plain += folded;
      afterSpace = folded === " " || (afterSpace && folded === "");
      for (let i = 0; i < folded.length; i += 1) positions.push(position);
    }
    position += character.length;
  }
  positions.push(text.length);
  return { plain, positions };
}

/** A character that stands for more letters than this, such as a whole phrase in one, stays as it is. */
const LETTERS_IN_ONE = 4;

/** The text in plain letters and marks: "é" as e and its accent, "㎏" as kg. */
export function plainLetters(text: string): string {
  const letters = text.normalize("NFKD");
  if (letters.length <= LETTERS_IN_ONE * text.length) return letters;
  return [...text].map((one) => (one.normalize("NFKD").length > LETTERS_IN_ONE ? one : one.normalize("NFKD"))).join("");
}

function foldCharacter(character: string): string {
  return plainDigits(plainLetters(character))
    .replaceAll(/[\p{M}\p{Cf}]/gu, "")
    .replaceAll(/[’‘ʼ]/g, "'")
    .replaceAll(/[\p{Pd}−⁃]/gu, "-")
    .replaceAll(/\s+/g, " ")
    .toLowerCase();
}

/** The text with another text in the place of everything that a global pattern finds in it once it is folded. */
export function replaceFolded(text: string, find: (plain: string) => Iterable<RegExpExecArray>, by: string): string {
  const { plain, positions } = foldText(text);
  let kept = "";
  let end = 0;
  for (const { index, 0: found } of find(plain)) {
    kept += text.slice(end, positions[index]) + by;
    end = positions[index + found.length] ?? text.length;
  }
  return kept + text.slice(end);
}
