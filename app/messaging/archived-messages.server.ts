/**
 * The messages of a conversation move to the archive when nobody has written in it for a year. What other rows need stays
 * in the database: the last message, unread messages, those with photos, and those that were ever reported.
 */
import { and, asc, desc, eq, gte, sql, type SQL } from "drizzle-orm";
import { DELETED_MESSAGE, DELETED_NAME } from "#app/accounts/account-rules.ts";
import { type Cursor, writeCursor } from "#app/catalogue/catalogue-rules.ts";
import {
  type ArchivedLine,
  type ArchiveServices,
  commitPart,
  type DuePart,
  PARTS_AT_ONCE,
  readPart,
  removePart,
  runUnlessChanged,
  storePart,
} from "#app/db/archive.ts";
import { expectThat, type Statement } from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";
import { archiveParts, conversationParts } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { CASE } from "#app/db/states/moderation.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { threadOf } from "./message-rules.ts";

const QUIET_MS = 365 * 24 * 60 * 60_000;
/** How many messages one step looks at, and how many steps one run takes. */
const PASSED_AT_ONCE = 1_000;
const STEPS = 10;
/**
 * The most messages of one part, and the most characters of their lines. A batch has them in one value, which can have
 * two million bytes.
 */
const LINES = 500;
const CHARACTERS = 400_000;

/** The columns of a message that are archived. The others have one value in all archived messages. */
const COLUMNS = [
  "id",
  "thread",
  "sender_id",
  "recipient_id",
  "product_id",
  "order_id",
  "order_item_id",
  "offer_id",
  "message",
  "sender_name",
  "recipient_name",
  "kind",
  "idempotency_key",
  "removed_at",
  "created_at",
] as const;

/** An archived message. */
export interface MessageLine extends ArchivedLine {
  thread: string;
  sender_id: string;
  recipient_id: string;
  order_id: string | null;
  order_item_id: string | null;
  message: string;
  sender_name: string;
  recipient_name: string;
  idempotency_key: string | null;
  created_at: number;
}

interface DueRow {
  /** A MessageLine as JSON. */
  line: string;
}

/**
 * Archives the messages of quiet conversations, the oldest first, and returns how many. It goes through the messages in
 * the order in which they were sent, each once. A conversation is archived when its last message is a year old. If it
 * can't be archived then, it stays until a year after the next message. Safe to run twice at once and to stop at any point.
 */
export async function archiveMessages(services: ArchiveServices): Promise<number> {
  let archived = 0;
  let parts = 0;
  for (let steps = 0; steps < STEPS; steps += 1) {
    const passed = await findPassed(services);
    const last = passed.at(-1);
    if (!last) break;
    const threads = JSON.stringify([...new Set(passed.flatMap(({ thread }) => thread ?? []))]);
    for (;;) {
      const rows = await services.db.all<DueRow>(sql`SELECT line FROM (${dueLines(threads, services.now())})`);
      if (rows.length === 0) break;
      if (parts === PARTS_AT_ONCE) return archived;
      parts += 1;
      if (await archiveLines(services, threads, rows)) archived += rows.length;
    }
    await services.db.run(
      sql`INSERT INTO archive_cursors (kind, position) VALUES ('messages', ${last.position}) ON CONFLICT (kind) DO UPDATE SET position = MAX(position, excluded.position)`,
    );
  }
  return archived;
}

/**
 * The next messages that are old enough, up to the first that isn't, by their rowid. `thread` is null where the message
 * isn't the last of its conversation. It walks from row to row, so that it reads no younger ones.
 *
 * `archive_cursors` keeps the last rowid. An import of the whole database gives rows new rowids, so the cursor must be
 * deleted after it (docs/operating.md).
 */
