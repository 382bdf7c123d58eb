/** What each seed starts with: all tables, empty. */

/** The starting state, and what follows from it. */
const KEPT_TABLES =
  /^(sqlite_|_cf_|d1_migrations|products_(name_)?fts|product_search|campus_locations$|categories$|settled_totals$)/;

interface SchemaRow {
  type: string;
  name: string;
  sql: string;
}

/** Empties the database. The triggers that forbid it are restored at once. */
export async function emptyDatabase(d1: D1Database): Promise<void> {
  const { results: schema } = await d1
    .prepare("SELECT type, name, sql FROM sqlite_master WHERE type IN ('table', 'trigger')")
    .all<SchemaRow>();
  const tables = schema.filter(({ type, name }) => type === "table" && !KEPT_TABLES.test(name));
  const guards = schema.filter(({ type, name }) => type === "trigger" && name.endsWith("_no_delete"));
  await d1.batch([
    d1.prepare("PRAGMA defer_foreign_keys = on"),
    ...guards.map(({ name }) => d1.prepare(`DROP TRIGGER ${name}`)),
    ...tables.map(({ name }) => d1.prepare(`DELETE FROM ${name}`)),
    d1.prepare("UPDATE settled_totals SET amount = 0"),
    ...guards.map(({ sql: guard }) => d1.prepare(guard)),
  ]);
}
