import Papa from "papaparse";
import { cellValue, isSpreadsheetError, mayBeMade } from "#app/platform/csv.ts";
import { readTextFile } from "#app/platform/text-file.ts";
import { visibleText } from "#app/platform/visible-text.ts";
import {
  type CellErrors,
  type Cells,
  type Column,
  COLUMNS,
  ERROR_TEXT,
  FILE_MAX,
  GUARDED,
  MADE_TEXTS,
} from "./listing-columns.ts";
import {
  columnOf,
  FACT_COLUMNS,
  type FileRow,
  headerOf,
  isVersion,
  isVersionHeader,
  tidyCell,
} from "./listing-file.ts";

/** Why a file can't be read at all, as a sentence for its sender. */
type FileReading = { ok: true; text: string; rows: FileRow[] } | { ok: false; error: string };

/** The delimiters of spreadsheets. Excel writes semicolons where the comma is the decimal sign. */
const DELIMITERS = [",", ";", "\t"] as const;

/**
 * Reads a file of listings as spreadsheets save them. Checks its shape only, not what its cells say. `text` reads the
 * same.
 */
export function readListingFile(bytes: Uint8Array): FileReading {
  if (bytes.byteLength > FILE_MAX.bytes) return { ok: false, error: FILE_TEXTS.too_large };
  const decoded = readTextFile(bytes);
  if (!decoded.ok) return decoded;
  // One kind of line break everywhere, inside quoted cells, too.
  const text = visibleText(decoded.text).replaceAll(/\r\n?/g, "\n");
  if (new TextEncoder().encode(JSON.stringify(text)).byteLength > FILE_MAX.jsonBytes)
    return { ok: false, error: FILE_TEXTS.too_large };
  // Excel reads and hides this first line.
  const [, named] = /^sep=(.)\n/i.exec(text) ?? [];
  const body = named ? text.slice(6) : text;
  if (body.trim() === "") return { ok: false, error: FILE_TEXTS.empty };

  const delimiter = DELIMITERS.find((known) => known === named) ?? delimiterOf(body);
  const { data, errors } = Papa.parse<string[]>(body, { delimiter, newline: "\n" });
  const [broken] = errors.filter(({ type }) => type === "Quotes");
  if (broken) return { ok: false, error: quotesText((broken.row ?? 0) + 1) };

  const head = data.findIndex(isFilled);
  const header = readHeader(data[head] ?? []);
  if (!header.ok) return header;
  const filled = data.flatMap((row, index) => (index > head && isFilled(row) ? [{ line: index + 1, row }] : []));
  if (filled.length === 0) return { ok: false, error: FILE_TEXTS.no_rows };
  if (filled.length > FILE_MAX.rows) return { ok: false, error: tooManyRows(filled.length) };
  const long = filled.find(({ row }) => row.reduce((length, cell) => length + cell.length, 0) > FILE_MAX.rowLength);
  if (long) return { ok: false, error: quotesText(long.line) };
  const names = data[head] ?? [];
  const versionAt = names.findIndex(isVersionHeader);
  const ignores = names.some((name, at) => header.columns[at] === null && at !== versionAt && name.trim() !== "");
  // Some programs end every row with empty cells.
  const width = ignores ? names.length : Math.max(names.length, Math.min(...filled.map(({ row }) => row.length)));
  const rows = filled.map(({ line, row }): FileRow => {
    // Without quotation marks "12,500" is two cells, and each cell behind it is another column's. What is pushed out
    // may be empty.
    if (row.length > width || isFilled(row.slice(names.length)))
      return { line, cells: { ...NO_CELLS, sku: cellsIn(row, header.columns).sku }, unclear: { row: TOO_MANY_CELLS } };
    const version = tidyCell(row[versionAt] ?? "");
    const unclear = unclearIn(row, header.columns);
    if (version !== "" && !isVersion(version)) unclear.row = NO_VERSION;
    return {
      line,
      cells: cellsIn(row, header.columns),
      ...(version !== "" && { version }),
      ...(Object.keys(unclear).length > 0 && { unclear }),
    };
  });
  return { ok: true, text, rows };
}

const NO_CELLS = Object.fromEntries(COLUMNS.map((column) => [column, ""])) as Cells;

const TOO_MANY_CELLS =
  "This row has more cells than the header. Put quotation marks around what has a comma or a semicolon in it, or write 12500 instead of 12,500";
const NO_VERSION = "This isn't what we wrote in “Version”. Leave that cell as it was exported, or empty it";

/** Cells that a spreadsheet may have made of others, and its errors. What we exported has an apostrophe before it. */
function unclearIn(row: readonly string[], columns: readonly (Column | null)[]): CellErrors {
  const cellOf = (column: Column) => (row[columns.indexOf(column)] ?? "").trim();
  const made = GUARDED.filter((column) => mayBeMade(cellOf(column)));
  const failed = [...COLUMNS, ...FACT_COLUMNS].filter((column) => isSpreadsheetError(cellOf(column)));
  return Object.fromEntries([
    ...made.map((column) => [column, MADE_TEXTS[column]]),
    ...failed.map((column) => [column, ERROR_TEXT]),
  ]);
}

const FILE_TEXTS = {
  too_large: "This file is larger than 1 MB. Please split it into smaller files.",
  empty: "This file is empty.",
  no_rows: "This file has a header but no rows.",
} as const;

function quotesText(line: number): string {
  return `We can't read line ${line}. A quotation mark (") may be missing or in the wrong place there.`;
}

function tooManyRows(rows: number): string {
  const [most, found] = [FILE_MAX.rows, rows].map((count) => count.toLocaleString("en"));
  return `This file has ${found} rows. We import at most ${most} at a time, so please split it into smaller files.`;
}

/** The delimiter that makes the most known columns of the first row. */
function delimiterOf(body: string): string {
  const [head = ""] = body.trimStart().split("\n");
  const known = (delimiter: string) => head.split(delimiter).filter((name) => columnOf(name) !== null).length;
  return DELIMITERS.reduce((best, delimiter) => (known(delimiter) > known(best) ? delimiter : best));
}

function isFilled(row: readonly string[]): boolean {
  return row.some((cell) => cell.trim() !== "");
}

/** Which column each cell is in; null for columns that we don't know. */
function readHeader(names: readonly string[]): { ok: true; columns: (Column | null)[] } | { ok: false; error: string } {
  const columns = names.map(columnOf);
  const missing = COLUMNS.filter((column) => !columns.includes(column));
  if (missing.length === COLUMNS.length)
    return { ok: false, error: "We can't find the header. The first row must name the columns, as in the template." };
  if (missing.length > 0) return { ok: false, error: `These columns are missing: ${headers(missing)}.` };
  const twice = columns.filter((column, index) => column !== null && columns.indexOf(column) < index);
  if (twice.length > 0) return { ok: false, error: `These columns appear twice: ${headers(twice)}.` };
  return { ok: true, columns };
}

function headers(columns: readonly (Column | null)[]): string {
  return columns.map((column) => column && headerOf(column)).join(", ");
}

function cellsIn(row: readonly string[], columns: readonly (Column | null)[]): Cells {
  const cells = { ...NO_CELLS };
  for (const [index, column] of columns.entries()) {
    if (column !== null) cells[column] = tidyCell(cellValue(row[index] ?? ""));
  }
  return cells;
}
