import { forgetCheckedDocuments } from "#app/accounts/sweep.server.ts";
import { verificationDocuments } from "#app/accounts/tables.server.ts";
import type { Store } from "#app/db/client.ts";
import { isInCase } from "#app/moderation/cases/upheld-cases.server.ts";

/** `forgetCheckedDocuments`, but for the documents of people whom a case is about. */
export function sweepCheckedDocuments(store: Store): Promise<number> {
  return forgetCheckedDocuments(store, isInCase(verificationDocuments.userId, store.now()));
}
