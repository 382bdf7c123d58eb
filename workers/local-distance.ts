/** Local distances to the database, to measure pages as if people were far away. Not compiled in for production. */
import type { Env } from "./env.ts";

/** Round trips from the worker, ms. */
export interface Distance {
  toPrimary: number;
  toReplica: number;
}

/** The distances in the request's `X-Distance` header, such as `150,20`: to the primary, to the replica. */
export function distanceOfRequest(request: Request, env: Env): Distance | undefined {
  if (!__SANDBOX__ || !env.SANDBOX) return undefined;
  const [toPrimary = NaN, toReplica = NaN] = (request.headers.get("X-Distance") ?? "").split(",").map(Number);
  return toPrimary >= 0 && toReplica >= 0 ? { toPrimary, toReplica } : undefined;
}

/** The same database, so far away. Its sessions that begin at a bookmark count as a replica's, which never lags. */
export function atDistance(d1: D1Database, { toPrimary, toReplica }: Distance): D1Database {
  return {
    withSession(start: string) {
      const ms = start === "first-primary" ? toPrimary : toReplica;
      return delaySession(d1.withSession(start), ms);
    },
  } as D1Database; // all that the app uses
}

function delaySession(session: D1DatabaseSession, ms: number): D1DatabaseSession {
  const later = async <Answer>(ask: () => Promise<Answer>) => {
    await scheduler.wait(ms);
    return ask();
  };
  const inner = new WeakMap<object, D1PreparedStatement>();
  function wrap(statement: D1PreparedStatement): D1PreparedStatement {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      first: (column: string) => later(() => (column === undefined ? statement.first() : statement.first(column))),
      run: () => later(() => statement.run()),
      all: () => later(() => statement.all()),
      raw: (options?: { columnNames?: false }) => later(() => statement.raw(options)),
    } as unknown as D1PreparedStatement; // first/raw overloads
    inner.set(wrapped, statement);
    return wrapped;
  }
  return {
    prepare: (query: string) => wrap(session.prepare(query)),
    batch: (statements: D1PreparedStatement[]) =>
      later(() => session.batch(statements.map((statement) => inner.get(statement) ?? statement))),
    getBookmark: () => session.getBookmark(),
  } as D1DatabaseSession;
}
