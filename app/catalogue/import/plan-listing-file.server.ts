import { and, count, eq, gt, inArray, or, sql } from "drizzle-orm";
import { read } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { categories, products } from "#app/catalogue/tables.server.ts";
import { type Category, mostUsedCategories } from "#app/catalogue/browse/browse.server.ts";
import { heldWhileBoughtText } from "#app/catalogue/selling/held-rules.ts";
import { stockNowText, stockReservedText } from "#app/catalogue/selling/listing-stock-rules.ts";
import { fieldOfTerm, heldForOf, type ProhibitedList, readList } from "#app/catalogue/selling/prohibited-rules.ts";
import { PROHIBITED_TERMS } from "#app/catalogue/selling/prohibited.server.ts";
import { readSku } from "#app/catalogue/selling/wholesale-rules.ts";
import { factColumns, readChosen } from "#app/catalogue/facts/listing-facts.ts";
import { wholesalerRow } from "#app/catalogue/selling/save-wholesale.server.ts";
import { recognizeType } from "#app/catalogue/types/recognize-type.ts";
import type { TypeTable } from "#app/catalogue/types/type-table.ts";
import { readTypeTable } from "#app/catalogue/types/types.server.ts";
import type { CellErrors, Cells, Column } from "./listing-columns.ts";
import {
  cellsOf,
  type CurrentListing,
  type FileListing,
  type FileRow,
  isSameListing,
  isSameRow,
  mergeRow,
  readRow,
  type RowContext,
  versionOf,
} from "./listing-file.ts";
import { byName, listingsNamed, type OwnListing, skusOf } from "./own-listing-rows.server.ts";
import { readListingFile } from "./read-listing-file.server.ts";
import { suggestNames } from "./similar-names.ts";
import { codeKey, likeText, sameCodeText } from "./sku-rules.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";
import { UUID } from "#app/platform/uuid-rules.ts";

/** New listings of a seller in 24 hours. */
const LISTINGS_A_DAY = 2_000;
/** How many categories an unknown name is compared with, for suggestions. */
const CATEGORIES_COMPARED = 500;

/** What becomes of one row. */
export type PlannedRow = FileRow & Plan;

type Plan =
  | { state: "bad"; errors: CellErrors }
  | { state: "unchanged"; found: OwnListing }
  // `heldFor`: what our team looks at first; null for a listing that is published, or stays as it was.
  // `columns`: its type and its facts.
  | { state: "created"; id: string; listing: FileListing; columns: ThingColumns; heldFor: string | null }
  | { state: "updated"; found: OwnListing; listing: FileListing; columns: ThingColumns; heldFor: string | null };

/** What a listing is. */
type ThingColumns = Pick<typeof products.$inferSelect, "type" | "facts" | "factsChosen">;

/**
 * What a file was checked against: the version of the listing that each good line names, "" for a new listing. The page
 * sends it back with the file, so that the import undoes nothing that was changed after the check.
 */
export type CheckedVersions = Readonly<Record<string, string>>;

/**
 * Reads a file, and decides what becomes of each of its rows as the data is now. Changes nothing. `checked` is null for
 * a file that nobody has seen the check of. `error` is for the seller.
 */
