import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** SQL: the key of the conversation between these two people, as `threadOf` makes it. */
export function threadSql(one: SQLWrapper, other: SQLWrapper): SQL {
  return sql`MIN(${one}, ${other}) || ':' || MAX(${one}, ${other})`;
}
