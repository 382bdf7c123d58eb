import { type SQL, sql } from "drizzle-orm";
import { isVerifiedWholesaler } from "#app/accounts/member.server.ts";
import {
  commitBatch,
  expectOneChange,
  PreconditionFailed,
  rowOf,
  rowsOf,
  runBatch,
  type Statement,
  UniqueViolation,
} from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { stateIs } from "#app/db/state-is.ts";
import { IMPORT, IMPORT_ROW, type ImportState } from "#app/db/states/import.ts";
import type { Cells, CellErrors, FileListing } from "./listing-file.ts";
import { FILE_MAX } from "./listing-file.ts";

const DAY_MS = 24 * 60 * 60_000;

/** How many bad rows, and how many good ones, the page shows. */
const BAD_SHOWN = 50;
const GOOD_SHOWN = 5;

export interface ListingImport {
  id: string;
  fileName: string;
  state: ImportState;
  rows: number;
  badRows: number;
  newRows: number;
  unchangedRows: number;
  createdRows: number;
  updatedRows: number;
  failedRows: number;
  updatedAt: number;
}

/** A row that isn't imported, and why. */
export interface BadRow {
  line: number;
  cells: Cells;
  errors: CellErrors;
}

/** A row that will be imported. */
export interface GoodRow {
  line: number;
  isNew: boolean;
  listing: FileListing;
}

export interface ImportPage {
  /** Whether the seller may import: a verified wholesaler may. */
  access: "verified" | "pending" | "rejected" | "student";
  /** The seller's running import, or else the latest; null when there is none. */
  latest: ListingImport | null;
  /** The first rows with errors. */
  bad: BadRow[];
  /** The first rows that will be imported. Only before the import starts. */
  good: GoodRow[];
  /** The number of rows that change the stock of a listing. Only before the import starts. */
  stockChanges: number;
  /** The number of the seller's listings. */
  listings: number;
  /** How many of them our team looks at before they are published. */
  held: number;
  /** The names of categories to choose from, the most used first. */
  categories: string[];
}

const CATEGORIES_SHOWN = 100;

/** The id of the import that the page shows. */
function latestOf(sellerId: string): SQL {
  return sql`(SELECT id FROM listing_imports WHERE seller_id = ${sellerId} ORDER BY ${stateIs("state", IMPORT.isRunning)} DESC, created_at DESC LIMIT 1)`;
}

/** What the page of imports shows. One round trip. */
export async function openImportPage(db: Database, sellerId: string): Promise<ImportPage> {
  const latest = latestOf(sellerId);
  const ready = sql`import_id = ${latest} AND ${stateIs("state", IMPORT_ROW.isReady)} AND EXISTS (SELECT 1 FROM listing_imports WHERE id = import_id AND ${stateIs("state", IMPORT.isReady)})`;
  const [person, found, bad, good, stocks, own, categories] = await runBatch(db, [
    sql`SELECT account_type AS accountType, verification_status AS verification FROM profiles WHERE id = ${sellerId}`,
    sql`SELECT id, file_name AS fileName, state, rows, bad_rows AS badRows, new_rows AS newRows, unchanged_rows AS unchangedRows,
      created_rows AS createdRows, updated_rows AS updatedRows, failed_rows AS failedRows, updated_at AS updatedAt
      FROM listing_imports WHERE id = ${latest}`,
    badRows(latest, BAD_SHOWN),
    sql`SELECT line, checked FROM listing_import_rows WHERE ${ready} ORDER BY line LIMIT ${GOOD_SHOWN}`,
    sql`SELECT COUNT(*) AS count FROM listing_import_rows WHERE ${ready} AND checked ->> 'id' IS NOT NULL
      AND checked ->> '$.listing.stock' IS NOT checked ->> 'stock'`,
    sql`SELECT COUNT(*) AS count, COUNT(held_for) AS held FROM products WHERE seller_id = ${sellerId} AND deleted_at IS NULL`,
    sql`SELECT name FROM categories WHERE status = 'approved' ORDER BY listing_count DESC, name LIMIT ${CATEGORIES_SHOWN}`,
  ]);
  return {
    access: accessOf(rowOf(person)),
    latest: rowOf<ListingImport>(found) ?? null,
    bad: readBadRows(bad),
    good: rowsOf<{ line: number; checked: string }>(good).map(({ line, checked }) => {
      const { id, listing } = JSON.parse(checked) as { id: string | null; listing: FileListing };
      return { line, isNew: id === null, listing };
    }),
    stockChanges: rowOf<{ count: number }>(stocks)?.count ?? 0,
    listings: rowOf<{ count: number }>(own)?.count ?? 0,
    held: rowOf<{ held: number }>(own)?.held ?? 0,
    categories: rowsOf<{ name: string }>(categories).map(({ name }) => name),
  };
}

