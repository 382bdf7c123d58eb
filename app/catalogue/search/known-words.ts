/** What the word list of the index knows about the words of a search. */
import { formsOf, isOneMistakeAway } from "./search-words.ts";

/** What the word list knows about one word of a search. */
export interface KnownWords {
  /** Words that begin with it; null when there are too many. */
  starts: string[] | null;
  /** Words that contain it. */
  inner: string[];
  /** Words that may be it, with a mistake. */
  spelling: string[];
}

/** What the word list knows about the words of a search, by word. Words of one or two letters are not in it. */
export type Vocabulary = ReadonlyMap<string, KnownWords>;

/** Shorter words are respelled only if no listing has them, because they resemble too many others by chance. */
const RESPELLED_LENGTH = 6;

/** In shorter words, the first letter is assumed to be right. */
const FIRST_LETTER_LENGTH = 8;

/** Known words that differ from a word by one mistake. */
export function similarWords(word: string, known: KnownWords | undefined): string[] {
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
