/** Messages that a test writes straight into the database, with what follows from each. */
import { write } from "#app/db/batch.ts";
import { build, idList } from "#app/db/build.ts";
import { messages } from "#app/messaging/tables.server.ts";
import { afterMessagesWritten } from "#app/messaging/sending/message-effects.server.ts";
import { threadOf } from "#app/messaging/message-rules.ts";
import { db } from "./fixtures.ts";

type Message = Pick<typeof messages.$inferInsert, "senderId" | "recipientId"> & Partial<typeof messages.$inferInsert>;

/** Writes a message and returns its id. What isn't said: "Hi" from Kip to Njeri, now. */
export async function giveMessage(message: Message): Promise<string> {
  const row = {
    id: crypto.randomUUID(),
    thread: threadOf(message.senderId, message.recipientId),
    message: "Hi",
    senderName: "Kip",
    recipientName: "Njeri",
    createdAt: Date.now(),
    ...message,
  };
  await write(db, [build.insert(messages).values(row), ...afterMessagesWritten(idList(row.id))]);
  return row.id;
}

/** After messages that a test wrote with SQL: the conversations that they begin. */
export async function beginConversations(): Promise<void> {
  await write(db, afterMessagesWritten(build.select({ id: messages.id }).from(messages)));
}