function findPassed({ db, now }: ArchiveServices): Promise<{ position: number; thread: string | null }[]> {
  const old = now() - QUIET_MS;
  return db.all(
    sql`WITH RECURSIVE walk (position, n) AS (
        SELECT MIN(rowid), 1 FROM messages WHERE rowid > COALESCE((SELECT position FROM archive_cursors WHERE kind = 'messages'), ${Number.MIN_SAFE_INTEGER})
        UNION ALL
        SELECT (SELECT MIN(rowid) FROM messages WHERE rowid > walk.position), n + 1 FROM walk
          WHERE n < ${PASSED_AT_ONCE} AND (SELECT created_at FROM messages WHERE rowid = walk.position) < ${old}
      )
      SELECT position, CASE WHEN EXISTS (SELECT 1 FROM conversations c WHERE c.user_id = m.sender_id AND c.other_id = m.recipient_id AND c.last_message_id = m.id) THEN m.thread END AS thread
      FROM walk CROSS JOIN messages m ON m.rowid = walk.position WHERE m.created_at < ${old} ORDER BY position`,
  );
}

/**
 * SQL: the next lines of these conversations (a JSON list of threads) that can leave the database, with `thread`, `at`
 * and `id`. None of a conversation with a message of the last year, with an open deal, offer or report about an order, or
 * of somebody about whom our team must decide.
 */
function dueLines(threads: string, now: number): SQL {
  const json = sql.raw(`json_object(${COLUMNS.map((name) => `'${name}', m.${name}`).join(", ")})`);
  return sql`WITH pairs AS (SELECT value AS thread, substr(value, 1, instr(value, ':') - 1) AS one, substr(value, instr(value, ':') + 1) AS other FROM json_each(${threads})),
    quiet AS MATERIALIZED (SELECT * FROM pairs p
      WHERE NOT EXISTS (SELECT 1 FROM messages r WHERE r.thread = p.thread AND (r.created_at >= ${now - QUIET_MS}
          OR EXISTS (SELECT 1 FROM order_items i WHERE i.id = r.order_item_id AND NOT ${stateIs("i.status", ITEM.isOver)})
          OR EXISTS (SELECT 1 FROM offers f WHERE f.id = r.offer_id AND ${stateIs("f.state", OFFER.isActive)})
          OR EXISTS (SELECT 1 FROM issue_reports q WHERE q.order_id = r.order_id AND q.status = 'open')))
        AND NOT EXISTS (SELECT 1 FROM moderation_cases k WHERE k.reported_id IN (p.one, p.other) AND ${stateIs("k.state", CASE.awaitsTeam)})),
    due AS (SELECT m.thread, m.created_at AS at, m.id, ${json} AS line FROM quiet p CROSS JOIN messages m ON m.thread = p.thread
      WHERE m.read = 1 AND m.images = '[]'
        AND m.id NOT IN (SELECT last_message_id FROM conversations WHERE (user_id = p.one AND other_id = p.other) OR (user_id = p.other AND other_id = p.one))
        AND m.id NOT IN (SELECT k.subject_id FROM moderation_cases k WHERE k.reported_id = m.sender_id AND k.subject = 'message')
      ORDER BY m.thread, m.created_at, m.id LIMIT ${LINES})
    SELECT * FROM (SELECT *, SUM(length(line)) OVER (ORDER BY thread, at, id) - length(line) AS characters_before FROM due)
    WHERE characters_before < ${CHARACTERS} ORDER BY thread, at, id`;
}

/** Returns whether they were archived. They weren't if anything about them has changed since they were read. */
async function archiveLines(services: ArchiveServices, threads: string, rows: readonly DueRow[]): Promise<boolean> {
  const now = services.now();
  const lines = rows.map(({ line }) => JSON.parse(line) as MessageLine);
  const part = await storePart(services, "messages", lines);
  const text = rows.map(({ line }) => line).join("\n");
  const times = new Map<string, { firstAt: number; lastAt: number }>();
  for (const { thread, created_at: at } of lines)
    times.set(thread, { firstAt: times.get(thread)?.firstAt ?? at, lastAt: at });
  const places = JSON.stringify([...times].map(([thread, { firstAt, lastAt }]) => [thread, firstAt, lastAt]));
  return runUnlessChanged(services, part, [
    ...commitPart(part, newestOf(lines), now),
    expectThat(
      sql`(SELECT group_concat(line, char(10) ORDER BY thread, at, id) FROM (${dueLines(threads, now)})) = ${text}`,
    ),
    sql`INSERT INTO conversation_parts (thread, part_id, first_at, last_at)
      SELECT value ->> 0, ${part.id}, value ->> 1, value ->> 2 FROM json_each(${places})`,
    sql`DELETE FROM messages WHERE id IN (SELECT value FROM json_each(${JSON.stringify(lines.map(({ id }) => id))}))`,
  ]);
}

