import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_readConfig } from "wrangler";
import { z } from "zod";
import { runCommand, CommandError } from "#scripts/command.ts";
import { root, stateFolder } from "#scripts/folders.ts";

const Databases = z.object({
  d1_databases: z.tuple([z.object({ binding: z.literal("DB"), database_id: z.string() })]),
});

/**
 * Applies the migrations that the local database lacks.
 * @throws CommandError with Wrangler's output if one fails
 */
export async function migrateLocalDatabase(): Promise<void> {
  const state = stateFolder();
  const stamp = join(state, "migrations.sha256");
  const print = migrationsHash();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === print) return;
  const result = await runCommand("wrangler", [
    "d1",
    "migrations",
    "apply",
    "DB",
    "--local",
    "--config",
    "wrangler.toml",
    "--persist-to",
    state,
  ]);
  if (!result.ok) throw new CommandError(`${result.output}\nThe migrations could not be applied to ${state}.`);
  mkdirSync(state, { recursive: true });
  writeFileSync(stamp, print);
}

function migrationsHash(): string {
  const hash = createHash("sha256");
  for (const name of globSync("migrations/*.sql", { cwd: root }).toSorted())
    hash.update(name).update(readFileSync(join(root, name)));
  return hash.digest("hex");
}

/** Whether the local database has users. It must be migrated. */
export async function hasProfiles(): Promise<boolean> {
  const row = await withLocalDatabase((database) =>
    database.prepare("SELECT 1 AS found FROM profiles LIMIT 1").first(),
  );
  return row !== null;
}

/** Opens the local database, which no server may be using, and closes it after `work`. */
export async function withLocalDatabase<T>(
  work: (database: Awaited<ReturnType<Miniflare["getD1Database"]>>) => Promise<T>,
): Promise<T> {
  const { d1_databases } = Databases.parse(unstable_readConfig({ config: join(root, "wrangler.toml") }));
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default {}",
      d1Databases: { DB: d1_databases[0].database_id },
      resourcePersistencePath: join(stateFolder(), "v3"),
    }),
  );
  try {
    return await work(await miniflare.getD1Database("DB"));
  } finally {
    await miniflare.dispose();
  }
}
