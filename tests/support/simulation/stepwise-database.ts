import type { Worker } from "./stage.ts";

/** A database whose every call is one step of `worker`. */
export function stepwiseDatabase(d1: D1Database, worker: Worker): D1Database {
  return new StepwiseDatabase(d1, worker) as D1Database;
}

class StepwiseDatabase implements Pick<D1Database, "prepare" | "batch" | "exec" | "dump" | "withSession"> {
  readonly #d1: D1Database;
  readonly #worker: Worker;
  constructor(d1: D1Database, worker: Worker) {
    this.#d1 = d1;
    this.#worker = worker;
  }
  prepare(query: string): D1PreparedStatement {
    return new StepwiseStatement(this.#d1.prepare(query), this.#worker) as unknown as D1PreparedStatement; // first/raw overloads
  }
  batch<T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
    const inner = statements.map((statement) => (statement instanceof StepwiseStatement ? statement.inner : statement));
    return this.#worker.step(() => this.#d1.batch<T>(inner));
  }
  exec(query: string) {
    return this.#worker.step(() => this.#d1.exec(query));
  }
  dump(): Promise<ArrayBuffer> {
    throw new Error("not in a simulation");
  }
  withSession(): D1DatabaseSession {
    throw new Error("not in a simulation");
  }
}

class StepwiseStatement {
  readonly inner: D1PreparedStatement;
  readonly #worker: Worker;
  constructor(inner: D1PreparedStatement, worker: Worker) {
    this.inner = inner;
    this.#worker = worker;
  }
  bind(...values: unknown[]) {
    return new StepwiseStatement(this.inner.bind(...values), this.#worker);
  }
  first(column?: string) {
    return this.#worker.step(() => (column === undefined ? this.inner.first() : this.inner.first(column)));
  }
  run() {
    return this.#worker.step(() => this.inner.run());
  }
  all() {
    return this.#worker.step(() => this.inner.all());
  }
  raw(options?: { columnNames?: false }) {
    return this.#worker.step(() => this.inner.raw(options));
  }
}