function newestOf(lines: readonly MessageLine[]): { at: number; id: string } {
  const at = Math.max(...lines.map((line) => line.created_at));
  return { at, id: lines.find((line) => line.created_at === at)?.id ?? "" };
}

/** Writes a part anew without the words and names of deleted accounts. */
export async function rewriteMessages(
  services: ArchiveServices,
  { id, key, lastAt, lastId }: DuePart,
): Promise<boolean> {
  const { db, documents, now } = services;
  const lines = await readPart<MessageLine>(documents, key);
  const people = JSON.stringify([...new Set(lines.flatMap((line) => [line.sender_id, line.recipient_id]))]);
  const deleted = await db.all<{ id: string }>(
    sql`SELECT id FROM profiles WHERE id IN (SELECT value FROM json_each(${people})) AND deleted_at IS NOT NULL`,
  );
  const gone = new Set(deleted.map((row) => row.id));
  const kept = lines.map((line) => ({
    ...line,
    ...(gone.has(line.sender_id) && { message: DELETED_MESSAGE, sender_name: DELETED_NAME }),
    ...(gone.has(line.recipient_id) && { recipient_name: DELETED_NAME }),
  }));
  const part = await storePart(services, "messages", kept);
  const threads = [...new Set(lines.map((line) => line.thread))];
  const ours = sql`part_id = ${id} AND thread IN (SELECT value FROM json_each(${JSON.stringify(threads)}))`;
  return runUnlessChanged(services, part, [
    ...commitPart(part, { at: lastAt, id: lastId }, now()),
    expectThat(sql`(SELECT COUNT(*) FROM conversation_parts WHERE ${ours}) = ${threads.length}`),
    // Another account may have been deleted since.
    expectThat(
      sql`(SELECT COUNT(*) FROM profiles WHERE id IN (SELECT value FROM json_each(${people})) AND deleted_at IS NOT NULL) = ${gone.size}`,
    ),
    sql`UPDATE conversation_parts SET part_id = ${part.id} WHERE ${ours}`,
    removePart(id, now()),
  ]);
}

/** What reads the archive. */
export interface ArchiveReader {
  /** The private bucket. */
  documents: R2Bucket;
  log(event: { event: string } & Record<string, unknown>): void;
}

/** A part with messages of a conversation. */
export interface ThreadPart {
  thread: string;
  key: string;
  firstAt: number;
  lastAt: number;
}

/** The most parts that one page reads: up to ten thousand messages. */
const PARTS_READ = 20;
/** The query selects one more part, so that `readLines` knows where the rest begins. */
const PARTS_SELECTED = PARTS_READ + 1;
/** SQLite's LIMIT for all rows. */
const ALL_PARTS = -1;

/** A cursor whose values may be SQL. */
type CursorSql = Cursor | { createdAt: SQL; id: SQL };

/** Which messages to select: the newest before a cursor, the oldest after one, or the newest of all. */
interface PlaceSql {
  before?: CursorSql | null;
  after?: CursorSql | null;
}

/**
 * The query for the parts with messages of the `threads` (SQL: a list or a subquery) that were sent by `before` and since
 * `since` (SQL, ms), the newest first, or that were sent from `after` on, the oldest first. Its results are of the type
 * ThreadPart, also in a batch.
 */
