import { FACT_MAX } from "./fact-field-rules.ts";
import type { FindValues } from "./fact.ts";

/** Words that end an author's name, those with which none begins, and those before "by" that name a seller. */
const AFTER = String.raw`original|copy|copies|edition|edn|ed|used|new|clean|available|for|in|at|with|volume|vol|and|na|the|kes|ksh|only|hard|soft|paperback|pdf|price|good|neat|book|second|third|first|international|revised`;
const NO_AUTHOR = String.raw`by|the|a|an|post|hand|dozen|kilo|owner|me|us|my|our|courier|delivery|email|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow|page|chapter|step|topic|request|order|various|different|end|next|this|noon|night|tonight|evening|morning|cash|m-?pesa|boda|rider|bus|matatu|mail|appointment|negotiation|january|february|march|april|may|june|july|august|september|october|november|december|klb|longhorn|oxford|moran|eaep|jkf`;
const NOT_WRITTEN = String.raw`sold|delivered|delivery|pay|payable|paid|payment|used|owned|available|needed|posted|sent|ready|collect|collected|published|printed`;
const NAME = String.raw`\p{L}[\p{L}'.-]*`;
const AUTHOR = new RegExp(
  String.raw`(?<!\p{L})(?<!(?<!\p{L})(?:${NOT_WRITTEN})\s+)by:?\s+((?!(?:${NO_AUTHOR})(?!\p{L}))${NAME}(?:\s*(?:&|,)?\s+(?!(?:${AFTER})(?!\p{L}))(?!by\s)${NAME}){0,4})`,
  "gu",
);

/** "Calculus by James Stewart". A name in small letters gets its capitals. */
export const findAuthor: FindValues = (plain, _choices, text) =>
  [...plain.matchAll(AUTHOR)].flatMap(({ index, 0: all, 1: name = "" }) => {
    const place = { from: index, to: index + all.length };
    const written = text({ from: place.to - name.length, to: place.to })
      .trim()
      .replace(/[.,-]+$/u, "");
    const value =
      written === written.toLowerCase()
        ? written.replaceAll(/(?<![\p{L}'])\p{L}/gu, (letter) => letter.toUpperCase())
        : written;
    return value.length > FACT_MAX ? [] : [{ value, ...place }];
  });

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
/** "Form 2 ed", "2nd and 3rd edition". */
const NO_EDITION = String.raw`(?<!(?:(?<!\p{L})(?:form|class|grade|year|level|std|standard)|\d(?:st|nd|rd|th)?\s*(?:and|&|,|/|-|or|to|na))\s*)`;
const EDITION = new RegExp(
  String.raw`(?<![\p{L}\p{N}])${NO_EDITION}(?:(?:([1-9]\d?)(?:st|nd|rd|th)?|(${ORDINALS.join("|")}))\s*(?:ed|edn|edition)(?!\p{L})|edition\s*:?\s*([1-9]\d?)(?!\p{N}))`,
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
