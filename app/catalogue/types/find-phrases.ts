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

/** All phrases of the table in the tokens, from left to right. Of phrases that overlap, the longest counts. */
export function findPhrases(tokens: readonly string[], table: TypeTable): FoundPhrase[] {
  const found: FoundPhrase[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const phrase = longestAt(tokens, at, table);
    if (!phrase) continue;
    found.push(phrase);
    at = phrase.to - 1;
  }
  return found;
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
