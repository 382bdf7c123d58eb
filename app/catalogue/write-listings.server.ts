/**
 * The statements that write `products`: no other file inserts into it or updates it. What follows from such a change is
 * `afterListingsChanged`, which goes into the same batch behind them.
 */
import type { SQL, SQLWrapper } from "drizzle-orm";
import { build, insertEach } from "#app/db/build.ts";
import { products } from "#app/db/schema.ts";

type Row = typeof products.$inferInsert;

/** What becomes of listings: values, or SQL on `products` as they were. */
type ListingChange = { [K in keyof Row]?: Row[K] | SQL };

export function insertListing(row: Row) {
  return build.insert(products).values(row);
}

/** A listing for each row of `from`, as for `insertEach`. */
export function insertListings(row: { [K in keyof Row]: Row[K] | SQLWrapper }, from: SQL) {
  return insertEach(products, row, from);
}

export function updateListings(change: ListingChange, where: SQL | undefined) {
  return build.update(products).set(change).where(where);
}

/** The same, with the row of `from` that `where` joins to each listing. */
export function updateListingsFrom(change: ListingChange, from: SQL | SQLWrapper, where: SQL | undefined) {
  return build
    .update(products)
    .set(change)
    .from(from as SQL)
    .where(where);
}