export async function planListingFile(
  store: Store,
  { sellerId, bytes, checked }: { sellerId: string; bytes: Uint8Array; checked: CheckedVersions | null },
): Promise<{ ok: true; text: string; rows: PlannedRow[] } | { ok: false; error: string }> {
  const file = readListingFile(bytes);
  if (!file.ok) return file;
  const skus = JSON.stringify(file.rows.map(({ cells }) => skuOf(cells)));
  const names = JSON.stringify([...new Set(file.rows.map(({ cells }) => cells.category.toLowerCase()))]);
  const named = sql`(SELECT value FROM json_each(${names}))`;
  const [
    table,
    {
      verified,
      lately: [lately],
      listed,
      codes,
      found,
      offered,
      terms,
    },
  ] = await Promise.all([
    readTypeTable(store.db),
    read(store.db, {
      verified: wholesalerRow(sellerId),
      lately: listedSince(sellerId, store.now() - DAY_MS),
      listed: listingsNamed(sellerId, sql`(SELECT value FROM json_each(${skus}))`),
      codes: skusOf(sellerId),
      found: build
        .select({ id: categories.id, name: categories.name })
        .from(categories)
        .where(
          and(eq(categories.status, "approved"), or(inArray(categories.nameKey, named), inArray(categories.id, named))),
        ),
      offered: mostUsedCategories(CATEGORIES_COMPARED),
      terms: PROHIBITED_TERMS,
    }),
  ]);
  if (verified.length === 0) return { ok: false, error: "Imports are for verified wholesalers." };
  const current = byName(listed);
  const ids = categoryIds(found);
  const spelled = new Map(codes.map(({ sku }) => [codeKey(sku ?? ""), sku ?? ""]));
  const lines = new Map<string, { line: number; sku: string }>();
  const known = {
    checked,
    categoryId: (name: string) => ids.get(name.toLowerCase()) ?? null,
    similarCategories: suggestNames(offered.map(({ name }) => name)),
    prohibited: readList(terms),
    table,
  };
  const rows = file.rows.map((row): PlannedRow => {
    if (row.unclear) return { ...row, ...bad(row.unclear) };
    const sku = skuOf(row.cells);
    const own = current.get(sku);
    // Codes of two listings may differ so, but one of a new listing is more likely mistyped, or changed by a
    // spreadsheet.
    const key = own ? sku : codeKey(sku);
    const earlier = sku === "" ? undefined : lines.get(key);
    if (earlier) return { ...row, ...bad({ sku: sameCodeText(earlier, sku) }) };
    lines.set(key, { line: row.line, sku });
    const like = own ? undefined : spelled.get(codeKey(sku));
    if (like !== undefined) return { ...row, ...bad({ sku: likeText(like) }) };
    const plan = planRow(row, own, known);
    const unseen = checked && unseenText(plan, checked[row.line]);
    return { ...row, ...(unseen ? bad({ sku: unseen }) : plan) };
  });
  const created = rows.filter(({ state }) => state === "created").length;
  if (created > 0 && created + (lately?.count ?? 0) > LISTINGS_A_DAY) return { ok: false, error: TOO_MANY };
  return { ok: true, text: file.text, rows };
}

const TOO_MANY = `You can import ${LISTINGS_A_DAY.toLocaleString("en")} new listings a day. Please send this file tomorrow.`;

/** The query for how many listings of a seller are as new, with those that they deleted. */
function listedSince(sellerId: string, since: number) {
  return build
    .select({ count: count() })
    .from(products)
    .where(and(eq(products.sellerId, sellerId), gt(products.createdAt, since)));
}

interface Known extends Pick<RowContext, "categoryId" | "similarCategories"> {
  checked: CheckedVersions | null;
  prohibited: ProhibitedList;
  table: TypeTable;
}

function bad(errors: CellErrors): Plan & { state: "bad" } {
  return { state: "bad", errors };
}

/**
 * `own`: the seller's listing that the row names. A conflict gives the row the version that its sender has now seen.
 */
