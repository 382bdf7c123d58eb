/** For the batch of a message: who is told of it outside the app. */
import { and, eq, gt, isNull, ne, not, or, type SQL, sql } from "drizzle-orm";
import { type Statement } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import { messageNotices, messages } from "#app/db/schema.ts";
import type { KindData } from "#app/notifications/kinds.ts";
import { queuePushes } from "#app/notifications/push-queue.server.ts";
import { isUnreadFrom } from "./messages.server.ts";
import { threadOf } from "./message-rules.ts";
import { BURST_MS, NOTICE_PAUSE_MS, NOTICE_WAIT_MS } from "./message-notice-rules.ts";

/** For the batch of a message that its reader must be told of: a notice waits, unless one waits already. */
export function awaitNotice({ userId, otherId }: { userId: string; otherId: string }, now: number): Statement {
  const dueAt = now + NOTICE_WAIT_MS;
  return build
    .insert(messageNotices)
    .values({ userId, otherId, dueAt, since: now })
    .onConflictDoUpdate({
      target: [messageNotices.userId, messageNotices.otherId],
      set: { since: now, dueAt: notBeforePause(dueAt) },
      setWhere: isNull(messageNotices.dueAt),
    });
}

/**
 * For the batch of a message, after it: a push to the reader's devices, if it is the first that they haven't read, or the
 * first for a while. One notification stands for all of a burst.
 */
export function pushMessage(
  message: { id: string; userId: string; otherId: string; senderName: string; productName: string | null },
  now: number,
): Statement[] {
  const { id, userId, otherId, senderName, productName } = message;
  const data: KindData["message"] = { senderName, otherId, productName };
  const earlier = and(
    eq(messages.thread, threadOf(userId, otherId)),
    gt(messages.createdAt, now - BURST_MS),
    eq(messages.senderId, otherId),
    ne(messages.id, id),
  );
  const otherUnread = and(isUnreadFrom(userId, otherId), ne(messages.id, id));
  const rows = sql`SELECT ${userId} AS userId, ${`message:${id}`} AS key, ${JSON.stringify(data)} AS data
    WHERE ${or(not(hasRow(messages, otherUnread)), not(hasRow(messages, earlier)))}`;
  return queuePushes("message", rows, now);
}

/** SQL: `dueAt`, or the end of the pause after the last notice. */
export function notBeforePause(dueAt: number): SQL {
  return sql`MAX(${dueAt}, COALESCE(${messageNotices.toldAt} + ${NOTICE_PAUSE_MS}, 0))`;
}
