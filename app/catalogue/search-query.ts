/** How a search becomes queries of the full-text index `product_search`, in FTS5's language. */
import { formsOf, isOneMistakeAway, stemsOf, writtenApart } from "./search-words.ts";

/** What the list of words knows about one word of a search. */
export interface KnownWords {
  /** Words that begin with it; null where there are too many to name. */
  starts: string[] | null;
  /** Words that have it inside. */
  inner: string[];
  /** Words that share a spelling key with it. */
  spelling: string[];
}

/** Which listings a stage looks through: those that can be bought, those that cannot, or both in this order. */
export type Availability = "available" | "gone" | "all";

/**
 * The stages of a search, in the order their listings are shown. Within a stage the newest come first. Each leaves out what the
 * stages before it found.
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

/** The query of each of STAGES, in FTS5's language; null where it could find nothing more. */
export function stageQueries(words: readonly string[], known: ReadonlyMap<string, KnownWords>): (string | null)[] {
  const alternatives = words.map((word, at) => alternativesOf(word, known.get(word), words[at - 1], words[at + 1]));
  const every = (by: keyof Alternatives) => alternatives.map((one) => anyOf(one[by]));
  const inName = (by: keyof Alternatives) => `{name} : ${allOf(every(by))}`;
  const inCategory = `{name category} : ${allOf(every("part"))}`;
  const text = inText(every("part"));
  const isRespelled = alternatives.some(({ part, spelling }) => spelling.length > part.length);
  return [
    inName("word"),
    `${inName("start")} NOT ${inName("word")}`,
    `${inName("part")} NOT ${inName("start")}`,
    `${inCategory} NOT ${inName("part")}`,
    `${text} NOT ${inCategory}`,
    inCategory,
    `${text} NOT ${inCategory}`,
    isRespelled ? `${inText(every("spelling"))} NOT ${text}` : null,
  ];
}

/** The query for names in which each of these words begins a word, as somebody is still typing. */
export function suggestionQuery(words: readonly string[]): string {
  const alternatives = words.map((word, at) => alternativesOf(word, undefined, words[at - 1], words[at + 1]));
  return `{name} : ${allOf(alternatives.map(({ part }) => anyOf(part)))}`;
}

/** What to mark in results: the words in all their forms and, where they were respelled, the words that they were taken for. */
export function wordsToMark(words: readonly string[], known: ReadonlyMap<string, KnownWords>): string {
  const all = words.flatMap((word) => [word, ...similarWords(word, known.get(word))].flatMap(formsOf));
  // The first that fits is marked: "shoes" before "shoe".
  return [...new Set(all)].toSorted((a, b) => b.length - a.length).join(" ");
}

/**
 * Every word in the name, the category or the description, or all but one: the description of the category may add one. "Casio
 * calculator" finds each Casio in a category of "pens, calculators", and "calculator" does not find the pens.
 */
function inText(groups: string[]): string {
  const own = (some: string[]) => `{name category description} : ${allOf(some)}`;
  if (groups.length === 1) return own(groups);
  return anyOf(groups.map((group, at) => `(${group} AND ${own(groups.toSpliced(at, 1))})`));
}

/** Queries for one word of a search. Each list has all of the one before. */
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

/** Words of one or two letters start too many others: they do so in names only, and nobody names all of them. */
function startsOf(word: string, known: KnownWords | undefined): string[] {
  if (isShort(word)) return [`{name} : ${phrase(word)} *`];
  // A list of whole words is quicker to read than everything that starts so.
  if (known?.starts?.length) return known.starts.map(phrase);
  return stemsOf(word).map((stem) => `${phrase(stem)} *`);
}

/** The word with the one before and the one after it, where one of the two is short: "8 gb" is also written "8gb". */
function joinedWords(word: string, before: string | undefined, after: string | undefined): string[] {
  const joined: string[] = [];
  if (before !== undefined && (isShort(word) || isShort(before))) joined.push(before + word);
  if (after !== undefined && (isShort(word) || isShort(after))) joined.push(word + after);
  return joined;
}

/** Words shorter than this are respelled only where no listing has them: they resemble too many others by chance. */
const RESPELLED_LENGTH = 6;

/** Of words shorter than this the first letter is taken to be right. */
const FIRST_LETTER_LENGTH = 8;

/** Known words that a word may be meant for, if it has one mistake. */
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

/** Where a page of results ended: in which stage, and at which row of the index. */
export interface SearchCursor {
  stage: number;
  place: number;
}

export function writeSearchCursor({ stage, place }: SearchCursor): string {
  return `${stage}.${place}`;
}

/** Null for anything that is not a cursor of ours. */
export function readSearchCursor(text: string | null): SearchCursor | null {
  const match = /^(\d)\.(\d{1,15})$/.exec(text ?? "");
  const stage = Number(match?.[1]);
  return match && stage < STAGES.length ? { stage, place: Number(match[2]) } : null;
}

/** Quoted, so that nothing in it is an operator. Words have no quotes. */
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
