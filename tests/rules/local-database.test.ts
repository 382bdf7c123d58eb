import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { migrateLocalDatabase, patiently, refuseHalfMade, whollyOrAnew, withLocalDatabase } from "#scripts/database.ts";
import { makeTemporaryFolder, replaceFile, root, stateFolder } from "#scripts/folders.ts";
import { readMigrations } from "#scripts/migrations.ts";

const before = process.env.CHUONI_STATE;
const folder = makeTemporaryFolder();
beforeEach(() => {
  process.env.CHUONI_STATE = mkdtempSync(join(folder, "state-"));
});
afterAll(() => {
  if (before === undefined) delete process.env.CHUONI_STATE;
  else process.env.CHUONI_STATE = before;
});

/** What is said while the local database is migrated. */
async function migrate(): Promise<string[]> {
  const said: string[] = [];
  await migrateLocalDatabase((line) => said.push(line));
  return said.filter((line) => !line.includes("is busy"));
}

/** Writes into the local database, again where a busy machine lost it: the statements must bear that. */
function write(...statements: string[]): Promise<unknown> {
  const work = () =>
    withLocalDatabase((database) => database.batch(statements.map((statement) => database.prepare(statement))));
  return patiently(work, () => {});
}

test("local data that other migrations made is made anew, with a sentence", async () => {
  await write(
    "CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)",
    "INSERT OR IGNORE INTO d1_migrations (name) VALUES ('0000_house.sql')",
    "CREATE TABLE IF NOT EXISTS profiles (id text PRIMARY KEY)",
    "INSERT OR IGNORE INTO profiles (id) VALUES ('wanjiku')",
  );
  const sessions = join(stateFolder(), "v3", "kv", "sessions");
  mkdirSync(sessions, { recursive: true });

  expect(await migrate()).toEqual([expect.stringContaining("made anew")]);
  expect(existsSync(sessions)).toBe(false);
  const { results } = await withLocalDatabase((database) =>
    database.prepare("SELECT name FROM d1_migrations UNION ALL SELECT full_name FROM profiles").all<{ name: string }>(),
  );
  expect(results.map(({ name }) => name)).toEqual(readMigrations().map(({ name }) => name));
});

const ADD_CAMPUS =
  "INSERT OR IGNORE INTO university_domains (domain, name, created_at) VALUES ('campus.test', 'Campus', 0)";

async function campuses(): Promise<number> {
  const count = () =>
    withLocalDatabase((database) =>
      database
        .prepare("SELECT count(*) AS found FROM university_domains WHERE domain = 'campus.test'")
        .first<number>("found"),
    );
  return (await patiently(count, () => {})) ?? 0;
}

test("local data that was made to its end stays", async () => {
  await migrate();
  await whollyOrAnew(async () => void (await write(ADD_CAMPUS)));
  expect(await migrate()).toEqual([]);
  expect(await campuses()).toBe(1);
});

/** Writes a row, says so, and never gets to its end. */
const NEVER_DONE = `
import("#scripts/database.ts").then(({ patiently, whollyOrAnew, withLocalDatabase }) => whollyOrAnew(async () => {
  const add = (database) => database.prepare(${JSON.stringify(ADD_CAMPUS)}).run();
  await patiently(() => withLocalDatabase(add), () => {});
  console.log("half");
  setInterval(() => {}, 1000);
  await new Promise(() => {});
}))`;

test("local data that a killed command had half made is made anew, with a sentence", async () => {
  await migrate();
  const child = spawn(process.execPath, ["-e", NEVER_DONE], { cwd: root });
  const ended = new Promise((done) => child.on("close", done));
  await new Promise<void>((done) => child.stdout.on("data", (text) => String(text).includes("half") && done()));
  child.kill("SIGKILL");
  await ended;
  expect(await campuses()).toBe(1);
  expect(await migrate()).toEqual([expect.stringContaining("only half made")]);
  expect(await campuses()).toBe(0);
  expect(await migrate()).toEqual([]);
});

test("local data stays half made where making it fails", async () => {
  await migrate();
  const work = whollyOrAnew(() => Promise.reject(new Error("ENOSPC: no space left on device")));
  await expect(work).rejects.toThrow("ENOSPC");
  expect(refuseHalfMade).toThrow("only half made");
  expect(await migrate()).toEqual([expect.stringContaining("only half made")]);
  expect(refuseHalfMade).not.toThrow();
});

test("what a busy machine lost is tried again, and nothing else", async () => {
  const said: string[] = [];
  let tries = 0;
  const lostOnce = () => {
    tries += 1;
    return tries === 1 ? Promise.reject(new TypeError("fetch failed")) : Promise.resolve("done");
  };
  expect(await patiently(lostOnce, (line) => said.push(line))).toBe("done");
  expect(said).toEqual(["The machine is busy. Trying again …"]);
  const wrong = patiently(
    () => Promise.reject(new Error("no such table: shops")),
    (line) => said.push(line),
  );
  await expect(wrong).rejects.toThrow("no such table");
  expect(said).toHaveLength(1);
});

test("a file that can't be written whole stays as it was", () => {
  const file = join(stateFolder(), "secrets");
  replaceFile(file, "the first ones", 0o600);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // Linux says of this device that it is full.
  symlinkSync("/dev/full", `${file}.new`);
  if (existsSync("/dev/full")) expect(() => replaceFile(file, "the second ones")).toThrow("ENOSPC");
  expect(readFileSync(file, "utf8")).toBe("the first ones");
  rmSync(`${file}.new`, { force: true });
  replaceFile(file, "the third ones");
  expect(readFileSync(file, "utf8")).toBe("the third ones");
  expect(readdirSync(stateFolder())).toEqual(["secrets"]);
});
