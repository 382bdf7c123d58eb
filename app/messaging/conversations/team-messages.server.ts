/** Conversations as our team reads them, in cases, problems and issue reports. */
import { and, asc, desc, eq, type SQLWrapper, sql } from "drizzle-orm";
import { type Cursor, writeCursor } from "#app/catalogue/catalogue-rules.ts";
import { build } from "#app/db/build.ts";
import { messages } from "#app/messaging/tables.server.ts";

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

type CursorSql = Cursor | { createdAt: SQLWrapper; id: SQLWrapper };

/** A `ThreadQuery` whose cursors may be SQL. */
type ThreadSql = { before?: CursorSql | null; after?: CursorSql | null; limit: number };

/** A message as our team reads it. A removed one keeps its words and photos. `createdAt` in ms since 1970. */
export type TeamMessage = Pick<typeof messages.$inferSelect, "id" | "senderName" | "message" | "images" | "createdAt">;

/** The query for the messages of a page, and one more. `readThread` takes its results. */
export function selectThread(thread: SQLWrapper, query: ThreadSql) {
  const { id, senderName, message, images, createdAt } = messages;
  const { where, sorted, limit } = threadPart(thread, query);
  return build
    .select({ id, senderName, message, images, createdAt })
    .from(messages)
    .where(where)
    .orderBy(...sorted)
    .limit(limit);
}

/** The part of `selectThread` that a query of other columns shares with it. */
export function threadPart(thread: SQLWrapper, { before, after, limit }: ThreadSql) {
  const [place, than, direction] = after ? [after, sql`>`, asc] : [before, sql`<`, desc];
  const { id, createdAt } = messages;
  const beyond = place ? sql`(${createdAt}, ${id}) ${than} (${place.createdAt}, ${place.id})` : undefined;
  return {
    where: and(eq(messages.thread, thread), beyond),
    sorted: [direction(createdAt), direction(id)],
    limit: limit + 1,
  };
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
