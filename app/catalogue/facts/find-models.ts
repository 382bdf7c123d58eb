import type { FactChoice, FindValues } from "./fact.ts";

/** Letters that say an edition of a model: "fx-991ES", "fx-82 MS". */
const EDITION = String.raw`(?:\s?(?:ar|de|dex|es|ex|cw|la|ms|sp|tl|vn|w|x)(?!\p{L}))?`;
/** What a thing is only compared with: "better than fx-82". */
const COMPARED = String.raw`(?<!(?<!\p{L})(?:like|as|than|similar to|instead of)\s(?:an?\s|the\s|casio\s)*)`;
/** Behind a number that counts something else: "casio 570 bob". */
const OTHER_UNITS = String.raw`\s*(?:%|/[-=]|k(?!\p{L})|kes|ksh|bob|pairs?|pcs|pieces?|functions?|digits?|steps?)(?!\p{L})`;

/**
 * Finds models by a word and a number ("fx-991", "fx991es"). Letters behind the number may say an edition, which is no
 * part of the place: who searches for "fx-991EX" wants no other fx-991.
 */
export const findModels: FindValues = (plain, choices) =>
  patternsOf(choices).flatMap(({ value, pattern }) =>
    [...plain.matchAll(pattern)].map(({ index, 0: all }) => ({ value, from: index, to: index + all.length })),
  );

/** Built once for each list: a listing's name is read at every pause of typing. */
const known = new WeakMap<readonly FactChoice[], { value: string; pattern: RegExp }[]>();

function patternsOf(choices: readonly FactChoice[]) {
  const found = known.get(choices);
  if (found) return found;
  const numbers = choices.flatMap(({ label }) => /\d+/.exec(label) ?? []).join("|");
  // Of several models, "fx-82/991", nobody knows which it is.
  const several = String.raw`${EDITION}\s*(?:[-/,&+]|and|or|na)\s*(?:${numbers})(?!\p{N})`;
  const made = choices.flatMap(({ value, label, names }) =>
    [label.toLowerCase(), ...names].map((name) => {
      const parts = (name.match(/\p{L}+|\p{N}+/gu) ?? []).join(String.raw`[^\p{L}\p{N}]{0,3}`);
      const end = /\d$/.test(name) ? String.raw`(?!\p{N}|[.,]\p{N}|${OTHER_UNITS}|${several})` : String.raw`(?!\p{L})`;
      return { value, pattern: new RegExp(String.raw`${COMPARED}(?<![\p{L}\p{N}])${parts}${end}`, "gu") };
    }),
  );
  known.set(choices, made);
  return made;
}
