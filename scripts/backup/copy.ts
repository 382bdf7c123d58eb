/**
 * A copy of the database as lines of JSON, and a database from such lines. It needs no part of Node but Buffer and
 * hashes, so that tests use it in the worker, too. docs/recovery.md says when a copy is needed.
 */
import { createHash, type Hash } from "node:crypto";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { indexListings, indexShops } from "#app/catalogue/search/search-index.server.ts";
import { type SchemaObject, UNFINISHED } from "#scripts/schema-objects.ts";
import { textOf } from "#scripts/statement-text.ts";
import { CopyFault } from "./copy-fault.ts";
import { fillLater, insertLines, readLines } from "./rows.ts";
import { type CopiedTable, readTables, type RowDatabase } from "./tables.ts";

/** What the lines of a table are known by. */
const Print = z.object({
  rows: z.number(),
  /** Bytes of the longest line. */
  longest: z.number(),
  /** Of all lines, each with its end. */
  sha256: z.string(),
});
type Print = z.infer<typeof Print>;

/** The last line of a whole copy. */
const Contents = z.object({
  /** What the migrations make that the database had. */
  version: z.string(),
  tables: z.array(
    Print.extend({
      name: z.string(),
      columns: z.array(z.string()),
      /** The bytes of the copy that hold its lines. */
      from: z.number(),
      to: z.number(),
    }),
  ),
  /** The last number that each table with AUTOINCREMENT has given, also to rows that are gone. */
  numbers: z.record(z.string(), z.string()),
  /** Tables that were written to while the copy was read. With none, all rows are of one moment. */
  changed: z.array(z.string()),
});
export type Contents = z.infer<typeof Contents>;

