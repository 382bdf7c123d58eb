import { type SQL, sql } from "drizzle-orm";

/** SQL: 1 if one of two people has blocked the other, else 0. Both are ids or the SQL of a column. */
export function blockBetween(one: SQL | string, other: SQL | string): SQL<number> {
  return sql<number>`EXISTS (SELECT 1 FROM blocks k WHERE (k.user_id = ${one} AND k.blocked_id = ${other}) OR (k.user_id = ${other} AND k.blocked_id = ${one}))`;
}
