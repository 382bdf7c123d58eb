/** A file of listings: its columns, how a row becomes a listing, and how a listing becomes a row. */
import { mayBeMade, mayChange, writeCsv } from "#app/platform/csv.ts";
import { mergeEdit } from "#app/platform/edit-rules.ts";
import { FACTS } from "#app/catalogue/facts/fact-table.ts";
import type { Fact } from "#app/catalogue/facts/fact.ts";
import { type ChosenFacts, type FactField, factField, factOfField } from "#app/catalogue/facts/fact-field-rules.ts";
import { inTableOrder, NOT_SAID_LABEL, type readChosen, valueText } from "#app/catalogue/facts/listing-facts.ts";
import { CONDITION_LABELS } from "#app/catalogue/catalogue-rules.ts";
import { CONDITIONS } from "#app/catalogue/labels.ts";
import { readPrice } from "#app/catalogue/selling/listing-price-rules.ts";
import { type Listing, readListing } from "#app/catalogue/selling/listing-rules.ts";
import {
  EMPTY_LISTING,
  EMPTY_WHOLESALE,
  type ListingErrors,
  STEP_ROWS,
} from "#app/catalogue/selling/listing-form-rules.ts";
import type { PriceStep } from "#app/catalogue/selling/price-step-rules.ts";
import {
  readSku,
  readTerms,
  type WholesaleErrors,
  type WholesaleTerms,
} from "#app/catalogue/selling/wholesale-rules.ts";
import {
  type CellErrors,
  type Cells,
  type Column,
  COLUMN_HEADERS,
  COLUMNS,
  GUARDED,
  type OwnColumn,
} from "./listing-columns.ts";

/** A row that was read, with the number that a spreadsheet gives it. */
export interface FileRow {
  line: number;
  cells: Cells;
  /** What its listing was like when it was exported (`versionOf`), where the file says so. */
  version?: string;
  /** What nobody may guess: cells that a spreadsheet or a comma has changed. */
  unclear?: CellErrors;
}

/** A listing with everything that a file says about it. */
export interface FileListing extends Listing {
  /** What its seller says of its facts; and what they said before, where the file has no such column. */
  factsChosen: ChosenFacts;
  sku: string;
  terms: WholesaleTerms;
}

/** The columns of facts, which come after the others. Files from before a fact are without its column. */
export const FACT_COLUMNS = FACTS.map(({ id }) => factField(id));

const HEADERS: Readonly<Record<Column, string>> = {
  ...COLUMN_HEADERS,
  ...Object.fromEntries(FACTS.map(({ id, label }) => [factField(id), label])),
};

const ALL_COLUMNS: readonly Column[] = [...COLUMNS, ...FACT_COLUMNS];

/** What a header says. */
export function headerOf(column: Column): string {
  return HEADERS[column] ?? column;
}

/** "Price: Price is required", in the order of the columns. First what is wrong with the row as a whole. */
export function errorLines(errors: CellErrors): string[] {
  const columns = ALL_COLUMNS.flatMap((column) => (errors[column] ? [`${headerOf(column)}: ${errors[column]}`] : []));
  return errors.row ? [errors.row, ...columns] : columns;
}

