/**
 * What a database is made of, as `sqlite_master` names it. No part of Node is needed here, so tests use it in the
 * worker, too.
 */

/** A table, an index, a view or a trigger. */
export interface SchemaObject {
  type: string;
  name: string;
  /** The statement that made it. */
  sql: string;
}

/** Every object that a statement made, each after what it refers to. */
export const SCHEMA_QUERY = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid";

/** SQLite's, D1's and ours about migrations. */
const INTERNAL = /^(sqlite_|_cf_|d1_)/;

/** The tables in which FTS5 keeps a virtual table. */
const SHADOWS = ["data", "idx", "content", "docsize", "config"];

/** Whether a table is SQLite's, D1's, or ours about migrations. */
export function isInternal(name: string): boolean {
  return INTERNAL.test(name);
}

function isVirtual({ sql }: SchemaObject): boolean {
  return /^CREATE\s+VIRTUAL/i.test(sql);
}

/** What migrations made themselves: nothing of SQLite, D1 and FTS5. */
export function ownObjects(objects: SchemaObject[]): SchemaObject[] {
  const shadows = new Set(
    objects.filter(isVirtual).flatMap(({ name }) => SHADOWS.map((suffix) => `${name}_${suffix}`)),
  );
  return objects.filter(({ name }) => !isInternal(name) && !shadows.has(name));
}

/** The table of a database whose restore isn't finished. Its row says of which copy. */
export const UNFINISHED = "unfinished_restore";
