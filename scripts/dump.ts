/** A copy of the database in a file, and a database from such a copy. docs/recovery.md says when each is needed. */
import { createHash } from "node:crypto";
import { appendFileSync, closeSync, openSync, readSync, renameSync, rmSync, statSync } from "node:fs";
import { z } from "zod";
import { CommandError } from "#scripts/command.ts";
import {
  isVirtual,
  JOURNAL,
  type Migratable,
  migrate,
  objectsOf,
  readMigrations,
  wholeOf,
} from "#scripts/migrations.ts";
import { exportRows } from "#scripts/wrangler.ts";

/** What is only about the moment, or about the numbers of rows, which a restored database gives anew; and what search has. */
const NOT_KEPT = ["leases", "rate_counters", "write_marks", "type_passes", "search_words", "search_word_keys"];

/** The tables whose rows are copied. The search index is no part of it: D1 exports no virtual tables, and it is made again. */
export function tablesToCopy(): string[] {
  return objectsOf(readMigrations())
    .filter((object) => object.type === "table" && !isVirtual(object) && !NOT_KEPT.includes(object.name))
    .map(({ name }) => name);
}

/**
 * Writes the rows of all tables into `file`, as SQL. D1 answers nothing else meanwhile, so the copy is of one moment.
 * `target`: Wrangler's options for the database.
 * @throws CommandError if it fails
 */
export async function dumpDatabase(file: string, ...target: string[]): Promise<void> {
  await exportRows(tablesToCopy(), file, ...target);
  appendFileSync(file, `\n${lastLine()}\n`);
}

/**
 * Has `write` fill a file beside `file`, which then takes its place: a copy that fails leaves the last one as it was. Nobody else
 * on this machine may read it, from its first byte on.
 */
export async function writeWhole(file: string, write: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true });
  closeSync(openSync(unfinished, "wx", 0o600));
  try {
    await write(unfinished);
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

const MADE_BY = "-- The rows of a database whose migrations are";

/** The last line of a whole copy. It names the migrations of this checkout. */
export function lastLine(): string {
  const migrations = readMigrations();
  const print = createHash("sha256").update(JSON.stringify(migrations)).digest("hex").slice(0, 16);
  return `${MADE_BY} ${migrations.at(-1)?.name} ${print}`;
}

/** D1 holds 10 GB, and a string at most 512 MB, so a copy is read in pieces of so many bytes. */
export const PIECE_BYTES = 1024 * 1024;

/** More than the last line has. */
const END_BYTES = 1024;

/** The bytes of a file from `start` on, in pieces. */
function* piecesOf(file: string, start = 0): Generator<Uint8Array> {
  const open = openSync(file, "r");
  try {
    for (let at = start; ;) {
      const piece = Buffer.alloc(PIECE_BYTES);
      const length = readSync(open, piece, 0, PIECE_BYTES, at);
      if (length === 0) return;
      at += length;
      yield piece.subarray(0, length);
    }
  } finally {
    closeSync(open);
  }
}

/** Fills the search index and its words from the listings and the shops. */
const REBUILD = `
INSERT INTO product_search (rowid, name, category, keywords, description, marks)
  SELECT place, name, category, keywords, description, marks FROM product_search_entries;
INSERT INTO search_words (word) SELECT DISTINCT word FROM product_search_words;
INSERT INTO shop_search (rowid, name) SELECT rowid, lower(shop_name) FROM shops;
`;

/**
 * Makes a database of the rows in `file`: the tables first, then the rows, and the triggers last, because they would count
 * everything once more. All of it or nothing.
 * @throws CommandError if the database isn't empty, or isn't right afterwards
 */
export async function restoreDatabase(file: string, database: Migratable): Promise<Restored> {
  const found = await database.query("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'credentials'");
  if (found.length > 0)
    throw new CommandError("The database isn't empty. A copy is only restored into a new one (docs/recovery.md).");
  const end = wholeOf(piecesOf(file, Math.max(0, statSync(file).size - END_BYTES)));
  const version = end.trimEnd().split("\n").at(-1);
  if (version !== lastLine())
    throw new CommandError(
      `This copy isn't whole, or another version of Chuoni made it. Check out that version, restore, and then deploy this one.\n  copy: ${version?.slice(0, 120)}\n  here: ${lastLine()}`,
    );
  const migrations = readMigrations();
  const objects = objectsOf(migrations);
  const of = (...types: string[]) => objects.filter(({ type }) => types.includes(type)).map(({ sql }) => `${sql};`);
  const applied = migrations.map(({ name }) => `INSERT INTO d1_migrations (name) VALUES ('${name}');`);
  function* text() {
    yield ["PRAGMA defer_foreign_keys=TRUE;", ...of("table"), ""].join("\n");
    yield* piecesOf(file);
    yield ["", ...of("index", "view", "trigger"), REBUILD, JOURNAL, ...applied].join("\n");
  }
  await database.run("restore.sql", text());
  // It compares every table, index, view and trigger with what the migrations make.
  await migrate(database, migrations);
  return checkBooks(database);
}

export interface Restored {
  people: number;
  orders: number;
  ledgerEntries: number;
  listingsFound: number;
}

const Counts = z.array(
  z.object({
    people: z.number(),
    orders: z.number(),
    ledgerEntries: z.number(),
    listingsFound: z.number(),
    unbalanced: z.number(),
    off: z.number(),
  }),
);

/** Counts what is there, and adds up the books once more. @throws CommandError if they don't balance */
async function checkBooks(database: Migratable): Promise<Restored> {
  const [counts] = Counts.parse(
    await database.query(`SELECT
      (SELECT COUNT(*) FROM credentials) AS people,
      (SELECT COUNT(*) FROM orders) AS orders,
      (SELECT COUNT(*) FROM ledger_entries) AS ledgerEntries,
      (SELECT COUNT(*) FROM product_search_entries) AS listingsFound,
      (SELECT COUNT(*) FROM (SELECT 1 FROM ledger_entries GROUP BY transaction_id HAVING SUM(amount) <> 0)) AS unbalanced,
      (SELECT COUNT(*) FROM (SELECT account, SUM(amount) AS total FROM ledger_entries GROUP BY account) e
        LEFT JOIN (SELECT account, SUM(amount) AS total FROM ledger_balances GROUP BY account) b ON b.account = e.account
        WHERE e.total <> COALESCE(b.total, 0)) AS off`),
  );
  if (!counts) throw new CommandError("The restored database gives no answer.");
  const { unbalanced, off, ...restored } = counts;
  if (unbalanced + off > 0)
    throw new CommandError(
      `The books of the restored database don't balance: ${unbalanced} transactions, ${off} accounts.`,
    );
  return restored;
}
