import { and, eq } from "drizzle-orm";
import type { Mail } from "#app/platform/mailer.ts";
import type { Notifier } from "#app/platform/live-events.ts";
import { expectOneChange, PreconditionFailed, runBatch } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { queueEffect } from "#app/db/outbox.ts";
import { credentials, orderItems, orders, profiles } from "#app/db/schema.ts";
import type { ItemStatus } from "#app/db/states/item.ts";
import { ITEM_TRANSITIONS, shippingStep } from "./order-rules.ts";

export type FulfilmentResult =
  | { ok: true }
  /** Not the seller's item, or no such item. */
  | { ok: false; code: "not_found" }
  /** The item's status has changed, or it isn't ready for this step. */
  | { ok: false; code: "wrong_state"; status: ItemStatus };

/** What a seller's step must know about an item; null when the item isn't theirs. */
export async function findFulfilment(store: Store, itemId: string, sellerId: string) {
  const [item] = await store.db
    .select({
      id: orderItems.id,
      orderId: orderItems.orderId,
      status: orderItems.status,
      name: orderItems.productName,
      subtotal: orderItems.subtotal,
      buyerContacted: orderItems.buyerContacted,
      buyerAgreed: orderItems.buyerAgreed,
      buyerId: orders.userId,
      buyerEmail: credentials.email,
      buyerName: profiles.fullName,
    })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .innerJoin(credentials, eq(credentials.id, orders.userId))
    .leftJoin(profiles, eq(profiles.id, orders.userId))
    .where(and(eq(orderItems.id, itemId), eq(orderItems.sellerId, sellerId)));
  return item ?? null;
}

/** Marks an item as shipped. It must be paid, and the buyer must have agreed. */
export async function shipItem(
  store: Store & { notifier: Notifier },
  input: { itemId: string; sellerId: string },
): Promise<FulfilmentResult> {
  const item = await findFulfilment(store, input.itemId, input.sellerId);
  if (!item) return { ok: false, code: "not_found" };
  const ready = ITEM_TRANSITIONS[item.status].includes("shipped") && shippingStep(item) === "ready_to_ship";
  if (!ready) return { ok: false, code: "wrong_state", status: item.status };

  const now = store.now();
  const mail: Mail = {
    to: item.buyerEmail,
    template: "item_shipped",
    data: { name: item.buyerName ?? "there", orderId: item.orderId, productName: item.name },
  };
  try {
    await runBatch(store.db, [
      store.db
        .update(orderItems)
        .set({ status: "shipped", shippedAt: now, updatedAt: now })
        .where(and(eq(orderItems.id, item.id), eq(orderItems.status, "processing"), eq(orderItems.buyerAgreed, true))),
      expectOneChange(),
      store.db
        .update(orders)
        .set({ orderStatus: "shipped", updatedAt: now })
        .where(and(eq(orders.id, item.orderId), eq(orders.orderStatus, "processing"))),
      queueEffect("mail", `item_shipped:${item.id}`, mail, now),
    ]);
  } catch (error) {
    if (error instanceof PreconditionFailed) return { ok: false, code: "wrong_state", status: item.status };
    throw error;
  }
  await store.notifier.notify(item.buyerId, {
    type: "order",
    orderId: item.orderId,
    orderItemId: item.id,
    notice: `${item.name} is on its way`,
  });
  return { ok: true };
}
