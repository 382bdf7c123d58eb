import { and, eq, type SQL, sql } from "drizzle-orm";
import { build } from "#app/db/build.ts";
import { userRatings } from "#app/db/schema.ts";
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