export function selectParts(
  db: Database,
  threads: SQL,
  { before, after, since, limit = PARTS_SELECTED }: PlaceSql & { since?: SQL; limit?: number } = {},
) {
  const { thread, partId, firstAt, lastAt } = conversationParts;
  return db
    .select({
      thread,
      key: archiveParts.key,
      firstAt: sql<number>`${firstAt}`.as("firstAt"),
      lastAt: sql<number>`${lastAt}`.as("lastAt"),
    })
    .from(conversationParts)
    .innerJoin(archiveParts, eq(archiveParts.id, partId))
    .where(
      and(
        sql`${thread} IN (${threads})`,
        before ? sql`${firstAt} <= ${before.createdAt}` : undefined,
        after ? sql`${lastAt} >= ${after.createdAt}` : undefined,
        since && gte(lastAt, since),
      ),
    )
    .orderBy(after ? asc(firstAt) : desc(lastAt))
    .limit(limit);
}

/** What was found in the archive. */
export interface FoundLines {
  lines: MessageLine[];
  /** Messages from this time (ms) on, in the direction of reading, may be missing; null if none is. */
  missingAt: number | null;
  /** They are missing because a part can't be read. Otherwise there are more parts than one page reads. */
  isUnreadable: boolean;
}

interface LinesQuery {
  /** The messages in the database. */
  sent: readonly Cursor[];
  limit: number;
  partsMax?: number;
  matches?(line: MessageLine): boolean;
  /** From the oldest to the newest. */
  isForward?: boolean;
}

/**
 * The archived messages that belong among the newest `limit`, or forward the oldest, together with those in the database.
 * It reads only the parts that it needs, in their order, and at most `partsMax`. It reads them one after another, because
 * most pages need only the first, and so that there is no more than one in memory, however many they are.
 */
export async function readLines(
  { documents, log }: ArchiveReader,
  parts: readonly ThreadPart[],
  { sent, limit, partsMax = PARTS_READ, matches = () => true, isForward = false }: LinesQuery,
): Promise<FoundLines> {
  const lines: MessageLine[] = [];
  const edgeOf = (part: ThreadPart) => (isForward ? part.firstAt : part.lastAt);
  const comesFirst = (one: number, other: number) => (isForward ? one < other : one > other);
  const foundBefore = (part: ThreadPart, isUnreadable: boolean): FoundLines => ({
    lines: lines.filter((line) => comesFirst(line.created_at, edgeOf(part))),
    missingAt: edgeOf(part),
    isUnreadable,
  });
  for (const [at, part] of parts.entries()) {
    // A message that a case has brought back is in both lists.
    const times = new Map([...sent, ...lines.map(cursorOf)].map(({ id, createdAt }) => [id, createdAt]));
    const last = [...times.values()].toSorted((one, other) => (comesFirst(one, other) ? -1 : 1))[limit - 1];
    if (last !== undefined && comesFirst(last, edgeOf(part))) break;
    if (at === partsMax) return foundBefore(part, false);
    try {
      const all = await readPart<MessageLine>(documents, part.key);
      lines.push(...all.filter((line) => line.thread === part.thread && matches(line)));
    } catch (error) {
      log({ event: "archive_unreadable", level: "error", error: String(error).slice(0, 200) });
      return foundBefore(part, true);
    }
  }
  return { lines, missingAt: null, isUnreadable: false };
}

/**
 * SQL of a query's WITH clause: archived messages as the rows of a table with the columns of `messages`. The words and
 * names of deleted accounts are erased, before the sweep erases them from the archive.
 */
