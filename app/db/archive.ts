/**
 * Old rows whose bulk has moved to the private bucket, as JSON lines in compressed parts. `archive_parts` says where each
 * part is. A part has its row before its object, and is deleted in the opposite order, so that no object is forgotten.
 */
import { sql } from "drizzle-orm";
import { expectOneChange, type Statement } from "./batch.ts";
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

export type ArchiveKind = "callbacks";

/**
 * Stores the lines as a new part, and reads it back. `commitPart` must follow in the batch that lets go of the rows;
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

/** The lines of these parts by id. One read of the bucket for each part. @throws when the bucket fails or a part is missing */
export async function readParts<Line extends ArchivedLine>(
  { db, documents }: Pick<ArchiveServices, "db" | "documents">,
  ids: readonly string[],
): Promise<Map<string, Line>> {
  if (ids.length === 0) return new Map();
  const parts = await db.all<{ key: string }>(
    sql`SELECT key FROM archive_parts WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
  );
  const texts = await Promise.all(parts.map(({ key }) => readText(documents, key)));
  const lines = texts.flatMap((text) => text.split("\n").map((line) => JSON.parse(line) as Line));
  return new Map(lines.map((line) => [line.id, line]));
}

const DAY_MS = 24 * 60 * 60_000;
const REMOVED_AT_ONCE = 100;

/** Deletes parts that were given up, and those that were begun a day ago and never counted. Returns how many. It can stop at any point. */
export async function removeParts({ db, documents, now }: ArchiveServices): Promise<number> {
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
