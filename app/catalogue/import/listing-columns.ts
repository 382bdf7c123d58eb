/** The columns of a file of listings. The import page loads them, and not the rules of listings. */

/** The columns in order, with what their header says. */
export const COLUMN_HEADERS = {
  sku: "SKU",
  name: "Name",
  description: "Description",
  price: "Price",
  originalPrice: "Original price",
  category: "Category",
  condition: "Condition",
  stock: "Stock",
  minQuantity: "Smallest order",
  steps: "Price steps",
  takesOffers: "Takes offers",
  lowestOffer: "Lowest offer",
} as const;

export type Column = keyof typeof COLUMN_HEADERS;
export const COLUMNS = Object.keys(COLUMN_HEADERS) as Column[];

/** A row's cells, as they stand in the file, without spaces around them. */
export type Cells = Record<Column, string>;
/** What is wrong in a column, or with the row as a whole. */
export type CellErrors = Partial<Record<Column | "row", string>>;

/**
 * Most rows and bytes of one file, so that one request can write it. `jsonBytes`: of its text in JSON, because its listings
 * are values of a statement, which D1 limits to 2 MB.
 */
export const FILE_MAX = { rows: 500, bytes: 1_000_000, jsonBytes: 1_500_000, rowLength: 20_000 } as const;

/** The columns whose cells mean another listing or price once a spreadsheet has changed them, and what their seller reads. */
export const GUARDED = ["sku", "steps"] as const satisfies readonly Column[];
export const MADE_TEXTS: Record<(typeof GUARDED)[number], string> = {
  sku: "A spreadsheet may have changed this code. If it is right, write an apostrophe (') before it. Otherwise format the column as text, and enter the code again",
  steps: "A spreadsheet may have changed this to a time or a date. Write a semicolon after each step, as in 12:85;",
};

/** What a seller reads at a cell that has an error of their spreadsheet. */
export const ERROR_TEXT =
  "Your spreadsheet shows an error here, or the column is too narrow. Correct the cell, and save the file again";

/** "Price: Price is required", in the order of the columns. First what is wrong with the row as a whole. */
export function errorLines(errors: CellErrors): string[] {
  const columns = COLUMNS.flatMap((column) => (errors[column] ? [`${COLUMN_HEADERS[column]}: ${errors[column]}`] : []));
  return errors.row ? [errors.row, ...columns] : columns;
}
