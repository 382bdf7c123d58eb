import { fillPlaceholders, lt, type Query, SQL, sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { RETENTION } from "#app/platform/retention-rules.ts";
import { build } from "./build.ts";
import type { Database } from "./client.ts";
import { DatabaseAway, isRead, type Patience, patiently } from "./patience.ts";
import { writeMarks } from "./tables.server.ts";

/** A query of Drizzle's builder. `Result`: what it gives when it is awaited. */
interface Built<Result> {
  readonly _: { readonly dialect: "sqlite"; readonly result: Result };
  prepare(): { getQuery(): Query; mapResult(response: unknown, isFromBatch: boolean): unknown };
}

/** A query of Drizzle's builder (`build` in `build.ts`, or a database), or plain SQL. */
export type Statement = Built<unknown> | SQL;

/** A query that selects, and so only reads. */
interface Selecting<Result> extends Built<Result> {
  readonly _: Built<Result>["_"] & { readonly selectedFields: unknown };
}
type Question = Selecting<unknown> | SQL;

/**
 * The answer to a statement: the rows of a query that selects or returns; D1's result, with its meta, of others. Plain
 * SQL names the type of its rows (`sql<Row>`), because D1 does not know what a query selects.
 */
type AnswerTo<S> = S extends SQL<infer Row> ? D1Result<Row> : S extends Built<infer Result> ? Result : never;

/** A row of a query that was built. */
export type RowOf<S> = AnswerTo<S> extends (infer Row)[] ? Row : never;

/** Statements by their names, in order. A list of them may be empty. */
type Steps = Readonly<Record<string, Statement | readonly Statement[]>>;

/** What each step answers: a statement its answer, a list the answers of its statements. */
export type AnswersTo<S> = {
  -readonly [K in keyof S]: S[K] extends readonly Statement[] ? AnswersTo<S[K]> : AnswerTo<S[K]>;
};

/** A guard of a write did not hold. Nothing was written. */
export class PreconditionFailed extends Error {
  override name = "PreconditionFailed";
}

/** A unique index refused a row. Nothing was written. `columns` is "table.column, …". */
export class UniqueViolation extends Error {
  override name = "UniqueViolation";
  readonly columns: string;
  constructor(columns: string) {
    super(`unique: ${columns}`);
    this.columns = columns;
  }
}

/**
 * Asks in one round trip, and again while the database is away: one query, several by their names, or a list of the
 * same kind. `const { shop, listings } = await read(db, { shop: …, listings: … })`. A single query that is written on
 * the spot is Drizzle's own `await db.select(…)`.
 */
export async function read<
  const Q extends Question | readonly Question[] | Readonly<Record<string, Question | readonly Question[]>>,
>(db: Database, queries: Q): Promise<Q extends Statement ? AnswerTo<Q> : AnswersTo<Q>> {
  const steps: Steps = isStatement(queries) || isList(queries) ? { queries } : queries;
  const prepared = statementsOf(steps).map(prepare);
  const writing = prepared.find(({ query }) => !isRead(query.sql));
  if (writing) throw new Error(`Use write for ${writing.query.sql}`);
  const answers = byName(steps, await run(db, prepared));
  return (steps === queries ? answers : answers["queries"]) as Q extends Statement ? AnswerTo<Q> : AnswersTo<Q>;
}

/**
 * Writes the statements as one transaction in one round trip: all of them, or none. Steps with names answer by them:
 * `const { added: [line] } = await write(db, { added: …, guard: expectOneChange() })`.
 *
 * It is written exactly once, although it is repeated while the database is away. It carries a mark of its own, so a
 * repeat finds out that an earlier try was written after all. Then the answers are lost: what only reads is asked
 * again, and whoever takes the answer of a step that wrote gets DatabaseAway. So take the answers that you need, and no
 * others.
 * @throws PreconditionFailed or UniqueViolation when a guard or an index refuses
 * @throws DatabaseAway when patience ends; it may have been written
 */
export async function write<const S extends readonly Statement[] | Steps>(
  db: Database,
  steps: S,
  patience: Patience = db.patience,
): Promise<S extends readonly Statement[] ? void : AnswersTo<S>> {
  const named: Steps = isList(steps) ? { steps } : steps;
  const mark = build.insert(writeMarks).values({ id: newMark(), at: Date.now() });
  const prepared = [mark, ...statementsOf(named)].map(prepare);
  const answers = await patiently(patience, async (tries) => {
    try {
      return await run(db, prepared);
    } catch (error) {
      if (tries > 1 && error instanceof UniqueViolation && error.columns === "write_marks.id") return null;
      throw error;
    }
  });
  if (isList(steps)) return undefined as never; // a list gives nothing back
  return (answers ? byName(named, answers.slice(1)) : await readAgain(db, named)) as never;
}

/** Like `write`. Whether it was written: false, and nothing is, where a guard refuses. */
export function tryWrite(db: Database, statements: readonly Statement[]): Promise<boolean> {
  return isWritten(write(db, statements));
}

/** Whether `writing` wrote its batch: false, and nothing is written, where a guard refuses. */
export async function isWritten(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if (error instanceof PreconditionFailed) return false;
    throw error;
  }
}

/**
 * Does `work` again when somebody else was faster, at most `tries` times in all. Each time, `work` must read anew what
 * it depends on. `attempt` counts from 1. `conflicts`: the errors which say that somebody was faster.
 * @throws the conflict of the last try
 */
export async function retryOnConflict<T>(
  tries: number,
  work: (attempt: number) => Promise<T>,
  conflicts: readonly (new (...args: never[]) => Error)[] = [PreconditionFailed],
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt === tries || !conflicts.some((conflict) => error instanceof conflict)) throw error;
    }
  }
}

