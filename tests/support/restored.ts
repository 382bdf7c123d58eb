/** Copies and restores by the code of `npm run backup` and `npm run restore`, in memory. */
import { type Contents, type Restored, restoreCopy, writeCopy } from "#scripts/backup/copy.ts";
import { readTables, type RowDatabase } from "#scripts/backup/tables.ts";
import { ownObjects, SCHEMA_QUERY, type SchemaObject } from "#scripts/schema-objects.ts";

const VERSION = "in memory";

export interface MemoryCopy {
  bytes: Buffer;
  contents: Contents;
  /** What its database is made of. */
  objects: SchemaObject[];
}

export async function copyOf(database: RowDatabase): Promise<MemoryCopy> {
  let texts: string[] = [];
  const contents = await writeCopy(database, VERSION, {
    clear: () => (texts = []),
    write: (text) => texts.push(text),
  });
  return { bytes: Buffer.from(texts.join("")), contents, objects: await objectsIn(database) };
}

/** Makes the database, which must be empty, of a copy. */
export function restore({ bytes, objects }: MemoryCopy, database: RowDatabase): Promise<Restored> {
  const read = (from: number, to: number) => [bytes.subarray(from, to)];
  const run = async (_name: string, statements: string[]) => {
    await database.batch(statements.map((statement) => database.prepare(statement)));
  };
  return restoreCopy({ size: bytes.length, read }, VERSION, { rows: database, run }, objects);
}

/** Drops all that is in the database. */
export async function emptyDatabase(database: RowDatabase): Promise<void> {
  const objects = await objectsIn(database);
  const tables = (await readTables(database)).map(({ name }) => name).toReversed();
  const search = objects.filter(({ type, name }) => type === "table" && !tables.includes(name)).map(({ name }) => name);
  const drop = (type: string, names: string[]) => names.map((name) => database.prepare(`DROP ${type} "${name}"`));
  const namesOf = (wanted: string) => objects.filter(({ type }) => type === wanted).map(({ name }) => name);
  const statements = [
    database.prepare("PRAGMA defer_foreign_keys = TRUE"),
    ...drop("TRIGGER", namesOf("trigger")),
    ...drop("VIEW", namesOf("view")),
    ...drop("TABLE", search),
    ...drop("TABLE", tables),
  ];
  await database.batch(statements);
}

/** All that a database is made of. */
export async function objectsIn(database: RowDatabase): Promise<SchemaObject[]> {
  const { results } = await database.prepare(SCHEMA_QUERY).all<SchemaObject>();
  return ownObjects(results);
}
