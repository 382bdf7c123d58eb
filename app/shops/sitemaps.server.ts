import { sql } from "drizzle-orm";
import { publicShopTitle } from "#app/accounts/public-names.ts";
import { CAMPUSES } from "#app/catalogue/labels.ts";
import { publicProductName } from "#app/catalogue/public-listings.server.ts";
import { FOR_SALE } from "#app/catalogue/products.server.ts";
import { rowOf, rowsOf, runBatch } from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";
import { publicCampusPath, publicCategoryPath, publicProductPath, publicShopPath } from "#app/platform/public-links.ts";
import { SITEMAP_MAX } from "#app/platform/sitemap-xml.ts";

/** The kinds of sitemaps that are cut into parts. */
export type SitemapKind = "products" | "shops";

/** A part of the sitemaps of one kind. The parts are numbered from 0. */
export interface SitemapPart {
  kind: SitemapKind;
  part: number;
  /** Ms since 1970. It grows with each change, so it names the part's content. */
  changedAt: number;
}

/** A public page with its path. */
export interface ListedPage {
  path: string;
  /** Ms since 1970. */
  changedAt?: number;
}

/** All parts that list something. Reads one row for each part. */
export function listSitemapParts(db: Database): Promise<SitemapPart[]> {
  return db.all<SitemapPart>(
    sql`SELECT kind, part, changed_at AS changedAt FROM sitemap_parts WHERE listed > 0 ORDER BY kind, part`,
  );
}

/** When a part last changed, ms; null when it lists nothing. Reads one row. */
export async function findSitemapPart(db: Database, kind: SitemapKind, part: number): Promise<number | null> {
  const [row] = await db.all<{ changedAt: number }>(
    sql`SELECT changed_at AS changedAt FROM sitemap_parts WHERE kind = ${kind} AND part = ${part} AND listed > 0`,
  );
  return row?.changedAt ?? null;
}

/**
 * The pages of one part, and when it last changed, read at the same moment. Null when it lists nothing. One round trip;
 * it reads at most 10,000 products, or as many sellers with their names.
 */
export async function readSitemapPart(
  db: Database,
  kind: SitemapKind,
  part: number,
): Promise<{ changedAt: number; pages: ListedPage[] } | null> {
  const [version, rows] = await runBatch(db, [
    sql`SELECT changed_at AS changedAt FROM sitemap_parts WHERE kind = ${kind} AND part = ${part} AND listed > 0`,
    kind === "products" ? productRows(part) : shopRows(part),
  ]);
  const row = rowOf<{ changedAt: number }>(version);
  if (!row) return null;
  const pages =
    kind === "products"
      ? rowsOf<ProductRow>(rows).map(({ id, name, changedAt }) => ({
          path: publicProductPath({ id, name: publicProductName(name) }),
          changedAt,
        }))
      : rowsOf<ShopRow>(rows).map(({ id, changedAt, ...names }) => ({
          path: publicShopPath({ id, title: publicShopTitle(names) }),
          changedAt,
        }));
  return { changedAt: row.changedAt, pages };
}

interface ProductRow {
  id: string;
  name: string;
  changedAt: number;
}

interface ShopRow {
  id: string;
  shopName: string | null;
  fullName: string | null;
  changedAt: number;
}

/** The part of a number is fixed in the triggers of `sitemap_parts`, too: (number - 1) / 10000. */
function range(part: number) {
  return sql`BETWEEN ${part * SITEMAP_MAX + 1} AND ${(part + 1) * SITEMAP_MAX}`;
}

/** NOT INDEXED keeps to the range of rowids. An index of what is for sale would read all of it. */
function productRows(part: number) {
  return sql`SELECT p.id, p.name, p.updated_at AS changedAt FROM products p NOT INDEXED
    WHERE p.rowid ${range(part)} AND ${FOR_SALE} ORDER BY p.rowid`;
}

function shopRows(part: number) {
  return sql`SELECT l.seller_id AS id, h.shop_name AS shopName, s.full_name AS fullName, l.changed_at AS changedAt
    FROM listed_sellers l LEFT JOIN shops h ON h.id = l.seller_id LEFT JOIN profiles s ON s.id = l.seller_id
    WHERE l.number ${range(part)} AND l.for_sale > 0 ORDER BY l.number`;
}

/** The categories and campuses where something is for sale. One round trip; reads a few rows for each of them. */
export async function listBrowsedPages(db: Database): Promise<ListedPage[]> {
  const [categories, campuses] = await runBatch(db, [
    sql`SELECT id FROM categories WHERE status = 'approved' AND listing_count > 0 ORDER BY id LIMIT ${SITEMAP_MAX / 2}`,
    sql`SELECT c.value AS name FROM json_each(${JSON.stringify(CAMPUSES)}) c
      WHERE EXISTS (SELECT 1 FROM products p INDEXED BY products_for_sale_location WHERE p.location = c.value AND ${FOR_SALE})`,
  ]);
  return [
    ...rowsOf<{ id: string }>(categories).map(({ id }) => ({ path: publicCategoryPath(id) })),
    ...rowsOf<{ name: string }>(campuses).map(({ name }) => ({ path: publicCampusPath(name) })),
  ];
}
