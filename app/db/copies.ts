/**
 * Copies of what somebody wrote, made when it begins to count, so that nobody can rewrite it afterwards, or delete it
 * with the account. A listing is copied when it is ordered, anything when it is reported or held; from then on each
 * edit is. Each folder says how what it keeps is copied (`CopySource`).
 */
import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Statement } from "./batch.ts";
import { build, hasRow, idList, insertEach } from "./build.ts";
import { copies } from "./tables.server.ts";
import type { CopyKind } from "./states/moderation.ts";

/** How a kind is read as it is now. `Content`: what is copied of it. */
export interface CopySource<Content = unknown> {
  kind: CopyKind;
  from: SQL;
  id: SQLWrapper;
  ownerId: SQLWrapper;
  /** Where there is something to copy, if not in every row. */
  where?: SQL;
  /** The row isn't that of a deleted account, whose erasure is no edit. */
  isLive?: SQL;
  content: { [Key in keyof Content]-?: SQLWrapper };
  /** A JSON list of keys. */
  photos: SQL;
}

/** SQL: the keys of these images, as a JSON list. */
export function keysOf(images: SQLWrapper): SQL {
  return sql`(SELECT json_group_array(image.value ->> 'key') FROM json_each(${images}) image)`;
}

function contentOf(source: CopySource): SQL {
  const fields = Object.entries<SQLWrapper>(source.content);
  const pairs = fields.map(([key, value]) => sql`${sql.raw(`'${key}'`)}, ${value}`);
  return sql`json_object(${sql.join(pairs, sql`, `)})`;
}

/** SQL: the rows of the subjects with these ids. */
function rowsOf({ from, id, where }: CopySource, ids: SQLWrapper, condition?: SQL): SQL {
  return sql`FROM ${from} WHERE ${and(sql`${id} IN ${ids}`, where, condition)}`;
}

/** SQL: a row of `copies` is one of this subject. */
export function isCopy(kind: CopyKind, subjectId: SQLWrapper) {
  return and(eq(copies.kind, kind).inlineParams(), eq(copies.subjectId, subjectId));
}

/** SQL: the content as it is now of the subject with this id; NULL when there is none. */
export function contentNow(source: CopySource, subjectId: SQL): SQL {
  return sql`(SELECT ${contentOf(source)} ${rowsOf(source, sql`(${subjectId})`)})`;
}

/**
 * Copies the subjects with these ids as they are now, unless the newest copy says the same. Run it in the batch that
 * makes them count, before `newestCopy`. `ids`: `idList` or a query.
 */
export function copyOf(source: CopySource, ids: SQLWrapper, now: number): Statement {
  return copyWhere(source, ids, undefined, now);
}

/**
 * What follows from an edit, for the batch that makes it, after it: what has been copied once is copied again. The
 * erasure of a deleted account is no edit.
 */
export function copyEdited(source: CopySource, ids: SQLWrapper, now: number): Statement {
  const { kind, id, isLive } = source;
  return copyWhere(source, ids, and(isLive, hasRow(copies, isCopy(kind, id))), now);
}

function copyWhere(source: CopySource, ids: SQLWrapper, condition: SQL | undefined, now: number): Statement {
  const { kind, id, ownerId, photos } = source;
  const content = contentOf(source);
  const newest = sql`(SELECT ${copies.content} FROM ${copies} WHERE ${isCopy(kind, id)} ORDER BY ${copies.id} DESC
    LIMIT 1)`;
  return insertEach(
    copies,
    { kind, subjectId: id, ownerId, content, photos, createdAt: now },
    rowsOf(source, ids, and(condition, sql`${content} IS NOT ${newest}`)),
  );
}

/** SQL that selects the keys of all photos that a subject shows now, or has shown since this copy. */
export function photosSince(source: CopySource, subjectId: string, firstCopy: SQLWrapper): SQL {
  const now = sql`SELECT ${source.photos} AS photos ${rowsOf(source, idList(subjectId))}`;
  return sql`SELECT shown.value FROM (${now}) subject, json_each(subject.photos) shown
    UNION SELECT shown.value FROM ${copies}, json_each(${copies.photos}) shown
      WHERE ${isCopy(source.kind, sql`${subjectId}`)} AND ${copies.id} >= ${firstCopy}`;
}

/** SQL: the id of the newest copy of this subject. */
export function newestCopy(kind: CopyKind, subjectId: SQL): SQL {
  return sql`${build
    .select({ id: sql`MAX(${copies.id})` })
    .from(copies)
    .where(isCopy(kind, subjectId))}`;
}

/** The copied content; null when there is no copy, or when it was erased with its account. */
export function readCopy<Content>(json: string | null | undefined): Content | null {
  return json == null || json === "{}" ? null : (JSON.parse(json) as Content);
}
