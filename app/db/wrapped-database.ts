/** What we use of D1: of a database, of a session, and of whatever wraps them. */
type Target = Pick<D1Database, "prepare" | "batch">;

/** Does one call, whose SQL is in `queries`: gives `work` the database, once or again, and returns what it answers. */
type Ask = <Answer>(queries: string[], work: (target: Target) => Promise<Answer>) => Promise<Answer>;

/**
 * A D1 database whose calls all go through `ask`. Sessions, `exec` and `dump` are left out, because nothing needs them.
 */
export function wrapDatabase(ask: Ask): D1Database {
  const calls: Target = {
    prepare: (query) => new Statement(ask, query, []) as unknown as D1PreparedStatement, // overloads of first and raw
    batch(prepared) {
      const statements = prepared as unknown as Statement[];
      return ask(
        statements.map(({ query }) => query),
        (target) => target.batch(statements.map((statement) => statement.on(target))),
      );
    },
  };
  return calls as D1Database;
}

/** A prepared statement that is not tied to a database before it runs. */
class Statement {
  readonly query: string;
  readonly #ask: Ask;
  readonly #values: unknown[];

  constructor(ask: Ask, query: string, values: unknown[]) {
    this.#ask = ask;
    this.query = query;
    this.#values = values;
  }

  on(target: Target): D1PreparedStatement {
    return target.prepare(this.query).bind(...this.#values);
  }

  bind(...values: unknown[]): Statement {
    return new Statement(this.#ask, this.query, values);
  }
  first(column?: string) {
    return this.#run((statement) => (column === undefined ? statement.first() : statement.first(column)));
  }
  run() {
    return this.#run((statement) => statement.run());
  }
  all() {
    return this.#run((statement) => statement.all());
  }
  raw(options?: { columnNames?: false }) {
    return this.#run((statement) => statement.raw(options));
  }
  #run<Answer>(run: (statement: D1PreparedStatement) => Promise<Answer>): Promise<Answer> {
    return this.#ask([this.query], (target) => run(this.on(target)));
  }
}
