/**
 * `npm run backup -- FILE`: copies the rows of the production database into a file, and makes an empty database of it,
 * to see that it can be restored. With `-- --local FILE` it copies the local one, with `-- --staging FILE` the
 * rehearsal's. The file has people's data and the
 * hashes of their passwords: keep it as you keep the database.
 */
import { statSync } from "node:fs";
import { parseArgs } from "node:util";
import { noteCopy } from "#app/admin/operations/operator-dates.server.ts";
import { openDatabase } from "#app/db/client.ts";
import { backUp } from "#scripts/backup/file.ts";
import type { RowDatabase } from "#scripts/backup/tables.ts";
import { CommandError, runMain } from "#scripts/command.ts";
import { refuseHalfMade, withLocalDatabase } from "#scripts/database.ts";
import { environmentOf, STAGING_OPTION } from "#scripts/environment.ts";
import { withDeployedDatabase } from "#scripts/wrangler.ts";

await runMain(async () => {
  const { values, positionals } = parseArgs({
    options: { local: { type: "boolean" }, ...STAGING_OPTION },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1)
    throw new CommandError("Name one file: npm run backup -- copy.jsonl");
  if (values.local) refuseHalfMade();
  const copy = (database: RowDatabase) => backUp(database, file);
  const { tables, changed } = values.local
    ? await withLocalDatabase(copy)
    : await withDeployedDatabase(environmentOf(values), async (database) => {
        const contents = await copy(database);
        await noteCopy({ db: openDatabase(database), now: Date.now }).catch(() =>
          console.log("The doctor won't know of this copy, because its date couldn't be noted in the database."),
        );
        return contents;
      });
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(
    `The copy is in ${file}: ${rows} rows of ${tables.length} tables, ${statSync(file).size} bytes. An empty database was made of it, and every row came back.`,
  );
  console.log(
    changed.length === 0
      ? "All rows are of one moment."
      : `Its rows aren't of one moment, because somebody wrote to the database meanwhile: ${changed.join(", ")}. Run it again in a quiet hour.`,
  );
  console.log("Photos and documents are in R2: docs/recovery.md says how to copy them.");
});
