/** Makes the text in the search box safe to look up and to show. */

/** Maximum characters of a search. Names and phrases are shorter. */
export const SEARCH_TEXT_MAX = 200;

/** The text as it is looked up: no control characters, single spaces, at most SEARCH_TEXT_MAX characters. */
export function tidySearchText(raw: string | null): string {
  const text = (raw ?? "")
    .slice(0, 4 * SEARCH_TEXT_MAX)
    .replace(/[\ud800-\udbff]$/, "")
    .replaceAll(/[\u0000-\u001f\u007f\s]+/g, " ")
    .trim();
  return [...text].slice(0, SEARCH_TEXT_MAX).join("").trim();
}
