/** Finds the search text in the texts of a result. */

/**
 * A pattern that matches each of the words, in any case; "" without words. Text split by it has the matches at odd
 * positions.
 */
export function markPattern(words: string): string {
  const parts = words
    .split(/[^\p{L}\p{M}\p{N}\p{So}]+/u)
    .filter(Boolean)
    // Short words occur inside too many others.
    .map((word) => (word.length > 2 ? word : `(?<![\\p{L}\\p{N}])${word}`));
  return parts.length > 0 ? `(${parts.join("|")})` : "";
}

/** Text split at each match of a pattern from `markPattern`. The odd parts are the matches. */
export function splitAtMatches(text: string, pattern: string): string[] {
  return pattern === "" ? [text] : text.split(new RegExp(pattern, "giu"));
}

/** How many characters an excerpt shows before the match, so that the match is visible on one line. */
const LEAD = 12;
const EXCERPT_LENGTH = 90;

/** The part of a description around the first match of a pattern from `markPattern`; null when there is none. */
export function excerptAround(text: string, pattern: string): string | null {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const [before, match] = splitAtMatches(line, pattern);
  if (before === undefined || match === undefined) return null;
  if (before.length <= LEAD) return line.slice(0, EXCERPT_LENGTH);
  const start = line.indexOf(" ", before.length - LEAD);
  const from = start === -1 || start >= before.length ? before.length : start + 1;
  return `…${line.slice(from, from + EXCERPT_LENGTH)}`;
}
