/** Counts what one request or job uses and Cloudflare charges for, for its line in the log. */
export interface Meter {
  /** Calls to D1; a batch is one. */
  trips: number;
  /** Rows scanned, as D1 reports them. Where it doesn't (`first` and `raw`), the rows returned. */
  rowsRead: number;
  /** Rows written, as D1 reports them: each index of a table counts once more. */
  rowsWritten: number;
  kvReads: number;
  /** Puts, deletes and lists. They cost the same. */
  kvWrites: number;
  /** Class B operations: get and head. */
  r2Reads: number;
  /** Class A operations: put and list. Deletes are free. */
  r2Writes: number;
  /** Requests to Durable Objects. */
  hubRequests: number;
  emails: number;
}

export function newMeter(): Meter {
  return {
    trips: 0,
    rowsRead: 0,
    rowsWritten: 0,
    kvReads: 0,
    kvWrites: 0,
    r2Reads: 0,
    r2Writes: 0,
    hubRequests: 0,
    emails: 0,
  };
}

/** As a Server-Timing header. */
export function describeMeter(meter: Meter): string {
  return [
    `d1;desc="trips=${meter.trips} rows=${meter.rowsRead} written=${meter.rowsWritten}"`,
    `kv;desc="reads=${meter.kvReads} writes=${meter.kvWrites}"`,
    `r2;desc="reads=${meter.r2Reads} writes=${meter.r2Writes}"`,
    `hubs;desc="requests=${meter.hubRequests}"`,
    `email;desc="sent=${meter.emails}"`,
  ].join(", ");
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
    for (const result of results) countRows(this.#meter, result);
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
  async first(column?: string) {
    this.#meter.trips += 1;
    const found = await (column === undefined ? this.inner.first() : this.inner.first(column));
    if (found !== null) this.#meter.rowsRead += 1;
    return found;
  }
  run() {
    return this.#counted(this.inner.run());
  }
  all() {
    return this.#counted(this.inner.all());
  }
  async raw(options?: { columnNames?: false }) {
    this.#meter.trips += 1;
    const rows = await this.inner.raw(options);
    this.#meter.rowsRead += rows.length;
    return rows;
  }
  async #counted(pending: Promise<D1Result>) {
    this.#meter.trips += 1;
    const result = await pending;
    countRows(this.#meter, result);
    return result;
  }
}

function countRows(meter: Meter, { meta }: D1Result): void {
  meter.rowsRead += meta.rows_read;
  meter.rowsWritten += meta.rows_written;
}
