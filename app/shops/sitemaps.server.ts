import { and, asc, between, eq, exists, gt, type SQLWrapper, sql } from "drizzle-orm";
import { publicShopTitle } from "#app/accounts/public-names.ts";
import { hasListings } from "#app/catalogue/browse/count-categories.server.ts";
import { publicProductName } from "#app/catalogue/browse/public-listings.server.ts";
import { p } from "#app/catalogue/product-alias.server.ts";
import { FOR_SALE } from "#app/catalogue/products.server.ts";
import { runBatch } from "#app/db/batch.ts";
import { build, namedByKey } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { campusLocations, categories, listedSellers, products, profiles, shops, sitemapParts } from "#app/db/schema.ts";
import { publicCampusPath, publicCategoryPath, publicProductPath, publicShopPath } from "#app/platform/public-links.ts";
import { SITEMAP_MAX } from "#app/platform/sitemap-xml.ts";

/** A part of the sitemaps of one kind. The parts are numbered from 0. */
export type SitemapPart = Pick<typeof sitemapParts.$inferSelect, "kind" | "part" | "changedAt">;
/** The kinds of sitemaps that are cut into parts. */
export type SitemapKind = SitemapPart["kind"];

/** A public page with its path. */
export interface ListedPage {
  path: string;
  /** Ms since 1970. */
  changedAt?: number;
}

/** All parts that list something. Reads one row for each part. */
export async function listSitemapParts(db: Database): Promise<SitemapPart[]> {
  const { kind, part, changedAt, listed } = sitemapParts;
  return db.select({ kind, part, changedAt }).from(sitemapParts).where(gt(listed, 0)).orderBy(asc(kind), asc(part));
}

/** When a part last changed, ms; null when it lists nothing. Reads one row. */
export async function findSitemapPart(db: Database, kind: SitemapKind, part: number): Promise<number | null> {
  const [[row]] = await runBatch(db, [version(kind, part)]);
  return row?.changedAt ?? null;
}

function version(kind: SitemapKind, part: number) {
  return build
    .select({ changedAt: sitemapParts.changedAt })
    .from(sitemapParts)
    .where(and(eq(sitemapParts.kind, kind), eq(sitemapParts.part, part), gt(sitemapParts.listed, 0)));
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
  if (kind === "products") {
    const [[now], rows] = await runBatch(db, [version(kind, part), productRows(part)]);
    if (!now) return null;
    const pages = rows.map(({ id, name, changedAt }) => ({
      path: publicProductPath({ id, name: publicProductName(name) }),
      changedAt,
    }));
    return { ...now, pages };
  }
  const [[now], sellers] = await runBatch(db, [version(kind, part), shopRows(part)]);
  if (!now) return null;
  const pages = sellers.map(({ id, changedAt, ...names }) => ({
    path: publicShopPath({ id, title: publicShopTitle(names) }),
    changedAt,
  }));
  return { ...now, pages };
}

/** The part of a number is fixed in the triggers of `sitemap_parts`, too: (number - 1) / 10000. */
function isInPart(number: SQLWrapper, part: number) {
  return between(number, part * SITEMAP_MAX + 1, (part + 1) * SITEMAP_MAX);
}

/** NOT INDEXED keeps to the range of rowids. An index of what is for sale would read all of it. */
function productRows(part: number) {
  return build
    .select(namedByKey({ id: p.id, name: p.name, changedAt: p.updatedAt }))
    .from(sql`${products} p NOT INDEXED`)
    .where(and(isInPart(sql`p.rowid`, part), FOR_SALE))
    .orderBy(sql`p.rowid`);
}

function shopRows(part: number) {
  const { number, sellerId, changedAt, forSale } = listedSellers;
  return build
    .select({ id: sellerId, shopName: shops.shopName, fullName: profiles.fullName, changedAt })
    .from(listedSellers)
    .leftJoin(shops, eq(shops.id, sellerId))
    .leftJoin(profiles, eq(profiles.id, sellerId))
    .where(and(isInPart(number, part), gt(forSale, 0)))
    .orderBy(asc(number));
}

/** The categories and campuses where something is for sale. One round trip; reads a few rows for each of them. */
export async function listBrowsedPages(db: Database): Promise<ListedPage[]> {
  const somethingIn = build
    .select({ one: sql`1` })
    .from(sql`${products} p INDEXED BY products_for_sale_location`)
    .where(and(sql`${p.location} = ${campusLocations.name}`, FOR_SALE));
  const [browsed, campuses] = await runBatch(db, [
    build
      .select({ id: categories.id })
      .from(categories)
      .where(and(eq(categories.status, "approved"), hasListings(categories.id)))
      .orderBy(asc(categories.id))
      .limit(SITEMAP_MAX / 2),
    build
      .select({ name: campusLocations.name })
      .from(campusLocations)
      .where(exists(somethingIn))
      .orderBy(campusLocations.id),
  ]);
  return [
    ...browsed.map(({ id }) => ({ path: publicCategoryPath(id) })),
    ...campuses.map(({ name }) => ({ path: publicCampusPath(name) })),
  ];
}
