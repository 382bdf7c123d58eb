import type { FactChoice, FindValues } from "./fact.ts";

const INCH = String.raw`\s*-?\s*(?:inch(?:es|i)?(?!\p{L})|"|''|″|′′)`;
/** What stands between two sizes of several: "26/29", "24 to 26". */
const BETWEEN = String.raw`\s*(?:-|/|,|&|\+|to|hadi|and|or|na)\s*`;
/** What else of a bicycle has a length. */
const PARTS = "frames?|saddles?|seats?|baskets?|handle ?bars?|pumps?|chains?";
/** Behind a number that counts something else: gears, a price. */
const OTHERS = String.raw`\s*-?\s*(?:%|/[-=]|k(?!\p{L})|kes|ksh|bob|speed|gears?|pcs|pieces?|kgs?|km|cm|years?|yrs?|months?)(?!\p{L})`;

/**
 * Finds the size of wheels: a number with "inch", after "wheel" or "size", or of a tire ("26 x 1.95"). A number right
 * behind the bicycle that ends the name, or a part of it, counts alone from 26 on: "mountain bike 26". Smaller ones may
 * be its age.
 */
export const findWheels: FindValues = (plain, choices) =>
  patternsOf(choices).flatMap((pattern) =>
    [...plain.matchAll(pattern)].map(({ index, 0: all, 1: size = "" }) => ({
      value: size.replace(".", ""),
      from: index,
      to: index + all.length,
    })),
  );

/** Built once for each list: a listing's name is read at every pause of typing. */
const known = new WeakMap<readonly FactChoice[], RegExp[]>();

function patternsOf(choices: readonly FactChoice[]): RegExp[] {
  const found = known.get(choices);
  if (found) return found;
  const sizes = choices.map(({ label }) => parseFloat(label));
  const any = alternatives(sizes);
  const start = String.raw`(?<![\p{L}\p{N}.,@$#/]|(?<!\p{N})(?:${any})(?:${INCH})?${BETWEEN}|(?<!\p{L})(?:${PARTS})(?: size)?\s*[:-]?\s*)`;
  const several = String.raw`(?:${INCH})?${BETWEEN}(?:${any})(?!\p{N}|${OTHERS})`;
  const end = String.raw`(?!\p{N}|[.,]\p{N}|\s\d{3}|${OTHERS}|${several}|(?:${INCH})?\s*(?:${PARTS})(?!\p{L}))`;
  const said = String.raw`(?<!\p{L})(?:(?:wheels?|rims?|tyres?|tires?)(?:\s*sizes?)?|(?<!(?:${PARTS})\s)sizes?|saizi(?: ya)?)\s*[:.-]?\s*`;
  const large = alternatives(sizes.filter((size) => size >= 26));
  const made = [
    String.raw`${said}(${any})${end}(?:${INCH})?`,
    String.raw`${start}(${any})${end}(?:${INCH}|\s?er(?!\p{L})|(?=\s?[x×*]\s?[12][.,]\d))`,
    String.raw`(?<=(?<!\p{L})(?:bike|bicycle|baiskeli|mtb)\s)(${large})${end}(?=\s*(?:$|[,;.(]))`,
  ].map((pattern) => new RegExp(pattern, "gu"));
  known.set(choices, made);
  return made;
}

function alternatives(numbers: readonly number[]): string {
  return numbers.map((size) => String(size).replace(".", "[.]")).join("|");
}
