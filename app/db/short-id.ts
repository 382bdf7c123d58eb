import { asc, between, type SQL, sql } from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { uuidsOf } from "#app/platform/short-ids.ts";
import { build } from "./build.ts";

/**
 * SQL: the id in a table that a short id stands for; NULL when there is none. The oldest row wins, because ids come
 * from browsers: nobody can take over another's link. People may type the short id, so its letter case doesn't count.
 */
export function idOfShortId(table: SQLiteTable & Record<"id" | "createdAt", AnySQLiteColumn>, shortId: string): SQL {
  const ids = uuidsOf(shortId.toLowerCase());
  if (ids === null) return sql`NULL`;
  const { id, createdAt } = table;
  return sql`${build
    .select({ id })
    .from(table)
    .where(between(id, ids.first, ids.last))
    .orderBy(asc(createdAt), asc(id))
    .limit(1)}`;
}
