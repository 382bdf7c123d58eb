/**
 * Old rows whose bulk has moved to the private bucket, as JSON lines in compressed parts. `archive_parts` says where each
 * part is. A part has its row before its object, and is deleted in the opposite order, so that no object is forgotten.
 */
import { sql } from "drizzle-orm";
import { expectOneChange, PreconditionFailed, runBatch, type Statement } from "./batch.ts";
import type { Store } from "./client.ts";

export interface ArchiveServices extends Store {
  /** The private bucket. */
  documents: R2Bucket;
}

/** A line of a part. */
export interface ArchivedLine {
  id: string;
}

/** A part whose object is stored, but which nothing refers to yet. */
export interface NewPart {
  id: string;
  /** Its row count. */
  lines: number;
  /** Compressed. */
  bytes: number;
}

export type ArchiveKind = "callbacks" | "messages";

/**
 * Stores the lines as a new part, and reads it back. `commitPart` must follow in the batch that removes the lines from the database;
 * otherwise the sweep deletes the part after a day.
 * @throws when the bucket fails or returns something else
 */
export async function storePart(
  { db, documents, now }: ArchiveServices,
  kind: ArchiveKind,
  lines: readonly ArchivedLine[],
): Promise<NewPart> {
  const id = crypto.randomUUID();
  const key = `archive/${kind}/${id}.jsonl.gz`;
  await db.run(sql`INSERT INTO archive_parts (id, kind, key, created_at) VALUES (${id}, ${kind}, ${key}, ${now()})`);
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  const packed = await new Response(pipe(text, new CompressionStream("gzip"))).arrayBuffer();
  await documents.put(key, packed, { httpMetadata: { contentType: "application/gzip" } });
  if ((await readText(documents, key)) !== text) throw new Error(`the part ${id} differs from what was stored`);
  return { id, lines: lines.length, bytes: packed.byteLength };
}

/** The statements that make a part count. `lastAt` (ms) and `lastId`: the newest of its rows. They abort the batch if the part was given up. */
export function commitPart(part: NewPart, last: { at: number; id: string }, now: number): Statement[] {
  return [
    sql`UPDATE archive_parts SET written_at = ${now}, lines = ${part.lines}, bytes = ${part.bytes}, last_at = ${last.at}, last_id = ${last.id}
      WHERE id = ${part.id} AND written_at IS NULL AND removing_at IS NULL`,
    expectOneChange(),
  ];
}

/** The statement that gives up a part. The sweep deletes it. */
export function removePart(id: string, now: number): Statement {
  return sql`UPDATE archive_parts SET removing_at = ${now} WHERE id = ${id} AND removing_at IS NULL`;
}

/**
 * Runs the batch that commits `part`, and returns whether it was written. If one of its guards refuses, a row has changed
 * since it was read. The part is given up then, because it may have words that were erased.
 */
export async function runUnlessChanged(
  { db, now }: ArchiveServices,
  part: NewPart,
  statements: Statement[],
): Promise<boolean> {
  try {
    await runBatch(db, statements);
    return true;
  } catch (error) {
    if (!(error instanceof PreconditionFailed)) throw error;
    await runBatch(db, [removePart(part.id, now())]);
    return false;
  }
}

/** The lines of a part. @throws when the bucket fails or the part is missing */
export async function readPart<Line extends ArchivedLine>(documents: R2Bucket, key: string): Promise<Line[]> {
  const text = await readText(documents, key);
  return text.split("\n").map((line) => JSON.parse(line) as Line);
}

/** The lines of these parts by id. One read of the bucket for each part. @throws when the bucket fails or a part is missing */
export async function readParts<Line extends ArchivedLine>(
  { db, documents }: Pick<ArchiveServices, "db" | "documents">,
  ids: readonly string[],
): Promise<Map<string, Line>> {
  if (ids.length === 0) return new Map();
  const parts = await db.all<{ key: string }>(
    sql`SELECT key FROM archive_parts WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
  );
  const lines = await Promise.all(parts.map(({ key }) => readPart<Line>(documents, key)));
  return new Map(lines.flat().map((line) => [line.id, line]));
}

/** A part in which something must be erased. */
export interface DuePart {
  id: string;
  kind: ArchiveKind;
  key: string;
  /** Its newest row: the time in ms, and the id. */
  lastAt: number;
  lastId: string;
}

/** The most parts that one run writes. */
export const PARTS_AT_ONCE = 10;

/**
 * Writes the parts anew in which something was erased, without it, and deletes the old ones. Returns how many. The
 * `rewriters` return whether the old part was given up. A part that fails stays for the next run and keeps no other from
 * being rewritten.
 * @throws AggregateError of the failures, at the end
 */
export async function rewriteParts(
  services: ArchiveServices & { log(event: { event: string } & Record<string, unknown>): void },
  rewriters: Record<ArchiveKind, (services: ArchiveServices, part: DuePart) => Promise<boolean>>,
): Promise<number> {
  // In random order, because parts that fail every time would otherwise come first in every run.
  const due = await services.db.all<DuePart>(
    sql`SELECT id, kind, key, last_at AS lastAt, last_id AS lastId FROM archive_parts WHERE rewrite_due = 1 AND removing_at IS NULL ORDER BY RANDOM() LIMIT ${PARTS_AT_ONCE}`,
  );
  let rewritten = 0;
  const failures: unknown[] = [];
  for (const part of due) {
    try {
      if (await rewriters[part.kind](services, part)) rewritten += 1;
    } catch (error) {
      failures.push(error);
      services.log({
        event: "archive_rewrite_failed",
        level: "error",
        part: part.id,
        error: String(error).slice(0, 200),
      });
    }
  }
  await removeParts(services);
  if (failures.length > 0) throw new AggregateError(failures, "Parts of the archive can't be rewritten");
  return rewritten;
}

const DAY_MS = 24 * 60 * 60_000;
const REMOVED_AT_ONCE = 100;

/** Deletes parts that were given up, and those that were begun a day ago and never counted. Returns how many. It can stop at any point. */
async function removeParts({ db, documents, now }: ArchiveServices): Promise<number> {
  await db.run(
    sql`UPDATE archive_parts SET removing_at = ${now()} WHERE written_at IS NULL AND removing_at IS NULL AND created_at < ${now() - DAY_MS}`,
  );
  const parts = await db.all<{ id: string; key: string }>(
    sql`SELECT id, key FROM archive_parts WHERE removing_at IS NOT NULL LIMIT ${REMOVED_AT_ONCE}`,
  );
  if (parts.length === 0) return 0;
  await documents.delete(parts.map(({ key }) => key));
  await db.run(
    sql`DELETE FROM archive_parts WHERE removing_at IS NOT NULL AND id IN (SELECT value FROM json_each(${JSON.stringify(parts.map(({ id }) => id))}))`,
  );
  return parts.length;
}

async function readText(bucket: R2Bucket, key: string): Promise<string> {
  const object = await bucket.get(key);
  if (!object) throw new Error(`the archive has no ${key}`);
  return new Response(object.body.pipeThrough(new DecompressionStream("gzip"))).text();
}

function pipe(text: string, transform: CompressionStream): ReadableStream {
  return new Blob([text]).stream().pipeThrough(transform);
}
