/** Counts how one request uses the database, for logs and the benchmark. */
export interface Meter {
  /** Calls to D1; a batch is one. */
  trips: number;
  /** Rows scanned, as D1 reports them; single statements read through `raw` are not counted. */
  rowsRead: number;
}

/** Wraps a database so that `meter` counts its calls and rows. */
export function meterDatabase(d1: D1Database, meter: Meter): D1Database {
  return new MeteredDatabase(d1, meter) as unknown as D1Database; // sessions are opened below it (replicated-database.ts)
}

class MeteredDatabase implements Pick<D1Database, "prepare" | "batch"> {
  readonly #d1: D1Database;
  readonly #meter: Meter;
  constructor(d1: D1Database, meter: Meter) {
    this.#d1 = d1;
    this.#meter = meter;
  }
  prepare(query: string): D1PreparedStatement {
    return new MeteredStatement(this.#d1.prepare(query), this.#meter) as unknown as D1PreparedStatement; // first/raw overloads
  }
  async batch<T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
    this.#meter.trips += 1;
    const inner = statements.map((statement) => (statement instanceof MeteredStatement ? statement.inner : statement));
    const results = await this.#d1.batch<T>(inner);
    for (const result of results) this.#meter.rowsRead += result.meta.rows_read;
    return results;
  }
}

class MeteredStatement {
  readonly inner: D1PreparedStatement;
  readonly #meter: Meter;
  constructor(inner: D1PreparedStatement, meter: Meter) {
    this.inner = inner;
    this.#meter = meter;
  }
  bind(...values: unknown[]) {
    return new MeteredStatement(this.inner.bind(...values), this.#meter);
  }
  first(column?: string) {
    this.#meter.trips += 1;
    return column === undefined ? this.inner.first() : this.inner.first(column);
  }
  run() {
    return this.#counted(this.inner.run());
  }
  all() {
    return this.#counted(this.inner.all());
  }
  raw(options?: { columnNames?: false }) {
    this.#meter.trips += 1;
    return this.inner.raw(options);
  }
  async #counted(pending: Promise<D1Result>) {
    this.#meter.trips += 1;
    const result = await pending;
    this.#meter.rowsRead += result.meta.rows_read;
    return result;
  }
}
