import { and, eq, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { hasRow } from "#app/db/build.ts";
import { blocks } from "#app/accounts/tables.server.ts";
import type { Block } from "./block-rules.ts";

/** An id, or the SQL of a column. */
type Person = string | SQLWrapper;

/** SQL: 1 if one person has blocked the other, else 0. */
export function hasBlocked(userId: Person, blockedId: Person): SQL {
  return hasRow(blocks, and(eq(blocks.userId, userId), eq(blocks.blockedId, blockedId)));
}

/** SQL: 1 if one of two people has blocked the other, else 0. */
export function blockBetween(one: Person, other: Person): SQL {
  const { userId, blockedId } = blocks;
  return hasRow(blocks, or(and(eq(userId, one), eq(blockedId, other)), and(eq(userId, other), eq(blockedId, one))));
}

/** SQL: who of two people has blocked the other, as the first of them sees it; NULL where nobody has. */
export function blockOf(one: Person, other: Person): SQL<Block | null> {
  return sql<Block | null>`CASE WHEN ${hasBlocked(one, other)} THEN 'mine'
    WHEN ${hasBlocked(other, one)} THEN 'theirs' END`;
}
