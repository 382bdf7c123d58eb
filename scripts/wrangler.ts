import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getPlatformProxy, unstable_readConfig } from "wrangler";
import { z } from "zod";
import { CommandError } from "#scripts/command.ts";
import { cache, root } from "#scripts/folders.ts";
import type { Environment } from "#scripts/environment.ts";
import type { Migratable } from "#scripts/migrations.ts";

/** The options for what is deployed. */
function deployed(environment: Environment): string[] {
  return ["--env", environment, "--config", "wrangler.toml"];
}

/** The deployed database, as Wrangler reaches it. */
export function deployedDatabase(environment: Environment): Migratable {
  return databaseOfWrangler("--remote", ...deployed(environment));
}

/**
 * Runs Wrangler in the terminal, so that it can ask the user to log in.
 * @throws CommandError if it fails
 */
export async function wrangler(...args: string[]): Promise<void> {
  await run(args, "inherit");
}

/**
 * What Wrangler prints.
 * @throws CommandError if it fails
 */
export function askWrangler(...args: string[]): Promise<string> {
  return run(args, "pipe");
}

/** Whether Wrangler has a login for Cloudflare. The calls whose answers are read can't ask for one. */
export function isLoggedIn(): Promise<boolean> {
  return askWrangler("whoami", "--json").then(
    () => true,
    () => false,
  );
}

/**
 * The names of the deployed worker's secrets.
 * @throws CommandError if there is no worker yet, or nobody is logged in
 */
export async function listSecrets(environment: Environment): Promise<string[]> {
  const printed = await askWrangler("secret", "list", "--format", "json", ...deployed(environment));
  // Something may be printed before the list.
  return [...printed.matchAll(/"name":\s*"([A-Z0-9_]+)"/g)].map(([, name]) => name ?? "");
}

/**
 * The database DB as Wrangler reaches it with the options `target`. Texts go in as files, because D1 imports a file as
 * a whole or not at all, and reads triggers in it as SQLite does. `wrangler d1 migrations apply` sends them to an
 * endpoint that may cut a trigger at its first semicolon.
 */
export function databaseOfWrangler(...target: string[]): Migratable {
  const execute = ["d1", "execute", "DB", ...target];
  return {
    query: async (sql) =>
      Answer.parse(JSON.parse(await run([...execute, "--json", "--command", sql], "pipe")))[0].results,
    run: async (name, sql) => {
      await withFile(name, sql, async (file) => {
        await run([...execute, "--yes", "--file", file], "pipe").catch(() => {
          throw new CommandError(`${name} could not be applied. Nothing of it is in the database.`);
        });
      });
    },
  };
}

/** Has `work` use the text as a file, which nobody else may read, and which goes afterwards. */
async function withFile(name: string, text: string, work: (file: string) => Promise<void>): Promise<void> {
  const folder = join(cache, "migrations-to-apply");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  const remove = () => rmSync(file, { force: true });
  remove();
  process.once("exit", remove); // as after Ctrl+C
  try {
    writeFileSync(file, text, { flag: "wx", mode: 0o600 });
    await work(file);
  } finally {
    remove();
    process.off("exit", remove);
  }
}

const DeployedConfig = z.object({
  account_id: z.string().optional(),
  compatibility_date: z.string(),
  d1_databases: z.tuple([z.object({ binding: z.literal("DB"), database_name: z.string(), database_id: z.string() })]),
});

/**
 * Opens the deployed database as a worker has it, with bound values, and closes it after `work`. Wrangler does it as
 * for a remote binding of `wrangler dev`: a worker of its own passes on what is asked, with the login of this machine.
 * @throws CommandError without a login, or if it can't be reached
 */
export async function withDeployedDatabase<T>(
  environment: Environment,
  work: (database: D1Database) => Promise<T>,
): Promise<T> {
  if (!(await isLoggedIn())) throw new CommandError("Wrangler isn't logged in to Cloudflare: npx wrangler login");
  const { account_id, compatibility_date, d1_databases } = DeployedConfig.parse(
    unstable_readConfig({ config: join(root, "wrangler.toml"), env: environment }),
  );
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "deployed-database-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  const config = join(folder, "wrangler.json");
  const remote = d1_databases.map((database) => ({ ...database, remote: true }));
  writeFileSync(config, JSON.stringify({ account_id, compatibility_date, d1_databases: remote }));
  const { env, dispose } = await getPlatformProxy<{ DB: D1Database }>({ configPath: config, persist: false }).catch(
    (error: Error) => {
      throw new CommandError(`The deployed database can't be reached: ${error.message}`, { cause: error });
    },
  );
  try {
    return await work(env.DB);
  } finally {
    await dispose();
    remove();
  }
}

const Answer = z.tuple([z.object({ results: z.array(z.unknown()) })]);

/** Returns standard output if it is piped. */
async function run(args: string[], output: "inherit" | "pipe"): Promise<string> {
  const child = spawn("wrangler", args, {
    cwd: root,
    stdio: ["inherit", output, "inherit"],
    env: { ...process.env, WRANGLER_LOG: "log" },
  });
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (part: string) => (text += part));
  const code = await new Promise<number | null>((done) => child.on("close", done));
  if (code !== 0) throw new CommandError(`${text}wrangler ${args.slice(0, 2).join(" ")} failed.`);
  return text;
}
