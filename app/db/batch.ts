import { fillPlaceholders, lt, type Query, SQL, sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { RETENTION } from "#app/platform/retention-rules.ts";
import { build } from "./build.ts";
import type { Database } from "./client.ts";
import { type Patience, patiently } from "./patience.ts";
import { writeMarks } from "./tables.server.ts";

/** A query of Drizzle's builder. `Result`: what it gives when it is awaited. */
interface Built<Result> {
  readonly _: { readonly dialect: "sqlite"; readonly result: Result };
  prepare(): { getQuery(): Query; mapResult(response: unknown, isFromBatch: boolean): unknown };
}

/** A query of Drizzle's builder (`build` in `build.ts`, or a database), or plain SQL. */
export type Statement = Built<unknown> | SQL;

/**
 * A query of a page that many people open. Building it takes longer than binding its values, so it is built once.
 * `values`: those of its placeholders (`sql.placeholder`).
 */
export function prepareOnce<Result>(statement: Built<Result>): (values: Record<string, unknown>) => Built<Result> {
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

/**
 * The answer to a statement in a batch: the rows of a query that selects or returns; D1's result, with its meta, of
 * others. Plain SQL names the type of its rows (`sql<Row>`), because D1 does not know what a query selects.
 */
export type AnswerTo<S> = S extends SQL<infer Row> ? D1Result<Row> : S extends Built<infer Result> ? Result : never;
export type AnswersTo<S extends readonly Statement[]> = { -readonly [K in keyof S]: AnswerTo<S[K]> };

/** A row of a query that was built. */
export type RowOf<S> = AnswerTo<S> extends (infer Row)[] ? Row : never;

/** A guard of the batch did not hold. Nothing was written. */
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

const dialect = new SQLiteAsyncDialect({ casing: "snake_case" });

/**
 * Runs the statements as one transaction in one round trip: all of them, or none. Answers come in order. Throws
 * PreconditionFailed or UniqueViolation when a guard or an index refuses.
 */
export async function runBatch<const S extends readonly Statement[]>(
  db: Database,
  statements: S,
): Promise<AnswersTo<S>> {
  const prepared = statements.map((statement) => {
    const built = statement instanceof SQL ? null : statement.prepare();
    return { built, query: built ? built.getQuery() : dialect.sqlToQuery(statement as SQL) };
  });
  let results: D1Result[];
  try {
    results = await db.$client.batch(prepared.map(({ query }) => db.$client.prepare(query.sql).bind(...query.params)));
  } catch (error) {
    throw namedError(error);
  }
  const answers = results.map((result, n) => {
    const built = prepared[n]?.built;
    if (!built) return result;
    const answer = built.mapResult(result, true);
    if (Array.isArray(answer)) assertDistinctNames(result.results[0], answer[0]);
    return answer;
  });
  return answers as AnswersTo<S>;
}

/** The steps of a batch by their names, in order. A step is a statement, or a list of them, which may be empty. */
export type Steps = Readonly<Record<string, Statement | readonly Statement[]>>;
/** What each step answers: a statement its answer, a list the answers of its statements. */
export type AnswersToSteps<S extends Steps> = {
  [K in keyof S]: S[K] extends readonly Statement[] ? AnswersTo<S[K]> : AnswerTo<S[K]>;
};

/** Like `runBatch`, with a name for each step, for a batch of many steps of which some answer. */
export async function runSteps<const S extends Steps>(db: Database, steps: S): Promise<AnswersToSteps<S>> {
  return bySteps(steps, await runBatch(db, statementsOf(steps)));
}

function statementsOf(steps: Steps): Statement[] {
  return Object.values(steps).flat() as Statement[];
}

function bySteps<S extends Steps>(steps: S, answers: readonly unknown[]): AnswersToSteps<S> {
  let first = 0;
  const named = Object.entries(steps).map(([name, step]) => {
    if (!Array.isArray(step)) return [name, answers[first++]];
    first += step.length;
    return [name, answers.slice(first - step.length, first)];
  });
  return Object.fromEntries(named) as AnswersToSteps<S>;
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

/**
 * Like `runBatch`, for a batch that may be repeated as it is: done twice, it leaves what it leaves when done once.
 * While the database is away, it is repeated.
 * @throws DatabaseAway when patience ends; the batch may have happened
 */
export function repeatBatch<const S extends readonly Statement[]>(
  db: Database,
  statements: S,
  patience: Patience = db.patience,
): Promise<AnswersTo<S>> {
  return patiently(patience, () => runBatch(db, statements));
}

/**
 * Writes the statements exactly once, although they are repeated while the database is away. The batch carries a mark
 * of its own, so a repeat finds out whether an earlier try was written after all: then it was this batch, and nobody
 * else's. Returns the results; null where they were lost with the answer.
 * @throws PreconditionFailed or UniqueViolation when a guard or an index refuses
 * @throws DatabaseAway when patience ends; the batch may have been written
 */
export function commitBatch<const S extends readonly Statement[]>(
  db: Database,
  statements: S,
): Promise<AnswersTo<S> | null> {
  const mark = build.insert(writeMarks).values({ id: newMark(), at: Date.now() });
  return patiently(db.patience, async (tries) => {
    try {
      const [, ...answers] = await runBatch(db, [mark, ...statements] as const);
      return answers as AnswersTo<S>;
    } catch (error) {
      if (tries > 1 && error instanceof UniqueViolation && error.columns === "write_marks.id") return null;
      throw error;
    }
  });
}

/** Like `commitBatch`, with a name for each step. */
export async function commitSteps<const S extends Steps>(db: Database, steps: S): Promise<AnswersToSteps<S> | null> {
  const answers = await commitBatch(db, statementsOf(steps));
  return answers && bySteps(steps, answers);
}

/** Like `commitBatch`. Whether it was written: false, and nothing is, where a guard refuses. */
export async function tryCommit(db: Database, statements: readonly Statement[]): Promise<boolean> {
  try {
    await commitBatch(db, statements);
    return true;
  } catch (error) {
    if (error instanceof PreconditionFailed) return false;
    throw error;
  }
}

/**
 * Like `commitBatch`, with reads in the same round trip. Returns their results; where they were lost with the answer,
 * they are read again.
 */
export async function commitAndRead<const S extends readonly Statement[]>(
  db: Database,
  writes: readonly Statement[],
  reads: S,
): Promise<AnswersTo<S>> {
  const answers = await commitBatch(db, [...writes, ...reads]);
  return answers ? (answers.slice(writes.length) as AnswersTo<S>) : runBatch(db, reads);
}

/** 53 bits by chance. The id is the row's own number, so that a mark costs one row written. */
function newMark(): number {
  const bytes = crypto.getRandomValues(new Uint8Array(7));
  return bytes.reduce((number, byte, n) => number * (n === 6 ? 32 : 256) + (n === 6 ? byte & 31 : byte), 0);
}

/** Deletes the marks of batches that nobody repeats any more. Returns how many. */
export async function deleteOldMarks({ db }: { db: Database }): Promise<number> {
  const [deleted] = await repeatBatch(db, [
    build.delete(writeMarks).where(lt(writeMarks.at, Date.now() - RETENTION.write_marks.keptMs)),
  ]);
  return deleted.meta.changes;
}

/** Whether a condition holds now. */
export async function holds(db: Database, condition: SQL): Promise<boolean> {
  const [row] = await db.all<{ holds: number }>(sql`SELECT ${condition} AS holds`);
  return row?.holds === 1;
}

/** How many rows a statement of a batch wrote. 0 for a query that gives rows. */
export function changesOf(answer: unknown): number {
  return (answer as D1Result | undefined)?.meta?.changes ?? 0;
}

/** Aborts the whole batch unless the statement just before changed exactly one row. */
export function expectOneChange(): Statement {
  // Not built, because `assert_changed` is no table but a view whose trigger aborts.
  return sql`INSERT INTO assert_changed (ok, tag) SELECT changes(), ''`;
}

/** Aborts the whole batch unless `condition` holds. */
export function expectThat(condition: SQL): Statement {
  return sql`INSERT INTO assert_changed (ok, tag) SELECT CASE WHEN ${condition} THEN 1 ELSE 0 END, ''`;
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
