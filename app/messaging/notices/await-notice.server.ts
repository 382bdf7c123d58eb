/** For the batch of a message: who is told of it outside the app. */
import { and, eq, gt, isNull, ne, not, or, type SQL, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import { conversations, messages } from "#app/messaging/tables.server.ts";
import type { KindData } from "#app/notifications/kinds.ts";
import { queuePushes } from "#app/notifications/push/push-queue.server.ts";
import { isUnreadFrom } from "#app/messaging/conversations/messages.server.ts";
import { threadOf } from "#app/messaging/message-rules.ts";
import { BURST_MS, NOTICE_PAUSE_MS, NOTICE_WAIT_MS } from "./message-notice-rules.ts";

/**
 * For the batch of a message that its reader must be told of, after its effects: a notice waits, unless one waits
 * already.
 */
export function awaitNotice({ userId, otherId }: { userId: string; otherId: string }, now: number): Statement {
  return build
    .update(conversations)
    .set({ noticeSince: now, noticeDueAt: notBeforePause(now + NOTICE_WAIT_MS) })
    .where(
      and(eq(conversations.userId, userId), eq(conversations.otherId, otherId), isNull(conversations.noticeDueAt)),
    );
}

/**
 * For the batch of a message, after it: a push to the reader's devices, if it is the first that they haven't read, or
 * the first for a while. One notification stands for all of a burst.
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
  return sql`MAX(${dueAt}, COALESCE(${conversations.noticedAt} + ${NOTICE_PAUSE_MS}, 0))`;
}
