/**
 * `npm run deploy`: builds for production, applies the migrations to the remote database, and deploys. With `-- --dry-run` it
 * builds and lets Wrangler check everything without sending anything.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildForProduction } from "#scripts/build.ts";
import { runMain, CommandError } from "#scripts/command.ts";
import { productionBuild, root } from "#scripts/folders.ts";
import { assertProductionIsFilledIn } from "#scripts/production.ts";

/** Runs Wrangler in the terminal, so that it can ask the user to log in. */
async function wrangler(...args: string[]): Promise<void> {
  const child = spawn("wrangler", args, { cwd: root, stdio: "inherit", env: { ...process.env, WRANGLER_LOG: "log" } });
  const code = await new Promise<number | null>((done) => child.on("exit", done));
  if (code !== 0) throw new CommandError(`wrangler ${args[0]} failed.`);
}

await runMain(async () => {
  const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });
  const config = join(productionBuild, "server", "wrangler.json");
  if (!values["dry-run"]) assertProductionIsFilledIn();
  console.log("Building for production …");
  await buildForProduction();
  if (values["dry-run"]) {
    await wrangler("deploy", "--config", config, "--dry-run");
    return;
  }
  await wrangler("d1", "migrations", "apply", "DB", "--remote", "--env", "production", "--config", "wrangler.toml");
  await wrangler("deploy", "--config", config);
});
