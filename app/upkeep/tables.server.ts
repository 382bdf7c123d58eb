import { integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core";
import { productId } from "#app/catalogue/tables.server.ts";
import { userId } from "#app/db/columns.ts";

/**
 * How often a listing was opened and written about on one day. Counted in memory and written in lots. Kept for 90 days.
 */
export const listingDays = sqliteTable(
  "listing_days",
  {
    /** Days since 1970 in East Africa Time. */
    day: integer().notNull(),
    sellerId: userId().notNull(),
    productId: productId().notNull(),
    /** Visits of others to its pages. */
    views: integer().notNull(),
    /** Messages to its seller about it. */
    messages: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.sellerId, t.productId] })],
);
