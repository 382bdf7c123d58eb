import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { cache } from "#scripts/folders.ts";
import { migrate, readMigrations } from "#scripts/migrations.ts";
import { databaseOfWrangler } from "#scripts/wrangler.ts";

/**
 * A Wrangler that notes its arguments and who may read the file that it gets, and has a database in a file, which a
 * wrong file leaves as it was.
 */
const folder = join(cache, "pretend-wrangler");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, "wrangler"),
  `#!${process.execPath}
import { appendFileSync, readFileSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
process.once("uncaughtException", () => process.exit(1));
const args = process.argv.slice(2);
const after = (option) => args[args.indexOf(option) + 1];
const mode = args.includes("--file") ? statSync(after("--file")).mode & 0o777 : null;
appendFileSync(${JSON.stringify(join(folder, "calls"))}, JSON.stringify({ args, mode }) + "\\n");
const database = new DatabaseSync(${JSON.stringify(join(folder, "database"))});
if (args.includes("--json")) {
  const results = database.prepare(after("--command")).all();
  console.log(JSON.stringify([{ results, success: true, meta: {} }], null, 2));
} else database.exec("BEGIN;" + readFileSync(after("--file"), "utf8") + "COMMIT;");
`,
);
chmodSync(join(folder, "wrangler"), 0o755);
const path = process.env.PATH;
process.env.PATH = `${folder}${delimiter}${path}`;
afterAll(() => {
  process.env.PATH = path;
});

test("our migrations reach a database through Wrangler as files that nobody else reads, each once, and all that they make is there", async () => {
  // As an earlier version left it.
  const left = join(cache, "migrations-to-apply", "0000_tables.sql");
  mkdirSync(dirname(left), { recursive: true });
  writeFileSync(left, "", { mode: 0o644 });
  const database = databaseOfWrangler("--remote", "--env", "production");
  const all = readMigrations();
  const names = all.map(({ name }) => name);
  expect(await migrate(database, all)).toEqual(names);
  const wrong = { name: "9999_wrong.sql", sql: "CREATE TABLE half (id text); CREATE TABLE orders (id text);" };
  await expect(migrate(database, [...all, wrong])).rejects.toThrow("9999_wrong.sql could not be applied");
  expect(await migrate(database, all)).toEqual([]);

  const calls = readFileSync(join(folder, "calls"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { args: string[]; mode: number | null });
  expect(calls.every(({ args }) => args.join(" ").startsWith("d1 execute DB --remote --env production"))).toBe(true);
  const files = calls.filter(({ mode }) => mode !== null).map(({ args, mode }) => ({ path: args.at(-1) ?? "", mode }));
  expect(files.map(({ path: file }) => basename(file))).toEqual([...names, "9999_wrong.sql"]);
  expect(files.filter(({ path: file, mode }) => mode !== 0o600 || existsSync(file))).toEqual([]);
});
