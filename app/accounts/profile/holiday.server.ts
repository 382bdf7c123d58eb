import { and, eq, gt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { build } from "#app/db/build.ts";
import { profiles, shops } from "#app/accounts/tables.server.ts";

/** SQL: when a seller's holiday ends (ms since 1970); NULL when they aren't on holiday. `sellerId` is SQL. */
export function awayUntil(sellerId: SQL, now: number | SQLWrapper): SQL<number | null> {
  const isAway = and(eq(shops.id, sellerId), gt(shops.awayUntil, now));
  return sql<number | null>`${build.select({ until: shops.awayUntil }).from(shops).where(isAway)}`;
}

/** SQL: the name of a seller in a sentence. `sellerId` is the SQL of a column. */
export function sellerName(sellerId: SQL): SQL<string> {
  const fullName = build
    .select({ name: sql`NULLIF(trim(${profiles.fullName}), '')` })
    .from(profiles)
    .where(eq(profiles.id, sellerId));
  const shopName = build.select({ name: shops.shopName }).from(shops).where(eq(shops.id, sellerId));
  return sql<string>`COALESCE(${fullName}, ${shopName}, 'The seller')`;
}
