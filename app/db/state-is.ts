import { type Column, type SQL, sql } from "drizzle-orm";
import type { Predicate } from "./states/predicates.ts";

/**
 * A predicate as part of a query: `stateIs(orderItems.status, ITEM.isOpen)`. In plain SQL `column` may be a text with
 * the name and alias that it has in the query.
 */
export function stateIs(column: Column | string, predicate: Predicate<never>): SQL {
  if (typeof column === "string") return sql.raw(predicate.sql(column));
  return sql`${column}${sql.raw(predicate.sql(""))}`;
}
