/** What is noted of a search that found nothing, so that our team learns what students call things. */
import { hasPhone } from "#app/safety/phone-pattern-rules.ts";
import { foldText } from "#app/platform/folded-text.ts";

const LETTERS_MAX = 40;
const WORDS_MAX = 4;

/** How often it must have been searched before our team reads it: once may be about somebody. */
export const MISSED_SHOWN_FROM = 3;

/**
 * The words to note, in lower case; null for what may be about a person or names nothing: numbers of five digits or
 * more, emails, links, sentences.
 */
export function wordsToNote(text: string): string | null {
  const words = foldText(text).plain.trim();
  if (words.length > LETTERS_MAX || words.split(" ").length > WORDS_MAX) return null;
  if (!/\p{L}{2}/u.test(words) || /[@/\p{Co}]|\p{N}{5}|\p{L}\.\p{L}/u.test(words) || hasPhone(words)) return null;
  return words;
}
