import { and, asc, eq, exists, isNotNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { publicShopTitle } from "#app/accounts/profile/public-names.ts";
import { hasListings } from "#app/catalogue/browse/count-categories.server.ts";
import { publicProductName } from "#app/catalogue/browse/public-listings.server.ts";
import { FOR_SALE } from "#app/catalogue/listing-columns.server.ts";
import { read } from "#app/db/batch.ts";
import { build, named, oneRow } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { campusLocations, credentials, profiles, shops } from "#app/accounts/tables.server.ts";
import { categories, products } from "#app/catalogue/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { publicCampusPath, publicCategoryPath, publicProductPath, publicShopPath } from "#app/public-links.ts";
import { SITEMAP_MAX } from "#app/platform/sitemap-xml.ts";

/**
 * What is for sale, and who sells it. Neither products nor accounts ever leave their table, so each is cut into parts
 * by its rowids: an address always belongs to one part.
 */
export type SitemapKind = "products" | "shops";

/** The parts of one kind are numbered from 0. */
export interface SitemapPart {
  kind: SitemapKind;
  part: number;
}

/** A public page with its path. */
export interface ListedPage {
  path: string;
  /** Ms since 1970. */
  changedAt?: number;
}

const seller = alias(credentials, "seller");

/** SQL on `seller`: when something of theirs that is for sale last changed; null where nothing is. */
const lastChanged = sql<number>`(SELECT MAX(${productRow.updatedAt}) FROM ${products} product_row
  WHERE ${productRow.sellerId} = ${seller.id} AND ${FOR_SALE})`;

/** NOT INDEXED keeps to the range of rowids. An index of what is for sale would read all of it. */
const LISTED = {
  products: (part: SQL) =>
    sql`${products} product_row NOT INDEXED WHERE ${isInPart(sql`product_row.rowid`, part)} AND ${FOR_SALE}`,
  shops: (part: SQL) =>
    sql`${credentials} seller NOT INDEXED WHERE ${isInPart(sql`seller.rowid`, part)} AND ${isNotNull(lastChanged)}`,
} satisfies Record<SitemapKind, unknown>;

function isInPart(rowid: SQL, part: SQL): SQL {
  const size = sql.raw(String(SITEMAP_MAX));
  return sql`${rowid} BETWEEN ${part} * ${size} + 1 AND (${part} + 1) * ${size}`;
}

/**
 * All parts that list something. Two round trips; it reads what stands in each part before the first that is listed.
 */
export async function listSitemapParts(db: Database): Promise<SitemapPart[]> {
  const partOf = (table: typeof products | typeof credentials) =>
    sql<number>`COALESCE((SELECT (MAX(rowid) - 1) / ${sql.raw(String(SITEMAP_MAX))} FROM ${table}), 0)`;
  const [last] = await read(db, oneRow({ products: partOf(products), shops: partOf(credentials) }));
  const listedOf = (kind: SitemapKind) =>
    build
      .select({ part: sql<number>`part.value` })
      .from(sql`json_each(${JSON.stringify(Array.from({ length: (last?.[kind] ?? 0) + 1 }, (_, part) => part))}) part`)
      .where(sql`EXISTS (SELECT 1 FROM ${LISTED[kind](sql`part.value`)})`);
  const { ofProducts, ofShops } = await read(db, { ofProducts: listedOf("products"), ofShops: listedOf("shops") });
  return [
    ...ofProducts.map(({ part }) => ({ kind: "products" as const, part })),
    ...ofShops.map(({ part }) => ({ kind: "shops" as const, part })),
  ];
}

/**
 * The pages of one part; none where it lists nothing. One round trip; it reads at most 10,000 products (9 ms), or as
 * many accounts with all that they have for sale.
 */
export async function readSitemapPart(db: Database, { kind, part }: SitemapPart): Promise<ListedPage[]> {
  if (kind === "products") {
    const rows = await read(
      db,
      build
        .select(named({ id: productRow.id, name: productRow.name, changedAt: productRow.updatedAt }))
        .from(LISTED.products(sql`${part}`)),
    );
    return rows.map(({ id, name, changedAt }) => ({
      path: publicProductPath({ id, name: publicProductName(name) }),
      changedAt,
    }));
  }
  const nameOf = {
    shopName: build.select({ name: shops.shopName }).from(shops).where(eq(shops.id, seller.id)),
    fullName: build.select({ name: profiles.fullName }).from(profiles).where(eq(profiles.id, seller.id)),
  };
  const sellers = await read(
    db,
    build
      .select(
        named({
          id: seller.id,
          shopName: sql<string | null>`${nameOf.shopName}`,
          fullName: sql<string | null>`${nameOf.fullName}`,
          changedAt: sql<number>`${lastChanged}`,
        }),
      )
      .from(LISTED.shops(sql`${part}`)),
  );
  return sellers.map(({ id, changedAt, ...names }) => ({
    path: publicShopPath({ id, title: publicShopTitle(names) }),
    changedAt,
  }));
}

/** The categories and campuses where something is for sale. One round trip; reads a few rows for each of them. */
export async function listBrowsedPages(db: Database): Promise<ListedPage[]> {
  const somethingIn = build
    .select({ one: sql`1` })
    .from(sql`${products} product_row INDEXED BY products_for_sale_location`)
    .where(and(sql`${productRow.location} = ${campusLocations.name}`, FOR_SALE));
  const { browsed, campuses } = await read(db, {
    browsed: build
      .select({ id: categories.id })
      .from(categories)
      .where(and(eq(categories.status, "approved"), hasListings(categories.id)))
      .orderBy(asc(categories.id))
      .limit(SITEMAP_MAX / 2),
    campuses: build
      .select({ name: campusLocations.name })
      .from(campusLocations)
      .where(exists(somethingIn))
      .orderBy(campusLocations.id),
  });
  return [
    ...browsed.map(({ id }) => ({ path: publicCategoryPath(id) })),
    ...campuses.map(({ name }) => ({ path: publicCampusPath(name) })),
  ];
}
