/** Copies of the database and what is made of them, by the code of `npm run backup` and `npm run restore`. */
import { env } from "cloudflare:workers";
import { getTableName, is } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as fc from "fast-check";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import * as schema from "#scripts/tables.ts";
import { sendReport } from "#app/moderation/reports/report.server.ts";
import { readTables, type RowDatabase } from "#scripts/backup/tables.ts";
import { db, makeDeal, makeProduct, makeUser, followShops, servicesAt } from "#tests/support/fixtures.ts";
import { giveMessage } from "#tests/support/messages.ts";
import { payDeal } from "#tests/support/paid-deal.ts";
import { copyOf, emptyDatabase, type MemoryCopy, restore } from "#tests/support/restored.ts";
import { bookOneSide } from "#tests/support/torn-books.ts";

const [source, target] = [env.DB, env.RESTORED];

/**
 * Tables of the tests' own: any kind of value, rows that refer to later ones, and two tables that refer to each other.
 */
beforeAll(async () => {
  await source.batch(
    [
      "CREATE TABLE try_values (id text PRIMARY KEY NOT NULL, words text, whole integer, part real, anything)",
      "CREATE TABLE try_chain (id text PRIMARY KEY NOT NULL, next text REFERENCES try_chain (id), other integer REFERENCES try_other (id))",
      "CREATE TABLE try_other (id integer PRIMARY KEY AUTOINCREMENT NOT NULL, chain text REFERENCES try_chain (id))",
      "CREATE TABLE try_parent (id text PRIMARY KEY NOT NULL)",
      "CREATE TABLE try_child (id text PRIMARY KEY NOT NULL, parent text NOT NULL REFERENCES try_parent (id))",
    ].map((statement) => source.prepare(statement)),
  );
});
afterEach(() => emptyDatabase(target));

/** Rows as SQLite has them, byte by byte. */
async function bytesIn(database: RowDatabase, table: string): Promise<unknown[]> {
  const known = (await readTables(database)).find(({ name }) => name === table);
  const columns = known?.columns.map((column) => `typeof(${column}), hex(CAST(${column} AS BLOB))`) ?? [];
  const query = `SELECT json_array(rowid, ${columns.join(", ")}) AS row FROM ${table} ORDER BY rowid`;
  return (await database.prepare(query).all<{ row: string }>()).results.map(({ row }) => row);
}

/** What people could type. */
const TYPED = [
  "",
  "BEGIN TRANSACTION; INSERT; COMMIT;",
  "'); DROP TABLE orders; --",
  "C:\\new\\table\\u0000 \\n \\\\n",
  "-- a comment\r\n/* another */ ; ' \" ` ''",
  "a\u0000b\u0000",
  "line\u2028paragraph\u2029next\u0085",
  "\ud800 half \udc00",
  "😀".repeat(2_000),
  "\u0000".repeat(2_000),
  '["null", null, {"integer": "5"}]',
  "9223372036854775807",
  "\ufeff\ufffd\uffff\u{10ffff}",
];

const text = fc.oneof(
  fc.constantFrom(...TYPED),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc
    .array(fc.constantFrom(...TYPED, "'", ";", "\\", "\n", "--", "END;", "INSERT"), { maxLength: 6 })
    .map((parts) => parts.join(" ")),
);

test("what people type comes back byte by byte, as do numbers of any size, fractions and bytes", async () => {
  const row = fc.record({
    words: fc.option(text),
    whole: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    part: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    anything: fc.oneof(
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.uint8Array({ maxLength: 600 }),
      fc.constant(null),
    ),
  });
  const key = fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n });
  const rows = fc.uniqueArray(fc.tuple(key, row), {
    selector: ([one]) => one,
    minLength: 80,
    maxLength: 240,
    size: "max",
  });
  const counted = { values: 0 };
  await fc.assert(
    fc.asyncProperty(rows, async (some) => {
      await emptyDatabase(target);
      await source.batch([
        source.prepare("DELETE FROM try_values"),
        ...some.map(([number, { words, whole, part, anything }]) =>
          source
            .prepare(
              `INSERT INTO try_values (rowid, id, words, whole, part, anything)
                VALUES (CAST(?1 AS INTEGER), ?1, ?2, CAST(?3 AS INTEGER), ?4, ?5)`,
            )
            .bind(String(number), words, whole === null ? null : String(whole), part, anything),
        ),
        // A whole number where no type is declared.
        source.prepare("INSERT INTO try_values (id, anything) VALUES ('whole', 5)"),
      ]);
      await restore(await copyOf(source), target);
      const before = await bytesIn(source, "try_values");
      expect(await bytesIn(target, "try_values")).toEqual(before);
      counted.values += before.length;
    }),
    // Few runs of many rows: each makes all tables anew.
    { numRuns: 3 },
  );
  expect(counted.values).toBeGreaterThan(200);
});

