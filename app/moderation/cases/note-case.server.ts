import { eq } from "drizzle-orm";
import { expectThat } from "#app/db/batch.ts";
import { hasRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { moderationCases } from "#app/moderation/tables.server.ts";
import { type Admin, performAdminAction } from "#app/team/perform-act.server.ts";

/** Adds a note to a case, which only admins can read. Returns false if there is no such case. */
export function addCaseNote(store: Store, admin: Admin, caseId: string, note: string): Promise<boolean> {
  return performAdminAction(store, admin, { action: "case_noted", subject: `case:${caseId}`, detail: note }, [
    expectThat(hasRow(moderationCases, eq(moderationCases.id, caseId))),
  ]);
}
