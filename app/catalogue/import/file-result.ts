import type { CellErrors, Cells } from "./listing-columns.ts";
import { errorLines, type FileListing, writeBadRows } from "./listing-file.ts";
import type { PlannedRow } from "./plan-listing-file.server.ts";

/** How many bad rows, and how many good ones, the page shows. */
const BAD_SHOWN = 50;
const GOOD_SHOWN = 5;

/** A row that isn't imported, and why. */
export interface BadRow {
  line: number;
  cells: Cells;
  errors: CellErrors;
  /** The errors in words, because the page doesn't know all columns. */
  errorLines: string[];
}

/** A row that will be imported. */
export interface GoodRow {
  line: number;
  isNew: boolean;
  listing: FileListing;
}

/** What the page shows of a file that was checked or imported. */
export interface FileResult {
  fileName: string;
  counts: Record<PlannedRow["state"], number>;
  /** The first rows with errors. */
  bad: BadRow[];
  /** All of them, as a file to correct and to send again. */
  badFile: string;
  /** The first good rows. */
  good: GoodRow[];
  /** The number of rows that change the stock of a listing. */
  stockChanges: number;
}

export function resultOf(fileName: string, rows: readonly PlannedRow[]): FileResult {
  const bad = rows.flatMap((row) => (row.state === "bad" ? [row] : []));
  const good = rows.flatMap((row) => (row.state === "created" || row.state === "updated" ? [row] : []));
  const countOf = (state: PlannedRow["state"]) => rows.filter((row) => row.state === state).length;
  return {
    fileName: cleanName(fileName),
    counts: {
      created: countOf("created"),
      updated: countOf("updated"),
      unchanged: countOf("unchanged"),
      bad: bad.length,
    },
    bad: bad
      .slice(0, BAD_SHOWN)
      .map(({ line, cells, errors }) => ({ line, cells, errors, errorLines: errorLines(errors) })),
    badFile: bad.length > 0 ? writeBadRows(bad) : "",
    good: good.slice(0, GOOD_SHOWN).map(({ line, state, listing }) => ({ line, isNew: state === "created", listing })),
    stockChanges: good.filter((row) => row.state === "updated" && row.listing.stock !== row.found.stock).length,
  };
}

/** The file's name for the page: no path, no control characters, and not too long. */
function cleanName(fileName: string): string {
  const name = (fileName.split(/[\\/]/).at(-1) ?? "").replaceAll(/[\p{C}]+/gu, "").trim();
  return name.slice(0, 80) || "listings.csv";
}
