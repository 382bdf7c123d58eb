import Papa from "papaparse";
import { cellValue } from "#app/platform/csv.ts";
import { readTextFile } from "#app/platform/text-file.ts";
import { visibleText } from "#app/platform/visible-text.ts";
import {
  type Cells,
  type Column,
  columnOf,
  COLUMN_HEADERS,
  COLUMNS,
  FILE_MAX,
  type FileRow,
  isVersionHeader,
  tidyCell,
} from "./listing-file.ts";

/** Why a file can't be read at all, as a sentence for its sender. */
type FileReading = { ok: true; rows: FileRow[] } | { ok: false; error: string };

/** The delimiters of spreadsheets. Excel writes semicolons where the comma is the decimal sign. */
const DELIMITERS = [",", ";", "\t"] as const;

/** Reads a file of listings as spreadsheets save them. Checks its shape only, not what its cells say. */
export function readListingFile(bytes: Uint8Array): FileReading {
  if (bytes.byteLength > FILE_MAX.bytes) return { ok: false, error: FILE_TEXTS.too_large };
  const decoded = readTextFile(bytes);
  if (!decoded.ok) return decoded;
  // One kind of line break everywhere, inside quoted cells, too.
  const text = visibleText(decoded.text).replaceAll(/\r\n?/g, "\n");
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
  const versionAt = (data[head] ?? []).findIndex(isVersionHeader);
  const rows = filled.map(({ line, row }) => {
    const version = tidyCell(row[versionAt] ?? "");
    return { line, cells: cellsIn(row, header.columns), ...(version !== "" && { version }) };
  });
  return { ok: true, rows };
}

const FILE_TEXTS = {
  too_large: `This file is larger than 1 MB. Please split it into smaller files.`,
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
  return columns.map((column) => column && COLUMN_HEADERS[column]).join(", ");
}

function cellsIn(row: readonly string[], columns: readonly (Column | null)[]): Cells {
  const cells = Object.fromEntries(COLUMNS.map((column) => [column, ""])) as Cells;
  for (const [index, column] of columns.entries()) {
    if (column !== null) cells[column] = tidyCell(cellValue(row[index] ?? ""));
  }
  return cells;
}
