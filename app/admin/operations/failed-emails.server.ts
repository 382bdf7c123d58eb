import { desc, eq, sql } from "drizzle-orm";
import { expectOneChange } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { endEmailsHold, FAILED_SHOWN_MS, hasFailed, retryEffects } from "#app/db/outbox.ts";
import { outbox } from "#app/db/tables.server.ts";
import { PAGE_SIZE } from "#app/team/admin-pages.server.ts";
import { type Admin, performAdminAction } from "#app/team/perform-act.server.ts";

/** An email that could not be sent. */
export interface FailedEmail {
  id: string;
  to: string;
  template: string;
  attempts: number;
  error: string | null;
  createdAt: number;
  /** When it is tried again, ms since 1970; null when it was given up. */
  nextTryAt: number | null;
}

/** The query for the emails that failed and wait, or were given up in the last 7 days, the latest first. */
export function failedEmails(now: number) {
  const { id, payload, attempts, lastError, createdAt, availableAt, deadAt } = outbox;
  return build
    .select({
      id,
      to: sql<string>`COALESCE(${payload} ->> '$.to', '')`.as("recipient"),
      template: sql<string>`COALESCE(${payload} ->> '$.template', '')`.as("template"),
      attempts,
      error: lastError,
      createdAt,
      nextTryAt: sql<number | null>`iif(${deadAt} IS NULL, ${availableAt}, NULL)`.as("nextTryAt"),
    })
    .from(outbox)
    .where(hasFailed(now - FAILED_SHOWN_MS))
    .orderBy(desc(createdAt), desc(id))
    .limit(PAGE_SIZE + 1);
}

/**
 * Lets one failed email, or all of them (null), be tried at once, also while the provider is thought to refuse. Returns
 * false if the email was sent in the meantime, or if they are no longer an admin.
 */
export function retryEmails(store: Store, admin: Admin, id: string | null): Promise<boolean> {
  return performAdminAction(store, admin, { action: "emails_retried", subject: `email:${id ?? "all"}` }, [
    endEmailsHold(),
    retryEffects(id === null ? undefined : eq(outbox.id, id), store.now()),
    ...(id === null ? [] : [expectOneChange()]),
  ]);
}
