/** The seam for several databases: what would have to be together is together, and what crosses is known. */
import { globSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import * as schema from "#app/db/schema.ts";
import { TABLE_GROUPS, type TableGroup } from "#app/db/table-groups.ts";

const tables = Object.values(schema)
  .filter((value) => is(value, SQLiteTable))
  .map((table) => getTableConfig(table));

/** Which groups each group may write to and refer to. Campus and money are in one database. */
const MAY_USE: Record<TableGroup, TableGroup[]> = {
  directory: ["directory", "each"],
  campus: ["campus", "money", "each"],
  money: ["money", "campus", "each"],
  each: ["each"],
};

function groupOf(table: string): TableGroup {
  const group = TABLE_GROUPS.get(table);
  if (!group) throw new Error(`${table} has no group`);
  return group;
}

test("every table has its group", () => {
  expect([...TABLE_GROUPS.keys()].toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
});

test("foreign keys point into the same database or to the directory, and the directory's only into itself", () => {
  const crossing = tables.flatMap(({ name, foreignKeys }) =>
    foreignKeys.flatMap((key) => {
      const to = getTableConfig(key.reference().foreignTable).name;
      const allowed: TableGroup[] = [...MAY_USE[groupOf(name)], "directory"];
      return allowed.includes(groupOf(to)) ? [] : [`${name} -> ${to}`];
    }),
  );
  expect(crossing).toEqual([]);
});

/** Triggers that write into another database than their table's. Each would become a message between the two. */
const CROSSING_TRIGGERS = [
  "listed_sellers_rename: profiles -> sitemap_parts",
  "offers_account_closed: credentials -> offers",
  "products_counted_delete: products -> categories",
  "products_counted_insert: products -> categories",
  "products_counted_update: products -> categories",
  "products_verified: profiles -> products",
  "profiles_copied: profiles -> copies",
];

test("no more triggers cross the seam than are known", () => {
  const database = new DatabaseSync(":memory:");
  for (const file of globSync("migrations/*.sql").toSorted())
    for (const statement of readFileSync(file, "utf8").split("--> statement-breakpoint")) database.exec(statement);
  const triggers = database
    .prepare("SELECT name, tbl_name AS tableName, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
    .all() as { name: string; tableName: string; sql: string }[];
  const crossing = triggers.flatMap(({ name, tableName, sql }) => {
    const from = TABLE_GROUPS.get(tableName);
    const body = sql.slice(sql.indexOf("BEGIN"));
    const written = Array.from(body.matchAll(/\b(?:INTO|UPDATE|DELETE FROM)\s+[`"]?(\w+)/g), ([, table = ""]) => table);
    const others = new Set(
      written.filter((table) => {
        const to = TABLE_GROUPS.get(table);
        return from && to && !MAY_USE[from].includes(to);
      }),
    );
    return others.size > 0 ? [`${name}: ${tableName} -> ${[...others].join(", ")}`] : [];
  });
  expect(crossing).toEqual(CROSSING_TRIGGERS);
});
