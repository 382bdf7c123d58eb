import { read } from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";
import { unseenAbout } from "#app/notifications/seen.server.ts";
import { orderForBuyer, readOrder } from "#app/orders/orders.server.ts";

/** An order as its buyer confirms it, and whether they haven't seen yet that it is paid. Null when it isn't theirs. */
export async function findConfirmation(db: Database, orderId: string, userId: string) {
  const { news, ...found } = await read(db, {
    ...orderForBuyer(orderId, userId),
    news: unseenAbout(userId, "payment_received", [`order:${orderId}`]),
  });
  const order = readOrder(found);
  return order && { ...order, isNews: news.length > 0 };
}
