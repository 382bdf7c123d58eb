import { asc, between, type SQL, sql } from "drizzle-orm";
import { uuidsOf } from "#app/platform/public-links.ts";
import { build } from "./build.ts";
import { credentials, products } from "./schema.ts";

const TABLES = { products, credentials };

/**
 * SQL: the id in a table that a short id stands for; NULL when there is none. The oldest row wins, because ids come
 * from browsers: nobody can take over another's link. People may type the short id, so its letter case doesn't count.
 */
export function idOfShortId(table: "products" | "credentials", shortId: string): SQL {
  const ids = uuidsOf(shortId.toLowerCase());
  if (ids === null) return sql`NULL`;
  const { id, createdAt } = TABLES[table];
  return sql`${build
    .select({ id })
    .from(TABLES[table])
    .where(between(id, ids.first, ids.last))
    .orderBy(asc(createdAt), asc(id))
    .limit(1)}`;
}
