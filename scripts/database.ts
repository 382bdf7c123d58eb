import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_readConfig } from "wrangler";
import { z } from "zod";
import { CommandError } from "#scripts/command.ts";
import { cache, root, stateFolder } from "#scripts/folders.ts";
import { type Migratable, migrate, OtherSchema, readMigrations, statementsOf } from "#scripts/migrations.ts";

const Databases = z.object({
  d1_databases: z.tuple([z.object({ binding: z.literal("DB"), database_id: z.string() })]),
});

/** Which migrations the local database has, so that most starts don't open it. */
const STAMP = "migrations.sha256";

/**
 * Applies the migrations that the local database lacks. One that other migrations made is made anew, with everything in the
 * state folder that refers to it.
 * @throws CommandError if a migration fails
 */
export async function migrateLocalDatabase(announce: (line: string) => void = console.log): Promise<void> {
  const migrations = readMigrations();
  const stamp = join(stateFolder(), STAMP);
  const print = createHash("sha256").update(JSON.stringify(migrations)).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === print) return;
  const apply = () => withLocalDatabase((database) => migrate(migratable(database), migrations));
  try {
    await apply();
  } catch (error) {
    if (!(error instanceof OtherSchema)) throw error;
    announce("The local data was made by another version, so it is deleted and made anew.");
    removeLocalData();
    await apply();
  }
  writeFileSync(stamp, print);
}

/** Deletes all data of the state folder, which no server may be using: the database, pictures, sessions and the sandbox. */
export function removeLocalData(): void {
  for (const name of [STAMP, "v3"]) rmSync(join(stateFolder(), name), { recursive: true, force: true });
}

type LocalDatabase = Awaited<ReturnType<Miniflare["getD1Database"]>>;

/** A local database, as migrations and copies need it. */
export function migratable(database: LocalDatabase): Migratable {
  return {
    query: async (sql) => (await database.prepare(sql).all()).results,
    run: async (name, sql) => {
      const statements = statementsOf(sql).map((statement) => database.prepare(statement));
      await database.batch(statements).catch((error: Error) => {
        throw new CommandError(`${name} could not be applied to ${stateFolder()}: ${error.message}`);
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