function accessOf(
  person: { accountType: string; verification: "pending" | "approved" | "rejected" } | undefined,
): ImportPage["access"] {
  if (person?.accountType !== "wholesaler") return "student";
  return person.verification === "approved" ? "verified" : person.verification;
}

function badRows(importId: SQL, limit: number): SQL {
  return sql`SELECT line, cells, errors FROM listing_import_rows WHERE import_id = ${importId} AND ${stateIs("state", IMPORT_ROW.hasErrors)} ORDER BY line LIMIT ${limit}`;
}

function readBadRows(answer: unknown): BadRow[] {
  return rowsOf<{ line: number; cells: string; errors: string }>(answer).map(({ line, cells, errors }) => ({
    line,
    cells: JSON.parse(cells) as Cells,
    errors: JSON.parse(errors) as CellErrors,
  }));
}

/** All rows of the latest file that aren't imported. */
export async function listBadRows(db: Database, sellerId: string): Promise<BadRow[]> {
  const [answer] = await runBatch(db, [badRows(latestOf(sellerId), FILE_MAX.rows)]);
  return readBadRows(answer);
}

export type StartRefusal = "gone" | "running" | "too_many";

/** Starts a checked import. `too_many`: with it, the seller would import too many new listings in a day. */
export async function startImport(
  store: Store,
  { sellerId, importId }: { sellerId: string; importId: string },
): Promise<{ ok: true } | { ok: false; code: StartRefusal }> {
  const now = store.now();
  const ready = sql`id = ${importId} AND seller_id = ${sellerId} AND ${stateIs("state", IMPORT.isReady)}
    AND rows > bad_rows + unchanged_rows AND ${isVerifiedWholesaler(sellerId)}`;
  const isWithin = sql`new_rows + (SELECT COALESCE(SUM(o.created_rows), 0) FROM listing_imports o
    WHERE o.seller_id = ${sellerId} AND o.updated_at > ${now - DAY_MS}) <= ${FILE_MAX.rows}`;
  try {
    await commitBatch(store.db, [
      sql`UPDATE listing_imports SET state = ${"running" satisfies ImportState}, updated_at = ${now} WHERE ${ready} AND ${isWithin}`,
      expectOneChange(),
    ]);
    return { ok: true };
  } catch (error) {
    if (error instanceof UniqueViolation) return { ok: false, code: "running" };
    if (!(error instanceof PreconditionFailed)) throw error;
    const rows = await store.db.all(sql`SELECT 1 FROM listing_imports WHERE ${ready}`);
    return { ok: false, code: rows.length > 0 ? "too_many" : "gone" };
  }
}

/** Stops an import before its end, or before its start. What was imported stays. Safe to repeat. */
export async function cancelImport(
  store: Store,
  { sellerId, importId }: { sellerId: string; importId: string },
): Promise<void> {
  await store.db
    .run(sql`UPDATE listing_imports SET state = ${"cancelled" satisfies ImportState}, updated_at = ${store.now()}
    WHERE id = ${importId} AND seller_id = ${sellerId} AND NOT ${stateIs("state", IMPORT.isOver)}`);
}

/** How long a file that was imported, or never started, is kept. */
const KEPT_MS = 30 * DAY_MS;
const SWEPT_AT_ONCE = 20;

/** Deletes old imports and returns how many. It can stop at any point. */
export async function sweepImports(store: Store): Promise<number> {
  const old = sql`SELECT id FROM listing_imports WHERE NOT ${stateIs("state", IMPORT.isRunning)} AND updated_at < ${store.now() - KEPT_MS} ORDER BY updated_at LIMIT ${SWEPT_AT_ONCE}`;
  const [, deleted] = await runBatch(store.db, [
    sql`DELETE FROM listing_import_rows WHERE import_id IN (${old})`,
    sql`DELETE FROM listing_imports WHERE id IN (${old})`,
  ] satisfies Statement[]);
  return deleted?.meta.changes ?? 0;
}
