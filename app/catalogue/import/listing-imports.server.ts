import { and, count, desc, eq, gt, inArray, isNull, lt, not, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { isVerifiedWholesaler } from "#app/accounts/member.server.ts";
import {
  commitBatch,
  expectOneChange,
  PreconditionFailed,
  type RowOf,
  runBatch,
  UniqueViolation,
} from "#app/db/batch.ts";
import { asBoolean, asJson, build, hasRow, pick } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { listingImportRows, listingImports, products, profiles, verificationDocuments } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { IMPORT, IMPORT_ROW } from "#app/db/states/import.ts";
import { RETENTION } from "#app/platform/retention-rules.ts";
import { mostUsedCategories } from "#app/catalogue/browse/browse.server.ts";
import type { CheckedRow } from "./check-listing-file.server.ts";
import type { Cells, CellErrors } from "./listing-columns.ts";
import type { FileListing } from "./listing-file.ts";
import { FILE_MAX } from "./listing-columns.ts";

const DAY_MS = 24 * 60 * 60_000;

/** How many bad rows, and how many good ones, the page shows. */
const BAD_SHOWN = 50;
const GOOD_SHOWN = 5;

/** An import as its page shows it. */
const SHOWN = {
  ...pick(listingImports, "id", "fileName", "state", "rows", "badRows", "newRows"),
  ...pick(listingImports, "unchangedRows", "createdRows", "updatedRows", "failedRows", "updatedAt"),
};

export type ListingImport = Pick<typeof listingImports.$inferSelect, keyof typeof SHOWN>;

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
  /** Whether the seller may import: a verified wholesaler may. missing: our team has no document to look at. */
  access: "verified" | "pending" | "missing" | "rejected" | "student";
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
function latestOf(sellerId: string) {
  return build
    .select({ id: listingImports.id })
    .from(listingImports)
    .where(eq(listingImports.sellerId, sellerId))
    .orderBy(desc(stateIs(listingImports.state, IMPORT.isRunning)), desc(listingImports.createdAt))
    .limit(1);
}

/** What the page of imports shows. One round trip. */
export async function openImportPage(db: Database, sellerId: string): Promise<ImportPage> {
  const latest = latestOf(sellerId);
  const ready = and(
    eq(listingImportRows.importId, latest),
    stateIs(listingImportRows.state, IMPORT_ROW.isReady),
    hasRow(
      listingImports,
      and(eq(listingImports.id, listingImportRows.importId), stateIs(listingImports.state, IMPORT.isReady)),
    ),
  );
  const { checked } = listingImportRows;
  const [[person], [found], bad, good, [stocks], [own], offered] = await runBatch(db, [
    build
      .select({
        accountType: profiles.accountType,
        verification: profiles.verificationStatus,
        hasPending: asBoolean(
          hasRow(
            verificationDocuments,
            and(eq(verificationDocuments.userId, profiles.id), eq(verificationDocuments.verificationStatus, "pending")),
          ),
        ),
      })
      .from(profiles)
      .where(eq(profiles.id, sellerId)),
    build.select(SHOWN).from(listingImports).where(eq(listingImports.id, latest)),
    badRows(latest, BAD_SHOWN),
    build
      .select({ line: listingImportRows.line, checked: asJson<CheckedRow>(sql`${checked}`) })
      .from(listingImportRows)
      .where(ready)
      .orderBy(listingImportRows.line)
      .limit(GOOD_SHOWN),
    build
      .select({ count: count() })
      .from(listingImportRows)
      .where(
        and(
          ready,
          sql`${checked} ->> 'id' IS NOT NULL AND ${checked} ->> '$.listing.stock' IS NOT ${checked} ->> 'stock'`,
        ),
      ),
    build
      .select({ count: count(), held: sql<number>`COUNT(${products.heldFor})` })
      .from(products)
      .where(and(eq(products.sellerId, sellerId), isNull(products.deletedAt))),
    mostUsedCategories(CATEGORIES_SHOWN),
  ]);
  return {
    access: accessOf(person),
    latest: found ?? null,
    bad: bad.map(toBadRow),
    good: good.map((row) => ({ line: row.line, isNew: row.checked.id === null, listing: row.checked.listing })),
    stockChanges: stocks?.count ?? 0,
    listings: own?.count ?? 0,
    held: own?.held ?? 0,
    categories: offered.map(({ name }) => name),
  };
}

function accessOf(
  person: { accountType: string; verification: "pending" | "approved" | "rejected"; hasPending: boolean } | undefined,
): ImportPage["access"] {
  if (person?.accountType !== "wholesaler") return "student";
  if (person.verification === "approved") return "verified";
  return person.verification === "pending" && !person.hasPending ? "missing" : person.verification;
}

function badRows(importId: SQLWrapper, limit: number) {
  return build
    .select({ line: listingImportRows.line, cells: listingImportRows.cells, errors: listingImportRows.errors })
    .from(listingImportRows)
    .where(and(eq(listingImportRows.importId, importId), stateIs(listingImportRows.state, IMPORT_ROW.hasErrors)))
    .orderBy(listingImportRows.line)
    .limit(limit);
}

function toBadRow({ line, cells, errors }: RowOf<ReturnType<typeof badRows>>): BadRow {
  return { line, cells: cells as Cells, errors: (errors ?? {}) as CellErrors };
}

/** All rows of the latest file that aren't imported. */
export async function listBadRows(db: Database, sellerId: string): Promise<BadRow[]> {
  const [rows] = await runBatch(db, [badRows(latestOf(sellerId), FILE_MAX.rows)]);
  return rows.map(toBadRow);
}

export type StartRefusal = "gone" | "running" | "too_many";

/** Starts a checked import. `too_many`: with it, the seller would import too many new listings in a day. */
export async function startImport(
  store: Store,
  { sellerId, importId }: { sellerId: string; importId: string },
): Promise<{ ok: true } | { ok: false; code: StartRefusal }> {
  const now = store.now();
  const ready = and(
    isOwn(sellerId, importId),
    stateIs(listingImports.state, IMPORT.isReady),
    sql`${listingImports.rows} > ${listingImports.badRows} + ${listingImports.unchangedRows}`,
    isVerifiedWholesaler(sellerId),
  );
  const lately = build
    .select({ rows: sql<number>`COALESCE(SUM(${earlier.createdRows}), 0)` })
    .from(earlier)
    .where(and(eq(earlier.sellerId, sellerId), gt(earlier.updatedAt, now - DAY_MS)));
  const isWithin = sql`${listingImports.newRows} + ${lately} <= ${FILE_MAX.rows}`;
  try {
    await commitBatch(store.db, [
      build.update(listingImports).set({ state: "running", updatedAt: now }).where(and(ready, isWithin)),
      expectOneChange(),
    ]);
    return { ok: true };
  } catch (error) {
    if (error instanceof UniqueViolation) return { ok: false, code: "running" };
    if (!(error instanceof PreconditionFailed)) throw error;
    const rows = await store.db.select({ id: listingImports.id }).from(listingImports).where(ready);
    return { ok: false, code: rows.length > 0 ? "too_many" : "gone" };
  }
}

/** The imports whose new listings count against a day's. */
const earlier = alias(listingImports, "earlier");

function isOwn(sellerId: string, importId: string) {
  return and(eq(listingImports.id, importId), eq(listingImports.sellerId, sellerId));
}

/** Stops an import before its end, or before its start. What was imported stays. Safe to repeat. */
export async function cancelImport(
  store: Store,
  { sellerId, importId }: { sellerId: string; importId: string },
): Promise<void> {
  await store.db
    .update(listingImports)
    .set({ state: "cancelled", updatedAt: store.now() })
    .where(and(isOwn(sellerId, importId), not(stateIs(listingImports.state, IMPORT.isOver))));
}

const SWEPT_AT_ONCE = 20;

/** Deletes old imports and returns how many. It can stop at any point. */
export async function sweepImports(store: Store): Promise<number> {
  const old = build
    .select({ id: listingImports.id })
    .from(listingImports)
    .where(
      and(
        not(stateIs(listingImports.state, IMPORT.isRunning)),
        lt(listingImports.updatedAt, store.now() - RETENTION.imports.keptMs),
      ),
    )
    .orderBy(listingImports.updatedAt)
    .limit(SWEPT_AT_ONCE);
  const [, deleted] = await runBatch(store.db, [
    build.delete(listingImportRows).where(inArray(listingImportRows.importId, old)),
    build.delete(listingImports).where(inArray(listingImports.id, old)),
  ]);
  return deleted.meta.changes;
}
