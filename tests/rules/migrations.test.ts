import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { CommandError } from "#scripts/command.ts";
import { findChangedMigrations, printsOf, readReleased } from "#scripts/releases.ts";
import {
  compareSchemas,
  findDifferences,
  findMigrationFaults,
  type Migratable,
  migrate,
  OtherSchema,
  readMigrations,
  readPending,
  statementsOf,
  summarize,
} from "#scripts/migrations.ts";

test("what looks like a comment within a text is a part of it", () => {
  const row = "INSERT INTO a VALUES ('scrypt$8$x--y', 'it''s /* no */ comment');";
  expect(statementsOf(`-- It doesn't matter.\n${row} -- 'nor this\nSELECT 1; /* nor -- 'this */`)).toEqual([
    row.slice(0, -1),
    "SELECT 1",
  ]);
});

describe("released migrations", () => {
  test("are what they were when they were released", () => {
    expect(findChangedMigrations(readReleased(), readMigrations())).toEqual([]);
  });

  test("one that was changed, renamed or removed is named, and a new one isn't", () => {
    const [first, second] = [
      { name: "0000_a.sql", sql: "CREATE TABLE a (id text);" },
      { name: "0001_b.sql", sql: "CREATE TABLE b (id text);" },
    ];
    const released = { "1.0.0": printsOf([first, second]) };
    const added = { name: "0002_c.sql", sql: "CREATE TABLE c (id text);" };
    expect(findChangedMigrations(released, [first, second, added])).toEqual([]);
    expect(findChangedMigrations(released, [first, { ...second, sql: `${second.sql}\n` }])).toEqual([
      "0001_b.sql was released with 1.0.0, and databases have it: put it back, and write a new migration.",
    ]);
    expect(findChangedMigrations(released, [first, { ...second, name: "0001_d.sql" }])).toHaveLength(1);
    expect(findChangedMigrations(released, [second])).toHaveLength(1);
  });
});

describe("the text of a migration", () => {
  test("every statement that we have is one that D1 takes, and deletes nothing", () => {
    expect(readMigrations().flatMap(findMigrationFaults)).toEqual([]);
  });

  const trigger = (body: string) => `-- A trigger.\nCREATE TRIGGER t AFTER INSERT ON orders\n${body};`;
  test.each([
    ["a CASE in a trigger", trigger("BEGIN\n  SELECT CASE WHEN new.a THEN 1 END;\nEND")],
    ["a CASE in a trigger, in parentheses", trigger("BEGIN\n  UPDATE a SET b = (case c WHEN 1 THEN 2 END);\nEND")],
    ["a trigger that begins in small letters", trigger("begin\n  DELETE FROM a;\nEND")],
    ["a trigger that ends in small letters", trigger("BEGIN\n  DELETE FROM a;\nend")],
    ["a table that is dropped", "DROP TABLE orders;"],
    ["a table that is built again", "CREATE TABLE __new_orders (id text);"],
    ["a column that is dropped", "ALTER TABLE orders DROP COLUMN amount;"],
    ["a column that is renamed", "ALTER TABLE `orders` RENAME COLUMN amount TO price;"],
    ["a cascade", "CREATE TABLE a (b text REFERENCES c (d) ON DELETE CASCADE);"],
    ["foreign keys that are switched off", "PRAGMA foreign_keys = OFF;"],
    ["a statement that is too long", `INSERT INTO a VALUES ('${"x".repeat(100_000)}');`],
  ])("%s is refused, wherever it stands", (_, statement) => {
    const sql = `CREATE TABLE first (id text);\n${statement}\nCREATE TABLE last (id text);`;
    expect(findMigrationFaults({ name: "0002_test.sql", sql })).toHaveLength(1);
  });

  test.each([
    ["a CASE outside a trigger", "CREATE VIEW v AS SELECT CASE a WHEN 1 THEN 2 END FROM b;"],
    [
      "the words in a text or a comment",
      trigger("WHEN new.a = 'case'\n-- In this case.\nBEGIN\n  DELETE FROM a;\nEND"),
    ],
    ["a trigger that is replaced", `DROP TRIGGER t;\n${trigger("BEGIN\n  DELETE FROM a;\nEND")}`],
  ])("%s is fine", (_, sql) => {
    expect(findMigrationFaults({ name: "0002_test.sql", sql })).toEqual([]);
  });
});

test("what a migration does is said in words", () => {
  const sql = `CREATE TABLE a (b text);\nCREATE UNIQUE INDEX a_b ON a (b);
    ALTER TABLE c ADD d text;\nALTER TABLE c ADD e text;
    DROP TRIGGER t;\nUPDATE c SET d = 'CREATE TABLE';`;
  expect(summarize({ name: "0002_test.sql", sql })).toBe(
    "1 × new table, 1 × new index, 2 × new column, 1 × index, trigger or view dropped, 1 × change of rows",
  );
});

