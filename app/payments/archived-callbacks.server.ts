/**
 * The bodies of callbacks move to the archive a year after they were applied. Their rows stay, so that our team finds
 * them as before.
 */
import { sql } from "drizzle-orm";
import {
  type ArchivedLine,
  type ArchiveServices,
  commitPart,
  type DuePart,
  PARTS_AT_ONCE,
  readPart,
  readParts,
  removePart,
  runUnlessChanged,
  storePart,
} from "#app/db/archive.ts";
import { expectThat, runBatch, type Statement } from "#app/db/batch.ts";

const KEPT_MS = 365 * 24 * 60 * 60_000;
/**
 * The most callbacks of one part, and the most characters of their bodies, because a worker has 128 MB of memory. The
 * last body may exceed them.
 */
const LINES = 1_000;
const CHARACTERS = 2_000_000;
interface Line extends ArchivedLine {
  body: string;
}

interface Row extends Line {
  receivedAt: number;
}

/** Archives the bodies of old callbacks, the oldest first, and returns how many. Safe to run twice at once and to stop at any point. */
export async function archiveCallbacks(services: ArchiveServices): Promise<number> {
  let archived = 0;
  for (let parts = 0; parts < PARTS_AT_ONCE; parts += 1) {
    const count = await archiveSome(services);
    if (count === 0) break;
    archived += count;
  }
  return archived;
}

async function archiveSome(services: ArchiveServices): Promise<number> {
  const { db, now } = services;
  // Goes on after the newest one that is archived. A callback that isn't applied by then stays for good. If the newest
  // part is deleted because all its bodies were erased, this reads the rows of that part again, and skips them.
  const last = (column: "last_at" | "last_id", none: number | string) =>
    sql`COALESCE((SELECT ${sql.raw(column)} FROM archive_parts WHERE kind = 'callbacks' AND last_at IS NOT NULL ORDER BY last_at DESC, last_id DESC LIMIT 1), ${none})`;
  const due = sql`SELECT id, body, received_at FROM payment_callbacks INDEXED BY payment_callbacks_received
    WHERE (received_at, id) > (${last("last_at", 0)}, ${last("last_id", "")}) AND received_at < ${now() - KEPT_MS}
      AND applied_at IS NOT NULL AND archive_part IS NULL AND body <> '' ORDER BY received_at, id LIMIT ${LINES}`;
  const before = sql`SUM(length(body)) OVER (ORDER BY received_at, id) - length(body)`;
  const rows = await db.all<Row>(
    sql`SELECT id, body, received_at AS receivedAt FROM (SELECT *, ${before} AS characters_before FROM (${due}))
      WHERE characters_before < ${CHARACTERS} ORDER BY received_at, id`,
  );
  const newest = rows.at(-1);
  if (!newest) return 0;
  const part = await storePart(
    services,
    "callbacks",
    rows.map(({ id, body }): Line => ({ id, body })),
  );
  const isMoved = await runUnlessChanged(services, part, [
    ...commitPart(part, { at: newest.receivedAt, id: newest.id }, now()),
    ...pointRowsAt(rows, { from: null, to: part.id }),
  ]);
  return isMoved ? rows.length : 0;
}

/** Points the rows at another part. Aborts the batch if one was erased or archived in the meantime. */
function pointRowsAt(rows: readonly ArchivedLine[], { from, to }: { from: string | null; to: string }): Statement[] {
  const ids = sql`id IN (SELECT value FROM json_each(${JSON.stringify(rows.map(({ id }) => id))}))`;
  const hasBody = from === null ? sql`AND body <> ''` : sql``;
  return [
    expectThat(
      sql`(SELECT COUNT(*) FROM payment_callbacks WHERE ${ids} AND archive_part IS ${from} ${hasBody}) = ${rows.length}`,
    ),
    sql`UPDATE payment_callbacks SET body = '', archive_part = ${to} WHERE ${ids}`,
  ];
}

/** Writes a part anew without the bodies that were erased. A part that no row refers to any more gets no successor. */
export async function rewriteCallbacks(
  services: ArchiveServices,
  { id, key, lastAt, lastId }: DuePart,
): Promise<boolean> {
  const { db, documents, now } = services;
  const lines = await readPart<Line>(documents, key);
  const used = await db.all<{ id: string }>(
    sql`SELECT id FROM payment_callbacks WHERE archive_part = ${id} AND id IN (SELECT value FROM json_each(${JSON.stringify(lines.map((line) => line.id))}))`,
  );
  const usedIds = new Set(used.map((row) => row.id));
  const kept = lines.filter((line) => usedIds.has(line.id));
  if (kept.length === 0) {
    await runBatch(db, [removePart(id, now())]);
    return true;
  }
  const part = await storePart(services, "callbacks", kept);
  return runUnlessChanged(services, part, [
    ...commitPart(part, { at: lastAt, id: lastId }, now()),
    ...pointRowsAt(kept, { from: id, to: part.id }),
    removePart(id, now()),
  ]);
}

/** The archived bodies of these callbacks, by their ids. @throws when the archive can't be read */
export async function readArchivedBodies(
  services: Pick<ArchiveServices, "db" | "documents">,
  parts: readonly string[],
): Promise<Map<string, string>> {
  const lines = await readParts<Line>(services, [...new Set(parts)]);
  return new Map([...lines].map(([id, { body }]) => [id, body]));
}
