import { and, eq, not, type SQL } from "drizzle-orm";
import { asBoolean, build, hasRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { orderItems, orders } from "./tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ORDER, PAYMENT } from "#app/db/states/order.ts";
import { isBrought } from "./orders.server.ts";
import { type DeliveryChoice, refuseDelivery } from "./order-rules.ts";
import { write } from "#app/db/batch.ts";

export type SaveDeliveryResult =
  | { ok: true }
  | { ok: false; code: "refused"; field: "pickupConfirmed" | "address"; error: string }
  /** Delivery was chosen, but a seller of the order doesn't deliver. */
  | { ok: false; code: "no_delivery" }
  /** Not the buyer's order, or it is paid, being paid, or closed. */
  | { ok: false; code: "closed" };

/** Whether every seller of an order delivers. */
function allDeliver(orderId: string): SQL {
  return not(hasRow(orderItems, and(eq(orderItems.orderId, orderId), not(isBrought))));
}

/**
 * Saves how an order reaches its buyer, and the phone that will pay (254XXXXXXXXX; null keeps it). Only for the buyer's
 * own unpaid order, and not while a payment is under way: the prompt on the phone is for what was chosen before.
 * Delivery is refused unless every seller delivers.
 */
export async function saveDelivery(
  store: Store,
  input: { orderId: string; userId: string; choice: DeliveryChoice; phone: string | null },
): Promise<SaveDeliveryResult> {
  const refusal = refuseDelivery(input.choice);
  if (refusal) return { ok: false, code: "refused", ...refusal };
  const delivered = input.choice.option === "delivery";
  const {
    saved: [saved],
  } = await write(store.db, {
    saved: build
      .update(orders)
      .set({
        deliveryOption: input.choice.option,
        deliveryAddress: delivered ? input.choice.address.trim() : null,
        deliveryInstructions: (delivered && input.choice.instructions.trim()) || null,
        ...(input.phone === null ? {} : { phoneNumber: input.phone }),
        updatedAt: store.now(),
      })
      .where(
        and(
          eq(orders.id, input.orderId),
          eq(orders.userId, input.userId),
          stateIs(orders.paymentStatus, PAYMENT.isPayable),
          stateIs(orders.orderStatus, ORDER.isNotClosed),
          delivered ? allDeliver(input.orderId) : undefined,
        ),
      )
      .returning({ id: orders.id }),
  });
  if (saved) return { ok: true };
  const [found] = await store.db
    .select({ allDeliver: asBoolean(allDeliver(input.orderId)) })
    .from(orders)
    .where(and(eq(orders.id, input.orderId), eq(orders.userId, input.userId)));
  return { ok: false, code: delivered && found?.allDeliver === false ? "no_delivery" : "closed" };
}