/** Writes a row into each empty table of the schema. Where it refers to another table, it names a row of that. */
async function fillTables(database: RowDatabase): Promise<void> {
  for (const { name } of await readTables(database)) {
    const ask = async <T>(pragma: string) => (await database.prepare(`PRAGMA ${pragma}('${name}')`).all<T>()).results;
    if (await database.prepare(`SELECT 1 FROM ${name}`).first()) continue;
    const references = await ask<{ table: string; from: string; to: string }>("foreign_key_list");
    const values = (await ask<{ name: string; type: string }>("table_xinfo")).map((column) => {
      const to = references.find(({ from }) => from === column.name);
      const value = /int|real/i.test(column.type) ? "0" : "'[]'";
      return [column.name, to ? `(SELECT ${to.to} FROM ${to.table} LIMIT 1)` : value];
    });
    const [names, row] = [0, 1].map((n) => values.map((value) => value[n]).join(", "));
    await database.prepare(`INSERT INTO ${name} (${names}) VALUES (${row})`).run();
  }
}

/** Every column of text that isn't a code or the id of a row. */
const TEXTS = Object.values(schema).flatMap((table) => {
  // A transaction of the books is all that has one text.
  if (!is(table, SQLiteTable) || table === schema.ledgerEntries) return [];
  const { name, columns, primaryKeys, foreignKeys } = getTableConfig(table);
  const ids = [...primaryKeys.flatMap((key) => key.columns), ...foreignKeys.flatMap((key) => key.reference().columns)];
  const texts = columns.filter(
    (column) =>
      column.getSQLType() === "text" && !column.enumValues?.length && !column.primary && !ids.includes(column),
  );
  return texts.map(({ name: column, dataType }) => ({ table: name, column: toSnakeCase(column), dataType }));
});

test("what people type comes back in every column of text of the schema", { timeout: 60_000 }, async () => {
  await payDeal();
  const real = await copyOf(source);
  await restore(real, target);
  for (const { name } of real.objects.filter(({ type }) => type === "trigger"))
    await target.prepare(`DROP TRIGGER ${name}`).run();
  await fillTables(target);
  const words = TYPED.join(" ");
  expect(TEXTS.length).toBeGreaterThan(100);
  await target.batch(
    TEXTS.map(({ table, column, dataType }) => {
      const value = dataType === "json" ? "json_array(? || rowid)" : "? || rowid";
      return target.prepare(`UPDATE ${table} SET ${column} = ${value}`).bind(words);
    }),
  );
  const tables = [...new Set(TEXTS.map(({ table }) => table))];
  const before = await Promise.all(tables.map((table) => bytesIn(target, table)));
  for (const rows of before) expect(rows.length).toBeGreaterThan(0);
  const copy = await copyOf(target);
  await emptyDatabase(target);
  await restore({ ...copy, objects: real.objects }, target);
  expect(await Promise.all(tables.map((table) => bytesIn(target, table)))).toEqual(before);
});

test("a conversation of 40 messages of 2,000 characters of four bytes, kept in a case, comes back", async () => {
  const [writer, reader] = [await makeUser(), await makeUser()];
  const words = [...TYPED, ...Array.from({ length: 40 }, () => "😀".repeat(2_000))];
  const at = Date.now();
  for (const [n, message] of words.entries())
    await giveMessage({
      senderId: n % 2 === 0 ? writer : reader,
      recipientId: n % 2 === 0 ? reader : writer,
      message,
      createdAt: at + n,
    });
  const report = { subject: "person", subjectId: writer, reporterId: reader, reason: "harassment", text: "" } as const;
  expect(await sendReport(servicesAt(), report)).toMatchObject({ ok: true });
  const { bytes: longest } = (await source
    .prepare("SELECT max(octet_length(content)) AS bytes FROM copies")
    .first<{ bytes: number }>()) ?? { bytes: 0 };
  expect(longest).toBeGreaterThan(100_000);

  await restore(await copyOf(source), target);
  for (const table of ["copies", "messages"])
    expect(await bytesIn(target, table)).toEqual(await bytesIn(source, table));
});

