import { and, eq, inArray, isNull, lt, not, type SQL, sql } from "drizzle-orm";
import { write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { emailTokens, endedSessions, uploads, verificationDocuments } from "./tables.server.ts";
import { rateCounters } from "#app/db/tables.server.ts";
import { RETENTION } from "#app/platform/retention-rules.ts";
import type { DocumentServices } from "#app/accounts/trust/documents.server.ts";

/** Files of one sweep. R2 deletes at most 1,000 at once. */
const MAX_FILES = 500;

/**
 * Deletes files without a document from the private bucket. Returns how many. It can stop at any point, because a file
 * is deleted before its row.
 */
export async function sweepDocuments(services: DocumentServices): Promise<number> {
  // A time of grace, because a file gets its row before it is stored, and is stored before its document is saved.
  const isOrphan = and(
    isNull(uploads.attachedAt),
    lt(uploads.createdAt, services.now() - RETENTION.documents.keptMs),
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
  if (keys.length === 0) return 0;
  const isDeleted = sql`${uploads.key} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`;
  await services.documents.delete(keys);
  await write(services.db, [build.delete(uploads).where(and(isNull(uploads.attachedAt), isDeleted))]);
  return keys.length;
}

/**
 * Lets go of the files of documents that were decided long ago: nobody can open them from then on, and `sweepDocuments`
 * deletes them. `isKept`: SQL on `verificationDocuments`. Returns how many.
 */
export async function forgetCheckedDocuments({ db, now }: Store, isKept: SQL): Promise<number> {
  const { verificationStatus, reviewedAt, fileDeletedAt, documentUrl } = verificationDocuments;
  const isDue = and(
    inArray(verificationStatus, ["approved", "rejected"]),
    lt(reviewedAt, now() - RETENTION.checked_documents.keptMs),
    isNull(fileDeletedAt),
    not(isKept),
  );
  const files = build.select({ key: documentUrl }).from(verificationDocuments).where(isDue);
  const { forgotten } = await write(db, {
    released: build.update(uploads).set({ attachedAt: null }).where(inArray(uploads.key, files)),
    forgotten: build.update(verificationDocuments).set({ fileDeletedAt: now() }).where(isDue),
  });
  return forgotten.meta.changes;
}

/** Deletes counters whose window has passed. Returns how many. */
export async function deleteOldCounters({ db, now }: Store): Promise<number> {
  const { deleted } = await write(db, {
    deleted: build.delete(rateCounters).where(lt(rateCounters.windowStart, now() - RETENTION.counters.keptMs)),
  });
  return deleted.meta.changes;
}

/** Forgets sessions that ended so long ago that KV has forgotten them, too. Returns how many. */
export async function deleteOldSessions({ db, now }: Store): Promise<number> {
  const { deleted } = await write(db, {
    deleted: build.delete(endedSessions).where(lt(endedSessions.endedAt, now() - RETENTION.ended_sessions.keptMs)),
  });
  return deleted.meta.changes;
}

/**
 * Forgets links that stopped working long ago. Until then none is mistaken for one that never existed. Returns how
 * many.
 */
export async function deleteOldLinks({ db, now }: Store): Promise<number> {
  const { deleted } = await write(db, {
    deleted: build.delete(emailTokens).where(lt(emailTokens.expiresAt, now() - RETENTION.links.keptMs)),
  });
  return deleted.meta.changes;
}
