import type { Database } from "#app/db/client.ts";
import { itemForSeller, orderForBuyer, readOrder } from "#app/orders/orders.server.ts";
import { payoutOfItem } from "#app/payments/payment-api.server.ts";
import { type MessagePage, readPage, selectMessages } from "./messages.server.ts";

/** An order with what was written about each item, oldest first, or null where it is not the user's. One round trip. */
export async function findTrackedOrder(db: Database, orderId: string, userId: string) {
  const [found, items, written] = await db.batch([
    ...orderForBuyer(db, orderId, userId),
    selectMessages(db, userId, { order: orderId }),
  ]);
  const order = readOrder(found, items);
  if (!order) return null;
  const page = readPage(written);
  // What is older than the order's latest messages is older for each of its items too.
  const pageOf = (itemId: string): MessagePage => ({
    messages: page.messages.filter(({ orderItemId }) => orderItemId === itemId),
    older: page.older,
  });
  return { ...order, items: order.items.map((item) => ({ ...item, page: pageOf(item.id) })) };
}

export type TrackedOrder = NonNullable<Awaited<ReturnType<typeof findTrackedOrder>>>;

/**
 * An order item as its seller works on it, with its payout and what was written, or null where it is not theirs. How to reach the
 * buyer is told once they have paid. One round trip.
 */
export async function findSoldItem(db: Database, itemId: string, sellerId: string) {
  const [items, payouts, written] = await db.batch([
    itemForSeller(db, itemId, sellerId),
    payoutOfItem(db, itemId),
    selectMessages(db, sellerId, { item: itemId }),
  ]);
  const item = items[0];
  if (!item) return null;
  const paid = item.paymentStatus === "completed";
  return {
    item: { ...item, buyerPhone: paid ? item.buyerPhone : null, buyerEmail: paid ? item.buyerEmail : null },
    payout: payouts[0] ?? null,
    page: readPage(written),
  };
}

export type SoldItem = NonNullable<Awaited<ReturnType<typeof findSoldItem>>>;
