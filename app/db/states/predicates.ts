/** A named set of the states that one column may hold: asked in TypeScript, or written into SQL. */
export interface Predicate<State extends string> {
  (state: State): boolean;
  /** The same as an SQL condition on a column: `ITEM.isOpen.sql("i.status")` is `i.status IN ('processing', 'shipped')`. */
  sql(column: string): string;
}

/**
 * Makes a predicate of each entry: which of all the states belong to it. The states stand in the SQL as text, because SQLite uses a
 * partial index only for a condition that repeats the index's own, and a bound value is no repetition.
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
