import { is } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import * as schema from "#scripts/tables.ts";
import { makeDatabase, readMigrations } from "#scripts/migrations.ts";

/** The tables of the search, which only SQL uses. */
const SEARCH = /^((product|shop)_search(_\w+)?|search_words|search_word_parts(_\w+)?)$/;

test("the migrations make the tables, columns and indexes of the schema", () => {
  const database = makeDatabase(readMigrations());
  const ask = (sql: string, name: string) =>
    database
      .prepare(sql)
      .all(name)
      .map((row) => Object.values(row).join(" "));
  const made = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !SEARCH.test(name))
    .map((name) => ({
      name,
      columns: ask(
        `SELECT name, lower(type), "notnull", dflt_value IS NOT NULL FROM pragma_table_info(?) ORDER BY name`,
        name,
      ),
      indexes: ask(`SELECT name, "unique" FROM pragma_index_list(?) WHERE origin = 'c' ORDER BY name`, name),
      references: ask(`SELECT "from", "table", "to" FROM pragma_foreign_key_list(?) ORDER BY 1`, name),
    }));
  const said = Object.values(schema)
    .filter((value) => is(value, SQLiteTable))
    .map((table) => {
      const { name, columns, indexes, foreignKeys } = getTableConfig(table);
      return {
        name,
        columns: columns
          .map((column) =>
            [
              toSnakeCase(column.name),
              column.getSQLType(),
              Number(column.notNull || column.primary),
              Number(column.default !== undefined),
            ].join(" "),
          )
          .toSorted(),
        indexes: indexes.map(({ config }) => `${config.name} ${config.unique ? 1 : 0}`).toSorted(),
        references: foreignKeys
          .map((key) => key.reference())
          .flatMap(({ columns: from, foreignTable, foreignColumns: to }) =>
            from.map((column, at) =>
              [toSnakeCase(column.name), getTableConfig(foreignTable).name, toSnakeCase(to[at]!.name)].join(" "),
            ),
          )
          .toSorted(),
      };
    });
  expect(made).toEqual(said.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
});
