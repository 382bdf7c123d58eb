import { and, eq, inArray, not, or, sql } from "drizzle-orm";
import { isVerifiedWholesaler } from "#app/accounts/member.server.ts";
import { expectThat, PreconditionFailed, runBatch, type Statement } from "#app/db/batch.ts";
import { build, hasRow, insertEach } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { categories, listingImportRows, listingImports } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { IMPORT, type ImportState } from "#app/db/states/import.ts";
import type { Predicate } from "#app/db/states/predicates.ts";
import { type Category, mostUsedCategories } from "#app/catalogue/browse/browse.server.ts";
import { type CellErrors, type Cells, type Column } from "./listing-columns.ts";
import {
  cellsOf,
  type CurrentListing,
  type FileListing,
  type FileRow,
  isSameListing,
  isSameRow,
  mergeRow,
  readRow,
  versionOf,
} from "./listing-file.ts";
import { stockReservedText } from "#app/catalogue/selling/listing-stock-rules.ts";
import { byName, listingsNamed, skusOf } from "./own-listing-rows.server.ts";
import { readListingFile } from "./read-listing-file.server.ts";
import { suggestNames } from "./similar-names.ts";
import { readSku } from "#app/catalogue/selling/wholesale-rules.ts";
import { wholesalerRow } from "#app/catalogue/selling/wholesale.server.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Each check may write 2,000 rows. */
const CHECKS_A_DAY = 50;
/** How many categories an unknown name is compared with, for suggestions. */
const CATEGORIES_COMPARED = 500;
/** Rows of one statement, so that its values stay within D1's 2 MB. */
const ROWS_AT_ONCE = 100;

/** What the import needs to know about a good row (`listing_import_rows.checked`). */
export interface CheckedRow {
  listing: FileListing;
  /** The listing that the SKU names; null for a new one. */
  id: string | null;
  /** The stock of that listing when the file was checked. */
  stock: number | null;
  /** What that listing was like then (`versionOf`); null for a new one. */
  version: string | null;
}

type CheckedFileRow = FileRow &
  ({ state: "bad"; errors: CellErrors } | { state: "unchanged" } | { state: "ready"; checked: CheckedRow });

/**
 * Reads a file and checks each of its rows. The listings stay as they are: the rows are kept until the seller starts the
 * import. A file replaces the seller's earlier one that wasn't started. `error` is for the seller.
 */
export async function checkListingFile(
  store: Store,
  { sellerId, fileName, bytes }: { sellerId: string; fileName: string; bytes: Uint8Array },
): Promise<{ ok: true } | { ok: false; error: string }> {
  const file = readListingFile(bytes);
  if (!file.ok) return file;
  if (!(await takeAllowance(store, [{ key: `listing-files:${sellerId}`, max: CHECKS_A_DAY, windowMs: DAY_MS }])))
    return { ok: false, error: "You've sent too many files today. Please try again tomorrow." };
  const rows = await checkRows(store, sellerId, file.rows);
  const now = store.now();
  const importId = crypto.randomUUID();
  const count = (holds: (row: CheckedFileRow) => boolean) => rows.filter(holds).length;
  const isImport = (are: Predicate<ImportState>) =>
    and(eq(listingImports.sellerId, sellerId), stateIs(listingImports.state, are));
  const earlier = build.select({ id: listingImports.id }).from(listingImports).where(isImport(IMPORT.isReady));
  try {
    await runBatch(store.db, [
      expectThat(isVerifiedWholesaler(sellerId)),
      expectThat(not(hasRow(listingImports, isImport(IMPORT.isRunning)))),
      build.delete(listingImportRows).where(inArray(listingImportRows.importId, earlier)),
      build.delete(listingImports).where(inArray(listingImports.id, earlier)),
      build.insert(listingImports).values({
        id: importId,
        sellerId,
        fileName: cleanName(fileName),
        rows: rows.length,
        badRows: count(({ state }) => state === "bad"),
        newRows: count((row) => row.state === "ready" && row.checked.id === null),
        unchangedRows: count(({ state }) => state === "unchanged"),
        createdAt: now,
        updatedAt: now,
      }),
      ...insertRows(importId, rows),
    ]);
    return { ok: true };
  } catch (error) {
    if (!(error instanceof PreconditionFailed)) throw error;
    const [verified] = await runBatch(store.db, [wholesalerRow(sellerId)]);
    return { ok: false, error: verified.length > 0 ? IMPORT_RUNNING : "Imports are for verified wholesalers." };
  }
}