test("a row as long as D1 takes comes back, whatever it becomes as JSON", async () => {
  const long = ["\u0000".repeat(1_990_000), "😀".repeat(497_500), '\\"'.repeat(995_000)];
  await source.batch(
    long.map((words, n) => source.prepare("INSERT INTO try_values (id, words) VALUES (?, ?)").bind(`long ${n}`, words)),
  );
  await restore(await copyOf(source), target);
  const lengths = "SELECT octet_length(words) AS bytes FROM try_values WHERE id LIKE 'long%' ORDER BY id";
  const { results } = await target.prepare(lengths).all();
  expect(results).toEqual([{ bytes: 1_990_000 }, { bytes: 1_990_000 }, { bytes: 1_990_000 }]);
  await source.prepare("DELETE FROM try_values").run();
});

test("every table is copied but those of the search, which finds the same again, and triggers count nothing twice", async () => {
  await makeDeal();
  const seller = await makeUser();
  await makeProduct(seller, { name: "Kasuku radio" });
  await db.insert(schema.shops).values({ id: seller, shopName: "Kasuku's shop", createdAt: 1, updatedAt: 1 });
  await followShops(seller);
  const copy = await copyOf(source);
  const tables = Object.values(schema).flatMap((value) => (is(value, SQLiteTable) ? [getTableName(value)] : []));
  const copied = copy.contents.tables.map(({ name }) => name).filter((name) => !name.startsWith("try_"));
  expect(copied.toSorted()).toEqual(tables.toSorted());

  await restore(copy, target);
  const again = await copyOf(target);
  expect(again.contents).toEqual(copy.contents);
  expect(again.objects).toEqual(expect.arrayContaining(copy.objects));
  expect(again.objects).toHaveLength(copy.objects.length);
  const search = copy.objects.filter(
    ({ type, name }) => type === "table" && !copy.contents.tables.some((one) => one.name === name),
  );
  expect(search.length).toBeGreaterThan(0);
  for (const { name } of search) {
    const count = `SELECT COUNT(*) AS rows FROM ${name}`;
    const before = await source.prepare(count).first<{ rows: number }>();
    expect(before?.rows).toBeGreaterThan(0);
    expect([name, await target.prepare(count).first()]).toEqual([name, before]);
  }
  const find = "SELECT rowid FROM product_search WHERE product_search MATCH 'kasuku'";
  expect((await target.prepare(find).all()).results).toEqual((await source.prepare(find).all()).results);
});

test("rows that refer to rows which came later come back, as do the numbers that were given to rows that are gone", async () => {
  await source.batch(
    [
      "PRAGMA defer_foreign_keys = TRUE",
      "INSERT INTO try_chain (id, next, other) VALUES ('a', 'c', 7), ('b', NULL, NULL), ('c', 'a', 8)",
      "INSERT INTO try_other (id, chain) VALUES (7, 'c'), (8, 'b'), (900, NULL)",
      "DELETE FROM try_other WHERE id = 900",
    ].map((statement) => source.prepare(statement)),
  );
  await restore(await copyOf(source), target);
  for (const table of ["try_chain", "try_other"])
    expect(await bytesIn(target, table)).toEqual(await bytesIn(source, table));
  await target.prepare("INSERT INTO try_other (chain) VALUES ('a')").run();
  expect(await target.prepare("SELECT max(id) AS id FROM try_other").first()).toEqual({ id: 901 });
});

/** A database of which the batch number `stopAt` never comes, and all after it. */
function stopping(database: RowDatabase, stopAt: number): RowDatabase {
  let batches = 0;
  return {
    prepare: (sql) => database.prepare(sql),
    batch: (statements) => {
      batches += 1;
      if (batches >= stopAt) return Promise.reject(new Error("SQLITE_FULL, for the test"));
      return database.batch(statements);
    },
  };
}

