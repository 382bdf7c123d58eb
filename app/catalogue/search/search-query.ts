/** Turns a search into queries of the full-text index `product_search`, in FTS5 syntax. */
import type { ListFilter } from "#app/catalogue/browse/browse-filter.ts";
import { formsOf, isOneMistakeAway, stemsOf, writtenApart } from "./search-words.ts";

/** What the word list knows about one word of a search. */
export interface KnownWords {
  /** Words that begin with it; null when there are too many. */
  starts: string[] | null;
  /** Words that contain it. */
  inner: string[];
  /** Words that share a spelling key with it. */
  spelling: string[];
}

/** What the word list knows about the words of a search, by word. Words of one or two letters are not in it. */
export type Vocabulary = ReadonlyMap<string, KnownWords>;

/** Which listings a stage searches: those that can be bought, those that can't, or both in this order. */
export type Availability = "available" | "gone" | "all";

/**
 * The stages of a search, in the order of their results. Within a stage the newest come first. Each stage leaves out
 * the results of earlier ones.
 */
export const STAGES = [
  { where: "name", by: "word", availability: "available" },
  { where: "name", by: "start", availability: "available" },
  { where: "name", by: "part", availability: "available" },
  { where: "category", by: "part", availability: "available" },
  { where: "text", by: "part", availability: "available" },
  { where: "category", by: "part", availability: "gone" },
  { where: "text", by: "part", availability: "gone" },
  { where: "text", by: "spelling", availability: "all" },
] as const satisfies {
  where: "name" | "category" | "text";
  by: "word" | "start" | "part" | "spelling";
  availability: Availability;
}[];

/** Queries in FTS5 syntax. */
export interface SearchQueries {
  /** One for each of STAGES; null for a stage that can find nothing more. */
  stages: (string | null)[];
  /**
   * Finds whatever one of the stages finds, except the stage by spelling. It may find more, because it doesn't ask in
   * which column a word is. That makes it the cheapest of all.
   */
  any: string;
}

/** The queries of a search, limited to the listings of `filter`. */
export function searchQueries(words: readonly string[], known: Vocabulary, filter: Partial<ListFilter>): SearchQueries {
  const alternatives = words.map((word, at) => alternativesOf(word, known.get(word), words[at - 1], words[at + 1]));
  const every = (by: keyof Alternatives) => alternatives.map((one) => anyOf(one[by]));
  const inName = (by: keyof Alternatives) => `{name} : ${allOf(every(by))}`;
  const inCategory = `{name category} : ${allOf(every("part"))}`;
  const text = inText(every("part"));
  const isRespelled = alternatives.some(({ part, spelling }) => spelling.length > part.length);
  const stages = [
    inName("word"),
    `${inName("start")} NOT ${inName("word")}`,
    `${inName("part")} NOT ${inName("start")}`,
    `${inCategory} NOT ${inName("part")}`,
    `${text} NOT ${inCategory}`,
    inCategory,
    `${text} NOT ${inCategory}`,
    isRespelled ? `${inText(every("spelling"))} NOT ${text}` : null,
  ];
  return {
    stages: stages.map((query) => (query === null ? null : filterQuery(query, filter))),
    any: filterQuery(allOf(every("part")), filter),
  };
}

/**
 * The private characters that the index adds to the category of the listings that a filter shows. The index takes them out
 * of a category's own name, and no search contains them.
 */
const MARKS = { wholesale: "\u{E0F0}", verified: "\u{E0F1}" } as const satisfies Record<keyof ListFilter, string>;

/** A query that finds only the listings of `filter` among those of `query`. */
function filterQuery(query: string, filter: Partial<ListFilter>): string {
  const marks = [...(filter.wholesale ? [MARKS.wholesale] : []), ...(filter.verified ? [MARKS.verified] : [])];
  return marks.reduce((found, mark) => `(${found}) AND {category} : ${phrase(mark)}`, query);
}

/** The query for names that have, for each of these words, a word beginning with it. The user is still typing. */
export function suggestionQuery(words: readonly string[]): string {
  const alternatives = words.map((word, at) => alternativesOf(word, undefined, words[at - 1], words[at + 1]));
  return `{name} : ${allOf(alternatives.map(({ part }) => anyOf(part)))}`;
}

/**
 * What to highlight in results: the words in all their forms and, for respelled words, the words that they were taken
 * for.
 */
