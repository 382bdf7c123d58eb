import { and, eq, type SQL } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { adminProposals } from "#app/moderation/tables.server.ts";

/** SQL: the proposal waits for a second admin. As text, because an index has only these. */
export const IS_OPEN_PROPOSAL = eq(adminProposals.state, "open").inlineParams();

/** Whatever a proposal about this rests on is over. `subject`: "kind:id", as in the audit log. */
export function voidProposal(subject: string | SQL, now: number): Statement {
  return build
    .update(adminProposals)
    .set({ state: "void", decidedAt: now })
    .where(and(eq(adminProposals.subject, subject), IS_OPEN_PROPOSAL));
}
