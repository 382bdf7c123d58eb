import type { FindValues } from "./fact.ts";

/** Words that end an author's name, and those with which none begins: "sold by dozen". */
const AFTER = String.raw`original|copy|copies|edition|edn|ed|used|new|clean|available|for|in|at|with|volume|vol|and|na|the|kes|ksh|only|hard|soft|paperback|pdf|price|good|neat|book|second|third|first|international|revised`;
const NO_AUTHOR = String.raw`the|a|an|post|hand|dozen|kilo|owner|me|us|my|our|courier|delivery|email|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow|page|chapter|step|topic|request|order|various|different`;
const NAME = String.raw`\p{L}[\p{L}'.-]*`;
const AUTHOR = new RegExp(
  String.raw`(?<!\p{L})by:?\s+((?!(?:${NO_AUTHOR})(?!\p{L}))${NAME}(?:\s*(?:&|,)?\s+(?!(?:${AFTER})(?!\p{L}))(?!by\s)${NAME}){0,4})`,
  "gu",
);

/** "Calculus by James Stewart". A name in small letters gets its capitals. */
export const findAuthor: FindValues = (plain, _choices, text) =>
  [...plain.matchAll(AUTHOR)].map(({ index, 0: all, 1: name = "" }) => {
    const place = { from: index, to: index + all.length };
    const written = text({ from: place.to - name.length, to: place.to })
      .trim()
      .replace(/[.,-]+$/u, "");
    const value =
      written === written.toLowerCase()
        ? written.replaceAll(/(?<![\p{L}'])\p{L}/gu, (letter) => letter.toUpperCase())
        : written;
    return { value, ...place };
  });

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
const EDITION = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:(\d{1,2})(?:st|nd|rd|th)?|(${ORDINALS.join("|")}))\s*(?:ed|edn|edition)(?!\p{L})|edition\s*:?\s*(\d{1,2})(?!\p{N}))`,
  "gu",
);

/** "9th edition", "2nd ed", "third edition": "9th". */
export const findEdition: FindValues = (plain) =>
  [...plain.matchAll(EDITION)].map(({ index, 0: all, 1: digits, 2: word, 3: behind }) => ({
    value: ordinalOf(word === undefined ? Number(digits ?? behind) : ORDINALS.indexOf(word) + 1),
    from: index,
    to: index + all.length,
  }));

function ordinalOf(number: number): string {
  const isTeen = number % 100 > 10 && number % 100 < 14;
  return `${number}${isTeen ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th")}`;
}
