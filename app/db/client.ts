import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";

/** The one database, as queries see it. */
export type Database = DrizzleD1Database & { $client: D1Database };

/** What nearly every use case needs: the database and a clock (milliseconds since 1970). */
export interface Store {
  db: Database;
  now(): number;
}

export function openDatabase(d1: D1Database): Database {
  return drizzle(d1, { casing: "snake_case" });
}
