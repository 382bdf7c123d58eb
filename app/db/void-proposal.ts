import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "./batch.ts";

/** Whatever a proposal about this rests on is over. `subject`: "kind:id", as in the audit log. */
export function voidProposal(subject: string | SQL, now: number): Statement {
  return sql`UPDATE admin_proposals SET state = 'void', decided_at = ${now} WHERE subject = ${subject} AND state = 'open'`;
}
