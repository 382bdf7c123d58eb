import { sql, type SQLWrapper, type SQL } from "drizzle-orm";

/** SQL: the East African day of a time in ms, in days since 1970, as `dayOf` in `platform/east-africa-time.ts`. */
export function dayInSql(time: SQLWrapper): SQL<number> {
  return sql<number>`(${time} + 10800000) / 86400000`;
}