export const IMPORT_RUNNING = "Another import is running. Wait until it's done, or cancel it.";

function insertRows(importId: string, rows: CheckedFileRow[]): Statement[] {
  const chunks = Array.from({ length: Math.ceil(rows.length / ROWS_AT_ONCE) }, (_, n) =>
    rows.slice(n * ROWS_AT_ONCE, (n + 1) * ROWS_AT_ONCE),
  );
  return chunks.map((chunk) =>
    insertEach(
      listingImportRows,
      {
        importId,
        line: sql`value ->> 'line'`,
        state: sql`value ->> 'state'`,
        cells: sql`value -> 'cells'`,
        errors: sql`value -> 'errors'`,
        checked: sql`value -> 'checked'`,
      },
      sql`FROM json_each(${JSON.stringify(chunk.map(withVersion))})`,
    ),
  );
}

/** The cells keep the version of the row, for the file with the errors. */
function withVersion({ version, ...row }: CheckedFileRow) {
  return version === undefined ? row : { ...row, cells: { ...row.cells, version } };
}

async function checkRows({ db }: Store, sellerId: string, rows: FileRow[]): Promise<CheckedFileRow[]> {
  const skus = JSON.stringify(rows.map(({ cells }) => skuOf(cells)));
  const names = JSON.stringify([...new Set(rows.map(({ cells }) => cells.category.toLowerCase()))]);
  const named = sql`(SELECT value FROM json_each(${names}))`;
  const [listed, codes, found, offered] = await runBatch(db, [
    listingsNamed(sellerId, sql`(SELECT value FROM json_each(${skus}))`),
    skusOf(sellerId),
    build
      .select({ id: categories.id, name: categories.name })
      .from(categories)
      .where(
        and(eq(categories.status, "approved"), or(inArray(categories.nameKey, named), inArray(categories.id, named))),
      ),
    mostUsedCategories(CATEGORIES_COMPARED),
  ]);
  const current = byName(listed);
  const ids = categoryIds(found);
  const similarCategories = suggestNames(offered.map(({ name }) => name));
  const spelled = new Map(codes.map(({ sku }) => [codeKey(sku ?? ""), sku ?? ""]));
  const lines = new Map<string, { line: number; sku: string }>();
  return rows.map(({ line, cells, version, unclear }) => {
    if (unclear) return { line, cells, version, state: "bad", errors: unclear };
    const sku = skuOf(cells);
    const own = current.get(sku);
    // Codes of two listings may differ so, but one of a new listing is more likely mistyped, or changed by a spreadsheet.
    const key = own ? sku : codeKey(sku);
    const earlier = sku === "" ? undefined : lines.get(key);
    if (earlier === undefined) lines.set(key, { line, sku });
    if (earlier !== undefined)
      return { line, cells, version, state: "bad", errors: { sku: sameCodeText(earlier, sku) } };
    const other = own ? undefined : spelled.get(codeKey(sku));
    if (other !== undefined) return { line, cells, version, state: "bad", errors: { sku: likeText(other) } };
    if (own && isSameRow(cells, own)) return { line, cells, version, state: "unchanged" };
    const reading = readRow(cells, {
      categoryId: (name) => ids.get(name.toLowerCase()) ?? null,
      ownCategory: own?.category ?? null,
      similarCategories,
    });
    if (!reading.ok) return { line, cells, version, state: "bad", errors: reading.errors };
    if (!own && UUID.test(sku)) return { line, cells, version, state: "bad", errors: { sku: UNKNOWN_ID } };
    if (!own && version !== undefined) return { line, cells, version, state: "bad", errors: { sku: UNKNOWN_CODE } };
    // What was changed since the file was exported stays.
    const merged = own ? mergeRow(reading.listing, version, own) : null;
    if (own && merged && merged.conflicts.length > 0) {
      const errors = changedErrors(merged.conflicts, own, CHANGED_SINCE_EXPORT);
      return { line, cells, version: merged.version, state: "bad", errors };
    }
    const listing = merged?.listing ?? reading.listing;
    if (own && isSameListing(listing, own)) return { line, cells, version, state: "unchanged" };
    const reserved = reservedError(listing, own);
    if (reserved) return { line, cells, version, state: "bad", errors: { stock: reserved } };
    const checked = { listing, id: own?.id ?? null, stock: own?.stock ?? null, version: own ? versionOf(own) : null };
    return { line, cells, version, state: "ready", checked };
  });
}

