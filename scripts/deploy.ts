/**
 * `npm run deploy`: builds for production, says what will change and asks, applies the migrations to the remote
 * database, looks whether it then has all that they make, and deploys. With `-- --yes` it doesn't ask. With
 * `-- --staging` it deploys the rehearsal, with its own names and Safaricom's sandbox. With `-- --dry-run` it builds
 * and lets Wrangler check everything without sending anything.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { buildForCloudflare } from "#scripts/build.ts";
import { runCommand, runMain, CommandError } from "#scripts/command.ts";
import { readSettings } from "#scripts/doctor/configuration.ts";
import { type Environment, environmentOf, STAGING_OPTION } from "#scripts/environment.ts";
import { productionBuild, root } from "#scripts/folders.ts";
import { migrate, type Migration, OtherSchema, readMigrations, readPending, summarize } from "#scripts/migrations.ts";
import { assertIsFilledIn } from "#scripts/filled-in.ts";
import { deployedDatabase, wrangler } from "#scripts/wrangler.ts";

const Version = z.object({ version: z.string() });

/** A refusal that leaves what is deployed as it is. */
async function orNotDeployed<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof OtherSchema)) throw error;
    throw new CommandError(`${error.message}\nThe app was not deployed. docs/deploying.md says what to do.`);
  }
}

/** What will change, in lines. */
async function describePlan(environment: Environment, pending: Migration[]): Promise<string> {
  const { APP_ORIGIN: origin } = readSettings(environment).vars;
  const { version } = Version.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const commit = await runCommand("git", ["describe", "--always", "--dirty"]);
  const migrations = pending.map((migration) => `  ${migration.name}: ${summarize(migration)}`);
  return [
    `Chuoni ${version}${commit.ok ? ` (${commit.output.trim()})` : ""} to ${origin}, ${await readRunning(origin)}.`,
    ...(migrations.length > 0 ? ["New in the database:", ...migrations] : ["Nothing is new in the database."]),
  ].join("\n");
}

/** What the address serves now, in words. */
async function readRunning(origin: string): Promise<string> {
  try {
    const response = await fetch(`${origin}/api/health`, { signal: AbortSignal.timeout(10_000) });
    return `which runs ${Version.parse(await response.json()).version}`;
  } catch {
    return "where no release answers yet";
  }
}

/** @throws CommandError unless the person says yes */
async function askForYes(): Promise<void> {
  if (!process.stdin.isTTY) throw new CommandError("Nobody is here to ask. To deploy without asking: -- --yes");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question("Deploy it? Type yes: ");
  terminal.close();
  if (answer.trim().toLowerCase() !== "yes") throw new CommandError("Nothing was changed.");
}

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      "dry-run": { type: "boolean", default: false },
      yes: { type: "boolean", default: false },
      ...STAGING_OPTION,
    },
  });
  const environment = environmentOf(values);
  const database = deployedDatabase(environment);
  const config = join(productionBuild, "server", "wrangler.json");
  if (!values["dry-run"]) await assertIsFilledIn(environment);
  console.log(`Building for ${environment} …`);
  await buildForCloudflare(environment);
  if (values["dry-run"]) {
    await wrangler("deploy", "--config", config, "--dry-run");
    return;
  }
  console.log(`\n${await describePlan(environment, await orNotDeployed(readPending(database, readMigrations())))}\n`);
  if (!values.yes) await askForYes();
  const applied = await orNotDeployed(migrate(database, readMigrations()));
  console.log(`The database has all tables, indexes, views and triggers. New: ${applied.join(", ") || "nothing"}.`);
  await wrangler("deploy", "--config", config);
});
