/**
 * The migrations: what may stand in them, and how a database gets those that it lacks. It is the same for the local
 * database and for D1, so that what is deployed has been tried.
 */
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { unstable_splitSqlQuery } from "wrangler";
import { z } from "zod";
import { CommandError } from "#scripts/command.ts";
import { root } from "#scripts/folders.ts";
import { ownObjects, SCHEMA_QUERY, type SchemaObject, UNFINISHED } from "#scripts/schema-objects.ts";

export interface Migration {
  /** The file's name. */
  name: string;
  sql: string;
}

/** A database that gets migrations. */
export interface Migratable {
  query(sql: string): Promise<unknown[]>;
  /**
   * Runs all statements of the text, or none.
   * @throws CommandError if one fails
   */
  run(name: string, sql: string): Promise<void>;
}

/** The database isn't what the migrations that it names make. */
export class OtherSchema extends CommandError {}

/** The migrations of this checkout, in their order. */
export function readMigrations(): Migration[] {
  const paths = globSync("migrations/*.sql", { cwd: root }).toSorted();
  return paths.map((path) => ({ name: basename(path), sql: readFileSync(join(root, path), "utf8") }));
}

/** The most that D1 takes. */
const STATEMENT_BYTES = 100_000;

/** docs/decisions/additive-migrations.md says why. */
const FORBIDDEN: [RegExp, string][] = [
  [/__new_/, "rebuilds a table"],
  [/\bDROP\s+TABLE\b/i, "drops a table"],
  [/\bALTER\s+TABLE\s+\S+\s+(DROP|RENAME)\b/i, "drops or renames a table or a column"],
  [/\bON\s+(DELETE|UPDATE)\s+CASCADE\b/i, "cascades"],
  [/\bPRAGMA\s+foreign_keys\b/i, "switches foreign keys, which D1 ignores"],
];

/** D1 looks for the end of a trigger in its text, and not as SQLite does: it has taken the END of a CASE for it. */
const FORBIDDEN_IN_TRIGGERS: [RegExp, string][] = [
  [/\bCASE\b/i, "has a CASE in a trigger: use WHEN, WHERE or iif()"],
  [/^(?!.*\bBEGIN\b.*\bEND$)/s, "has a trigger without BEGIN and END in capitals"],
];

/** What is wrong with a migration, a line for each fault. */
export function findMigrationFaults({ name, sql }: Migration): string[] {
  return statementsOf(sql).flatMap((statement) => {
    const code = statement.replaceAll(/'[^']*'/g, "''");
    const rules = /^CREATE\s+(TEMP\w*\s+)?TRIGGER\b/i.test(code) ? [...FORBIDDEN, ...FORBIDDEN_IN_TRIGGERS] : FORBIDDEN;
    const faults = rules.filter(([pattern]) => pattern.test(code)).map(([, fault]) => fault);
    if (Buffer.byteLength(statement) > STATEMENT_BYTES) faults.push("has a statement that is too long for D1");
    return faults.map((fault) => `${name} ${fault}: ${code.slice(0, 60).replaceAll(/\s+/g, " ")} …`);
  });
}

/** A new database in memory with all that the migrations make. */
export function makeDatabase(migrations: Migration[]): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  for (const { sql } of migrations) database.exec(sql);
  return database;
}

