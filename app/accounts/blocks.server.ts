import { and, eq, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { hasRow } from "#app/db/build.ts";
import { blocks } from "#app/db/schema.ts";
import type { Block } from "./block-rules.ts";

/** An id, or the SQL of a column. */
type Person = string | SQLWrapper;

/** SQL: 1 if one of two people has blocked the other, else 0. */
export function blockBetween(one: Person, other: Person): SQL {
  const { userId, blockedId } = blocks;
  return hasRow(blocks, or(and(eq(userId, one), eq(blockedId, other)), and(eq(userId, other), eq(blockedId, one))));
}

/** SQL: who of two people has blocked the other, as the first of them sees it; NULL where nobody has. */
export function blockOf(one: Person, other: Person): SQL<Block | null> {
  const { userId, blockedId } = blocks;
  const has = (by: Person, blocked: Person) => hasRow(blocks, and(eq(userId, by), eq(blockedId, blocked)));
  return sql<Block | null>`CASE WHEN ${has(one, other)} THEN 'mine' WHEN ${has(other, one)} THEN 'theirs' END`;
}
