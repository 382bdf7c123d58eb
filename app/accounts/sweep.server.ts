import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { runBatch } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { emailTokens, endedSessions, rateCounters, uploads } from "#app/db/schema.ts";
import type { DocumentServices } from "./documents.server.ts";
import { SESSION_LIFE_S } from "./account-rules.ts";

const DAY_MS = 24 * 60 * 60_000;
/** How long a used or expired link is remembered, in ms, so that it isn't mistaken for one that never existed. */
const TOKEN_KEEP_MS = 30 * DAY_MS;
/** Longer than KV remembers a session after its last use. */
const SESSION_KEEP_MS = SESSION_LIFE_S * 1000 + DAY_MS;
/** Files of one sweep. R2 deletes at most 1,000 at once. */
const MAX_FILES = 500;

/**
 * Deletes what accounts leave behind: files without a document in the private bucket, expired links, ended sessions,
 * and counters whose window has passed. Returns the number of files. It can stop at any point, because a file is deleted
 * before its row.
 */
export async function sweepAccounts(services: DocumentServices): Promise<number> {
  const now = services.now();
  // A day's grace, because a file gets its row before it is stored, and is stored before its document is saved.
  const isOrphan = and(
    isNull(uploads.attachedAt),
    lt(uploads.createdAt, now - DAY_MS),
    eq(uploads.bucket, "documents"),
    isNull(uploads.image),
  );
  const orphans = await services.db
    .select({ key: uploads.key })
    .from(uploads)
    .where(isOrphan)
    .orderBy(uploads.createdAt)
    .limit(MAX_FILES);
  const keys = orphans.map(({ key }) => key);
  const isDeleted = sql`${uploads.key} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`;
  if (keys.length > 0) await services.documents.delete(keys);
  await runBatch(services.db, [
    build.delete(uploads).where(and(isNull(uploads.attachedAt), isDeleted)),
    build.delete(rateCounters).where(lt(rateCounters.windowStart, now - DAY_MS)),
    build.delete(endedSessions).where(lt(endedSessions.endedAt, now - SESSION_KEEP_MS)),
    build.delete(emailTokens).where(lt(emailTokens.expiresAt, now - TOKEN_KEEP_MS)),
  ]);
  return keys.length;
}