export function wordsToMark(words: readonly string[], known: Vocabulary): string {
  const all = words.flatMap((word) => [word, ...similarWords(word, known.get(word))].flatMap(formsOf));
  // The first match is highlighted, so "shoes" comes before "shoe".
  return [...new Set(all)].toSorted((a, b) => b.length - a.length).join(" ");
}

/**
 * Every word in the name, the category or the description, where the category's description may contribute one of
 * several. So "casio calculator" finds each Casio in the category "pens, calculators", but "calculator" doesn't find
 * the pens.
 */
function inText(groups: string[]): string {
  const own = (some: string[]) => `{name category description} : ${allOf(some)}`;
  if (groups.length === 1) return own(groups);
  return anyOf(groups.map((group, at) => `(${group} AND ${own(groups.toSpliced(at, 1))})`));
}

/** Queries for one word of a search. Each list contains the one before. */
interface Alternatives {
  word: string[];
  start: string[];
  part: string[];
  spelling: string[];
}

function alternativesOf(
  word: string,
  known: KnownWords | undefined,
  before: string | undefined,
  after: string | undefined,
): Alternatives {
  const forms = formsOf(word);
  const asWord = forms.map(phrase);
  const asStart = [...asWord, ...startsOf(word, known)];
  const asPart = [
    ...asStart,
    ...joinedWords(word, before, after).map((joined) => `${phrase(joined)} *`),
    ...forms.flatMap(writtenApart).map((apart) => (apart.open ? `${phrase(apart.words)} *` : phrase(apart.words))),
    ...(known?.inner ?? []).map(phrase),
  ];
  const similar = similarWords(word, known).flatMap(formsOf).map(phrase);
  return { word: asWord, start: asStart, part: asPart, spelling: [...asPart, ...similar] };
}

/**
 * Words of one or two letters begin too many others. They match beginnings only in names, and the word list doesn't
 * name all of them.
 */
function startsOf(word: string, known: KnownWords | undefined): string[] {
  if (isShort(word)) return [`{name} : ${phrase(word)} *`];
  // A list of whole words is faster to read than everything that begins so.
  if (known?.starts?.length) return known.starts.map(phrase);
  return stemsOf(word).map((stem) => `${phrase(stem)} *`);
}

/** The word joined with the one before or after it, if one of the two is short: "8 gb" is also written "8gb". */
function joinedWords(word: string, before: string | undefined, after: string | undefined): string[] {
  const joined: string[] = [];
  if (before !== undefined && (isShort(word) || isShort(before))) joined.push(before + word);
  if (after !== undefined && (isShort(word) || isShort(after))) joined.push(word + after);
  return joined;
}

/** Shorter words are respelled only if no listing has them, because they resemble too many others by chance. */
const RESPELLED_LENGTH = 6;

/** In shorter words, the first letter is assumed to be right. */
const FIRST_LETTER_LENGTH = 8;

/** Known words that differ from a word by one mistake. */
function similarWords(word: string, known: KnownWords | undefined): string[] {
  if (!known) return [];
  const isKnown = known.starts === null || known.starts.length + known.inner.length > 0;
  if (isKnown && word.length < RESPELLED_LENGTH) return [];
  const forms = formsOf(word);
  return known.spelling.filter(
    (other) =>
      !forms.includes(other) &&
      (word.length >= FIRST_LETTER_LENGTH || other.startsWith(word.charAt(0))) &&
      forms.some((form) => isOneMistakeAway(form, other)),
  );
}

/** Where a page of results ended: the stage, and the row of the index. */
export interface SearchCursor {
  stage: number;
  place: number;
}

export function writeSearchCursor({ stage, place }: SearchCursor): string {
  return `${stage}.${place}`;
}

/** Returns null for an unreadable cursor. */
export function readSearchCursor(text: string | null): SearchCursor | null {
  const match = /^(\d)\.(\d{1,15})$/.exec(text ?? "");
  const stage = Number(match?.[1]);
  return match && stage < STAGES.length ? { stage, place: Number(match[2]) } : null;
}

/** Quoted, so that nothing in it is an operator. Words contain no quotes. */
function phrase(words: string): string {
  return `"${words}"`;
}

function anyOf(queries: readonly string[]): string {
  return `(${[...new Set(queries)].join(" OR ")})`;
}

function allOf(queries: readonly string[]): string {
  return `(${queries.join(" AND ")})`;
}

function isShort(word: string): boolean {
  return [...word].length <= 2;
}
