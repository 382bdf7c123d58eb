import { and, eq } from "drizzle-orm";
import { openParty } from "#app/notifications/recipient-rules.ts";
import { expectOneChange, retryOnConflict, write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { orders } from "#app/orders/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { PAYMENT } from "#app/db/states/order.ts";
import { findOrderObstacle, isPayable, type OrderRefusal } from "./order-obstacles.server.ts";
import { paidOrderEffects, tellPaid } from "./order-settlement.server.ts";
import { tellSellers } from "./payment-notices.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";

/** `error` is a sentence for the buyer. */
export type ConfirmFreeOrderResult = { ok: true } | { ok: false; code: "not_found" | "not_free" } | OrderRefusal;

/**
 * Confirms a free order without a payment: the order, its items, the cart and the emails in one guarded batch. Safe to
 * repeat. `buyer` is the order's owner.
 */
export function confirmFreeOrder(
  services: Pick<PaymentServices, "db" | "now" | "notifier">,
  input: FreeOrder,
): Promise<ConfirmFreeOrderResult> {
  // In between, another press may have been faster, the order closed, or its pieces given away.
  return retryOnConflict(MAX_TRIES, () => confirm(services, input));
}

const MAX_TRIES = 7;

interface FreeOrder {
  orderId: string;
  buyer: { id: string; email: string; fullName: string };
}

async function confirm(
  services: Pick<PaymentServices, "db" | "now" | "notifier">,
  input: FreeOrder,
): Promise<ConfirmFreeOrderResult> {
  const [order] = await services.db
    .select()
    .from(orders)
    .where(and(eq(orders.id, input.orderId), eq(orders.userId, input.buyer.id)));
  if (!order) return { ok: false, code: "not_found" };
  if (order.amount !== 0) return { ok: false, code: "not_free" };
  if (PAYMENT.isPaid(order.paymentStatus)) return { ok: true };
  const obstacle = await findOrderObstacle(services, order);
  if (obstacle) return obstacle;
  const now = services.now();
  await write(services.db, [
    build
      .update(orders)
      .set({
        paymentStatus: "completed",
        orderStatus: "processing",
        paymentDate: now,
        paymentReview: null,
        paymentFailure: null,
        updatedAt: now,
      })
      .where(
        and(
          eq(orders.id, order.id),
          eq(orders.amount, 0),
          stateIs(orders.paymentStatus, PAYMENT.isUnpaid),
          isPayable(order, now),
        ),
      ),
    expectOneChange(),
    ...paidOrderEffects(services, order),
    ...(await tellPaid(services, openParty({ ...input.buyer, name: input.buyer.fullName }), order, null)),
  ]);
  await services.notifier.send(input.buyer.id, { type: "payment", orderId: order.id });
  await tellSellers(services, order.id);
  return { ok: true };
}
