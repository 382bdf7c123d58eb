import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { migrateLocalDatabase, withLocalDatabase } from "#scripts/database.ts";
import { makeTemporaryFolder, stateFolder } from "#scripts/folders.ts";
import { readMigrations } from "#scripts/migrations.ts";

const before = process.env.CHUONI_STATE;
process.env.CHUONI_STATE = makeTemporaryFolder();
afterAll(() => {
  if (before === undefined) delete process.env.CHUONI_STATE;
  else process.env.CHUONI_STATE = before;
});

test("local data that other migrations made is made anew, with a sentence", async () => {
  await withLocalDatabase((database) =>
    database.batch([
      database.prepare("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)"),
      database.prepare("INSERT INTO d1_migrations (name) VALUES ('0000_house.sql')"),
      database.prepare("CREATE TABLE profiles (id text PRIMARY KEY)"),
      database.prepare("INSERT INTO profiles (id) VALUES ('wanjiku')"),
    ]),
  );
  writeFileSync(join(stateFolder(), "migrations.sha256"), "of the other migrations");
  const sessions = join(stateFolder(), "v3", "kv", "sessions");
  mkdirSync(sessions, { recursive: true });

  const said: string[] = [];
  await migrateLocalDatabase((line) => said.push(line));
  expect(said).toEqual([expect.stringContaining("made anew")]);
  expect(existsSync(sessions)).toBe(false);
  const { results } = await withLocalDatabase((database) =>
    database.prepare("SELECT name FROM d1_migrations UNION ALL SELECT full_name FROM profiles").all<{ name: string }>(),
  );
  expect(results.map(({ name }) => name)).toEqual(readMigrations().map(({ name }) => name));
});