/** Where a copy is kept. Its lines end with the byte 10, which stands nowhere else. */
export interface Bytes {
  readonly size: number;
  read(from: number, to: number): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** What fills it. */
export interface Writing {
  /** Forgets what was written. */
  clear(): void;
  write(text: string): void;
}

/** So often all is read at most, until two readings in a row are the same. */
const READINGS = 4;

/**
 * Writes a copy of the database. D1 shows no moment to more than one question, so everything is read until it is the
 * same twice: then all of it was there at once, between the two readings. `version`: what {@link restoreCopy} must be
 * given.
 */
export async function writeCopy(database: RowDatabase, version: string, writing: Writing): Promise<Contents> {
  let contents = await writeRows(database, version, writing);
  for (let readings = 1; readings < READINGS; readings += 1) {
    const before = contents;
    contents = await writeRows(database, version, writing);
    contents.changed = findChanged(before, contents);
    if (contents.changed.length === 0) break;
  }
  writing.write(`${JSON.stringify(contents)}\n`);
  return contents;
}

/** Reads everything once. A row is read before those that it refers to, so that these are in the copy, too. */
async function writeRows(database: RowDatabase, version: string, writing: Writing): Promise<Contents> {
  writing.clear();
  const tables: Contents["tables"] = [];
  let at = 0;
  let hash = createHash("sha256");
  for await (const { table, lines } of readLines(database, (await readTables(database)).toReversed())) {
    const { name, columns } = table;
    if (tables.at(-1)?.name !== name) {
      hash = createHash("sha256");
      tables.push({ name, columns, from: at, to: at, ...newPrint(hash) });
    }
    const part = tables.at(-1);
    if (!part) break; // never: it was just pushed
    for (const line of lines) count(part, hash, line);
    const text = lines.map((line) => `${line}\n`).join("");
    writing.write(text);
    part.to = at += Buffer.byteLength(text);
    part.sha256 = hash.copy().digest("hex");
  }
  return { version, tables, numbers: await readNumbers(database), changed: [] };
}

function newPrint(hash: Hash): Print {
  return { rows: 0, longest: 0, sha256: hash.copy().digest("hex") };
}

function count(print: Print, hash: Hash, line: string): void {
  print.rows += 1;
  print.longest = Math.max(print.longest, Buffer.byteLength(line));
  hash.update(line).update("\n");
}

async function readNumbers(database: RowDatabase): Promise<Record<string, string>> {
  const known = await database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'").all();
  if (known.results.length === 0) return {};
  const { results } = await database
    .prepare(
      `SELECT name, CAST(seq AS TEXT) AS last FROM sqlite_sequence WHERE name NOT LIKE 'd1@_%' ESCAPE '@'
        ORDER BY name`,
    )
    .all<{ name: string; last: string }>();
  return Object.fromEntries(results.map(({ name, last }) => [name, last]));
}

/** The tables that differ, by name. */
function findChanged(one: Pick<Contents, "tables">, other: Pick<Contents, "tables">): string[] {
  const prints = ({ tables }: Pick<Contents, "tables">) => new Map(tables.map(({ name, sha256 }) => [name, sha256]));
  const [first, second] = [prints(one), prints(other)];
  return [...new Set([...first.keys(), ...second.keys()])]
    .filter((name) => first.get(name) !== second.get(name))
    .toSorted();
}

/** More than the last line has. */
const END_BYTES = 1_000_000;

/**
 * Reads what a copy has, and looks whether every line is there as it was written.
 * @throws CopyFault where it isn't
 */
async function readContents(copy: Bytes, version: string): Promise<Contents> {
  const end = await wholeOf(copy.read(Math.max(0, copy.size - END_BYTES), copy.size));
  const contents = toContents(end.trimEnd().split("\n").at(-1) ?? "");
  if (contents?.version !== version)
    throw new CopyFault(
      `This copy isn't whole, or another version of Chuoni made it. Check out that version, restore, and then deploy this one.\n  copy: ${contents?.version ?? "no last line"}\n  here: ${version}`,
    );
  for (const part of contents.tables) {
    const hash = createHash("sha256");
    const found = newPrint(hash);
    for await (const line of linesOf(copy, part)) count(found, hash, line);
    if (found.rows !== part.rows || hash.digest("hex") !== part.sha256)
      throw new CopyFault(`This copy is damaged: the rows of ${part.name} aren't as they were written.`);
  }
  return contents;
}

function toContents(line: string): Contents | null {
  try {
    return Contents.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

async function wholeOf(pieces: ReturnType<Bytes["read"]>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString();
}

/** The lines between two places of a copy, without their ends. */
async function* linesOf(copy: Bytes, { from, to }: { from: number; to: number }): AsyncGenerator<string> {
  let open: Uint8Array[] = [];
  for await (const piece of copy.read(from, to)) {
    let start = 0;
    for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, start)) {
      yield Buffer.concat([...open, piece.subarray(start, end)]).toString();
      open = [];
      start = end + 1;
    }
    open.push(piece.subarray(start));
  }
}

/** A database that is made of a copy. */
export interface Restorable {
  rows: RowDatabase;
  /** Runs all of these statements, or none. They are ours: no text of people is in them. */
  run(name: string, statements: string[]): Promise<void>;
}

/** Fills the search index and its words from the listings and the shops. */
const MAKE_AGAIN = [...indexListings(sql`(SELECT id FROM products)`), ...indexShops(sql`(SELECT id FROM shops)`)].map(
  textOf,
);

/**
 * Makes a database of a copy: the tables first, then the rows, and the indexes and triggers last. What was begun with
 * the same copy goes on. Until all is there and right, the database has the table `UNFINISHED`. `objects`: what the
 * migrations make, in their order. `last`: statements that are run with the last ones.
 * @throws CopyFault if the database isn't empty, or isn't as the copy says
 */
export async function restoreCopy(
  copy: Bytes,
  version: string,
  database: Restorable,
  objects: SchemaObject[],
  last: string[] = [],
): Promise<Restored> {
  const contents = await readContents(copy, version);
  const print = createHash("sha256").update(JSON.stringify(contents)).digest("hex");
  const sqlOf = (...types: string[]) => objects.filter(({ type }) => types.includes(type)).map((object) => object.sql);
  if (!(await isBegun(database.rows, print)))
    await database.run("restore-tables.sql", [
      ...sqlOf("table"),
      `CREATE TABLE ${UNFINISHED} (copy text)`,
      `INSERT INTO ${UNFINISHED} (copy) VALUES ('${print}')`,
    ]);
  const tables = (await readTables(database.rows)).filter(({ name }) => name !== UNFINISHED);
  const parts = new Map(contents.tables.map((part) => [part.name, part]));
  const write = async (how: typeof insertLines, table: CopiedTable) => {
    await how(database.rows, table, linesOf(copy, partOf(table, parts))).catch((error: Error) => {
      throw new CopyFault(`The rows of ${table.name} could not be written: ${error.message}`);
    });
  };
  for (const table of tables) await write(insertLines, table);
  for (const table of tables) if (table.later.length > 0) await write(fillLater, table);
  await restoreNumbers(database.rows, contents.numbers);
  await compareRows(database.rows, tables, contents);
  await checkBooks(database.rows);
  await database.run("restore-the-rest.sql", [
    ...sqlOf("index", "view", "trigger"),
    ...MAKE_AGAIN,
    ...last,
    `DROP TABLE ${UNFINISHED}`,
  ]);
  return countRestored(database.rows);
}

/** Whether this copy's restore into the database was begun. @throws CopyFault where something else is in it */
async function isBegun(database: RowDatabase, print: string): Promise<boolean> {
  const tables = await readTables(database);
  if (tables.length === 0) return false;
  const begun = tables.some(({ name }) => name === UNFINISHED)
    ? await database.prepare(`SELECT copy FROM ${UNFINISHED}`).first<string>("copy")
    : null;
  if (begun === print) return true;
  throw new CopyFault(
    begun === null
      ? "The database isn't empty. A copy is only restored into a new one (docs/recovery.md)."
      : "The database has a half of another copy. Go on with that one, or restore into a new database (docs/recovery.md).",
  );
}

function partOf(table: CopiedTable, parts: Map<string, Contents["tables"][number]>): { from: number; to: number } {
  const part = parts.get(table.name);
  if (part?.columns.join() !== table.columns.join())
    throw new CopyFault(`The copy has other columns of ${table.name} than the database.`);
  return part;
}

async function restoreNumbers(database: RowDatabase, numbers: Record<string, string>): Promise<void> {
  const statements = Object.entries(numbers).flatMap(([name, number]) => [
    database.prepare("DELETE FROM sqlite_sequence WHERE name = ?").bind(name),
    database.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, CAST(? AS INTEGER))").bind(name, number),
  ]);
  if (statements.length > 0) await database.batch(statements);
}

