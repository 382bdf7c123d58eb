import { and, eq, gte, inArray, ne, type SQL, sql } from "drizzle-orm";
import { hasRow } from "#app/db/build.ts";
import { savedQueries, savedSearches } from "#app/catalogue/tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- searches and followed shops are told together
import { shopFollows } from "#app/shops/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";

/**
 * SQL on `productRow`: one of these saved searches of somebody still tells of what costs so much. `ids`: JSON; the
 * others as SQL.
 */
export function isStillSearched(ids: SQL, userId: SQL): SQL {
  const query = and(eq(savedQueries.id, savedSearches.queryId), gte(savedQueries.maxPrice, productRow.price));
  return hasRow(
    savedSearches,
    and(
      inArray(savedSearches.id, sql`(SELECT value FROM json_each(${ids}))`),
      eq(savedSearches.userId, userId),
      ne(savedSearches.frequency, "never"),
      hasRow(savedQueries, query),
    ),
  );
}

/** SQL on `productRow`: somebody still follows its shop. */
export function isStillFollowed(userId: SQL): SQL {
  return hasRow(shopFollows, and(eq(shopFollows.userId, userId), eq(shopFollows.shopId, productRow.sellerId)));
}
