/**
 * Columns of many tables. Everywhere ids are UUIDs (v4) unless said otherwise; times are integer milliseconds since
 * 1970; money is whole Kenyan shillings; nothing cascades, so that a delete can never take more than it names.
 */
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The id of a table that stands in a later folder, as a foreign key needs it: its name is enough. Tables of the same
 * folder or an earlier one are named themselves.
 */
export function idOf(table: string) {
  return sqliteTable(table, { id: text().primaryKey() }).id;
}

export function id() {
  return text().primaryKey();
}

export function time() {
  return integer();
}

export function flag() {
  return integer({ mode: "boolean" }).notNull().default(false);
}

export function userId() {
  return text().references(() => idOf("credentials"));
}
