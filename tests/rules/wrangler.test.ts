import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { cache } from "#scripts/folders.ts";
import { migrate, readMigrations } from "#scripts/migrations.ts";
import { databaseOfWrangler } from "#scripts/wrangler.ts";

/** A Wrangler that notes its arguments, and has a database in a file, which a wrong file leaves as it was. */
const folder = join(cache, "pretend-wrangler");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, "wrangler"),
  `#!${process.execPath}
import { appendFileSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
process.once("uncaughtException", () => process.exit(1));
const args = process.argv.slice(2);
appendFileSync(${JSON.stringify(join(folder, "calls"))}, JSON.stringify(args) + "\\n");
const after = (option) => args[args.indexOf(option) + 1];
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

test("our migrations reach a database through Wrangler as files, each once, and all that they make is there", async () => {
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
    .map((line) => JSON.parse(line) as string[]);
  expect(calls.every((call) => call.join(" ").startsWith("d1 execute DB --remote --env production"))).toBe(true);
  const files = calls.filter((call) => call.includes("--file")).map((call) => call.at(-1) ?? "");
  expect(files.map((file) => file.split("/").at(-1))).toEqual([...names, "9999_wrong.sql"]);
});
