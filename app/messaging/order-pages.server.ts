import type { Database } from "#app/db/client.ts";
import { itemForSeller, orderForBuyer, readOrder } from "#app/orders/orders.server.ts";
import { payoutOfItem } from "#app/payments/payment-api.server.ts";
import { listItemMessages, listOrderMessages } from "./messages.server.ts";

/** An order with what was written about it, oldest first, or null where it is not the user's. One round trip. */
export async function findTrackedOrder(db: Database, orderId: string, userId: string) {
  const [found, items, messages] = await db.batch([...orderForBuyer(db, orderId, userId), listOrderMessages(db, orderId)]);
  const order = readOrder(found, items);
  return order && { ...order, messages: messages.toReversed() };
}

export type TrackedOrder = NonNullable<Awaited<ReturnType<typeof findTrackedOrder>>>;

/**
 * An order item as its seller works on it, with its payout and what was written, or null where it is not theirs. How to reach the
 * buyer is told once they have paid. One round trip.
 */
export async function findSoldItem(db: Database, itemId: string, sellerId: string) {
  const [items, payouts, messages] = await db.batch([itemForSeller(db, itemId, sellerId), payoutOfItem(db, itemId), listItemMessages(db, itemId)]);
  const item = items[0];
  if (!item) return null;
  const paid = item.paymentStatus === "completed";
  return {
    item: { ...item, buyerPhone: paid ? item.buyerPhone : null, buyerEmail: paid ? item.buyerEmail : null },
    payout: payouts[0] ?? null,
    messages: messages.toReversed(),
  };
}

export type SoldItem = NonNullable<Awaited<ReturnType<typeof findSoldItem>>>;
