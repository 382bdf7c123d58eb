import type { Database } from "#app/db/client.ts";
import { orderForBuyer, readOrder } from "#app/orders/orders.server.ts";
import { type MessagePage, readPage, selectMessages } from "#app/messaging/messages.server.ts";

/** An order with the messages about each item, oldest first; null when it isn't the user's. One round trip. */
export async function findTrackedOrder(db: Database, orderId: string, userId: string) {
  const [found, items, written] = await db.batch([
    ...orderForBuyer(db, orderId, userId),
    selectMessages(db, userId, { order: orderId }),
  ]);
  const order = readOrder(found, items);
  if (!order) return null;
  const page = readPage(written);
  // Messages older than the latest ones of the order are older for each item, too.
  const pageOf = (itemId: string): MessagePage => ({
    messages: page.messages.filter(({ orderItemId }) => orderItemId === itemId),
    older: page.older,
  });
  return { ...order, items: order.items.map((item) => ({ ...item, page: pageOf(item.id) })) };
}

export type TrackedOrder = NonNullable<Awaited<ReturnType<typeof findTrackedOrder>>>;
