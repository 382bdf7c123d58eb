/** The file that everybody can download holds what every table has of them. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getTableColumns, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import * as schema from "#scripts/tables.ts";
import { writeMyData } from "#app/screens/my-data/my-data-file.ts";
import { IN_COPY, NOT_IN_COPY } from "#app/screens/my-data/my-data.server.ts";
import { root } from "#scripts/folders.ts";

const tables = Object.entries(schema).filter(([, value]) => is(value, SQLiteTable)) as [string, SQLiteTable][];
const left = Object.values(NOT_IN_COPY).flatMap((names) => names.split(/\s+/));

test("every table is in the copy of a person's data, or a reason says why it isn't", () => {
  expect([...Object.keys(IN_COPY), ...left].toSorted()).toEqual(tables.map(([name]) => name).toSorted());
});

test("no secret and no key is in the copy", () => {
  for (const [name, table] of tables) {
    const held = IN_COPY[name];
    if (!held) continue;
    expect(held.table).toBe(table);
    const given = Object.keys(getTableColumns(table)).filter((column) => !held.without.includes(column));
    const secrets = given.filter((column) =>
      /hash|token|secret|auth$|p256dh|idempotency|conversationId$|doneBy|decidedBy/i.test(column),
    );
    expect({ [name]: secrets }).toEqual({ [name]: [] });
  }
});

test("the file says times in words, and leaves out empty tables", () => {
  const file = writeMyData({ orders: [{ id: "1", createdAt: 0, amount: 5 }], reviews: [] }, "https://a.test", 60_000);
  expect(JSON.parse(file)).toEqual({
    about: expect.stringContaining("Times are in UTC"),
    site: "https://a.test",
    madeAt: "1970-01-01T00:01:00.000Z",
    orders: [{ id: "1", createdAt: "1970-01-01T00:00:00.000Z", amount: 5 }],
  });
});

test("every column that holds a time is in words, and no other one", () => {
  const source = globSync("app/*/tables.server.ts", { cwd: root })
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\n");
  const times = new Set([...source.matchAll(/^\s+(\w+): time\(\)/gm)].map(([, name]) => name));
  expect(times.size).toBeGreaterThan(50);
  for (const [name, { table, without }] of Object.entries(IN_COPY)) {
    const columns = Object.keys(getTableColumns(table)).filter((column) => !without.includes(column));
    const row = Object.fromEntries(columns.map((column) => [column, 420]));
    const { [name]: rows } = JSON.parse(writeMyData({ [name]: [row] }, "https://a.test", 0));
    const inWords = columns.filter((column) => rows[0][column] !== 420);
    expect({ [name]: inWords }).toEqual({ [name]: columns.filter((column) => times.has(column)) });
  }
});
