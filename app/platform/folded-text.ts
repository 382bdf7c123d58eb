/** Text without the differences that hide a phone number or an email from a pattern, but not from a reader. */
export interface FoldedText {
  /** Lower case, with single spaces, plain hyphens, and no accents or invisible characters. */
  plain: string;
  /** Where each character of `plain` begins in the text, and one more: the text's length. */
  positions: number[];
}

/** Takes time in proportion to the text's length. */
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

function foldCharacter(character: string): string {
  return character
    .normalize("NFKD")
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
