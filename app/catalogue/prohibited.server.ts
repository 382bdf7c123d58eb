import { sql } from "drizzle-orm";
import { rowsOf } from "#app/db/batch.ts";
import { type ProhibitedList, type ProhibitedTerm, readList } from "./prohibited-rules.ts";

/** The query for what may not be sold. Send it in a batch and read the result with `readProhibited`. */
export const PROHIBITED_TERMS = sql`SELECT kind, term FROM prohibited_terms ORDER BY term`;

export function readProhibited(answer: unknown): ProhibitedList {
  return readList(rowsOf<ProhibitedTerm>(answer));
}
