/**
 * Amounts of money as Kenyans say them in a search: "5k", "elfu tano", "mia tano", "2 thousand", "500/-". Digits alone
 * are read as in every form of ours.
 */
import { readAmount } from "#app/platform/number-rules.ts";

const ONES = "moja mbili tatu nne tano sita saba nane tisa".split(" ");
const TENS = "kumi ishirini thelathini arobaini hamsini sitini sabini themanini tisini".split(" ");
const ENGLISH_ONES =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const ENGLISH_TENS = "ten twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** A number word, "kumi na tano" and "twenty five" among them. */
const SWAHILI = `(?:(?:${TENS.join("|")})(?: na (?:${ONES.join("|")}))?|${ONES.join("|")})`;
const ENGLISH = `(?:(?:${ENGLISH_TENS.join("|")})(?:[ -](?:${ENGLISH_ONES.slice(0, 9).join("|")}))?|${ENGLISH_ONES.join("|")})`;
const FIGURES = String.raw`\d{1,3}(?:\.\d{1,2})?`;

/** In Swahili and Sheng the unit stands first: "elfu tano", "ngiri 5", "soo mbili". */
const UNITS: Readonly<Record<string, number>> = {
  laki: 100_000,
  elfu: 1_000,
  alfu: 1_000,
  ngiri: 1_000,
  ngwiri: 1_000,
  thao: 1_000,
  mia: 100,
  soo: 100,
};
const UNIT = `(?:${Object.keys(UNITS).join("|")})`;
const UNIT_FIRST = String.raw`${UNIT} (?:${SWAHILI}|${FIGURES})(?![\p{L}\d])(?: na (?:mia|soo) (?:${SWAHILI}|\d))?`;
/** "2 thousand", "two thousand five hundred", "five hundred". */
const UNIT_LAST = `(?:${FIGURES}|${ENGLISH}|a) ?thousand(?:,? (?:and )?(?:\\d|${ENGLISH}) hundred)?|(?:\\d|${ENGLISH}|a) ?hundred|${FIGURES} ?(?:elfu|ngiri|thao)`;

/** A pattern of amounts with a unit that says that they are money. */
export const SWAHILI_AMOUNT = UNIT_FIRST;
/** Amounts in words that may also be something else: a book is called "Two Thousand Seasons". */
export const WORDED_AMOUNT = `(?:${UNIT_FIRST}|${UNIT_LAST})`;
/** The end of a range that began with its unit: "elfu tatu hadi tano". */
export const NUMBER_WORD = SWAHILI;

/** Sizes and the like are no prices: "under 500 gb", "220-240 volts", "over 18 years". */
export const NO_UNIT = String.raw`(?!\s?(?:[gmt]b|mah|ma|v|volts?|k?w|watts?|[mg]?hz|[mck]?m|inch(?:es)?|in|ft|feet|m?l|lit(?:re|er)s?|k?gs?|grams?|mp|px|pages?|leaves|sheets|pcs|pieces?|ohms?|years?|months?|days?|hours?|people|seaters?|level|%)(?![\p{L}\p{N}]))`;

/** An amount in KES; null for any other text. */
export function readSaidAmount(text: string): number | null {
  const said = text
    .trim()
    .toLowerCase()
    .replace(/^(?:kes|kshs?|k\.sh|shs?|shilingi)[.:]?\s?/, "")
    .replace(/\s?(?:kes|kshs?|shs?|shillings?|bob)$/, "");
  const first = new RegExp(`^(?<unit>${UNIT}) (?<number>.+?)(?: na (?:mia|soo) (?<hundreds>.+))?$`).exec(said);
  if (first) {
    const { unit = "", number = "", hundreds } = first.groups ?? {};
    const [value, rest] = [readNumber(number), hundreds === undefined ? 0 : readNumber(hundreds)];
    return value === null || rest === null ? null : Math.round(value * (UNITS[unit] ?? 1) + rest * 100);
  }
  const last =
    /^(?<number>.+?) ?(?<unit>thousand|hundred|elfu|ngiri|thao)(?:,? (?:and )?(?<hundreds>.+) hundred)?$/.exec(said);
  if (last) {
    const { number = "", unit, hundreds } = last.groups ?? {};
    const [value, rest] = [readNumber(number), hundreds === undefined ? 0 : readNumber(hundreds)];
    return value === null || rest === null ? null : Math.round(value * (unit === "hundred" ? 100 : 1_000) + rest * 100);
  }
  const reading = readAmount(said);
  return reading.ok ? reading.value : null;
}

/** "5", "1.5", "tano", "kumi na tano", "twenty five". */
function readNumber(text: string): number | null {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (text === "a") return 1;
  const words = text.split(/ na |[ -]/);
  const values = words.map((word) => valueOf(word));
  return values.some((value) => value === null) ? null : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

function valueOf(word: string): number | null {
  for (const [list, times] of [
    [ONES, 1],
    [TENS, 10],
    [ENGLISH_ONES, 1],
    [ENGLISH_TENS, 10],
  ] as const) {
    const at = list.indexOf(word);
    if (at >= 0) return (at + 1) * times;
  }
  return null;
}

/**
 * The ends of a range in KES, null for no amount: in "20-30k", "10 to 15 thousand" and "elfu tatu hadi tano" one unit
 * counts for both.
 */
export function readRange(low: string, high: string): readonly [number | null, number | null] {
  const [from, to] = readEnds(low, high);
  // A price is in whole shillings: "2.500 - 2000" may mean anything.
  return Number.isInteger(from ?? 0) && Number.isInteger(to ?? 0) ? [from, to] : [null, null];
}

function readEnds(low: string, high: string): readonly [number | null, number | null] {
  const [from, to] = [readEnd(low), readEnd(high)];
  if (from.value === null || to.value === null) return [from.value, to.value];
  // "500-1k" and "5k-8000" have a unit at one end alone.
  if (from.unit === 1 && from.value * to.unit <= to.value) return [from.value * to.unit, to.value];
  if (to.unit === 1 && to.value < from.value) return [from.value, to.value * from.unit];
  return [from.value, to.value];
}

function readEnd(text: string): { value: number | null; unit: number } {
  const said = text.trim().toLowerCase();
  const [word = ""] = /^[a-z]+(?= )|(?:k|thousand|hundred|elfu|ngiri|thao)$/.exec(said) ?? [];
  return { value: readSaidAmount(said) ?? readNumber(said), unit: UNITS[word] ?? LAST_UNITS[word] ?? 1 };
}

const LAST_UNITS: Readonly<Record<string, number>> = { k: 1_000, thousand: 1_000, hundred: 100 };
