/** The commands' part of copies: the file, and what the database of this checkout must have. */
import { createHash } from "node:crypto";
import { appendFileSync, closeSync, openSync, readSync, renameSync, rmSync, statSync, truncateSync } from "node:fs";
import { CommandError } from "#scripts/command.ts";
import { migratable, withEmptyDatabase } from "#scripts/database.ts";
import { JOURNAL, type Migratable, migrate, objectsOf, readMigrations } from "#scripts/migrations.ts";
import { type Bytes, type Contents, type Restored, restoreCopy, writeCopy } from "./copy.ts";
import { CopyFault } from "./copy-fault.ts";
import type { RowDatabase } from "./tables.ts";

/**
 * Copies the database into `file`, and makes an empty database of it, which must be the same. Only then the copy takes
 * the place of the last one. Nobody else on this machine may read it, from its first byte on.
 * @throws CommandError if it fails; then `file` is as it was
 */
export async function backUp(database: RowDatabase, file: string): Promise<Contents> {
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true });
  const open = openSync(unfinished, "ax", 0o600);
  const remove = () => rmSync(unfinished, { force: true });
  process.once("exit", remove); // as after Ctrl+C
  try {
    const contents = await inSentences("The database could not be copied", () =>
      writeCopy(database, currentVersion(), {
        clear: () => truncateSync(unfinished),
        write: (text) => appendFileSync(open, text),
      }),
    );
    await withEmptyDatabase((empty) => restoreFile(unfinished, migratable(empty), empty)).catch((error: Error) => {
      throw new CommandError(noGood(contents, error));
    });
    renameSync(unfinished, file);
    return contents;
  } finally {
    closeSync(open);
    remove();
    process.off("exit", remove);
  }
}

function noGood({ changed }: Contents, { message }: Error): string {
  const why =
    changed.length > 0
      ? `The database was written to while it was read (${changed.join(", ")}). Run it again in a quiet hour.`
      : "Nothing was written to the database meanwhile, so running it again won't help.";
  return `The copy was not kept, because no database can be made of it. ${why}\n  ${message}`;
}

/**
 * Makes the database of the copy in `file`, or goes on where that stopped.
 * @throws CommandError if the database is another, or isn't right afterwards
 */
export async function restoreFile(file: string, schema: Migratable, rows: RowDatabase): Promise<Restored> {
  const migrations = readMigrations();
  const run = (name: string, statements: string[]) =>
    schema.run(name, statements.map((statement) => `${statement};\n`).join(""));
  const last = [JOURNAL, ...migrations.map(({ name }) => `INSERT INTO d1_migrations (name) VALUES ('${name}')`)];
  const restored = await inSentences("The restore stopped", () =>
    restoreCopy(bytesOf(file), currentVersion(), { rows, run }, objectsOf(migrations), last),
  );
  // It compares every table, index, view and trigger with what the migrations make.
  await migrate(schema, migrations);
  return restored;
}

async function inSentences<T>(stopped: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error)) throw error;
    throw new CommandError(error instanceof CopyFault ? error.message : `${stopped}: ${error.message}`, {
      cause: error,
    });
  }
}

/** Names the migrations of this checkout. */
function currentVersion(): string {
  const migrations = readMigrations();
  const print = createHash("sha256").update(JSON.stringify(migrations)).digest("hex").slice(0, 16);
  return `${migrations.at(-1)?.name} ${print}`;
}

/** D1 holds 10 GB, and a string at most 512 MB, so a file is read in pieces of so many bytes. */
const PIECE_BYTES = 1024 * 1024;

function bytesOf(file: string): Bytes {
  return {
    size: statSync(file).size,
    *read(from, to) {
      const open = openSync(file, "r");
      try {
        for (let at = from; at < to;) {
          const piece = Buffer.alloc(Math.min(PIECE_BYTES, to - at));
          const length = readSync(open, piece, 0, piece.length, at);
          if (length === 0) return;
          at += length;
          yield piece.subarray(0, length);
        }
      } finally {
        closeSync(open);
      }
    },
  };
}
