/** Deals for tests of what happens after the payment. */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { orderItems, orders } from "#app/db/schema.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { type Deal, db, makeDeal, readAttempts, servicesAt, uniquePhone } from "./fixtures.ts";

let receipts = 0;

/** One item, paid by its buyer, with the payment confirmed. */
export async function payDeal(input: Parameters<typeof makeDeal>[0] = {}): Promise<Deal> {
  const deal = await makeDeal(input);
  await pay(deal);
  return deal;
}

/** Pays an order. `late`: its payment arrives after the order was closed. */
export async function pay(deal: Deal, { late = false } = {}): Promise<void> {
  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
  const [attempt] = await readAttempts(deal.orderId);
  if (late) {
    await db
      .update(orders)
      .set({ orderStatus: "expired", closedReason: "expired_unpaid" })
      .where(eq(orders.id, deal.orderId));
    await db.update(orderItems).set({ status: "expired" }).where(eq(orderItems.orderId, deal.orderId));
  }
  receipts += 1;
  const receipt = `TPAID${String(receipts).padStart(5, "0")}`;
  const paid = { event: "paid", receipt, paidAt: null, checkoutRequestId: null } as const;
  await applyAttemptEvent(servicesAt(), attempt?.id ?? "", paid);
  await applyAttemptEvent(servicesAt(), attempt?.id ?? "", { event: "confirmed" });
}

/** The seller contacts the buyer, and the buyer agrees. */
export async function agreeOn({ itemId }: Deal): Promise<void> {
  await env.DB.prepare("UPDATE order_items SET buyer_contacted = 1, buyer_agreed = 1 WHERE id = ?").bind(itemId).run();
}