export function linesAsRows(lines: readonly MessageLine[]): SQL {
  const erased: Partial<Record<(typeof COLUMNS)[number], SQL>> = {
    message: sql`CASE WHEN s.deleted_at IS NULL THEN l.value ->> 'message' ELSE ${DELETED_MESSAGE} END AS message`,
    sender_name: sql`CASE WHEN s.deleted_at IS NULL THEN l.value ->> 'sender_name' ELSE ${DELETED_NAME} END AS sender_name`,
    recipient_name: sql`CASE WHEN r.deleted_at IS NULL THEN l.value ->> 'recipient_name' ELSE ${DELETED_NAME} END AS recipient_name`,
  };
  const columns = COLUMNS.map((name) => erased[name] ?? sql.raw(`l.value ->> '${name}' AS ${name}`));
  return sql`SELECT ${sql.join(columns, sql`, `)}, '[]' AS images, 1 AS read FROM json_each(${JSON.stringify(lines)}) l
    LEFT JOIN profiles s ON s.id = l.value ->> 'sender_id' LEFT JOIN profiles r ON r.id = l.value ->> 'recipient_id'`;
}

/** A message as our team reads it. A removed one keeps its words. */
export interface TeamMessage {
  id: string;
  senderName: string;
  message: string;
  /** Ms since 1970. */
  createdAt: number;
}

/** Which messages of a conversation our team sees: up to `limit` before or after a cursor, or the newest. */
export interface ThreadQuery {
  before?: Cursor | null;
  after?: Cursor | null;
  limit: number;
}

/** Messages of a conversation, oldest first. */
export interface ThreadPage<Row> {
  messages: Row[];
  /** The cursor of the messages before them; null at the beginning of the conversation. */
  older: string | null;
  /** Some messages are missing, because the archive can't be read now. */
  isCutShort: boolean;
}

/** Messages of a conversation that our team reads. */
export interface TeamPage<Row> extends ThreadPage<Row> {
  /** The cursor of the messages after them. Only the first page has both: the others lead on, and back to the first. */
  newer: string | null;
  /** Which way its reader has gone from the first page; null on that. */
  direction: "older" | "newer" | null;
}

const TEAM_COLUMNS = sql`m.id, m.sender_name AS senderName, m.message, m.created_at AS createdAt`;

/** The query for the messages of a page that are in the database, and one more. `readThread` takes its results. */
export function selectThread(
  thread: SQL,
  { before, after, limit }: PlaceSql & { limit: number },
  columns = TEAM_COLUMNS,
): SQL {
  const rows = sql`SELECT ${columns} FROM messages m WHERE m.thread = ${thread}`;
  if (after)
    return sql`${rows} AND (m.created_at, m.id) > (${after.createdAt}, ${after.id}) ORDER BY m.created_at, m.id LIMIT ${limit + 1}`;
  const older = before ? sql`AND (m.created_at, m.id) < (${before.createdAt}, ${before.id})` : sql``;
  return sql`${rows} ${older} ORDER BY m.created_at DESC, m.id DESC LIMIT ${limit + 1}`;
}

/** A page of a conversation for our team. `rowOf` gives an archived message the fields of `rows`. */
export async function readThread<Row extends Cursor>(
  services: ArchiveReader & { db: Database },
  { rows, parts }: { rows: readonly Row[]; parts: readonly ThreadPart[] },
  { before, after, limit }: ThreadQuery,
  rowOf: (archived: TeamMessage) => Row,
): Promise<TeamPage<Row>> {
  const isForward = Boolean(after);
  const found = await readLines(services, parts, {
    sent: rows,
    limit: limit + 1,
    matches: (line) => (after ? isAfter(line, after) : isBefore(line, before)),
    isForward,
  });
  const archived = await readForTeam(services.db, nearestLines(found.lines, limit + 1, isForward));
  const merged = mergeById(rows, archived.map(rowOf));
  const { messages, next, isCutShort } = cutPage(isForward ? merged.toReversed() : merged, limit, found, isForward);
  const cursor = isCutShort ? null : next;
  return {
    messages: isForward ? messages : messages.toReversed(),
    older: isForward ? null : cursor,
    newer: isForward ? cursor : null,
    direction: after ? "newer" : before ? "older" : null,
    isCutShort,
  };
}

/** Newest first. A message that is in both lists is taken from the first. */
export function mergeById<Row extends Cursor>(rows: readonly Row[], archived: readonly Row[]): Row[] {
  const all = new Map([...archived, ...rows].map((message) => [message.id, message]));
  return [...all.values()].toSorted((one, other) => (isOlder(one, other) ? 1 : -1));
}

