import { findPhrases } from "./find-phrases.ts";
import type { ItemType } from "./item-type.ts";
import type { Phrase, TypeTable } from "./type-table.ts";
import { type Token, tokensOf } from "./words.ts";

export interface Recognized {
  /** The type's id. */
  type: string;
  /** The words of the listing that say so, as they were written. */
  because: string;
}

/**
 * What a listing is, by its name; null if the rules aren't sure. Descriptions aren't read, because what they name is
 * more often something else. A textbook says what it is about, so in its category only books and papers count.
 *
 * Of a name, the first part that means something counts: what follows a comma, "with" or "for" comes along with the
 * thing, or says what it is for. In that part, what a thing is called counts more than a brand's model, an accessory or
 * a service more than the thing that it is for, longer phrases more than shorter ones, and later ones more than earlier
 * ones: a "laptop table" is a table.
 */
export function recognizeType(listing: { name: string; category: string }, table: TypeTable): Recognized | null {
  const { name, category } = listing;
  const isBook = category === "textbooks";
  const found = meaningsIn(name, category, table).filter(({ phrase }) => !isBook || PRINTED.has(phrase.type.category));
  const [first] = found;
  if (!first) return isBook ? { type: "textbook", because: "Textbooks" } : null;
  const [best = first] = found
    .filter(({ part }) => part === first.part)
    .toSorted(
      (one, other) =>
        strengthOf(other.phrase) - strengthOf(one.phrase) || other.length - one.length || other.from - one.from,
    );
  const others = new Set(found.map(({ phrase }) => phrase.type.id));
  return { type: narrowerOf(best.phrase.type, others, table).id, because: name.slice(best.from, best.to) };
}

const PRINTED = new Set(["textbooks", "study-materials"]);

interface Meaning {
  phrase: Phrase;
  part: number;
  /** How many tokens its words have. */
  length: number;
  /** Where its words begin and end in the text. */
  from: number;
  to: number;
}

function meaningsIn(text: string, category: string, table: TypeTable): Meaning[] {
  const found = [...Map.groupBy(placeTokens(text), ({ sentence }) => sentence).values()].flatMap((tokens) => {
    const words = tokens.map((token) => token.text);
    return findPhrases(words, table).map((phrase) => ({ ...phrase, tokens: tokens.slice(phrase.from, phrase.to) }));
  });
  const types = new Set(found.flatMap(({ meanings }) => meanings.map(({ type }) => type.id)));
  return found.flatMap(({ meanings, tokens }) => {
    const phrase = meantBy(meanings, category, types);
    const [start, end] = [tokens[0], tokens.at(-1)];
    if (!phrase || !start || !end) return [];
    return [{ phrase, part: start.part, length: tokens.length, from: start.from, to: end.to }];
  });
}

/**
 * Which of several types a phrase means: an accessory of something else in the text, or the type of the listing's
 * category.
 */
function meantBy(meanings: readonly Phrase[], category: string, types: ReadonlySet<string>): Phrase | null {
  const isBesideThing = ({ type }: Phrase) => type.of?.some((id) => types.has(id)) ?? false;
  const beside = meanings.filter(isBesideThing);
  const possible = beside.length > 0 ? beside : meanings.filter(({ isName, type }) => isName || !type.of);
  const fitting = possible.length > 1 ? possible.filter(({ type }) => type.category === category) : possible;
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

interface PlacedToken extends Token {
  /** No phrase goes on behind the end of a sentence. */
  sentence: number;
  /** Each sentence has one part or more. */
  part: number;
}

const SENTENCE_END = /[,;:|()[\]–—+/•]|\s-\s|[.!?]\s/u;
const JOINING = /^(?:with|without|for|from|plus|and|na|ya|wa|za|la|cha|vya|kwa)$/u;
const MEMORY = /^(?:gb|tb|mb|ssd|hdd|ram)$/u;

/** "8gb ram" says how much memory a thing has, unless the text begins with it: "8gb ram for laptops". */
function placeTokens(text: string): PlacedToken[] {
  const tokens = tokensOf(text);
  let [sentence, part] = [0, 0];
  return tokens.map((token, at) => {
    const between = text.slice(tokens[at - 1]?.to ?? 0, token.from);
    const isMemory = /^\p{N}/u.test(token.text) && MEMORY.test(tokens[at + 1]?.text ?? "");
    if (at > 0 && SENTENCE_END.test(between)) sentence += 1;
    if (at > 0 && (SENTENCE_END.test(between) || between.includes("&") || JOINING.test(token.text) || isMemory))
      part += 1;
    return { ...token, sentence, part };
  });
}

/** Food says least: a "chapati pan" is a pan. */
function strengthOf({ isName, type }: Phrase): number {
  if (type.kind !== "thing") return 3;
  if (!isName) return 0;
  return type.category === "food" ? 1 : 2;
}

/** "Charger" with "laptop" is a laptop charger, and "viatu" with "officials" are official shoes. */
function narrowerOf(type: ItemType, others: ReadonlySet<string>, table: TypeTable): ItemType {
  const narrower = table.narrower.get(type.id) ?? [];
  const found = narrower.filter(({ id, of = [] }) => others.has(id) || of.some((thing) => others.has(thing)));
  return found.length === 1 && found[0] ? found[0] : type;
}