/** Whether a condition holds now. */
export async function holds(db: Database, condition: SQL): Promise<boolean> {
  const [row] = await db.all<{ holds: number }>(sql`SELECT ${condition} AS holds`);
  return row?.holds === 1;
}

/** Aborts the whole write unless the statement just before changed exactly one row. */
export function expectOneChange(): Statement {
  // Not built, because `assert_changed` is no table but a view whose trigger aborts.
  return sql`INSERT INTO assert_changed (ok, tag) SELECT changes(), ''`;
}

/** Aborts the whole write unless `condition` holds. */
export function expectThat(condition: SQL): Statement {
  return sql`INSERT INTO assert_changed (ok, tag) SELECT CASE WHEN ${condition} THEN 1 ELSE 0 END, ''`;
}

/**
 * A query of a page that many people open. Building it takes longer than binding its values, so it is built once.
 * `values`: those of its placeholders (`sql.placeholder`).
 */
export function prepareOnce<Result>(
  statement: Selecting<Result>,
): (values: Record<string, unknown>) => Selecting<Result> {
  const once = statement.prepare();
  const query = once.getQuery();
  return (values) => ({
    _: statement._,
    prepare: () => ({
      getQuery: () => ({ ...query, params: fillPlaceholders(query.params, values) }),
      mapResult: (response, isFromBatch) => once.mapResult(response, isFromBatch),
    }),
  });
}

/** Deletes the marks of writes that nobody repeats any more. Returns how many. */
export async function deleteOldMarks({ db }: { db: Database }): Promise<number> {
  const { deleted } = await write(db, {
    deleted: build.delete(writeMarks).where(lt(writeMarks.at, Date.now() - RETENTION.write_marks.keptMs)),
  });
  return deleted.meta.changes;
}

const dialect = new SQLiteAsyncDialect({ casing: "snake_case" });

interface Prepared {
  query: Query;
  /** Reads the answer; null for plain SQL. */
  built: ReturnType<Built<unknown>["prepare"]> | null;
}

function prepare(statement: Statement): Prepared {
  if (statement instanceof SQL) return { query: dialect.sqlToQuery(statement), built: null };
  const built = statement.prepare();
  return { query: built.getQuery(), built };
}

/** Runs the statements in one round trip. Answers come in order. */
async function run(db: Database, prepared: readonly Prepared[]): Promise<unknown[]> {
  if (prepared.length === 0) return [];
  let results: D1Result[];
  try {
    results = await db.$client.batch(prepared.map(({ query }) => db.$client.prepare(query.sql).bind(...query.params)));
  } catch (error) {
    throw namedError(error);
  }
  return results.map((result, n) => {
    const answer = prepared[n]?.built?.mapResult(result, true) ?? result;
    if (Array.isArray(answer)) assertDistinctNames(result.results[0], answer[0]);
    return answer;
  });
}

function isStatement(value: Statement | readonly Statement[] | Steps): value is Statement {
  return value instanceof SQL || typeof (value as Built<unknown>).prepare === "function";
}

function isList(step: Statement | Steps | readonly Statement[]): step is readonly Statement[] {
  return Array.isArray(step);
}

function statementsOf(steps: Steps): Statement[] {
  return Object.values(steps).flatMap((step) => (isList(step) ? step : [step]));
}

/** Gives each step its own of these answers, which are in order. */
function byName(steps: Steps, answers: readonly unknown[]): Record<string, unknown> {
  let next = 0;
  const entries = Object.entries(steps).map(([name, step]) => {
    if (!isList(step)) return [name, answers[next++]];
    next += step.length;
    return [name, answers.slice(next - step.length, next)];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** The answers of a write that were lost: those that can be read again. Whoever takes another learns that. */
async function readAgain(db: Database, steps: Steps): Promise<Record<string, unknown>> {
  const isReading = (step: Steps[string]): step is Question | readonly Question[] =>
    statementsOf({ step }).every((one) => isRead(prepare(one).query.sql));
  const reading: Record<string, Question | readonly Question[]> = {};
  for (const [name, step] of Object.entries(steps)) if (isReading(step)) reading[name] = step;
  const answers: Record<string, unknown> = { ...(await read(db, reading)) };
  for (const name of Object.keys(steps).filter((one) => !(one in reading)))
    Object.defineProperty(answers, name, {
      get: () => {
        throw new DatabaseAway("it was written, and the answer was lost");
      },
    });
  return answers;
}

/**
 * D1 gives the rows of a batch by name. Two columns of one name would be one, and Drizzle, which counts columns, would
 * put values under wrong names.
 * @throws Error if a query selects two columns of one name: use `named`
 */
function assertDistinctNames(raw: unknown, row: unknown): void {
  if (raw && row && Object.keys(raw).length !== Object.keys(row).length)
    throw new Error(`two columns of a query have one name: ${Object.keys(row).join(", ")}`);
}

/** 53 bits by chance. The id is the row's own number, so that a mark costs one row written. */
export function newMark(): number {
  const bytes = crypto.getRandomValues(new Uint8Array(7));
  return bytes.reduce((number, byte, n) => number * (n === 6 ? 32 : 256) + (n === 6 ? byte & 31 : byte), 0);
}

/** Turns D1's constraint message into PreconditionFailed or UniqueViolation. Drizzle hides the message in `cause`. */
function namedError(error: unknown): unknown {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at.message.includes("precondition_failed"))
      return new PreconditionFailed("precondition_failed", { cause: error });
    const unique = /UNIQUE constraint failed: ([\w., ]+)/.exec(at.message);
    if (unique?.[1]) return new UniqueViolation(unique[1].trim());
  }
  return error;
}
