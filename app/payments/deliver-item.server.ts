import { and, eq, sql } from "drizzle-orm";
import type { Mail } from "#app/platform/mailer.ts";
import { expectOneChange, PreconditionFailed, runBatch } from "#app/db/batch.ts";
import { queueEffect } from "#app/db/outbox.ts";
import { orderItems, payouts } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import type { OrderStatus } from "#app/db/states/order.ts";
import { findFulfilment, type FulfilmentResult } from "#app/orders/fulfilment.server.ts";
import { ITEM_TRANSITIONS } from "#app/orders/order-rules.ts";
import { bookTransaction } from "./ledger.server.ts";
import { releaseLegs } from "./ledger-rules.ts";
import { newCallbackToken, type PaymentServices } from "./payment-services.ts";

/**
 * The seller says that the buyer has the item. One batch marks the item as delivered, releases its money from escrow
 * and creates its one payout. `advancePayout` then sends it. A free item has no payout.
 */
export async function deliverItem(
  services: PaymentServices,
  input: { itemId: string; sellerId: string },
): Promise<Exclude<FulfilmentResult, { ok: true }> | { ok: true; payoutId: string | null }> {
  const item = await findFulfilment(services, input.itemId, input.sellerId);
  if (!item) return { ok: false, code: "not_found" };
  if (!ITEM_TRANSITIONS[item.status].includes("delivered"))
    return { ok: false, code: "wrong_state", status: item.status };

  const now = services.now();
  const payoutId = item.subtotal > 0 ? crypto.randomUUID() : null;
  const mail: Mail = {
    to: item.buyerEmail,
    template: "item_delivered",
    data: { name: item.buyerName || "there", orderId: item.orderId, productName: item.name },
  };
  try {
    await runBatch(services.db, [
      services.db
        .update(orderItems)
        .set({ status: "delivered", deliveredAt: now, updatedAt: now })
        .where(and(eq(orderItems.id, item.id), eq(orderItems.status, "shipped"))),
      expectOneChange(),
      sql`UPDATE orders SET order_status = ${"delivered" satisfies OrderStatus}, updated_at = ${now} WHERE id = ${item.orderId}
        AND NOT EXISTS (SELECT 1 FROM order_items WHERE order_id = ${item.orderId} AND ${stateIs("status", ITEM.isUndelivered)})`,
      ...(payoutId ? payoutStatements(services, payoutId, item, input.sellerId) : []),
      queueEffect("mail", `item_delivered:${item.id}`, mail, now),
    ]);
  } catch (error) {
    if (error instanceof PreconditionFailed) return { ok: false, code: "wrong_state", status: item.status };
    throw error;
  }
  await services.notifier.notify(item.buyerId, {
    type: "order",
    orderId: item.orderId,
    orderItemId: item.id,
    notice: `${item.name} was delivered`,
  });
  return { ok: true, payoutId };
}

function payoutStatements(
  services: PaymentServices,
  payoutId: string,
  item: { id: string; orderId: string; subtotal: number },
  sellerId: string,
) {
  const now = services.now();
  return [
    services.db.insert(payouts).values({
      id: payoutId,
      orderItemId: item.id,
      sellerId,
      amount: item.subtotal,
      conversationId: crypto.randomUUID(),
      callbackToken: newCallbackToken(),
      nextActionAt: now,
      createdAt: now,
      updatedAt: now,
    }),
    ...bookTransaction({
      transactionId: `release:${payoutId}`,
      legs: releaseLegs(item.subtotal),
      orderId: item.orderId,
      orderItemId: item.id,
      payoutId,
      now,
    }),
  ];
}
