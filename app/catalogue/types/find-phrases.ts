import { isOneMistakeAway } from "#app/catalogue/search/search-words.ts";
import type { Phrase, TypeTable } from "./type-table.ts";
import { keyOf } from "./words.ts";

/** A place where the words of a text mean a type. */
export interface FoundPhrase {
  meanings: readonly Phrase[];
  /** The first token, and the one after the last. */
  from: number;
  to: number;
}

/** The phrases of the table in the tokens, in their order. Of phrases that overlap, the longest counts, or the last. */
export function findPhrases(tokens: readonly string[], table: TypeTable): FoundPhrase[] {
  const all = tokens.flatMap((_, at) => longestAt(tokens, at, table) ?? []);
  const found: FoundPhrase[] = [];
  for (const phrase of all.toSorted((one, other) => lengthOf(other) - lengthOf(one) || other.from - one.from)) {
    if (found.every(({ from, to }) => phrase.to <= from || to <= phrase.from)) found.push(phrase);
  }
  return found.filter(({ meanings }) => meanings.length > 0).toSorted((one, other) => one.from - other.from);
}

function lengthOf({ from, to }: FoundPhrase): number {
  return to - from;
}

/** Written apart, shorter words are found in other words by chance: "in k". */
const APART_MIN = 5;

function longestAt(tokens: readonly string[], from: number, table: TypeTable): FoundPhrase | null {
  // A word of the table may be written apart ("lap top"), so one token more than it has.
  for (let to = Math.min(tokens.length, from + table.longest + 1); to > from; to -= 1) {
    const key = keyOf(tokens.slice(from, to));
    const meanings = table.phrases.get(key);
    if (meanings && (to === from + 1 || key.length >= APART_MIN || key.includes("#"))) return { meanings, from, to };
  }
  return null;
}

/** Shorter words are too often one letter away from another word. */
const MISSPELLED_MIN = 6;

/** The type's name that a word was meant to be, if it is misspelled by one letter. */
export function findMisspelled(word: string, table: TypeTable): readonly Phrase[] | null {
  if (word.length < MISSPELLED_MIN || /[^\p{L}]/u.test(word)) return null;
  for (const [key, meanings] of table.phrases) {
    if (key[0] !== word[0] || Math.abs(key.length - word.length) > 1 || !isOneMistakeAway(key, word)) continue;
    const names = meanings.filter(({ isName }) => isName);
    if (names.length > 0) return names;
  }
  return null;
}
