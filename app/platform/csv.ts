/** CSV files that spreadsheets open. */

/**
 * What a spreadsheet would run as a formula, or save as another number: without its first zeros, or a barcode as
 * 6.16E+12. With any apostrophes before it.
 */
const CHANGED = /^'*(?:[=+\-@\t\r\n＝＋－＠]|(?:0\d+|\d{12,}|\d+E\d+)$)/i;

/** Rows as a CSV file. A value that a spreadsheet would run or shorten begins with an apostrophe. */
export function writeCsv(
  rows: readonly (readonly string[])[],
  isGuarded = (value: string) => CHANGED.test(value),
): string {
  return rows.map((row) => row.map((value) => csvCell(value, isGuarded)).join(",")).join("\r\n");
}

function csvCell(value: string, isGuarded: (value: string) => boolean): string {
  const safe = isGuarded(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Months as spreadsheets of our region and of phones set to other languages know them. */
const MONTHS = ["en", "sw", "fr", "de", "es", "pt", "it", "nl", "so"].flatMap((language) =>
  (["short", "long"] as const).flatMap((month) =>
    Array.from({ length: 12 }, (_, n) =>
      new Intl.DateTimeFormat(language, { month, timeZone: "UTC" }).format(Date.UTC(2026, n, 15)).toLowerCase(),
    ),
  ),
);

/** Whether a word may be a month's: its first three letters are enough for a spreadsheet. */
function isMonth(word: string): boolean {
  return word.length >= 3 && MONTHS.some((month) => month.startsWith(word.toLowerCase()));
}

/** Nothing but digits, words, and the marks of dates, times and amounts. */
const OF_A_NUMBER = /^[\p{Nd}\p{L}\p{M}\s.,:/%()'’\p{Pd}−\p{Sc}]+$/u;
const WORD_OF_A_NUMBER = /^(?:e|a|p|am|pm|t|z|kes|kshs?)$/i;

/**
 * Whether a spreadsheet may save a text as something else: what `writeCsv` guards, and what it takes for a date, a time
 * or an amount, as in "MAR-12", "12:85" and "3.10". Whole numbers stay as they are.
 */
export function mayChange(text: string): boolean {
  if (CHANGED.test(text)) return true;
  const bare = text.replace(/^'+/, "").trim();
  if (/^(?:true|false)$/i.test(bare)) return true;
  if (/^(?:0|[1-9]\d*)$/.test(bare) || !/\p{Nd}/u.test(bare) || !OF_A_NUMBER.test(bare)) return false;
  return (bare.match(/\p{L}+/gu) ?? []).every((word) => WORD_OF_A_NUMBER.test(word) || isMonth(word));
}

const SHORT_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)";
const LONG_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)";
/** A day with its month and year, which may have two digits, and perhaps the time that a cell of dates has besides. */
const DAY = "(?:0?[1-9]|[12]\\d|3[01])";
/** What spreadsheets write for a time, a fraction and a date. */
const MADE = [
  /^\d{1,4}:\d{2,}(?::\d{2})?(?: ?[ap]m)?$/i,
  /^\d*[.,]\d*[1-9]$/,
  /^(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{4})(?: \d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?)?$/i,
  new RegExp(`^${DAY}([-/.])${DAY}\\1\\d{2}$`),
  new RegExp(`^(?:${DAY} ${LONG_MONTH},? \\d{4}|${LONG_MONTH} ${DAY}, \\d{4})$`, "i"),
  new RegExp(`^(?:\\d{1,2}[- ]${SHORT_MONTH}(?:[- ]\\d{2,4})?|${SHORT_MONTH}[- ]\\d{2,4})$`),
];

/** What spreadsheets show in place of a value: an error of a formula, or that the column is too narrow. */
const ERROR = /^(?:#(?:NAME\?|REF!|VALUE!|DIV\/0!|NUM!|N\/A|NULL!|ERROR!|SPILL!|CALC!)|#{3,}|Err:\d{3})$/i;

export function isSpreadsheetError(cell: string): boolean {
  return ERROR.test(cell);
}

/**
 * Whether a spreadsheet may have made a cell of another one: "13:25" of "12:85", "3.1" of "3.10", "Mar-12" of "MAR-12".
 */
export function mayBeMade(cell: string): boolean {
  return MADE.some((made) => made.test(cell));
}

/** The value of a cell that was written: without the apostrophe in front of what a spreadsheet may change. */
export function cellValue(cell: string): string {
  return cell.startsWith("'") && mayChange(cell.slice(1)) ? cell.slice(1) : cell;
}

/** A CSV file as a download. The byte order mark tells Excel that it is UTF-8. */
export function csvResponse(fileName: string, csv: string): Response {
  return new Response(`\uFEFF${csv}`, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${fileName}"`,
      "Cache-Control": "private, no-store",
    },
  });
}
