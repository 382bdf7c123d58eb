import type { FactChoice, FindValues, SaidValue } from "./fact.ts";

const SIZE = String.raw`(?:sizes?|sz|saizi(?: ya)?)(?!\p{L})\s*[:.#-]?\s*`;
/** What stands between two sizes of several: "37-42", "S to XL", "M, L". */
const BETWEEN = String.raw`\s*(?:-|/|,|&|\+|to|hadi|and|or|na)\s*`;
/** Behind a number that counts something else: a price, pieces, a length. */
const OTHER_UNITS = String.raw`\s*(?:%|/[-=]|k\b|kes\b|ksh\b|bob\b|pairs?\b|pcs\b|pieces?\b|inch|cm\b|mm\b|ml\b|years?\b|yrs\b|days?\b|"|'')`;

/** Shoes whose models have the numbers of sizes: Air Jordan 36, Vans Style 36. */
const MODEL = String.raw`\bstyle\s?|\bjordan\s?(?=(?:3[5-9]|40)(?!\d))`;
/** "Small" and "large" say how these are. */
const PARTS =
  "print|logo|pocket|pattern|stock|quantit|wash|rinse|length|weight|stain|hole|tear|defect|scratch|mark|collar|hood(?!ie)|hoop|check|stripe|dot|flower|floral|button|zip|heel|order|blue|gray|grey";

/** Sizes that are numbers. `before`: words of which one must stand before it; null where the number alone says it. */
export function findNumbers(before: string | null): FindValues {
  return (plain, choices) => {
    const number = `(?:${valuesOf(choices)})`;
    const alone = `(?<![\\p{L}\\p{N}.,@#$/:-]|\\b(?:kes|ksh|kshs|sh)\\.?\\s?|${MODEL})`;
    const said = `(?:${SIZE}|(?<![\\p{L}])(?:${before ?? "eu|eur|no\\.?|number"})\\s*[:.#-]?\\s*)`;
    const pattern = new RegExp(
      `(?<!\\p{L})${before === null ? `(?:${said}|${alone})` : said}(?<!${number}${BETWEEN}(?:${SIZE})?)` +
        `(${number})(?!\\p{N}|[.,]\\p{N}|${OTHER_UNITS}|${BETWEEN}(?:${SIZE})?\\d{1,2}(?!\\p{N}))(?=\\s*(?:eu|eur)?(?!\\p{L}))`,
      "gu",
    );
    return placesOf(plain, pattern);
  };
}

/** What people call the sizes XS to XXXL. A letter alone counts only with "size": "H&M", "men's". */
const LETTERS: Readonly<Record<string, string>> = {
  small: "s",
  medium: "m",
  large: "l",
  "extra small": "xs",
  "extra large": "xl",
  "xtra large": "xl",
  "double xl": "xxl",
  "triple xl": "xxxl",
  "2xl": "xxl",
  "3xl": "xxxl",
};

/** Sizes in letters, and in numbers after these words. */
export function findLetters(before: string | null = null): FindValues {
  const numbers = before === null ? null : findNumbers(before);
  const letters = String.raw`(?:[xX]{0,3}[sl]|m|[23]xl|${Object.keys(LETTERS).toReversed().join("|")})`;
  const range = `(?!${BETWEEN}(?:${SIZE})?${letters}(?![\\p{L}\\p{N}]))`;
  const notAfter = `(?<!(?<![\\p{L}\\p{N}])${letters}${BETWEEN}(?:${SIZE})?)`;
  const patterns = [
    `(?<!\\p{L})${SIZE}${notAfter}(${letters})(?![\\p{L}\\p{N}'])${range}`,
    `(?<![\\p{L}\\p{N}&'])${notAfter}(${letters})\\s*sizes?(?![\\p{L}\\p{N}])`,
    `(?<![\\p{L}\\p{N}&'-])${notAfter}(xs|x{1,3}l|[23]xl|small|medium|large|(?:extra|xtra) (?:small|large)|double xl|triple xl)` +
      `(?![\\p{L}\\p{N}'-]|\\s*(?:${PARTS}))${range}`,
  ].map((pattern) => new RegExp(pattern, "gu"));
  return (plain, choices, text) => {
    const said = patterns
      .flatMap((pattern) => placesOf(plain, pattern))
      .map((one) => ({ ...one, value: LETTERS[one.value] ?? one.value }));
    const isChoice = ({ value }: SaidValue) => choices.some((choice) => choice.value === value);
    const counted = choices.filter(({ value }) => /^\d/.test(value));
    return [...said.filter(isChoice), ...(numbers && counted.length > 0 ? numbers(plain, counted, text) : [])];
  };
}

function placesOf(plain: string, pattern: RegExp): SaidValue[] {
  return [...plain.matchAll(pattern)].map(({ index, 0: all, 1: value = "" }) => ({
    value,
    from: index,
    to: index + all.length,
  }));
}

function valuesOf(choices: readonly FactChoice[]): string {
  return choices.map(({ value }) => value).join("|");
}