test("schemas are compared object by object, whatever the white space and the comments", () => {
  const schema = [
    { type: "table", name: "a", sql: "CREATE TABLE a (b text, c text)" },
    { type: "table", name: "words", sql: "CREATE VIRTUAL TABLE words USING fts5(word)" },
    { type: "trigger", name: "t", sql: "CREATE TRIGGER t AFTER INSERT ON a BEGIN\n  DELETE FROM a;\nEND" },
    { type: "index", name: "a_b", sql: "CREATE INDEX a_b ON a (b)" },
  ];
  const found = [
    { type: "table", name: "_cf_KV", sql: "CREATE TABLE _cf_KV (key TEXT)" },
    { type: "table", name: "d1_migrations", sql: "CREATE TABLE d1_migrations (name TEXT)" },
    { type: "table", name: "words_data", sql: "CREATE TABLE 'words_data'(id INTEGER PRIMARY KEY, block BLOB)" },
    { type: "table", name: "words", sql: "CREATE VIRTUAL TABLE words USING fts5(word)" },
    { type: "table", name: "a", sql: "CREATE TABLE a (\n  -- Why.\n  b text, c text)" },
    { type: "trigger", name: "t", sql: "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM a; END" },
    { type: "index", name: "a_c", sql: "CREATE INDEX a_c ON a (c)" },
  ];
  expect(compareSchemas(schema, found)).toEqual(["index a_b is missing", "index a_c is in no migration"]);
  expect(
    compareSchemas(schema, [...schema.slice(0, 2), { ...schema[2]!, sql: "CREATE TRIGGER t" }, schema[3]!]),
  ).toEqual(["trigger t is different"]);
});

/** D1, in SQLite. It notes what was sent to it. `cut` loses triggers without a word. */
class Remote implements Migratable {
  readonly sqlite = new DatabaseSync(":memory:");
  readonly sent: string[] = [];
  cut = false;

  query(sql: string): Promise<unknown[]> {
    return Promise.resolve(this.sqlite.prepare(sql).all());
  }

  run(name: string, sql: string): Promise<void> {
    this.sent.push(name);
    const text = this.cut ? sql.replaceAll(/CREATE TRIGGER[\s\S]*?END;/g, "") : sql;
    try {
      this.sqlite.exec(`BEGIN; ${text} COMMIT;`);
      return Promise.resolve();
    } catch {
      this.sqlite.exec("ROLLBACK");
      return Promise.reject(new CommandError(`${name} failed`));
    }
  }
}

const TABLES = { name: "0000_tables.sql", sql: "CREATE TABLE a (b text);" };
const TRIGGERS = {
  name: "0001_triggers.sql",
  sql: "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM a; END;\nCREATE VIEW v AS SELECT 1;",
};
const MORE = { name: "0002_more.sql", sql: "ALTER TABLE a ADD c text;" };

describe("a database that is migrated", () => {
  test("gets each file once, in its order", async () => {
    const remote = new Remote();
    expect(await migrate(remote, [TABLES, TRIGGERS])).toEqual(["0000_tables.sql", "0001_triggers.sql"]);
    expect(await migrate(remote, [TABLES, TRIGGERS])).toEqual([]);
    const pending = await readPending(remote, [TABLES, TRIGGERS, MORE]);
    expect(pending).toEqual([MORE]);
    expect(await migrate(remote, [TABLES, TRIGGERS, MORE])).toEqual(["0002_more.sql"]);
    expect(remote.sent).toEqual(["0000_tables.sql", "0001_triggers.sql", "0002_more.sql"]);
  });

  test("has nothing of a file that failed, and gets it and the next ones the next time", async () => {
    const remote = new Remote();
    const wrong = { ...TRIGGERS, sql: `${TRIGGERS.sql}\nCREATE TABLE a (again text);` };
    await expect(migrate(remote, [TABLES, wrong, MORE])).rejects.toThrow("0001_triggers.sql failed");
    expect(remote.sent).toEqual(["0000_tables.sql", "0001_triggers.sql"]);
    expect(await migrate(remote, [TABLES, TRIGGERS, MORE])).toEqual(["0001_triggers.sql", "0002_more.sql"]);
  });

  test("is refused when a trigger of a file that succeeded isn't there", async () => {
    const remote = new Remote();
    remote.cut = true;
    const migrated = migrate(remote, [TABLES, TRIGGERS]);
    await expect(migrated).rejects.toThrow(OtherSchema);
    await expect(migrated).rejects.toThrow("trigger t is missing");
    await expect(migrate(remote, [TABLES, TRIGGERS])).rejects.toThrow("trigger t is missing");
  });

  test.each([
    ["an unknown migration", [{ ...TABLES, name: "0000_house.sql" }], "0000_house.sql"],
    ["a migration that isn't next", [TABLES, { ...MORE, sql: TRIGGERS.sql }], "0002_more.sql"],
    ["a migration that has changed since", [{ ...TABLES, sql: "CREATE TABLE a (b integer);" }], "table a is different"],
  ])("is left as it is when it has %s", async (_, applied, fault) => {
    const remote = new Remote();
    await migrate(remote, applied);
    await expect(migrate(remote, [TABLES, TRIGGERS, MORE])).rejects.toThrow(fault);
    expect(remote.sent).toEqual(applied.map(({ name }) => name));
  });

  test("is left as it is when it has tables that no migration made", async () => {
    const remote = new Remote();
    remote.sqlite.exec("CREATE TABLE by_hand (id text)");
    await expect(migrate(remote, [TABLES])).rejects.toThrow("table by_hand is in no migration");
    expect(remote.sent).toEqual([]);
  });

  test("is left as it is while its restore isn't finished, and says so before anything else", async () => {
    const remote = new Remote();
    remote.sqlite.exec(`${TABLES.sql} CREATE TABLE unfinished_restore (copy text)`);
    await expect(migrate(remote, [TABLES])).rejects.toThrow("A restore of this database isn't finished");
    expect(await findDifferences(remote, [TABLES])).toEqual([expect.stringContaining("isn't finished")]);
    expect(remote.sent).toEqual([]);
  });
});
