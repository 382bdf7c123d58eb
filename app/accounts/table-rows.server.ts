/** Names of tables in queries, where the table itself may stand in the same query a second time. */
import { alias } from "drizzle-orm/sqlite-core";
import { profiles } from "./tables.server.ts";

export const personRow = alias(profiles, "person_row");
