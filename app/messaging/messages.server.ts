import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Notifier } from "#app/accounts/notifier.ts";
import { runBatch, UniqueViolation } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { messages, orderItems } from "#app/db/schema.ts";
import { MESSAGE_MAX_LENGTH, threadOf } from "./rules.ts";

/** How many messages an order's page shows: the latest. */
const MESSAGES_SHOWN = 100;

export interface MessageView {
  id: string;
  orderItemId: string | null;
  senderId: string;
  senderName: string;
  message: string;
  createdAt: number;
}

const messageColumns = {
  id: messages.id,
  orderItemId: messages.orderItemId,
  senderId: messages.senderId,
  senderName: messages.senderName,
  message: messages.message,
  createdAt: messages.createdAt,
};

/** What buyer and seller wrote each other about one item, newest first. To be awaited, or sent in a batch. */
export function listItemMessages(db: Database, orderItemId: string) {
  return db
    .select(messageColumns)
    .from(messages)
    .where(eq(messages.orderItemId, orderItemId))
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(MESSAGES_SHOWN);
}

/** What was written about any item of an order, newest first. To be awaited, or sent in a batch. */
export function listOrderMessages(db: Database, orderId: string) {
  const ofOrder = db.select({ id: orderItems.id }).from(orderItems).where(eq(orderItems.orderId, orderId));
  return db
    .select(messageColumns)
    .from(messages)
    .where(inArray(messages.orderItemId, ofOrder))
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(MESSAGES_SHOWN);
}

export type SendResult = { ok: true } | { ok: false; code: "empty" | "too_long" | "no_recipient" };

/**
 * Writes to the other side of an order item: its buyer writes to the seller, its seller to the buyer. The seller's first message
 * marks the buyer as contacted, in the same batch. `key` makes a repeated submit send once.
 */
export async function sendItemMessage(
  store: Store & { notifier: Notifier },
  input: { orderItemId: string; senderId: string; text: string; key: string },
): Promise<SendResult> {
  const text = input.text.trim();
  if (text === "") return { ok: false, code: "empty" };
  if (text.length > MESSAGE_MAX_LENGTH) return { ok: false, code: "too_long" };
  const parties = await findParties(store.db, input.orderItemId);
  if (!parties || (input.senderId !== parties.buyerId && input.senderId !== parties.sellerId)) return { ok: false, code: "no_recipient" };

  const fromSeller = input.senderId === parties.sellerId;
  const recipientId = fromSeller ? parties.buyerId : parties.sellerId;
  const now = store.now();
  try {
    await runBatch(store.db, [
      store.db.insert(messages).values({
        id: crypto.randomUUID(),
        thread: threadOf(parties.buyerId, parties.sellerId),
        senderId: input.senderId,
        recipientId,
        productId: parties.productId,
        orderId: parties.orderId,
        orderItemId: input.orderItemId,
        message: text,
        senderName: (fromSeller ? parties.sellerName : parties.buyerName) ?? "Someone",
        recipientName: (fromSeller ? parties.buyerName : parties.sellerName) ?? "Someone",
        idempotencyKey: input.key,
        createdAt: now,
      }),
      ...(fromSeller ? [sql`UPDATE order_items SET buyer_contacted = 1, updated_at = ${now} WHERE id = ${input.orderItemId} AND buyer_contacted = 0`] : []),
    ]);
  } catch (error) {
    if (error instanceof UniqueViolation) return { ok: true };
    throw error;
  }
  await store.notifier.notify(recipientId, { type: "order", orderId: parties.orderId, orderItemId: input.orderItemId });
  return { ok: true };
}

async function findParties(db: Database, orderItemId: string) {
  const [row] = await db.all<{ orderId: string; productId: string; buyerId: string; sellerId: string; buyerName: string | null; sellerName: string | null }>(
    sql`SELECT i.order_id AS orderId, i.product_id AS productId, o.user_id AS buyerId, i.seller_id AS sellerId, b.full_name AS buyerName, s.full_name AS sellerName
      FROM order_items i JOIN orders o ON o.id = i.order_id LEFT JOIN profiles b ON b.id = o.user_id LEFT JOIN profiles s ON s.id = i.seller_id
      WHERE i.id = ${orderItemId}`,
  );
  return row ?? null;
}

/** The buyer agrees to how the item will reach them: only they can, and only once the seller has written (commerce spec §4). */
export async function agreeToItem(store: Store & { notifier: Notifier }, input: { orderItemId: string; buyerId: string }): Promise<{ ok: boolean }> {
  const parties = await findParties(store.db, input.orderItemId);
  if (!parties || parties.buyerId !== input.buyerId) return { ok: false };
  const [agreed] = await store.db
    .update(orderItems)
    .set({ buyerAgreed: true, updatedAt: store.now() })
    .where(and(eq(orderItems.id, input.orderItemId), eq(orderItems.buyerContacted, true), eq(orderItems.status, "processing")))
    .returning({ id: orderItems.id });
  if (!agreed) return { ok: false };
  await store.notifier.notify(parties.sellerId, {
    type: "order",
    orderId: parties.orderId,
    orderItemId: input.orderItemId,
    notice: `${parties.buyerName ?? "The buyer"} agreed: ready to ship`,
  });
  return { ok: true };
}
