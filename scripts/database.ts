import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_readConfig } from "wrangler";
import { z } from "zod";
import { CommandError } from "#scripts/command.ts";
import { isLost } from "#scripts/failures.mjs";
import { cache, root, stateFolder } from "#scripts/folders.ts";
import { type Migratable, migrate, OtherSchema, readMigrations, statementsOf } from "#scripts/migrations.ts";

const Databases = z.object({
  d1_databases: z.tuple([z.object({ binding: z.literal("DB"), database_id: z.string() })]),
});

/** Stands in the state folder while its data is made or deleted. Who finds it begins anew. */
const UNFINISHED = "unfinished";

/**
 * Everything in the state folder that is made: the database, pictures, sessions, and the sandbox with what it is to be
 * told.
 */
const MADE = ["v3", "earlier-payments.json"];

const TRIES = 5;
const PAUSE_MS = 1_000;

/**
 * Applies the migrations that the local database lacks. Data that was only half made, or that other migrations made, is
 * made anew, with everything in the state folder that refers to it.
 * @throws CommandError if a migration fails
 */
export async function migrateLocalDatabase(announce: (line: string) => void = console.log): Promise<void> {
  const apply = () =>
    patiently(() => withLocalDatabase((database) => migrate(migratable(database), readMigrations())), announce);
  if (isHalfMade()) {
    announce("The local data was only half made, so it is deleted and made anew.");
    removeLocalData();
  }
  try {
    await apply();
  } catch (error) {
    if (!(error instanceof OtherSchema)) throw error;
    announce("The local data was made by another version, so it is deleted and made anew.");
    removeLocalData();
    await apply();
  }
}

/** Deletes all data of the state folder, which no server may be using. */
export function removeLocalData(): void {
  const state = stateFolder();
  mark(state);
  for (const name of MADE) rmSync(join(state, name), { recursive: true, force: true });
  unmark(state);
}

/** Does what fills the state folder. If it doesn't get to its end, the next command begins anew. */
export async function whollyOrAnew(work: () => Promise<void>): Promise<void> {
  const state = stateFolder();
  mark(state);
  await work();
  unmark(state);
}

/** @throws CommandError if the local data is half made, so that nobody copies it */
export function refuseHalfMade(): void {
  if (isHalfMade()) throw new CommandError("The local data is only half made. `npm start` makes it anew.");
}

function isHalfMade(): boolean {
  return existsSync(join(stateFolder(), UNFINISHED));
}

function mark(state: string): void {
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, UNFINISHED), "");
}

function unmark(state: string): void {
  rmSync(join(state, UNFINISHED), { force: true });
}

/** Does again what failed because the machine is busy: `work` must be whole after it was done twice. */
export async function patiently<T>(work: () => Promise<T>, announce: (line: string) => void): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES || !(error instanceof Error) || !isLost(error.message)) throw error;
      announce("The machine is busy. Trying again …");
      await sleep(tries * PAUSE_MS);
    }
  }
}

type LocalDatabase = Awaited<ReturnType<Miniflare["getD1Database"]>>;

/** A local database, as migrations and copies need it. */
export function migratable(database: LocalDatabase): Migratable {
  return {
    query: async (sql) => (await database.prepare(sql).all()).results,
    run: async (name, sql) => {
      const statements = statementsOf(sql).map((statement) => database.prepare(statement));
      await database.batch(statements).catch((error: Error) => {
        throw new CommandError(`${name} could not be applied to ${stateFolder()}: ${error.message}`, { cause: error });
      });
    },
  };
}

/** Whether the local database has users. It must be migrated. */
export async function hasProfiles(): Promise<boolean> {
  const row = await withLocalDatabase((database) =>
    database.prepare("SELECT 1 AS found FROM profiles LIMIT 1").first(),
  );
  return row !== null;
}

/** Opens the local database, which no server may be using, and closes it after `work`. */
export async function withLocalDatabase<T>(work: (database: LocalDatabase) => Promise<T>): Promise<T> {
  return withDatabaseIn(stateFolder(), work);
}

/** Has `work` use a database of its own that is empty and goes afterwards. Nobody else on this machine may read it. */
export async function withEmptyDatabase<T>(work: (database: LocalDatabase) => Promise<T>): Promise<T> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "empty-database-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once("exit", remove);
  try {
    return await withDatabaseIn(folder, work);
  } finally {
    remove();
    process.off("exit", remove);
  }
}

async function withDatabaseIn<T>(folder: string, work: (database: LocalDatabase) => Promise<T>): Promise<T> {
  const { d1_databases } = Databases.parse(unstable_readConfig({ config: join(root, "wrangler.toml") }));
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default {}",
      d1Databases: { DB: d1_databases[0].database_id },
      resourcePersistencePath: join(folder, "v3"),
    }),
  );
  try {
    return await work(await miniflare.getD1Database("DB"));
  } finally {
    await miniflare.dispose();
  }
}