/** Reads every row back. @throws CopyFault if one isn't as in the copy */
async function compareRows(database: RowDatabase, tables: CopiedTable[], contents: Contents): Promise<void> {
  const found = new Map<string, { print: Print; hash: Hash }>();
  for await (const { table, lines } of readLines(database, tables)) {
    const hash = createHash("sha256");
    const one = found.get(table.name) ?? { print: newPrint(hash), hash };
    found.set(table.name, one);
    for (const line of lines) count(one.print, one.hash, line);
  }
  const faults = contents.tables.flatMap(({ name, rows, longest, sha256 }) => {
    const { print, hash } = found.get(name) ?? {};
    if (hash?.digest("hex") === sha256) return [];
    return [
      `${name}: ${rows} rows, the longest with ${longest} bytes, and ${print?.rows ?? 0} rows and ${print?.longest ?? 0} bytes came back`,
    ];
  });
  if (JSON.stringify(await readNumbers(database)) !== JSON.stringify(contents.numbers))
    faults.push("the last numbers of tables differ");
  if (faults.length > 0) throw new CopyFault(`The restored rows aren't those of the copy:\n  ${faults.join("\n  ")}`);
}

/** Adds up the books once more. @throws CopyFault if they don't balance */
async function checkBooks(database: RowDatabase): Promise<void> {
  const books = await database
    .prepare(
      `SELECT
        (SELECT COUNT(*) FROM (SELECT 1 FROM ledger_entries GROUP BY transaction_id HAVING SUM(amount) <> 0))
        AS unbalanced`,
    )
    .first<{ unbalanced: number }>();
  if (books?.unbalanced !== 0)
    throw new CopyFault(`The books of the copy don't balance: ${books?.unbalanced} transactions.`);
}

export interface Restored {
  people: number;
  orders: number;
  ledgerEntries: number;
  listingsFound: number;
}

/** What a restored database has, for people to read. */
async function countRestored(database: RowDatabase): Promise<Restored> {
  const counts = await database
    .prepare(
      `SELECT
        (SELECT COUNT(*) FROM credentials) AS people,
        (SELECT COUNT(*) FROM orders) AS orders,
        (SELECT COUNT(*) FROM ledger_entries) AS ledgerEntries,
        (SELECT COUNT(*) FROM products WHERE deleted_at IS NULL AND suspended_at IS NULL) AS listingsFound`,
    )
    .first<Restored>();
  if (!counts) throw new CopyFault("The restored database gives no answer.");
  return counts;
}
