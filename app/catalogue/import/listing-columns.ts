/**
 * The columns of a file of listings. The import page loads them, and neither the rules of listings nor the table of
 * facts.
 */
import type { FactField } from "#app/catalogue/facts/fact-field-rules.ts";

/** The columns that every file has, in order, with what their header says. Those of facts follow (`FACT_COLUMNS`). */
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

export type OwnColumn = keyof typeof COLUMN_HEADERS;
export type Column = OwnColumn | FactField;
export const COLUMNS = Object.keys(COLUMN_HEADERS) as OwnColumn[];

/** A row's cells, as they stand in the file, without spaces around them. A file may be without columns of facts. */
export type Cells = Record<OwnColumn, string> & { [fact: FactField]: string };
/** What is wrong in a column, or with the row as a whole. */
export type CellErrors = Partial<Record<Column | "row", string>>;

/**
 * Most rows and bytes of one file, so that one request can write it. `jsonBytes`: of its text in JSON, because its
 * listings are values of a statement, which D1 limits to 2 MB.
 */
export const FILE_MAX = { rows: 500, bytes: 1_000_000, jsonBytes: 1_500_000, rowLength: 20_000 } as const;

/**
 * The columns whose cells mean another listing or price once a spreadsheet has changed them, and what their seller
 * reads.
 */
export const GUARDED = ["sku", "steps"] as const satisfies readonly Column[];
export const MADE_TEXTS: Record<(typeof GUARDED)[number], string> = {
  sku: "A spreadsheet may have changed this code. If it is right, write an apostrophe (') before it. Otherwise format the column as text, and enter the code again",
  steps: "A spreadsheet may have changed this to a time or a date. Write a semicolon after each step, as in 12:85;",
};

/** What a seller reads at a cell that has an error of their spreadsheet. */
export const ERROR_TEXT =
  "Your spreadsheet shows an error here, or the column is too narrow. Correct the cell, and save the file again";
