import { and, eq, sql } from "drizzle-orm";
import { type BlockedSale, orderBlockedText } from "#app/accounts/trust/block-rules.ts";
import { orderAwayText, type SellerAway } from "#app/accounts/profile/holiday.ts";
import { openParty } from "#app/notifications/recipient-rules.ts";
import { expectOneChange, read, retryOnConflict, write } from "#app/db/batch.ts";
import { build, oneRow } from "#app/db/build.ts";
import { orders } from "#app/orders/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ORDER, PAYMENT } from "#app/db/states/order.ts";
import { awaySeller, blockedSeller, shortageOf, unavailableItem } from "#app/payments/collect/availability.server.ts";
import { refuseShortage } from "#app/orders/shortage-rules.ts";
import { closedText, unavailableText } from "#app/orders/order-rules.ts";
import { paidOrderEffects, tellPaid } from "./order-settlement.server.ts";
import { tellSellers } from "./payment-notices.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";

/** `error` is a sentence for the buyer. */
export type ConfirmFreeOrderResult =
  | { ok: true }
  | { ok: false; code: "not_found" | "not_free" }
  | { ok: false; code: "closed" | "in_progress"; error: string };

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
  if (ORDER.isClosed(order.orderStatus)) return { ok: false, code: "closed", error: closedText(order) };
  const now = services.now();
  const {
    found: [found],
    shortage: [shortage],
  } = await read(services.db, {
    found: oneRow({
      gone: unavailableItem(order.id),
      away: awaySeller(order.id, now),
      blocked: blockedSeller(order.id),
    }),
    shortage: shortageOf(order.id),
  });
  const { gone = null, away = null, blocked = null } = found ?? {};
  if (gone) return { ok: false, code: "closed", error: unavailableText(gone) };
  if (blocked) return { ok: false, code: "closed", error: orderBlockedText(JSON.parse(blocked) as BlockedSale) };
  if (away) return { ok: false, code: "closed", error: orderAwayText(JSON.parse(away) as SellerAway) };
  if (shortage) {
    const { code, error } = refuseShortage(shortage, now);
    return { ok: false, code, error };
  }

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
          stateIs(orders.orderStatus, ORDER.isNotClosed),
          sql`NOT EXISTS ${unavailableItem(order.id)} AND NOT EXISTS ${awaySeller(order.id, now)}`,
          sql`NOT EXISTS ${blockedSeller(order.id)}`,
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
