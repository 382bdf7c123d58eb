import { sql } from "drizzle-orm";
import { read } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { adminCounts, type AdminCounts, PAGE_SIZE, readAdminCounts } from "#app/team/admin-pages.server.ts";
import { type AlarmRow, lastRunOf, openAlarms, selectJobLease } from "./alarms.server.ts";
import { failedEmails, type FailedEmail } from "./failed-emails.server.ts";

export interface Operations {
  alarms: AlarmRow[];
  /** When the job last ran, ms since 1970; null if it never did. */
  lastRunAt: number | null;
  /** Bytes of the database. */
  size: number;
  /** The latest emails that could not be sent. */
  emails: FailedEmail[];
  /** There are more than these. */
  hasMoreEmails: boolean;
  counts: AdminCounts;
}

/** What the operators watch. One round trip. */
export async function readOperations({ db, now }: Store): Promise<Operations> {
  const { emails, alarms, lease, size, counts } = await read(db, {
    emails: failedEmails(now()),
    alarms: openAlarms(),
    lease: selectJobLease(),
    // Each answer of D1 says how large the database is.
    size: sql`SELECT 1`,
    counts: adminCounts(),
  });
  return {
    alarms,
    lastRunAt: lastRunOf(lease),
    size: size.meta.size_after,
    emails: emails.slice(0, PAGE_SIZE),
    hasMoreEmails: emails.length > PAGE_SIZE,
    counts: readAdminCounts(counts),
  };
}
