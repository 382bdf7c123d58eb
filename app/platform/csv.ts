/** CSV files that spreadsheets open. */

/**
 * What a spreadsheet would run as a formula, or save as another number: without its first zeros, or a barcode as 6.16E+12.
 * With any apostrophes before it.
 */
const CHANGED = /^'*(?:[=+\-@\t\r\n＝＋－＠]|(?:0\d+|\d{12,}|\d+E\d+)$)/i;

/** Rows as a CSV file. A value that a spreadsheet would run or change begins with an apostrophe. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(csvCell).join(",")).join("\r\n");
}

function csvCell(value: string): string {
  const safe = CHANGED.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** The value of a cell that `writeCsv` wrote: without the apostrophe that it added. */
export function cellValue(cell: string): string {
  return cell.startsWith("'") && CHANGED.test(cell.slice(1)) ? cell.slice(1) : cell;
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
