import { inArray, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { insertEach } from "#app/db/build.ts";
import { conversations, messages } from "#app/messaging/tables.server.ts";

/**
 * What follows from a message, for the batch that writes it: both sides' rows of the conversation say who began it, how
 * long the other side took to answer, and the latest product or order that it was about. It looks at the messages, so
 * it may run twice. `ids`: of the messages, such as `idList` or a query.
 */
export function afterMessagesWritten(ids: SQLWrapper): Statement[] {
  const isSender = sql`side.value`;
  const newer = sql`excluded.last_at >= ${conversations.lastAt}`;
  const aboutNow = (column: "product_id" | "order_id" | "order_item_id", before: SQL) =>
    sql`iif(excluded.product_id IS NOT NULL AND ${newer}, excluded.${sql.raw(column)}, ${before})`;
  const isFirstAnswer = sql`excluded.asked_at IS NULL AND ${conversations.askedAt} IS NOT NULL
    AND ${conversations.replyMs} IS NULL`;
  return [
    insertEach(
      conversations,
      {
        userId: sql`iif(${isSender}, ${messages.senderId}, ${messages.recipientId})`,
        otherId: sql`iif(${isSender}, ${messages.recipientId}, ${messages.senderId})`,
        lastMessageId: messages.id,
        lastAt: messages.createdAt,
        productId: messages.productId,
        orderId: messages.orderId,
        orderItemId: messages.orderItemId,
        askedAt: sql`iif(${isSender}, NULL, ${messages.createdAt})`,
      },
      sql`FROM ${messages}, json_each('[0, 1]') side WHERE ${inArray(messages.id, ids)}
        ORDER BY ${messages.createdAt}, ${messages.id}`,
    ).onConflictDoUpdate({
      target: [conversations.userId, conversations.otherId],
      set: {
        productId: aboutNow("product_id", sql`${conversations.productId}`),
        orderId: aboutNow("order_id", sql`${conversations.orderId}`),
        orderItemId: aboutNow("order_item_id", sql`${conversations.orderItemId}`),
        lastMessageId: sql`iif(${newer}, excluded.last_message_id, ${conversations.lastMessageId})`,
        lastAt: sql`MAX(${conversations.lastAt}, excluded.last_at)`,
        replyMs: sql`iif(${isFirstAnswer}, MAX(0, excluded.last_at - ${conversations.askedAt}),
          ${conversations.replyMs})`,
      },
    }),
  ];
}