/** What is left of a code without its case, the first zeros of a number, and the kinds of dashes, spaces and digits. */
function codeKey(sku: string): string {
  const plain = sku
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/\p{Pd}|−/gu, "-")
    .replaceAll(/\s+/g, " ");
  return plain.replace(/^0+(?=\d+$)/, "");
}

function sameCodeText(earlier: { line: number; sku: string }, sku: string): string {
  if (earlier.sku === sku) return `Line ${earlier.line} has the same SKU`;
  return `Line ${earlier.line} has “${earlier.sku}”, ${HOW_LIKE}. If this is another product, give it another code`;
}

const HOW_LIKE = "which differs only in capital letters, first zeros, dashes or spaces";

function likeText(sku: string): string {
  return `You have “${sku}”, ${HOW_LIKE}. Write it like that, or give this product another code`;
}

const UNKNOWN_CODE =
  "This row was exported, but you have no listing with this SKU. Write the code as it was exported, or empty “Version” to list it as new";

const CHANGED_SINCE_EXPORT =
  "Write that, or, to keep yours, empty the cell in “Version” or send the file with the errors again";

/** The error of each column that both a row and somebody else changed. */
export function changedErrors(columns: readonly Column[], current: CurrentListing, whatToDo: string): CellErrors {
  const now = cellsOf(current);
  return Object.fromEntries(
    columns.map((column) => {
      const text = now[column] === "" ? "empty" : `“${now[column].slice(0, 80)}”`;
      return [column, `This was changed meanwhile. It is ${text} now. ${whatToDo}`];
    }),
  );
}

/** The SKU as listings have it. */
function skuOf({ sku }: Cells): string {
  const reading = readSku(sku);
  return (reading.ok && reading.sku) || sku;
}

/** A SKU may not look like an id, because listings without a SKU go by their id. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const UNKNOWN_ID = "You have no listing with this number. Enter your own code for this product";

/** The ids of categories by their id and by their name in lower case. */
function categoryIds(found: Category[]): Map<string, string> {
  return new Map([
    ...found.map(({ id }) => [id, id] as const),
    ...found.map(({ id, name }) => [name.toLowerCase(), id] as const),
  ]);
}

/** Why the stock can't be less than what is reserved; null when it can. */
export function reservedError({ stock }: FileListing, current: CurrentListing | undefined): string | null {
  if (!current || stock === null || stock >= current.reserved) return null;
  return stockReservedText(current.reserved);
}

/** The file's name for the page: no path, no control characters, and not too long. */
function cleanName(fileName: string): string {
  const name = (fileName.split(/[\\/]/).at(-1) ?? "").replaceAll(/[\p{C}]+/gu, "").trim();
  return name.slice(0, 80) || "listings.csv";
}