/** The column of a header, whatever its case, spaces and underscores; null for others. */
export function columnOf(header: string): Column | null {
  return NAMES.get(plain(header)) ?? null;
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

const NAMES = new Map<string, Column>([
  ...COLUMNS.map((column) => [plain(column), column] as const),
  ...ALL_COLUMNS.map((column) => [plain(headerOf(column)), column] as const),
  ["pricekes", "price"],
  ["pricesteps", "steps"],
]);

/** What a row is checked against. */
export interface RowContext {
  /** The id of the approved category of this name or id; null when there is none. */
  categoryId(nameOrId: string): string | null;
  /** The category that the listing has now, which it may keep. */
  ownCategory: string | null;
  /** Names like the given one, for the error. */
  similarCategories(name: string): string[];
  /** What the cells of facts say of such a listing, by the ids of the facts. */
  readFacts(listing: Pick<Listing, "name" | "category" | "facts">): ReturnType<typeof readChosen>;
  /** What the seller chose before. */
  ownFacts: ChosenFacts;
}

type RowReading = { ok: true; listing: FileListing } | { ok: false; errors: CellErrors };

/** Returns the listing of a row, or what is wrong in each column. The rules are those of the listing form. */
export function readRow(cells: Cells, context: RowContext): RowReading {
  const category = categoryOf(cells.category, context);
  const takesOffers = readYesNo(cells.takesOffers);
  const base = readListing({
    ...EMPTY_LISTING,
    name: cells.name,
    description: cells.description,
    price: cells.price,
    originalPrice: cells.originalPrice,
    category: category ?? cells.category,
    condition: conditionOf(cells.condition),
    stock: cells.stock,
    madeToOrder: cells.stock === "" ? "on" : "",
    // A file may say that something is sold out.
    stockSeen: "0",
    takesOffers: takesOffers ? "on" : "",
    lowestOffer: cells.lowestOffer,
    ...Object.fromEntries(columnsIn(cells).map((column) => [column, cells[column]])),
  });
  const errors: CellErrors = base.ok ? {} : columnErrors(base.errors);
  const facts = base.ok ? context.readFacts(base.listing) : { ok: true as const, chosen: {} };
  if (!facts.ok) for (const [id, error] of Object.entries(facts.errors)) errors[factField(id)] = error;
  if (category === null && cells.category !== "") errors.category = unknownCategory(cells.category, context);
  if (cells.condition !== "" && conditionOf(cells.condition) === "")
    errors.condition = `Use one of: ${Object.values(CONDITION_LABELS).join(", ")}`;

  const sku = readSku(cells.sku);
  if (!sku.ok) errors.sku = sku.error;
  else if (sku.sku !== null && /^\d(?:[.,]\d+)?E[+-]\d+$/i.test(sku.sku))
    errors.sku = "Your spreadsheet shortened this code. Format the column as text, and enter the code again";
  else if (sku.sku === null) errors.sku = "Enter your own code for this product, so that we can find it again";

  const price = readPrice(cells.price);
  const terms = readTermCells(cells, typeof price === "number" ? price : null);
  if (!terms.ok) Object.assign(errors, terms.errors);

  if (takesOffers === null) errors.takesOffers = "Enter yes or no";
  else if (!takesOffers && cells.lowestOffer !== "")
    errors.lowestOffer = "Leave this empty, or enter yes in Takes offers";

  if (Object.keys(errors).length > 0 || !base.ok || !sku.ok || sku.sku === null || !terms.ok || !facts.ok)
    return { ok: false, errors };
  const kept = Object.entries(context.ownFacts).filter(([id]) => !(factField(id) in cells));
  const factsChosen = inTableOrder({ ...Object.fromEntries(kept), ...facts.chosen });
  return { ok: true, listing: { ...base.listing, factsChosen, sku: sku.sku, terms: terms.terms } };
}

/** The columns of facts that a row's file has. */
function columnsIn(cells: Cells): FactField[] {
  return FACT_COLUMNS.filter((column) => column in cells);
}

function categoryOf(cell: string, context: RowContext): string | null {
  return context.categoryId(cell) ?? (cell !== "" && cell === context.ownCategory ? cell : null);
}

function unknownCategory(cell: string, context: RowContext): string {
  const similar = context.similarCategories(cell);
  const mean =
    similar.length > 0 ? ` Did you mean ${similar.join(" or ")}?` : " The page lists the names to choose from.";
  return `No category is called “${cell.slice(0, 60)}”.${mean}`;
}

/** The condition's code, for its label or its code; empty for anything else. */
function conditionOf(cell: string): string {
  const asked = plain(cell);
  return CONDITIONS.find((code) => plain(code) === asked || plain(CONDITION_LABELS[code]) === asked) ?? "";
}

function columnErrors(errors: ListingErrors): CellErrors {
  const kept = ALL_COLUMNS.flatMap((column) => {
    const error = (errors as Partial<Record<string, string>>)[column];
    return error ? [[column, error]] : [];
  });
  return Object.fromEntries(kept);
}

/** Reads the smallest order and the steps, which a file writes as "12:85; 48:80". */
function readTermCells(
  cells: Cells,
  price: number | null,
): { ok: true; terms: WholesaleTerms } | { ok: false; errors: CellErrors } {
  const parts = cells.steps.split(/[;\n]/).flatMap((part) => part.trim() || []);
  if (parts.length > STEP_ROWS.length)
    return { ok: false, errors: { steps: `Enter at most ${STEP_ROWS.length} price steps` } };
  const values = { ...EMPTY_WHOLESALE, minQuantity: cells.minQuantity };
  for (const [index, part] of parts.entries()) {
    const row = STEP_ROWS[index];
    const [from = "", cost, ...more] = part.split(":");
    if (row === undefined || cost === undefined || more.length > 0) return { ok: false, errors: { steps: STEPS_HINT } };
    values[`stepFrom${row}`] = from.trim();
    values[`stepPrice${row}`] = cost.trim();
  }
  const reading = readTerms(values, price);
  return reading.ok ? reading : { ok: false, errors: termErrors(reading.errors) };
}

const STEPS_HINT = "Write each step as pieces:price, with ; between them, as in 12:85; 48:80";

function termErrors({ minQuantity, ...others }: WholesaleErrors): CellErrors {
  const [step] = Object.values(others);
  return { ...(minQuantity && { minQuantity }), ...(step && { steps: step }) };
}

/** Empty means no. Null for anything that says neither. */
function readYesNo(cell: string): boolean | null {
  const word = cell.toLowerCase();
  if (["yes", "y", "true", "1"].includes(word)) return true;
  return ["", "no", "n", "false", "0"].includes(word) ? false : null;
}

/** A listing as the database has it. */
export interface CurrentListing {
  id: string;
  /** Null for a listing that has none. */
  sku: string | null;
  name: string;
  description: string;
  price: number;
  originalPrice: number | null;
  category: string | null;
  /** Null for a plain text category. */
  categoryName: string | null;
  condition: Listing["condition"];
  stock: number | null;
  reserved: number;
  minQuantity: number;
  steps: PriceStep[];
  takesOffers: boolean;
  lowestOffer: number | null;
  type: string | null;
  typeChosen: boolean;
  factsChosen: ChosenFacts;
}

/** A listing as a row of a file. One without a SKU goes by its id, by which an import finds it again. */
export function cellsOf(listing: CurrentListing): Cells {
  const cells: Cells = {
    sku: listing.sku ?? listing.id,
    name: listing.name,
    description: listing.description,
    price: String(listing.price),
    originalPrice: numberCell(listing.originalPrice),
    category: listing.categoryName ?? listing.category ?? "",
    condition: CONDITION_LABELS[listing.condition],
    stock: numberCell(listing.stock),
    minQuantity: listing.minQuantity > 1 ? String(listing.minQuantity) : "",
    steps: listing.steps.map(({ fromQuantity, price }) => `${fromQuantity}:${price}`).join("; "),
    takesOffers: listing.takesOffers ? "yes" : "no",
    lowestOffer: numberCell(listing.lowestOffer),
    ...Object.fromEntries(FACTS.map((fact) => [factField(fact.id), factCell(fact, listing.factsChosen[fact.id])])),
  };
  for (const column of ALL_COLUMNS) cells[column] = tidyCell(cells[column] ?? "");
  return cells;
}

/** Empty where the seller leaves it to the name. */
function factCell(fact: Fact, chosen: string | null | undefined): string {
  if (chosen === undefined) return "";
  return chosen === null ? NOT_SAID_LABEL : valueText(fact, chosen);
}

function numberCell(value: number | null): string {
  return value === null ? "" : String(value);
}

/** A cell as it is compared: with one kind of line break, and no spaces around it. */
export function tidyCell(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").trim();
}

/** Whether a row says exactly what the listing says already, even if the form would refuse it today. */
export function isSameRow(cells: Cells, current: CurrentListing): boolean {
  const now = cellsOf(current);
  return [...COLUMNS, ...columnsIn(cells)].every((column) => cells[column] === now[column]);
}

/** Whether a listing already is as a row wants it. */
export function isSameListing(listing: FileListing, current: CurrentListing): boolean {
  return (
    listing.name === current.name &&
    listing.description === current.description &&
    listing.price === current.price &&
    listing.originalPrice === current.originalPrice &&
    listing.category === current.category &&
    listing.condition === current.condition &&
    listing.stock === current.stock &&
    listing.terms.minQuantity === current.minQuantity &&
    JSON.stringify(listing.terms.steps) === JSON.stringify(current.steps) &&
    JSON.stringify(listing.factsChosen) === JSON.stringify(current.factsChosen) &&
    listing.takesOffers === current.takesOffers &&
    listing.lowestOffer === current.lowestOffer
  );
}

/** The column of an export that says what each listing was like then. Other files don't need it. */
const VERSION_HEADER = "Version (leave as it is)";

/** Whether a cell in that column is one that we wrote. */
export function isVersion(cell: string): boolean {
  return readVersion(cell) !== null;
}

export function isVersionHeader(header: string): boolean {
  return plain(header) === plain(VERSION_HEADER);
}

/** All facts are one, so that a new one changes no version. */
type Field = Exclude<OwnColumn, "sku"> | "facts";
const FIELDS: readonly Field[] = [...COLUMNS.filter((column) => column !== "sku"), "facts"];
/** Prices depend on each other, so they are changed as one. */
const UNITS: readonly (readonly Field[])[] = [
  ["price", "originalPrice", "minQuantity", "steps", "takesOffers", "lowestOffer"],
];

type Fields = Omit<CurrentListing, "id" | "sku" | "categoryName" | "reserved" | "type" | "typeChosen">;

/** A short hash of each field: enough to tell that it has changed. */
function fieldHashes(listing: Fields): Record<Field, string> {
  const { name, description, price, originalPrice, category, condition, stock, minQuantity, lowestOffer } = listing;
  const texts = { name, description, price, originalPrice, category, condition, stock, minQuantity, lowestOffer };
  const all: Record<Field, unknown> = {
    ...texts,
    steps: JSON.stringify(listing.steps),
    takesOffers: listing.takesOffers,
    facts: JSON.stringify(listing.factsChosen),
  };
  return Object.fromEntries(FIELDS.map((field) => [field, hashOf(tidyCell(String(all[field] ?? "")))])) as Record<
    Field,
    string
  >;
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Tells later what has changed since. It begins with a letter, so that a spreadsheet leaves it as it is. */
export function versionOf(listing: Fields): string {
  return writeVersion(fieldHashes(listing));
}

function writeVersion(hashes: Readonly<Record<Field, string>>): string {
  return ["v", ...FIELDS.map((field) => hashes[field])].join(".");
}

/** Null for a text that is no version. One from before there were facts says nothing of them. */
function readVersion(version = ""): Partial<Record<Field, string>> | null {
  const [mark, ...hashes] = version.split(".");
  const isKnown = hashes.length === FIELDS.length || hashes.length === FIELDS.length - 1;
  if (mark !== "v" || !isKnown || hashes.some((hash) => !/^[0-9a-z]{1,7}$/.test(hash))) return null;
  return Object.fromEntries(FIELDS.slice(0, hashes.length).map((field, n) => [field, hashes[n]]));
}

/**
 * A row with what was changed since `version` where the row has no change of its own. `conflicts`: the columns that
 * both changed; `version`: for a row that is sent again after its sender has seen them.
 */
export function mergeRow(
  row: FileListing,
  version: string | undefined,
  current: CurrentListing,
): { listing: FileListing; conflicts: Column[]; version: string } {
  const now = fieldHashes(current);
  const merged = mergeEdit<Field>(
    { opened: readVersion(version), now, mine: fieldHashes({ ...row, ...row.terms }) },
    UNITS,
  );
  const changed = columnsIn(cellsOf(current)).filter((column) => {
    const id = factOfField(column) ?? "";
    return row.factsChosen[id] !== current.factsChosen[id];
  });
  const isTheirs = (field: Field) => merged.values[field] === now[field];
  const pick = <Name extends Field & keyof Fields>(field: Name, mine: Fields[Name]): Fields[Name] =>
    isTheirs(field) ? current[field] : mine;
  return {
    listing: {
      ...row,
      name: pick("name", row.name),
      description: pick("description", row.description),
      price: pick("price", row.price),
      originalPrice: pick("originalPrice", row.originalPrice),
      category: pick("category", row.category) ?? row.category,
      condition: pick("condition", row.condition),
      stock: pick("stock", row.stock),
      factsChosen: isTheirs("facts") ? current.factsChosen : row.factsChosen,
      takesOffers: pick("takesOffers", row.takesOffers),
      lowestOffer: pick("lowestOffer", row.lowestOffer),
      terms: {
        ...row.terms,
        minQuantity: pick("minQuantity", row.terms.minQuantity),
        steps: pick("steps", row.terms.steps),
      },
    },
    conflicts: merged.conflicts.flatMap(({ field }): Column[] => (field === "facts" ? changed : [field])),
    version: writeVersion(merged.opened),
  };
}

const HEADER = ALL_COLUMNS.map(headerOf);

export function writeListings(listings: readonly CurrentListing[]): string {
  const rows = listings.map((listing) => [...rowOf(cellsOf(listing)), versionOf(listing)]);
  return writeCsv([[...HEADER, VERSION_HEADER], ...rows], mayChange);
}

function rowOf(cells: Cells, columns = ALL_COLUMNS): string[] {
  return columns.map((column) => cells[column] ?? "");
}

/**
 * Rows with their errors in one more column. An import ignores that column, so the corrected file can be sent as it is.
 */
export function writeBadRows(
  rows: readonly Pick<FileRow & { errors: CellErrors }, "cells" | "version" | "errors">[],
): string {
  const hasVersions = rows.some(({ version }) => version);
  // A column that isn't in the file says nothing. Empty, it would say that the name says all.
  const columns = ALL_COLUMNS.filter((column) => rows.some(({ cells }) => column in cells));
  // A cell that a spreadsheet may have changed isn't guarded, so that it is asked about again.
  const unclear = new Set(
    rows.flatMap(({ cells, errors }) =>
      GUARDED.flatMap((column) => (errors[column] && mayBeMade(cells[column]) ? cells[column] : [])),
    ),
  );
  return writeCsv(
    [
      [...columns.map(headerOf), ...(hasVersions ? [VERSION_HEADER] : []), "What to correct"],
      ...rows.map(({ cells, version, errors }) => [
        ...rowOf(cells, columns),
        ...(hasVersions ? [version ?? ""] : []),
        errorLines(errors).join("\n"),
      ]),
    ],
    (cell) => mayChange(cell) && !unclear.has(cell),
  );
}

const EXAMPLES: Cells[] = [
  {
    sku: "BOOK-A4-200",
    name: "A4 exercise book, 200 pages",
    description: "Ruled, soft cover. Sold by the piece.",
    price: "95",
    originalPrice: "110",
    category: "Stationery",
    condition: "New",
    stock: "480",
    minQuantity: "6",
    steps: "12:85; 48:80",
    takesOffers: "no",
    lowestOffer: "",
  },
  {
    sku: "HOODIE-PRINT",
    name: "Hoodie with your print",
    description: "We print your club's name. Ready in three days.",
    price: "1,450",
    originalPrice: "",
    category: "Fashion",
    condition: "New",
    stock: "",
    minQuantity: "",
    steps: "",
    takesOffers: "yes",
    lowestOffer: "1,200",
    [factField("color")]: "Black",
  },
];

/** The header and two example rows. */
export function writeTemplate(): string {
  return writeCsv([HEADER, ...EXAMPLES.map((cells) => rowOf(cells))]);
}