/** The newest `limit` of the archived messages, or the oldest. */
export function nearestLines(lines: readonly MessageLine[], limit: number, isForward = false): MessageLine[] {
  const sorted = lines.toSorted((one, other) => (isOlder(cursorOf(one), cursorOf(other)) ? 1 : -1));
  return isForward ? sorted.slice(-limit) : sorted.slice(0, limit);
}

/** Whether an archived message comes before the cursor. All do if there is none. */
export function isBefore(line: MessageLine, before: Cursor | null | undefined): boolean {
  return !before || isOlder(cursorOf(line), before);
}

function isAfter(line: MessageLine, after: Cursor): boolean {
  return isOlder(after, cursorOf(line));
}

function isOlder(one: Cursor, other: Cursor): boolean {
  return one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id);
}

function cursorOf({ id, created_at: createdAt }: MessageLine): Cursor {
  return { id, createdAt };
}

const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

/**
 * A page of up to `size` of the messages that were found, in their order: newest first, or forward oldest first. `next` is
 * the cursor of the messages after the page in this order.
 */
export function cutPage<Row extends Cursor>(
  found: readonly Row[],
  size: number,
  { missingAt, isUnreadable }: Pick<FoundLines, "missingAt" | "isUnreadable">,
  isForward = false,
): { messages: Row[]; next: string | null; isCutShort: boolean } {
  const complete = found.filter(
    ({ createdAt }) => missingAt === null || (isForward ? createdAt < missingAt : createdAt > missingAt),
  );
  const shown = complete.slice(0, size);
  const isMissing = missingAt !== null && complete.length <= size;
  // The missing messages all come after this page, so the next page begins with them.
  const next = isMissing
    ? { createdAt: isForward ? missingAt : missingAt + 1, id: LOWEST_ID }
    : complete.length > size
      ? shown.at(-1)
      : undefined;
  return { messages: shown, next: next ? writeCursor(next) : null, isCutShort: isMissing && isUnreadable };
}

async function readForTeam(db: Database, lines: readonly MessageLine[]): Promise<TeamMessage[]> {
  if (lines.length === 0) return [];
  return db.all<TeamMessage>(
    sql`WITH messages AS (${linesAsRows(lines)}) SELECT id, sender_name AS senderName, message, created_at AS createdAt FROM messages`,
  );
}

/** The archived message with this id that `otherId` sent to `viewerId`; null for none. @throws when the archive can't be read */
export async function findArchivedMessage(
  services: ArchiveReader & { db: Database },
  { id, viewerId, otherId }: { id: string; viewerId: string; otherId: string },
): Promise<MessageLine | null> {
  const parts = await selectParts(services.db, sql`${threadOf(viewerId, otherId)}`, { limit: ALL_PARTS });
  const { lines, isUnreadable } = await readLines(services, parts, {
    sent: [],
    limit: 1,
    partsMax: parts.length,
    matches: (line) => line.id === id,
  });
  if (lines.length === 0 && isUnreadable) throw new Error("the archive can't be read");
  return lines[0] ?? null;
}

/**
 * The statement that puts an archived message back into the database, where cases refer to it. It also stays in the archive.
 * Its sender may have used its key for a newer message. Then it returns without a key, so that its sender can't prevent the
 * return.
 */
export function restoreMessage(line: MessageLine): Statement {
  const others = sql.raw([...COLUMNS.filter((name) => name !== "idempotency_key"), "images", "read"].join(", "));
  const key = sql`CASE WHEN EXISTS (SELECT 1 FROM messages WHERE sender_id = ${line.sender_id} AND idempotency_key = ${line.idempotency_key}) THEN NULL ELSE idempotency_key END`;
  return sql`INSERT INTO messages (${others}, idempotency_key) SELECT ${others}, ${key} FROM (${linesAsRows([line])}) WHERE true ON CONFLICT (id) DO NOTHING`;
}
