/**
 * The bodies of callbacks move to the archive a year after they were applied. Their rows stay, so that our team finds
 * them as before.
 */
import { sql } from "drizzle-orm";
import {
  type ArchivedLine,
  type ArchiveServices,
  commitPart,
  readParts,
  removePart,
  removeParts,
  storePart,
} from "#app/db/archive.ts";
import { expectThat, PreconditionFailed, runBatch, type Statement } from "#app/db/batch.ts";

const KEPT_MS = 365 * 24 * 60 * 60_000;
/** Callbacks of one part, and parts of one run. */
const LINES = 1_000;
const PARTS = 10;

interface Line extends ArchivedLine {
  body: string;
}

interface Row extends Line {
  receivedAt: number;
}

/** Archives the bodies of old callbacks, the oldest first, and returns how many. Twice at once and a stop at any point are safe. */
export async function archiveCallbacks(services: ArchiveServices): Promise<number> {
  let archived = 0;
  for (let parts = 0; parts < PARTS; parts += 1) {
    const count = await archiveSome(services);
    archived += count;
    if (count < LINES) break;
  }
  return archived;
}

async function archiveSome(services: ArchiveServices): Promise<number> {
  const { db, now } = services;
  // Goes on after the newest one that is archived. A callback that isn't applied by then stays for good.
  const last = (column: "last_at" | "last_id", none: number | string) =>
    sql`COALESCE((SELECT ${sql.raw(column)} FROM archive_parts WHERE kind = 'callbacks' AND last_at IS NOT NULL ORDER BY last_at DESC, last_id DESC LIMIT 1), ${none})`;
  const rows = await db.all<Row>(
    sql`SELECT id, body, received_at AS receivedAt FROM payment_callbacks INDEXED BY payment_callbacks_received
      WHERE (received_at, id) > (${last("last_at", 0)}, ${last("last_id", "")}) AND received_at < ${now() - KEPT_MS}
        AND applied_at IS NOT NULL AND archive_part IS NULL AND body <> '' ORDER BY received_at, id LIMIT ${LINES}`,
  );
  const newest = rows.at(-1);
  if (!newest) return 0;
  const part = await storePart(
    services,
    "callbacks",
    rows.map(({ id, body }): Line => ({ id, body })),
  );
  const isMoved = await moved(services, [
    ...commitPart(part, { at: newest.receivedAt, id: newest.id }, now()),
    ...refer(rows, { from: null, to: part.id }),
  ]);
  return isMoved ? rows.length : 0;
}

/** Lets the rows refer to another part. Aborts the batch if one was erased or archived in the meantime. */
function refer(rows: readonly ArchivedLine[], { from, to }: { from: string | null; to: string }): Statement[] {
  const ids = sql`id IN (SELECT value FROM json_each(${JSON.stringify(rows.map(({ id }) => id))}))`;
  const hasBody = from === null ? sql`AND body <> ''` : sql``;
  return [
    expectThat(
      sql`(SELECT COUNT(*) FROM payment_callbacks WHERE ${ids} AND archive_part IS ${from} ${hasBody}) = ${rows.length}`,
    ),
    sql`UPDATE payment_callbacks SET body = '', archive_part = ${to} WHERE ${ids}`,
  ];
}

/** Whether the batch was written. If something has changed since it was read, the next run tries again. */
async function moved({ db }: ArchiveServices, statements: Statement[]): Promise<boolean> {
  try {
    await runBatch(db, statements);
    return true;
  } catch (error) {
    if (error instanceof PreconditionFailed) return false;
    throw error;
  }
}

/**
 * Writes the parts anew in which a body was erased, without it, and deletes the old ones. Returns how many. A part that
 * nothing refers to any more is only deleted.
 */
export async function rewriteArchive(services: ArchiveServices): Promise<number> {
  const { db, now } = services;
  const due = await db.all<{ id: string; lastAt: number; lastId: string }>(
    sql`SELECT id, last_at AS lastAt, last_id AS lastId FROM archive_parts WHERE rewrite_due = 1 AND removing_at IS NULL LIMIT ${PARTS}`,
  );
  let rewritten = 0;
  for (const { id, lastAt, lastId } of due) {
    const lines = await readParts<Line>(services, [id]);
    const used = await db.all<{ id: string }>(
      sql`SELECT id FROM payment_callbacks WHERE archive_part = ${id} AND id IN (SELECT value FROM json_each(${JSON.stringify([...lines.keys()])}))`,
    );
    const kept = used.flatMap((row) => lines.get(row.id) ?? []);
    if (kept.length === 0) {
      await runBatch(db, [removePart(id, now())]);
      rewritten += 1;
      continue;
    }
    const part = await storePart(services, "callbacks", kept);
    const isMoved = await moved(services, [
      ...commitPart(part, { at: lastAt, id: lastId }, now()),
      ...refer(kept, { from: id, to: part.id }),
      removePart(id, now()),
    ]);
    if (isMoved) rewritten += 1;
  }
  await removeParts(services);
  return rewritten;
}

/** The archived bodies of these callbacks, by their ids. @throws when the archive can't be read */
export async function readArchivedBodies(
  services: Pick<ArchiveServices, "db" | "documents">,
  parts: readonly string[],
): Promise<Map<string, string>> {
  const lines = await readParts<Line>(services, [...new Set(parts)]);
  return new Map([...lines].map(([id, { body }]) => [id, body]));
}
