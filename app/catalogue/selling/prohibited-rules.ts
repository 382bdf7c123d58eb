/**
 * Finds words that may not be sold in the texts of a listing. A find never refuses the listing: our team looks at it
 * before it is published. So the rules read through the usual tricks, and admins add phrases that are fine.
 */
import { plainLetters } from "#app/platform/folded-text.ts";
import { DIGIT_LETTERS, letterLike } from "#app/platform/look-alike-rules.ts";
import { type FactField, factField, type Facts } from "#app/catalogue/facts/fact-field-rules.ts";
import { CATEGORY_MARK } from "./held-rules.ts";

export const TERM_KINDS = ["word", "category", "allowed"] as const;

export interface ProhibitedTerm {
  /** `allowed`: a phrase that is fine although it contains a prohibited word ("glue gun"). */
  kind: (typeof TERM_KINDS)[number];
  /** Words, or a category's id. */
  term: string;
}

/** The texts of a listing that are searched. */
export interface CheckedTexts {
  name: string;
  description: string;
  category: string | null;
  /** Its facts, by their ids. */
  facts?: Facts;
}

/** A field of the listing form. */
export type CheckedField = "name" | "description" | "category" | FactField;

export const TERM_MAX_LENGTH = 60;

/** Lower case, without accents and invisible characters. Letters of others that look like ours are read as ours. */
function fold(text: string): string {
  return plainLetters(text)
    .replaceAll(/[\p{M}\p{Cf}]/gu, "")
    .replaceAll(/\p{L}/gu, letterLike)
    .replaceAll(/(?<=[\p{L}\p{N}])['’`´ʼ](?=[\p{L}\p{N}])/gu, "");
}

/** The text as it is, and with its signs as the letters that they look like: "$tolen", "🅶un", but also "🇰🇪gun". */
function readings(text: string): string[] {
  const withSigns = plainLetters(text).replaceAll(/[^\p{L}\p{N}\s]/gu, letterLike);
  return [...new Set([text, withSigns].map(fold))];
}

function tokensOf(folded: string): string[] {
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words of a term, as they are compared. */
function wordsOf(term: string): string[] {
  return tokensOf(fold(term)).map(stem);
}

/** The same text for a word and its plural: "gun" and "guns", "pouch" and "pouches", "body" and "bodies". */
function stem(word: string): string {
  if (word.length < 3) return word;
  const one = word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
  return one.replace(/(?<=ch|sh|x|s|z)e$/, "").replace(/(?<=..)(?:y|ie)$/, "i");
}

/**
 * What a word may say: itself, and with its digits read as letters unless it has none, such as a price. A 1 is an i or
 * an l.
 */
function formsOf(word: string): string[] {
  if (!/\p{L}/u.test(word) || !/\d/.test(word)) return [stem(word)];
  const read = (one: string) =>
    word.replaceAll(/\d/g, (digit) => (digit === "1" ? one : (DIGIT_LETTERS.get(digit) ?? digit)));
  return [...new Set([word, read("i"), read("l")].map(stem))];
}

/** Terms with at least so many letters are also found when their letters stand alone ("g u n"). */
const SPELLED_MIN = 3;
/** Phrases with at least so many letters are also found when they are written as one word ("fakeid"). */
const JOINED_MIN = 6;

/** A list that is ready to be searched for, because reading a long list costs more than searching a listing. */
export interface ProhibitedList {
  allowed: readonly string[][];
  terms: readonly ReadTerm[];
}

interface ReadTerm {
  /** For `products.held_for`. */
  heldFor: string;
  /** Null for a word. */
  category: string | null;
  phrase: readonly string[];
  /** Without spaces. */
  letters: string;
}

export function readList(rows: readonly ProhibitedTerm[]): ProhibitedList {
  return {
    allowed: rows.filter(({ kind }) => kind === "allowed").map(({ term }) => wordsOf(term)),
    terms: rows
      .filter(({ kind }) => kind !== "allowed")
      .map(({ kind, term }) =>
        kind === "category"
          ? { heldFor: CATEGORY_MARK + term, category: term, phrase: [], letters: "" }
          : { heldFor: term, category: null, phrase: wordsOf(term), letters: lettersOf(term) },
      ),
  };
}

/**
 * Finds all the prohibited terms in the texts of a listing, in the order of the list, as `products.held_for` has them.
 */
export function findProhibited(texts: CheckedTexts, list: ProhibitedList): string[] {
  const fields = [texts.name, texts.description, ...Object.values(texts.facts ?? {})].flatMap((text) =>
    readings(text).map((folded) => readField(folded, list.allowed)),
  );
  const isFound = (term: ReadTerm) =>
    term.category === null ? fields.some((field) => mentions(field, term)) : term.category === texts.category;
  return list.terms.filter(isFound).map(({ heldFor }) => heldFor);
}

interface Field {
  /** By place: what the word there may say. */
  words: readonly (readonly string[])[];
  /** Where each word is. */
  places: ReadonlyMap<string, readonly number[]>;
  /** By place: the word belongs to an allowed phrase. */
  allowed: readonly boolean[];
  /** Letters that stand alone one after the other ("g u n", "b.h.a.n.g"), as one text each. */
  spelled: readonly string[];
  /** Words that a sign without a space splits ("bh-ang"), joined. */
  split: ReadonlySet<string>;
}

function readField(folded: string, phrases: readonly string[][]): Field {
  const words = tokensOf(folded).map(formsOf);
  const places = new Map<string, number[]>();
  for (const [at, forms] of words.entries())
    for (const form of forms) {
      const known = places.get(form);
      if (known) known.push(at);
      else places.set(form, [at]);
    }
  const allowed = words.map(() => false);
  for (const phrase of phrases)
    for (const at of placesOf({ words, places }, phrase)) allowed.fill(true, at, at + phrase.length);
  return {
    words,
    places,
    allowed,
    spelled: (folded.match(/(?<![\p{L}\p{N}])\p{L}(?:[^\p{L}\p{N}]+\p{L}(?![\p{L}\p{N}]))+/gu) ?? []).map(lettersOf),
    split: new Set(
      // It can only begin where a word begins, so that a long word is read once.
      (folded.match(/(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-_*~|+^=]+[\p{L}\p{N}]+)+/gu) ?? []).map((chunk) =>
        stem(lettersOf(chunk)),
      ),
    ),
  };
}

function lettersOf(text: string): string {
  return fold(text).replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** Where a phrase begins. */
function placesOf({ words, places }: Pick<Field, "words" | "places">, phrase: readonly string[]): number[] {
  const isAt = (at: number) => phrase.every((word, n) => words[at + n]?.includes(word) === true);
  return (places.get(phrase[0] ?? "") ?? []).filter(isAt);
}

function mentions(field: Field, { phrase, letters }: ReadTerm): boolean {
  const { places, allowed, spelled, split } = field;
  if (letters === "") return false;
  if (placesOf(field, phrase).some((at) => phrase.some((_, n) => !allowed[at + n]))) return true;
  const joined = stem(letters);
  if (letters.length >= JOINED_MIN && places.get(joined)?.some((at) => !allowed[at])) return true;
  return letters.length >= SPELLED_MIN && (split.has(joined) || spelled.some((run) => run.includes(letters)));
}

/**
 * What our team must look at before a changed listing stays published: the first term that it has now and didn't have
 * before (null: it is new). What our team has already seen doesn't hold it again.
 */
export function heldForOf(texts: CheckedTexts, before: CheckedTexts | null, list: ProhibitedList): string | null {
  const found = findProhibited(texts, list);
  if (found.length === 0) return null;
  const known = before ? findProhibited(before, list) : [];
  return found.find((term) => !known.includes(term)) ?? null;
}

/** The first text of a listing in which a term of `findProhibited` is. */
export function fieldOfTerm(heldFor: string, texts: CheckedTexts, list: ProhibitedList): CheckedField {
  if (heldFor.startsWith(CATEGORY_MARK)) return "category";
  const isIn = (name: string) => findProhibited({ name, description: "", category: null }, list).includes(heldFor);
  if (isIn(texts.name)) return "name";
  const [fact] = Object.entries(texts.facts ?? {}).find(([, value]) => isIn(value)) ?? [];
  return fact === undefined ? "description" : factField(fact);
}

/** A word or phrase as an admin typed it, tidied: lower case, single spaces. Null when it has no letter. */
export function readTerm(typed: string): string | null {
  const term = typed
    .normalize("NFC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/[\p{Cc}\s:]+/gu, " ")
    .trim()
    .toLowerCase();
  return /\p{L}/u.test(term) ? term : null;
}
