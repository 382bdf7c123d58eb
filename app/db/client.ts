import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { PAGE_PATIENCE, type Patience, repeatReads } from "./patience.ts";

/** The one database, as queries see it. `patience`: how long to wait for it while it is away. */
export type Database = DrizzleD1Database & { $client: D1Database; patience: Patience };

/** What says in the log that something happened. */
export interface Logging {
  log(event: { event: string } & Record<string, unknown>): void;
}

/** What nearly every use case needs: the database and a clock (milliseconds since 1970). */
export interface Store {
  db: Database;
  now(): number;
}

/** Reads are repeated while the database is away, and so is `write`. */
export function openDatabase(d1: D1Database, patience: Patience = PAGE_PATIENCE): Database {
  return Object.assign(drizzle(repeatReads(d1, patience), { casing: "snake_case" }), { patience });
}
