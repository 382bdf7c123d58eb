import { spawn } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { CommandError } from "#scripts/command.ts";
import { cache, root } from "#scripts/folders.ts";
import type { Migratable, Text } from "#scripts/migrations.ts";

/** The options for what is deployed. */
const PRODUCTION = ["--env", "production", "--config", "wrangler.toml"];

/** The options for the deployed database. */
export const PRODUCTION_DATABASE = ["--remote", ...PRODUCTION];

/**
 * The options for the local database in the folder `state`. `wrangler d1 export` only knows the one beside the configuration,
 * so this makes a configuration beside a link to the folder.
 */
export function localDatabase(state: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), "chuoni-wrangler-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, ".wrangler"));
  mkdirSync(state, { recursive: true });
  symlinkSync(state, join(folder, ".wrangler", "state"));
  cpSync(join(root, "wrangler.toml"), join(folder, "wrangler.toml"));
  return ["--local", "--config", join(folder, "wrangler.toml")];
}

/**
 * Runs Wrangler in the terminal, so that it can ask the user to log in.
 * @throws CommandError if it fails
 */
export async function wrangler(...args: string[]): Promise<void> {
  await run(args, "inherit");
}

/**
 * Writes the rows of these tables into `file` as SQL.
 * @throws CommandError if it fails
 */
export async function exportRows(tables: readonly string[], file: string, ...target: string[]): Promise<void> {
  const named = tables.flatMap((name) => ["--table", name]);
  await run(["d1", "export", "DB", ...target, "--no-schema", ...named, "--output", file], "pipe");
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
export async function listSecrets(): Promise<string[]> {
  const printed = await askWrangler("secret", "list", "--format", "json", ...PRODUCTION);
  // Something may be printed before the list.
  return [...printed.matchAll(/"name":\s*"([A-Z0-9_]+)"/g)].map(([, name]) => name ?? "");
}

/**
 * The database DB as Wrangler reaches it with the options `target`. Texts go in as files, because D1 imports a file as a whole
 * or not at all, and reads triggers in it as SQLite does. `wrangler d1 migrations apply` sends them to an endpoint that may cut
 * a trigger at its first semicolon.
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

/** Has `work` use the text as a file. It may be all that people have told us, so nobody else may read it, and it goes afterwards. */
async function withFile(name: string, text: Text, work: (file: string) => Promise<void>): Promise<void> {
  const folder = join(cache, "migrations-to-apply");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  const remove = () => rmSync(file, { force: true });
  remove();
  process.once("exit", remove); // as after Ctrl+C
  try {
    writeFileSync(file, "", { flag: "wx", mode: 0o600 });
    for (const piece of typeof text === "string" ? [text] : text) appendFileSync(file, piece);
    await work(file);
  } finally {
    remove();
    process.off("exit", remove);
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
