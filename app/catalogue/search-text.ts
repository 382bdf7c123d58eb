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
