/**
 * `npm run restore -- FILE`: makes the production database, which must be new and empty, from a file of `npm run
 * backup`. With `-- --local FILE` it makes the local one, with `-- --staging FILE` the rehearsal's. What was stopped
 * halfway goes on with the same file.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { restoreFile } from "#scripts/backup/file.ts";
import { CommandError, runMain } from "#scripts/command.ts";
import { migratable, withLocalDatabase } from "#scripts/database.ts";
import { environmentOf, STAGING_OPTION } from "#scripts/environment.ts";
import { deployedDatabase, withDeployedDatabase } from "#scripts/wrangler.ts";

await runMain(async () => {
  const { values, positionals } = parseArgs({
    options: { local: { type: "boolean" }, ...STAGING_OPTION },
    allowPositionals: true,
  });
  const environment = environmentOf(values);
  const [file] = positionals;
  if (file === undefined || positionals.length > 1)
    throw new CommandError("Name one file: npm run restore -- copy.jsonl");
  if (!existsSync(file)) throw new CommandError(`There is no file ${file}.`);
  console.log(
    "The restore may take long. Should it stop, the database is not yet ready: run this again, and it goes on.",
  );
  const { people, orders, ledgerEntries, listingsFound } = values.local
    ? await withLocalDatabase((database) => restoreFile(file, migratable(database), database))
    : await withDeployedDatabase(environment, (database) => restoreFile(file, deployedDatabase(environment), database));
  console.log(
    `Restored ${people} people, ${orders} orders and ${ledgerEntries} entries of the books, which balance. Search finds ${listingsFound} listings.`,
  );
});
