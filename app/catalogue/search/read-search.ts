/** Reads what a search says about price, condition, campus and delivery: "used calculator under 2000 main campus". */
import { shortCampusName } from "#app/accounts/profile/campus-rules.ts";
import { type ListFilters, USED } from "#app/catalogue/browse/list-filters.ts";
import { orderedPrices } from "#app/catalogue/browse/read-list-filters.ts";
import { NO_UNIT, NUMBER_WORD, readRange, readSaidAmount, SWAHILI_AMOUNT, WORDED_AMOUNT } from "./said-amount-rules.ts";

export interface ReadSearch {
  /** What is left to look up. Reading it again finds nothing more. */
  words: string;
  /** What the text asks for besides. */
  filters: Partial<ListFilters>;
}

/** Phrases that mean a filter. Named groups are amounts. */
interface Phrase {
  pattern: RegExp;
  /** Null where it is no filter after all. */
  read(found: Readonly<Record<string, string | undefined>>): Partial<ListFilters> | null;
}

const DIGITS = String.raw`\d(?:[\d.,]*\d)?(?: 000)*(?:\s?k)?(?:\s?\/[-=]|=)?`;
const BEFORE = String.raw`(?:kes|kshs?|k\.sh|shs?|shilingi)[.:]?\s?`;
// In "air max 90 kes 3000" the currency belongs to the price after it.
const AFTER = String.raw`\s?(?:(?:kes|kshs?|shs?)(?![.:]?\s?(?!20[0-4]\d(?!\d))\d{3})|shillings?|bob)`;

const AMOUNT = `(?:(?:${BEFORE})?(?:${WORDED_AMOUNT}|${DIGITS})(?:${AFTER})?)`;
const amount = (name: string) => `(?<${name}>${AMOUNT})`;

