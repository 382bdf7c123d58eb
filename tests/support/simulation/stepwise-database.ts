import type { Worker } from "./stage.ts";
import type { Stalls } from "./stalls.ts";

/** A database whose every call is one step of `worker`, and which is away in `stalls`. */
export function stepwiseDatabase(d1: D1Database, worker: Worker, stalls: Stalls): D1Database {
  const step: Step = (work) => worker.step(() => stalls.pass(work));
  return new StepwiseDatabase(d1, step) as D1Database;
}

type Step = <T>(work: () => Promise<T>) => Promise<T>;

class StepwiseDatabase implements Pick<D1Database, "prepare" | "batch" | "exec" | "dump" | "withSession"> {
  readonly #d1: D1Database;
  readonly #step: Step;
  constructor(d1: D1Database, step: Step) {
    this.#d1 = d1;
    this.#step = step;
  }
  prepare(query: string): D1PreparedStatement {
    return new StepwiseStatement(this.#d1.prepare(query), this.#step) as unknown as D1PreparedStatement; // first/raw overloads
  }
  batch<T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
    const inner = statements.map((statement) => (statement instanceof StepwiseStatement ? statement.inner : statement));
    return this.#step(() => this.#d1.batch<T>(inner));
  }
  exec(query: string) {
    return this.#step(() => this.#d1.exec(query));
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
  readonly #step: Step;
  constructor(inner: D1PreparedStatement, step: Step) {
    this.inner = inner;
    this.#step = step;
  }
  bind(...values: unknown[]) {
    return new StepwiseStatement(this.inner.bind(...values), this.#step);
  }
  first(column?: string) {
    return this.#step(() => (column === undefined ? this.inner.first() : this.inner.first(column)));
  }
  run() {
    return this.#step(() => this.inner.run());
  }
  all() {
    return this.#step(() => this.inner.all());
  }
  raw(options?: { columnNames?: false }) {
    return this.#step(() => this.inner.raw(options));
  }
}
