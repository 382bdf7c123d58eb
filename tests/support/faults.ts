/** Bindings that sometimes fail, as a network does. */

/** slow: answers late. failing: does nothing and throws. lost: does its work, but the answer is lost. */
export type Fault = "slow" | "failing" | "lost";
export const FAULTS = ["slow", "failing", "lost"] as const satisfies Fault[];

/** `queries`: what a round trip asks the database; empty for any other binding. */
type Around = <Result>(call: () => Promise<Result>, queries: readonly string[]) => Promise<Result>;

const LATE_MS = 120;

/** Applies the fault to every `nth` call. */
export function faultEvery(nth: number, fault: Fault): <Result>(call: () => Promise<Result>) => Promise<Result> {
  let calls = 0;
  return async (call) => {
    calls += 1;
    if (calls % nth !== 0) return call();
    if (fault === "failing") throw new Error("D1_ERROR: the network is gone (secret detail)");
    if (fault === "slow") await scheduler.wait(LATE_MS);
    const result = await call();
    if (fault === "lost") throw new Error("D1_ERROR: the answer is lost (secret detail)");
    return result;
  };
}

/** A binding whose calls all go through `around`. */
export function through<Binding extends object>(binding: Binding, around: Around): Binding {
  return new Proxy(binding, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...sent: unknown[]) => around(async () => (await Reflect.apply(value, target, sent)) as unknown, []);
    },
  });
}

/** A database, or a session of one, whose round trips all go through `around`. Preparing a statement isn't one. */
export function databaseThrough<Source extends D1Database | D1DatabaseSession>(
  database: Source,
  around: Around,
): Source {
  const originals = new WeakMap<object, { statement: D1PreparedStatement; query: string }>();
  const wrap = (query: string, statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        if (name === "bind") return (...values: unknown[]) => wrap(query, target.bind(...values));
        return (...sent: unknown[]) =>
          around(async () => (await Reflect.apply(value, target, sent)) as unknown, [query]);
      },
    });
    originals.set(wrapped, { statement, query });
    return wrapped;
  };
  return new Proxy(database, {
    get(target, name) {
      if (name === "prepare") return (query: string) => wrap(query, target.prepare(query));
      if (name === "batch")
        return (statements: D1PreparedStatement[]) => {
          const all = statements.map((statement) => originals.get(statement) ?? { statement, query: "" });
          return around(
            () => target.batch(all.map(({ statement }) => statement)),
            all.map(({ query }) => query),
          );
        };
      if (name === "withSession" && "withSession" in target)
        return (start?: string) => databaseThrough(target.withSession(start), around);
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

/** The database of a slow action. Just before its first write, `other` runs to its end, once. */
export function slowDatabase(d1: D1Database, other: () => Promise<unknown>): { db: D1Database; hasWritten(): boolean } {
  let meanwhile: Promise<unknown> | null = null;
  const db = databaseThrough(d1, async (call, queries) => {
    if (!queries.every((query) => /^\s*(?:SELECT|WITH)\b/i.test(query))) await (meanwhile ??= other());
    return call();
  });
  return { db, hasWritten: () => meanwhile !== null };
}
