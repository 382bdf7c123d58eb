import { type SQL, sql } from "drizzle-orm";
import { uuidsOf } from "#app/platform/public-links.ts";

/**
 * SQL: the id in a table that a short id stands for; NULL when there is none. The oldest row wins, because ids come from
 * browsers: nobody can take over another's link. People may type the short id, so its letter case doesn't count.
 */
export function idOfShortId(table: "products" | "credentials", shortId: string): SQL {
  const ids = uuidsOf(shortId.toLowerCase());
  if (ids === null) return sql`NULL`;
  return sql`(SELECT id FROM ${sql.raw(table)} WHERE id BETWEEN ${ids.first} AND ${ids.last} ORDER BY created_at, id LIMIT 1)`;
}
