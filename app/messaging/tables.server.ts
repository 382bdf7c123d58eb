import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { offers, productId } from "#app/catalogue/tables.server.ts";
import { flag, id, time, userId } from "#app/db/columns.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { orderId, orderItemId } from "#app/orders/tables.server.ts";

export const messages = sqliteTable(
  "messages",
  {
    id: id(),
    /** Both user ids in order, joined by a colon. It identifies the conversation. */
    thread: text().notNull(),
    senderId: userId().notNull(),
    recipientId: userId().notNull(),
    productId: productId(),
    orderId: orderId(),
    orderItemId: orderItemId(),
    message: text().notNull(),
    images: text({ mode: "json" }).$type<ProductImage[]>().notNull().default([]),
    senderName: text().notNull(),
    recipientName: text().notNull(),
    read: flag(),
    /**
     * "agreement": with this message the buyer agreed to the handover. "offer": a step of `offerId`. "meeting": a step
     * of the meeting of `orderItemId`.
     */
    kind: text({ enum: ["text", "agreement", "offer", "meeting"] })
      .notNull()
      .default("text"),
    /** The offer whose card it shows. */
    offerId: text().references(() => offers.id),
    /** Chosen by the client, so that a retry never sends twice. */
    idempotencyKey: text(),
    /** Removed by an admin. */
    removedAt: time(),
    createdAt: time().notNull(),
  },
  (t) => [
    index("messages_thread").on(t.thread, t.createdAt, t.id),
    index("messages_unread")
      .on(t.recipientId, t.senderId)
      .where(sql`read = 0`),
    index("messages_sender").on(t.senderId, t.createdAt),
    index("messages_item")
      .on(t.orderItemId, t.createdAt)
      .where(sql`order_item_id IS NOT NULL`),
    uniqueIndex("messages_idempotency").on(t.senderId, t.idempotencyKey),
    index("messages_photos")
      .on(t.senderId)
      .where(sql`images <> '[]'`),
  ],
);

/**
 * The inbox: one row for each side of a conversation, so that listing conversations reads one message of each. Whatever
 * writes a message keeps it (`messaging/sending/message-effects.server.ts`).
 */
export const conversations = sqliteTable(
  "conversations",
  {
    userId: userId().notNull(),
    otherId: userId().notNull(),
    /** No foreign key, because SQLite would read all conversations for each message that is deleted. */
    lastMessageId: text().notNull(),
    lastAt: time().notNull(),
    /** The product, order or item of the latest message that had one. */
    productId: productId(),
    orderId: orderId(),
    orderItemId: orderItemId(),
    /** When the other person began the conversation; null when `userId` did. */
    askedAt: time(),
    /** How long `userId` took to answer that first message, ms; null until they do. */
    replyMs: integer(),
    /** When to look whether `userId` has read what they must be told of outside the app; null when nothing waits. */
    noticeDueAt: time(),
    /** When the first of the messages that wait for it was written. Earlier ones were read, or told of. */
    noticeSince: time(),
    /** When they were last told. */
    noticedAt: time(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.otherId] }),
    index("conversations_inbox").on(t.userId, t.lastAt, t.otherId),
    index("conversations_asked")
      .on(t.userId, t.askedAt)
      .where(sql`asked_at IS NOT NULL`),
    index("conversations_notices")
      .on(t.noticeDueAt)
      .where(sql`notice_due_at IS NOT NULL`),
  ],
);
