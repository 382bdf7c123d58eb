import { and, count, eq, isNull, type SQL, sql } from "drizzle-orm";
import { build } from "#app/db/build.ts";
import { products } from "#app/catalogue/tables.server.ts";

/** SQL: how many listings this user has, counted up to 1,001. */
export function listedBy(userId: string): SQL<number> {
  const listed = build
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.sellerId, userId), isNull(products.deletedAt)))
    .limit(1001)
    .as("listed");
  return sql<number>`${build.select({ listings: count() }).from(listed)}`;
}
