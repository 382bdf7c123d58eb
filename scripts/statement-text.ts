import { is, SQL, type SQLWrapper } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { Statement } from "#app/db/batch.ts";

const dialect = new SQLiteAsyncDialect({ casing: "snake_case" });

/** A statement with its values in the text: ours alone, because nothing but quotes is escaped. */
export function textOf(statement: Statement): string {
  const whole = is(statement, SQL) ? statement : (statement as unknown as SQLWrapper).getSQL(); // every builder has it
  return dialect.sqlToQuery(whole.inlineParams()).sql;
}
