/** The terms by which a listing finds the saved searches that may find it (`search-needs.ts`). */
import { textMark } from "#app/catalogue/search/index-marks.ts";
import { splitWords } from "#app/catalogue/search/search-words.ts";
import type { TypeTable } from "#app/catalogue/types/type-table.ts";
import { foldedWords, TERM_MAX } from "./folded-words.ts";
import { meansTerm } from "./search-needs.ts";

/** A listing as the full-text index has it (`product_search_entries`). */
export interface IndexedListing {
  /** Everything that is searched for words: the name, the description, and its category's. */
  text: string;
  /** Separated by spaces. */
  marks: string;
  /** The type's id. */
  type: string | null;
}

/** Takes time, and is long, in proportion to the listing's texts. */
export function listingTerms({ text, marks, type }: IndexedListing, table: TypeTable): Set<string> {
  const words = foldedWords(text);
  const terms = new Set(marks.toLowerCase().split(" ").filter(Boolean));
  for (const word of new Set(words)) addParts(word, terms);
  for (const [at, word] of words.entries()) addJoined(word, words[at + 1] ?? "", terms);
  for (const id of type === null ? [] : widerThan(type, table)) {
    terms.add(textMark("type", id));
    terms.add(meansTerm(id));
    for (const kin of table.narrower.get(id) ?? []) terms.add(meansTerm(kin.id));
  }
  for (const named of typesNamedIn(words, table)) {
    for (const id of widerThan(named, table)) terms.add(meansTerm(id));
  }
  return terms;
}

/** Every part of a word. */
function addParts(word: string, terms: Set<string>): void {
  const letters = [...word];
  for (let from = 0; from < letters.length; from += 1) {
    let part = "";
    for (const letter of letters.slice(from, from + TERM_MAX)) {
      part += letter;
      terms.add(part);
    }
  }
}

/** Two words as the beginning of one: "power bank" is also written "powerbank". */
function addJoined(word: string, next: string, terms: Set<string>): void {
  if (/\p{N}/u.test(word) || /\p{N}/u.test(next)) return;
  let joined = word;
  for (const letter of next) {
    joined += letter;
    if (joined.length > TERM_MAX) return;
    terms.add(joined);
  }
}

/** A type and all that include it. */
function widerThan(type: string, table: TypeTable): string[] {
  const parent = table.types.get(type)?.parent;
  return parent === undefined ? [type] : [type, ...widerThan(parent, table)];
}

interface TypeName {
  words: readonly string[];
  type: string;
}

/** The names of a table's types by their first words. Making them takes longer than what is asked of them. */
const namesOf = new WeakMap<TypeTable, ReadonlyMap<string, readonly TypeName[]>>();

function namesIn(table: TypeTable): ReadonlyMap<string, readonly TypeName[]> {
  const kept = namesOf.get(table);
  if (kept) return kept;
  const all = [...table.types.values()].flatMap(({ id, names }) =>
    names.map((name) => ({ words: foldedWords(splitWords(name).join(" ")), type: id })),
  );
  const byWord = Map.groupBy(all, ({ words }) => words[0] ?? "");
  namesOf.set(table, byWord);
  return byWord;
}

/** The types that a text calls by a name. */
function typesNamedIn(words: readonly string[], table: TypeTable): Set<string> {
  const names = namesIn(table);
  return new Set(
    words.flatMap((word, at) =>
      (names.get(word) ?? [])
        .filter((name) => name.words.every((part, n) => words[at + n] === part))
        .map(({ type }) => type),
    ),
  );
}
