/** The campus that a release's code has left behind, and what its people see of it. */
import { openDatabase } from "#app/db/client.ts";
import { readBooks } from "#app/payments/books/ledger.server.ts";
import { writeMyData } from "#app/screens/my-data/my-data-file.ts";
import { readMyData } from "#app/screens/my-data/my-data.server.ts";
import { fillLater, insertLines, readLines } from "#scripts/backup/rows.ts";
import { readTables } from "#scripts/backup/tables.ts";
import { emptyDatabase, objectsIn } from "./restored.ts";

export interface ReleasedCampus {
  /** The rows of its database by table, as `scripts/backup/rows.ts` writes them. */
  rows: Record<string, string[]>;
  /** When it was left, ms since 1970. */
  at: number;
  seen: Seen;
  /** Every statement that the release's code sent to the database. */
  statements: string[];
}

export interface Seen {
  /** By person: the file with everything that they have here. */
  people: Record<string, unknown>;
  /** The balance of each account of the ledger. */
  balances: Record<string, number>;
}

/** What the people of a database see at a time (ms since 1970). */
export async function readSeen(d1: D1Database, at: number): Promise<Seen> {
  const store = { db: openDatabase(d1), now: () => at };
  const { results } = await d1.prepare("SELECT id FROM credentials ORDER BY id").all<{ id: string }>();
  const people: Seen["people"] = {};
  for (const { id } of results)
    people[id] = JSON.parse(writeMyData(await readMyData(store, id), "https://campus.test", at)) as unknown;
  return { people, balances: (await readBooks(store.db)).balances };
}

/** What was seen before and isn't any more, or differently, a line for each. What is new doesn't count. */
export function findLost(before: unknown, after: unknown, place = ""): string[] {
  if (typeof before !== "object" || before === null)
    return Object.is(before, after) ? [] : [`${place}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`];
  if (typeof after !== "object" || after === null) return [`${place} is gone`];
  if (Array.isArray(before) && Array.isArray(after) && before.length !== after.length)
    return [`${place} had ${before.length} rows, and has ${after.length}`];
  return Object.entries(before).flatMap(([name, value]) =>
    findLost(value, (after as Record<string, unknown>)[name], place === "" ? name : `${place}.${name}`),
  );
}

export async function readRows(d1: D1Database): Promise<ReleasedCampus["rows"]> {
  const rows: ReleasedCampus["rows"] = {};
  for await (const { table, lines } of readLines(d1, await readTables(d1)))
    rows[table.name] = [...(rows[table.name] ?? []), ...lines];
  return rows;
}

/**
 * Makes an empty database what a release has left: the tables of its migrations (`schema`), then the rows, and then
 * what would act on rows that are written.
 */
export async function makeReleased(d1: D1Database, schema: string[], rows: ReleasedCampus["rows"]): Promise<void> {
  const run = (statements: string[]) => d1.batch(statements.map((statement) => d1.prepare(statement)));
  await run(schema);
  const objects = await objectsIn(d1);
  await emptyDatabase(d1);
  await run(objects.filter(({ type }) => type === "table").map(({ sql }) => sql));
  const tables = await readTables(d1);
  for (const write of [insertLines, fillLater])
    for (const table of tables) await write(d1, table, linesOf(rows[table.name]));
  await run(objects.filter(({ type }) => type !== "table").map(({ sql }) => sql));
}

async function* linesOf(lines: string[] = []): AsyncGenerator<string> {
  yield* lines;
}
