/** A database that lets somebody else act between what a use case reads and what it writes. */

/** The database of a slow action. Just before its first write, `other` runs to its end, once. */
export function slowDatabase(d1: D1Database, other: () => Promise<unknown>): { db: D1Database; hasWritten(): boolean } {
  let meanwhile: Promise<unknown> | null = null;
  const queries = new WeakMap<D1PreparedStatement, string>();
  const beforeWrite = async (statements: readonly string[]) => {
    if (statements.every((query) => /^\s*(?:SELECT|WITH)\b/i.test(query))) return;
    meanwhile ??= other();
    await meanwhile;
  };
  const wrap = (query: string, statement: D1PreparedStatement): D1PreparedStatement => {
    const slow = new Proxy(statement, {
      get(target, name) {
        if (name === "bind") return (...values: unknown[]) => wrap(query, target.bind(...values));
        const own = Reflect.get(target, name) as unknown;
        if (typeof own !== "function") return own;
        return async (...args: unknown[]) => {
          await beforeWrite([query]);
          return (own as (...args: unknown[]) => unknown).apply(target, args);
        };
      },
    });
    queries.set(slow, query);
    inner.set(slow, statement);
    return slow;
  };
  const inner = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const db = new Proxy(d1, {
    get(target, name) {
      if (name === "prepare") return (query: string) => wrap(query, target.prepare(query));
      if (name === "batch")
        return async (statements: D1PreparedStatement[]) => {
          await beforeWrite(statements.map((statement) => queries.get(statement) ?? ""));
          return target.batch(statements.map((statement) => inner.get(statement) ?? statement));
        };
      const own = Reflect.get(target, name) as unknown;
      return typeof own === "function" ? (own as (...args: unknown[]) => unknown).bind(target) : own;
    },
  });
  return { db, hasWritten: () => meanwhile !== null };
}