/** Where Wrangler, too, looks for the names of the migrations that a database has. */
export const JOURNAL = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);`;

const Schema = z.array(z.object({ type: z.string(), name: z.string(), sql: z.string() }));
const Applied = z.array(z.object({ name: z.string() }));

/**
 * Applies the migrations that a database lacks, each as a whole or not at all, and looks whether all that they make is
 * there.
 * @returns the names of those that it lacked
 * @throws OtherSchema if the database isn't what its migrations make, before or afterwards; CommandError if it is half
 * restored
 */
export async function migrate(database: Migratable, migrations: Migration[]): Promise<string[]> {
  const pending = await readPending(database, migrations);
  for (const { name, sql } of pending)
    await database.run(name, `${JOURNAL}\n${sql}\nINSERT INTO d1_migrations (name) VALUES ('${name}');\n`);
  if (pending.length > 0) refuseDifferences(migrations, Schema.parse(await database.query(SCHEMA_QUERY)));
  return pending.map(({ name }) => name);
}

/**
 * The migrations that a database lacks. Changes nothing.
 * @throws OtherSchema if the database isn't what its migrations make; CommandError if it is half restored
 */
export async function readPending(database: Pick<Migratable, "query">, migrations: Migration[]): Promise<Migration[]> {
  const found = Schema.parse(await database.query(SCHEMA_QUERY));
  if (isUnfinished(found)) throw new CommandError(HALF_RESTORED);
  const applied = found.some(({ name }) => name === "d1_migrations")
    ? Applied.parse(await database.query("SELECT name FROM d1_migrations ORDER BY id"))
    : [];
  const pending = findPending(
    migrations,
    applied.map(({ name }) => name),
  );
  refuseDifferences(migrations.slice(0, applied.length), found);
  return pending;
}

/** What a migration does, in words: "2 × new table, 1 × new index". */
export function summarize({ sql }: Migration): string {
  const counts = new Map<string, number>();
  for (const statement of statementsOf(sql)) {
    const kind = KINDS.find(([pattern]) => pattern.test(statement))?.[1] ?? "change of rows";
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => `${count} × ${kind}`).join(", ");
}

const KINDS: [RegExp, string][] = [
  [/^CREATE\s+(VIRTUAL\s+)?TABLE\b/i, "new table"],
  [/^CREATE\s+(UNIQUE\s+)?INDEX\b/i, "new index"],
  [/^CREATE\s+TRIGGER\b/i, "new trigger"],
  [/^CREATE\s+VIEW\b/i, "new view"],
  [/^ALTER\s+TABLE\s+\S+\s+ADD\b/i, "new column"],
  [/^DROP\b/i, "index, trigger or view dropped"],
];

/** What a database lacks, or has besides what the migrations make, a line for each. Changes nothing. */
export async function findDifferences(database: Pick<Migratable, "query">, migrations: Migration[]): Promise<string[]> {
  const found = Schema.parse(await database.query(SCHEMA_QUERY));
  return isUnfinished(found) ? [HALF_RESTORED] : compareSchemas(wantedBy(migrations), found);
}

const HALF_RESTORED = "A restore of this database isn't finished. Run it again with the same copy (docs/recovery.md).";

function isUnfinished(found: SchemaObject[]): boolean {
  return found.some(({ name }) => name === UNFINISHED);
}

function wantedBy(migrations: Migration[]): SchemaObject[] {
  return Schema.parse(makeDatabase(migrations).prepare(SCHEMA_QUERY).all());
}

/**
 * The migrations after the applied ones.
 * @throws OtherSchema if others were applied, or in another order
 */
function findPending(migrations: Migration[], applied: string[]): Migration[] {
  const other = applied.find((name, at) => name !== migrations[at]?.name);
  if (other !== undefined) throw new OtherSchema(`The database has the migration ${other}, which isn't next here.`);
  return migrations.slice(applied.length);
}

function refuseDifferences(migrations: Migration[], found: SchemaObject[]): void {
  const differences = compareSchemas(wantedBy(migrations), found);
  if (differences.length > 0)
    throw new OtherSchema(`The database isn't what its migrations make:\n  ${differences.join("\n  ")}`);
}

/** What differs between two schemas, a line for each object. White space and comments don't count. */
export function compareSchemas(wanted: SchemaObject[], found: SchemaObject[]): string[] {
  const [want, have] = [byName(wanted), byName(found)];
  return [
    ...[...want.keys()].filter((name) => !have.has(name)).map((name) => `${name} is missing`),
    ...[...want].flatMap(([name, sql]) => (have.has(name) && have.get(name) !== sql ? [`${name} is different`] : [])),
    ...[...have.keys()].filter((name) => !want.has(name)).map((name) => `${name} is in no migration`),
  ];
}

/** The statements by type and name, without what a database makes for itself. */
function byName(objects: SchemaObject[]): Map<string, string> {
  return new Map(
    ownObjects(objects).map(({ type, name, sql }) => [`${type} ${name}`, withoutComments(sql).replaceAll(/\s+/g, "")]),
  );
}

/** What these migrations make, each after what it refers to. */
export function objectsOf(migrations: Migration[]): SchemaObject[] {
  return ownObjects(Schema.parse(makeDatabase(migrations).prepare(SCHEMA_QUERY).all()));
}

/** The statements of a text, without comments. */
export function statementsOf(sql: string): string[] {
  return unstable_splitSqlQuery(sql).map((statement) => withoutComments(statement).trim());
}

/** What looks like a comment within a text stays: a password's hash may have `--`. */
function withoutComments(sql: string): string {
  return sql.replaceAll(/('[^']*')|--.*$|\/\*[\s\S]*?\*\//gm, "$1");
}
