/**
 * `npm run backup -- FILE`: copies the rows of the production database into a file. With `-- --local FILE` it copies the local
 * one. The file has people's data and the hashes of their passwords: keep it as you keep the database.
 */
import { parseArgs } from "node:util";
import { CommandError, runMain } from "#scripts/command.ts";
import { dumpDatabase, writeWhole } from "#scripts/dump.ts";
import { stateFolder } from "#scripts/folders.ts";
import { localDatabase, PRODUCTION_DATABASE } from "#scripts/wrangler.ts";

await runMain(async () => {
  const { values, positionals } = parseArgs({ options: { local: { type: "boolean" } }, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new CommandError("Name one file: npm run backup -- copy.sql");
  const target = values.local ? localDatabase(stateFolder()) : PRODUCTION_DATABASE;
  await writeWhole(file, (unfinished) => dumpDatabase(unfinished, ...target));
  console.log(`The rows are in ${file}. Photos and documents are in R2: docs/recovery.md says how to copy them.`);
});