test("a restore that stopped anywhere says so in the database, goes on with the same copy, and with no other", async () => {
  await source.batch(
    Array.from({ length: 700 }, (_, n) =>
      source.prepare("INSERT INTO try_parent (id) VALUES (?)").bind(`${n} ${"x".repeat(3_000)}`),
    ),
  );
  const copy = await copyOf(source);
  const whole: MemoryCopy["contents"] = copy.contents;
  const marked = () => target.prepare("SELECT 1 FROM sqlite_master WHERE name = 'unfinished_restore'").first();
  let stops = 0;
  for (let stopAt = 4; ; stopAt += 9) {
    const done = await restore(copy, stopping(target, stopAt)).then(
      () => true,
      () => false,
    );
    if (done) break;
    stops += 1;
    if (stopAt === 4) await source.prepare("INSERT INTO try_parent (id) VALUES ('new')").run();
    const begun = (await readTables(target)).length > 0;
    expect(Boolean(await marked())).toBe(begun);
    if (begun) await expect(restore(await copyOf(source), target)).rejects.toThrow("half of another copy");
  }
  expect(stops).toBeGreaterThan(3);
  expect(await marked()).toBeNull();
  expect((await copyOf(target)).contents).toEqual(whole);
  await expect(restore(copy, target)).rejects.toThrow("isn't empty");
  await source.prepare("DELETE FROM try_parent").run();
});

describe("a copy that isn't what was written", () => {
  const damages: [string, (bytes: Buffer) => Buffer][] = [
    ["is empty", () => Buffer.from("")],
    ["was cut off", (bytes) => bytes.subarray(0, bytes.length - 40)],
    [
      "lacks a line in the middle",
      (bytes) => Buffer.concat([bytes.subarray(0, 100), bytes.subarray(bytes.indexOf(10, 100) + 1)]),
    ],
    ["has another letter", (bytes) => Buffer.from(bytes.toString().replace("Works, with cover", "Works, with Cover"))],
    [
      "is of another version",
      (bytes) => Buffer.from(bytes.toString().replace('"version":"in memory"', '"version":"newer"')),
    ],
  ];
  test.each(damages)("because it %s is refused before anything is written", async (_, damage) => {
    const copy = await copyOf(source);
    const damaged = damage(copy.bytes);
    expect(damaged.equals(copy.bytes)).toBe(false);
    await expect(restore({ ...copy, bytes: damaged }, target)).rejects.toThrow(/isn't whole|damaged/);
    expect(await readTables(target)).toEqual([]);
  });
});

/** A database to which `write` writes before each batch. */
function busy(database: RowDatabase, write: (batches: number) => Promise<unknown>): RowDatabase {
  let batches = 0;
  return {
    prepare: (sql) => database.prepare(sql),
    batch: async (statements) => {
      await write((batches += 1));
      return database.batch(statements);
    },
  };
}

describe("a database that is written to while it is copied", () => {
  test("gives a copy of one moment once nobody writes", async () => {
    const write = async (batches: number) => {
      if (batches > 6) return;
      await source.prepare("INSERT INTO try_parent (id) VALUES (?)").bind(`early ${batches}`).run();
    };
    const copy = await copyOf(busy(source, write));
    expect(copy.contents.changed).toEqual([]);
    await restore(copy, target);
    expect(await bytesIn(target, "try_parent")).toEqual(await bytesIn(source, "try_parent"));
  });

  test("gives a copy that names the tables, and has every row that its rows refer to", async () => {
    const write = async () => {
      const id = crypto.randomUUID();
      await source.batch([
        source.prepare("INSERT INTO try_parent (id) VALUES (?)").bind(id),
        source.prepare("INSERT INTO try_child (id, parent) VALUES (?1, ?1)").bind(id),
      ]);
    };
    const copy = await copyOf(busy(source, write));
    expect(copy.contents.changed).toEqual(expect.arrayContaining(["try_child", "try_parent"]));
    await restore(copy, target);
  });
});

test("a copy whose books don't balance is refused, and what was begun says that it isn't finished", async () => {
  await bookOneSide(source, "escrow", 5);
  const copy = await copyOf(source);
  await bookOneSide(source, "mpesa_collection", -5);
  await expect(restore(copy, target)).rejects.toThrow("The books of the copy don't balance");
  expect((await readTables(target)).map(({ name }) => name)).toContain("unfinished_restore");
});

test("a text that isn't UTF-8 comes back as its bytes, and a number that JSON doesn't know fails the copy", async () => {
  await source.prepare("INSERT INTO try_values (id, words) VALUES ('bad', CAST(x'ff41c3eda080' AS TEXT))").run();
  await restore(await copyOf(source), target);
  expect(await bytesIn(target, "try_values")).toEqual(await bytesIn(source, "try_values"));
  await source.prepare("INSERT INTO try_values (id, part) VALUES ('endless', 9e999)").run();
  await expect(copyOf(source)).rejects.toThrow("try_values was deleted just now, or has a value that no copy can have");
  await source.prepare("DELETE FROM try_values").run();
});
