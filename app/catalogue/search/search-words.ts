/** The words of a search, and the other ways to write each of them. */

/** Maximum words of a search. Of a long pasted text, only the first ones count. */
const WORDS_MAX = 8;

/** The index doesn't look inside longer words. */
const WORD_LENGTH_MAX = 24;

/** Words about the search itself. They count only if there are no others. */
const FILLERS = new Set(
  "a an and at buy cheap for from in is my of on or sale the to under below with kwa na wa ya za".split(" "),
);

/** Splits a tidied text into lower-case words, at spaces and punctuation. */
export function splitWords(text: string): string[] {
  const plain = text
    .normalize("NFC")
    .toLowerCase()
    // Punctuation that separates words, as in the index.
    .replaceAll("c++", "cpp")
    .replaceAll("c#", "csharp")
    .replaceAll(/(?<!\p{L})wi[ -]fi(?!\p{L})/gu, "wifi")
    // T-shirt, e-book.
    .replaceAll(/(?<![\p{L}\p{N}])(\p{L})-(?=\p{L})/gu, "$1")
    .replaceAll(/['’]s?(?![\p{L}\p{N}])/gu, " ")
    // Sizes: 4 × 6, 4*6, 4 x 6.
    .replaceAll(/(?<=\d)['’"”]?\s*[x×*]\s*(?=\d)/gu, "x");
  const words = [...new Set(plain.split(/[^\p{L}\p{M}\p{N}\p{So}\p{Co}]+/u).filter(Boolean))];
  const telling = words.filter((word) => !FILLERS.has(word));
  return (telling.length > 0 ? telling : words).slice(0, WORDS_MAX);
}

/**
 * A word with its singular and plural forms, in English and in Swahili (ki- becomes vi-). The word itself comes first.
 */
export function formsOf(word: string): string[] {
  const singular = singularsOf(word);
  return [...new Set([...singular, ...singular.flatMap(pluralsOf)])];
}

/** The stem of a word and its forms. A singular of two letters would match too much. */
export function stemsOf(word: string): string[] {
  const stems = singularsOf(word).filter((form) => form === word || form.length > 2);
  return stems.filter((stem) => !stems.some((other) => other !== stem && stem.startsWith(other)));
}

/** The word itself, and its possible singulars. */
function singularsOf(word: string): string[] {
  const forms = [word];
  if (/^vi\p{L}{3,}$/u.test(word)) forms.push(`ki${word.slice(2)}`);
  if (/^\p{L}{2,}ies$/u.test(word)) forms.push(`${word.slice(0, -3)}y`);
  else if (/^\p{L}{2,}ves$/u.test(word))
    forms.push(`${word.slice(0, -3)}f`, `${word.slice(0, -3)}fe`, word.slice(0, -1));
  else if (/^\p{L}+(s|x|z|ch|sh)es$/u.test(word)) forms.push(word.slice(0, -2), word.slice(0, -1));
  else if (/^(\p{L}{2}|\p{L}{2,}[^\P{L}siu])s$/u.test(word)) forms.push(word.slice(0, -1));
  return forms;
}

function pluralsOf(word: string): string[] {
  if (!/^\p{L}{2,}$/u.test(word) || word.endsWith("s")) return [];
  const plurals = [`${word}s`];
  if (/[^aeiou]y$/.test(word)) plurals.push(`${word.slice(0, -1)}ies`);
  else if (/fe?$/.test(word)) plurals.push(word.replace(/fe?$/, "ves"));
  else if (/(x|z|ch|sh)$/.test(word)) plurals.push(`${word}es`);
  if (/^ki\p{L}{3,}$/u.test(word)) plurals.push(`vi${word.slice(2)}`);
  return plurals;
}

/** Words that may have been written as one. If they are `open`, the last may continue: "fx 991" is also "fx 991es". */
export interface WrittenApart {
  words: string;
  open: boolean;
}

/** Other spellings of a word: "power bank" for "powerbank", "fx 991" for "fx991", "4 6" for "4x6". */
export function writtenApart(word: string): WrittenApart[] {
  const letters = [...word];
  if (letters.length > WORD_LENGTH_MAX) return [];
  const cutAt = (at: number) => `${letters.slice(0, at).join("")} ${letters.slice(at).join("")}`;
  const runs = word.match(/\p{N}+|\P{N}+/gu) ?? [];
  if (runs.length > 1) {
    const sizes = /^\d+(x\d+)+$/.test(word) ? [word.replaceAll("x", " ")] : [];
    return [...new Set([...cutsBetween(runs), ...sizes])].map((words) => ({ words, open: true }));
  }
  if (letters.length < 5) return [];
  // After one letter or two, as in "t shirt" and "tp link", or if both parts are words.
  const places = letters.map((_, at) => at).filter((at) => at > 0 && (at < 3 || at < letters.length - 2));
  return places.map((at) => ({ words: cutAt(at), open: false }));
}

/** Longer rows of letters and digits are cut once or everywhere: each cut doubles the ways. */
const RUNS_CUT_MAX = 4;

/** Ways to cut a word between its letters and digits: "hp840g3" as "hp 840g3", "hp 840 g3" and so on. */
function cutsBetween(runs: readonly string[]): string[] {
  if (runs.length > RUNS_CUT_MAX) {
    const once = runs.slice(1).map((_, at) => `${runs.slice(0, at + 1).join("")} ${runs.slice(at + 1).join("")}`);
    return [...once, runs.join(" ")];
  }
  const [first = "", ...rest] = runs;
  const ways = rest.reduce((begun, run) => begun.flatMap((way) => [`${way} ${run}`, `${way}${run}`]), [first]);
  return ways.filter((way) => way.includes(" "));
}

/** The length of words that are also looked up by spelling. */
const SPELLING_LENGTHS = { min: 4, max: 12 };

/** Whether a word may be a misspelled one: neither too short nor too long for that, and without digits. */
export function isSpelled(word: string): boolean {
  const { length } = [...word];
  return length >= SPELLING_LENGTHS.min && length <= SPELLING_LENGTHS.max && !/\p{N}/u.test(word);
}

/**
 * What one mistake leaves of a word: its first so many letters, or the last ones of it or of its singular, because one
 * mistake isn't in both.
 */
export function keptParts(word: string): { size: number; first: string; lasts: string[] } {
  const letters = [...word];
  const size = Math.floor((letters.length - 1) / 2);
  const lasts = formsOf(word)
    .slice(0, 2)
    .map((form) => [...form].slice(-size).join(""));
  return { size, first: letters.slice(0, size).join(""), lasts: [...new Set(lasts)] };
}

/** True if one letter added, removed or changed, or two neighbours swapped, turns one word into the other. */
export function isOneMistakeAway(one: string, other: string): boolean {
  const [short, long] = [[...one], [...other]].toSorted((a, b) => a.length - b.length) as [string[], string[]];
  const same = short.findIndex((letter, at) => letter !== long[at]);
  const from = same === -1 ? short.length : same;
  const rest = (letters: string[], start: number) => letters.slice(start).join("");
  if (long.length - short.length === 1) return rest(short, from) === rest(long, from + 1);
  if (long.length !== short.length || from === short.length) return false;
  if (rest(short, from + 1) === rest(long, from + 1)) return true;
  return (
    short[from] === long[from + 1] && short[from + 1] === long[from] && rest(short, from + 2) === rest(long, from + 2)
  );
}
