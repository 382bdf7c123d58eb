/**
 * `npm run deploy`: builds for production, applies the migrations to the remote database, looks whether it then has all
 * that they make, and deploys. With `-- --dry-run` it builds and lets Wrangler check everything without sending
 * anything.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildForProduction } from "#scripts/build.ts";
import { runMain, CommandError } from "#scripts/command.ts";
import { productionBuild } from "#scripts/folders.ts";
import { migrate, OtherSchema, readMigrations } from "#scripts/migrations.ts";
import { assertProductionIsFilledIn } from "#scripts/production.ts";
import { databaseOfWrangler, PRODUCTION_DATABASE, wrangler } from "#scripts/wrangler.ts";

async function migrateRemoteDatabase(): Promise<void> {
  try {
    const applied = await migrate(databaseOfWrangler(...PRODUCTION_DATABASE), readMigrations());
    console.log(`The database has all tables, indexes, views and triggers. New: ${applied.join(", ") || "nothing"}.`);
  } catch (error) {
    if (!(error instanceof OtherSchema)) throw error;
    throw new CommandError(`${error.message}\nThe app was not deployed. docs/deploying.md says what to do.`);
  }
}

await runMain(async () => {
  const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });
  const config = join(productionBuild, "server", "wrangler.json");
  if (!values["dry-run"]) await assertProductionIsFilledIn();
  console.log("Building for production …");
  await buildForProduction();
  if (values["dry-run"]) {
    await wrangler("deploy", "--config", config, "--dry-run");
    return;
  }
  await migrateRemoteDatabase();
  await wrangler("deploy", "--config", config);
});