function planRow(
  { line, cells, version }: FileRow,
  own: OwnListing | undefined,
  known: Known,
): Plan & Partial<FileRow> {
  const { checked, prohibited, table } = known;
  if (own && isSameRow(cells, own)) return { state: "unchanged", found: own };
  // What its seller chose stays.
  const typeOf = (listing: { name: string; category: string }) =>
    own?.typeChosen ? own.type : (recognizeType(listing, table)?.type ?? null);
  const columnsOf = (listing: FileListing): ThingColumns => {
    const type = typeOf(listing);
    return { type, ...factColumns({ name: listing.name, type }, listing.factsChosen, table) };
  };
  const reading = readRow(cells, {
    ...known,
    ownCategory: own?.category ?? null,
    ownFacts: own?.factsChosen ?? {},
    readFacts: (listing) => readChosen(listing.facts, typeOf(listing), table),
  });
  if (!reading.ok) return bad(reading.errors);
  if (!own) {
    // A SKU may not look like an id, because listings without a SKU go by their id.
    if (UUID.test(cells.sku.toLowerCase())) return bad({ sku: UNKNOWN_ID });
    if (version !== undefined) return bad({ sku: UNKNOWN_CODE });
    const { listing } = reading;
    const columns = columnsOf(listing);
    const heldFor = heldForOf({ ...listing, ...columns }, null, prohibited);
    return { state: "created", id: crypto.randomUUID(), listing, columns, heldFor };
  }
  // What was changed since the file was exported, or checked, stays.
  const merged = mergeRow(reading.listing, version ?? checked?.[line], own);
  const { listing } = merged;
  if (merged.conflicts.length > 0) return { ...bad(changedErrors(merged.conflicts, own)), version: merged.version };
  if (isSameListing(listing, own)) return { state: "unchanged", found: own };
  // It was listed after the check, so its seller has seen nothing of its sales.
  if (checked?.[line] === "" && !version && listing.stock !== own.stock) return bad({ stock: soldText(own.stock) });
  if (listing.stock !== null && listing.stock < own.reserved) return bad({ stock: stockReservedText(own.reserved) });
  const columns = columnsOf(listing);
  const texts = { ...listing, ...columns };
  const heldFor = heldForOf(texts, own, prohibited);
  // Holding it would end the payment of somebody who is buying it.
  if (heldFor !== null && own.reserved > 0)
    return bad({ [fieldOfTerm(heldFor, texts, prohibited)]: heldWhileBoughtText(heldFor) });
  return { state: "updated", found: own, listing, columns, heldFor };
}

/**
 * Why a row would write what its seller hasn't seen; null where they have. `version`: that of the listing at the check.
 */
function unseenText({ state }: Plan, version: string | undefined): string | null {
  if (state !== "created" && state !== "updated") return null;
  if (version === undefined)
    return "This row had an error when you checked the file. Send it again to see what it changes";
  if (state === "created" && version !== "")
    return "You deleted this listing after you checked the file. Send the file again to list it anew";
  if (state === "updated" && version === "")
    return "You listed this after you checked the file. Send the file again to see what this row changes";
  return null;
}

function soldText(stock: number | null): string {
  return `The stock changed after you sent the file. ${stockNowText(stock)}. Correct the number and send the row again`;
}

/** What the good rows were checked against, for the import. */
export function checkedVersions(rows: readonly PlannedRow[]): CheckedVersions {
  return Object.fromEntries(
    rows.flatMap((row) =>
      row.state === "bad" ? [] : [[row.line, row.state === "created" ? "" : versionOf(row.found)]],
    ),
  );
}

const UNKNOWN_CODE =
  "This row was exported, but you have no listing with this SKU. Write the code as it was exported, or empty “Version” to list it as new";

/** The error of each column that both a row and somebody else changed. */
function changedErrors(columns: readonly Column[], current: CurrentListing): CellErrors {
  const now = cellsOf(current);
  return Object.fromEntries(
    columns.map((column) => {
      const cell = now[column] ?? "";
      const text = cell === "" ? "empty" : `“${cell.slice(0, 80)}”`;
      return [column, `This was changed meanwhile. It is ${text} now. ${WHAT_TO_DO}`];
    }),
  );
}

const WHAT_TO_DO = "Write that, or, to keep yours, empty the cell in “Version” or send the file with the errors again";

/** The SKU as listings have it. */
function skuOf({ sku }: Cells): string {
  const reading = readSku(sku);
  return (reading.ok && reading.sku) || sku;
}

const UNKNOWN_ID = "You have no listing with this number. Enter your own code for this product";

/** The ids of categories by their id and by their name in lower case. */
function categoryIds(found: Category[]): Map<string, string> {
  return new Map([
    ...found.map(({ id }) => [id, id] as const),
    ...found.map(({ id, name }) => [name.toLowerCase(), id] as const),
  ]);
}
