import { and, eq, inArray, sql } from "drizzle-orm";
import { DELETED_MESSAGE, DELETED_NAME } from "#app/accounts/login/account-rules.ts";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { conversations, messages } from "./tables.server.ts";
import { threadSql } from "#app/messaging/thread-sql.server.ts";

/** The account is being deleted: its messages lose their words, photos and name. */
export function eraseMessages(userId: string): Statement[] {
  const threads = build
    .select({ thread: threadSql(sql`${conversations.userId}`, sql`${conversations.otherId}`) })
    .from(conversations)
    .where(eq(conversations.userId, userId));
  return [
    build
      .update(messages)
      .set({ message: DELETED_MESSAGE, images: [], senderName: DELETED_NAME })
      .where(eq(messages.senderId, userId)),
    // By conversation, because messages have no index of their recipients.
    build
      .update(messages)
      .set({ recipientName: DELETED_NAME })
      .where(and(eq(messages.recipientId, userId), inArray(messages.thread, threads))),
  ];
}
