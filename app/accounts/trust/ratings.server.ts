import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { build } from "#app/db/build.ts";
import { userRatings } from "#app/accounts/tables.server.ts";
import type { StarCounts } from "./rating-rules.ts";

/**
 * SQL: the counts of a person's reviews in one role by their stars, as JSON; null when there are none. One row by its
 * primary key. `userId` is the SQL of a column. Read the result with `readStars`.
 */
export function starsOf(userId: SQL, role: "buyer" | "seller"): SQL {
  const { stars1, stars2, stars3, stars4, stars5 } = userRatings;
  const stars = sql`json_array(${stars1}, ${stars2}, ${stars3}, ${stars4}, ${stars5})`;
  const isTheirs = and(eq(userRatings.userId, userId), eq(userRatings.role, role));
  return sql`${build.select({ stars }).from(userRatings).where(isTheirs)}`;
}

export function sellerStars(sellerId: SQL): SQL {
  return starsOf(sellerId, "seller");
}

export function readStars(json: string | null): StarCounts {
  return json === null ? [0, 0, 0, 0, 0] : (JSON.parse(json) as StarCounts);
}

/**
 * SQL: what orders shops, in thousandths of a star: the Bayesian average of what buyers gave the seller, as if each
 * shop had five reviews with four stars before its first one. `sellerId`: the SQL of a column or value.
 */
export function scoreOfShop(sellerId: SQLWrapper): SQL<number> {
  const { stars1, stars2, stars3, stars4, stars5 } = userRatings;
  const score = sql`(20000 + 1000 * (${stars1} + 2 * ${stars2} + 3 * ${stars3} + 4 * ${stars4} + 5 * ${stars5}))
    / (5 + ${stars1} + ${stars2} + ${stars3} + ${stars4} + ${stars5})`;
  const isTheirs = and(sql`${userRatings.userId} = ${sellerId}`, eq(userRatings.role, "seller"));
  return sql<number>`COALESCE((${build.select({ score }).from(userRatings).where(isTheirs)}), 4000)`;
}
