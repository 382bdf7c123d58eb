/** A named set of the states of one column, for TypeScript and for SQL. */
export interface Predicate<State extends string> {
  (state: State): boolean;
  /** The same as an SQL condition: `ITEM.isOpen.sql("i.status")` is `i.status IN ('processing', 'shipped')`. */
  sql(column: string): string;
}

/**
 * Makes a predicate of each entry, which lists the states that belong to it. The SQL contains the states as text,
 * because SQLite uses a partial index only for a condition that repeats the index's own, and a bound value doesn't.
 */
export function predicates<State extends string, Name extends string>(
  all: readonly State[],
  table: Record<Name, readonly State[]>,
): Record<Name, Predicate<State>> {
  const entries = Object.entries<readonly State[]>(table).map(([name, states]) => [name, predicate(all, states)]);
  return Object.fromEntries(entries) as Record<Name, Predicate<State>>;
}

function predicate<State extends string>(all: readonly State[], states: readonly State[]): Predicate<State> {
  const [others, [only, ...more]] = [all.filter((state) => !states.includes(state)), states];
  const condition =
    more.length === 0
      ? `= '${only}'`
      : others.length === 1
        ? `<> '${others[0]}'`
        : `IN (${states.map((state) => `'${state}'`).join(", ")})`;
  return Object.assign((state: State) => states.includes(state), {
    sql: (column: string) => `${column} ${condition}`,
  });
}
