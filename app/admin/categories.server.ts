import { sql } from "drizzle-orm";
import { expectOneChange, expectThat, rowsOf, runBatch } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import {
  performAdminAction,
  type Admin,
  adminCounts,
  type AdminCounts,
  readAdminCounts,
} from "./admin-pages.server.ts";

/** A category for the admin pages. */
export interface CategoryRow {
  id: string;
  name: string;
  /** The number of its listings for sale. */
  listings: number;
  /** Ms since 1970. */
  createdAt: number;
  /** The person who added it; null for one of our own. */
  createdBy: string | null;
  creatorName: string | null;
}

/** Rows of one page. The remaining ones move up when the first are handled. */
const SHOWN = 100;

/**
 * The categories that sellers added and whose name contains `search`, newest first; and all categories that listings
 * can move to, the most used first. One round trip.
 */
export async function listCategoriesForAdmins(
  db: Database,
  search: string,
): Promise<{ rows: CategoryRow[]; targets: { id: string; name: string }[]; counts: AdminCounts }> {
  const [added, targets, counts] = await runBatch(db, [
    sql`SELECT k.id, k.name, k.listing_count AS listings, k.created_at AS createdAt, k.created_by AS createdBy, p.full_name AS creatorName
      FROM categories k LEFT JOIN profiles p ON p.id = k.created_by
      WHERE k.created_by IS NOT NULL AND instr(k.name_key, ${search.toLowerCase()}) > 0 ORDER BY k.created_at DESC, k.id LIMIT ${SHOWN}`,
    sql`SELECT id, name FROM categories WHERE status = 'approved' ORDER BY listing_count DESC, name LIMIT ${SHOWN}`,
    adminCounts(),
  ]);
  return {
    rows: rowsOf<CategoryRow>(added),
    targets: rowsOf<{ id: string; name: string }>(targets),
    counts: readAdminCounts(counts),
  };
}

type Result = { ok: true } | { ok: false; code: "stale" };

/**
 * Removes a category that a seller added. Its listings move to the category `into`. Returns false if either no longer
 * exists.
 */
export async function mergeCategory(store: Store, admin: Admin, id: string, into: string): Promise<Result> {
  const done = await performAdminAction(
    store,
    admin,
    { action: "category_merged", subject: `category:${id}`, detail: `into ${into}` },
    [
      expectThat(
        sql`${id} <> ${into} AND EXISTS (SELECT 1 FROM categories WHERE id = ${into} AND status = 'approved')`,
      ),
      sql`UPDATE products SET category = ${into}, updated_at = ${store.now()} WHERE category = ${id}`,
      sql`DELETE FROM categories WHERE id = ${id} AND created_by IS NOT NULL`,
      expectOneChange(),
    ],
  );
  return done ? { ok: true } : { ok: false, code: "stale" };
}

/** Removes a category that a seller added. Its listings show as "Other" until their sellers choose a new one. */
export async function removeCategory(store: Store, admin: Admin, id: string): Promise<Result> {
  const done = await performAdminAction(store, admin, { action: "category_removed", subject: `category:${id}` }, [
    sql`UPDATE products SET category = NULL, updated_at = ${store.now()} WHERE category = ${id}`,
    sql`DELETE FROM categories WHERE id = ${id} AND created_by IS NOT NULL`,
    expectOneChange(),
  ]);
  return done ? { ok: true } : { ok: false, code: "stale" };
}
