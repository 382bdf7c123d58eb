/**
 * `npm run restore -- FILE`: makes the production database, which must be new and empty, from a file of `npm run backup`. With
 * `-- --local FILE` it makes the local one.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { CommandError, runMain } from "#scripts/command.ts";
import { migratable, withLocalDatabase } from "#scripts/database.ts";
import { restoreDatabase } from "#scripts/dump.ts";
import { databaseOfWrangler, PRODUCTION_DATABASE } from "#scripts/wrangler.ts";

await runMain(async () => {
  const { values, positionals } = parseArgs({ options: { local: { type: "boolean" } }, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1)
    throw new CommandError("Name one file: npm run restore -- copy.sql");
  if (!existsSync(file)) throw new CommandError(`There is no file ${file}.`);
  const { people, orders, ledgerEntries, listingsFound } = values.local
    ? await withLocalDatabase((database) => restoreDatabase(file, migratable(database)))
    : await restoreDatabase(file, databaseOfWrangler(...PRODUCTION_DATABASE));
  console.log(
    `Restored ${people} people, ${orders} orders and ${ledgerEntries} entries of the books, which balance. Search finds ${listingsFound} listings.`,
  );
});
