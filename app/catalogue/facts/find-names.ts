import type { FactChoice, FindValues, SaidValue } from "./fact.ts";

/**
 * Finds choices by what people call them: whole words, however they are joined ("New-Balance"), also before a number
 * ("iphone11").
 */
export const findNames: FindValues = (plain, choices) => {
  const { pattern, values } = namesOf(choices);
  return [...plain.matchAll(pattern)].map(({ index, 1: name = "" }): SaidValue => {
    return { value: values.get(lettersOf(name)) ?? "", from: index, to: index + name.length };
  });
};

/**
 * What follows a color that isn't the thing's own: a fault of its screen, what is on it or comes along, and names that
 * begin with a color.
 */
const NO_COLOR =
  /^[^\p{L}\p{N}]{0,3}(?:lines?|spots?|dots?|screen|shades?|tint|light|prints?|printed|logos?|stripes?|letters?|writings?|soles?|laces?|straps?|collar|covers?|cases?|casing|pouch|chargers?|stickers?|friday|bull|floyd|panther|devils|state|warriors|sox|sabbath|widow|cross|label|day)(?!\p{L})/u;

/** As `findNames`, for colors. */
export const findColors: FindValues = (plain, choices, text) =>
  findNames(plain, choices, text).filter(({ to }) => !NO_COLOR.test(plain.slice(to)));

/** Built once for each list: a listing's name is read at every pause of typing. */
const known = new WeakMap<readonly FactChoice[], { pattern: RegExp; values: ReadonlyMap<string, string> }>();

function namesOf(choices: readonly FactChoice[]) {
  const found = known.get(choices);
  if (found) return found;
  const named = choices.flatMap(({ value, label, names }) =>
    [label.toLowerCase(), ...names].map((name) => ({ name, value })),
  );
  // The longest first: "rose gold" isn't "gold".
  const longest = named.toSorted((one, other) => other.name.length - one.name.length);
  const words = longest.map(({ name }) => (name.match(/[\p{L}\p{N}]+/gu) ?? []).join("[^\\p{L}\\p{N}]{0,3}"));
  const made = {
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])(${words.join("|")})(?:'?s)?(?!\\p{L})`, "gu"),
    values: new Map(named.map(({ name, value }) => [lettersOf(name), value])),
  };
  known.set(choices, made);
  return made;
}

function lettersOf(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, "");
}
