/** Conversations as our team reads them, in cases, problems and reports about orders. */
import { sql, type SQL } from "drizzle-orm";
import { type Cursor, writeCursor } from "#app/catalogue/catalogue-rules.ts";

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

/** Messages of a conversation that our team reads, oldest first. */
export interface TeamPage<Row> {
  messages: Row[];
  /** The cursor of the messages before them; null at the beginning of the conversation. */
  older: string | null;
  /** The cursor of the messages after them. Only the first page has both: the others lead on, and back to the first. */
  newer: string | null;
  /** Which way its reader has gone from the first page; null on that. */
  direction: "older" | "newer" | null;
}

/** A cursor whose values may be SQL. */
type CursorSql = Cursor | { createdAt: SQL; id: SQL };

const TEAM_COLUMNS = sql`m.id, m.sender_name AS senderName, m.message, m.created_at AS createdAt`;

/** The query for the messages of a page, and one more. `readThread` takes its results. */
export function selectThread(
  thread: SQL,
  { before, after, limit }: { before?: CursorSql | null; after?: CursorSql | null; limit: number },
  columns = TEAM_COLUMNS,
): SQL {
  const rows = sql`SELECT ${columns} FROM messages m WHERE m.thread = ${thread}`;
  if (after)
    return sql`${rows} AND (m.created_at, m.id) > (${after.createdAt}, ${after.id}) ORDER BY m.created_at, m.id LIMIT ${limit + 1}`;
  const older = before ? sql`AND (m.created_at, m.id) < (${before.createdAt}, ${before.id})` : sql``;
  return sql`${rows} ${older} ORDER BY m.created_at DESC, m.id DESC LIMIT ${limit + 1}`;
}

/** The page from the rows of `selectThread`. */
export function readThread<Row extends Cursor>(
  rows: readonly Row[],
  { before, after, limit }: ThreadQuery,
): TeamPage<Row> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last ? writeCursor(last) : null;
  return {
    messages: after ? shown : shown.toReversed(),
    older: after ? null : next,
    newer: after ? next : null,
    direction: after ? "newer" : before ? "older" : null,
  };
}
