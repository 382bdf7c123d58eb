/** What people type into the search box, made safe to look up and to show again. */

/** Characters that are looked up; more than a name or a phrase ever has. */
export const SEARCH_TEXT_MAX = 200;

/** Fewer characters than this have no trigram. */
export const TRIGRAM_LENGTH = 3;

/** A place in search results: first the matches in names, then those in descriptions only, each newest first. */
export interface SearchCursor {
  phase: "name" | "description";
  /** Rows are numbered as they are listed. */
  row: number;
}

/** Text as it is looked up: no control characters, single spaces, at most SEARCH_TEXT_MAX characters. */
export function tidySearchText(raw: string | null): string {
  const text = (raw ?? "")
    .slice(0, 4 * SEARCH_TEXT_MAX)
    .replace(/[\ud800-\udbff]$/, "")
    .replaceAll(/[\u0000-\u001f\u007f\s]+/g, " ")
    .trim();
  return [...text].slice(0, SEARCH_TEXT_MAX).join("").trim();
}

/** Characters as SQLite counts them. */
export function searchLength(text: string): number {
  return [...text].length;
}

/** Text as one phrase of an FTS5 query: nothing in it is an operator. */
export function asPhrase(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

export function writeSearchCursor(cursor: SearchCursor): string {
  return `${cursor.phase === "name" ? "n" : "d"}${cursor.row}`;
}

/** Null for anything that is not a cursor of ours. */
export function readSearchCursor(text: string | null): SearchCursor | null {
  const match = /^([nd])(\d{1,15})$/.exec(text ?? "");
  return match ? { phase: match[1] === "n" ? "name" : "description", row: Number(match[2]) } : null;
}

/** Text cut at each place where `wanted` stands, whatever the case: the odd parts are the matches. */
export function splitAtMatches(text: string, wanted: string): string[] {
  if (wanted === "") return [text];
  return text.split(new RegExp(`(${escapeForPattern(wanted)})`, "giu"));
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

function escapeForPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
