/**
 * What a listing must have so that a saved search can find it: one term of each need. A new listing looks its own terms up
 * (`listing-terms.ts`), so what it costs follows from its texts, and not from the number of saved searches. Needs may let
 * more through than the search finds, and never less: the search itself decides about those.
 */
import { flagMark, priceMarks, textMark } from "#app/catalogue/search/index-marks.ts";
import { similarWords, type Vocabulary } from "#app/catalogue/search/known-words.ts";
import { type MeantType, type Meaning, meaningOf } from "#app/catalogue/search/search-meaning.ts";
import { anywhere, groupsOf, hasMark, type Limits, limitsOf } from "#app/catalogue/search/search-query.ts";
import { formsOf, splitWords } from "#app/catalogue/search/search-words.ts";
import { type TypeTable, withNarrower } from "#app/catalogue/types/type-table.ts";
import { foldWord, TERM_MAX } from "./folded-words.ts";
import type { Saved } from "./saved-address.ts";

export interface Need {
  /** One of these is enough. */
  terms: string[];
  /** Finds the listings that have one, to count them. */
  query: string;
}

/** The term of a listing that is what this type's name means, or similar. */
export function meansTerm(type: string): string {
  return `=${type}`;
}

/** Words come before filters. */
export function needsOf({ words: text, filters }: Saved, table: TypeTable): Need[] {
  const limits = limitsOf(filters, table);
  return [
    ...wordNeeds(text, table),
    ...markNeeds(filters.type, limits).map((marks) => ({ terms: marks, query: hasMark(marks) })),
  ];
}

function wordNeeds(text: string, table: TypeTable): Need[] {
  const plain = meaningOf(text, table, NONE_KNOWN);
  const meanings = [plain, ...misspelledMeanings(text, plain, table)];
  const needs = groupsOf(plain, NONE_KNOWN).flatMap((group) => {
    const query = anywhere(group, "part");
    return group.words.map((word) => {
      const at = plain.words.indexOf(word);
      const meant = meanings.flatMap(({ named }) => named.filter(({ words }) => words.includes(at)));
      const types = meant.flatMap((one) => widest(one, table));
      return { terms: [...new Set([...termsOfWord(word), ...types.map(meansTerm)])], query };
    });
  });
  // A word without letters limits nothing.
  return needs.filter(({ terms }) => !terms.includes(""));
}

const NONE_KNOWN: Vocabulary = new Map();

/**
 * What a text would mean, were one of its words a misspelled name of a type. Whether it is depends on what is listed when the
 * search is asked: a word that no listing has is taken for one that some listing has.
 */
function misspelledMeanings(text: string, plain: Meaning, table: TypeTable): Meaning[] {
  const covered = new Set(plain.named.flatMap(({ words }) => words));
  return plain.words.flatMap((word, at) => {
    if (covered.has(at)) return [];
    const spellings = similarWords(word, { starts: [], inner: [], spelling: nameWords(table) });
    return spellings.map((right) =>
      meaningOf(text, table, new Map([[word, { starts: [], inner: [], spelling: [right] }]])),
    );
  });
}

const nameWordsOf = new WeakMap<TypeTable, string[]>();

/** Every word of the types' names. Making them takes longer than what is asked of them. */
function nameWords(table: TypeTable): string[] {
  const kept = nameWordsOf.get(table);
  if (kept) return kept;
  const names = [...table.types.values()].flatMap((type) => [type.name, type.plural, ...type.names, ...type.signs]);
  const words = [...new Set(names.flatMap((name) => splitWords(name).flatMap(formsOf)))];
  nameWordsOf.set(table, words);
  return words;
}

/** The types that include all others that were meant. */
function widest({ types }: MeantType, table: TypeTable): string[] {
  const isIn = (id: string, other: string) => id !== other && withNarrower(other, table).includes(id);
  return types.filter((id) => !types.some((other) => isIn(id, other)));
}

/**
 * Parts of words, one of which is in every listing that has this word in one of the ways in which a search finds it: in
 * another form, as a part of a longer word, joined with its neighbour, or written apart.
 */
function termsOfWord(word: string): string[] {
  const runs = word.match(/\p{N}+|\P{N}+/gu) ?? [];
  // "fx991" is also written "fx 991" and "fx-991ES", so it is its longest part that all have in common; of "4x6" a number.
  const parts = runs.length > 1 ? [longestOf(runs)] : formsOf(word);
  const folded = parts.map((part) => [...foldWord(part)].slice(0, TERM_MAX).join(""));
  return [...new Set(folded)].filter((part, _, all) => !all.some((other) => other !== part && part.startsWith(other)));
}

function longestOf(runs: readonly string[]): string {
  const rank = (run: string) => 2 * [...run].length + Number(/\p{N}/u.test(run));
  return runs.toSorted((one, other) => rank(other) - rank(one))[0] ?? "";
}

const FLAGS = ["wholesale", "verified", "delivery"] as const;

function markNeeds(type: string | null, { min, max, conditions, campuses, ...flags }: Limits): string[][] {
  return [
    ...(type === null ? [] : [[textMark("type", type)]]),
    ...FLAGS.filter((flag) => flags[flag]).map((flag) => [flagMark(flag)]),
    ...(conditions.length > 0 ? [conditions.map((condition) => textMark("condition", condition))] : []),
    ...(campuses.length > 0 ? [campuses.map((campus) => textMark("campus", campus))] : []),
    ...(min === null && max === null ? [] : [priceMarks(min, max)]),
  ];
}
