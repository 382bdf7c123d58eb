/** What people type into the search box, made safe to look up and to show again. */

/** Characters that are looked up; more than a name or a phrase ever has. */
export const SEARCH_TEXT_MAX = 200;

/** Text as it is looked up: no control characters, single spaces, at most SEARCH_TEXT_MAX characters. */
export function tidySearchText(raw: string | null): string {
  const text = (raw ?? "")
    .slice(0, 4 * SEARCH_TEXT_MAX)
    .replace(/[\ud800-\udbff]$/, "")
    .replaceAll(/[\u0000-\u001f\u007f\s]+/g, " ")
    .trim();
  return [...text].slice(0, SEARCH_TEXT_MAX).join("").trim();
}

/** Text cut at each place where a word of `wanted` stands, whatever the case: the odd parts are the matches. */
export function splitAtMatches(text: string, wanted: string): string[] {
  const words = wanted.split(/[^\p{L}\p{M}\p{N}\p{So}]+/u).filter(Boolean);
  // Short words stand inside too many others.
  const patterns = words.map((word) => (word.length > 2 ? word : `(?<![\\p{L}\\p{N}])${word}`));
  return words.length > 0 ? text.split(new RegExp(`(${patterns.join("|")})`, "giu")) : [text];
}

/** Characters shown before the match in an excerpt, so that the match is in sight on one line. */
const LEAD = 12;
const EXCERPT_LENGTH = 90;

/** The part of a description around the first match; null where there is none. */
export function excerptAround(text: string, wanted: string): string | null {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const [before, match] = splitAtMatches(line, wanted);
  if (before === undefined || match === undefined) return null;
  if (before.length <= LEAD) return line.slice(0, EXCERPT_LENGTH);
  const start = line.indexOf(" ", before.length - LEAD);
  const from = start === -1 || start >= before.length ? before.length : start + 1;
  return `…${line.slice(from, from + EXCERPT_LENGTH)}`;
}
