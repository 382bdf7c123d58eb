import { sql } from "drizzle-orm";
import { runBatch } from "#app/db/batch.ts";
import type { DocumentServices } from "./documents.server.ts";
import { SESSION_LIFE_S } from "./rules.ts";

const DAY_MS = 24 * 60 * 60_000;
/** How long a spent or expired link is kept, so that it can be told from one that never was, ms. */
const TOKEN_KEEP_MS = 30 * DAY_MS;
/** Longer than KV remembers a session after its last use. */
const SESSION_KEEP_MS = SESSION_LIFE_S * 1000 + DAY_MS;
/** Files of one sweep; R2 removes at most 1,000 at once. */
const MAX_FILES = 500;

/**
 * Removes what accounts leave behind: files in the private bucket that belong to no document any more, links long over, and
 * counters whose window has passed. Answers how many files went. Safe to cut off anywhere: a file goes before its entry.
 */
export async function sweepAccounts(services: DocumentServices): Promise<number> {
  const now = services.now();
  // A day's grace: a file is known before it is stored, and stored before it is listed.
  const orphans = sql`SELECT key FROM uploads WHERE attached_at IS NULL AND created_at < ${now - DAY_MS} AND bucket = 'documents' ORDER BY created_at LIMIT ${MAX_FILES}`;
  const keys = (await services.db.all<{ key: string }>(orphans)).map(({ key }) => key);
  if (keys.length > 0) await services.documents.delete(keys);
  await runBatch(services.db, [
    sql`DELETE FROM uploads WHERE attached_at IS NULL AND key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`,
    sql`DELETE FROM rate_counters WHERE window_start < ${now - DAY_MS}`,
    sql`DELETE FROM ended_sessions WHERE ended_at < ${now - SESSION_KEEP_MS}`,
    sql`DELETE FROM email_tokens WHERE expires_at < ${now - TOKEN_KEEP_MS}`,
  ]);
  return keys.length;
}