function phrase(pattern: string, read: Phrase["read"]): Phrase {
  return { pattern: new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}.,])(?:${pattern})(?![\p{L}\p{M}\p{N}])`, "giu"), read };
}

const price = (min: number | null, max: number | null) => ({
  ...(min !== null && { min }),
  ...(max !== null && { max }),
});

/** In this order: a longer phrase comes before a shorter one that is a part of it. */
const PHRASES: readonly Phrase[] = [
  phrase(
    String.raw`(?:(?:between|kati ya) ${amount("from")} (?:and|na) (?<to>${AMOUNT}|${NUMBER_WORD})|(?:from )?${amount("low")}\s?(?:-|–|to|hadi|mpaka)\s?(?<high>${AMOUNT}|${NUMBER_WORD}))${NO_UNIT}`,
    (found) => {
      const [low, high] = readPrices(found.from ?? found.low, found.to ?? found.high);
      // Grades, sizes and editions are ranges, too.
      return low === null || high === null || Math.max(low, high) < 100 ? null : orderedPrices(low, high);
    },
  ),
  phrase(
    String.raw`(?:(?:under|below|less than|cheaper than|at most|not more than|up ?to|maximum(?: of)?|max of|max(?:imum)? price(?: of| is)?|within|budget(?: of| is)?|chini ya|hadi)\s?${amount("max")}|${amount("least")} (?:or less|or below|and below|na chini))${NO_UNIT}`,
    (found) => {
      const max = readPrice(found.max ?? found.least);
      return max === null ? null : price(null, max);
    },
  ),
  // An iPhone 13 Pro Max 256 and an Air Max 270 have numbers that are no prices. From 1,000 on, most are: "shoes max
  // 1500".
  phrase(String.raw`max\.?\s?${amount("max")}${NO_UNIT}`, ({ max = "" }) => {
    const value = readPrice(max);
    return value === null || (value < 1_000 && /^\d+$/.test(max)) ? null : price(null, value);
  }),
  phrase(
    String.raw`(?:(?:over|above|more than|at least|starting (?:at|from)|from|min(?:imum)?(?: of)?|zaidi ya|kuanzia)\s?${amount("min")}|${amount("most")} (?:or more|and above|na zaidi))${NO_UNIT}`,
    (found) => {
      const min = readPrice(found.min ?? found.most);
      return min === null ? null : price(min, null);
    },
  ),
  // "Earphones 500 bob", "500/-", "elfu tano": what they have to spend.
  phrase(
    String.raw`(?:for |at )?(?<max>${BEFORE}${DIGITS}|(?:${WORDED_AMOUNT}|${DIGITS})${AFTER}|${SWAHILI_AMOUNT}|\d[\d,]*\s?(?:\/[-=]|=))`,
    (found) => {
      const max = readPrice(found.max);
      return max === null ? null : price(null, max);
    },
  ),
  // "Laptop 20k", but not a screen of 4k, a resistor of 10k, or an account with followers.
  phrase(
    String.raw`(?<!(?:resistor|potentiometer|ohm|tv|screen|monitor|camera|video)s?\b.*)(?:for |at )?(?<max>(?![248]k|16k)\d{1,3}(?:\.\d{1,2})?\s?k)(?!.*\b(?:resistor|pot|potentiometer|ohm|followers?|subscribers?|views|likes|run|race)s?\b)${NO_UNIT}`,
    (found) => {
      const max = readPrice(found.max);
      return max === null ? null : price(null, max);
    },
  ),
  phrase("(?:with|(?:with )?free|and) delivery|delivered|(?:can|that|who) delivers?", () => ({ delivery: true })),
  phrase("(?:used )?(?:like|almost|nearly|as) new", () => ({ conditions: ["like_new"] })),
  // "Brave New World" is a book. Names of other books, of brands and editions begin so.
  phrase(
    "brand[ -]?new|mpya|new$|^new(?! (?:balance|era|look|testament|edition|version|year|life|york|general|oxford|progressive|headway|moon))",
    () => ({ conditions: ["new"] }),
  ),
  phrase("used|second[ -]?hand|pre[ -]?owned", () => ({ conditions: USED })),
  phrase(
    // "Free size", "Free Fire", "BPA free".
    "for free|^free(?!-| (?:size|fire|style|range|weights?|delivery|wi-?fi))|(?:(?:v?y|z|l|w|ch|kw)a )?bure",
    () => ({ max: 0 }),
  ),
];

/** Fewer shillings are said with their currency. A bare number so small counts something else. */
const BARE_MIN = 20;

/** An amount in KES; null for what is no price, such as a year or a phone number. */
function readPrice(text = ""): number | null {
  const value = readSaidAmount(text);
  if (value === null || /^0\d/.test(text)) return null;
  if (!/^\d+$/.test(text)) return value;
  const isYear = value > 1950 && value < 2050 && value % 50 !== 0;
  return isYear || value < BARE_MIN ? null : value;
}

/** Both ends of a range in KES; null for what is no price. A unit at one end counts for both: "20-30k". */
function readPrices(low = "", high = ""): readonly [number | null, number | null] {
  if (/^\d+$/.test(low) && /^\d+$/.test(high)) return [readPrice(low), readPrice(high)];
  return readRange(low, high);
}

/**
 * A tidied search as words and filters, so that a price isn't looked up among the words. What the text says later
 * counts.
 *
 * @param campuses the names of all campuses
 * @param own the viewer's
 */
export function readSearch(text: string, campuses: readonly string[], own: string | null = null): ReadSearch {
  // What is left is first or last only once the campus is gone.
  const phrases = [...campusPhrases(campuses, own), ...PHRASES];
  let words = text;
  let filters: Partial<ListFilters> = {};
  for (;;) {
    const found = firstFilter(words, phrases);
    if (!found) break;
    words = found.rest;
    filters = { ...filters, ...found.filter };
  }
  if (filters.min !== undefined && filters.max !== undefined)
    filters = { ...filters, ...orderedPrices(filters.min, filters.max) };
  return { words, filters };
}

function firstFilter(words: string, phrases: readonly Phrase[]) {
  for (const { pattern, read } of phrases) {
    for (const match of words.matchAll(pattern)) {
      const filter = read(match.groups ?? {});
      if (filter) return { filter, rest: without(words, match) };
    }
  }
  return null;
}

/** The words before and after a phrase. */
function without(words: string, { index, 0: found }: RegExpExecArray): string {
  return `${words.slice(0, index)} ${words.slice(index + found.length)}`
    .replaceAll(/\s+/g, " ")
    .replaceAll(/^[ ,;&]+|[ ,;&]+$/g, "");
}

const AT = "(?:(?:on|at|in|from|near|around|within) )?(?:the )?";

/**
 * "my campus" and "main campus". A bare "main" or "city" is a word like any other. A short name has letters, digits and
 * spaces alone, so it is a pattern as it is.
 */
function campusPhrases(names: readonly string[], own: string | null): Phrase[] {
  const mine =
    own !== null && names.includes(own) ? [phrase(`${AT}(?:my campus|campus yangu)`, () => ({ campuses: [own] }))] : [];
  return [
    ...mine,
    ...names
      .map((name) => ({ name, short: shortCampusName(name) }))
      .filter(({ short }) => short !== "")
      .map(({ name, short }) => phrase(`${AT}${short} campus`, () => ({ campuses: [name] }))),
  ];
}
