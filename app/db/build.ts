import {
  Column,
  exists,
  getTableColumns,
  type InferInsertModel,
  is,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/** Stands in for a database that isn't needed to build a query. It refuses to run one. */
const NO_DATABASE = {
  prepare: () => NO_DATABASE,
  bind: () => {
    throw new Error("Run this statement with read or write.");
  },
} as unknown as D1Database; // all that Drizzle calls

/** Builds statements without a database. `read` and `write` run them. */
export const build = drizzle(NO_DATABASE, { casing: "snake_case" });

type Selected<F> = F extends Column
  ? F["_"]["notNull"] extends true
    ? F["_"]["data"]
    : F["_"]["data"] | null
  : F extends SQL<infer T>
    ? T
    : never;

/**
 * Each field under the name of its key. A query in a batch needs it that selects two columns of one name, because D1
 * gives its rows by name: `select({ id: orders.id, ...named({ itemId: orderItems.id }) })`. Columns that are selected
 * so may also come from a table that Drizzle doesn't see, because FROM is SQL.
 */
export function named<F extends Record<string, Column | SQL>>(
  fields: F,
): { [K in keyof F]: SQL.Aliased<Selected<F[K]>> } {
  const entries = Object.entries(fields).map(([key, field]) => [
    key,
    is(field, Column) ? sql`${field}`.mapWith(field).as(key) : (field as SQL).as(key),
  ]);
  return Object.fromEntries(entries) as { [K in keyof F]: SQL.Aliased<Selected<F[K]>> };
}

/** JSON that SQL makes, decoded. `T` includes null where the SQL may be NULL. */
export function asJson<T>(value: SQL): SQL<T> {
  return sql`${value}`.mapWith((text: string) => JSON.parse(text) as T);
}

/** A condition, which is never NULL, among what is selected. */
export function asBoolean(condition: SQL): SQL<boolean> {
  return sql`${condition}`.mapWith(Boolean);
}

/** These columns of a table: `select(pick(orders, "id", "amount"))`. */
export function pick<T extends object, K extends keyof T>(table: T, ...names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<T, K>;
}

/** One row of values that need no table of their own, such as counts. */
export function oneRow<Fields extends Record<string, SQL>>(fields: Fields) {
  return build.select(named(fields)).from(sql`(SELECT 1)`);
}

/** Whether a table has a row with this condition. */
export function hasRow(table: SQLiteTable, where: SQL | undefined): SQL {
  return exists(
    build
      .select({ one: sql`1` })
      .from(table)
      .where(where),
  );
}

/** SQL: these ids, however many. */
export function idList(...ids: readonly string[]): SQL {
  return ids.length === 1 ? sql`(${ids[0]})` : sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
}

/** SQL: an id that nobody can guess, another one for each row of an INSERT … SELECT. */
export const RANDOM_ID = sql<string>`lower(hex(randomblob(16)))`;

/** What each new row holds: a value, or SQL over the rows that it is made from. */
type EachRow<T extends SQLiteTable> = { [K in keyof InferInsertModel<T>]: InferInsertModel<T>[K] | SQLWrapper };

/**
 * INSERT … SELECT: a row for each row of `from`, which begins with FROM and has a WHERE, as SQLite wants before ON
 * CONFLICT. What `row` leaves out gets the column's default.
 */
export function insertEach<T extends SQLiteTable>(table: T, row: EachRow<T>, from: SQL) {
  const given: Record<string, unknown> = row;
  const values = Object.entries(getTableColumns(table)).map(([key, column]) => {
    const value = given[key] ?? column.default ?? null;
    return isSql(value) ? sql`${value}` : sql`${sql.param(value, column)}`;
  });
  return build.insert(table).select(sql`SELECT ${sql.join(values, sql`, `)} ${from}`);
}

function isSql(value: unknown): value is SQLWrapper {
  return typeof value === "object" && value !== null && "getSQL" in value;
}
