import { and, eq, or, type SQL } from "drizzle-orm";
import { hasRow } from "#app/db/build.ts";
import { blocks } from "#app/db/schema.ts";

/** SQL: 1 if one of two people has blocked the other, else 0. Both are ids or the SQL of a column. */
export function blockBetween(one: SQL | string, other: SQL | string): SQL {
  const { userId, blockedId } = blocks;
  return hasRow(blocks, or(and(eq(userId, one), eq(blockedId, other)), and(eq(userId, other), eq(blockedId, one))));
}
