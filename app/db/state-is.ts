import { type SQL, sql } from "drizzle-orm";
import type { Predicate } from "./states/predicates.ts";

/**
 * A predicate as part of a query: `stateIs("i.status", ITEM.isOpen)`. `column` has the name and alias that it has in
 * the query.
 */
export function stateIs(column: string, predicate: Predicate<never>): SQL {
  return sql.raw(predicate.sql(column));
}
